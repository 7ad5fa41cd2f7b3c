package widget

import (
	"math"
	"strings"

	"remora/ui/paint"
	"remora/ui/plot"
)

// axisEdge is the border of a picture at a line, with the value that stands there.
func (s *Style) axisEdge(labels map[int]string, row int) string {
	if text, ok := labels[row]; ok {
		return paint.FitRight(text, 6) + " " + s.Glyph("┤", "+")
	}
	return strings.Repeat(" ", 7) + s.Glyph("│", "|")
}

// TimeAxis draws the line below a picture of w cells that begins at the eighth, in a line of whole cells: marks at
// round times since epoch. All times are nanoseconds since 1970.
func (s *Style) TimeAxis(epoch, from, to int64, w, whole int) string {
	inner := max(2, w-8)
	start, end := float64(from-epoch)/1e9, float64(to-epoch)/1e9
	step := plot.TimeStep((end - start) * 13 / float64(inner))
	cells := []rune(strings.Repeat(" ", inner+8))
	copy(cells[6:], []rune(s.Glyph(" └", " +")))
	sign := []rune(s.Glyph("╵", "'"))[0]
	free := 8                                                     // where the next label may begin
	for k := math.Ceil(start/step-1e-9) + 0; k*step <= end; k++ { // + 0 turns -0 into 0
		x := 8 + int((k*step-start)/(end-start+1e-12)*float64(inner))
		label := []rune(plot.TimeLabel(k*step, step))
		if x+len(label)+1 > len(cells) {
			break
		}
		if x < free {
			continue
		}
		free = x + len(label) + 2
		if x == 8 {
			copy(cells[x:], label)
			continue
		}
		cells[x] = sign
		copy(cells[x+1:], label)
	}
	var l paint.Line
	l.Put(s.Pens.Dim, string(cells))
	return paint.Clip(l.End(whole), whole)
}

// CurveRows draws the cells of curves behind their axis, in lines of w cells. At is the column of the cursor, drawn
// with a pen of its own, or -1.
func (s *Style) CurveRows(cells [][]plot.Cell, labels map[int]string, at int, cursor paint.Pen,
	pen func(of int) paint.Pen, w int) []string {
	out := make([]string, 0, len(cells))
	for i, row := range cells {
		var l paint.Line
		l.Put(s.Pens.Dim, s.axisEdge(labels, i))
		l.Runs(len(row), func(x int) (paint.Pen, string) {
			switch c := row[x]; {
			case x == at:
				return cursor, string(c.Sign)
			case c.Of < 0:
				return paint.Pen{}, string(c.Sign)
			default:
				return pen(c.Of), string(c.Sign)
			}
		}, false)
		out = append(out, paint.Clip(l.End(w), w))
	}
	return out
}
