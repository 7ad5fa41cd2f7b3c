package types

import (
	"context"
	"math"
	"sort"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
	"remora/ui/view"
	"remora/ui/widget"
)

// A curve is what stands below the types: the rate of the line under the cursor over time, or the gaps between its
// packets. Its own cursor is the selected packet of the list: what moves one moves the other.
type curve struct {
	focused bool             // keys move in the curve
	at      int64            // the time under its cursor
	cur     dissect.FrameNum // the list's packet when that was so
	left    bool             // where the list's cursor was before is remembered
	zoom    int              // how often the time shown was halved
	begin   int64            // of the time shown while it is

	asGaps bool
	gaps   *gaps
	ends   *senders // who sends the line's packets, where that is known

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
func (c *curve) follow(in view.Context) {
	if in.List().Current() != c.cur && in.List().Current() > 0 && int(in.List().Current()) <= in.Scope().Session.Passed() {
		c.cur, c.at, c.left = in.List().Current(), in.Scope().Session.Store().Time(int(in.List().Current())-1), false
	}
}

// span is the part of a time that is shown. While zoomed in it stays until the cursor leaves it.
func (c *curve) span(from, to int64) (int64, int64) {
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
func (c *curve) column(from, to int64, w int) int {
	if c.at < from || c.at > to || c.at == 0 {
		return -1
	}
	return widget.Clamp(int(float64(c.at-from)/float64(max(1, to-from))*float64(w)), 0, w-1)
}

// interval is the span of the curve's counting that lies under the cursor.
func (c *curve) interval() (from, to int64) {
	d := &c.drawn
	step := max(1, d.step)
	from = c.at - (((c.at-d.zero)%step)+step)%step
	return from, from + step
}

// rowAt is the first packet shown, in the order of the capture, that is not earlier than a time.
func rowAt(in view.Context, t int64) int {
	store := in.Scope().Session.Store()
	return sort.Search(in.List().Rows(), func(i int) bool { return store.Time(int(in.List().Captured(i))-1) >= t })
}

// move goes some columns on and selects the line's first packet there, or else the last packet shown before.
func (c *curve) move(in view.Context, x ticks.Line, columns int) {
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
	first, last := in.Scope().Span()
	c.goTo(in, x, min(max(at, first), last), cell)
}

// goTo puts the cursor to a time and selects the line's first packet in the span behind it, or else the last one shown
// before.
func (c *curve) goTo(in view.Context, x ticks.Line, at, span int64) {
	rows := in.List().Rows()
	if rows == 0 {
		return
	}
	store, has := in.Scope().Session.Store(), x.Has(in.Scope().Session)
	row := rowAt(in, at)
	found := max(0, row-1)
	for i := row; i < min(rows, row+lookMost); i++ {
		n := in.List().Captured(i)
		if store.Time(int(n)-1) >= at+span {
			break
		}
		if has(n) {
			found = i
			at = store.Time(int(n) - 1)
			break
		}
	}
	n := in.List().Captured(found)
	if in.List().Evicted(n) {
		return
	}
	if !c.left {
		c.left = true
		in.List().Leave()
	}
	in.List().Reveal(n)
	c.at, c.cur = at, in.List().Current()
}

// counted is how many packets of a line the interval under the cursor has; more than lookMost packets are not looked
// at.
func (c *curve) counted(in view.Context, x ticks.Line) (n int, all bool) {
	from, to := c.interval()
	rows := in.List().Rows()
	want := spanCount{x.Key(), from, to, rows, 0}
	if was := c.count; was.key == want.key && was.from == from && was.to == to && was.rows == rows {
		return was.n, was.n >= 0
	}
	first, end := rowAt(in, from), rowAt(in, to)
	if end-first > lookMost {
		want.n = -1
	} else {
		has := x.Has(in.Scope().Session)
		for i := first; i < end; i++ {
			if has(in.List().Captured(i)) {
				want.n++
			}
		}
	}
	c.count = want
	return want.n, want.n >= 0
}

// term is the filter for a line's packets in the interval under the cursor.
func (c *curve) term(in view.Context, x ticks.Line) string {
	from, to := c.interval()
	return in.Scope().Term(x) + " && " + in.Scope().Between(from, "<", to)
}

// status says what is under the cursor.
func (c *curve) status(in view.Context, x ticks.Line) string {
	from, to := c.interval()
	step := plot.TimeLabel(float64(to-from)/1e9, float64(to-from)/1e9)
	text := "at " + humanize.Duration(float64(c.at-in.Scope().Epoch)/1e9) + ", packet " +
		humanize.Group(int(in.List().Current()))
	if n, ok := c.counted(in, x); ok {
		text += ": " + humanize.Packets(n) + " of this type in these " + step
	}
	return text
}

// act does what a key stands for in the curve, and tells whether it stands for anything.
func (c *curve) update(in view.Context, x ticks.Line, a act.Action, n int) bool {
	d := &c.drawn
	switch a {
	case act.Right, act.Left:
		c.move(in, x, map[bool]int{true: 1, false: -1}[a == act.Right]*max(1, n))
	case act.PageDown, act.HalfDown, act.PageUp, act.HalfUp:
		c.move(in, x, map[bool]int{true: 1, false: -1}[a == act.PageDown || a == act.HalfDown]*max(1, d.w/10))
	case act.First, act.Last:
		first, last := in.Scope().Span()
		c.goTo(in, x, map[bool]int64{true: first, false: last}[a == act.First], 1)
	case act.Open:
		in.Close()
		view.Narrow(in, c.term(in, x))
	case act.Only:
		in.Filter(c.term(in, x))
	case act.Hide:
		view.Narrow(in, "!("+c.term(in, x)+")")
	case act.Escape:
		c.focused = false
	default:
		return false
	}
	return true
}

// click moves the cursor to a column of the picture.
func (c *curve) click(in view.Context, x ticks.Line, column int) {
	d := &c.drawn
	cell := max(1, (d.to-d.from)/int64(max(1, d.w)))
	c.focused = true
	c.goTo(in, x, d.from+int64(widget.Clamp(column, 0, d.w-1))*cell, cell)
}

// gaps are the gaps between the packets of a line within each conversation and direction, gathered beside the screen.
type gaps struct {
	key  string
	of   view.Scope
	data *plot.Points
	stop func()
}

// maxFollowed is how many conversations have their gaps measured at once.
const maxFollowed = 4096

// gapsOf are the gaps of a line, whose gathering begins when it is another line or others are shown.
func (c *curve) gapsOf(in view.Context, x ticks.Line) *plot.Points {
	now := in.Scope()
	if g := c.gaps; g != nil && g.key == x.Key() && g.of.Same(now) {
		return g.data
	}
	c.endGaps()
	s, data := now.Session, &plot.Points{Every: 1}
	has, last, store := x.Has(s), map[uint64]int64{}, s.Store()
	take := func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
		var batch []plot.Point
		for _, n := range frames {
			conv, dir := s.DirectionOf(n)
			if !has(n) || int(n) <= store.First() {
				continue
			}
			way, at := uint64(conv)<<1|uint64(dir), store.Time(int(n)-1)
			if before, ok := last[way]; ok {
				batch = append(batch, plot.Point{Frame: n, Time: at, Value: float64(max(0, at-before)) / 1e6})
			} else if len(last) >= maxFollowed {
				continue
			}
			last[way] = at
		}
		data.Put(batch, upTo)
	}
	c.gaps = &gaps{key: x.Key(), of: now, data: data}
	c.gaps.stop = in.Go("measuring gaps", func(ctx context.Context) { now.Each(ctx, take) })
	return data
}

func (c *curve) endGaps() {
	if c.gaps != nil {
		c.gaps.stop()
		c.gaps = nil
	}
}

// busy tells whether gaps or who sends are still gathered.
func (c *curve) busy(passed int) bool {
	if e := c.ends; e != nil && !c.asGaps {
		e.mu.Lock()
		defer e.mu.Unlock()
		return !e.none && int(e.upTo) < passed
	}
	if !c.asGaps || c.gaps == nil {
		return false
	}
	c.gaps.data.Lock()
	defer c.gaps.data.Unlock()
	return int(c.gaps.data.UpTo) < passed
}

// gapCells draws the gaps of a line as points over time, in h lines of w cells; top is the value at the upper border.
func (c *curve) gapCells(in view.Context, x ticks.Line, from, to int64, w, h int) (cells [][]plot.Cell, top float64) {
	d := c.gapsOf(in, x)
	d.Lock()
	defer d.Unlock()
	points := plot.Thinned(d.List[d.Since(from):d.Since(to+1)])
	values := make([]float64, 0, len(points))
	for _, p := range points {
		values = append(values, p.Value)
	}
	top = plot.NiceTop(values)
	place := func(p plot.Point) (x, y float64) {
		return float64(p.Time-from) / float64(max(1, to-from)), math.Min(1, p.Value/top)
	}
	for _, row := range plot.Scatter(points, place, w, h, in.Style().ASCII) {
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
func (c *curve) cursorPen(style *widget.Style) paint.Pen {
	if c.focused {
		return style.Pens.Selected
	}
	return style.Pens.Dim
}

// mark puts the cursor's sign into the empty cells of its column where the keys are elsewhere.
func (c *curve) mark(style *widget.Style, cells [][]plot.Cell, at int) {
	for i := range cells {
		if at >= 0 && !c.focused && cells[i][at].Sign == ' ' {
			cells[i][at].Sign = []rune(style.Glyph("┊", ":"))[0]
		}
	}
}
