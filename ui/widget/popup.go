package widget

// A Popup is where a box over the screen was drawn last, so that a click finds its lines.
type Popup struct {
	frame Rect // with the border
	lines Rect // in which a line can be chosen
	first int  // the line that is drawn at the top of them
}

// NewPopup is a box of n lines, w cells wide with its border: h of the lines can be chosen, below skip others, and the
// first of them is the number from.
func NewPopup(x, y, w, n, skip, from, h int) Popup {
	return Popup{frame: Rect{x, y, w, n + 2}, lines: Rect{x + 1, y + 1 + skip, w - 2, h}, first: from}
}

// Line is the line under the pointer, or -1.
func (p Popup) Line(x, y int) int {
	if !p.lines.Has(x, y) {
		return -1
	}
	return p.first + y - p.lines.Y
}

// Has tells whether the pointer is on the box.
func (p Popup) Has(x, y int) bool { return p.frame.Has(x, y) }
