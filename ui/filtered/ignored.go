package filtered

import (
	"context"

	"remora/dissect"
	"remora/dissect/stats"
)

// Ignored are packets to be ignored. A set never changes: goroutines keep the one they began with.
type Ignored map[dissect.FrameNum]bool

// Count counts the packets from one to another that are not ignored.
func (ig Ignored) Count(t *stats.Tally, from, to dissect.FrameNum) {
	if len(ig) == 0 {
		t.Range(from, to)
		return
	}
	list := make([]dissect.FrameNum, 0, to-from+1)
	for n := from; n <= to; n++ {
		if !ig[n] {
			list = append(list, n)
		}
	}
	t.Frames(list, to)
}

// CountAll counts all packets as they come but those ignored, until the capture ends or ctx does.
func (ig Ignored) CountAll(ctx context.Context, s *dissect.Session, t *stats.Tally) {
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
