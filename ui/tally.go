package ui

import (
	"context"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/filtered"
)

// countAll counts all packets as they come but those ignored, beside everything else.
func (m *model) countAll(ctx context.Context, s *dissect.Session, t *stats.Tally, ig filtered.Ignored) {
	defer m.jobs.Guard("counting")
	wake, cancel := s.Store().Subscribe()
	defer cancel()
	for ctx.Err() == nil {
		from, to := t.UpTo()+1, dissect.FrameNum(s.Passed())
		if from <= to {
			ig.Count(t, from, min(to, from+1023)) // the screen asks in between
			continue
		}
		if s.Store().Status().Done && int(to) == s.Store().Len() { // not Passed: it may have moved on since
			return
		}
		s.Wait(ctx, wake)
	}
}
