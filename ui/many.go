package ui

import (
	"context"
	"maps"

	"remora/dissect"
	"remora/ui/filtered"
	"remora/ui/humanize"
)

// mostAtOnce bounds the packets that are picked or ignored at once: each takes memory of its own.
const mostAtOnce = 1_000_000

// withShown gathers the packets shown beside the screen, and hands them on.
func withShown(m *model, use func(list []dissect.FrameNum)) {
	rows, captured, session := m.packets.Rows(), m.packets.CapturedFrames(), m.packets.Session
	if rows > mostAtOnce {
		m.foot.Notice = humanize.Packets(rows) + " are too many at once: a filter that leaves up to " +
			humanize.Group(mostAtOnce) + " helps"
		return
	}
	first := m.packets.First()
	m.jobs.Later("gathering", func(context.Context) func() {
		list := make([]dissect.FrameNum, 0, rows)
		for row := first; row < rows; row++ {
			if n := captured(row); n > 0 { // 0: it left meanwhile
				list = append(list, n)
			}
		}
		return func() {
			if m.packets.Session == session {
				use(list)
			}
		}
	})
}

// pickShown picks all packets shown, or none of them.
func pickShown(m *model, on bool) {
	withShown(m, func(list []dissect.FrameNum) {
		m.marks.PickAll(list, on)
		keepMarks(m)
		m.foot.Notice = humanize.Packets(len(list)) + isAre(len(list)) + "picked"
		if !on {
			m.foot.Notice = "none of the packets shown is picked"
		}
	})
}

// ignoreShown ignores all packets shown, or none of them.
func ignoreShown(m *model, on bool) {
	withShown(m, func(list []dissect.FrameNum) {
		next := maps.Clone(m.packets.Ignored)
		if next == nil {
			next = filtered.Ignored{}
		}
		for _, n := range list {
			if on {
				next[n] = true
			} else {
				delete(next, n)
			}
		}
		m.setIgnored(next)
	})
}
