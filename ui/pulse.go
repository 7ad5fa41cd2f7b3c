package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/internal/broker"
	"remora/ui/views"
)

// tick is the pulse while something moves.
type tick struct{}

// The pulse while something moves.
const pulseTime = 33 * time.Millisecond

func pulse() tea.Cmd { return tea.Tick(pulseTime, func(time.Time) tea.Msg { return tick{} }) }

// working tells whether something goes on that Esc ends.
func (m *model) working() bool {
	return broker.Waiting() || m.search.Seeking() || m.saver.Busy() || m.list.Sorting() != nil
}

// moving tells whether the pulse is needed.
func (m *model) moving() bool {
	if m.chooser != nil || m.keying.Due() || m.working() {
		return true
	}
	if m.packets.Session != nil && m.profilesBusy() {
		return true
	}
	if m.search.Busy() || m.packets.Session != nil && m.capture.again.Busy(m.packets, mayReplace(m)) {
		return true
	}
	if m.packets.Session != nil && m.naming.on && m.cfg.Lookup != nil && m.cfg.Lookup.Busy() {
		return true
	}
	return m.packets.Session != nil &&
		(!m.packets.Settled() || m.list.Lags() || m.packets.Rows() > 0 && m.marks.Unread(m.packets.Store) ||
			m.selected.Outdated() || m.list.FewerBusy() || m.facets.Busy() || m.views.View() != nil && m.views.View().Busy())
}

// mayReplace tells whether no view is open that would have to begin anew. Those of the header's tabs do so for
// dissectors that were saved: somebody waits for what becomes of them.
func mayReplace(m *model) bool {
	if m.capture.again.Wanted() != nil {
		return m.views.Over() == nil || m.views.Stays() != nil || m.views.Renews() != nil
	}
	return m.views.View() == nil || m.views.Tab() == views.Packets && m.views.Renews() != nil
}

// onTick looks at how far everything has come.
func (m *model) onTick() {
	m.look.ticking = false
	m.keying.OpenMenu()
	if err := m.jobs.Failed(); err != nil {
		m.ending.failure, m.ending.quit = err, true
	}
	if m.chooser != nil {
		m.chooser.Refresh()
		return
	}
	if l := m.cfg.Lookup; l != nil && l.Changes() != m.naming.lookedUp {
		m.naming.lookedUp = l.Changes()
		m.rename()
	}
	defer m.list.SayLeft(m.selected.Frame)
	m.list.SeeThemLeave()
	m.foot.SayNotices()
	m.coloring.SayGivenUp()
	m.ribbon.Measure(time.Now())
	if r := m.capture.again.Tick(m.packets, m.jobs.Go, m.cfg.DecodeAs, mayReplace(m) && !m.working()); r != nil {
		m.replace(r)
	}
	m.list.CatchUp()
	if m.selected.Rebuild(time.Now()) {
		m.tree.Lay()
	}
	m.list.CountFewer()
	m.lookForProfile()
	m.search.Keep()
	if m.marks.Unread(m.packets.Store) {
		m.readMarks()
	}
	m.list.SortLater()
	if st := m.packets.Store.Status(); st.Err != nil && st.Done && m.packets.Store.Len() == 0 {
		m.ending.failure, m.ending.quit = st.Err, true
	}
}
