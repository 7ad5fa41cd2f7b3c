package ui

import (
	"slices"
	"strings"

	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/readline"
	"remora/ui/widget"
)

// helpPane is the help over the screen: a sheet of the keys that matter here, all keys, and the filter language. Typing searches
// all keys, and Enter runs a line.
type helpPane struct {
	open  bool
	page  int // one of the pages of the help
	find  readline.Input
	more  bool // of the sheet, below what is drawn
	table widget.Table
}

// A helpLine is a key with what it does, or the title of a group.
type helpLine struct {
	title string
	key   keys.Key
	more  string // a further line of the text
}

// The pages of the help, which follow each other.
const (
	helpSheet = iota
	helpKeys
	helpLanguage
)

var helpTitles = [...]string{helpSheet: "Keys", helpKeys: "All keys", helpLanguage: "The filter language"}

// nextPage is the page after the one that is open. While a source is chosen there is no sheet: all keys are few.
func (m *model) nextPage() int {
	next := (m.help.page + 1) % len(helpTitles)
	if next == helpSheet && m.chooser != nil {
		next = helpKeys
	}
	return next
}

// onSheet tells whether the sheet is drawn: what is searched is listed.
func (h *helpPane) onSheet() bool { return h.page == helpSheet && h.find.Value() == "" }

// helpKey handles a key while the help is open.
func (m *model) helpKey(name, text string) {
	h := &m.help
	lines, does, over := m.helpLines(), m.keymap.Line(name), m.keymap.Does[name]
	typed := text != "" && does == act.None
	switch {
	case does == act.LineCancel, over == act.Help && !typed, over == act.Quit && h.find.Value() == "":
		*h = helpPane{}
	case does == act.LineTake, over == act.Help:
		h.page, h.table = m.nextPage(), widget.Table{}
		h.find.Set("")
		h.table.Cur = h.nextKey(m.helpLines(), 1)
	case does == act.LineNext:
		h.table.Update(act.Down, 1, len(lines), 1)
		h.table.Cur = h.nextKey(lines, 1)
	case does == act.LinePrev:
		h.table.Update(act.Up, 1, len(lines), 1)
		h.table.Cur = h.nextKey(lines, -1)
	case !typed && (over == act.PageDown || over == act.PageUp):
		h.table.Update(over, 1, len(lines), m.h/2)
	case does == act.LineAccept:
		m.runHelp(lines)
	case h.page == helpLanguage:
	default:
		if !h.find.Do(does) && text != "" {
			h.find.Insert(text)
		}
		h.table = widget.Table{}
		h.table.Cur = h.nextKey(m.helpLines(), 1)
	}
}

// nextKey goes on to a line that is a key.
func (h *helpPane) nextKey(lines []helpLine, step int) int {
	i := widget.Clamp(h.table.Cur, 0, max(0, len(lines)-1))
	for i >= 0 && i < len(lines) && (lines[i].title != "" || lines[i].more != "") {
		i += step
	}
	if i < 0 || i >= len(lines) {
		return h.table.Cur
	}
	return i
}

// runHelp does what the line under the cursor stands for.
func (m *model) runHelp(lines []helpLine) {
	if m.help.page == helpLanguage || m.help.table.Cur >= len(lines) {
		return
	}
	does := lines[m.help.table.Cur].key.Act
	m.help = helpPane{}
	if does != act.None {
		if m.chooser != nil {
			m.chooser.do(does)
			return
		}
		m.do(does, 0)
	}
}

// helpGroups are all keys, those of where one is first.
func (m *model) helpGroups() []keys.Group {
	all := m.keymap.Help()
	if m.chooser == nil {
		return slices.Concat(m.keysHere(), all, habits)
	}
	out := []keys.Group{m.keymap.HelpIn(act.InSources)}
	for _, title := range []string{"While typing", "Program"} {
		for _, g := range all {
			if g.Title == title {
				out = append(out, g)
			}
		}
	}
	return out
}

// keysHere are the keys of the view that is open, in front of all others.
func (m *model) keysHere() []keys.Group {
	hints := m.hintsHere()
	if hints == nil {
		return nil
	}
	g := keys.Group{Title: "Here"}
	for _, h := range hints {
		if h[0] == "?" || h[0] == "" {
			continue
		}
		first, _, _ := strings.Cut(h[0], " ")
		name, _ := keys.Parse(first)
		g.Keys = append(g.Keys, keys.Key{Keys: m.keymap.Shown(h[0], nil), Help: h[1], Act: keys.Standard.Does[name]})
	}
	return []keys.Group{g}
}

// habits are the keys that people bring from other programs and find again. A test holds them against the keys.
var habits = []keys.Group{{Title: "If you come from", Keys: []keys.Key{
	{Keys: "Wireshark", Help: "Ctrl-F Ctrl-N Ctrl-G Ctrl-E Ctrl-R Ctrl-K Ctrl-O Ctrl-T F7 F8 Alt-← Alt-→ Ctrl-→ Ctrl-← Shift-→"},
	{Keys: "termshark", Help: "/ : \\ | + - < > cy ma '' ZZ Ctrl-W w"},
	{Keys: "vim, less", Help: "gg G F n N * # % { } za zo zc zR zM ma '' Ctrl-D Ctrl-U Ctrl-W w :w :q :wq :q! ZZ"},
	{Keys: "sngrep, mitmproxy", Help: "Space / p F s F1 q"},
}}}

// helpLines are the lines that hold what is typed: in the keys, the text or the title of the group.
func (m *model) helpLines() []helpLine {
	var out []helpLine
	if m.help.onSheet() {
		return m.sheetLines()
	}
	if m.help.page == helpLanguage {
		for l := range strings.SplitSeq(strings.TrimRight(filter.Help(), "\n"), "\n") {
			out = append(out, helpLine{more: l + " "})
		}
		return out
	}
	find := strings.ToLower(m.help.find.Value())
	for _, g := range m.helpGroups() {
		var keys []helpLine
		for _, k := range g.Keys {
			if !strings.Contains(strings.ToLower(k.Keys+" "+k.Help+" "+g.Title), find) {
				continue
			}
			for i, part := range paint.Wrap(k.Help, m.helpWidth()-30) {
				if i == 0 {
					k.Help = part
					keys = append(keys, helpLine{key: k})
				} else {
					keys = append(keys, helpLine{more: part})
				}
			}
		}
		if len(keys) > 0 {
			out = append(append(out, helpLine{title: g.Title}), keys...)
		}
	}
	return out
}

func (m *model) helpWidth() int { return min(m.w-4, 108) }

func (m *model) overHelp(lines []string) {
	h := &m.help
	w := m.helpWidth()
	var out []string
	room := m.h - 6
	if h.page != helpLanguage {
		var l paint.Line
		l.Put(m.style.Pens.Dim, " find ")
		h.find.Draw(&l, w-60, [2]int{})
		l.Put(m.style.Pens.Dim, paint.FitRight("type to search, "+m.style.Key(act.LineAccept)+" runs the line", max(0, w-3-l.Width)))
		out = append(out, paint.Clip(l.End(w-2), w-2))
		room--
	}
	skip := len(out)
	var body []string
	if h.onSheet() {
		body = m.drawSheet(w-2, room)
	} else {
		body = m.drawHelpLines(w-2, room)
	}
	out = append(out, body...)
	m.placed((m.w-w)/2, 1, w, len(out), skip, h.table.Top, len(body))
	title := helpTitles[h.page]
	if h.page == helpSheet {
		title += m.style.Glyph(" · ", ", ") + m.placeName()
	}
	dot, foot := m.style.Glyph(" · ", ", "), m.style.Glyph("↑↓", "up down")
	if h.onSheet() && h.more {
		foot = m.style.Glyph("↓ more", "more below")
	}
	paint.Over(lines, m.style.Box(title, out, w, foot+dot+m.style.Key(act.Help)+" "+strings.ToLower(helpTitles[m.nextPage()])+dot+m.style.Key(act.LineCancel)+" closes"), (m.w-w)/2, 1)
}

// drawHelpLines draws the lines that there is room for.
func (m *model) drawHelpLines(w, room int) []string {
	body := m.helpLines()
	if len(body) == 0 {
		return []string{paint.Fit("  No matches", w)}
	}
	return m.help.table.Draw(w, min(room, len(body)), len(body), func(i int, sel bool) string {
		return m.drawHelpLine(body[i], sel && m.help.page != helpLanguage, w)
	})
}

func (m *model) drawHelpLine(x helpLine, selected bool, w int) string {
	var l paint.Line
	if selected && x.title == "" && x.more == "" {
		l.Base = m.style.Pens.Selected
	}
	switch {
	case x.title != "":
		l.Put(m.style.Pens.Bold, " "+x.title)
	case x.more != "" && m.help.page != helpLanguage:
		l.Put(paint.Pen{}, strings.Repeat(" ", 28)+x.more)
	case x.more != "":
		l.Put(paint.Pen{}, x.more)
	default:
		l.Put(m.style.Pens.Accent, "   "+paint.Fit(x.key.Keys, 24)+" ")
		l.Put(paint.Pen{}, x.key.Help)
	}
	return paint.Clip(l.End(w), w)
}

func (m *model) openHelp() {
	m.help = helpPane{open: true}
	if m.chooser != nil {
		m.help.page = helpKeys
	}
	m.help.table.Cur = 1 // the first key, below its title
}
