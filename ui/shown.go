package ui

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"sync/atomic"
	"time"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/dissect/stats"
	frames "remora/internal/column"
)

// shown is the result of a display filter as it grows: the matching packets in order, filled by a goroutine of its own,
// read by the screen without waiting. A nil *shown shows every packet.
type shown struct {
	filter  *filter.Filter
	matches frames.Column[dissect.FrameNum]
	tally   *stats.Tally
	ignored ignored               // packets that match nothing
	decided atomic.Uint32         // packets up to this one are decided
	failed  atomic.Pointer[error] // why it ended early
	cancel  context.CancelFunc
}

// startFilter begins to filter in the background; it goes on as packets arrive.
func startFilter(s *dissect.Session, f *filter.Filter, ig ignored) *shown {
	ctx, cancel := context.WithCancel(context.Background())
	sh := &shown{filter: f, cancel: cancel, tally: stats.NewTally(s), ignored: ig}
	sh.decided.Store(uint32(min(s.Store().First(), s.Passed()))) // what has left matches nothing
	go sh.run(ctx, s)
	return sh
}

func (sh *shown) run(ctx context.Context, s *dissect.Session) {
	defer func() {
		if p := recover(); p != nil {
			err := fmt.Errorf("the filter failed: %v", p)
			sh.failed.Store(&err)
		}
	}()
	wake, cancel := s.Store().Subscribe()
	defer cancel()
	for ctx.Err() == nil {
		from, to := sh.decided.Load()+1, uint32(s.Passed())
		if from > to {
			if s.Store().Status().Done && int(to) == s.Store().Len() { // not Passed: it may have moved on since
				return
			}
			select {
			case <-ctx.Done():
			case <-wake:
			case <-time.After(20 * time.Millisecond): // the first pass lags behind the store
			}
			continue
		}
		err := filter.Scan(ctx, s, sh.filter, dissect.FrameNum(from), dissect.FrameNum(to), func(m []dissect.FrameNum, upTo dissect.FrameNum) {
			if len(sh.ignored) > 0 {
				m = slices.DeleteFunc(m, func(n dissect.FrameNum) bool { return sh.ignored[n] })
			}
			for _, n := range m {
				sh.matches.Append(n)
			}
			sh.tally.Frames(m, upTo)
			sh.decided.Store(uint32(upTo))
		})
		if err != nil {
			sh.failed.Store(&err)
			return
		}
		if first := s.Store().First(); first > 0 {
			sh.matches.Forget(sh.row(dissect.FrameNum(first + 1)))
		}
	}
}

// rows is how many packets are shown, frame the one in a row, row where a packet is or would be.
func (m *model) rows() int {
	switch {
	case m.frozen > 0 && m.shown == nil:
		return min(m.frozen, m.s.Passed())
	case m.shown == nil:
		return m.s.Passed()
	}
	if m.frozen > 0 {
		return m.baseRow(dissect.FrameNum(m.frozen + 1))
	}
	return m.shown.matches.Len()
}

func (m *model) frame(row int) dissect.FrameNum {
	if o := m.order; o != nil && row < len(o.frames) {
		return o.frames[row]
	}
	return m.baseFrame(row)
}

func (m *model) row(n dissect.FrameNum) int {
	row := m.baseRow(n)
	if o := m.order; o != nil && row < len(o.frames) {
		return int(o.rowOf[m.baseFrame(row)]) - 1 // of a hidden packet: of the next one captured that is shown
	}
	return row
}

// baseFrame and baseRow are frame and row in the order of the capture.
func (m *model) baseFrame(row int) dissect.FrameNum {
	if m.shown == nil {
		return dissect.FrameNum(row + 1)
	}
	return m.shown.matches.At(row)
}

func (m *model) baseRow(n dissect.FrameNum) int { return m.shown.row(n) }

// row is where a packet is, or would be, in capture order.
func (sh *shown) row(n dissect.FrameNum) int {
	if sh == nil {
		return int(n) - 1
	}
	return sort.Search(sh.matches.Len(), func(i int) bool { return sh.matches.At(i) >= n })
}

// shownBefore is the packet shown that was captured before another one that is shown, or 0.
func (m *model) shownBefore(n dissect.FrameNum) dissect.FrameNum {
	if row := m.baseRow(n); row > 0 {
		return m.baseFrame(row - 1)
	}
	return 0
}

// settled tells whether nothing goes on in the background.
func (m *model) settled() bool {
	st := m.store.Status()
	if !st.Done || m.s.Passed() < m.store.Len() {
		return false
	}
	if int(m.all.UpTo()) < m.s.Passed() {
		return false
	}
	return m.shown == nil || m.shown.failed.Load() != nil || int(m.shown.decided.Load()) >= m.s.Passed()
}
