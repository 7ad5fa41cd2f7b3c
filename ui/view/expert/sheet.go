package expert

import (
	"remora/dissect"
	"remora/ui/export"
	"slices"
)

// Sheet is what e saves.
func (v *View) Sheet() export.Sheet {
	v.refresh()
	notes := slices.Clone(v.notes)
	return export.New("notes", []string{"severity", "note", "filter", "count", "packets", "first_packet"},
		func() (out [][]any) {
			for _, k := range notes {
				first := dissect.FrameNum(0)
				if len(k.Frames) > 0 {
					first = k.Frames[0]
				}
				name, _, _ := severityText(v.c.Style(), k.Severity)
				out = append(out, []any{name, dissect.Escape(k.Field.Label()), k.Field.Name(), k.Count, k.Packets, first})
			}
			return out
		})
}
