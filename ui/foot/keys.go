package foot

import (
	"remora/ui/paint"
	"remora/ui/widget"
)

// packetHints are the keys that matter with the packets, most useful first: that to the games only where there are any,
// that to the newest packet only while packets come.
func (f *Foot) packetHints() [][2]string {
	hints := [][2]string{{"/", "filter"}, {"Tab", "pane"}, {"f", "facets"}}
	if f.packets.Session.HasGames() {
		hints = append(hints, [2]string{"gd", "games"})
	}
	hints = append(hints, [][2]string{{"gf", "follow"}, {"=", "use as filter"}, {"* #", "same type"}, {"%", "partner"}}...)
	if !f.packets.Store.Status().Done {
		hints = append(hints, [2]string{"F", "newest"})
	}
	return append(hints, [][2]string{{"w", "save"}, {"\\", "zoom"}, {"t", "time"}, {"?", "all keys"}, {"q", "quit"}}...)
}

// keys draws the keys that matter here. What was pressed of a longer one stands at their end.
func (f *Foot) keys(w int) string {
	hints := f.c.Hints()
	if hints == nil {
		hints = f.packetHints()
	}
	text, _ := f.c.Pressed()
	if text == "" {
		return f.hints(hints, w)
	}
	text = " " + text + " "
	bold := f.c.Style().Pens.Bold
	return f.hints(hints, w-paint.Width(text)) + bold.Open + text + bold.Close
}

// hints draws as many of the hints as there is room for. However narrow the line, the way back and the way to all
// keys stay on it: whoever knows these finds the rest.
func (f *Foot) hints(hints [][2]string, w int) string {
	s := f.c.Style()
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
		tail[i][0] = s.Keys.Shown(tail[i][0], nil)
		room -= widget.HintWidth(tail[i])
	}
	var l paint.Line
	for _, h := range body {
		if h[0] = s.Keys.Shown(h[0], nil); l.Width+widget.HintWidth(h) > room {
			break
		}
		s.PutHint(&l, h)
	}
	for _, h := range tail {
		s.PutHint(&l, h)
	}
	return paint.Clip(l.End(w), w)
}
