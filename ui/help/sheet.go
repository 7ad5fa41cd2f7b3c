package help

import (
	"math"
	"strings"

	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/widget"
)

// The first page of the help is a sheet: the keys that matter where one is, in as many columns as there is room for,
// each in a few words. Its lines are in the order in which they are read, column by column.

// sheetGroups are the parts of the sheet.
func (h *Pane) sheetGroups() []keys.Group {
	here := h.keysHere()
	return append(here, h.c.Style().Keys.Sheet(len(here) == 0)...)
}

// sheetLines are the lines of the sheet, one after the other.
func (h *Pane) sheetLines() []line {
	var out []line
	for _, g := range h.sheetGroups() {
		out = append(out, line{title: g.Title})
		for _, k := range g.Keys {
			out = append(out, line{key: k})
		}
	}
	return out
}

// A sheetCell is the place of a line on the sheet.
type sheetCell struct{ column, row int }

// laySheet shares the parts out among columns, so that the longest is as short as can be, and gives every line its
// place.
func laySheet(lines []line, columns int) (cells []sheetCell, rows int) {
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
func (h *Pane) drawSheet(w, room int) []string {
	lines := h.sheetLines()
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
			grid[y][c.column] = h.drawCell(lines[i], keys[c.column], i == h.table.Cur, cw)
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
	return append(out, h.drawHabits(w, room-len(out))...)
}

func (h *Pane) drawCell(x line, keys int, selected bool, w int) string {
	var l paint.Line
	if x.title != "" {
		l.Put(h.c.Style().Pens.Bold, " "+x.title)
		return paint.Clip(l.End(w), w)
	}
	if selected {
		l.Base = h.c.Style().Pens.Selected
	}
	l.Put(h.c.Style().Pens.Accent, "  "+paint.Fit(x.key.Keys, keys)+"  ")
	l.Put(paint.Pen{}, paint.Fit(x.key.Help, max(0, w-l.Width)))
	return paint.Clip(l.End(w), w)
}

// drawHabits are the keys that people bring from other programs, where there is room for them.
func (h *Pane) drawHabits(w, room int) []string {
	g := Habits[0]
	if room < len(g.Keys)+2 || w < 100 {
		return nil
	}
	out := []string{strings.Repeat(" ", w), h.drawCell(line{title: g.Title}, 0, false, w)}
	for _, k := range g.Keys {
		var l paint.Line
		l.Put(paint.Pen{}, "  "+paint.Fit(k.Keys, 18))
		l.Put(h.c.Style().Pens.Dim, paint.Fit(k.Help, w-21))
		out = append(out, paint.Clip(l.End(w), w))
	}
	return out
}

// sheetAt is the line of the sheet at a cell of it, or -1.
func (h *Pane) sheetAt(col, row int) int {
	w := h.drawn.w - 2
	columns := sheetColumns(w)
	lines := h.sheetLines()
	cells, _ := laySheet(lines, columns)
	for i, c := range cells {
		if c.column == col/(w/columns) && c.row == h.table.Top+row {
			return i
		}
	}
	return -1
}
