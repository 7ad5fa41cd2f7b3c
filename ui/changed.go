package ui

import (
	"remora/dissect"
	"remora/ui/compare"
)

// What changed since the last packet of the same type, from the same end in the same conversation, is bright; what is as it
// was is dim. Only the packet's own protocol is compared: the layers below always differ.

// lookBack bounds how far back the packet before is searched, so that a key waits for no more.
const lookBack = 20_000

// before is the packet that the selected one is compared with, and what differs from it.
type before struct {
	frame dissect.FrameNum
	same  []bool // by node: as it was
	bytes []bool // by byte of the first source: as it was
}

// findBefore compares the selected packet with the last one of its type.
func (m *model) findBefore() {
	m.before = before{}
	if m.tree == nil || m.compareOff {
		return
	}
	n := m.sameBefore(m.cur)
	if n == 0 {
		return
	}
	m.before = compareTrees(m.tree, m.looker.Tree(n))
}

// sameBefore is the last packet of the same protocol and type, from the same end, or 0.
func (m *model) sameBefore(n dissect.FrameNum) dissect.FrameNum {
	conv, dir := m.s.TalkOf(n)
	sh := m.s.ShapeOf(n)
	if conv == 0 {
		return 0
	}
	top, kind := m.s.ShapeTop(sh), m.s.KindText(sh)
	for at, end := n-1, n-min(n, lookBack); at > end; at-- {
		if c, d := m.s.TalkOf(at); c != conv || d != dir {
			continue
		}
		if s := m.s.ShapeOf(at); s == sh || m.s.ShapeTop(s) == top && m.s.KindText(s) == kind {
			return at
		}
	}
	return 0
}

// compareTrees finds what is the same in two packets.
func compareTrees(t, was *dissect.Tree) before {
	nodes, data := compare.Since(t, was)
	return before{frame: was.Frame, same: nodes, bytes: data}
}

// unchanged tells whether a node of the packet's own protocol is as it was.
func (m *model) unchanged(i int) bool {
	return i < len(m.before.same) && m.before.same[i] && m.tree.Field(i).Protocol() == m.tree.Protocol() && m.tree.Field(i).Type() != dissect.TypeProtocol
}
