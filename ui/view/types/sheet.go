package types

import (
	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/export"
	"strconv"
	"strings"
)

// Sheet is what e saves.
func (v *View) Sheet() export.Sheet {
	protocols := v.c.Scope().Tally().Types()
	from, to := v.c.Scope().Span()
	span := float64(max(1, to-from)) / 1e9
	return export.New("types",
		[]string{"protocol", "type", "packets", "bytes", "packets_per_second", "gap_ms", "jitter_ms", "lengths"},
		func() [][]any {
			var out [][]any
			add := func(protocol, kind string, g *stats.Group) {
				var sizes []string
				for _, z := range g.Sizes {
					sizes = append(sizes, strconv.Itoa(int(z.Length))+":"+strconv.Itoa(int(z.Packets)))
				}
				out = append(out,
					[]any{protocol, kind, g.Packets, g.Bytes, float64(g.Packets) / span, g.Gap * 1000, g.Jitter * 1000,
						strings.Join(sizes, " ")})
			}
			for i := range protocols {
				p := &protocols[i]
				add(p.Protocol.Name(), "", &p.Group)
				for k := range p.Types {
					if ty := &p.Types[k]; ty.Field != nil {
						name := ty.Name
						if name == "" {
							name = ty.Field.NumberText(ty.Value)
						}
						add(p.Protocol.Name(), dissect.Escape(name), &ty.Group)
					}
				}
			}
			return out
		})
}
