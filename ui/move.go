package ui

import (
	"remora/dissect"
)

func (m *model) step(n int) {
	switch {
	case m.selected.Tree == nil && m.room.focus != paneList:
	case m.room.focus == paneTree:
		m.tree.Step(n)
	case m.room.focus == paneHex:
		m.hex.Step(n, 0)
	default:
		m.list.Step(n)
	}
}

// edge goes to the first or last line, or with a number to that packet.
func (m *model) edge(last bool, n int) {
	switch {
	case n > 0:
		m.list.Jump(dissect.FrameNum(n))
	case m.room.focus == paneTree && m.selected.Tree != nil:
		m.tree.Edge(last)
	case m.room.focus == paneHex && m.selected.Tree != nil:
		m.hex.Edge(last)
	default:
		m.list.Edge(last)
	}
}

func (m *model) sideways(right bool, n int) {
	if m.selected.Tree == nil {
		return
	}
	switch m.room.focus {
	case paneTree:
		if right {
			m.tree.Fold(1)
		} else {
			m.tree.Fold(-1)
		}
	case paneHex:
		if !right {
			n = -n
		}
		m.hex.Step(0, n)
	}
}
