package ui

// A curveCell is a character of several curves and whose it is; -1 is nobody's.
type curveCell struct {
	sign rune
	of   int
}

// layCurves draws curves over each other in h lines of w cells, the later ones in front: as dots of braille with two points a
// cell, as blocks or as signs with one. Top is the value at the upper border.
func layCurves(curves [][]float64, w, h int, top float64, blocks, ascii bool) [][]curveCell {
	out := make([][]curveCell, h)
	for i := range out {
		out[i] = make([]curveCell, w)
		for x := range out[i] {
			out[i][x] = curveCell{' ', -1}
		}
	}
	for k, values := range curves {
		switch {
		case blocks:
			layBlocks(out, k, values, top, ascii)
		case ascii:
			for i, row := range starPlot(values, w, h, top) {
				put(out[i], k, []rune(row), rune(seriesSigns[k]))
			}
		default:
			for i, row := range braillePlot(values, w, h, top) {
				put(out[i], k, []rune(row), 0)
			}
		}
	}
	return out
}

// put lays a line of a curve over what is there; a sign other than 0 stands for every character of it.
func put(to []curveCell, of int, row []rune, sign rune) {
	for x, c := range row {
		if c == ' ' || x >= len(to) {
			continue
		}
		if sign != 0 {
			c = sign
		} else if was := to[x].sign; was > 0x2800 && was <= 0x28ff { // both have dots in this cell
			c |= was & 0xff
		}
		to[x] = curveCell{c, of}
	}
}

// layBlocks draws a curve as columns. Where a lower one stands behind a higher one it is in front.
func layBlocks(to [][]curveCell, of int, values []float64, top float64, ascii bool) {
	h := len(to)
	heights := []rune(" ▁▂▃▄▅▆▇█")
	if ascii {
		heights = []rune("        " + seriesSigns[of:of+1])
	}
	for x := range to[0] {
		eighths := clamp(int(sample(values, x, len(to[0]))/top*float64(8*h)+0.5), 0, 8*h)
		for row := h - 1; row >= 0 && eighths > 0; row-- {
			full := min(8, eighths)
			eighths -= full
			if c := heights[full]; c != ' ' {
				to[row][x] = curveCell{c, of}
			}
		}
	}
}
