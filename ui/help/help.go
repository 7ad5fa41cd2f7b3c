// Package help is the help over the screen: a sheet of the keys that matter where one is, all keys, and the filter
// language.
package help

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

// Context is what the help may ask of the screen.
type Context interface {
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Screen is the size of the whole screen.
	Screen() (w, h int)
	// Here says where one is, and which keys matter there; nil: those of the packets.
	Here() (place string, hints [][2]string)
	// Sources tells whether a source is being chosen, which has keys of its own.
	Sources() bool
	// Do does what a key stands for.
	Do(a act.Action)
}

// A Pane is the help. Typing searches all keys, and Enter runs a line.
type Pane struct {
	c Context

	open  bool
	page  int // one of the pages of the help
	find  readline.Input
	more  bool // of the sheet, below what is drawn
	table widget.Table
	drawn struct{ x, y, w, h, skip, rows int } // the box, and the lines in it
}

// New is the help, closed.
func New(c Context) *Pane { return &Pane{c: c} }

// IsOpen tells whether the help is shown.
func (h *Pane) IsOpen() bool { return h.open }

// Close closes the help.
func (h *Pane) Close() { *h = Pane{c: h.c} }

// A line is a key with what it does, or the title of a group.
type line struct {
	title string
	key   keys.Key
	more  string // a further line of the text
}

// The pages of the help, which follow each other.
const (
	sheet = iota
	allKeys
	language
)

var titles = [...]string{sheet: "Keys", allKeys: "All keys", language: "The filter language"}

// nextPage is the page after the one that is open. While a source is chosen there is no sheet: all keys are few.
func (h *Pane) nextPage() int {
	next := (h.page + 1) % len(titles)
	if next == sheet && h.c.Sources() {
		next = allKeys
	}
	return next
}

// onSheet tells whether the sheet is drawn: what is searched is listed.
func (h *Pane) onSheet() bool { return h.page == sheet && h.find.Value() == "" }

// Key handles a key while the help is open.
func (h *Pane) Key(name, text string) {
	lines, does, over := h.lines(), h.c.Style().Keys.Line(name), h.c.Style().Keys.Does[name]
	typed := text != "" && does == act.None
	switch {
	case does == act.LineCancel, over == act.Help && !typed, over == act.Quit && h.find.Value() == "":
		h.Close()
	case does == act.LineTake, over == act.Help:
		h.page, h.table = h.nextPage(), widget.Table{}
		h.find.Set("")
		h.table.Cur = h.nextKey(h.lines(), 1)
	case does == act.LineNext:
		h.table.Update(act.Down, 1, len(lines), 1)
		h.table.Cur = h.nextKey(lines, 1)
	case does == act.LinePrev:
		h.table.Update(act.Up, 1, len(lines), 1)
		h.table.Cur = h.nextKey(lines, -1)
	case !typed && (over == act.PageDown || over == act.PageUp):
		_, high := h.c.Screen()
		h.table.Update(over, 1, len(lines), high/2)
	case does == act.LineAccept:
		h.run(lines)
	case h.page == language:
	default:
		if !h.find.Do(does) && text != "" {
			h.find.Insert(text)
		}
		h.table = widget.Table{}
		h.table.Cur = h.nextKey(h.lines(), 1)
	}
}

// nextKey goes on to a line that is a key.
func (h *Pane) nextKey(lines []line, step int) int {
	i := widget.Clamp(h.table.Cur, 0, max(0, len(lines)-1))
	for i >= 0 && i < len(lines) && (lines[i].title != "" || lines[i].more != "") {
		i += step
	}
	if i < 0 || i >= len(lines) {
		return h.table.Cur
	}
	return i
}

// run does what the line under the cursor stands for.
func (h *Pane) run(lines []line) {
	if h.page == language || h.table.Cur >= len(lines) {
		return
	}
	does := lines[h.table.Cur].key.Act
	h.Close()
	if does != act.None {
		h.c.Do(does)
	}
}

// groups are all keys, those of where one is first.
func (h *Pane) groups() []keys.Group {
	all := h.c.Style().Keys.Help()
	if !h.c.Sources() {
		return slices.Concat(h.keysHere(), all, Habits)
	}
	out := []keys.Group{h.c.Style().Keys.HelpIn(act.InSources)}
	for _, title := range []string{"While typing", "Program"} {
		for _, g := range all {
			if g.Title == title {
				out = append(out, g)
			}
		}
	}
	return out
}

// Habits are the keys that people bring from other programs and find again. A test holds them against the keys.
var Habits = []keys.Group{{Title: "If you come from", Keys: []keys.Key{
	{Keys: "Wireshark",
		Help: "Ctrl-F Ctrl-N Ctrl-G Ctrl-E Ctrl-R Ctrl-K Ctrl-O Ctrl-T F7 F8 Alt-← Alt-→ Ctrl-→ Ctrl-← Shift-→"},
	{Keys: "termshark", Help: "/ : \\ | + - < > cy ma '' ZZ Ctrl-W w"},
	{Keys: "vim, less", Help: "gg G F n N * # % { } za zo zc zR zM ma '' Ctrl-D Ctrl-U Ctrl-W w :w :q :wq :q! ZZ"},
	{Keys: "sngrep, mitmproxy", Help: "Space / p F s F1 q"},
}}}

// lines are the lines that hold what is typed: in the keys, the text or the title of the group.
func (h *Pane) lines() []line {
	var out []line
	if h.onSheet() {
		return h.sheetLines()
	}
	if h.page == language {
		for l := range strings.SplitSeq(strings.TrimRight(filter.Help(), "\n"), "\n") {
			out = append(out, line{more: l + " "})
		}
		return out
	}
	find := strings.ToLower(h.find.Value())
	for _, g := range h.groups() {
		var keys []line
		for _, k := range g.Keys {
			if !strings.Contains(strings.ToLower(k.Keys+" "+k.Help+" "+g.Title), find) {
				continue
			}
			for i, part := range paint.Wrap(k.Help, h.width()-30) {
				if i == 0 {
					k.Help = part
					keys = append(keys, line{key: k})
				} else {
					keys = append(keys, line{more: part})
				}
			}
		}
		if len(keys) > 0 {
			out = append(append(out, line{title: g.Title}), keys...)
		}
	}
	return out
}

func (h *Pane) width() int {
	w, _ := h.c.Screen()
	return min(w-4, 108)
}

// Over draws the help over the lines of a screen.
func (h *Pane) Over(lines []string) {
	w := h.width()
	var out []string
	wide, high := h.c.Screen()
	room := high - 6
	if h.page != language {
		var l paint.Line
		l.Put(h.c.Style().Pens.Dim, " find ")
		h.find.Draw(&l, w-60, [2]int{})
		l.Put(h.c.Style().Pens.Dim,
			paint.FitRight("type to search, "+h.c.Style().Key(act.LineAccept)+" runs the line", max(0, w-3-l.Width)))
		out = append(out, paint.Clip(l.End(w-2), w-2))
		room--
	}
	skip := len(out)
	var body []string
	if h.onSheet() {
		body = h.drawSheet(w-2, room)
	} else {
		body = h.drawLines(w-2, room)
	}
	out = append(out, body...)
	h.drawn.x, h.drawn.y, h.drawn.w, h.drawn.h, h.drawn.skip, h.drawn.rows = (wide-w)/2, 1, w, len(out)+2, skip, len(body)
	title := titles[h.page]
	if place, _ := h.c.Here(); h.page == sheet {
		title += h.c.Style().Glyph(" · ", ", ") + place
	}
	dot, foot := h.c.Style().Glyph(" · ", ", "), h.c.Style().Glyph("↑↓", "up down")
	if h.onSheet() && h.more {
		foot = h.c.Style().Glyph("↓ more", "more below")
	}
	paint.Over(lines,
		h.c.Style().
			Box(title, out, w,
				foot+dot+h.c.Style().Key(act.Help)+" "+strings.ToLower(titles[h.nextPage()])+dot+h.c.Style().
					Key(act.LineCancel)+" closes"), (wide-w)/2, 1)
}

// drawLines draws the lines that there is room for.
func (h *Pane) drawLines(w, room int) []string {
	body := h.lines()
	if len(body) == 0 {
		return []string{paint.Fit("  No matches", w)}
	}
	return h.table.Draw(w, min(room, len(body)), len(body), func(i int, sel bool) string {
		return h.drawLine(body[i], sel && h.page != language, w)
	})
}

func (h *Pane) drawLine(x line, selected bool, w int) string {
	var l paint.Line
	if selected && x.title == "" && x.more == "" {
		l.Base = h.c.Style().Pens.Selected
	}
	switch {
	case x.title != "":
		l.Put(h.c.Style().Pens.Bold, " "+x.title)
	case x.more != "" && h.page != language:
		l.Put(paint.Pen{}, strings.Repeat(" ", 28)+x.more)
	case x.more != "":
		l.Put(paint.Pen{}, x.more)
	default:
		l.Put(h.c.Style().Pens.Accent, "   "+paint.Fit(x.key.Keys, 24)+" ")
		l.Put(paint.Pen{}, x.key.Help)
	}
	return paint.Clip(l.End(w), w)
}

// Open opens the help.
func (h *Pane) Open() {
	*h = Pane{c: h.c, open: true}
	if h.c.Sources() {
		h.page = allKeys
	}
	h.table.Cur = 1 // the first key, below its title
}

// keysHere are the keys of the view that is open, in front of all others.
func (h *Pane) keysHere() []keys.Group {
	_, hints := h.c.Here()
	if hints == nil {
		return nil
	}
	g := keys.Group{Title: "Here"}
	for _, hint := range hints {
		if hint[0] == "?" || hint[0] == "" {
			continue
		}
		first, _, _ := strings.Cut(hint[0], " ")
		name, _ := keys.Parse(first)
		g.Keys = append(g.Keys,
			keys.Key{Keys: h.c.Style().Keys.Shown(hint[0], nil), Help: hint[1], Act: keys.Standard.Does[name]})
	}
	return []keys.Group{g}
}

// Wheel scrolls by n lines; the cursor goes along where it would leave the view.
func (h *Pane) Wheel(n int) {
	step := 1
	if n < 0 {
		step = -1
	}
	lines := h.lines()
	if h.onSheet() {
		h.table.Cur = widget.Clamp(h.table.Cur+n, 0, len(lines)-1)
	} else {
		rows := h.drawn.rows
		h.table.Top = widget.Clamp(h.table.Top+n, 0, max(0, len(lines)-rows))
		h.table.Cur = widget.Clamp(h.table.Cur, h.table.Top, max(h.table.Top, min(len(lines), h.table.Top+rows)-1))
	}
	h.table.Cur = h.nextKey(lines, step)
}

// Click runs the key under the pointer; beside the help it closes it.
func (h *Pane) Click(x, y int) {
	d := h.drawn
	inside := x >= d.x && x < d.x+d.w && y >= d.y && y < d.y+d.h
	col, row := x-d.x-1, y-d.y-1-d.skip
	i := -1
	if col >= 0 && col < d.w-2 && row >= 0 && row < d.rows {
		i = h.table.Top + row
		if h.onSheet() {
			i = h.sheetAt(col, row)
		}
	}
	lines := h.lines()
	switch {
	case !inside:
		h.Close()
	case i >= 0 && i < len(lines) && lines[i].key.Act != act.None:
		h.table.Cur = i
		h.run(lines)
	}
}
