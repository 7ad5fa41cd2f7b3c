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
	n, rest, other := (*from)[k-1], (*from)[:k-1], append(*to, m.cur)
	m.jumpTo(n)
	*from, *to = rest, other // this is no jump of its own
}

// leave remembers where a jump begins. What was gone back from before is forgotten.
func (m *model) leave() { m.way.back, m.way.ahead = append(m.way.back, m.cur), nil }

func (m *model) step(n int) {
	switch {
	case m.tree == nil && m.focus != paneList:
	case m.focus == paneTree:
		m.moveTree(m.treePane.cur + n)
	case m.focus == paneHex:
		m.moveHex(m.hex.cur + n*m.perLine(m.layout().hex.w))
	default:
		m.stepList(n)
	}
}

func (m *model) stepList(n int) {
	if m.rows() == 0 {
		return
	}
	row := m.row(m.cur)
	if n > 0 && m.shown != nil && row < m.rows() && m.frame(row) != m.cur {
		n-- // the selected packet is hidden: the row is already the next one
	}
	m.follow = m.follow && row+n >= m.rows()-1
	m.moveTo(row + n)
}

// edge goes to the first or last line, or with a number to that packet.
func (m *model) edge(last bool, n int) {
	switch {
	case n > 0:
		m.jumpTo(dissect.FrameNum(n))
	case m.focus == paneTree && m.tree != nil:
		m.moveTree(map[bool]int{false: 0, true: len(m.treePane.lines) - 1}[last])
	case m.focus == paneHex && m.tree != nil:
		m.moveHex(map[bool]int{false: 0, true: len(m.tree.Source(m.hex.src)) - 1}[last])
	case last:
		m.leave()
		m.follow = !m.store.Status().Done && m.sorted.by == nil
		m.moveTo(m.rows() - 1)
	default:
		m.leave()
		m.follow = false
		m.moveTo(m.firstRow())
	}
}

func (m *model) sideways(right bool, n int) {
	if m.tree == nil {
		return
	}
	switch m.focus {
	case paneTree:
		if right {
			m.fold(1)
		} else {
			m.fold(-1)
		}
	case paneHex:
		if !right {
			n = -n
		}
		m.moveHex(m.hex.cur + n)
	}
}

// sameType goes on by some packets of the same protocol and packet type.
func (m *model) sameType(by int) {
	if m.tree == nil {
		return
	}
	p, kind := m.tree.Protocol(), m.tree.Kind()
	s, seen := m.s, map[*dissect.LayerStack]bool{}
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
	if conv := m.curConv; conv != 0 {
		s := m.s
		m.seek(by, func(n dissect.FrameNum) bool { return s.ConversationOf(n) == conv })
	}
}
