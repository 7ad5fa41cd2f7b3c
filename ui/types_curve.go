package ui

import (
	"context"
	"math"
	"sort"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/shown"
	"remora/ui/ticks"
)

// A typesCurve is what stands below the types: the rate of the line under the cursor over time, or the gaps between its packets.
// Its own cursor is the selected packet of the list: what moves one moves the other.
type typesCurve struct {
	focused bool             // keys move in the curve
	at      int64            // the time under its cursor
	cur     dissect.FrameNum // the list's packet when that was so
	left    bool             // where the list's cursor was before is remembered
	zoom    int              // how often the time shown was halved
	begin   int64            // of the time shown while it is

	asGaps bool
	gaps   *typeGaps
	ends   *typeEnds // who sends the line's packets, where that is known

	drawn struct { // as the picture is on the screen
		top, h, w            int // lines below the view's first one, lines, columns
		from, to, step, zero int64
	}
	count spanCount
}

// A spanCount is how many packets a line has in a span of time, worked out once.
type spanCount struct {
	key      string
	from, to int64
	rows, n  int
}

// lookMost bounds how many packets a key looks at.
const lookMost = 200_000

// follow puts the cursor to the selected packet when another one was selected meanwhile.
func (c *typesCurve) follow(m *model) {
	if m.cur != c.cur && m.cur > 0 && int(m.cur) <= m.s.Passed() {
		c.cur, c.at, c.left = m.cur, m.s.Store().Time(int(m.cur)-1), false
	}
}

// span is the part of a time that is shown. While zoomed in it stays until the cursor leaves it.
func (c *typesCurve) span(from, to int64) (int64, int64) {
	width := (to - from) >> c.zoom
	if c.zoom == 0 || width < 2 {
		return from, to
	}
	if c.at < c.begin || c.at > c.begin+width {
		c.begin = c.at - width/2
	}
	c.begin = max(from, min(c.begin, to-width))
	return c.begin, c.begin + width
}

// column is where the cursor is in a picture of w columns, -1 for beside it.
func (c *typesCurve) column(from, to int64, w int) int {
	if c.at < from || c.at > to || c.at == 0 {
		return -1
	}
	return clamp(int(float64(c.at-from)/float64(max(1, to-from))*float64(w)), 0, w-1)
}

// interval is the span of the curve's counting that lies under the cursor.
func (c *typesCurve) interval() (from, to int64) {
	d := &c.drawn
	step := max(1, d.step)
	from = c.at - (((c.at-d.zero)%step)+step)%step
	return from, from + step
}

// rowAt is the first packet shown, in the order of the capture, that is not earlier than a time.
func (m *model) rowAt(t int64) int {
	store := m.s.Store()
	return sort.Search(m.rows(), func(i int) bool { return store.Time(int(m.baseFrame(i))-1) >= t })
}

// move goes some columns on and selects the line's first packet there, or else the last packet shown before.
func (c *typesCurve) move(m *model, x ticks.Line, columns int) {
	d := &c.drawn
	if d.w == 0 {
		return
	}
	cell := max(1, (d.to-d.from)/int64(d.w))
	at := c.at
	if at == 0 {
		at = d.to
	}
	at = d.from + ((at-d.from)/cell+int64(columns))*cell
	first, last := m.span()
	c.goTo(m, x, min(max(at, first), last), cell)
}

// goTo puts the cursor to a time and selects the line's first packet in the span behind it, or else the last one shown before.
func (c *typesCurve) goTo(m *model, x ticks.Line, at, span int64) {
	rows := m.rows()
	if rows == 0 {
		return
	}
	store, has := m.s.Store(), x.Has(m.s)
	row := m.rowAt(at)
	found := max(0, row-1)
	for i := row; i < min(rows, row+lookMost); i++ {
		n := m.baseFrame(i)
		if store.Time(int(n)-1) >= at+span {
			break
		}
		if has(n) {
			found = i
			at = store.Time(int(n) - 1)
			break
		}
	}
	n := m.baseFrame(found)
	if m.hasLeft(n) {
		return
	}
	if !c.left {
		c.left = true
		m.leave()
	}
	m.follow = false
	m.moveTo(m.row(n))
	c.at, c.cur = at, m.cur
}

// counted is how many packets of a line the interval under the cursor has; more than lookMost packets are not looked at.
func (c *typesCurve) counted(m *model, x ticks.Line) (n int, all bool) {
	from, to := c.interval()
	rows := m.rows()
	want := spanCount{x.Key(), from, to, rows, 0}
	if was := c.count; was.key == want.key && was.from == from && was.to == to && was.rows == rows {
		return was.n, was.n >= 0
	}
	first, end := m.rowAt(from), m.rowAt(to)
	if end-first > lookMost {
		want.n = -1
	} else {
		has := x.Has(m.s)
		for i := first; i < end; i++ {
			if has(m.baseFrame(i)) {
				want.n++
			}
		}
	}
	c.count = want
	return want.n, want.n >= 0
}

// term is the filter for a line's packets in the interval under the cursor.
func (c *typesCurve) term(m *model, x ticks.Line) string {
	from, to := c.interval()
	return m.term(x) + " && frame.time_relative >= " + m.seconds(from) + " && frame.time_relative < " + m.seconds(to)
}

// seconds is a time since the first packet, exact, as filters write it.
func (m *model) seconds(t int64) string {
	t -= m.s.Store().Time(0)
	sign := ""
	if t < 0 {
		sign, t = "-", -t
	}
	text := sign + strconv.FormatInt(t/1e9, 10) + "." + strconv.FormatInt(1e9+t%1e9, 10)[1:]
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// status says what is under the cursor.
func (c *typesCurve) status(m *model, x ticks.Line) string {
	from, to := c.interval()
	step := plot.TimeLabel(float64(to-from)/1e9, float64(to-from)/1e9)
	text := "at " + amount.Duration(float64(c.at-m.epoch())/1e9) + ", packet " + amount.Group(int(m.cur))
	if n, ok := c.counted(m, x); ok {
		text += ": " + amount.Packets(n) + " of this type in these " + step
	}
	return text
}

// act does what a key stands for in the curve, and tells whether it stands for anything.
func (c *typesCurve) act(m *model, x ticks.Line, a act.Action, n int) bool {
	d := &c.drawn
	switch a {
	case act.Right, act.Left:
		c.move(m, x, map[bool]int{true: 1, false: -1}[a == act.Right]*max(1, n))
	case act.PageDown, act.HalfDown, act.PageUp, act.HalfUp:
		c.move(m, x, map[bool]int{true: 1, false: -1}[a == act.PageDown || a == act.HalfDown]*max(1, d.w/10))
	case act.First, act.Last:
		first, last := m.span()
		c.goTo(m, x, map[bool]int64{true: first, false: last}[a == act.First], 1)
	case act.Open:
		m.closeView()
		m.narrow(c.term(m, x))
	case act.Only:
		m.applyFilter(c.term(m, x))
	case act.Hide:
		m.narrow("!(" + c.term(m, x) + ")")
	case act.ClearFilter:
		c.focused = false
	default:
		return false
	}
	return true
}

// click moves the cursor to a column of the picture.
func (c *typesCurve) click(m *model, x ticks.Line, column int) {
	d := &c.drawn
	cell := max(1, (d.to-d.from)/int64(max(1, d.w)))
	c.focused = true
	c.goTo(m, x, d.from+int64(clamp(column, 0, d.w-1))*cell, cell)
}

// typeGaps are the gaps between the packets of a line within each conversation and direction, gathered beside the screen.
type typeGaps struct {
	key    string
	s      *dissect.Session
	of     *shown.Packets
	all    *stats.Tally
	data   *plotData
	cancel context.CancelFunc
}

// maxFollowed is how many conversations have their gaps measured at once.
const maxFollowed = 4096

// gapsOf are the gaps of a line, whose gathering begins when it is another line or others are shown.
func (c *typesCurve) gapsOf(m *model, x ticks.Line) *plotData {
	if g := c.gaps; g != nil && g.key == x.Key() && g.s == m.s && g.of == m.shown && g.all == m.all {
		return g.data
	}
	c.endGaps()
	var ctx context.Context
	g := &typeGaps{key: x.Key(), s: m.s, of: m.shown, all: m.all, data: &plotData{every: 1}}
	ctx, g.cancel = context.WithCancel(m.ctx)
	has, last, store := x.Has(m.s), map[uint64]int64{}, m.s.Store()
	s, data := m.s, g.data
	go m.eachShown(ctx, s, m.shown, m.ignored, func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
		var batch []point
		for _, n := range frames {
			conv, dir := s.TalkOf(n)
			if !has(n) || int(n) <= store.First() {
				continue
			}
			way, at := uint64(conv)<<1|uint64(dir), store.Time(int(n)-1)
			if before, ok := last[way]; ok {
				batch = append(batch, point{n, at, float64(max(0, at-before)) / 1e6})
			} else if len(last) >= maxFollowed {
				continue
			}
			last[way] = at
		}
		data.put(batch, upTo)
	})
	c.gaps = g
	return data
}

func (c *typesCurve) endGaps() {
	if c.gaps != nil {
		c.gaps.cancel()
		c.gaps = nil
	}
}

// busy tells whether gaps or who sends are still gathered.
func (c *typesCurve) busy(m *model) bool {
	if e := c.ends; e != nil && !c.asGaps {
		e.mu.Lock()
		defer e.mu.Unlock()
		return !e.none && int(e.upTo) < m.s.Passed()
	}
	if !c.asGaps || c.gaps == nil {
		return false
	}
	c.gaps.data.mu.Lock()
	defer c.gaps.data.mu.Unlock()
	return int(c.gaps.data.upTo) < m.s.Passed()
}

// gapCells draws the gaps of a line as points over time, in h lines of w cells; top is the value at the upper border.
func (c *typesCurve) gapCells(m *model, x ticks.Line, from, to int64, w, h int) (cells [][]plot.Cell, top float64) {
	d := c.gapsOf(m, x)
	d.mu.Lock()
	defer d.mu.Unlock()
	points := thinned(d.points[d.since(from):d.since(to+1)])
	values := make([]float64, 0, len(points))
	for _, p := range points {
		values = append(values, p.value)
	}
	top = plot.NiceTop(values)
	place := func(p point) (x, y float64) {
		return float64(p.time-from) / float64(max(1, to-from)), math.Min(1, p.value/top)
	}
	for _, row := range scatter(points, place, w, h, m.cfg.ASCII) {
		line := make([]plot.Cell, len(row))
		for i, r := range row {
			line[i] = plot.Cell{Sign: r, Of: -1}
			if r != ' ' {
				line[i].Of = 0
			}
		}
		cells = append(cells, line)
	}
	return cells, top
}

// cursorPen is what the curve's cursor is drawn in: only where keys move it it stands out.
func (c *typesCurve) cursorPen(m *model) paint.Pen {
	if c.focused {
		return m.pens.Selected
	}
	return m.pens.Dim
}

// mark puts the cursor's sign into the empty cells of its column where the keys are elsewhere.
func (c *typesCurve) mark(m *model, cells [][]plot.Cell, at int) {
	for i := range cells {
		if at >= 0 && !c.focused && cells[i][at].Sign == ' ' {
			cells[i][at].Sign = []rune(m.glyph("┊", ":"))[0]
		}
	}
}
