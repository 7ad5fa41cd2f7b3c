package plot

import (
	"slices"

	"remora/ui/export"
)

// Sheet has a line for each value: in a column of the field's name, or with the name beside it when there are several
// curves.
func (v *View) Sheet() export.Sheet {
	curves, epoch := slices.Clone(v.curves), v.c.Scope().Session.Store().Time(0)
	head := []string{"packet", "time_s", "field", "value"}
	if len(curves) == 1 {
		head = []string{"packet", "time_s", curves[0].field.Name()}
	}
	return export.New("plot", head, func() (out [][]any) {
		for _, c := range curves {
			c.data.Lock()
			points := slices.Clone(c.data.List)
			c.data.Unlock()
			for _, p := range points {
				row := []any{p.Frame, float64(p.Time-epoch) / 1e9, p.Value}
				if len(curves) > 1 {
					row = []any{p.Frame, float64(p.Time-epoch) / 1e9, c.field.Name(), p.Value}
				}
				out = append(out, row)
			}
		}
		return out
	})
}
