package search

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/find"
	"remora/ui/humanize"
	"remora/ui/paint"
)

// HitsText says how many packets hold what is searched, and which of them is selected.
func (s *Search) HitsText() string {
	h := s.hits
	if h == nil {
		return ""
	}
	found, looked, place := h.State(s.packet.Frame)
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
func (s *Search) newHits(fd *find.Finder, text string, row, way int) *find.Hits {
	h := find.Start(find.List{Session: s.packets.Session, Of: s.packets.Filtered, Skip: s.packets.Ignored,
		Frame: s.packets.CapturedFrames()}, fd, text, row, way)
	s.stop = s.c.Go("searching", h.Run)
	return h
}

// EndHits forgets what was found.
func (s *Search) EndHits() {
	if s.hits != nil {
		s.stop()
		s.hits = nil
	}
}

// Keep looks anew where other packets are shown than those that were looked at.
func (s *Search) Keep() {
	if h := s.hits; h != nil &&
		(h.Of != s.packets.Filtered || h.Session != s.packets.Session || len(h.Skip) != len(s.packets.Ignored)) {
		s.EndHits()
		s.hits = s.newHits(h.Finder, h.Text, max(0, min(s.packets.CapturedRow(s.packet.Frame), s.packets.Rows())),
			h.Direction())
	}
}
