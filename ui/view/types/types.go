// Package types lists the protocols, packet types and directions of the packets shown: how many, how fast, how regular,
// how long.
package types

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/internal/sorting"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
	"remora/ui/typetree"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lists the packet types. Below is the rate of the line under the cursor, and the lengths of its packets.
type View struct {
	c       view.Context
	panel   typetree.Lines // the lines and what is unfolded
	table   widget.Table
	sort    int
	touched bool // the lines stay in their places while a file is read
	curve   curve
	broken  malformed

	pins    []string                    // keys of the lines whose curves stay
	window  int                         // of typeWindows: what time rates and lines are of
	headers map[dissect.FrameNum]uint32 // of a type's sample packet: how many bytes lie in front of its protocol

	of   view.Scope // whose packets these are
	upTo dissect.FrameNum
	next time.Time // not to be counted anew before
}

// New is the packet types of the packets shown.
func New(c view.Context) *View { return &View{c: c} }

// Open puts the lines in order for whoever comes here anew.
func (v *View) Open() { v.panel.Ranks, v.next, v.upTo = nil, time.Time{}, ^dissect.FrameNum(0) }

// Close ends what is gathered for the curve.
func (v *View) Close() {
	v.curve.endGaps()
	v.curve.stopEnds()
}

// typeWindows are the times that rates can be of, the newest so many seconds; 0 is the whole capture.
var typeWindows = [...]int64{0, 60, 10}

// span is the time that rates and lines are of.
func (v *View) span() (from, to int64) {
	from, to = v.c.Scope().Span()
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
	typeSorts  = [...]string{"packets", "bytes", "packets/s", "gap", "name"}
	sortTitles = map[string]int{"packets": byPackets, "bytes": byBytes, "pkt/s": byRate, "gap ms": byGap, "Type": byName}
)

// refresh takes the counts of the packets shown.
func (v *View) refresh() {
	f, scope, now := &v.panel, v.c.Scope(), time.Now()
	v.broken.follow(scope)
	upTo := scope.Tally().UpTo()
	if f.Rows != nil && v.of.Same(scope) && (v.upTo == upTo || now.Before(v.next) && !scope.Settled()) {
		return
	}
	if !v.of.Same(scope) || !v.touched && !scope.Arriving() {
		f.Ranks = nil
	}
	if v.of.Session != scope.Session {
		v.headers = nil
	}
	v.upTo, v.of, v.next, f.Drawn = upTo, scope, now.Add(200*time.Millisecond), nil
	f.All = scope.Tally().Types()
	v.lay()
}

// lay orders the lines and lists those that are unfolded. That under the cursor stays under it.
func (v *View) lay() {
	v.order()
	v.panel.Cur = v.table.Cur
	v.panel.Lay()
	v.table.Cur = v.panel.Cur
}

// order puts the lines into their places. Those that have one keep it: new ones come behind them.
func (v *View) order() {
	f := &v.panel
	if f.Ranks == nil {
		f.Ranks = map[string]int{}
	}
	rates := v.rates()
	compare := func(a, b ticks.Line) int {
		i, j := f.Ranks[a.Key()], f.Ranks[b.Key()]
		switch {
		case i > 0 && j > 0:
			return i - j
		case i > 0 || j > 0:
			return j - i // a new one has none and comes behind
		}
		return v.compare(a, b, rates)
	}
	sorting.Stable(f.All, func(a, b stats.Protocol) int {
		return compare(ticks.Line{Proto: &a, Dir: -1}, ticks.Line{Proto: &b, Dir: -1})
	})
	for i := range f.All {
		p := &f.All[i]
		sorting.Stable(p.Types, func(a, b stats.Type) int {
			return compare(ticks.Line{Proto: p, Kind: &a, Dir: -1}, ticks.Line{Proto: p, Kind: &b, Dir: -1})
		})
		f.Place(ticks.Line{Proto: p, Dir: -1})
		for k := range p.Types {
			f.Place(ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1})
		}
	}
}

// compare orders two lines by what is chosen.
func (v *View) compare(a, b ticks.Line, rates map[string]uint64) int {
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
func (v *View) rates() map[string]uint64 {
	if v.sort != byRate {
		return nil
	}
	out := map[string]uint64{}
	from, to := v.span()
	for i := range v.panel.All {
		p := &v.panel.All[i]
		out[ticks.Line{Proto: p, Dir: -1}.Key()] = v.packets(&p.Group, from, to)
		for k := range p.Types {
			out[ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1}.Key()] = v.packets(&p.Types[k].Group, from, to)
		}
	}
	return out
}

// sortBy puts all lines into an order anew.
func (v *View) sortBy(by int) {
	v.sort, v.panel.Ranks = by, nil
	v.lay()
}

func (v *View) at() (ticks.Line, bool) {
	if v.table.Cur < len(v.panel.Rows) {
		return v.panel.Rows[v.table.Cur], true
	}
	return ticks.Line{}, false
}

// FindLine goes to the next line that holds a text, or to the one before.
func (v *View) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Update handles the keys that move in the lines, unfold, sort and filter by them, and move along the curve.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	x, ok := v.at()
	if !ok {
		return false
	}
	v.touched = true
	switch {
	case v.curve.focused && v.curve.drawn.h > 0 && v.curve.update(v.c, x, a, n):
	case v.table.Update(a, n, len(v.panel.Rows), view.Height(v.c)/2):
	case a == act.NextPane, a == act.PrevPane:
		v.curve.focused = !v.curve.focused && v.curve.drawn.h > 0
	case a == act.Right, a == act.Left:
		v.panel.Cur = v.table.Cur
		v.panel.Fold(a)
		v.table.Cur = v.panel.Cur
	case a == act.Open:
		v.c.Close()
		view.Narrow(v.c, v.c.Scope().Term(x))
	case a == act.Only:
		v.c.Filter(v.c.Scope().Term(x))
	case a == act.Hide:
		v.c.List().Hide(x)
	case a == act.Sort:
		v.sortBy((v.sort + 1) % len(typeSorts))
	case a == act.Measure:
		v.sortBy(max(0, 1-v.sort)) // bytes, or else packets
	case a == act.Select:
		v.turnPin(x)
	case a == act.Time:
		v.window = (v.window + 1) % len(typeWindows)
		v.panel.Drawn = nil
		if v.sort == byRate {
			v.sortBy(byRate)
		}
	case a == act.Reading:
		if v.curve.asGaps = !v.curve.asGaps; !v.curve.asGaps {
			v.curve.endGaps()
		}
	case a == act.Bigger, a == act.Smaller:
		v.curve.zoom = widget.Clamp(v.curve.zoom+map[bool]int{true: 1, false: -1}[a == act.Bigger], 0, maxZoom)
		v.curve.begin = 0
	default:
		return false
	}
	return true
}

// Click selects a line, a title to sort by, or a place in the curve.
func (v *View) Click(x, y int) {
	c := &v.curve
	at, ok := v.at()
	switch top := y; {
	case ok && c.drawn.h > 0 && top >= c.drawn.top && top < c.drawn.top+c.drawn.h && x >= 8 && x < 8+c.drawn.w:
		c.click(v.c, at, x-8)
	case top == 0:
		v.clickHead(view.Width(v.c), x)
	case v.table.Top+top-1 < len(v.panel.Rows) && (c.drawn.h == 0 || top < c.drawn.top-1):
		c.focused = false
		again := v.table.Cur == v.table.Top+top-1
		v.table.Cur = v.table.Top + top - 1
		if again && ok {
			v.turnFold(at)
		}
	}
}

// turnFold opens what is below a line, or closes it.
func (v *View) turnFold(x ticks.Line) {
	v.panel.Cur = v.table.Cur
	if x.Unfolds() && v.panel.IsUnfolded(x) {
		v.panel.Fold(act.Left)
	} else {
		v.panel.Fold(act.Right)
	}
	v.table.Cur = v.panel.Cur
}

// clickHead sorts by the column under the pointer.
func (v *View) clickHead(w, x int) {
	c := v.columns(w)
	c[0] += 2
	for i, title := range typeTitles {
		if c[i] == 0 {
			continue
		}
		if by, ok := sortTitles[title]; ok && x < c[i] {
			v.sortBy(by)
		}
		if x -= c[i] + 1; x < 0 {
			return
		}
	}
}

// Wheel moves by n lines, or zooms where the curve has the keys.
func (v *View) Wheel(n int) {
	if v.curve.focused {
		v.Update(map[bool]act.Action{true: act.Smaller, false: act.Bigger}[n > 0], 1)
		return
	}
	v.table.Wheel(n)
}

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	if v.curve.focused && v.curve.drawn.h > 0 {
		return [][2]string{{"h l", "move"}, {"+ -", "zoom"}, {"Enter", "these packets"}, {"v", "rate, gaps"}, {"j k", "type"},
			{"Tab", "back to the types"}, {"q", "back"}}
	}
	return [][2]string{{"Enter", "these packets"}, {"Space", "pin"}, {"o", "only this"}, {"x", "hide this"},
		{"l h", "unfold"}, {"s", "sort"}, {"t", "time"}, {"v", "rate, gaps"}, {"+ -", "zoom"}, {"e", "export"}, {"q", "back"}}
}

// Status says how many packets are counted, and by what the lines are sorted.
func (v *View) Status() string {
	if x, ok := v.at(); ok && v.curve.focused && v.curve.drawn.h > 0 {
		return v.curve.status(v.c, x)
	}
	c, _, _ := v.c.Scope().Tally().All()
	text := humanize.Group(int(c.Packets))
	if all := v.c.Scope().Session.Passed(); v.c.Scope().Filtered != nil {
		text += " of " + humanize.Packets(all)
	} else {
		text = humanize.Packets(int(c.Packets))
	}
	return text + " counted, sorted by " + typeSorts[v.sort]
}

// Draw draws the packet types above and the curve of the selected one below.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	below := h / 2
	if h < 12 {
		below = 0
	}
	if need := len(v.panel.Rows) + 2; h-below > need {
		below = h - need
	}
	cols := v.columns(w)
	from, to := v.span()
	all, _, _ := v.c.Scope().Tally().All()
	if v.curve.drawn.h = 0; len(v.panel.Rows) == 0 {
		return append([]string{v.head(cols, w)}, view.Empty(v.c, w, h-1, "nothing is counted yet")...)
	}
	out := append([]string{v.head(cols, w)},
		v.table.Draw(w, h-below-1, len(v.panel.Rows), func(i int, selected bool) string {
			return v.row(v.panel.Rows[i], selected, cols, w, from, to, all)
		})...)
	if below > 0 {
		out = append(out, v.below(w, below, h-below, from, to)...)
	}
	return out
}

// typeTitles are the columns; the line over time is called by the time it is of.
var typeTitles = [...]string{"Type", "packets", "%", "pkt/s", "", "gap ms", "jitter", "bytes", "dir"}

// columns are the widths of the columns, 0 for those without room. Names are as wide as they need, as long as the line
// over time keeps some cells.
func (v *View) columns(w int) [len(typeTitles)]int {
	c, name := typeColumns(w), 10
	for _, x := range v.panel.Rows {
		text, _ := typetree.Name(v.c.Style(), x)
		name = max(name, 2*typetree.Depth(x)+paint.Width(text))
	}
	if more := min(name-c[0], c[4]-leastLine); c[4] > 0 {
		c[0], c[4] = c[0]+more, c[4]-more
	}
	return c
}

// leastLine is how short the line over time is made for long names.
const leastLine = 8

// typeColumns are the widths of the columns where names are of a usual length.
func typeColumns(w int) [len(typeTitles)]int {
	c := [len(typeTitles)]int{28, 11, 6, 9, 0, 9, 8, 8, 0}
	switch {
	case w < 72:
		c = [len(typeTitles)]int{18, 8, 0, 8, 0, 7, 7, 0, 0}
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

func (v *View) head(c [len(typeTitles)]int, w int) string {
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
		p := v.c.Style().Pens.Dim
		if by, ok := sortTitles[title]; ok && by == v.sort {
			p = paint.Pen{}
			title += v.c.Style().Glyph("↓", "v")
			if by == byGap || by == byName {
				title = strings.TrimSuffix(title, v.c.Style().Glyph("↓", "v")) + v.c.Style().Glyph("↑", "^")
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

// directionText is which ways packets of a group go: forth as the conversation's first one, back, or both.
func directionText(style *widget.Style, x ticks.Line) string {
	ways := &x.Proto.Directions
	if x.Kind != nil {
		ways = &x.Kind.Directions
	}
	switch forth, back := ways[0].Packets > 0, ways[1].Packets > 0; {
	case x.Dir >= 0: // says so itself
	case forth && back:
		return style.Glyph("⇄", "<>")
	case forth:
		return style.Glyph("→", ">")
	case back:
		return style.Glyph("←", "<")
	}
	return ""
}

func (v *View) row(x ticks.Line, selected bool, c [len(typeTitles)]int, w int, from, to int64, all stats.Count) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	g := x.Group()
	name, hue := typetree.Name(v.c.Style(), x)
	sign := "  "
	if x.Unfolds() {
		sign = v.c.Style().Glyph("▸ ", "+ ")
		if v.panel.IsUnfolded(x) {
			sign = v.c.Style().Glyph("▾ ", "- ")
		}
	}
	broken := v.broken.has(x)
	if indent := strings.Repeat("  ", typetree.Depth(x)); broken && indent != "" {
		l.Put(v.c.Style().Pens.Bad, "!"+indent[1:])
	} else {
		l.Put(paint.Pen{}, indent)
	}
	if pinned, pen, ok := v.pinSign(x, sign); ok {
		l.Put(pen, pinned)
	} else if broken && x.Kind == nil && !(ticks.Typed(x.Proto) && v.panel.IsUnfolded(x)) { // else the type below says so
		l.Put(v.c.Style().Pens.Dim, strings.TrimSuffix(sign, " "))
		l.Put(v.c.Style().Pens.Bad, "!")
	} else {
		l.Put(v.c.Style().Pens.Dim, sign)
	}
	l.Put(hue, paint.Fit(name, c[0]+2-l.Width)+" ")
	l.Put(paint.Pen{}, paint.FitRight(humanize.Group(int(g.Packets)), c[1])+" ")
	if c[2] > 0 {
		l.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Percent(g.Packets, all.Packets), c[2])+" ")
	}
	l.Put(paint.Pen{}, paint.FitRight(widget.PerSecond(v.packets(g, from, to), to-from), c[3])+" ")
	if c[4] > 0 {
		l.PutBars(&v.c.Style().Pens, v.panel.RateLine(x, c[4], func(w int) string {
			return plot.Sparkline(v.c.Scope().Tally().SpreadOf(g, from, to+1, w), w, v.c.Style().ASCII)
		})+" ")
	}
	l.Put(paint.Pen{}, paint.FitRight(v.c.Style().Plain(widget.SecondsAsMs(g.Gap)), c[5])+" ")
	l.Put(v.c.Style().Pens.Dim, paint.FitRight(v.c.Style().Plain(widget.SecondsAsMs(g.Jitter)), c[6])+" ")
	if c[7] > 0 {
		l.Put(paint.Pen{}, paint.FitRight(v.c.Style().Plain(widget.SizeRange(g)), c[7])+" ")
	}
	if c[8] > 0 {
		l.Put(v.c.Style().Pens.Dim, paint.FitRight(directionText(v.c.Style(), x), c[8]))
	}
	return paint.Clip(l.End(w), w)
}

// packets is how many packets of a group the time shown has.
func (v *View) packets(g *stats.Group, from, to int64) uint64 {
	if typeWindows[v.window] == 0 {
		return g.Packets
	}
	return uint64(v.c.Scope().Tally().SpreadOf(g, from, to+1, 1)[0] + 0.5)
}

// Busy reports whether the gaps of the selected type are still gathered.
func (v *View) Busy() bool { return v.curve.busy(v.c.Scope().Passed()) }
