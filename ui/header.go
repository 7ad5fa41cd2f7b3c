package ui

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/ui/paint"
	"remora/ui/widget"
)

// drawHead draws the columns' titles. The one that the list is sorted by has a sign behind it.
func (m *model) drawHead(cols []placedColumn, w int) string {
	var head paint.Line
	head.Put(paint.Pen{}, strings.Repeat(" ", marginWidth))
	for i, c := range cols {
		p, title := m.style.Pens.Dim, dissect.Escape(c.head())
		if m.sorted.by.is(c.column) {
			p = m.style.Pens.Accent
			sign := m.style.Glyph("▴", "^")
			if m.sorted.by.down {
				sign = m.style.Glyph("▾", "v")
			}
			title = paint.Fit(title, min(paint.Width(title), max(0, c.w-1))) + sign
		}
		gap := " "
		if m.pointer.dragging == dragEdge && m.pointer.grabbed == c.at || m.pointer.dragging == dragTitle && m.pointer.grabbed == c.at && m.pointer.from != m.pointer.to {
			p, gap = m.style.Pens.Marked, m.style.Glyph("│", "|")
		}
		if c.right {
			head.Put(p, paint.FitRight(title, c.w))
		} else {
			head.Put(p, paint.Fit(title, c.w))
		}
		if i < len(cols)-1 {
			head.Put(m.style.Pens.Dim, paint.Fit(gap, c.gap))
		}
	}
	return paint.Clip(head.End(w), w)
}

// headAt is the column whose title is at a place of the head, and whether the place is its right edge; -1 is none.
func (m *model) headAt(r rect, x int) (at int, edge bool) {
	from := r.x + marginWidth
	cols := m.placeColumns(r.w)
	for i, c := range cols {
		switch {
		case x >= from && x < from+c.w:
			return c.at, false
		case x == from+c.w && i < len(cols)-1:
			return c.at, c.kind != colInfo
		}
		from += c.w + c.gap
	}
	return -1, false
}

// grabHead begins to drag a title or an edge.
func (m *model) grabHead(r rect, x int) {
	at, edge := m.headAt(r, x)
	if at < 0 {
		return
	}
	m.pointer.grabbed, m.pointer.from, m.pointer.to, m.pointer.dragging = at, x, x, dragTitle
	if edge {
		m.pointer.dragging, m.pointer.from = dragEdge, x-m.placedWidth(r, at)
	}
}

// placedWidth is the width that a column has now, or 0.
func (m *model) placedWidth(r rect, at int) int {
	for _, c := range m.placeColumns(r.w) {
		if c.at == at {
			return c.w
		}
	}
	return 0
}

// widenColumn gives a column a width; 0 gives it back to the program.
func (m *model) widenColumn(at, w int) {
	if w != 0 {
		w = widget.Clamp(w, minColumn, maxColumn)
	}
	m.columns = slices.Clone(m.columns)
	m.columns[at].set = w
}

// dropTitle ends a drag of a title: a click sorts, and a title dropped on another takes its place.
func (m *model) dropTitle(r rect, x int) {
	to, _ := m.headAt(r, x)
	switch {
	case to < 0 || m.pointer.grabbed >= len(m.columns):
	case to == m.pointer.grabbed:
		m.sortColumn(m.columns[to])
	default:
		m.moveColumn(m.pointer.grabbed, to)
	}
}

// columnNamed is the number of the column that a title or a field's name stands for, or -1.
func (m *model) columnNamed(name string) int {
	return slices.IndexFunc(m.columns, func(c column) bool {
		return strings.EqualFold(c.title, name) || strings.EqualFold(c.head(), name) || c.field != nil && c.field.Name() == name || strings.EqualFold(strings.TrimSuffix(c.title, "."), name)
	})
}

// columnsCommand opens the choice of columns, or goes back to those of the settings.
func (m *model) columnsCommand(arg string) {
	switch arg {
	case "":
		m.openColumns()
	case "default":
		m.usualColumns()
		m.notice = "Columns reset"
	default:
		m.notice = "columns takes nothing, or default"
	}
}

// columnCommand adds the column that is named, or takes it away.
func (m *model) columnCommand(name string) {
	if i := slices.IndexFunc(m.allColumns(), func(c column) bool { return strings.EqualFold(c.title, name) && c.field == nil }); i >= 0 {
		m.toggleColumn(i)
		return
	}
	f := m.reg.Field(name)
	if f == nil {
		m.notice = "column " + name + ": there is neither a column nor a field of that name"
		return
	}
	m.addColumn(f)
}

// sortCommand sorts by the column or the field that is named; a minus in front turns it round, nothing is as captured.
func (m *model) sortCommand(name string) {
	rest, down := strings.CutPrefix(name, "-")
	if rest == "" {
		m.unsort()
		return
	}
	if i := m.columnNamed(rest); i >= 0 {
		m.sortAs(sortBy{m.columns[i].kind, m.columns[i].field, down})
		return
	}
	for _, c := range m.allColumns() {
		if strings.EqualFold(c.title, rest) {
			m.sortAs(sortBy{c.kind, c.field, down})
			return
		}
	}
	if f := m.reg.Field(rest); f != nil {
		m.sortAs(sortBy{colField, f, down})
		return
	}
	m.notice = "sort " + rest + ": there is neither a column nor a field of that name"
}

// allColumns are the columns and, behind them, the standard ones that are not among them.
func (m *model) allColumns() []column {
	out := slices.Clone(m.columns)
	for _, c := range knownColumns() {
		if !slices.ContainsFunc(m.columns, func(o column) bool { return o.kind == c.kind && o.field == nil }) {
			c.off = true
			out = append(out, c)
		}
	}
	return out
}

// toggleColumn shows one of all columns, or hides it.
func (m *model) toggleColumn(i int) {
	all := m.allColumns()
	if i >= len(all) {
		return
	}
	all[i].off = !all[i].off
	if i >= len(m.columns) { // a standard one comes back
		m.columns = append(slices.Clone(m.columns), all[i])
	} else {
		m.columns = all[:len(m.columns)]
	}
	clear(m.rowCache)
	m.notice = all[i].title + map[bool]string{true: " is not shown any more", false: " is shown"}[all[i].off]
}
