package view

import (
	"context"

	"remora/dissect"
	"remora/dissect/stats"
)

// Matches count how the games of a capture run, beside the screen, while a view is open.
type Matches struct {
	*stats.Matches
	of   *dissect.Session
	stop func()
}

// Begin counts the games of the session that is shown; where another one is counted already, it begins anew.
func (m *Matches) Begin(c Context) {
	now := c.Scope()
	if m.of == now.Session && m.stop != nil {
		return
	}
	m.Close()
	counts, guard := stats.NewMatches(now.Session), now.Session.Guard()
	m.Matches, m.of = counts, now.Session
	now.Filtered = nil
	m.stop = c.Go("counting games", func(ctx context.Context) {
		now.Each(ctx, func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
			counts.Begin()
			at := 0
			guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
				for ; at < len(frames); at++ {
					counts.Frame(l, frames[at])
				}
			})
			counts.End(upTo)
		})
	})
}

// Close ends the counting.
func (m *Matches) Close() {
	if m.stop != nil {
		m.stop()
		m.stop = nil
	}
}
