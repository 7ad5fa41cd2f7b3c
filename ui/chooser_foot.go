package ui

import (
	"strings"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/source"
)

// A cell is where a setting of the capture stands on the screen.
type cell struct {
	field   int // -1: promiscuous or not, which a key or a click turns
	y, x, w int
}

const fieldQuiet = -1

// tallFoot is how high the screen is where all settings of a capture are seen.
const tallFoot = 24

// drawFoot draws messages, how packets will be captured, and the keys.
func (c *chooser) drawFoot() []string {
	m := c.m
	var out []string
	for _, l := range c.message {
		out = append(out, m.style.Pens.Warn.Open+paint.Fit("  "+dissect.Escape(l), m.room.w)+m.style.Pens.Warn.Close)
	}
	if c.opening != "" {
		out = append(out,
			m.style.Pens.Accent.Open+paint.Fit("  opening "+dissect.Escape(c.opening), m.room.w)+m.style.Pens.Accent.Close)
	}
	c.cells = c.cells[:0]
	put := func(lines ...string) { out = append(out, lines...) }
	put(m.style.Rule(m.room.w, "Capture", ""))
	if m.room.h >= 30 {
		put("")
	}
	put(c.filterLine(len(out)))
	ways := c.withoutRight()
	if m.room.h >= tallFoot && (ways == nil || m.room.h >= 30) {
		for _, row := range c.settingsGrid() {
			put(c.settingsLine(row, len(out)))
		}
	}
	put(c.adviceLine())
	switch {
	case ways != nil:
		put(ways...)
	case m.room.h >= tallFoot:
		put(c.rightsLine())
	}
	return append(out, c.keysLine())
}

// filterLine is the capture filter with what the compiler says, or a field that has no place of its own.
func (c *chooser) filterLine(y int) string {
	m, field := c.m, fieldFilter
	if c.text != nil && !c.inGrid(c.field) {
		field = c.field
	}
	verdict, pen := "", m.style.Pens.Good
	if field == fieldFilter && !c.bad {
		verdict = m.style.Glyph("✓ ", "") + c.verdict
	}
	if field == fieldFilter && c.bad {
		verdict, pen = m.style.Glyph("✗ ", "x ")+"not a filter", m.style.Pens.Bad
	}
	var l paint.Line
	l.Put(m.style.Pens.Bold, "  "+c.keyOf(sourceFields[field].opens)+" ")
	l.Put(m.style.Pens.Dim, paint.Fit(c.label(field), c.labelWidth())+"  ")
	room := max(8, m.room.w-l.Width-paint.Width(verdict)-4)
	c.cells = append(c.cells, cell{field, y, 0, m.room.w})
	c.putValue(&l, field, room, "none")
	l.Put(paint.Pen{}, strings.Repeat(" ", max(1, m.room.w-l.Width-paint.Width(verdict)-2)))
	l.Put(pen, verdict)
	return paint.Clip(l.End(m.room.w), m.room.w)
}

// putValue puts what a field holds, or the line that is typed in it.
func (c *chooser) putValue(l *paint.Line, field, room int, empty string) {
	if c.text != nil && c.field == field {
		c.text.Draw(l, room, [2]int{})
		return
	}
	if v := c.shown(field); v != "" {
		l.Put(paint.Pen{}, paint.FitTail(dissect.Escape(v), min(room, paint.Width(dissect.Escape(v)))))
		return
	}
	l.Put(c.m.style.Pens.Dim, paint.Fit(empty, min(room, paint.Width(empty))))
}

// shown is what a field holds, as the line of settings says it.
func (c *chooser) shown(field int) string {
	o := c.m.cfg.Capture
	switch {
	case field == fieldQuiet && o.NoPromisc:
		return "no"
	case field == fieldQuiet:
		return "yes"
	case field == fieldKeep && o.Keep > 0:
		return source.SizeText(o.Keep) + ", oldest leave first"
	case field == fieldSnap && o.SnapLen > 0:
		return humanize.Bytes(int64(o.SnapLen))
	case field == fieldFile || field == fieldRemote:
		return ""
	}
	return c.value(field)
}

func (c *chooser) label(field int) string {
	wide := c.m.room.w >= 100
	switch {
	case field == fieldQuiet && wide:
		return "Promiscuous"
	case field == fieldQuiet:
		return "promiscuous"
	case wide || sourceFields[field].short == "":
		return sourceFields[field].label
	}
	return sourceFields[field].short
}

// labelWidth is the room for the labels at the left.
func (c *chooser) labelWidth() int {
	if c.text != nil && !c.inGrid(c.field) {
		return paint.Width(c.label(c.field))
	}
	if c.m.room.w >= 100 {
		return 14
	}
	return 6
}

// settingsGrid are the settings below the capture filter, line by line and column by column.
func (c *chooser) settingsGrid() [][]int {
	return [][]int{{fieldKeep, fieldWrite}, {fieldSnap, fieldQuiet, fieldStop}}
}

// inGrid tells whether a field has a place of its own on this screen.
func (c *chooser) inGrid(field int) bool {
	if field == fieldFilter {
		return true
	}
	if c.m.room.h < tallFoot || c.withoutRight() != nil && c.m.room.h < 30 {
		return false
	}
	for _, row := range c.settingsGrid() {
		for _, f := range row {
			if f == field {
				return true
			}
		}
	}
	return false
}

// settingsLine draws settings, each with its key.
func (c *chooser) settingsLine(row []int, y int) string {
	m := c.m
	at := []int{2, m.room.w * 31 / 100, m.room.w * 56 / 100} // a line of two leaves the middle to the first
	if len(row) == 2 {
		at = []int{at[0], at[2]}
	}
	var l paint.Line
	for i, field := range row {
		end := m.room.w
		if i+1 < len(row) {
			end = at[i+1]
		}
		l.Put(paint.Pen{}, strings.Repeat(" ", max(0, at[i]-l.Width)))
		key := act.SourceQuiet
		if field != fieldQuiet {
			key = sourceFields[field].opens
		}
		width := c.labelWidth()
		if i > 0 {
			width = paint.Width(c.label(fieldQuiet))
		}
		l.Put(m.style.Pens.Bold, c.keyOf(key)+" ")
		l.Put(m.style.Pens.Dim, paint.Fit(c.label(field), width)+"  ")
		c.cells = append(c.cells, cell{field, y, at[i], end - at[i]})
		c.putValue(&l, field, max(4, end-l.Width-2),
			map[int]string{fieldKeep: "everything is kept", fieldWrite: "nothing yet", fieldSnap: "all bytes",
				fieldStop: "never"}[field])
	}
	return paint.Clip(l.End(m.room.w), m.room.w)
}

// adviceLine says what is wrong with what is typed, or what may be typed.
func (c *chooser) adviceLine() string {
	m := c.m
	var l paint.Line
	bad := func(text string) {
		l.Put(m.style.Pens.Bad, "  "+m.style.Glyph("✗ ", "x ")+strings.ReplaceAll(dissect.Escape(text), "\n", " "))
	}
	switch {
	case c.problem != "":
		bad(c.problem)
	case c.bad:
		bad(c.verdict)
	case c.text != nil:
		l.Put(m.style.Pens.Dim, "  "+c.m.lineKeys(sourceFields[c.field].doc))
	}
	return paint.Pad(paint.Clip(l.End(m.room.w), m.room.w), m.room.w)
}

// withoutRight says how to get the right to capture, where there is none.
func (c *chooser) withoutRight() []string {
	if c.found.NotPermitted == nil {
		return nil
	}
	m := c.m
	head := []string{"may not capture yet. Choose one, then start again (your filter and choice of interface are kept):",
		"may not capture yet. Choose one, then start again (your choice is kept):", "may not capture yet:"}
	for len(head) > 1 && paint.Width(head[0])+4 > m.room.w {
		head = head[1:]
	}
	out := []string{m.style.Pens.Warn.Open + paint.Fit(" "+m.style.Glyph("○ ", "o ")+head[0], m.room.w) +
		m.style.Pens.Warn.Close}
	under := "eth0"
	if x := c.at(c.cur); x.In != nil {
		under = x.In.Name
	}
	filter := ""
	if !c.bad {
		filter = strings.TrimSpace(c.filter.Value())
	}
	ways := [][2]string{
		{capture.SetcapCommand(), "once, then no root is needed"},
		{capture.SudoCommand(c.found.Several(c.chosen, under), filter), "this time only; saved files stay yours"},
		{"ssh router tcpdump -U -w - -i br0 | remora", "capture elsewhere, look here"},
	}
	if m.room.h < tallFoot {
		ways = ways[:2]
	}
	at := 0
	for _, w := range ways {
		at = max(at, paint.Width(dissect.Escape(w[0])))
	}
	for _, w := range ways {
		var l paint.Line
		l.Put(paint.Pen{}, "     "+dissect.Escape(w[0]))
		gap := 5 + at + 2 - l.Width
		if l.Width+gap+paint.Width(w[1]) > m.room.w {
			gap = 2
		}
		if l.Width+gap+paint.Width(w[1]) <= m.room.w {
			l.Put(m.style.Pens.Dim, strings.Repeat(" ", gap)+w[1])
		}
		out = append(out, paint.Clip(l.End(m.room.w), m.room.w))
	}
	if m.room.h >= tallFoot {
		var l paint.Line
		l.Put(m.style.Pens.Dim, "   Files can be opened without any of this:  ")
		l.Put(m.style.Pens.Bold, c.keyOf(act.SourceFile))
		out = append(out, l.End(m.room.w))
	}
	return out
}

// rightsLine says that capturing is allowed and why, and what has been chosen.
func (c *chooser) rightsLine() string {
	m := c.m
	var l paint.Line
	if len(c.found.Interfaces) > 0 || c.found.Err != nil {
		l.Put(m.style.Pens.Good, " "+m.style.Glyph("● ", "* ")+"may capture")
		if why := capture.RightFrom(); why != "" && m.room.w >= 80 {
			l.Put(m.style.Pens.Dim, ": "+dissect.Escape(why))
		}
	}
	under := ""
	if x := c.at(c.cur); x.In != nil {
		under = strings.Join(c.found.Several(c.chosen, x.In.Name), ", ") + " selected "
	} else if x.Game != nil {
		under = x.Game.Filter + " "
	}
	under = paint.FitTail(dissect.Escape(under), min(paint.Width(dissect.Escape(under)), max(0, m.room.w-l.Width-2)))
	l.Put(paint.Pen{}, strings.Repeat(" ", max(0, m.room.w-l.Width-paint.Width(under))))
	l.Put(m.style.Pens.Dim, under)
	return paint.Clip(l.End(m.room.w), m.room.w)
}

func (c *chooser) keyOf(does act.Action) string { return c.m.style.Key(does) }

func (c *chooser) keysLine() string {
	hints := [][2]string{{"Enter", "start"}, {"Space", "several"}, {"/", "capture filter"}, {"o", "file"}, {"s", "ssh"},
		{"r", "recent"}, {"?", "keys"}, {"q", "quit"}}
	if c.m.room.w < 100 {
		hints[2][1] = "filter"
	}
	switch {
	case c.text != nil:
		hints = [][2]string{{"Enter", "accept"}, {"Esc", "cancel"}, {"Tab", "next, or complete a file"}}
	case c.back:
		hints[len(hints)-1] = [2]string{"q", "back"}
	}
	layer := act.InSources
	if c.text != nil {
		layer = act.InLine
	}
	var l paint.Line
	for _, h := range hints {
		if h[0] = c.m.keymap.ShownIn(layer, h[0], nil); l.Width+hintWidth(h) > c.m.room.w {
			break
		}
		c.m.putHint(&l, h)
	}
	return l.End(c.m.room.w)
}
