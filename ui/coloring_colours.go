package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/rules"
	"remora/ui/widget"
)

// The colour of a rule is chosen from a list in which each is drawn as it looks, or typed. The rule has it at once in
// the packets behind the list, until Enter keeps it or Esc goes back to the one before.

// inkWords are the colours of text that are offered: first those that follow the theme.
var inkWords = [][2]string{{"accent", "the theme's"}, {"good", "the theme's"}, {"warn", "the theme's"},
	{"bad", "the theme's"}, {"dim", "the theme's"}}

// groundWords are colours of backgrounds on which the text of most terminals can be read.
var darkGrounds, lightGrounds = []string{"17", "22", "23", "52", "53", "58", "236", "240"},
	[]string{"194", "195", "224", "225", "229", "230", "253", "250"}

const (
	wordBold = "bold"
	wordNone = "none"
)

// tryColours lets a colour of a rule be chosen: of its text, or of its background.
func (v *coloringView) tryColours(e edit, at int) {
	m := v.m
	list := m.coloring.list()
	v.at, v.before = at, list
	m.startEdit(e, "")
	is := list[at].Foreground
	if e == editGround {
		is = list[at].Background
	}
	if i := slices.IndexFunc(m.typing.offers,
		func(o complete.Offer) bool { return o.Text == is || is == "" && o.Text == wordNone }); i >= 0 {
		m.typing.chosen = i
	}
}

// colourOffers are the colours that begin with what is typed.
func (m *model) colourOffers(ground bool, typed string) []complete.Offer {
	var words [][2]string
	if ground {
		words = append(words, [2]string{wordNone, "the terminal's"})
		for _, n := range map[bool][]string{true: darkGrounds, false: lightGrounds}[m.darkNow()] {
			words = append(words, [2]string{n, "quiet"})
		}
	} else {
		words = append(words, [2]string{wordBold, "bold, or not"}, [2]string{wordNone, "the terminal's"})
		words = append(words, inkWords...)
	}
	for _, name := range paint.ColourNames() {
		words = append(words, [2]string{name, "the terminal's own"})
	}
	return choices(typed, words)
}

// darkNow tells whether the theme is one for a dark background.
func (m *model) darkNow() bool { return m.cfg.Theme == "dark" || m.look.dark && m.cfg.Theme != "light" }

// coloured is a rule with the colour of a word.
func coloured(r Rule, e edit, word string) Rule {
	word = strings.ToLower(strings.TrimSpace(word))
	switch {
	case e == editGround && word == wordNone:
		r.Background = ""
	case e == editGround:
		r.Background = word
	case word == wordBold:
		r.Bold = !r.Bold
	case word == wordNone:
		r.Foreground = ""
	default:
		r.Foreground = word
	}
	return r
}

// chosenColour is what Enter would keep: what is typed where that is a colour, else the one under the cursor.
func (m *model) chosenColour() (word string, err error) {
	typed, check := strings.ToLower(strings.TrimSpace(m.typing.input.Value())), rules.CheckInk
	if m.typing.edit == editGround {
		check = rules.CheckGround
	}
	err = check(typed)
	if typed != "" && err == nil && m.typing.chosen == 0 {
		return typed, nil
	}
	if m.typing.chosen < len(m.typing.offers) {
		return m.typing.offers[m.typing.chosen].Text, nil
	}
	return typed, err
}

// showColour draws the packets behind with the colour that is tried.
func (m *model) showColour() {
	v, ok := m.views.Over().(*coloringView)
	if !ok || v.at < 0 || v.at >= len(v.before) || v.at >= len(m.coloring.rules) ||
		m.typing.edit != editInk && m.typing.edit != editGround {
		return
	}
	r := v.before[v.at]
	if word, err := m.chosenColour(); err == nil {
		r = coloured(r, m.typing.edit, word)
	}
	m.coloring.rules = slices.Clone(m.coloring.rules)
	at := &m.coloring.rules[v.at]
	at.Rule, at.Pen = r, rules.PenOf(r, &m.style.Pens, m.look.colour)
	m.list.Redraw()
}

// commitColour keeps the colour that is tried.
func (m *model) commitColour() {
	v, ok := m.views.Over().(*coloringView)
	word, err := m.chosenColour()
	switch {
	case !ok || v.at < 0 || v.at >= len(v.before):
		m.endEdit()
		return
	case err != nil: // the line says what is wrong
		return
	}
	list := slices.Clone(v.before)
	r := coloured(list[v.at], m.typing.edit, word)
	if r.Style() == "" {
		m.leaveColours()
		m.endEdit()
		m.notice = "a rule needs a colour, a background or bold: otherwise nothing shows that it matches"
		return
	}
	list[v.at] = r
	m.leaveColours()
	m.endEdit()
	if r != v.before[v.at] {
		v.change(list)
	}
}

// leaveColours goes back to the colours before.
func (m *model) leaveColours() {
	if v, ok := m.views.Over().(*coloringView); ok && (m.typing.edit == editInk || m.typing.edit == editGround) {
		m.setRules(v.before)
	}
}

// overColours draws the list of colours.
func (m *model) overColours(lines []string) {
	w := min(m.room.w-6, 50)
	h := min(len(m.typing.offers), max(5, m.room.h/2-4))
	from := widget.Clamp(m.typing.chosen-h/2, 0, len(m.typing.offers)-h)
	v, _ := m.views.Over().(*coloringView)
	var body []string
	for i := from; i < from+h; i++ {
		c := m.typing.offers[i]
		var l paint.Line
		if i == m.typing.chosen {
			l.Base = m.style.Pens.Selected
		}
		var r Rule
		if v != nil && v.at >= 0 && v.at < len(v.before) {
			r = v.before[v.at]
		}
		l.Put(paint.Pen{}, "  ")
		l.PutOwn(rules.PenOf(coloured(r, m.typing.edit, c.Text), &m.style.Pens, m.look.colour), "example")
		l.Put(paint.Pen{}, "   "+paint.Fit(c.Text, 16))
		l.Put(m.style.Pens.Dim, paint.Fit(c.Doc, max(0, w-3-l.Width)))
		body = append(body, paint.Clip(l.End(w-2), w-2))
	}
	m.placed(3, 3, w, len(body), 0, from, h)
	paint.Over(lines,
		m.style.Box(strconv.Itoa(m.typing.chosen+1)+" of "+strconv.Itoa(len(m.typing.offers)), body, w,
			"or type #rrggbb, 0 to 255"), 3, 3)
}

// colourVerdict says what becomes of the colour that is typed.
func (m *model) colourVerdict() (string, paint.Pen) {
	if _, err := m.chosenColour(); err != nil {
		return m.style.Glyph("✗ ", "x ") + err.Error(), m.style.Pens.Bad
	}
	return m.style.Key(act.LineAccept) + " keeps it, " + m.style.Key(act.LineCancel) + " goes back", m.style.Pens.Dim
}

// ruleVerdict says what is wrong with a filter that no rule can have.
func ruleVerdict(f *filter.Filter, text string) *filter.Error {
	if f == nil || !f.References() {
		return nil
	}
	at := max(0, strings.Index(text, "${"))
	return &filter.Error{Text: text, Pos: at, End: len(text),
		Msg: "${...} asks the selected packet, which rows do not depend on"}
}
