package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// tick is the pulse while something moves.
type tick struct{}

// The pulse while something moves.
const pulseTime = 33 * time.Millisecond

func pulse() tea.Cmd { return tea.Tick(pulseTime, func(time.Time) tea.Msg { return tick{} }) }

// moving tells whether the pulse is needed.
func (m *model) moving() bool {
	if m.chooser != nil || m.menuDue() || m.saving != nil || m.sorted.under != nil || m.finding.seeking != nil {
		return true
	}
	if m.packets.Session != nil && m.profilesBusy() {
		return true
	}
	if m.finding.hits != nil && (!m.finding.hits.Full() || m.finding.hits.Of != m.packets.Filtered) {
		return true
	}
	if m.packets.Session != nil && m.names && m.cfg.Lookup != nil && m.cfg.Lookup.Busy() {
		return true
	}
	return m.packets.Session != nil && (!m.packets.Settled() || m.lagging() || m.selected.Outdated() || m.fewerBusy() || m.facetsBusy() || m.view() != nil && m.view().Busy())
}

// lagging tells whether the screen has yet to take in what came last: the first packet to select, the newest one to follow,
// the place of the selected one in a list that has just been filtered.
func (m *model) lagging() bool {
	rows := m.packets.Rows()
	switch {
	case rows == 0:
		return false
	case m.sortsLater(), m.marksToRead():
		return true
	case m.selected.Tree == nil, m.anchor != 0 && m.packets.Filtered != nil && m.packets.Filtered.Failed.Load() == nil:
		return true
	}
	return m.follow && m.packets.Frozen == 0 && m.selected.Frame != m.packets.Frame(rows-1)
}

// onTick looks at how far everything has come.
func (m *model) onTick() {
	m.look.ticking = false
	m.openMenu()
	if m.chooser != nil {
		m.chooser.refresh()
		return
	}
	if l := m.cfg.Lookup; l != nil && l.Changes() != m.lookedUp {
		m.lookedUp = l.Changes()
		m.rename()
	}
	if err := m.passFailed.Load(); err != nil {
		m.failure, m.quit = *err, true
	}
	defer m.sayLeft(m.selected.Frame)
	m.seeThemLeave()
	m.tellTrouble()
	m.tellGivenUp()
	c, _, _ := m.packets.All.All()
	m.rate.measure(time.Now().UnixNano(), c.Packets, c.Bytes)
	if n := m.resume; n != 0 && int(n) <= m.packets.Session.Passed() {
		m.resume, m.anchor = 0, n
		m.place()
		m.anchor = 0
	}
	if m.selected.Tree == nil || m.follow && m.packets.Frozen == 0 {
		m.settleCursor()
	}
	if m.packets.Filtered != nil && m.anchor != 0 && m.packets.Filtered.Decided.Load() >= uint32(m.anchor) {
		m.place()
		m.anchor = 0
	}
	if m.selected.LookAgain(time.Now()) {
		m.tree.Lay()
	}
	m.countFewer()
	m.lookForProfile()
	m.keepHits()
	if m.marksToRead() {
		m.readMarks()
	}
	if m.sortsLater() && (m.packets.Settled() || m.packets.Store.Status().Live) {
		m.startSorting()
	}
	if st := m.packets.Store.Status(); st.Err != nil && st.Done && m.packets.Store.Len() == 0 {
		m.failure, m.quit = st.Err, true
	}
}

// settleCursor selects the first packet when there is none yet, or the newest one while following.
func (m *model) settleCursor() {
	if m.packets.Rows() == 0 {
		return
	}
	anchor := m.anchor // a filter that is not done may still lead elsewhere
	if m.follow {
		m.moveTo(m.packets.Rows() - 1)
	} else if m.selected.Tree == nil {
		m.moveTo(0)
	}
	m.anchor = anchor
}
