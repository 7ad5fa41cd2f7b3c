package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/print"
	"remora/ui/source"
)

// The palette lists, below the line behind the colon, every command and every action with its keys and what it does, and
// what may follow a command. What is typed narrows it: each word must occur in the name or the help.

// paletteOffers are the lines of the palette for what is typed so far.
func (m *model) paletteOffers(text string) []offer {
	name, arg, more := strings.Cut(text, " ")
	if c := commandNamed(name); more && c != nil {
		if c.args == nil {
			return nil
		}
		return shifted(c.args(m, arg), len(name)+1)
	}
	if more && knowsCommand(name) {
		return nil
	}
	words := strings.Fields(strings.ToLower(text))
	var out []offer
	add := func(names []string, keys, help string) {
		for _, w := range words {
			if !strings.Contains(strings.ToLower(strings.Join(names, " ")+" "+help), w) {
				return
			}
		}
		out = append(out, offer{Completion: filter.Completion{Text: names[0], Type: keys, Doc: help, To: len(text)}, packets: -1})
	}
	for _, c := range commands() {
		add(c.names, strings.TrimSpace(":"+c.names[0]+" "+c.arg), c.help)
	}
	for _, a := range act.All() {
		if a != act.Command && a.Layer() == "" {
			add([]string{a.Name()}, strings.Join(m.keymap.Labels(a), " "), a.Help())
		}
	}
	// Names that begin with what is typed, or have a part that does, come first.
	slices.SortStableFunc(out, func(x, y offer) int { return nearness(x.Text, text) - nearness(y.Text, text) })
	return out
}

// nearness is how well a name fits what is typed: 0 best.
func nearness(name, text string) int {
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case text == "" || name == text:
		return 0
	case strings.HasPrefix(name, text):
		return 1
	case strings.Contains(name, "."+text), strings.Contains(name, "-"+text):
		return 2
	case strings.Contains(name, text):
		return 3
	}
	return 4
}

// shifted moves the places of offers behind the name of the command.
func shifted(list []offer, by int) []offer {
	for i := range list {
		list[i].From += by
		list[i].To += by
	}
	return list
}

// commitCommand does the line under the cursor of the palette, or what is typed where that is a command as it stands. A
// command that wants more stays open for it.
func (m *model) commitCommand(text string) {
	name, _, more := strings.Cut(text, " ")
	if len(m.completions) > 0 && !(more && knowsCommand(name)) && text != "" && (m.completing > 0 || !knowsCommand(text)) || text == "" && m.completing > 0 {
		text = m.completions[m.completing].Text
		if c := commandNamed(text); c != nil && c.must {
			m.input.Set(text + " ")
			m.checkInput()
			return
		}
	}
	m.input.Remember(text)
	m.endEdit()
	m.command(text)
}

// choices are offers of words that begin with what is typed.
func choices(typed string, words [][2]string) []offer {
	var out []offer
	for _, w := range words {
		if strings.HasPrefix(strings.ToLower(w[0]), strings.ToLower(typed)) {
			out = append(out, offer{Completion: filter.Completion{Text: w[0], Doc: w[1], To: len(typed)}, packets: -1})
		}
	}
	return out
}

func (m *model) filterOffers(arg string) []offer { return m.offers(arg, len(arg)) }

func (m *model) columnOffers(arg string) []offer {
	typed, _ := strings.CutPrefix(arg, "-")
	var words [][2]string
	for _, c := range m.allColumns() {
		if c.field == nil {
			words = append(words, [2]string{c.title, "column"})
		}
	}
	out := choices(typed, words)
	if typed != "" {
		out = append(out, m.offers(typed, len(typed))...)
	}
	return shifted(out, len(arg)-len(typed))
}

func (m *model) clockOffers(arg string) []offer {
	var words [][2]string
	for _, c := range print.Clocks {
		words = append(words, [2]string{c[0], c[1]})
	}
	return choices(arg, words)
}

func (m *model) favouriteOffers(arg string) []offer {
	var words [][2]string
	for _, line := range m.favouriteLines() {
		name, text, _ := strings.Cut(line, "\t")
		words = append(words, [2]string{name, text})
	}
	return choices(arg, words)
}

// decodeOffers are tables, then protocols.
func (m *model) decodeOffers(arg string) []offer {
	selector, proto, second := strings.Cut(arg, ",")
	var words [][2]string
	if second {
		for _, p := range m.reg.Protocols() {
			words = append(words, [2]string{p.Name(), p.Title()})
		}
		return shifted(choices(proto, words), len(selector)+1)
	}
	if strings.Contains(arg, "==") {
		return nil
	}
	for _, t := range m.reg.Tables() {
		words = append(words, [2]string{string(t) + "==", ""})
	}
	return choices(arg, words)
}

// overPalette draws the palette.
func (m *model) overPalette(lines []string) {
	w := min(m.w-6, 108)
	h := min(len(m.completions), max(6, m.h-8))
	from := clamp(m.completing-h/2, 0, len(m.completions)-h)
	names, keys := 18, 0
	for _, c := range m.completions {
		names, keys = max(names, paint.Width(c.Text)), max(keys, paint.Width(c.Type))
	}
	names, keys = min(names, w/3), min(keys, w/4)
	var body []string
	for i := from; i < from+h; i++ {
		c := m.completions[i]
		var l paint.Line
		if i == m.completing {
			l.Base = m.pens.Selected
		}
		l.Put(paint.Pen{}, " "+paint.Fit(dissect.Escape(c.Text), names)+" ")
		l.Put(m.pens.Accent, paint.Fit(dissect.Escape(c.Type), keys)+" ")
		l.Put(m.pens.Dim, paint.Fit(dissect.Escape(c.Doc), max(0, w-3-l.Width)))
		body = append(body, paint.Clip(l.End(w-2), w-2))
	}
	m.placed(3, 3, w, len(body), 0, from, h)
	paint.Over(lines, m.box(strconv.Itoa(m.completing+1)+" of "+strconv.Itoa(len(m.completions)), body, w, m.glyph("↑↓ choose · ", "")+m.keyOf(act.LineTake)+m.glyph(" take · ", " takes, ")+m.keyOf(act.LineAccept)+m.glyph(" do", " does")), 3, 3)
}

// completeFile goes on with the file behind :w as far as the files that begin this way agree.
func (m *model) completeFile() bool {
	name, arg, more := strings.Cut(m.input.Value(), " ")
	if c := commandNamed(name); !more || c == nil || c.arg != "FILE" {
		return false
	}
	m.input.Set(name + " " + source.CompletePath(arg))
	return true
}
