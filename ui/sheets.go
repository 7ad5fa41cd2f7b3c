package ui

import (
	"math"
	"remora/ui/doors"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/plot"
)

// What each view gives to other programs.

func (v *typesView) sheet(m *model) sheet {
	protocols := m.tally().Types()
	from, to := m.span()
	span := float64(max(1, to-from)) / 1e9
	return sheet{"types", []string{"protocol", "type", "packets", "bytes", "packets_per_second", "gap_ms", "jitter_ms", "lengths"}, func() [][]any {
		var out [][]any
		add := func(protocol, kind string, g *stats.Group) {
			var sizes []string
			for _, z := range g.Sizes {
				sizes = append(sizes, strconv.Itoa(int(z.Length))+":"+strconv.Itoa(int(z.Packets)))
			}
			out = append(out, []any{protocol, kind, g.Packets, g.Bytes, float64(g.Packets) / span, g.Gap * 1000, g.Jitter * 1000, strings.Join(sizes, " ")})
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
	}}
}

func (v *talkersView) sheet(m *model) sheet {
	epoch := m.s.Store().Time(0)
	since := func(at int64) float64 { return float64(at-epoch) / 1e9 }
	levels, talks, ends := slices.Clone(v.levels), slices.Clone(v.talks), slices.Clone(v.ends)
	switch v.part {
	case partPorts:
		return v.portsSheet()
	case partPlayers:
		return v.playersSheet()
	case partAnswers:
		return v.answersSheet()
	case 0:
		return sheet{"protocols", []string{"depth", "protocol", "type", "packets", "bytes", "packets_that_end_here", "bytes_that_end_here"}, func() (out [][]any) {
			for _, l := range levels {
				out = append(out, []any{l.Depth, l.Protocol.Name(), dissect.Escape(l.Name), l.Packets, l.Bytes, l.Ends.Packets, l.Ends.Bytes})
			}
			return out
		}}
	case 1:
		return sheet{"conversations", []string{"a", "port_a", "b", "port_b", "transport", "packets", "bytes", "packets_a_to_b", "bytes_a_to_b", "packets_b_to_a", "bytes_b_to_a", "start_s", "lasted_s", "rtt_ms"}, func() (out [][]any) {
			for _, t := range talks {
				transport, both := "", t.Both()
				if t.Conv != nil {
					transport = doors.TransportName(t.Conv.Transport)
				}
				out = append(out, []any{t.A.Addr.String(), t.A.Port, t.B.Addr.String(), t.B.Port, transport, both.Packets, both.Bytes,
					t.Ways[0].Packets, t.Ways[0].Bytes, t.Ways[1].Packets, t.Ways[1].Bytes, since(t.First), float64(t.Last-t.First) / 1e9, float64(t.RoundTrip()) / 1e6})
			}
			return out
		}}
	}
	return sheet{"endpoints", []string{"address", "port", "transport", "packets", "bytes", "packets_sent", "bytes_sent", "packets_received", "bytes_received"}, func() (out [][]any) {
		for _, e := range ends {
			both := e.Both()
			out = append(out, []any{e.End.Addr.String(), e.End.Port, doors.TransportName(e.Transport), both.Packets, both.Bytes, e.Sent.Packets, e.Sent.Bytes, e.Received.Packets, e.Received.Bytes})
		}
		return out
	}}
}

func (v *notesView) sheet(m *model) sheet {
	v.refresh(m)
	notes := slices.Clone(v.notes)
	return sheet{"notes", []string{"severity", "note", "filter", "count", "packets", "first_packet"}, func() (out [][]any) {
		for _, k := range notes {
			first := dissect.FrameNum(0)
			if len(k.Frames) > 0 {
				first = k.Frames[0]
			}
			name, _, _ := severityText(m, k.Severity)
			out = append(out, []any{name, dissect.Escape(k.Field.Label()), k.Field.Name(), k.Count, k.Packets, first})
		}
		return out
	}}
}

func (v *unknownView) sheet(m *model) sheet {
	groups, d := slices.Clone(v.groups), m.doors()
	return sheet{"unknown", []string{"in", "port", "packets", "bytes", "flows", "gap_ms", "jitter_ms", "entropy", "looks_like", "filter"}, func() (out [][]any) {
		for i := range groups {
			g := &groups[i]
			out = append(out, []any{g.Carrier.Name(), g.Port, g.Packets, g.Bytes, g.Flows, g.Gap * 1000, g.Jitter * 1000, g.Content.Entropy, g.Looks(), d.Unknown(g)})
		}
		return out
	}}
}

// sheet of rates has a row for each interval of the time shown.
func (v *ratesView) sheet(m *model) sheet {
	from, to := v.span(m)
	first, last := m.span()
	points := max(2, m.w-8)
	_, step := v.curves(m, from, to, points)
	head := []string{"time_s"}
	for _, s := range v.series {
		head = append(head, dissect.Escape(s.text))
	}
	n := int(min(max(1, (to-from)/step), math.MaxInt16))
	var curves [][]float64
	for i := range v.series {
		source := v.tally(m, i).Spread
		if v.bytes {
			source = v.tally(m, i).SpreadBytes
		}
		curves = append(curves, plot.Rate(source, step, first, first, last, from, from+int64(n)*step, n))
	}
	return sheet{"rates", head, func() (out [][]any) {
		for x := range n {
			row := []any{float64(from+int64(x)*step-first) / 1e9}
			for _, c := range curves {
				row = append(row, c[x])
			}
			out = append(out, row)
		}
		return out
	}}
}

// sheet has a line for each value: in a column of the field's name, or with the name beside it when there are several curves.
func (v *plotView) sheet(m *model) sheet {
	curves, epoch := slices.Clone(v.curves), m.s.Store().Time(0)
	head := []string{"packet", "time_s", "field", "value"}
	if len(curves) == 1 {
		head = []string{"packet", "time_s", curves[0].field.Name()}
	}
	return sheet{"plot", head, func() (out [][]any) {
		for _, c := range curves {
			c.data.mu.Lock()
			points := slices.Clone(c.data.points)
			c.data.mu.Unlock()
			for _, p := range points {
				row := []any{p.frame, float64(p.time-epoch) / 1e9, p.value}
				if len(curves) > 1 {
					row = []any{p.frame, float64(p.time-epoch) / 1e9, c.field.Name(), p.value}
				}
				out = append(out, row)
			}
		}
		return out
	}}
}

func (v *propertiesView) sheet(m *model) sheet {
	lines := v.lines(m)
	return sheet{"properties", []string{"part", "name", "value"}, func() (out [][]any) {
		part := ""
		for _, l := range lines {
			if l[1] == "" {
				part = l[0]
			} else {
				out = append(out, []any{part, strings.TrimSpace(l[0]), l[1]})
			}
		}
		return out
	}}
}

func (v *compareView) sheet(m *model) sheet {
	var rows [][]any
	for _, c := range v.lines {
		if !c.Head {
			a, b := v.values(m, c)
			rows = append(rows, []any{v.field(c).Name(), dissect.Escape(v.field(c).Label()), a, b})
		}
	}
	return sheet{"compare", []string{"filter", "field", "packet_" + strconv.Itoa(int(v.a.Frame)), "packet_" + strconv.Itoa(int(v.b.Frame))}, func() [][]any { return rows }}
}

// sheet of a conversation is its messages, one a row.
func (v *followView) sheet(m *model) sheet {
	talk, way, epoch, s := v.talk, v.Way, m.s.Store().Time(0), m.s
	return sheet{"messages", []string{"time_s", "packet", "from", "to", "type", "text", "repeat", "bytes"}, func() (out [][]any) {
		for i := range talk.Len() {
			u := talk.Unit(i)
			if way >= 0 && u.Dir != way {
				continue
			}
			c := s.Conversation(u.Conv)
			from, to := c.A, c.B
			if u.Dir == 1 {
				from, to = to, from
			}
			add := func(kind, text string, repeat bool) {
				out = append(out, []any{float64(u.Time-epoch) / 1e9, u.Frame, from.String(), to.String(), dissect.Escape(kind), text, repeat, len(u.Data)})
			}
			if len(u.Parts) == 0 {
				add(u.Kind, u.Info, u.Repeat)
			}
			for _, p := range u.Parts {
				add(p.Kind, p.Text, p.Repeat)
			}
		}
		return out
	}}
}
