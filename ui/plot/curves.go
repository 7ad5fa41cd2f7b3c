package plot

// A Cell is a character of several curves and whose it is; -1 is nobody's.
type Cell struct {
	Sign rune
	Of   int
}

// Lay draws curves over each other in h lines of w cells, the later ones in front: as dots of braille with two points a
// cell, as blocks or as signs with one. Top is the value at the upper border.
func Lay(curves [][]float64, w, h int, top float64, blocks, ascii bool) [][]Cell {
	out := make([][]Cell, h)
	for i := range out {
		out[i] = make([]Cell, w)
		for x := range out[i] {
			out[i][x] = Cell{' ', -1}
		}
	}
	for k, values := range curves {
		switch {
		case blocks:
			layBlocks(out, k, values, top, ascii)
		case ascii:
			for i, row := range Stars(values, w, h, top) {
				put(out[i], k, []rune(row), rune(Signs[k]))
			}
		default:
			for i, row := range Braille(values, w, h, top) {
				put(out[i], k, []rune(row), 0)
			}
		}
	}
	return out
}

// put lays a line of a curve over what is there; a sign other than 0 stands for every character of it.
func put(to []Cell, of int, row []rune, sign rune) {
	for x, c := range row {
		if c == ' ' || x >= len(to) {
			continue
		}
		if sign != 0 {
			c = sign
		} else if was := to[x].Sign; was > 0x2800 && was <= 0x28ff { // both have dots in this cell
			c |= was & 0xff
		}
		to[x] = Cell{c, of}
	}
}

// layBlocks draws a curve as columns. Where a lower one stands behind a higher one it is in front.
func layBlocks(to [][]Cell, of int, values []float64, top float64, ascii bool) {
	h := len(to)
	heights := []rune(" ▁▂▃▄▅▆▇█")
	if ascii {
		heights = []rune("        " + Signs[of:of+1])
	}
	for x := range to[0] {
		eighths := max(0, min(int(sample(values, x, len(to[0]))/top*float64(8*h)+0.5), 8*h))
		for row := h - 1; row >= 0 && eighths > 0; row-- {
			full := min(8, eighths)
			eighths -= full
			if c := heights[full]; c != ' ' {
				to[row][x] = Cell{c, of}
			}
		}
	}
}

// Signs are what curves are drawn in where there is nothing but ASCII, by their numbers.
const Signs = ".*+xo#"
