package ui

import (
	"time"

	"remora/dissect"
)

// What later packets tell of the selected one, as where its answer is, is not known when it is first looked at: it is looked
// at again while packets come, and once more when all have passed.

// lookedAt is when the selected packet was looked at last.
type lookedAt struct {
	frame  dissect.FrameNum
	passed int
	when   time.Time
}

// looksLater is how often a packet is looked at again while others come.
const looksLater = 500 * time.Millisecond

// outlooked tells whether packets passed since the selected one was looked at, of a capture that has ended.
func (m *model) outlooked() bool {
	return m.tree != nil && m.looked.frame == m.cur && m.looked.passed != m.s.Passed() && m.settled()
}

// lookLater looks at the selected packet again. The tree is changed only when there is more to see in it.
func (m *model) lookLater(now time.Time) {
	passed := m.s.Passed()
	if m.tree == nil || m.tree.Frame != m.cur || m.looked.frame == m.cur && m.looked.passed == passed {
		return
	}
	if m.looked.frame == m.cur && now.Sub(m.looked.when) < looksLater && !m.settled() {
		return
	}
	m.looked = lookedAt{m.cur, passed, now}
	if int(m.cur) <= m.store.First() {
		return
	}
	tree := m.looker.Tree(m.cur)
	if len(tree.Nodes) == len(m.tree.Nodes) {
		return
	}
	m.tree = tree.Clone()
	hex := m.hex
	m.findLinks()
	m.settleTree()
	m.hex = hex
}
