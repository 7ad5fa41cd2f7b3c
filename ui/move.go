package ui

import (
	"remora/dissect"
)

// retrace goes to where the last jump of a history began, and puts the place it leaves on the other one.
func (m *model) retrace(from, to *[]dissect.FrameNum) {
	k := len(*from)
	if k == 0 {
		m.notice = "no jump leads further"
		return
	}
	n, rest, other := (*from)[k-1], (*from)[:k-1], append(*to, m.selected.Frame)
	m.list.Jump(n)
	*from, *to = rest, other // this is no jump of its own
}

// leave remembers where a jump begins. What was gone back from before is forgotten.
func (m *model) leave() { m.way.back, m.way.ahead = append(m.way.back, m.selected.Frame), nil }

func (m *model) step(n int) {
	switch {
	case m.selected.Tree == nil && m.focus != paneList:
	case m.focus == paneTree:
		m.tree.Step(n)
	case m.focus == paneHex:
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
	case m.focus == paneTree && m.selected.Tree != nil:
		m.tree.Edge(last)
	case m.focus == paneHex && m.selected.Tree != nil:
		m.hex.Edge(last)
	default:
		m.list.Edge(last)
	}
}

func (m *model) sideways(right bool, n int) {
	if m.selected.Tree == nil {
		return
	}
	switch m.focus {
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

// sameType goes on by some packets of the same protocol and packet type.
func (m *model) sameType(by int) {
	if m.selected.Tree == nil {
		return
	}
	p, kind := m.selected.Tree.Protocol(), m.selected.Tree.Kind()
	s, seen := m.packets.Session, map[*dissect.LayerStack]bool{}
	m.seek(by, func(n dissect.FrameNum) bool {
		sh := s.LayerStackOf(n)
		same, known := seen[sh]
		if !known {
			same = s.StackTop(sh) == p && s.KindText(sh) == kind
			seen[sh] = same
		}
		return same
	})
}

// sameTalk goes on by some packets of the same conversation.
func (m *model) sameTalk(by int) {
	if conv := m.selected.Conv; conv != 0 {
		s := m.packets.Session
		m.seek(by, func(n dissect.FrameNum) bool { return s.ConversationOf(n) == conv })
	}
}

// partner goes along the packet's first link.
func (m *model) partner() {
	if m.selected.Tree == nil {
		return
	}
	if n := m.selected.Partner(); n > 0 {
		m.list.Jump(n)
		return
	}
	m.notice = "this packet has no link to another"
}
