package ui

import (
	"context"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/find"
	"remora/ui/humanize"
	"remora/ui/paint"
)

// hitsText says how many packets hold what is searched, and which of them is selected.
func (m *model) hitsText() string {
	h := m.finding.hits
	if h == nil {
		return ""
	}
	found, looked, place := h.State(m.selected.Frame)
	text := "found " + humanize.Group(found)
	if place > 0 && h.Full() {
		text = humanize.Group(place) + " of " + humanize.Group(found) + " found"
	}
	if rows := h.Rows(); !h.Full() && looked < rows {
		text += " so far, " + strconv.Itoa(looked*100/max(1, rows)) + " %"
	}
	what := strings.TrimSpace(h.Text)
	return dissect.Escape(paint.Fit(what, min(paint.Width(what), 20))) + " " + text
}

// newHits begins to look for what is searched, from a row on.
func (m *model) newHits(fd *find.Finder, text string, row, way int) *find.Hits {
	var ctx context.Context
	ctx, m.finding.stop = context.WithCancel(m.ctx)
	h := find.Start(find.List{Session: m.packets.Session, Of: m.packets.Filtered, Skip: m.packets.Ignored, Frame: m.packets.CapturedFrames()}, fd, text, row, way)
	go func() {
		defer m.guard("searching")
		h.Run(ctx)
	}()
	return h
}

// endHits forgets what was found.
func (m *model) endHits() {
	if m.finding.hits != nil {
		m.finding.stop()
		m.finding.hits = nil
	}
}

// keepHits looks anew where other packets are shown than those that were looked at.
func (m *model) keepHits() {
	if h := m.finding.hits; h != nil && (h.Of != m.packets.Filtered || h.Session != m.packets.Session || len(h.Skip) != len(m.packets.Ignored)) {
		m.endHits()
		if h.Session == m.packets.Session {
			m.finding.hits = m.newHits(h.Finder, h.Text, max(0, min(m.packets.CapturedRow(m.selected.Frame), m.packets.Rows())), h.Direction())
		}
	}
}
