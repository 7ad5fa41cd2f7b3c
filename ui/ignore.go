package ui

import (
	"context"
	"maps"
	"slices"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/filtered"
	"remora/ui/humanize"
)

// Ignored packets stay in the list, but nothing is said of them: they are not dissected for the screen, match no filter
// and are not counted. They are saved like all others.

// ignore ignores the selected packet, or the packets picked, or does so no more.
func (m *model) ignore() {
	list := m.marks.Picked()
	if len(list) == 0 && m.selected.Frame > 0 {
		list = []dissect.FrameNum{m.selected.Frame}
	}
	if len(list) == 0 {
		return
	}
	next := maps.Clone(m.packets.Ignored)
	if next == nil {
		next = filtered.Ignored{}
	}
	on := slices.ContainsFunc(list, func(n dissect.FrameNum) bool { return !next[n] })
	for _, n := range list {
		if on {
			next[n] = true
		} else {
			delete(next, n)
		}
	}
	single := len(list) == 1 && list[0] == m.selected.Frame
	m.setIgnored(next)
	if single {
		m.list.Step(1)
	}
}

func (m *model) ignoreNone() {
	n := len(m.packets.Ignored)
	m.setIgnored(nil)
	m.foot.Notice = humanize.Packets(n) + isAre(n) + "not ignored any more"
}

// setIgnored ignores other packets: everything is counted and filtered anew.
func (m *model) setIgnored(next filtered.Ignored) {
	m.packets.Ignored = next
	m.countAnew()
	m.redraw(0)
	m.refilter()
	m.foot.Notice = humanize.Packets(len(next)) + isAre(len(next)) + "ignored; I ignores none"
}

// countAnew begins to count all packets again.
func (m *model) countAnew() {
	if m.capture.stopCounting != nil {
		m.capture.stopCounting()
	}
	m.facets.Recount()
	m.facets.Drop(nil)
	s, ig, t := m.packets.Session, m.packets.Ignored, stats.NewTally(m.packets.Session)
	m.packets.All = t
	m.capture.stopCounting = m.jobs.Go("counting", func(ctx context.Context) { ig.CountAll(ctx, s, t) })
}

// isAre is the verb for that many packets.
func isAre(n int) string {
	if n == 1 {
		return " is "
	}
	return " are "
}
