package compare

import (
	"remora/dissect"
	"remora/ui/export"
	"strconv"
)

// Sheet is what e saves.
func (v *View) Sheet() export.Sheet {
	var rows [][]any
	for _, c := range v.lines {
		if !c.Head {
			a, b := v.values(c)
			rows = append(rows, []any{v.field(c).Name(), dissect.Escape(v.field(c).Label()), a, b})
		}
	}
	return export.New("compare",
		[]string{"filter", "field", "packet_" + strconv.Itoa(int(v.a.Frame)), "packet_" + strconv.Itoa(int(v.b.Frame))},
		func() [][]any { return rows })
}
