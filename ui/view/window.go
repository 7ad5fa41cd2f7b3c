package view

import (
	"math"

	"remora/ui/act"
	"remora/ui/widget"
)

// maxZoom is how often the time that a graph shows can be halved.
const maxZoom = 20

// axisCells are the cells in front of a graph, for its labels.
const axisCells = 8

// A TimeWindow is the part of a span of time that a graph shows, and the time at its cursor.
type TimeWindow struct {
	At   int64 // where the cursor is, in nanoseconds since 1970
	zoom int   // how often the time shown was halved
}

// Shown is the time that is shown of a span.
func (w *TimeWindow) Shown(first, last int64) (from, to int64) {
	width := (last - first) >> w.zoom
	if w.zoom == 0 || width < 2 {
		return first, last
	}
	from = min(max(first, w.At-width/2), last-width)
	return from, from + width
}

// Move takes the keys that move in time and zoom, and tells whether a was one of them; the graph is cells wide.
func (w *TimeWindow) Move(a act.Action, n, cells int, first, last int64) bool {
	from, to := w.Shown(first, last)
	switch a {
	case act.Right, act.Left:
		step := max(1, (to-from)/int64(max(1, cells-axisCells-1))) * int64(max(1, n))
		if a == act.Left {
			step = -step
		}
		w.At += step
	case act.PageDown, act.HalfDown:
		w.At += (to - from) / 10
	case act.PageUp, act.HalfUp:
		w.At -= (to - from) / 10
	case act.First:
		w.At = 0
	case act.Last:
		w.At = math.MaxInt64
	case act.Bigger:
		w.zoom = min(maxZoom, w.zoom+1)
	case act.Smaller:
		w.zoom = max(0, w.zoom-1)
	default:
		return false
	}
	w.At = min(max(w.At, first), last)
	return true
}

// Click moves the cursor to the time at a column.
func (w *TimeWindow) Click(x, cells int, first, last int64) {
	from, to := w.Shown(first, last)
	inner := cells - axisCells - 1
	w.At = from + int64(float64(to-from)*float64(widget.Clamp(x-axisCells, 0, inner))/float64(max(1, inner)))
}
