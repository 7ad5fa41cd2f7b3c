package filtered

import (
	"context"

	"remora/dissect"
)

// atOnce is how many packets are counted before anybody else has a turn.
const atOnce = 4096

// Each hands on the packets that a filter leaves as they come, or without a filter all but those ignored, a few
// thousand at once, until the capture ends or ctx does. upTo is the packet up to which everything is decided.
func Each(ctx context.Context, s *dissect.Session, sh *Packets, ig Ignored,
	take func(frames []dissect.FrameNum, upTo dissect.FrameNum)) {
	wake, cancel := s.Store().Subscribe()
	defer cancel()
	frames := make([]dissect.FrameNum, 0, atOnce)
	at, reported := 0, dissect.FrameNum(0)
	for ctx.Err() == nil {
		decided := dissect.FrameNum(s.Passed())
		rows := int(decided)
		if sh != nil {
			decided = dissect.FrameNum(sh.Decided.Load())
			rows = sh.Matches.Len()
		}
		if first := s.Store().First(); sh == nil && at < first { // they have left
			at = min(first, rows)
		}
		frames = frames[:0]
		for ; at < rows && len(frames) < cap(frames); at++ {
			if sh == nil && ig[dissect.FrameNum(at+1)] {
				continue
			} else if sh == nil {
				frames = append(frames, dissect.FrameNum(at+1))
			} else if n := sh.Matches.At(at); n > 0 {
				frames = append(frames, n)
			}
		}
		switch {
		case len(frames) > 0:
			reported = frames[len(frames)-1]
			take(frames, reported)
			continue
		case decided > reported:
			reported = decided
			take(nil, reported)
		}
		if s.Store().Status().Done && int(decided) >= s.Store().Len() || sh != nil && sh.Failed.Load() != nil {
			return
		}
		s.Wait(ctx, wake)
	}
}
