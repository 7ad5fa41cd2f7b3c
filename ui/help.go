package ui

import (
	"slices"
	"strings"

	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/keymap"
	"remora/ui/paint"
	"remora/ui/readline"
)

// helpPane is the help over the screen: all keys, which typing narrows and Enter runs, and the filter language.
type helpPane struct {
	open  bool
	page  int // keys, or the filter language
	find  readline.Input
	table table
}

// A helpLine is a key with what it does, or the title of a group.
type helpLine struct {
	title string
	key   keymap.Key
	more  string // a further line of the text
}

var helpTitles = [2]string{"Keys", "The filter language"}

// helpKey handles a key while the help is open.
func (m *model) helpKey(name, text string) {
	h := &m.help
	lines, does, over := m.helpLines(), m.keymap.Line(name), m.keymap.Does[name]
	typed := text != "" && does == act.None
	switch {
	case does == act.LineCancel, over == act.Help && !typed, over == act.Quit && h.find.Value() == "":
		*h = helpPane{}
	case does == act.LineTake, over == act.Help:
		h.page, h.table = 1-h.page, table{}
		h.find.Set("")
	case does == act.LineNext:
		h.table.act(act.Down, 1, len(lines), 1)
		h.table.cur = h.nextKey(lines, 1)
	case does == act.LinePrev:
		h.table.act(act.Up, 1, len(lines), 1)
		h.table.cur = h.nextKey(lines, -1)
	case !typed && (over == act.PageDown || over == act.PageUp):
		h.table.act(over, 1, len(lines), m.h/2)
	case does == act.LineAccept:
		m.runHelp(lines)
	case h.page == 1:
	default:
		if !h.find.Do(does) && text != "" {
			h.find.Insert(text)
		}
		h.table = table{}
		h.table.cur = h.nextKey(m.helpLines(), 1)
	}
}

// nextKey goes on to a line that is a key.
func (h *helpPane) nextKey(lines []helpLine, step int) int {
	i := clamp(h.table.cur, 0, max(0, len(lines)-1))
	for i >= 0 && i < len(lines) && (lines[i].title != "" || lines[i].more != "") {
		i += step
	}
	if i < 0 || i >= len(lines) {
		return h.table.cur
	}
	return i
}

// runHelp does what the line under the cursor stands for.
func (m *model) runHelp(lines []helpLine) {
	if m.help.page == 1 || m.help.table.cur >= len(lines) {
		return
	}
	does := lines[m.help.table.cur].key.Act
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
func (m *model) helpGroups() []keymap.Group {
	all := m.keymap.Help()
	if m.chooser == nil {
		return slices.Concat(m.keysHere(), all, habits)
	}
	out := []keymap.Group{m.keymap.HelpIn(act.InSources)}
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
func (m *model) keysHere() []keymap.Group {
	hints := m.hintsHere()
	if hints == nil {
		return nil
	}
	g := keymap.Group{Title: "Here"}
	for _, h := range hints {
		if h[0] == "?" || h[0] == "" {
			continue
		}
		first, _, _ := strings.Cut(h[0], " ")
		name, _ := keymap.Parse(first)
		g.Keys = append(g.Keys, keymap.Key{Keys: m.keymap.Shown(h[0], nil), Help: h[1], Act: keymap.Standard.Does[name]})
	}
	return []keymap.Group{g}
}

// habits are the keys that people bring from other programs and find again. A test holds them against the keys.
var habits = []keymap.Group{{Title: "If you come from", Keys: []keymap.Key{
	{Keys: "Wireshark", Help: "Ctrl-F Ctrl-N Ctrl-G Ctrl-E Ctrl-R Ctrl-K Ctrl-O Ctrl-T F7 F8 Alt-← Alt-→ Ctrl-→ Ctrl-← Shift-→"},
	{Keys: "termshark", Help: "/ : \\ | + - < > cy ma '' ZZ Ctrl-W w"},
	{Keys: "vim, less", Help: "gg G F n N * # % { } za zo zc zR zM ma '' Ctrl-D Ctrl-U Ctrl-W w :w :q :wq :q! ZZ"},
	{Keys: "sngrep, mitmproxy", Help: "Space / p F s F1 q"},
}}}

// helpLines are the lines that hold what is typed: in the keys, the text or the title of the group.
func (m *model) helpLines() []helpLine {
	var out []helpLine
	if m.help.page == 1 {
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
	body := m.helpLines()
	var out []string
	room := m.h - 6
	if h.page == 0 {
		var l paint.Line
		l.Put(m.pens.Dim, " find ")
		h.find.Draw(&l, w-60, [2]int{})
		l.Put(m.pens.Dim, paint.FitRight("type to search, Enter runs the line", max(0, w-3-l.Width)))
		out = append(out, paint.Clip(l.End(w-2), w-2))
		room--
	}
	skip, shown := len(out), min(room, len(body))
	if len(body) == 0 {
		out = append(out, paint.Fit("  nothing says that", w-2))
	} else {
		out = append(out, h.table.draw(rect{0, 0, w - 2, shown}, len(body), func(i int, sel bool) string { return m.drawHelpLine(body[i], sel && h.page == 0, w-2) })...)
	}
	m.placed((m.w-w)/2, 1, w, len(out), skip, h.table.top, shown)
	dot := m.glyph(" · ", ", ")
	paint.Over(lines, m.box(helpTitles[h.page], out, w, m.glyph("↑↓", "up down")+dot+m.keyOf(act.Help)+" "+strings.ToLower(helpTitles[1-h.page])+dot+m.keyOf(act.LineCancel)+" closes"), (m.w-w)/2, 1)
}

func (m *model) drawHelpLine(x helpLine, selected bool, w int) string {
	var l paint.Line
	if selected && x.title == "" && x.more == "" {
		l.Base = m.pens.Selected
	}
	switch {
	case x.title != "":
		l.Put(m.pens.Bold, " "+x.title)
	case x.more != "" && m.help.page == 0:
		l.Put(paint.Pen{}, strings.Repeat(" ", 28)+x.more)
	case x.more != "":
		l.Put(paint.Pen{}, x.more)
	default:
		l.Put(m.pens.Accent, "   "+paint.Fit(x.key.Keys, 24)+" ")
		l.Put(paint.Pen{}, x.key.Help)
	}
	return paint.Clip(l.End(w), w)
}

func (m *model) openHelp() {
	m.help = helpPane{open: true}
	m.help.table.cur = 1 // the first key, below its title
}
