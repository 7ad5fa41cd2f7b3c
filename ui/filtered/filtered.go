// Package filtered filters packets beside the screen, as they come: what a display filter leaves of a capture, and the
// packets that are ignored.
package filtered

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"sync/atomic"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/dissect/stats"
	frames "remora/internal/column"
)

// Packets are the result of a display filter as it grows: the matching packets in order, filled by a goroutine of its
// own, read by the screen without waiting. A nil *Packets shows every packet.
type Packets struct {
	Filter  *filter.Filter
	Matches frames.Column[dissect.FrameNum]
	Tally   *stats.Tally
	ignored Ignored               // packets that match nothing
	Decided atomic.Uint32         // packets up to this one are decided
	Failed  atomic.Pointer[error] // why it ended early
	Cancel  context.CancelFunc
}

// Start begins to filter in the background; it goes on as packets arrive.
func Start(s *dissect.Session, f *filter.Filter, ig Ignored) *Packets {
	ctx, cancel := context.WithCancel(context.Background())
	sh := &Packets{Filter: f, Cancel: cancel, Tally: stats.NewTally(s), ignored: ig}
	sh.Decided.Store(uint32(min(s.Store().First(), s.Passed()))) // what has left matches nothing
	go sh.run(ctx, s)
	return sh
}

func (sh *Packets) run(ctx context.Context, s *dissect.Session) {
	defer func() {
		if p := recover(); p != nil {
			err := fmt.Errorf("the filter failed: %v", p)
			sh.Failed.Store(&err)
		}
	}()
	wake, cancel := s.Store().Subscribe()
	defer cancel()
	for ctx.Err() == nil {
		from, to := sh.Decided.Load()+1, uint32(s.Passed())
		if from > to {
			if s.Store().Status().Done && int(to) == s.Store().Len() { // not Passed: it may have moved on since
				return
			}
			s.Wait(ctx, wake)
			continue
		}
		err := filter.Scan(ctx, s, sh.Filter, dissect.FrameNum(from), dissect.FrameNum(to),
			func(m []dissect.FrameNum, upTo dissect.FrameNum) {
				if len(sh.ignored) > 0 {
					m = slices.DeleteFunc(m, func(n dissect.FrameNum) bool { return sh.ignored[n] })
				}
				for _, n := range m {
					sh.Matches.Append(n)
				}
				sh.Tally.Frames(m, upTo)
				sh.Decided.Store(uint32(upTo))
			})
		if err != nil {
			sh.Failed.Store(&err)
			return
		}
		if first := s.Store().First(); first > 0 {
			sh.Matches.Forget(sh.Row(dissect.FrameNum(first + 1)))
		}
	}
}

// Row is where a packet is, or would be, in capture order.
func (sh *Packets) Row(n dissect.FrameNum) int {
	if sh == nil {
		return int(n) - 1
	}
	return sort.Search(sh.Matches.Len(), func(i int) bool { return sh.Matches.At(i) >= n })
}
