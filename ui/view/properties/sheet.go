package properties

import (
	"remora/ui/export"
	"strings"
)

// Sheet is what e saves.
func (v *View) Sheet() export.Sheet {
	lines := v.lines()
	return export.New("properties", []string{"part", "name", "value"}, func() (out [][]any) {
		part := ""
		for _, l := range lines {
			if l[1] == "" {
				part = l[0]
			} else {
				out = append(out, []any{part, strings.TrimSpace(l[0]), l[1]})
			}
		}
		return out
	})
}
