package chooser

import (
	"strings"

	"remora/capture/live"
	"remora/dissect"
	"remora/internal/broker"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/source"
	"remora/ui/widget"
)

// A cell is where a setting of the capture stands on the screen.
type cell struct {
	field   int // or what a key or a click turns
	y, x, w int
}

const (
	fieldQuiet   = -1
	fieldMonitor = -2
)

// tallFoot is how high the screen is where all settings of a capture are seen.
const tallFoot = 24

// drawFoot draws messages, how packets will be captured, and the keys.
func (c *Chooser) drawFoot() []string {
	s := c.screen.Style()
	var out []string
	for _, l := range c.message {
		out = append(out, s.Pens.Warn.Open+paint.Fit("  "+dissect.Escape(l), c.w)+s.Pens.Warn.Close)
	}
	if c.opening != "" {
		text := "  opening " + dissect.Escape(c.opening)
		if broker.Waiting() {
			text += ": no answer yet; Esc gives up"
		}
		out = append(out, s.Pens.Accent.Open+paint.Fit(text, c.w)+s.Pens.Accent.Close)
	}
	c.cells = c.cells[:0]
	put := func(lines ...string) { out = append(out, lines...) }
	put(s.Rule(c.w, "Capture", ""))
	if c.h >= 30 {
		put("")
	}
	put(c.filterLine(len(out)))
	ways := c.withoutRight()
	if c.h >= tallFoot && (ways == nil || c.h >= 30) {
		for _, row := range c.settingsGrid() {
			put(c.settingsLine(row, len(out)))
		}
	}
	put(c.adviceLine())
	switch {
	case ways != nil:
		put(ways...)
	case c.h >= tallFoot:
		put(c.rightsLine())
	}
	return append(out, c.keysLine())
}

// filterLine is the capture filter with what the compiler says, or a field that has no place of its own.
func (c *Chooser) filterLine(y int) string {
	s, field := c.screen.Style(), fieldFilter
	if c.text != nil && !c.inGrid(c.field) {
		field = c.field
	}
	verdict, pen := "", s.Pens.Good
	if field == fieldFilter && !c.bad {
		verdict = s.Glyph("✓ ", "") + c.verdict
	}
	if field == fieldFilter && c.bad {
		verdict, pen = s.Glyph("✗ ", "x ")+"not a filter", s.Pens.Bad
	}
	var l paint.Line
	l.Put(s.Pens.Bold, "  "+c.keyOf(sourceFields[field].opens)+" ")
	l.Put(s.Pens.Dim, paint.Fit(c.label(field), c.labelWidth())+"  ")
	room := max(8, c.w-l.Width-paint.Width(verdict)-4)
	c.cells = append(c.cells, cell{field, y, 0, c.w})
	c.putValue(&l, field, room, "none")
	l.Put(paint.Pen{}, strings.Repeat(" ", max(1, c.w-l.Width-paint.Width(verdict)-2)))
	l.Put(pen, verdict)
	return paint.Clip(l.End(c.w), c.w)
}

// putValue puts what a field holds, or the line that is typed in it.
func (c *Chooser) putValue(l *paint.Line, field, room int, empty string) {
	if c.text != nil && c.field == field {
		c.text.Draw(l, room, [2]int{})
		return
	}
	if v := c.shown(field); v != "" {
		l.Put(paint.Pen{}, paint.FitTail(dissect.Escape(v), min(room, paint.Width(dissect.Escape(v)))))
		return
	}
	l.Put(c.screen.Style().Pens.Dim, paint.Fit(empty, min(room, paint.Width(empty))))
}

// shown is what a field holds, as the line of settings says it.
func (c *Chooser) shown(field int) string {
	o := c.src.Capture
	switch {
	case field == fieldQuiet && o.NoPromisc:
		return "no"
	case field == fieldQuiet, field == fieldMonitor && o.Monitor:
		return "yes"
	case field == fieldMonitor:
		return "no"
	case field == fieldKeep && o.Keep > 0:
		return source.SizeText(o.Keep) + ", oldest leave first"
	case field == fieldSnap && o.SnapLen > 0:
		return humanize.Bytes(int64(o.SnapLen))
	case field == fieldFile || field == fieldRemote:
		return ""
	}
	return c.value(field)
}

func (c *Chooser) label(field int) string {
	wide := c.w >= 100
	switch {
	case field == fieldArgument:
		return c.args.label()
	case field == fieldMonitor && wide:
		return "Monitor mode"
	case field == fieldMonitor:
		return "monitor"
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
func (c *Chooser) labelWidth() int {
	least := 0
	if c.text != nil && !c.inGrid(c.field) {
		least = paint.Width(c.label(c.field))
	}
	if c.w >= 100 {
		return max(least, 14)
	}
	if least > 0 {
		return least
	}
	return 6
}

// settingsGrid are the settings below the capture filter, line by line and column by column.
func (c *Chooser) settingsGrid() [][]int {
	grid := [][]int{{fieldKeep, fieldWrite}, {fieldSnap, fieldQuiet, fieldStop}}
	if o := c.src.Capture; c.h >= 30 || o.Monitor || o.LinkType != "" || c.text != nil && c.field == fieldLink {
		grid = append(grid, []int{fieldLink, fieldMonitor}) // seldom needed
	}
	return grid
}

// inGrid tells whether a field has a place of its own on this screen.
func (c *Chooser) inGrid(field int) bool {
	if field == fieldFilter {
		return true
	}
	if c.h < tallFoot || c.withoutRight() != nil && c.h < 30 {
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
func (c *Chooser) settingsLine(row []int, y int) string {
	s := c.screen.Style()
	at := []int{2, c.w * 31 / 100, c.w * 56 / 100} // a line of two leaves the middle to the first
	if len(row) == 2 {
		at = []int{at[0], at[2]}
	}
	var l paint.Line
	for i, field := range row {
		end := c.w
		if i+1 < len(row) {
			end = at[i+1]
		}
		l.Put(paint.Pen{}, strings.Repeat(" ", max(0, at[i]-l.Width)))
		key := act.SourceQuiet
		if field == fieldMonitor {
			key = act.SourceMonitor
		} else if field != fieldQuiet {
			key = sourceFields[field].opens
		}
		width := c.labelWidth()
		if i > 0 {
			width = max(paint.Width(c.label(fieldQuiet)), paint.Width(c.label(field)))
		}
		l.Put(s.Pens.Bold, c.keyOf(key)+" ")
		l.Put(s.Pens.Dim, paint.Fit(c.label(field), width)+"  ")
		c.cells = append(c.cells, cell{field, y, at[i], end - at[i]})
		c.putValue(&l, field, max(4, end-l.Width-2),
			map[int]string{fieldKeep: "everything is kept", fieldWrite: "nothing yet", fieldSnap: "all bytes",
				fieldLink: "the usual one",
				fieldStop: "never"}[field])
	}
	return paint.Clip(l.End(c.w), c.w)
}

// adviceLine says what is wrong with what is typed, or what may be typed.
func (c *Chooser) adviceLine() string {
	s := c.screen.Style()
	var l paint.Line
	bad := func(text string) {
		l.Put(s.Pens.Bad, "  "+s.Glyph("✗ ", "x ")+strings.ReplaceAll(dissect.Escape(text), "\n", " "))
	}
	switch {
	case c.problem != "":
		bad(c.problem)
	case c.bad:
		bad(c.verdict)
	case c.text != nil && c.field == fieldArgument:
		l.Put(s.Pens.Dim, "  "+c.args.doc())
	case c.text != nil && c.field == fieldLink:
		l.Put(s.Pens.Dim, "  "+s.LineKeys(c.linksDoc()))
	case c.text != nil && c.field == fieldFilter && len(c.src.Kept) > 0:
		l.Put(s.Pens.Dim, "  "+s.LineKeys(sourceFields[c.field].doc+"; Up and Down: "+
			humanize.Of(len(c.src.Kept), "kept filter")))
	case c.text != nil:
		l.Put(s.Pens.Dim, "  "+s.LineKeys(sourceFields[c.field].doc))
	}
	return paint.Pad(paint.Clip(l.End(c.w), c.w), c.w)
}

// withoutRight says how to get the right to capture, where there is none.
func (c *Chooser) withoutRight() []string {
	if c.found.NotPermitted == nil {
		return nil
	}
	s := c.screen.Style()
	head := []string{"may not capture yet. Choose one, then start again (your filter and choice of interface are kept):",
		"may not capture yet. Choose one, then start again (your choice is kept):", "may not capture yet:"}
	for len(head) > 1 && paint.Width(head[0])+4 > c.w {
		head = head[1:]
	}
	out := []string{s.Pens.Warn.Open + paint.Fit(" "+s.Glyph("○ ", "o ")+head[0], c.w) +
		s.Pens.Warn.Close}
	under := "eth0"
	if x := c.at(c.cur); x.In != nil {
		under = x.In.Name
	}
	filter := ""
	if !c.bad {
		filter = strings.TrimSpace(c.filter.Value())
	}
	ways := append(live.RightCommands(c.found.Several(c.chosen, under), filter),
		[2]string{"ssh router tcpdump -U -w - -i br0 | remora", "capture elsewhere, look here"})
	if c.h < tallFoot {
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
		if l.Width+gap+paint.Width(w[1]) > c.w {
			gap = 2
		}
		if l.Width+gap+paint.Width(w[1]) <= c.w {
			l.Put(s.Pens.Dim, strings.Repeat(" ", gap)+w[1])
		}
		out = append(out, paint.Clip(l.End(c.w), c.w))
	}
	if c.h >= tallFoot {
		var l paint.Line
		l.Put(s.Pens.Dim, "   Files can be opened without any of this:  ")
		l.Put(s.Pens.Bold, c.keyOf(act.SourceFile))
		out = append(out, l.End(c.w))
	}
	return out
}

// rightsLine says that capturing is allowed and why, and what has been chosen.
func (c *Chooser) rightsLine() string {
	s := c.screen.Style()
	var l paint.Line
	if len(c.found.Interfaces) > 0 || c.found.Err != nil {
		l.Put(s.Pens.Good, " "+s.Glyph("● ", "* ")+"may capture")
		if why := live.RightFrom(); why != "" && c.w >= 80 {
			l.Put(s.Pens.Dim, ": "+dissect.Escape(why))
		}
	}
	under := ""
	if x := c.at(c.cur); x.In != nil {
		under = strings.Join(c.found.Several(c.chosen, x.In.Name), ", ") + " selected "
	} else if x.Game != nil {
		under = x.Game.Filter + " "
	}
	under = paint.FitTail(dissect.Escape(under), min(paint.Width(dissect.Escape(under)), max(0, c.w-l.Width-2)))
	l.Put(paint.Pen{}, strings.Repeat(" ", max(0, c.w-l.Width-paint.Width(under))))
	l.Put(s.Pens.Dim, under)
	return paint.Clip(l.End(c.w), c.w)
}

func (c *Chooser) keyOf(does act.Action) string { return c.screen.Style().Key(does) }

func (c *Chooser) keysLine() string {
	hints := [][2]string{{"Enter", "start"}, {"Space", "several"}, {"/", "capture filter"}, {"o", "file"}, {"s", "ssh"},
		{"r", "recent"}, {"?", "keys"}, {"q", "quit"}}
	if c.w < 100 {
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
	style := c.screen.Style()
	for _, h := range hints {
		if h[0] = style.Keys.ShownIn(layer, h[0], nil); l.Width+widget.HintWidth(h) > c.w {
			break
		}
		style.PutHint(&l, h)
	}
	return l.End(c.w)
}
