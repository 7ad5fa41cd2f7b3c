package ui

import (
	"remora/dissect"
)

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
	return m.shown.Matches.Len()
}

func (m *model) frame(row int) dissect.FrameNum {
	if o := m.sorted.order; o != nil && row < len(o.frames) {
		return o.frames[row]
	}
	return m.baseFrame(row)
}

func (m *model) row(n dissect.FrameNum) int {
	row := m.baseRow(n)
	if o := m.sorted.order; o != nil && row < len(o.frames) {
		return int(o.rowOf[m.baseFrame(row)]) - 1 // of a hidden packet: of the next one captured that is shown
	}
	return row
}

// baseFrame and baseRow are frame and row in the order of the capture.
func (m *model) baseFrame(row int) dissect.FrameNum {
	if m.shown == nil {
		return dissect.FrameNum(row + 1)
	}
	return m.shown.Matches.At(row)
}

func (m *model) baseRow(n dissect.FrameNum) int { return m.shown.Row(n) }

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
	return m.shown == nil || m.shown.Failed.Load() != nil || int(m.shown.Decided.Load()) >= m.s.Passed()
}
