package ui

import (
	"remora/dissect"
	"remora/ui/compare"
)

// What changed since the last packet of the same type, from the same end in the same conversation, is bright; what is as it
// was is dim. Only the packet's own protocol is compared: the layers below always differ.

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
	n := compare.SameBefore(m.s, m.cur)
	if n == 0 {
		return
	}
	m.before = compareTrees(m.tree, m.looker.Tree(n))
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
