package statistics

import (
	"remora/dissect"
	"remora/ui/drilldown"
	"remora/ui/export"
	"slices"
)

// Sheet is what e saves.
func (v *View) Sheet() export.Sheet {
	epoch := v.c.Scope().Session.Store().Time(0)
	since := func(at int64) float64 { return float64(at-epoch) / 1e9 }
	levels, convs, ends := slices.Clone(v.levels), slices.Clone(v.conversations), slices.Clone(v.ends)
	switch v.part {
	case partPorts:
		return v.portsSheet()
	case partPlayers:
		return v.playersSheet()
	case partAnswers:
		return v.answersSheet()
	case 0:
		return export.New("protocols",
			[]string{"depth", "protocol", "type", "packets", "bytes", "packets_that_end_here", "bytes_that_end_here"},
			func() (out [][]any) {
				for _, l := range levels {
					out = append(out,
						[]any{l.Depth, l.Protocol.Name(), dissect.Escape(l.Name), l.Packets, l.Bytes, l.Ends.Packets, l.Ends.Bytes})
				}
				return out
			})
	case 1:
		return export.New("conversations",
			[]string{"a", "port_a", "b", "port_b", "transport", "packets", "bytes", "packets_a_to_b", "bytes_a_to_b",
				"packets_b_to_a", "bytes_b_to_a", "start_s", "lasted_s", "rtt_ms"}, func() (out [][]any) {
				for _, t := range convs {
					transport, both := "", t.Both()
					if t.Conv != nil {
						transport = drilldown.TransportName(t.Conv.Transport)
					}
					out = append(out,
						[]any{t.A.Addr.String(), t.A.Port, t.B.Addr.String(), t.B.Port, transport, both.Packets, both.Bytes,
							t.Directions[0].Packets, t.Directions[0].Bytes, t.Directions[1].Packets, t.Directions[1].Bytes, since(t.First),
							float64(t.Last-t.First) / 1e9, float64(t.RoundTrip()) / 1e6})
				}
				return out
			})
	}
	return export.New("endpoints",
		[]string{"address", "port", "transport", "packets", "bytes", "packets_sent", "bytes_sent", "packets_received",
			"bytes_received"}, func() (out [][]any) {
			for _, e := range ends {
				both := e.Both()
				out = append(out,
					[]any{e.End.Addr.String(), e.End.Port, drilldown.TransportName(e.Transport), both.Packets, both.Bytes,
						e.Sent.Packets, e.Sent.Bytes, e.Received.Packets, e.Received.Bytes})
			}
			return out
		})
}
