package undissected

import (
	"remora/ui/export"
	"slices"
)

// Sheet is what e saves.
func (v *View) Sheet() export.Sheet {
	groups, d := slices.Clone(v.groups), v.c.Scope().Drilldown()
	return export.New("unknown",
		[]string{"in", "port", "packets", "bytes", "flows", "gap_ms", "jitter_ms", "entropy", "looks_like", "filter"},
		func() (out [][]any) {
			for i := range groups {
				g := &groups[i]
				out = append(out,
					[]any{g.Carrier.Name(), g.Port, g.Packets, g.Bytes, g.Flows, g.Gap * 1000, g.Jitter * 1000, g.Content.Entropy,
						g.Guess(), d.Undissected(g)})
			}
			return out
		})
}
