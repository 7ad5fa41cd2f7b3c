package compare

import (
	"fmt"
	"strings"

	"remora/dissect"
	"remora/ui/compare"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// differingLines are the offsets, from the start of each packet's own protocol, of lines of n bytes that are not the
// same.
func (v *View) differingLines(n int) []int {
	return compare.Lines(compare.Own(v.a), compare.Own(v.b), n)
}

// bytesHeight is the room for the bytes: a rule, and two lines for each line that differs, but no more than half the
// view.
func (v *View) bytesHeight(w, h int) int {
	if v.noBytes || h < 12 {
		return 0
	}
	k := len(v.differingLines(compareWidth(w)))
	if k == 0 {
		return 0
	}
	return min(1+2*k, h/2)
}

// compareWidth is how many bytes of each packet stand side by side.
func compareWidth(w int) int {
	if w >= 112 {
		return 16
	}
	return 8
}

// drawBytes draws the lines that differ, with a sign below each byte that does.
func (v *View) drawBytes(w, h int) []string {
	if h == 0 {
		return nil
	}
	n := compareWidth(w)
	at := v.differingLines(n)
	right := humanize.Group(len(at)) + " lines differ"
	if len(at) == 1 {
		right = "1 line differs"
	}
	if shown := (h - 1) / 2; shown < len(at) {
		right = humanize.Group(shown) + " of " + right
	}
	out := []string{v.c.Style().
		Rule(w, map[bool]string{true: "bytes, only the lines that differ, from the start of ",
			false: "bytes from the start of "}[w >= 100]+v.b.ProtocolText(), right)}
	a, b := compare.Own(v.a), compare.Own(v.b)
	for _, off := range at {
		if len(out)+1 >= h+1 {
			break
		}
		x, y := compare.Line(a, off, n), compare.Line(b, off, n)
		var l, signs paint.Line
		head := fmt.Sprintf(" %04x  ", off)
		l.Put(v.c.Style().Pens.Dim, head)
		signs.Put(paint.Pen{}, strings.Repeat(" ", len(head)))
		for side, s := range [2]string{x, y} {
			if side == 1 {
				l.Put(v.c.Style().Pens.Dim, v.c.Style().Glyph(" │ ", " | "))
				signs.Put(paint.Pen{}, "   ")
			}
			for i := range n {
				text, p, sign := "   ", paint.Pen{}, "   "
				if i < len(s) {
					text = widget.HexPair(s[i]) + " "
				}
				if differs := i < max(len(x), len(y)) && (i >= len(x) || i >= len(y) || x[i] != y[i]); differs {
					p, sign = v.c.Style().Pens.Warn, "^^ "
				}
				l.Put(p, text)
				signs.Put(v.c.Style().Pens.Warn, sign)
			}
		}
		out = append(out, paint.Clip(l.End(w), w), paint.Clip(signs.End(w), w))
	}
	for len(out) < h {
		out = append(out, strings.Repeat(" ", w))
	}
	return out[:h]
}

// bytesShown is how many bytes of a field are shown beside it.
const bytesShown = 8

// bytesText is the bytes of the field under the cursor in both packets.
func (v *View) bytesText() string {
	if v.table.Cur >= len(v.lines) || v.lines[v.table.Cur].Head {
		return ""
	}
	c := v.lines[v.table.Cur]
	text := func(t *dissect.Tree, i int) string {
		if i < 0 {
			return v.c.Style().Glyph("–", "-")
		}
		b := t.Bytes(i)
		out := fmt.Sprintf("% x", b[:min(len(b), bytesShown)])
		if len(b) > bytesShown {
			out += v.c.Style().Glyph("…", "..")
		}
		return out
	}
	if (c.A < 0 || len(v.a.Bytes(c.A)) == 0) && (c.B < 0 || len(v.b.Bytes(c.B)) == 0) { // it is worked out
		return ""
	}
	return "; bytes A " + text(v.a, c.A) + ", B " + text(v.b, c.B)
}
