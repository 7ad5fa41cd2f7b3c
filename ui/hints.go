package ui

import (
	"remora/ui/paint"
	"remora/ui/widget"
)

// packetHints are the keys that matter with the packets, most useful first: that to the games only where there are any,
// that to the newest packet only while packets come.
func (m *model) packetHints() [][2]string {
	hints := [][2]string{{"/", "filter"}, {"Tab", "pane"}, {"f", "facets"}}
	if m.packets.Session.HasGames() {
		hints = append(hints, [2]string{"gd", "games"})
	}
	hints = append(hints, [][2]string{{"gf", "follow"}, {"=", "use as filter"}, {"* #", "same type"}, {"%", "partner"}}...)
	if !m.packets.Store.Status().Done {
		hints = append(hints, [2]string{"F", "newest"})
	}
	return append(hints, [][2]string{{"w", "save"}, {"\\", "zoom"}, {"t", "time"}, {"?", "all keys"}, {"q", "quit"}}...)
}

var facetHints = [][2]string{{"Space", "tick"}, {"o", "only this"}, {"x", "hide this"}, {"A", "all"},
	{"/", "edit as text"}, {"f", "close"}, {"l h", "unfold"}, {"s", "sort"}, {"Ctrl-F", "find"}, {"?", "all keys"}}

// hintsHere are the keys of the view or pane that is open, or nil for those of the packets.
func (m *model) hintsHere() [][2]string {
	if v := m.views.View(); v != nil {
		return v.Keys()
	} else if m.room.focus == paneFacets {
		return facetHints
	}
	return nil
}

// drawKeys draws the keys that matter here. What was pressed of a longer one stands at their end.
func (m *model) drawKeys(w int) string {
	hints := m.hintsHere()
	if hints == nil {
		hints = m.packetHints()
	}
	text := m.keying.Pressed()
	if text == "" {
		return m.hintLine(hints, w)
	}
	text = " " + text + " "
	return m.hintLine(hints, w-paint.Width(text)) + m.style.Pens.Bold.Open + text + m.style.Pens.Bold.Close
}

// hintLine draws as many of the hints as there is room for. However narrow the line, the way back and the way to all
// keys stay on it: whoever knows these finds the rest.
func (m *model) hintLine(hints [][2]string, w int) string {
	var body, tail [][2]string
	for _, h := range hints {
		switch h[0] {
		case "?":
		case "q":
			if h[1] == "back" {
				tail = append(tail, h)
				continue
			}
			fallthrough
		default:
			body = append(body, h)
		}
	}
	keys := "all keys"
	if w < 100 {
		keys = "keys"
	}
	tail = append(tail, [2]string{"?", keys})
	room := w
	for i := range tail {
		tail[i][0] = m.keymap.Shown(tail[i][0], nil)
		room -= widget.HintWidth(tail[i])
	}
	var l paint.Line
	for _, h := range body {
		if h[0] = m.keymap.Shown(h[0], nil); l.Width+widget.HintWidth(h) > room {
			break
		}
		m.style.PutHint(&l, h)
	}
	for _, h := range tail {
		m.style.PutHint(&l, h)
	}
	return paint.Clip(l.End(w), w)
}
