package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/suggest"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/print"
	"remora/ui/source"
	"remora/ui/widget"
)

// The palette lists, below the line behind the colon, every command and every action with its keys and what it does,
// and what may follow a command. What is typed narrows it: each word must fit the name, or occur in the help. With
// nothing typed what was done last comes first.

// paletteOffers are the lines of the palette for what is typed so far.
func (m *model) paletteOffers(text string) []complete.Offer {
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
	words := strings.Fields(text)
	var found []paletteLine
	add := func(names []string, keys, help, others string) {
		far, ok := paletteFit(words, names, help+" "+others)
		if ok {
			found = append(found,
				paletteLine{complete.Offer{Completion: filter.Completion{Text: names[0], Type: keys, Doc: help, To: len(text)},
					Packets: -1}, far})
		}
	}
	for _, c := range commands() {
		add(c.names, strings.TrimSpace(":"+c.names[0]+" "+c.arg), c.help, "")
	}
	for _, a := range act.All() {
		if a != act.Command && a.Layer() == "" {
			add([]string{a.Name()}, strings.Join(m.keymap.Labels(a), " "), a.Help(), a.Words())
		}
	}
	if len(words) == 0 { // what was done last comes first
		last := m.lists.commands.Lines()
		for i := range found {
			found[i].far = len(last) - 1 - slices.Index(last, found[i].Text)
		}
	}
	slices.SortStableFunc(found, func(x, y paletteLine) int { return x.far - y.far })
	out := make([]complete.Offer, len(found))
	for i, f := range found {
		out[i] = f.Offer
	}
	return out
}

// A paletteLine is a line of the palette, with how far it is from what is typed.
type paletteLine struct {
	complete.Offer
	far int
}

// paletteFit tells how well words fit a command: each must fit one of its names, or occur in what it does.
func paletteFit(words, names []string, help string) (far int, ok bool) {
	for _, w := range words {
		best := -1
		for _, name := range names {
			if f, ok := suggest.Fit(w, name); ok && (best < 0 || f < best) {
				best = f
			}
		}
		if in := strings.Contains(strings.ToLower(help), strings.ToLower(w)); best < 0 && !in {
			return 0, false
		} else if in && (best < 0 || best > inHelp) {
			best = inHelp
		}
		far += best
	}
	return far, true
}

// inHelp is how far a word is from a command that says it of itself: nearer than letters that only occur in turn.
const inHelp = 4

// shifted moves the places of offers behind the name of the command.
func shifted(list []complete.Offer, by int) []complete.Offer {
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
	if len(m.typing.offers) > 0 && !(more && knowsCommand(name)) && text != "" &&
		(m.typing.chosen > 0 || !knowsCommand(text)) || text == "" && m.typing.chosen > 0 {
		text = m.typing.offers[m.typing.chosen].Text
		if c := commandNamed(text); c != nil && c.must {
			m.typing.input.Set(text + " ")
			m.checkInput()
			return
		}
	}
	m.typing.input.Remember(text)
	m.endEdit()
	if name, _, _ := strings.Cut(text, " "); act.Named(name) != act.None || commandNamed(name) != nil {
		if c := commandNamed(name); c != nil {
			name = c.names[0]
		}
		m.later(func() { m.lists.commands.Add(name) })
	}
	m.command(text)
}

func (m *model) filterOffers(arg string) []complete.Offer { return m.complete.Offers(arg, len(arg)) }

func (m *model) columnOffers(arg string) []complete.Offer {
	typed, _ := strings.CutPrefix(arg, "-")
	var words [][2]string
	for _, c := range columns.All(m.list.Columns) {
		if c.Field == nil {
			words = append(words, [2]string{c.Title, "column"})
		}
	}
	out := complete.Words(typed, words)
	if typed != "" {
		out = append(out, m.complete.Offers(typed, len(typed))...)
	}
	return shifted(out, len(arg)-len(typed))
}

func (m *model) clockOffers(arg string) []complete.Offer {
	var words [][2]string
	for _, c := range print.Clocks {
		words = append(words, [2]string{c[0], c[1]})
	}
	return complete.Words(arg, words)
}

func (m *model) favouriteOffers(arg string) []complete.Offer {
	var words [][2]string
	for _, line := range m.favouriteLines() {
		name, text, _ := strings.Cut(line, "\t")
		words = append(words, [2]string{name, text})
	}
	return complete.Words(arg, words)
}

// decodeOffers are tables, then protocols.
func (m *model) decodeOffers(arg string) []complete.Offer {
	selector, proto, second := strings.Cut(arg, ",")
	var words [][2]string
	if second {
		for _, p := range m.reg.Protocols() {
			if strings.HasPrefix(p.Name(), "_") { // what remora itself has to say is in no packet
				continue
			}
			words = append(words, [2]string{p.Name(), p.Title()})
		}
		return shifted(complete.Words(proto, words), len(selector)+1)
	}
	if strings.Contains(arg, "==") {
		return nil
	}
	for _, t := range m.reg.Tables() {
		words = append(words, [2]string{string(t) + "==", ""})
	}
	return complete.Words(arg, words)
}

// overPalette draws the palette.
func (m *model) overPalette(lines []string) {
	w := min(m.room.w-6, 108)
	h := min(len(m.typing.offers), max(6, m.room.h-8))
	from := widget.Clamp(m.typing.chosen-h/2, 0, len(m.typing.offers)-h)
	names, keys := 12, 0
	for _, c := range m.typing.offers {
		name, key := paletteNames(c, w)
		names, keys = max(names, paint.Width(name)), max(keys, paint.Width(key))
	}
	names, keys = min(names, w/3), min(keys, max(12, w/8))
	var body []string
	for i := from; i < from+h; i++ {
		c := m.typing.offers[i]
		var l paint.Line
		if i == m.typing.chosen {
			l.Base = m.style.Pens.Selected
		}
		name, key := paletteNames(c, w)
		l.Put(paint.Pen{}, " "+paint.Fit(dissect.Escape(name), names)+" ")
		if keys > 0 {
			l.Put(m.style.Pens.Accent, paint.Fit(dissect.Escape(key), keys)+" ")
		}
		l.Put(m.style.Pens.Dim, paint.Fit(dissect.Escape(c.Doc), max(0, w-3-l.Width)))
		body = append(body, paint.Clip(l.End(w-2), w-2))
	}
	m.placed(3, 3, w, len(body), 0, from, h)
	paint.Over(lines,
		m.style.Box(strconv.Itoa(m.typing.chosen+1)+" of "+strconv.Itoa(len(m.typing.offers)), body, w,
			m.style.Glyph("↑↓ choose · ", "")+m.style.Key(act.LineTake)+m.style.Glyph(" take · ", " takes, ")+
				m.style.Key(act.LineAccept)+m.style.Glyph(" do", " does")), 3, 3)
}

// paletteNames are what a line of the palette is called, and its keys. On a narrow screen the keys stand for the name,
// which finds the line all the same.
func paletteNames(c complete.Offer, w int) (name, keys string) {
	switch {
	case strings.HasPrefix(c.Type, ":"): // a command is typed
		return c.Type, ""
	case w < 80 && c.Type != "":
		return c.Type, ""
	}
	return c.Text, c.Type
}

// completeFile goes on with the file behind :w as far as the files that begin this way agree.
func (m *model) completeFile() bool {
	name, arg, more := strings.Cut(m.typing.input.Value(), " ")
	c := commandNamed(name)
	if path, ok := strings.CutPrefix(arg, "import "); ok && c != nil && c.arg == "import FILE" {
		m.typing.input.Set(name + " import " + source.CompletePath(path))
		return true
	}
	if !more || c == nil || c.arg != "FILE" {
		return false
	}
	m.typing.input.Set(name + " " + source.CompletePath(arg))
	return true
}
