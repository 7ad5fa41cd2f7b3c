package rates

import (
	"math"
	"remora/dissect"
	"remora/ui/export"
	"remora/ui/plot"
	"remora/ui/view"
)

// Sheet of rates has a row for each interval of the time shown.
func (v *View) Sheet() export.Sheet {
	from, to := v.Shown(v.c.Scope().Span())
	first, last := v.c.Scope().Span()
	points := max(2, view.Width(v.c)-8)
	_, step := v.curves(from, to, points)
	head := []string{"time_s"}
	for _, s := range v.series {
		head = append(head, dissect.Escape(s.text))
	}
	n := int(min(max(1, (to-from)/step), math.MaxInt16))
	var curves [][]float64
	for i := range v.series {
		source := v.tally(i).Spread
		if v.bytes {
			source = v.tally(i).SpreadBytes
		}
		curves = append(curves, plot.Rate(source, step, first, first, last, from, from+int64(n)*step, n))
	}
	return export.New("rates", head, func() (out [][]any) {
		for x := range n {
			row := []any{float64(from+int64(x)*step-first) / 1e9}
			for _, c := range curves {
				row = append(row, c[x])
			}
			out = append(out, row)
		}
		return out
	})
}
