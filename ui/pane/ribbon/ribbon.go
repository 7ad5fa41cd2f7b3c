// Package ribbon is the line with the rate of packets over the whole capture. What the filter shows is bright; the
// packet under the cursor has its place marked; marks, what a search found and errors are ticks on it. A click goes to
// that time, a drag picks a range of it.
package ribbon

import (
	"cmp"
	"sort"
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/internal/sorting"
	"remora/ui/humanize"
	"remora/ui/listed"
	"remora/ui/marks"
	"remora/ui/paint"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the ribbon may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() view.Scope
	// Style is how the screen draws.
	Style() *widget.Style
	// Width is the width of the ribbon.
	Width() int
	// Hits is how many packets with what is searched were found in each of w spans of time; nil while nothing is searched.
	Hits(from, to int64, w int) []float64
	// GoTo selects a packet and remembers for the way back where the cursor was.
	GoTo(n dissect.FrameNum)
	// Narrow keeps of what is shown what passes a filter, too.
	Narrow(filter string)
}

// A Pane is the ribbon's state.
type Pane struct {
	c       Context
	packets *listed.Packets
	packet  *selected.Packet
	marks   *marks.Marks

	rate   recentRates
	faults faults
	drag   drag
}

// A drag picks a range of columns.
type drag struct {
	on       bool
	from, to int
}

// New is the ribbon of the packets that are listed.
func New(c Context, packets *listed.Packets, packet *selected.Packet, m *marks.Marks) *Pane {
	return &Pane{c: c, packets: packets, packet: packet, marks: m}
}

// Reset begins anew: another capture is shown.
func (p *Pane) Reset() { p.rate = recentRates{} }

// Measure works the rates out twice a second; it wants to be called more often.
func (p *Pane) Measure(now time.Time) {
	c, _, _ := p.packets.All.All()
	p.rate.measure(now.UnixNano(), c.Packets, c.Bytes)
}

// rateWidth is the room for the rates on the right of the ribbon.
const rateWidth = 24

// Draw draws the ribbon in w cells.
func (p *Pane) Draw(w int) string {
	var l paint.Line
	l.Put(paint.Pen{}, " ")
	bars := barsOf(w)
	from, to := p.packets.Span()
	all := p.packets.All.Spread(from, to+1, bars)
	shown := all
	if p.packets.Filtered != nil {
		shown = p.packets.Filtered.Tally.Spread(from, to+1, bars)
	}
	at := -1
	if p.packet.Tree != nil && p.packet.Frame > 0 {
		at = int(float64(p.packet.Tree.Time()-from) / float64(to+1-from) * float64(bars))
	}
	lo, hi := p.picked()
	t := p.ticks(from, to+1, bars)
	t.at, t.lo, t.hi = at, lo-1, hi-1
	p.drawBars(&l, all, shown, t)
	l.Put(p.c.Style().Pens.Dim, paint.FitRight(p.rateText(), w-l.Width-1))
	return l.End(w)
}

// barsOf is how many bars there are on a ribbon of w cells.
func barsOf(w int) int { return max(10, w-rateWidth-3) }

// drawBars draws a bar for each span, or the tick on it. A run of bars in one colour is put at once.
func (p *Pane) drawBars(l *paint.Line, all, shown []float64, t ticksOfTime) {
	levels, top := p.c.Style().Levels(), 1.0
	for _, v := range all {
		top = max(top, v)
	}
	var run strings.Builder
	now := paint.Pen{}
	for i, v := range all {
		sign, pen := ' ', p.c.Style().Pens.Dim
		if v > 0 {
			sign = levels[min(len(levels)-1, int(v/top*float64(len(levels))))]
		}
		if shown[i] > 0.001 {
			if pen = p.c.Style().Pens.Accent; p.packets.Filtered == nil {
				pen = p.c.Style().Pens.Bars
			}
		}
		sign, pen = t.tick(p.c.Style(), i, sign, pen)
		if pen != now {
			l.Put(now, run.String())
			run.Reset()
			now = pen
		}
		run.WriteRune(sign)
	}
	l.Put(now, run.String())
}

// rateText says how fast packets come: of late while they do, else over the whole time.
func (p *Pane) rateText() string {
	c, from, to := p.packets.All.All()
	if c.Packets == 0 {
		return ""
	}
	if !p.packets.Store.Status().Live {
		seconds := float64(to-from) / 1e9
		return humanize.Scaled(float64(c.Packets)/max(seconds, 0.001), 1000, "p/s", "kp/s", "Mp/s") + "  " +
			humanize.Duration(seconds)
	}
	return humanize.Scaled(p.rate.packets, 1000, "p/s", "kp/s", "Mp/s") + "  " + humanize.Bits(p.rate.bytes*8)
}

// timeAt is the time at a column of the ribbon.
func (p *Pane) timeAt(x int) int64 {
	from, to := p.packets.Span()
	w := barsOf(p.c.Width())
	return from + int64(float64(to-from)*float64(widget.Clamp(x-1, 0, w))/float64(w))
}

// Grab begins to drag at a column.
func (p *Pane) Grab(x int) { p.drag = drag{true, x, x} }

// Drag goes on with a drag.
func (p *Pane) Drag(x int) { p.drag.to = x }

// Drop ends the drag: a range becomes a filter, a click goes to that time.
func (p *Pane) Drop() {
	from, lo, hi := p.drag.from, 0, 0
	lo, hi = p.picked()
	if p.drag = (drag{}); hi > lo {
		p.c.Narrow(p.c.Scope().Between(p.timeAt(lo), "<=", p.timeAt(hi+1)))
		return
	}
	p.GoToTime(p.timeAt(from))
}

// GoToTime selects the first packet shown that is not earlier.
func (p *Pane) GoToTime(at int64) {
	rows := p.packets.Rows()
	if rows == 0 {
		return
	}
	row := sort.Search(rows, func(i int) bool { return p.packets.Store.Time(int(p.packets.Captured(i))-1) >= at })
	p.c.GoTo(p.packets.Captured(min(row, rows-1)))
}

// picked is the range of columns that is being dragged over; hi is not above lo when there is none.
func (p *Pane) picked() (lo, hi int) {
	if !p.drag.on || p.drag.from == p.drag.to {
		return 0, 0
	}
	return min(p.drag.from, p.drag.to), max(p.drag.from, p.drag.to)
}

// recentRates are the packets and bytes a second of late.
type recentRates struct {
	packets, bytes float64
	at             int64 // nanoseconds, by the clock
	had            [2]uint64
}

// measure works the rates out twice a second.
func (r *recentRates) measure(now int64, packets, bytes uint64) {
	if span := now - r.at; span >= 500e6 || r.at == 0 {
		if r.at > 0 {
			r.packets, r.bytes = float64(packets-r.had[0])*1e9/float64(span), float64(bytes-r.had[1])*1e9/float64(span)
		}
		r.at, r.had = now, [2]uint64{packets, bytes}
	}
}

// ticksOfTime are what stands out on the ribbon, by span of time.
type ticksOfTime struct {
	at, lo, hi  int // the span of the packet under the cursor, and those that are dragged over
	marks       map[int]rune
	hits, wrong []float64
}

// ticks are the ticks for w spans of time from one to another.
func (p *Pane) ticks(from, to int64, w int) (t ticksOfTime) {
	t.marks = map[int]rune{}
	span := func(n dissect.FrameNum) int {
		return int(float64(p.packets.Store.Time(int(n)-1)-from) / float64(to-from) * float64(w))
	}
	for _, n := range p.marks.Picked() {
		t.marks[span(n)] = marks.PickedSign
	}
	for _, letter := range p.marks.Letters() {
		n := p.marks.Frame(letter)
		if i := span(n); t.marks[i] == 0 || t.marks[i] == marks.PickedSign || letter < t.marks[i] {
			t.marks[i] = letter
		}
	}
	t.hits = p.c.Hits(from, to, w)
	p.faults.count(p.packets.Session)
	if p.faults.any {
		t.wrong = outstanding(p.faults.line.Spread(from, to, w))
	}
	return t
}

// A tick for errors stands on a part of the ribbon at most, so that the rate is seen first: one in errorShare.
const errorShare = 8

// outstanding leaves of the spans with errors those that have most, where too many have some.
func outstanding(wrong []float64) []float64 {
	var with []int
	for i, v := range wrong {
		if v > 0.001 {
			with = append(with, i)
		}
	}
	most := max(1, len(wrong)/errorShare)
	if len(with) <= most {
		return wrong
	}
	sorting.Func(with, func(a, b int) int { // of those with as many some everywhere
		return cmp.Or(cmp.Compare(wrong[b], wrong[a]), cmp.Compare(a%errorShare, b%errorShare), cmp.Compare(a, b))
	})
	out := make([]float64, len(wrong))
	for _, i := range with[:most] {
		out[i] = wrong[i]
	}
	return out
}

// tick is what stands on the ribbon at a span, which has a bar of its own. Where there is no colour, what was found is
// underlined.
func (t *ticksOfTime) tick(style *widget.Style, i int, bar rune, p paint.Pen) (rune, paint.Pen) {
	if letter := t.marks[i]; letter != 0 {
		bar, p = letter, style.Pens.Warn
	} else if t.hits != nil && t.hits[i] > 0.001 {
		if p = style.Pens.Found; bar == ' ' {
			bar = style.Levels()[0]
		}
	} else if t.wrong != nil && t.wrong[i] > 0.001 {
		p = style.Pens.Bad
	}
	if i == t.at || i >= t.lo && i <= t.hi && t.hi > t.lo {
		p = style.Pens.Selected
	}
	return bar, p
}

// faults are the times of packets with errors, counted as they are met.
type faults struct {
	s    *dissect.Session
	upTo int // marks that are counted
	any  bool
	line stats.Timeline
}

// faultsAtOnce bounds the marks that are counted for one picture.
const faultsAtOnce = 20_000

func (f *faults) count(s *dissect.Session) {
	if f.s != s {
		*f = faults{s: s}
		if s.Store().Len() > 0 {
			f.line.Add(s.Store().Time(0), 0)
		}
	}
	for end := min(s.ExpertInfos(), f.upTo+faultsAtOnce); f.upTo < end; f.upTo++ {
		if k := s.ExpertInfo(f.upTo); k.Severity >= dissect.Error && k.Frame > 0 {
			f.any = true
			f.line.Add(s.Store().Time(int(k.Frame)-1), 1)
		}
	}
}
