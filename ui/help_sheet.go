package ui

import (
	"math"
	"strings"

	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/widget"
)

// The first page of the help is a sheet: the keys that matter where one is, in as many columns as there is room for, each in a few
// words. Its lines are in the order in which they are read, column by column.

// sheetGroups are the parts of the sheet.
func (m *model) sheetGroups() []keys.Group {
	here := m.keysHere()
	return append(here, m.keymap.Sheet(len(here) == 0)...)
}

// placeName says where one is, for the title.
func (m *model) placeName() string {
	switch {
	case m.over != nil:
		return "this view"
	case m.view() != nil:
		return [tabs]string{"packets", "packet types", "statistics", "expert info"}[m.tab]
	case m.focus == paneFacets:
		return "facets"
	}
	return "packets"
}

// sheetLines are the lines of the sheet, one after the other.
func (m *model) sheetLines() []helpLine {
	var out []helpLine
	for _, g := range m.sheetGroups() {
		out = append(out, helpLine{title: g.Title})
		for _, k := range g.Keys {
			out = append(out, helpLine{key: k})
		}
	}
	return out
}

// A sheetCell is the place of a line on the sheet.
type sheetCell struct{ column, row int }

// laySheet shares the parts out among columns, so that the longest is as short as can be, and gives every line its place.
func laySheet(lines []helpLine, columns int) (cells []sheetCell, rows int) {
	var sizes []int
	for _, l := range lines {
		if l.title != "" {
			sizes = append(sizes, 0)
		}
		sizes[len(sizes)-1]++
	}
	cuts := cutSheet(sizes, columns)
	part, at := -1, sheetCell{}
	for _, l := range lines {
		if l.title != "" {
			if part++; part > 0 {
				if cuts[part] == cuts[part-1] {
					at.row++ // an empty line between parts
				} else {
					at = sheetCell{column: cuts[part]}
				}
			}
		}
		cells = append(cells, at)
		at.row++
		rows = max(rows, at.row)
	}
	return cells, rows
}

// cutSheet is the column of each part: parts stay in their order, and the longest column is as short as can be.
func cutSheet(sizes []int, columns int) []int {
	best, least := make([]int, len(sizes)), math.MaxInt
	now := make([]int, len(sizes))
	var place func(part, column, used, longest int)
	place = func(part, column, used, longest int) {
		if longest >= least {
			return
		}
		if part == len(sizes) {
			least = longest
			copy(best, now)
			return
		}
		now[part] = column
		height := used + sizes[part]
		if used > 0 {
			height++
		}
		place(part+1, column, height, max(longest, height))
		if used > 0 && column+1 < columns {
			now[part] = column + 1
			place(part+1, column+1, sizes[part], max(longest, sizes[part]))
		}
	}
	place(0, 0, 0, 0)
	return best
}

// sheetColumns is how many columns there are on a line of w cells.
func sheetColumns(w int) int { return widget.Clamp(w/35, 1, 3) }

// drawSheet draws the rows of the sheet that there is room for, around the line under the cursor.
func (m *model) drawSheet(w, room int) []string {
	h, lines := &m.help, m.sheetLines()
	columns := sheetColumns(w)
	cells, rows := laySheet(lines, columns)
	shown := min(rows, room)
	h.table.Cur = widget.Clamp(h.table.Cur, 0, len(lines)-1)
	at := cells[h.table.Cur].row
	h.table.Top = widget.Clamp(h.table.Top, max(0, at-shown+1), at)
	if at == 1 { // the title above the first line
		h.table.Top = 0
	}
	keys := make([]int, columns)
	for i, l := range lines {
		keys[cells[i].column] = min(15, max(keys[cells[i].column], paint.Width(l.key.Keys)))
	}
	grid := make([][]string, shown)
	for y := range grid {
		grid[y] = make([]string, columns)
	}
	cw := w / columns
	for i, c := range cells {
		if y := c.row - h.table.Top; y >= 0 && y < shown {
			grid[y][c.column] = m.sheetCell(lines[i], keys[c.column], i == h.table.Cur, cw)
		}
	}
	var out []string
	for _, row := range grid {
		text := ""
		for _, cell := range row {
			if cell == "" {
				cell = strings.Repeat(" ", cw)
			}
			text += cell
		}
		out = append(out, text+strings.Repeat(" ", w-columns*cw))
	}
	h.more = rows > h.table.Top+shown
	return append(out, m.sheetHabits(w, room-len(out))...)
}

func (m *model) sheetCell(x helpLine, keys int, selected bool, w int) string {
	var l paint.Line
	if x.title != "" {
		l.Put(m.style.Pens.Bold, " "+x.title)
		return paint.Clip(l.End(w), w)
	}
	if selected {
		l.Base = m.style.Pens.Selected
	}
	l.Put(m.style.Pens.Accent, "  "+paint.Fit(x.key.Keys, keys)+"  ")
	l.Put(paint.Pen{}, paint.Fit(x.key.Help, max(0, w-l.Width)))
	return paint.Clip(l.End(w), w)
}

// sheetHabits are the keys that people bring from other programs, where there is room for them.
func (m *model) sheetHabits(w, room int) []string {
	g := habits[0]
	if room < len(g.Keys)+2 || w < 100 {
		return nil
	}
	out := []string{strings.Repeat(" ", w), m.sheetCell(helpLine{title: g.Title}, 0, false, w)}
	for _, k := range g.Keys {
		var l paint.Line
		l.Put(paint.Pen{}, "  "+paint.Fit(k.Keys, 18))
		l.Put(m.style.Pens.Dim, paint.Fit(k.Help, w-21))
		out = append(out, paint.Clip(l.End(w), w))
	}
	return out
}

// sheetAt is the line of the sheet at a place of the box, or -1.
func (m *model) sheetAt(x, y int) int {
	r := m.pointer.popup.lines
	if !r.has(x, y) {
		return -1
	}
	columns := sheetColumns(r.w)
	lines := m.sheetLines()
	cells, _ := laySheet(lines, columns)
	for i, c := range cells {
		if c.column == (x-r.x)/(r.w/columns) && c.row == m.help.table.Top+y-r.y {
			return i
		}
	}
	return -1
}
