package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
)

// typesView lists protocols, packet types and directions of the packets shown: how many, how fast, how regular, how long.
// Below is the rate of the line under the cursor, and the lengths of its packets.
type typesView struct {
	panel   facets // the lines and what is unfolded
	table   table
	sort    int
	touched bool // the lines stay in their places while a file is read
	curve   typesCurve
	broken  typesBroken

	pins    []string                    // keys of the lines whose curves stay
	window  int                         // of typeWindows: what time rates and lines are of
	headers map[dissect.FrameNum]uint32 // of a type's sample packet: how many bytes lie in front of its protocol
	of      *dissect.Session            // whose packets these are
}

// typeWindows are the times that rates can be of, the newest so many seconds; 0 is the whole capture.
var typeWindows = [...]int64{0, 60, 10}

// span is the time that rates and lines are of.
func (v *typesView) span(m *model) (from, to int64) {
	from, to = m.span()
	if w := typeWindows[v.window]; w > 0 {
		from = max(from, to-w*1e9)
	}
	return from, to
}

// The orders of the lines, and the columns whose titles tell them.
const (
	byPackets = iota
	byBytes
	byRate
	byGap
	byName
)

var (
	typeSorts  = [...]string{"packets", "bytes", "packets a second", "gap", "name"}
	sortTitles = map[string]int{"packets": byPackets, "bytes": byBytes, "pkt/s": byRate, "gap ms": byGap, "Type": byName}
)

// refresh takes the counts of the packets shown.
func (v *typesView) refresh(m *model) {
	f := &v.panel
	v.broken.follow(m)
	upTo := m.tally().UpTo()
	now := time.Now()
	if f.rows != nil && f.of == m.shown && (f.upTo[0] == upTo || now.Before(f.next) && !m.settled()) {
		return
	}
	if f.of != m.shown || !v.touched && !coming(m) {
		f.ranks = nil
	}
	f.upTo[0], f.of, f.next, f.lines = upTo, m.shown, now.Add(200*time.Millisecond), nil
	f.all = m.tally().Types()
	v.lay(m)
}

// coming tells whether packets come in at their own pace, so that lines must not change places while they are read.
func coming(m *model) bool {
	st := m.store.Status()
	return st.Live || st.Pace > 0 && !st.Done
}

// lay orders the lines and lists those that are unfolded. That under the cursor stays under it.
func (v *typesView) lay(m *model) {
	v.order(m)
	v.panel.cur = v.table.cur
	v.panel.layRows()
	v.table.cur = v.panel.cur
}

// order puts the lines into their places. Those that have one keep it: new ones come behind them.
func (v *typesView) order(m *model) {
	f := &v.panel
	if f.ranks == nil {
		f.ranks = map[string]int{}
	}
	rates := v.rates(m)
	compare := func(a, b ticks.Line) int {
		i, j := f.ranks[a.Key()], f.ranks[b.Key()]
		switch {
		case i > 0 && j > 0:
			return i - j
		case i > 0 || j > 0:
			return j - i // a new one has none and comes behind
		}
		return v.compare(a, b, rates)
	}
	slices.SortStableFunc(f.all, func(a, b stats.Protocol) int {
		return compare(ticks.Line{Proto: &a, Dir: -1}, ticks.Line{Proto: &b, Dir: -1})
	})
	for i := range f.all {
		p := &f.all[i]
		slices.SortStableFunc(p.Types, func(a, b stats.Type) int {
			return compare(ticks.Line{Proto: p, Kind: &a, Dir: -1}, ticks.Line{Proto: p, Kind: &b, Dir: -1})
		})
		f.place(ticks.Line{Proto: p, Dir: -1})
		for k := range p.Types {
			f.place(ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1})
		}
	}
}

// compare orders two lines by what is chosen.
func (v *typesView) compare(a, b ticks.Line, rates map[string]uint64) int {
	x, y := a.Group(), b.Group()
	switch v.sort {
	case byBytes:
		return cmp.Compare(y.Bytes, x.Bytes)
	case byRate:
		return cmp.Compare(rates[b.Key()], rates[a.Key()])
	case byGap:
		return cmp.Or(cmp.Compare(btoi(x.Gap == 0), btoi(y.Gap == 0)), cmp.Compare(x.Gap, y.Gap)) // unknown ones last
	case byName:
		return strings.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name()))
	}
	return cmp.Compare(y.Packets, x.Packets)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rates are how many packets the time shown has of each line, where the order asks for it.
func (v *typesView) rates(m *model) map[string]uint64 {
	if v.sort != byRate {
		return nil
	}
	out := map[string]uint64{}
	from, to := v.span(m)
	for i := range v.panel.all {
		p := &v.panel.all[i]
		out[ticks.Line{Proto: p, Dir: -1}.Key()] = v.packets(m, &p.Group, from, to)
		for k := range p.Types {
			out[ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1}.Key()] = v.packets(m, &p.Types[k].Group, from, to)
		}
	}
	return out
}

// sortBy puts all lines into an order anew.
func (v *typesView) sortBy(m *model, by int) {
	v.sort, v.panel.ranks = by, nil
	v.lay(m)
}

func (v *typesView) at() (ticks.Line, bool) {
	if v.table.cur < len(v.panel.rows) {
		return v.panel.rows[v.table.cur], true
	}
	return ticks.Line{}, false
}

func (v *typesView) act(m *model, a act.Action, n int) bool {
	v.refresh(m)
	x, ok := v.at()
	if !ok {
		return false
	}
	v.touched = true
	switch {
	case v.curve.focused && v.curve.drawn.h > 0 && v.curve.act(m, x, a, n):
	case v.table.act(a, n, len(v.panel.rows), m.body().h/2):
	case a == act.NextPane, a == act.PrevPane:
		v.curve.focused = !v.curve.focused && v.curve.drawn.h > 0
	case a == act.Right, a == act.Left:
		v.panel.cur = v.table.cur
		v.panel.fold(a)
		v.table.cur = v.panel.cur
	case a == act.Open:
		m.closeView()
		m.narrow(m.term(x))
	case a == act.Only:
		m.applyFilter(m.term(x))
	case a == act.Hide:
		m.hideFacet(x)
	case a == act.Sort:
		v.sortBy(m, (v.sort+1)%len(typeSorts))
	case a == act.Measure:
		v.sortBy(m, max(0, 1-v.sort)) // bytes, or else packets
	case a == act.Select:
		v.turnPin(m, x)
	case a == act.Time:
		v.window = (v.window + 1) % len(typeWindows)
		v.panel.lines = nil
		if v.sort == byRate {
			v.sortBy(m, byRate)
		}
	case a == act.Reading:
		if v.curve.asGaps = !v.curve.asGaps; !v.curve.asGaps {
			v.curve.endGaps()
		}
	case a == act.Bigger, a == act.Smaller:
		v.curve.zoom = clamp(v.curve.zoom+map[bool]int{true: 1, false: -1}[a == act.Bigger], 0, maxZoom)
		v.curve.begin = 0
	default:
		return false
	}
	return true
}

func (v *typesView) click(m *model, r rect, x, y int) {
	c := &v.curve
	at, ok := v.at()
	switch top := y - r.y; {
	case ok && c.drawn.h > 0 && top >= c.drawn.top && top < c.drawn.top+c.drawn.h && x >= 8 && x < 8+c.drawn.w:
		c.click(m, at, x-8)
	case top == 0:
		v.clickHead(m, r.w, x)
	case v.table.top+top-1 < len(v.panel.rows) && (c.drawn.h == 0 || top < c.drawn.top-1):
		c.focused = false
		again := v.table.cur == v.table.top+top-1
		v.table.cur = v.table.top + top - 1
		if again && ok {
			v.turnFold(at)
		}
	}
}

// turnFold opens what is below a line, or closes it.
func (v *typesView) turnFold(x ticks.Line) {
	v.panel.cur = v.table.cur
	if x.Unfolds() && v.panel.isUnfolded(x) {
		v.panel.fold(act.Left)
	} else {
		v.panel.fold(act.Right)
	}
	v.table.cur = v.panel.cur
}

// clickHead sorts by the column under the pointer.
func (v *typesView) clickHead(m *model, w, x int) {
	c := typeColumns(w)
	c[0] += 2
	for i, title := range typeTitles {
		if c[i] == 0 {
			continue
		}
		if by, ok := sortTitles[title]; ok && x < c[i] {
			v.sortBy(m, by)
		}
		if x -= c[i] + 1; x < 0 {
			return
		}
	}
}

func (v *typesView) wheel(m *model, n int) {
	if v.curve.focused {
		v.act(m, map[bool]act.Action{true: act.Smaller, false: act.Bigger}[n > 0], 1)
		return
	}
	v.table.cur = max(0, v.table.cur+n)
}

func (v *typesView) hints() [][2]string {
	if v.curve.focused && v.curve.drawn.h > 0 {
		return [][2]string{{"h l", "move"}, {"+ -", "zoom"}, {"Enter", "these packets"}, {"v", "rate, gaps"}, {"j k", "type"}, {"Tab", "back to the types"}, {"q", "back"}}
	}
	return [][2]string{{"Enter", "these packets"}, {"Space", "pin"}, {"o", "only this"}, {"x", "hide this"}, {"l h", "unfold"}, {"s", "sort"}, {"t", "time"}, {"v", "rate, gaps"}, {"+ -", "zoom"}, {"e", "export"}, {"q", "back"}}
}

func (v *typesView) status(m *model) string {
	if x, ok := v.at(); ok && v.curve.focused && v.curve.drawn.h > 0 {
		return v.curve.status(m, x)
	}
	c, _, _ := m.tally().All()
	text := amount.Group(int(c.Packets))
	if all := m.s.Passed(); m.shown != nil {
		text += " of " + amount.Packets(all)
	} else {
		text = amount.Packets(int(c.Packets))
	}
	return text + " counted, sorted by " + typeSorts[v.sort]
}

func (v *typesView) draw(m *model, r rect) []string {
	v.refresh(m)
	below := r.h / 2
	if r.h < 12 {
		below = 0
	}
	if need := len(v.panel.rows) + 2; r.h-below > need {
		below = r.h - need
	}
	cols := typeColumns(r.w)
	from, to := v.span(m)
	all, _, _ := m.tally().All()
	if v.curve.drawn.h = 0; len(v.panel.rows) == 0 {
		return append([]string{v.head(m, cols, r.w)}, m.emptyView(r.w, r.h-1, "nothing is counted yet")...)
	}
	out := append([]string{v.head(m, cols, r.w)}, v.table.draw(rect{r.x, r.y + 1, r.w, r.h - below - 1}, len(v.panel.rows), func(i int, selected bool) string {
		return v.row(m, v.panel.rows[i], selected, cols, r.w, from, to, all)
	})...)
	if below > 0 {
		out = append(out, v.below(m, r.w, below, r.h-below, from, to)...)
	}
	return out
}

// typeTitles are the columns; the line over time is called by the time it is of.
var typeTitles = [...]string{"Type", "packets", "%", "pkt/s", "", "gap ms", "jitter", "bytes", "dir"}

// typeColumns are the widths of the columns, 0 for those without room.
func typeColumns(w int) [len(typeTitles)]int {
	c := [len(typeTitles)]int{28, 11, 6, 9, 0, 9, 8, 8, 0}
	switch {
	case w < 72:
		c = [len(typeTitles)]int{20, 8, 0, 6, 0, 7, 7, 0, 0}
	case w < 100:
		c = [len(typeTitles)]int{24, 10, 0, 8, 0, 8, 7, 0, 0}
	case w >= 110:
		c[8] = 3
	}
	used := 2
	for _, n := range c {
		if n > 0 {
			used += n + 1
		}
	}
	if c[4] = w - used - 1; c[4] < 6 {
		c[4] = 0
	}
	return c
}

func (v *typesView) head(m *model, c [len(typeTitles)]int, w int) string {
	var l paint.Line
	over := "over the capture"
	if w := typeWindows[v.window]; w > 0 {
		over = "last " + strconv.Itoa(int(w)) + " s"
	}
	if c[4] < paint.Width(over) {
		over = "over time"
	}
	if c[4] < paint.Width(over) {
		over = ""
	}
	for i, title := range typeTitles {
		if c[i] == 0 {
			continue
		}
		p := m.pens.Dim
		if by, ok := sortTitles[title]; ok && by == v.sort {
			p = paint.Pen{}
			title += m.glyph("↓", "v")
			if by == byGap || by == byName {
				title = strings.TrimSuffix(title, m.glyph("↓", "v")) + m.glyph("↑", "^")
			}
		}
		switch i {
		case 0:
			l.Put(p, paint.Fit("  "+title, c[i]+2)+" ")
		case 4:
			l.Put(p, paint.Fit(over, c[i])+" ")
		default:
			l.Put(p, paint.FitRight(title, c[i])+" ")
		}
	}
	return paint.Clip(l.End(w), w)
}

// wayText is which ways packets of a group go: forth as the conversation's first one, back, or both.
func (m *model) wayText(x ticks.Line) string {
	ways := &x.Proto.Ways
	if x.Kind != nil {
		ways = &x.Kind.Ways
	}
	switch forth, back := ways[0].Packets > 0, ways[1].Packets > 0; {
	case x.Dir >= 0: // says so itself
	case forth && back:
		return m.glyph("⇄", "<>")
	case forth:
		return m.glyph("→", ">")
	case back:
		return m.glyph("←", "<")
	}
	return ""
}

func (v *typesView) row(m *model, x ticks.Line, selected bool, c [len(typeTitles)]int, w int, from, to int64, all stats.Count) string {
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	g := x.Group()
	name, hue := facetName(m, x)
	sign := "  "
	if x.Unfolds() {
		sign = m.glyph("▸ ", "+ ")
		if v.panel.isUnfolded(x) {
			sign = m.glyph("▾ ", "- ")
		}
	}
	broken := v.broken.has(x)
	if indent := strings.Repeat("  ", depthOf(x)); broken && indent != "" {
		l.Put(m.pens.Bad, "!"+indent[1:])
	} else {
		l.Put(paint.Pen{}, indent)
	}
	if pinned, pen, ok := v.pinSign(m, x, sign); ok {
		l.Put(pen, pinned)
	} else if broken && x.Kind == nil && !(ticks.Typed(x.Proto) && v.panel.isUnfolded(x)) { // else the type below says so
		l.Put(m.pens.Dim, strings.TrimSuffix(sign, " "))
		l.Put(m.pens.Bad, "!")
	} else {
		l.Put(m.pens.Dim, sign)
	}
	l.Put(hue, paint.Fit(name, c[0]+2-l.Width)+" ")
	l.Put(paint.Pen{}, paint.FitRight(amount.Group(int(g.Packets)), c[1])+" ")
	if c[2] > 0 {
		l.Put(m.pens.Dim, paint.FitRight(amount.Percent(g.Packets, all.Packets), c[2])+" ")
	}
	l.Put(paint.Pen{}, paint.FitRight(perSecond(v.packets(m, g, from, to), to-from), c[3])+" ")
	if c[4] > 0 {
		l.PutBars(&m.pens, v.panel.rateLine(x, c[4], func(w int) string {
			return plot.Sparkline(m.tally().SpreadOf(g, from, to+1, w), w, m.cfg.ASCII)
		})+" ")
	}
	l.Put(paint.Pen{}, paint.FitRight(m.plain(secondsAsMs(g.Gap)), c[5])+" ")
	l.Put(m.pens.Dim, paint.FitRight(m.plain(secondsAsMs(g.Jitter)), c[6])+" ")
	if c[7] > 0 {
		l.Put(paint.Pen{}, paint.FitRight(m.plain(sizeRange(g)), c[7])+" ")
	}
	if c[8] > 0 {
		l.Put(m.pens.Dim, paint.FitRight(m.wayText(x), c[8]))
	}
	return paint.Clip(l.End(w), w)
}

// packets is how many packets of a group the time shown has.
func (v *typesView) packets(m *model, g *stats.Group, from, to int64) uint64 {
	if typeWindows[v.window] == 0 {
		return g.Packets
	}
	return uint64(m.tally().SpreadOf(g, from, to+1, 1)[0] + 0.5)
}

func perSecond(n uint64, span int64) string {
	return amount.Short(float64(n) * 1e9 / float64(max(1, span)))
}

func secondsAsMs(s float64) string {
	switch {
	case s <= 0:
		return "–"
	case s >= 10:
		return amount.Group(int(s * 1000))
	}
	return strconv.FormatFloat(s*1000, 'f', 2, 64)
}

// sizeRange is the length of all packets, or the shortest and the longest.
func sizeRange(g *stats.Group) string {
	switch k := len(g.Sizes); {
	case k == 0:
		return ""
	case k == 1 && g.OtherSizes == 0:
		return strconv.Itoa(int(g.Sizes[0].Length))
	case g.OtherSizes > 0:
		return "≈ " + strconv.Itoa(int(g.Bytes/max(1, g.Packets)))
	default:
		return strconv.Itoa(int(g.Sizes[0].Length)) + "–" + strconv.Itoa(int(g.Sizes[k-1].Length))
	}
}

// busy tells whether gaps are gathered; the counts are those that every screen waits for.
func (v *typesView) busy(m *model) bool { return v.curve.busy(m) }
