package widget

import "remora/ui/paint"

// A Corner is a box in the lower right corner of a view: what it is about is seen beside it. The zero Corner is not
// drawn yet.
type Corner struct{ X, Y, W, H int }

// InCorner is a box of h lines and at most so many cells, in a view of width by height cells.
func InCorner(width, height, most, h int) Corner {
	w := min(most, width-2)
	return Corner{width - w, height - h, w, h}
}

// Over draws the box over lines, with its border.
func (c Corner) Over(lines []string, s *Style, title string, body []string, foot string) {
	paint.Over(lines, s.Box(title, body, c.W, foot), c.X, c.Y)
}

// Line is the line of the body that a cell of the view is in, -1 for the border; inside is false beside the box.
func (c Corner) Line(x, y int) (line int, inside bool) {
	if x < c.X || x >= c.X+c.W || y < c.Y || y >= c.Y+c.H {
		return -1, false
	}
	if line = y - c.Y - 1; line >= c.H-2 {
		line = -1
	}
	return line, true
}

// OnSign tells whether a cell is at the beginning of a line, where a tick stands.
func (c Corner) OnSign(x int) bool { return x < c.X+4 }
