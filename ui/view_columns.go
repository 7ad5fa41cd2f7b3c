package ui

import (
	"slices"
	"strconv"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/paint"
	"remora/ui/widget"
)

// columnsView chooses the columns of the list, beside it: which there are, in what order and how wide, and what the
// list is sorted by.
type columnsView struct {
	m      *model
	table  widget.Table
	naming int // the column that is being given a title
}

func (m *model) openColumns() { m.views.Open(&columnsView{m: m}) }

func (v *columnsView) Update(a act.Action, n int) bool {
	m := v.m
	all := columns.All(m.list.Columns)
	at := widget.Clamp(v.table.Cur, 0, len(all)-1)
	mine := at < len(m.list.Columns)
	switch {
	case v.table.Update(a, n, len(all), len(all)):
	case a == act.Open:
		m.list.SortColumn(all[at])
	case a == act.Select:
		m.list.Toggle(at)
	case a == act.Bigger && mine && at+1 < len(m.list.Columns):
		m.list.Move(at, at+1)
		v.table.Cur++
	case a == act.Smaller && mine && at > 0:
		m.list.Move(at, at-1)
		v.table.Cur--
	case (a == act.Wider || a == act.Narrower) && mine:
		m.nudgeColumn(at, map[act.Action]int{act.Wider: 1, act.Narrower: -1}[a]*max(1, n))
	case a == act.UseField && mine:
		m.list.Widen(at, 0)
	case a == act.Hide && mine && all[at].Kind == columns.Value:
		m.list.Remove(at)
	case a == act.Hide && mine && !all[at].Off:
		m.list.Toggle(at)
	case a == act.Names && mine:
		v.naming = at
		m.startEdit(editTitle, all[at].Head())
	case a == act.Filter || a == act.Column:
		m.startEdit(editColumn, "")
	case a == act.Undo:
		m.list.Unsort()
		m.usualColumns()
	case a == act.Sort:
		m.views.Close()
	case a == act.Bigger, a == act.Smaller, a == act.Wider, a == act.Narrower, a == act.UseField, a == act.Hide,
		a == act.Find, a == act.Names:
	default:
		return false
	}
	return true
}

// rename gives the column a title of its own, or its first one again.
func (v *columnsView) rename(text string) {
	m := v.m
	if v.naming >= len(m.list.Columns) {
		return
	}
	m.list.Columns = slices.Clone(m.list.Columns)
	c := &m.list.Columns[v.naming]
	if c.Own = columns.OwnTitle(text); c.Own == c.Title {
		c.Own = ""
	}
}

// nudgeColumn makes a column wider or narrower than it is now.
func (m *model) nudgeColumn(at, by int) {
	w := m.list.Columns[at].Set
	if w == 0 {
		w = m.list.Width(at)
	}
	if w == 0 || m.list.Columns[at].Kind == columns.Info {
		m.notice = m.list.Columns[at].Title + " takes what the others leave"
		return
	}
	m.list.Widen(at, max(columns.Least, w+by))
}

// columnsWidth is the width of the box.
const columnsWidth = 58

// box is where the columns are listed: over the panes below the list's first lines, at the right.
func (v *columnsView) box(r rect) rect {
	m := v.m
	h := min(len(columns.All(m.list.Columns))+2, r.h-3)
	w := min(columnsWidth, r.w-2)
	return rect{r.x + r.w - w, r.y + r.h - h, w, h}
}

func (v *columnsView) Draw(w, h int) []string {
	m := v.m
	lines := boxContext{viewContext{m}}.Panes()
	r := rect{0, 0, w, h}
	b, all := v.box(r), columns.All(m.list.Columns)
	body := v.table.Draw(b.w-2, b.h-2, len(all),
		func(i int, selected bool) string { return v.row(all[i], selected, b.w-2) })
	paint.Over(lines, m.style.Box("columns", body, b.w, m.style.Key(act.Open)+" sorts, "+m.style.Key(act.Select)+" shows"),
		b.x, b.y-r.y)
	return lines
}

func (v *columnsView) row(c columns.Column, selected bool, w int) string {
	m := v.m
	var l paint.Line
	if selected {
		l.Base = m.style.Pens.Selected
	}
	sign := m.style.Glyph(" ✓ ", " x ")
	if c.Off {
		sign = "   "
	}
	l.Put(m.style.Pens.Good, sign)
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(c.Head()), 20)+" ")
	what := ""
	switch {
	case c.Field != nil:
		what = c.Field.Name()
	case c.Own != "":
		what = c.Title
	}
	l.Put(m.style.Pens.Dim, paint.Fit(what, 20)+" ")
	size := "auto"
	if c.Set > 0 {
		size = strconv.Itoa(c.Set)
	}
	l.Put(m.style.Pens.Dim, paint.FitRight(size, 4)+" ")
	switch {
	case !m.list.SortedBy().Is(c):
	case m.list.SortedBy().Down:
		l.Put(m.style.Pens.Accent, m.style.Glyph("▾", "v")+" down")
	default:
		l.Put(m.style.Pens.Accent, m.style.Glyph("▴", "^")+" up")
	}
	return paint.Clip(l.End(w), w)
}

func (v *columnsView) Click(x, y int) {
	m := v.m
	b := v.box(rect{0, 0, m.room.w, m.room.h - 4})
	if !b.has(x, y) {
		m.views.Close()
		return
	}
	if i := v.table.Top + y - b.y - 1; y > b.y && y < b.y+b.h-1 && i < len(columns.All(m.list.Columns)) {
		v.table.Cur = i
		if x < b.x+4 {
			m.list.Toggle(i)
		}
	}
}

func (v *columnsView) Wheel(n int) { v.table.Cur = max(0, v.table.Cur+n) }
func (v *columnsView) Busy() bool  { return false }

func (v *columnsView) Keys() [][2]string {
	return [][2]string{{"Enter", "sort, again: the other way"}, {"Space", "show"}, {"+ -", "order"}, {"> <", "width"},
		{"=", "own width"}, {"/", "add a field"}, {"r", "rename"}, {"x", "remove"}, {"u", "as at first"}, {"q", "back"}}
}

func (v *columnsView) Status() string {
	m := v.m
	if m.list.SortedBy() == nil {
		return "Unsorted"
	}
	return "the list is sorted by " + m.list.SortedBy().Title()
}

// Close does nothing: nothing goes on beside the screen for it.
func (v *columnsView) Close() {}

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
