package ui

import (
	"context"
	"fmt"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/filtered"
)

// guard keeps a failure beside the screen from ending the program without a word: the screen leaves and tells it.
func (m *model) guard(what string) {
	if p := recover(); p != nil {
		err := fmt.Errorf("%s failed: %v", what, p)
		m.ending.passFailed.Store(&err)
	}
}

// countAll counts all packets as they come but those ignored, beside everything else.
func (m *model) countAll(ctx context.Context, s *dissect.Session, t *stats.Tally, ig filtered.Ignored) {
	defer m.guard("counting")
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
		filtered.Wait(ctx, wake)
	}
}
