// Package header has the two lines at the top of the screen: where the packets come from, with the tabs of the views,
// and the display filter that is on.
package header

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/widget"
)

// Context is what the header may ask of the screen.
type Context interface {
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Tabs are those of the views as they are drawn, and their width.
	Tabs() (text string, width int)
	// Origin says what the filter was made of, or "".
	Origin() string
}

// A Header says which packets are shown.
type Header struct {
	c       Context
	packets *listed.Packets
}

// New is the header for the packets that are listed.
func New(c Context, packets *listed.Packets) *Header { return &Header{c, packets} }

// Draw draws the header in w cells: it says where the packets come from and whether the capture runs.
func (h *Header) Draw(w int) string {
	s := h.c.Style()
	var l paint.Line
	st := h.packets.Store.Status()
	right, rw := h.c.Tabs()
	name := dissect.Escape(st.Name)
	if rw+paint.Width(name)+18 <= w { // the capture's name comes first
		l.Put(s.Pens.Bold, " remora ")
	}
	l.Put(paint.Pen{}, " ")
	switch {
	case st.Live:
		l.Put(s.Pens.Good, s.Glyph("● LIVE ", "* LIVE "))
	case !st.Done && st.Waiting:
		l.Put(s.Pens.Dim, "waiting ")
	case st.Pace > 0:
		l.Put(s.Pens.Good, s.Glyph("▸ PLAY ", "> PLAY "))
		if st.Pace != 1 {
			l.Put(s.Pens.Good, s.Glyph("×", "x")+strconv.FormatFloat(st.Pace, 'g', 3, 64)+" ")
		}
	case !st.Done:
		l.Put(s.Pens.Dim, s.Glyph("◌ ", "o "))
	default:
		l.Put(s.Pens.Dim, s.Glyph("○ ", "o "))
	}
	if room := w - rw - l.Width - 1; paint.Width(name) > room && strings.ContainsAny(name, `/\`) {
		name = pathTail(name, max(8, room))
	}
	l.Put(paint.Pen{}, name)
	if st.CaptureFilter != "" {
		l.Put(s.Pens.Dim, "  "+dissect.Escape(st.CaptureFilter))
	}
	if room := w - rw; l.Width > room-1 {
		return paint.Pad(ansi.Truncate(l.Text(), max(0, room-1), "…"), room) + right
	}
	l.Put(paint.Pen{}, strings.Repeat(" ", w-l.Width-rw))
	return l.Text() + right
}

// pathTail cuts a path to n cells: paths differ at their end. It is cut between two folders where that leaves
// something.
func pathTail(name string, n int) string {
	if paint.Width(name) <= n {
		return name
	}
	name = paint.FitTail(name, n)
	if cut := strings.IndexAny(name, `/\`); cut > 0 && cut < len(name)-1 {
		return "…" + name[cut:]
	}
	return name
}

// Filter draws the line of the filter that is on in w cells, and what it does.
func (h *Header) Filter(w int) string {
	s := h.c.Style()
	var l paint.Line
	l.Put(s.Pens.Dim, " / ")
	text, p := h.count(w)
	if h.packets.Filtered == nil {
		l.Put(s.Pens.Dim, "no filter")
	} else {
		l.Put(paint.Pen{},
			ansi.Truncate(dissect.Escape(h.packets.Filtered.Filter.String()),
				max(10, w-l.Width-max(24, min(paint.Width(text), w/3))-4), "…"))
		if w-l.Width > 46 {
			if origin := h.c.Origin(); origin != "" {
				l.Put(s.Pens.Dim, "   "+origin)
			}
		}
	}
	if h.packets.Filtered != nil && h.packets.Filtered.Failed.Load() != nil && paint.Width(text) > w-l.Width-3 {
		text = "stopped"
	}
	l.Put(paint.Pen{}, strings.Repeat(" ", max(0, w-l.Width-paint.Width(text)-1)))
	l.Put(p, text)
	return paint.Clip(l.End(w), w)
}

// count is how many packets are shown.
func (h *Header) count(w int) (string, paint.Pen) {
	s := h.c.Style()
	all := h.packets.Session.Passed()
	if h.packets.Filtered == nil {
		return humanize.Packets(all), s.Pens.Dim
	}
	if err := h.packets.Filtered.Failed.Load(); err != nil {
		return (*err).Error(), s.Pens.Bad
	}
	n, of := h.packets.Filtered.Matches.Len(), h.packets.Store.Len()
	if first := h.packets.Store.First(); first > 0 { // what has left is not counted
		n, all = n-h.packets.Filtered.Row(dissect.FrameNum(first+1)), max(0, all-first)
	}
	lag := of - int(h.packets.Filtered.Decided.Load())
	// live, a few are always on their way
	if st := h.packets.Store.Status(); lag > 0 && (st.Done || lag > max(1000, of/50)) {
		text := humanize.Group(n) + " so far" + s.Glyph(" · ", ", ") + strconv.Itoa((of-lag)*100/max(1, of)) + " %"
		if w >= 100 {
			text += s.Glyph(" · ", ", ") + s.Key(act.Escape) + " ends it"
		}
		return text, s.Pens.Dim
	}
	text := s.Glyph("✓ ", "") + humanize.Group(n) + " of " + humanize.Group(all)
	if w >= 100 && all > 0 {
		text += s.Glyph(" · ", "  ") + strconv.FormatFloat(float64(n)*100/float64(all), 'f', 1, 64) + " %"
	}
	return text, s.Pens.Good
}
