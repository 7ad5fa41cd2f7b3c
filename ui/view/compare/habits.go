package compare

import (
	"math"
	"strconv"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/compare"
)

// usualText says what is usual of a field in the packets of a type.
func (v *View) usualText(f *dissect.Field) string {
	h := v.usual.Field(f)
	if h == nil || h.Packets < 3 {
		return ""
	}
	if by := h.Step(); by != 0 {
		return stepOf(f, by) + " each time"
	}
	best, most := h.Mostly()
	switch {
	case most == h.Packets:
		return "always " + best
	case most*2 < h.Packets:
		return "varies"
	}
	return best + v.c.Style().Glyph("  ≈ ", "  ~") + strconv.Itoa(most*100/h.Packets) + " %"
}

// stepOf writes by how much a number changed.
func stepOf(f *dissect.Field, by float64) string {
	if f.Type() == dissect.TypeSpan {
		return withSign(strconv.FormatFloat(by/1e6, 'f', 2, 64), by) + " ms"
	}
	return withSign(strconv.FormatFloat(by, 'f', -1, 64), by)
}

func withSign(text string, v float64) string {
	if v > 0 {
		return "+" + text
	}
	return text
}

// change is by how much a line's number changed, or "" when it is no number. Numbers with names change to something
// else, not by an amount.
func (v *View) change(c compare.Row) (text string, by float64) {
	f := v.field(c)
	switch {
	case c.A < 0 && c.B >= 0:
		return "new", 0
	case c.B < 0 && c.A >= 0:
		return "gone", 0
	case c.Same:
		return "", 0
	case f.Type() == dissect.TypeBool:
		if v.b.Nodes[c.B].Val != 0 {
			return "set", 0
		}
		return "cleared", 0
	}
	if !stats.Numeric(f) || f.IsKind() {
		return "", 0
	}
	a, b := v.a.Nodes[c.A].Val, v.b.Nodes[c.B].Val
	if f.ValueName(a) != "" || f.ValueName(b) != "" {
		return "", 0
	}
	by = stats.Number(f, b) - stats.Number(f, a)
	if math.IsNaN(by) || math.IsInf(by, 0) {
		return "", 0
	}
	return stepOf(f, by), by
}

// unusual says in which way a field of neighbouring packets went on by another amount than it mostly does, or "" where
// it did not.
func (v *View) unusual(c compare.Row) string {
	if !v.neighbours || v.usual == nil || c.A < 0 || c.B < 0 {
		return ""
	}
	h := v.usual.Field(v.field(c))
	if h == nil || h.Packets < 8 || h.Step() == 0 {
		return ""
	}
	by := 0.0
	if !c.Same {
		_, by = v.change(c)
	}
	skipped := by/h.Step() - 1
	switch {
	case by == h.Step():
		return ""
	case by == 0:
		return "it stands still"
	case skipped == 1:
		return "one skipped"
	case skipped > 1 && skipped == math.Trunc(skipped) && skipped < 1e6:
		return strconv.Itoa(int(skipped)) + " skipped"
	case by*h.Step() < 0:
		return "it goes back"
	}
	return "another step"
}
