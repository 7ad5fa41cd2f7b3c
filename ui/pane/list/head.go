package list

import (
	"strings"

	"remora/dissect"
	"remora/ui/columns"
	"remora/ui/paint"
)

// drawHead draws the columns' titles. The one that the list is sorted by has a sign behind it.
func (p *Pane) drawHead(cols []columns.Placed, w int) string {
	style := p.c.Style()
	var head paint.Line
	head.Put(paint.Pen{}, strings.Repeat(" ", Margin))
	for i, c := range cols {
		pen, title := style.Pens.Dim, dissect.Escape(c.HeadWithin())
		if p.by.Is(c.Column) {
			pen = style.Pens.Accent
			sign := style.Glyph("▴", "^")
			if p.by.Down {
				sign = style.Glyph("▾", "v")
			}
			title = paint.Fit(title, min(paint.Width(title), max(0, c.W-1))) + sign
		}
		gap := " "
		if p.drag.edge && p.drag.at == c.At {
			pen, gap = style.Pens.Marked, style.Glyph("│", "|")
		}
		if c.Right {
			head.Put(pen, paint.FitRight(title, c.W))
		} else {
			head.Put(pen, paint.Fit(title, c.W))
		}
		if i < len(cols)-1 {
			head.Put(style.Pens.Dim, paint.Fit(gap, c.Gap))
		}
	}
	return paint.Clip(head.End(w), w)
}

// headAt is the column whose title is at a place of the head, and whether the place is its right edge; -1 is none.
func (p *Pane) headAt(x int) (at int, edge bool) {
	from, cols := Margin, p.placed()
	x = p.unscrolled(x)
	for i, c := range cols {
		switch {
		case x >= from && x < from+c.W:
			return c.At, false
		case x == from+c.W && i < len(cols)-1:
			return c.At, c.Kind != columns.Info
		}
		from += c.W + c.Gap
	}
	return -1, false
}

// A drag is of a column's title, to another place, or of its right edge.
type drag struct {
	on, edge bool
	at       int // the column
	from     int // where the column begins, of an edge
}

// Grab begins to drag a title or an edge; it tells whether there is one.
func (p *Pane) Grab(x int) bool {
	at, edge := p.headAt(x)
	if at < 0 {
		return false
	}
	p.drag = drag{on: true, edge: edge, at: at, from: x - p.Width(at)}
	return true
}

// Drag goes on with it.
func (p *Pane) Drag(x int) {
	if p.drag.edge {
		p.Widen(p.drag.at, x-p.drag.from)
	}
}

// Width is the width that a column has now, or 0.
func (p *Pane) Width(at int) int {
	for _, c := range p.placed() {
		if c.At == at {
			return c.W
		}
	}
	return 0
}

// Drop ends a drag: a click on a title sorts, and a title dropped on another takes its place.
func (p *Pane) Drop(x int) {
	d := p.drag
	p.drag = drag{}
	to, _ := p.headAt(x)
	switch {
	case !d.on || d.edge || to < 0 || d.at >= len(p.Columns):
	case to == d.at:
		p.SortColumn(p.Columns[to])
	default:
		p.Move(d.at, to)
	}
}
