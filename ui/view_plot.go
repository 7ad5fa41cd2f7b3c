package ui

import (
	"math"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/shown"
)

// plotView draws the values of numeric fields over time, of the packets shown: a lane for each, with its own scale. Its cursor
// is the selected packet of the list, which stands above where there is room: moving in one moves in the other. The curves stay
// when the view is closed, so that another field of the tree can be added.
type plotView struct {
	curves []*plotCurve
	chosen int
	form   int // of the curves, -1 while nobody chose one
	zoom   int // how often the time shown was halved
	begin  int64
	left   bool // the packet from which the cursor was moved first is remembered

	s   *dissect.Session
	of  *shown.Packets
	all *stats.Tally // of the capture: another one when packets are ignored

	lanes    []lane
	listRows int // lines of the list above, with its head
}

// maxCurves is how many curves can be told apart by colour and sign.
const maxCurves = 5

// plotField opens the plot with a curve of the selected field.
func (m *model) plotField() {
	i := m.selectedNode()
	if m.tree == nil || i < 0 || !plottable(m.tree.Field(i)) {
		m.notice = "select a number in the tree to plot it"
		return
	}
	m.plotOf(m.tree.Field(i))
}

func (m *model) plotOf(f *dissect.Field) {
	if m.plots == nil || m.plots.s != m.s {
		m.plots = &plotView{s: m.s, of: m.shown, all: m.all, form: -1}
	}
	v := m.plots
	v.left = false
	m.openOver(v)
	v.add(m, f)
}

// plotCommand plots the fields that are named.
func (m *model) plotCommand(arg string) {
	for _, name := range strings.FieldsFunc(arg, func(r rune) bool { return r == ',' || r == ' ' }) {
		f := m.reg.Field(name)
		if f == nil || !plottable(f) {
			m.notice = "no field of numbers is called " + dissect.Escape(name)
			return
		}
		m.plotOf(f)
	}
}

// endPlots forgets the curves.
func (m *model) endPlots() {
	if m.plots != nil {
		for _, c := range m.plots.curves {
			c.stop()
		}
		m.plots = nil
	}
}

// add draws another curve, or chooses it when it is there.
func (v *plotView) add(m *model, f *dissect.Field) {
	var taken [maxCurves]bool
	for i, c := range v.curves {
		if c.field == f {
			v.chosen = i
			return
		}
		taken[c.slot] = true
	}
	for slot, t := range taken {
		if !t {
			c := &plotCurve{field: f, slot: slot}
			c.begin(m)
			v.chosen, v.curves = len(v.curves), append(v.curves, c)
			return
		}
	}
	m.notice = "no more than " + strconv.Itoa(maxCurves) + " curves can be told apart; x takes one away"
}

// remove takes the chosen curve away; with the last one the view goes.
func (v *plotView) remove(m *model) {
	v.curves[v.chosen].stop()
	v.curves = append(v.curves[:v.chosen:v.chosen], v.curves[v.chosen+1:]...)
	v.chosen = max(0, min(v.chosen, len(v.curves)-1))
	if len(v.curves) == 0 {
		m.over, m.plots = nil, nil
	}
}

// only takes all other curves away.
func (v *plotView) only() {
	for i, c := range v.curves {
		if i != v.chosen {
			c.stop()
		}
	}
	v.curves, v.chosen = []*plotCurve{v.curves[v.chosen]}, 0
}

// refresh gathers anew when other packets are shown.
func (v *plotView) refresh(m *model) {
	if v.of == m.shown && v.all == m.all {
		return
	}
	v.of, v.all = m.shown, m.all
	for _, c := range v.curves {
		c.begin(m)
	}
}

func (v *plotView) act(m *model, a act.Action, n int) bool {
	v.refresh(m)
	from, to := v.span(m)
	switch a {
	case act.Right, act.Left:
		v.along(m, a == act.Right, n, from, to)
	case act.Down, act.Up:
		v.remember(m)
		m.stepList(map[bool]int{true: 1, false: -1}[a == act.Down] * max(1, n))
	case act.PageDown, act.HalfDown:
		v.toTime(m, v.now(m)+(to-from)/10)
	case act.PageUp, act.HalfUp:
		v.toTime(m, v.now(m)-(to-from)/10)
	case act.First, act.Last:
		if n > 0 {
			m.jumpTo(dissect.FrameNum(n))
			break
		}
		v.toTime(m, map[bool]int64{true: 0, false: math.MaxInt64}[a == act.First])
	case act.Bigger, act.Smaller:
		v.zoom = clamp(v.zoom+map[bool]int{true: 1, false: -1}[a == act.Bigger], 0, maxZoom)
		v.begin = 0
	case act.NextPane:
		v.chosen = (v.chosen + 1) % len(v.curves)
	case act.PrevPane:
		v.chosen = (v.chosen + len(v.curves) - 1) % len(v.curves)
	case act.Reading:
		v.form = (v.effective(m) + 1) % forms
	case act.Hide:
		v.remove(m)
	case act.Only:
		v.only()
	case act.Open, act.Quit, act.ClearFilter:
		m.leaveOver(nil)
	default:
		return false
	}
	return true
}

// effective is the form that the chosen curve is drawn in now.
func (v *plotView) effective(m *model) int {
	c := v.curves[v.chosen]
	c.data.mu.Lock()
	defer c.data.mu.Unlock()
	if v.form < 0 && c.drawn.w > 0 {
		return c.drawn.form
	}
	return v.shape(len(c.data.points), m.w-9)
}

// remember notes for the way back from where the cursor is moved first.
func (v *plotView) remember(m *model) {
	if !v.left {
		v.left = true
		m.leave()
	}
}

// now is the time of the selected packet.
func (v *plotView) now(m *model) int64 {
	if m.cur == 0 || int(m.cur) > m.s.Passed() {
		return 0
	}
	return m.s.Store().Time(int(m.cur) - 1)
}

// goTo selects a packet of a curve.
func (v *plotView) goTo(m *model, f dissect.FrameNum) {
	if m.hasLeft(f) {
		return
	}
	v.remember(m)
	m.follow = false
	m.select_(f)
}

// along moves to the next points of the chosen curve that stand at another column, or to those before.
func (v *plotView) along(m *model, right bool, n int, from, to int64) {
	d := v.curves[v.chosen].data
	d.mu.Lock()
	at, t, cell := m.cur, v.now(m), (to-from)/int64(max(1, m.w-9))
	for range clamp(n, 1, 10_000) {
		i := 0
		if right {
			i = max(d.behind(at), min(d.since(t+cell), len(d.points)-1))
		} else if at > 0 {
			i = min(d.behind(at-1)-1, max(0, d.since(t-cell+1)-1))
		}
		if i < 0 || i >= len(d.points) {
			break
		}
		at, t = d.points[i].frame, d.points[i].time
	}
	d.mu.Unlock()
	if at != m.cur {
		v.goTo(m, at)
	}
}

// toTime goes to the chosen curve's first point at a time or behind it, or to the last one.
func (v *plotView) toTime(m *model, t int64) {
	d := v.curves[v.chosen].data
	d.mu.Lock()
	i, k := d.since(t), len(d.points)
	var f dissect.FrameNum
	if k > 0 {
		f = d.points[min(i, k-1)].frame
	}
	d.mu.Unlock()
	if f > 0 {
		v.goTo(m, f)
	}
}

// whole is the time from the first value of all curves to the last one.
func (v *plotView) whole(m *model) (from, to int64) {
	from, to = math.MaxInt64, math.MinInt64
	for _, c := range v.curves {
		c.data.mu.Lock()
		if k := len(c.data.points); k > 0 {
			from, to = min(from, c.data.points[0].time), max(to, c.data.points[k-1].time)
		}
		c.data.mu.Unlock()
	}
	if from > to {
		return m.span()
	}
	return from, max(to, from+1)
}

// span is the time that is shown. While zoomed in it stays until the selected packet leaves it.
func (v *plotView) span(m *model) (from, to int64) {
	from, to = v.whole(m)
	width := (to - from) >> v.zoom
	if v.zoom == 0 || width < 2 {
		return from, to
	}
	if t := v.now(m); t < v.begin || t > v.begin+width {
		v.begin = t - width/2
	}
	v.begin = max(from, min(v.begin, to-width))
	return v.begin, v.begin + width
}

func (v *plotView) click(m *model, r rect, x, y int) {
	if y -= r.y; y < v.listRows {
		if row := m.top + y - 1; y > 0 && row < m.rows() {
			v.remember(m)
			m.follow = false
			m.moveTo(row)
		}
		return
	}
	for _, l := range v.lanes {
		if y >= l.top && y < l.top+l.h {
			v.chosen = l.curve
		}
	}
	from, to := v.span(m)
	v.toTime(m, from+int64(float64(to-from)*float64(clamp(x-8, 0, r.w-9))/float64(max(1, r.w-9))))
}

func (v *plotView) wheel(m *model, n int) {
	v.act(m, map[bool]act.Action{true: act.Right, false: act.Left}[n > 0], max(n, -n))
}

func (v *plotView) hints() [][2]string {
	out := [][2]string{{"h l", "along the curve"}, {"j k", "packets"}, {"+ -", "zoom"}, {"v", "lines, dots, blocks"}}
	if len(v.curves) > 1 {
		out = append(out, [2]string{"Tab", "choose"})
	}
	return append(out, [][2]string{{"x", "take away"}, {"Enter", "that packet"}, {"q", "back"}}...)
}

func (v *plotView) busy(m *model) bool {
	if v.of != m.shown || v.all != m.all {
		return true
	}
	for _, c := range v.curves {
		c.data.mu.Lock()
		upTo := int(c.data.upTo)
		c.data.mu.Unlock()
		if upTo < m.s.Passed() {
			return true
		}
	}
	return false
}

func (v *plotView) status(m *model) string {
	c := v.curves[v.chosen]
	c.data.mu.Lock()
	defer c.data.mu.Unlock()
	text := "packet " + amount.Group(int(m.cur)) + ", " + amount.Duration(float64(v.now(m)-m.epoch())/1e9)
	switch p, ok := c.data.asOf(m.cur); {
	case c.data.seen == 0:
		text = "no value yet"
	case ok && p.frame == m.cur:
		text += ": " + amount.Short(p.value*plotScale(c.field))
	case ok:
		text += ": no value; the last one is in packet " + amount.Group(int(p.frame))
	}
	if c.data.every > 1 {
		text += "   one of " + amount.Group(c.data.every) + " values is drawn"
	}
	if int(c.data.upTo) < m.s.Passed() {
		text += "   gathering, up to packet " + amount.Group(int(c.data.upTo))
	}
	return text
}

// listHeight is how many lines the list above the curves has, with its head: none on small screens.
func (v *plotView) listHeight(h int) int {
	if h < 20 {
		return 0
	}
	return clamp(h*3/10, 5, 14)
}

func (v *plotView) draw(m *model, r rect) []string {
	v.refresh(m)
	v.listRows = v.listHeight(r.h)
	var out []string
	if v.listRows > 0 {
		out = v.list(m, rect{r.x, r.y, r.w, v.listRows})
	}
	from, to := v.span(m)
	at, inner := -1, max(2, r.w-9)
	if t := v.now(m); t >= from && t <= to {
		at = min(inner-1, int(float64(t-from)/float64(to-from)*float64(inner)))
	}
	v.lanes = v.share(len(out), r.h-len(out)-1)
	for _, l := range v.lanes {
		out = append(out, v.drawLane(m, v.curves[l.curve], l.curve == v.chosen, from, to, at, r.w, l.h)...)
	}
	return append(out, m.timeAxis(from, to, r.w-1, r.w))
}
