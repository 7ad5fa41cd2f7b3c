package ui

import (
	"bytes"

	"remora/dissect"
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

// compareTrees finds what is the same in two packets: nodes of the same field, the first with the first, the second with the
// second; and bytes at the same distance from the start of the protocol.
func compareTrees(t, was *dissect.Tree) before {
	b := before{frame: was.Frame, same: make([]bool, len(t.Nodes)), bytes: make([]bool, len(t.Source(0)))}
	old := map[dissect.FieldID][]int{}
	for i := range was.Nodes {
		old[was.Nodes[i].Field] = append(old[was.Nodes[i].Field], i)
	}
	seen := map[dissect.FieldID]int{}
	for i := range t.Nodes {
		id := t.Nodes[i].Field
		k := seen[id]
		seen[id]++
		b.same[i] = k < len(old[id]) && sameNode(t, i, was, old[id][k])
	}
	start, wasStart := protocolStart(t), protocolStart(was)
	data, oldData := t.Source(0), was.Source(0)
	for i := range data {
		j := i - start + wasStart
		b.bytes[i] = i >= start && j >= 0 && j < len(oldData) && oldData[j] == data[i]
	}
	return b
}

// sameNode tells whether two nodes say the same. A group is the same when its own text and bytes are.
func sameNode(t *dissect.Tree, i int, was *dissect.Tree, j int) bool {
	if t.Nodes[i].Val != was.Nodes[j].Val || t.Nodes[i].Len != was.Nodes[j].Len {
		return false
	}
	return bytes.Equal(t.Bytes(i), was.Bytes(j)) && t.Value(i) == was.Value(j)
}

// protocolStart is where the packet's own protocol begins.
func protocolStart(t *dissect.Tree) int {
	for i := range t.Nodes {
		if f := t.Field(i); f.Type() == dissect.TypeProtocol && f.Protocol() == t.Protocol() && t.Nodes[i].Src == 0 {
			return int(t.Nodes[i].Off)
		}
	}
	return len(t.Source(0))
}

// unchanged tells whether a node of the packet's own protocol is as it was.
func (m *model) unchanged(i int) bool {
	return i < len(m.before.same) && m.before.same[i] && m.tree.Field(i).Protocol() == m.tree.Protocol() && m.tree.Field(i).Type() != dissect.TypeProtocol
}
