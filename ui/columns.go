package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/print"
	"remora/ui/widget"
)

// A columnKind is what a column of the list shows.
type columnKind int

const (
	colNo columnKind = iota
	colTime
	colDelta
	colSource
	colDest
	colProto
	colType
	colLen
	colField // any field
	colInfo
	colDeltaTalk
	colDeltaType
)

// A column of the list. Its width depends on the list's width alone, so that nothing moves because a packet came; narrow
// lists drop whole columns before any is cut.
type column struct {
	kind  columnKind
	title string
	field *dissect.Field // of a field's column
	wide  [4]int         // for lists from 140, 110 and 90 columns on, and below that; 0 leaves the column out
	right bool
	set   int    // the width somebody gave it; 0: as wide says
	off   bool   // not shown
	auto  bool   // stands there because the capture has several sources
	own   string // the title that somebody gave it; empty: title
}

// head is what stands over the column.
func (c column) head() string {
	if c.own != "" {
		return c.own
	}
	return c.title
}

func standardColumns() []column {
	return []column{
		{kind: colNo, title: "No.", right: true},
		{kind: colTime, title: "Time", wide: [4]int{secondsWidth, secondsWidth, secondsWidth, 10}},
		{kind: colDelta, title: "Δ ms", wide: [4]int{9, 7, 0, 0}, right: true},
		{kind: colSource, title: "Source", wide: [4]int{21, 17, 15, 11}},
		{kind: colDest, title: "Destination", wide: [4]int{21, 17, 15, 11}},
		{kind: colProto, title: "Protocol", wide: [4]int{9, 8, 8, 0}},
		{kind: colType, title: "Type", wide: [4]int{19, 15, 14, 14}},
		{kind: colLen, title: "Len", wide: [4]int{5, 5, 5, 5}, right: true},
		{kind: colInfo, title: "Info"},
	}
}

// knownColumns are the columns that can be named: those that are not shown at first, and behind them the standard ones.
func knownColumns() []column {
	return append([]column{
		{kind: colDeltaTalk, title: "Δ conv", wide: [4]int{9, 8, 8, 8}, right: true},
		{kind: colDeltaType, title: "Δ type", wide: [4]int{9, 8, 8, 8}, right: true},
	}, standardColumns()...)
}

// A placedColumn is a column with the width it has on a list.
type placedColumn struct {
	column
	at  int // its number among all columns
	w   int
	gap int // cells behind it; two where an arrow leads from one end to the other
}

// place gives the columns their widths on a list of w cells. What is left is Info's.
func (m *model) placeColumns(w int) []placedColumn {
	class := 3
	switch {
	case w >= 140:
		class = 0
	case w >= 110:
		class = 1
	case w >= 90:
		class = 2
	}
	out := make([]placedColumn, 0, len(m.columns))
	used := marginWidth
	for i, c := range m.columns {
		cw := c.wide[class]
		switch {
		case c.kind == colNo:
			cw = max(5, len(humanize.Group(m.packets.Store.Len())))
		case c.kind == colTime:
			cw = m.clockWidth(w, cw)
		case c.kind == colInfo:
			cw = 1
		case w < 70 && c.kind == colLen:
			cw = 0
		case w < 70 && (c.kind == colSource || c.kind == colDest):
			cw = 10
		case w < 70 && c.kind == colType:
			cw = 11
		}
		if c.set > 0 && c.kind != colInfo {
			cw = min(c.set, max(minColumn, w-used-8))
		}
		if cw > 0 && !c.off && (c.set == 0 || used+cw < w) {
			out = append(out, placedColumn{column: c, at: i, w: cw, gap: 1})
			used += cw + 1
			if k := len(out) - 2; k >= 0 && out[k].kind == colSource && c.kind == colDest {
				out[k].gap++
				used++
			}
		}
	}
	if room := 1 + w - used; w < 70 && room < leastInfo { // a few letters of it say nothing, and the rule has it in full
		if i, k := slices.IndexFunc(out, isColumn(colInfo)), slices.IndexFunc(out, isColumn(colType)); k >= 0 && i == len(out)-1 && out[k].set == 0 {
			room += 2 // with the gaps at both of its sides
			for j := range out {
				if (out[j].kind == colSource || out[j].kind == colDest) && out[j].set == 0 && room > 0 {
					out[j].w, room = out[j].w+1, room-1
				}
			}
			out[k].w += max(0, room)
			return slices.Delete(out, i, i+1)
		}
	}
	for i := range out {
		if out[i].kind == colInfo {
			out[i].w = max(0, 1+w-used)
			if i == len(out)-1 { // no gap behind it
				out[i].w++
				out[i].gap = 0
			}
		}
	}
	return out
}

// leastInfo is the narrowest Info that is worth its place.
const leastInfo = 8

func isColumn(kind columnKind) func(placedColumn) bool {
	return func(c placedColumn) bool { return c.kind == kind }
}

// minColumn and maxColumn bound the widths that are set by hand.
const minColumn, maxColumn = 3, 120

// cell is what a column says of a packet. Those that depend on more than the packet are drawn elsewhere.
func (m *model) cell(c column, t *dissect.Tree) string {
	switch c.kind {
	case colNo:
		return humanize.Group(int(t.Frame))
	case colProto:
		return t.ProtocolText()
	case colType:
		return dissect.Escape(t.Kind())
	case colLen:
		return strconv.Itoa(t.Len())
	case colField:
		return fieldCell(t, c.field)
	case colInfo:
		return t.Info()
	}
	return ""
}

// fieldCell is the values of a field in a packet, joined by commas.
func fieldCell(t *dissect.Tree, f *dissect.Field) string {
	var parts []string
	for i := range t.Nodes {
		if t.Field(i) == f && len(parts) < 8 {
			parts = append(parts, t.Value(i))
		}
	}
	return strings.Join(parts, ", ")
}

// nanosFrom is how wide a list is that shows nanoseconds. Copies and prints always have all the digits of the file.
const nanosFrom = 130

// secondsWidth is the widest that the column of seconds is without them: there is room for nine digits after few seconds, but
// they would go when more seconds come.
const secondsWidth = 11

// clockWidth is the width of the times on a list of w cells; usual is that of seconds. Nine digits want three cells more,
// which Info needs more on lists that are not wide.
func (m *model) clockWidth(w, usual int) int {
	more := 0
	if m.packets.Nanos() && w >= nanosFrom {
		more = 3
	}
	switch {
	case m.clockWide():
		return 26 + more
	case m.clock == "a" || m.clock == "u":
		if w < 110 {
			return 12
		}
		return 15 + more
	}
	return usual + min(more, 2) // up to 999 seconds
}

// timeText is a packet's time in the form that is chosen.
func (m *model) timeText(n dissect.FrameNum) string { return m.timeDigits(n, 6) }

// timeWithin is timeText with as many digits after the second as there is room for.
func (m *model) timeWithin(n dissect.FrameNum, w int) string {
	text := m.timeText(n)
	if m.packets.Nanos() && w > secondsWidth && paint.Width(text)+3 <= w {
		return m.timeDigits(n, 9)
	}
	for digits := 3; digits >= 0 && paint.Width(text) > w; digits -= 3 {
		text = m.timeDigits(n, digits)
	}
	return text
}

func (m *model) timeDigits(n dissect.FrameNum, digits int) string {
	at := m.packets.Store.Time(int(n) - 1)
	clock, _ := print.ParseClock(m.clock)
	before := n - 1
	if !clock.Captured && m.clock == "dd" {
		before = m.packets.Before(n)
	}
	last := at
	if before > 0 {
		last = m.packets.Store.Time(int(before) - 1)
	}
	return strings.TrimSpace(string(clock.Append(nil, at, m.packets.Epoch(), last, digits)))
}

// addColumn shows a field as a column of its own, in front of Info; a field that has one loses it.
func (m *model) addColumn(f *dissect.Field) {
	for i, c := range m.columns {
		if c.field == f {
			m.removeColumn(i)
			m.notice = "Column removed: " + f.Name()
			return
		}
	}
	at := slices.IndexFunc(m.columns, func(c column) bool { return c.kind == colInfo })
	m.columns = slices.Insert(slices.Clone(m.columns), at, fieldColumn(f))
	clear(m.rowCache)
	m.notice = f.Name() + " is a column now; C takes it away again"
}

func fieldColumn(f *dissect.Field) column {
	return column{kind: colField, title: f.Label(), field: f, wide: [4]int{16, 14, 12, 10}, right: numeric(f)}
}

// removeColumn takes a column away; a list that was sorted by it is as captured again.
func (m *model) removeColumn(i int) {
	if m.sorted.by.is(m.columns[i]) {
		m.unsort()
	}
	m.columns = slices.Delete(slices.Clone(m.columns), i, i+1)
	clear(m.rowCache)
}

// moveColumn puts a column in another one's place.
func (m *model) moveColumn(from, to int) {
	to = widget.Clamp(to, 0, len(m.columns)-1)
	c := m.columns[from]
	m.columns = slices.Insert(slices.Delete(slices.Clone(m.columns), from, from+1), to, c)
	clear(m.rowCache)
}

// numeric tells whether a field's values are numbers that one wants below each other.
func numeric(f *dissect.Field) bool {
	switch f.Type() {
	case dissect.TypeUint, dissect.TypeInt, dissect.TypeFloat, dissect.TypeFrame, dissect.TypeSpan:
		return len(f.Values()) == 0
	}
	return false
}
