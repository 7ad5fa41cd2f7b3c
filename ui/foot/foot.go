// Package foot has the last lines of the screen: the counts and the keys that matter, or what there is to say.
package foot

import (
	"cmp"
	"strconv"
	"strings"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the foot may ask of the screen.
type Context interface {
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Screen is the size of the whole screen.
	Screen() (w, h int)
	// View is the view that is open, nil for the packets.
	View() view.View
	// Hints are the keys that matter here, each with what it does; nil: those of the packets.
	Hints() [][2]string
	// Pressed is what was pressed of a longer key; waits tells whether more is waited for.
	Pressed() (keys string, waits bool)
	// Work says how far what goes on is, or "".
	Work() string
	// Found says how many packets hold what is searched, or "".
	Found() string
	// Picked is how many packets are picked.
	Picked() int
	// Order says what the list is sorted by, or "", and whether it follows the newest packet.
	Order() (sorted string, follow bool)
	// Row is the row of the selected packet for w cells where the list cuts it, or "".
	Row(w int) string
	// Profile is whose settings are used, or "".
	Profile() string
}

// A Foot says how many packets there are, and what else there is to say.
type Foot struct {
	Notice string // what there is to say; "": nothing

	c       Context
	packets *listed.Packets
	notices notices
}

// New is the foot for the packets that are listed.
func New(c Context, packets *listed.Packets) *Foot { return &Foot{c: c, packets: packets} }

// Most is a notice of the most of n parts for which there is room, of one at least; text puts them together.
func (f *Foot) Most(n int, text func(n int) string) string {
	w, _ := f.c.Screen()
	room := max(20, w-4) // a screen that is narrower shows nothing
	for ; n > 1; n-- {
		shown := dissect.Escape(text(n))
		if paint.Width(shown) <= room || len(widget.BreakText(shown, room)) <= f.lines() {
			break
		}
	}
	return text(n)
}

// maxNotice is how many lines what there is to say may take.
const maxNotice = 6

// lines is how many lines it may take on a screen of this height.
func (f *Foot) lines() int {
	_, h := f.c.Screen()
	return max(2, min(maxNotice, h/4))
}

// Draw draws the last two lines in w cells: counts and keys, or what there is to say, which takes the room of both if
// it is long, and of lines above them if it is longer.
func (f *Foot) Draw(w int) []string {
	s, work := f.c.Style(), f.c.Work()
	if work != "" {
		work += "; " + s.Key(act.Escape) + " ends it"
	}
	notice := dissect.Escape(cmp.Or(work, f.Notice))
	if notice == "" {
		return []string{f.status(w), f.keys(w)}
	}
	parts := []string{notice}
	if paint.Width(notice) > w-4 {
		parts = widget.BreakText(notice, w-4)
	}
	_, waits := f.c.Pressed()
	out := []string{f.notice(s.Glyph("▪ ", "- ")+parts[0], w)}
	if len(parts) == 1 || waits {
		return append(out, f.keys(w))
	}
	if n := f.lines(); len(parts) > n { // what is left out leaves a sign
		parts = append(parts[:n-1], paint.Fit(strings.Join(parts[n-1:], " "), w-4))
	}
	for _, part := range parts[1:] {
		out = append(out, f.notice("  "+part, w))
	}
	return out
}

func (f *Foot) notice(text string, w int) string {
	var l paint.Line
	l.Put(f.c.Style().Pens.Warn, " "+text)
	return paint.Clip(l.End(w), w)
}

// remarks is how many notes of a severity there are, with its name where there is room: a live capture has more to say.
func remarks(n int, name string, w int, st capture.Status) string {
	if w < 100 && (st.Live || !st.Done) {
		return humanize.Group(n)
	}
	return humanize.Of(n, name)
}

// evicted says what the memory limit has cost so far, and the limit where there is room.
func (f *Foot) evicted(l *paint.Line, w int) {
	text := f.packets.Session.Forgotten().Text(humanize.Of)
	if text == "" {
		return
	}
	text += " evicted"
	if limit := f.packets.Session.Retention().Stated; limit > 0 && w >= 100 {
		text += ": memory limit " + source.SizeText(limit)
	}
	l.Put(f.c.Style().Pens.Dim, "   "+text)
}

// The row of the selected packet stands behind the counts on lines of minBoth cells, and has leastRow at least.
const (
	minBoth  = 100
	leastRow = 24
)

// status draws the counts.
func (f *Foot) status(w int) string {
	s, st := f.c.Style(), f.packets.Store.Status()
	var l paint.Line
	if v := f.c.View(); v != nil {
		return paint.Fit(" "+v.Status(), w)
	}
	stored, row := f.packets.Store.Len(), f.c.Row(w-2)
	brief := row != "" && w < minBoth // the lines above have these counts, too
	if !brief {
		l.Put(paint.Pen{}, " "+humanize.Packets(stored))
	}
	if f.packets.Filtered != nil && !brief {
		l.Put(s.Pens.Dim, "   "+paint.FitRight(humanize.Group(f.packets.Rows()), len(humanize.Group(stored)))+" shown")
	}
	if passed := f.packets.Session.Passed(); passed < stored {
		l.Put(s.Pens.Dim, "   dissected "+strconv.Itoa(passed*100/max(1, stored))+" %")
	}
	if !st.Done && !st.Live && st.Pace == 0 && st.BytesTotal > 0 { // what is played was read long before it shows
		l.Put(s.Pens.Dim, "   read "+strconv.Itoa(int(st.BytesRead*100/st.BytesTotal))+" %")
	}
	if len(st.PerInterface) > 0 {
		f.dropped(&l, st, w)
	}
	if text := keptText(st); text != "" {
		l.Put(s.Pens.Dim, "   "+text)
	}
	f.evicted(&l, w)
	if n := f.packets.Session.ExpertCount(dissect.Error); n > 0 && !brief {
		l.Put(s.Pens.Bad, "   "+s.Glyph("✗ ", "x ")+remarks(int(n), "error", w, st))
	}
	if n := f.packets.Session.ExpertCount(dissect.Warn); n > 0 && !brief {
		l.Put(s.Pens.Warn, "   ! "+remarks(int(n), "warning", w, st))
	}
	if text := f.c.Found(); text != "" {
		l.Put(s.Pens.Accent, "   "+text)
	}
	if st.Unsaved {
		l.Put(s.Pens.Warn, "   unsaved")
	} else if f.packets.Store.CommentsChanged() {
		l.Put(s.Pens.Warn, "   comments unsaved")
	}
	if n := f.c.Picked(); n > 0 {
		l.Put(s.Pens.Accent, "   "+humanize.Group(n)+" picked")
	}
	if n := len(f.packets.Ignored); n > 0 {
		l.Put(s.Pens.Dim, "   "+humanize.Group(n)+" ignored")
	}
	if k := len(st.Notices); k > 0 {
		l.Put(s.Pens.Warn, "   "+dissect.Escape(st.Notices[k-1]))
	}
	right := ""
	if f.packets.Frozen > 0 {
		right += "frozen "
	}
	sorted, follow := f.c.Order()
	if sorted != "" {
		right += sorted + " "
	}
	if follow {
		right += s.Glyph("follow ↓ ", "follow ")
	}
	if profile := f.c.Profile(); profile != "" {
		right += " " + dissect.Escape(profile) + " "
	}
	if room := w - l.Width - paint.Width(right) - 4; row != "" && room >= leastRow {
		gap := "   "
		if l.Width == 0 {
			gap = " "
		}
		l.Put(paint.Pen{}, gap+strings.TrimRight(paint.Fit(f.c.Row(room), room), " "))
	}
	if l.Width+paint.Width(right) < w {
		l.Put(paint.Pen{}, strings.Repeat(" ", w-l.Width-paint.Width(right)))
		l.Put(s.Pens.Accent, right)
	}
	return paint.Clip(l.End(w), w)
}
