package ui

import (
	"sort"
	"strings"

	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// The ribbon is one line with the rate of packets over the whole capture. What the filter shows is bright; the packet under
// the cursor has its place marked; marks, what a search found and errors are ticks on it. A click goes to that time, a drag
// picks a range of it.

// rateWidth is the room for the rates on the right of the ribbon.
const rateWidth = 24

func (m *model) drawRibbon(r rect) string {
	var l paint.Line
	l.Put(paint.Pen{}, " ")
	w := m.ribbonWidth(r)
	from, to := m.packets.Span()
	all := m.packets.All.Spread(from, to+1, w)
	shown := all
	if m.packets.Filtered != nil {
		shown = m.packets.Filtered.Tally.Spread(from, to+1, w)
	}
	at := -1
	if m.selected.Tree != nil && m.selected.Frame > 0 {
		at = int(float64(m.selected.Tree.Time()-from) / float64(to+1-from) * float64(w))
	}
	lo, hi := m.pickedSpan()
	t := m.ribbonTicks(from, to+1, w)
	t.at, t.lo, t.hi = at, lo-1, hi-1
	m.drawBars(&l, all, shown, t)
	l.Put(m.style.Pens.Dim, paint.FitRight(m.rateText(), r.w-l.Width-1))
	return l.End(r.w)
}

func (m *model) ribbonWidth(r rect) int { return max(10, r.w-rateWidth-3) }

// drawBars draws a bar for each span, or the tick on it. A run of bars in one colour is put at once.
func (m *model) drawBars(l *paint.Line, all, shown []float64, t ticksOfTime) {
	levels, top := m.style.Levels(), 1.0
	for _, v := range all {
		top = max(top, v)
	}
	var run strings.Builder
	now := paint.Pen{}
	for i, v := range all {
		sign, p := ' ', m.style.Pens.Dim
		if v > 0 {
			sign = levels[min(len(levels)-1, int(v/top*float64(len(levels))))]
		}
		if shown[i] > 0.001 {
			if p = m.style.Pens.Accent; m.packets.Filtered == nil {
				p = m.style.Pens.Bars
			}
		}
		sign, p = t.tick(m, i, sign, p)
		if p != now {
			l.Put(now, run.String())
			run.Reset()
			now = p
		}
		run.WriteRune(sign)
	}
	l.Put(now, run.String())
}

// rateText says how fast packets come: of late while they do, else over the whole time.
func (m *model) rateText() string {
	c, from, to := m.packets.All.All()
	if c.Packets == 0 {
		return ""
	}
	if !m.packets.Store.Status().Live {
		seconds := float64(to-from) / 1e9
		return humanize.Scaled(float64(c.Packets)/max(seconds, 0.001), 1000, "p/s", "kp/s", "Mp/s") + "  " + humanize.Duration(seconds)
	}
	return humanize.Scaled(m.rate.packets, 1000, "p/s", "kp/s", "Mp/s") + "  " + humanize.Bits(m.rate.bytes*8)
}

// timeAt is the time at a column of the ribbon.
func (m *model) timeAt(r rect, x int) int64 {
	from, to := m.packets.Span()
	w := m.ribbonWidth(r)
	return from + int64(float64(to-from)*float64(widget.Clamp(x-r.x-1, 0, w))/float64(w))
}

// goToTime selects the first packet shown that is not earlier.
func (m *model) goToTime(at int64) {
	rows := m.packets.Rows()
	if rows == 0 {
		return
	}
	row := sort.Search(rows, func(i int) bool { return m.packets.Store.Time(int(m.packets.Captured(i))-1) >= at })
	m.list.Jump(m.packets.Captured(min(row, rows-1)))
}

// pickedSpan is the range of columns that is being dragged over; hi is not above lo when there is none.
func (m *model) pickedSpan() (lo, hi int) {
	if m.pointer.dragging != dragRibbon || m.pointer.from == m.pointer.to {
		return 0, 0
	}
	return min(m.pointer.from, m.pointer.to), max(m.pointer.from, m.pointer.to)
}

// pickTime offers the filter for a range of time, beside what is shown already.
func (m *model) pickTime(from, to int64) {
	s := viewContext{m}.Scope()
	m.narrow("frame.time_relative >= " + s.Seconds(from) + " && frame.time_relative <= " + s.Seconds(to))
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
