// Package columns is the box in which the columns of the packet list are chosen, beside the list: which there are, in
// what order and how wide, and what the list is sorted by.
package columns

import (
	"strconv"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/order"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the box may ask of the screen.
type Context interface {
	// Style is how the screen draws.
	Style() *widget.Style
	// Open lays a view over the others, Close takes it away.
	Open(v view.View)
	Close()
	// Prompt asks for a line of text, Notify says something in the line above the keys.
	Prompt(p view.Prompt)
	Notify(text string)
	// Panes draws the packets with their tree and bytes.
	Panes() []string
}

// A List is the packet list with its columns. Columns are called by their places among all columns.
type List interface {
	// Listed are the columns of the list; further standard ones are hidden.
	Listed() []columns.Column
	// SortedBy is what the list is sorted by, nil as captured; SortColumn sorts by a column, again: the other way.
	SortedBy() *order.By
	SortColumn(c columns.Column)
	Unsort()
	// Toggle shows a column or hides it, Move puts it in another one's place, Remove takes that of a field away.
	Toggle(at int)
	Move(from, to int)
	Remove(at int)
	// Widen gives a column a width, 0 gives it back to the program; Nudge makes it wider than it is now by some cells.
	Widen(at, w int)
	Nudge(at, by int)
	// Retitle gives a column a title of its own; its first one, or none, takes that away.
	Retitle(at int, title string)
	// ColumnCommand shows the column or the field of a name, or hides it; Usual goes back to the columns of the settings.
	ColumnCommand(name string)
	Usual()
}

// Command opens the box, or goes back to the columns of the settings.
func Command(c Context, list List, arg string) {
	switch arg {
	case "":
		c.Open(New(c, list))
	case "default":
		list.Usual()
		c.Notify("Columns reset")
	default:
		c.Notify("columns takes nothing, or default")
	}
}

// A View is the box of the columns.
type View struct {
	c     Context
	list  List
	table widget.Table
	box   widget.Corner
}

// New is the box, not opened yet.
func New(c Context, list List) *View { return &View{c: c, list: list} }

// Update does what a key stands for here.
func (v *View) Update(a act.Action, n int) bool {
	all, shown := columns.All(v.list.Listed()), len(v.list.Listed())
	at := widget.Clamp(v.table.Cur, 0, len(all)-1)
	switch {
	case v.table.Update(a, n, len(all), len(all)):
	case a == act.Open:
		v.list.SortColumn(all[at])
	case a == act.Select:
		v.list.Toggle(at)
	case a == act.Column:
		v.c.Prompt(view.Prompt{Label: " field for a column: ", Field: true, Accept: v.add})
	case a == act.Undo:
		v.list.Unsort()
		v.list.Usual()
	case a == act.Sort:
		v.c.Close()
	case at < shown && v.updateShown(a, n, at, shown):
	case a == act.Bigger, a == act.Smaller, a == act.Wider, a == act.Narrower, a == act.UseField, a == act.Hide,
		a == act.Find, a == act.Names:
	default:
		return false
	}
	return true
}

// add shows a field as a column.
func (v *View) add(name string) {
	if name != "" {
		v.list.ColumnCommand(name)
	}
}

// updateShown does what a key stands for with one of the columns that the list has.
func (v *View) updateShown(a act.Action, n, at, shown int) bool {
	c := v.list.Listed()[at]
	switch {
	case a == act.Bigger && at+1 < shown:
		v.list.Move(at, at+1)
		v.table.Cur++
	case a == act.Smaller && at > 0:
		v.list.Move(at, at-1)
		v.table.Cur--
	case a == act.Wider:
		v.list.Nudge(at, max(1, n))
	case a == act.Narrower:
		v.list.Nudge(at, -max(1, n))
	case a == act.UseField:
		v.list.Widen(at, 0)
	case a == act.Hide && c.Kind == columns.Value:
		v.list.Remove(at)
	case a == act.Hide && !c.Off:
		v.list.Toggle(at)
	case a == act.Names:
		v.c.Prompt(view.Prompt{
			Label: " title of the column: ", Text: c.Head(), Accept: func(text string) { v.list.Retitle(at, text) },
		})
	default:
		return false
	}
	return true
}

// boxWidth is the most that the box takes, in cells.
const boxWidth = 62

// Draw draws the columns over the panes below the list's first lines, at the right.
func (v *View) Draw(w, h int) []string {
	lines, style, all := v.c.Panes(), v.c.Style(), columns.All(v.list.Listed())
	v.box = widget.InCorner(w, h, boxWidth, min(len(all)+2, h-3))
	inner := v.box.W - 2
	body := v.table.Draw(inner, v.box.H-2, len(all),
		func(i int, selected bool) string { return v.row(all[i], selected, inner) })
	v.box.Over(lines, style, "columns", body, style.Key(act.Open)+" sorts, "+style.Key(act.Select)+" shows")
	return lines
}

func (v *View) row(c columns.Column, selected bool, w int) string {
	style := v.c.Style()
	var l paint.Line
	if selected {
		l.Base = style.Pens.Selected
	}
	sign := style.Glyph(" ✓ ", " x ")
	if c.Off {
		sign = "   "
	}
	l.Put(style.Pens.Good, sign)
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(c.Head()), 20)+" ")
	what := ""
	switch {
	case c.Field != nil:
		what = c.Field.Name()
	case c.Own != "":
		what = c.Title
	}
	l.Put(style.Pens.Dim, paint.Fit(what, 20)+" ")
	size := "auto"
	switch {
	case c.Set > 0:
		size = strconv.Itoa(c.Set)
	case c.From > 0 && !c.Off: // the width of the list from which on it is shown
		size = "from " + strconv.Itoa(c.From)
	}
	l.Put(style.Pens.Dim, paint.FitRight(size, 8)+" ")
	switch by := v.list.SortedBy(); {
	case !by.Is(c):
	case by.Down:
		l.Put(style.Pens.Accent, style.Glyph("▾", "v")+" down")
	default:
		l.Put(style.Pens.Accent, style.Glyph("▴", "^")+" up")
	}
	return paint.Clip(l.End(w), w)
}

// Click goes to a column, or shows or hides it; beside the box it closes it.
func (v *View) Click(x, y int) {
	line, inside := v.box.Line(x, y)
	if !inside {
		v.c.Close()
		return
	}
	if i := v.table.Top + line; line >= 0 && i < len(columns.All(v.list.Listed())) {
		v.table.Cur = i
		if v.box.OnSign(x) {
			v.list.Toggle(i)
		}
	}
}

// Wheel moves the cursor.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Keys are the keys of the box.
func (v *View) Keys() [][2]string {
	return [][2]string{
		{"Enter", "sort, again: the other way"}, {"Space", "show"}, {"+ -", "order"}, {"> <", "width"}, {"=", "own width"},
		{"C", "add a field"}, {"r", "rename"}, {"x", "remove"}, {"u", "as at first"}, {"q", "back"},
	}
}

// Status says what the list is sorted by.
func (v *View) Status() string {
	if by := v.list.SortedBy(); by != nil {
		return "the list is sorted by " + by.Title()
	}
	return "Unsorted"
}

// Busy is false: nothing goes on beside the screen.
func (v *View) Busy() bool { return false }

// Close does nothing.
func (v *View) Close() {}
