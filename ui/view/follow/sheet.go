package follow

import (
	"remora/dissect"
	"remora/ui/export"
)

// Sheet of a conversation is its messages, one a row.
func (v *View) Sheet() export.Sheet {
	stream, dir, epoch, s := v.stream, v.Direction, v.c.Scope().Session.Store().Time(0), v.c.Scope().Session
	return export.New("messages", []string{"time_s", "packet", "from", "to", "type", "text", "repeat", "bytes"},
		func() (out [][]any) {
			for i := range stream.Len() {
				u := stream.Unit(i)
				if dir >= 0 && u.Dir != dir {
					continue
				}
				c := s.Conversation(u.Conv)
				from, to := c.A, c.B
				if u.Dir == 1 {
					from, to = to, from
				}
				add := func(kind, text string, repeat bool) {
					out = append(out,
						[]any{float64(u.Time-epoch) / 1e9, u.Frame, from.String(), to.String(), dissect.Escape(kind), text, repeat,
							len(u.Data)})
				}
				if len(u.Parts) == 0 {
					add(u.Kind, u.Info, u.Repeat)
				}
				for _, p := range u.Parts {
					add(p.Kind, p.Text, p.Repeat)
				}
			}
			return out
		})
}
