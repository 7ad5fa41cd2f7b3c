// Package plot draws the values of numeric fields over time.
package plot

import (
	"math"
	"strconv"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View draws the values of numeric fields over time, of the packets shown: a lane for each, with its own scale. Its
// cursor is the selected packet of the list, which stands above where there is room: moving in one moves in the other.
// The curves stay when the view is closed, so that another field of the tree can be added.
type View struct {
	c      view.Context
	curves []*curve
	chosen int
	form   int // of the curves, -1 while nobody chose one
	zoom   int // how often the time shown was halved
	begin  int64
	left   bool // the packet from which the cursor was moved first is remembered

	of view.Scope

	lanes    []lane
	listRows int // lines of the list above, with its head
}

// maxZoom is how often the time shown can be halved.
const maxZoom = 20

// maxCurves is how many curves can be told apart by colour and sign.
const maxCurves = 5

// New is a plot without curves, of the capture that is open.
func New(c view.Context) *View { return &View{c: c, of: c.Scope(), form: -1} }

// Open begins at the selected packet anew: the way back leads to it.
func (v *View) Open() { v.left = false }

// Empty tells whether no curve is left.
func (v *View) Empty() bool { return len(v.curves) == 0 }

// End forgets the curves.
func (v *View) End() {
	for _, c := range v.curves {
		c.stop()
	}
	v.curves = nil
}

// Close leaves the curves, so that another one can be added.
func (v *View) Close() {}

// Add draws another curve, or chooses it when it is there.
func (v *View) Add(f *dissect.Field) {
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
			c := &curve{field: f, slot: slot}
			c.begin(v.c)
			v.chosen, v.curves = len(v.curves), append(v.curves, c)
			return
		}
	}
	v.c.Notify("no more than " + strconv.Itoa(maxCurves) + " curves can be told apart; x takes one away")
}

// remove takes the chosen curve away; with the last one the view goes.
func (v *View) remove() {
	v.curves[v.chosen].stop()
	v.curves = append(v.curves[:v.chosen:v.chosen], v.curves[v.chosen+1:]...)
	v.chosen = max(0, min(v.chosen, len(v.curves)-1))
	if len(v.curves) == 0 {
		v.c.Close()
	}
}

// only takes all other curves away.
func (v *View) only() {
	for i, c := range v.curves {
		if i != v.chosen {
			c.stop()
		}
	}
	v.curves, v.chosen = []*curve{v.curves[v.chosen]}, 0
}

// refresh gathers anew when other packets are shown.
func (v *View) refresh() {
	now := v.c.Scope()
	if v.of.Same(now) {
		return
	}
	v.of = now
	for _, c := range v.curves {
		c.begin(v.c)
	}
}

// Update handles the keys that move along the curves, choose one, zoom and go to a packet.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	from, to := v.span()
	switch a {
	case act.Right, act.Left:
		v.along(a == act.Right, n, from, to)
	case act.Down, act.Up:
		v.remember()
		v.c.List().Step(map[bool]int{true: 1, false: -1}[a == act.Down] * max(1, n))
	case act.PageDown, act.HalfDown:
		v.toTime(v.now() + (to-from)/10)
	case act.PageUp, act.HalfUp:
		v.toTime(v.now() - (to-from)/10)
	case act.First, act.Last:
		if n > 0 {
			v.c.GoTo(dissect.FrameNum(n))
			break
		}
		v.toTime(map[bool]int64{true: 0, false: math.MaxInt64}[a == act.First])
	case act.Bigger, act.Smaller:
		v.zoom = widget.Clamp(v.zoom+map[bool]int{true: 1, false: -1}[a == act.Bigger], 0, maxZoom)
		v.begin = 0
	case act.NextPane:
		v.chosen = (v.chosen + 1) % len(v.curves)
	case act.PrevPane:
		v.chosen = (v.chosen + len(v.curves) - 1) % len(v.curves)
	case act.Reading:
		v.form = (v.effective() + 1) % forms
	case act.Hide:
		v.remove()
	case act.Only:
		v.only()
	case act.Open, act.Quit, act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// effective is the form that the chosen curve is drawn in now.
func (v *View) effective() int {
	c := v.curves[v.chosen]
	c.data.Lock()
	defer c.data.Unlock()
	if v.form < 0 && c.drawn.w > 0 {
		return c.drawn.form
	}
	return v.shape(len(c.data.List), view.Width(v.c)-9)
}

// remember notes for the way back from where the cursor is moved first.
func (v *View) remember() {
	if !v.left {
		v.left = true
		v.c.List().Leave()
	}
}

// now is the time of the selected packet.
func (v *View) now() int64 {
	if v.c.List().Current() == 0 || int(v.c.List().Current()) > v.c.Scope().Session.Passed() {
		return 0
	}
	return v.c.Scope().Session.Store().Time(int(v.c.List().Current()) - 1)
}

// goTo selects a packet of a curve.
func (v *View) goTo(f dissect.FrameNum) {
	if v.c.List().Evicted(f) {
		return
	}
	v.remember()
	v.c.List().Select(f)
}

// along moves to the next points of the chosen curve that stand at another column, or to those before.
func (v *View) along(right bool, n int, from, to int64) {
	d := v.curves[v.chosen].data
	d.Lock()
	at, t, cell := v.c.List().Current(), v.now(), (to-from)/int64(max(1, view.Width(v.c)-9))
	for range widget.Clamp(n, 1, 10_000) {
		i := 0
		if right {
			i = max(d.Behind(at), min(d.Since(t+cell), len(d.List)-1))
		} else if at > 0 {
			i = min(d.Behind(at-1)-1, max(0, d.Since(t-cell+1)-1))
		}
		if i < 0 || i >= len(d.List) {
			break
		}
		at, t = d.List[i].Frame, d.List[i].Time
	}
	d.Unlock()
	if at != v.c.List().Current() {
		v.goTo(at)
	}
}

// toTime goes to the chosen curve's first Point at a time or behind it, or to the last one.
func (v *View) toTime(t int64) {
	d := v.curves[v.chosen].data
	d.Lock()
	i, k := d.Since(t), len(d.List)
	var f dissect.FrameNum
	if k > 0 {
		f = d.List[min(i, k-1)].Frame
	}
	d.Unlock()
	if f > 0 {
		v.goTo(f)
	}
}

// whole is the time from the first value of all curves to the last one.
func (v *View) whole() (from, to int64) {
	from, to = math.MaxInt64, math.MinInt64
	for _, c := range v.curves {
		c.data.Lock()
		if k := len(c.data.List); k > 0 {
			from, to = min(from, c.data.List[0].Time), max(to, c.data.List[k-1].Time)
		}
		c.data.Unlock()
	}
	if from > to {
		return v.c.Scope().Span()
	}
	return from, max(to, from+1)
}

// span is the time that is shown. While zoomed in it stays until the selected packet leaves it.
func (v *View) span() (from, to int64) {
	from, to = v.whole()
	width := (to - from) >> v.zoom
	if v.zoom == 0 || width < 2 {
		return from, to
	}
	if t := v.now(); t < v.begin || t > v.begin+width {
		v.begin = t - width/2
	}
	v.begin = max(from, min(v.begin, to-width))
	return v.begin, v.begin + width
}

// Click selects a packet, or a place in a curve.
func (v *View) Click(x, y int) {
	w := view.Width(v.c)
	if y < v.listRows {
		if y > 0 {
			v.remember()
			v.c.List().Click(y - 1)
		}
		return
	}
	for _, l := range v.lanes {
		if y >= l.top && y < l.top+l.h {
			v.chosen = l.curve
		}
	}
	from, to := v.span()
	v.toTime(from + int64(float64(to-from)*float64(widget.Clamp(x-8, 0, w-9))/float64(max(1, w-9))))
}

// Wheel moves along the chosen curve by n cells.
func (v *View) Wheel(n int) {
	v.Update(map[bool]act.Action{true: act.Right, false: act.Left}[n > 0], max(n, -n))
}

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	out := [][2]string{{"h l", "along the curve"}, {"j k", "packets"}, {"+ -", "zoom"}, {"v", "lines, dots, blocks"}}
	if len(v.curves) > 1 {
		out = append(out, [2]string{"Tab", "choose"})
	}
	return append(out, [][2]string{{"x", "take away"}, {"Enter", "that packet"}, {"q", "back"}}...)
}

// Busy reports whether values are still read.
func (v *View) Busy() bool {
	if !v.of.Same(v.c.Scope()) {
		return true
	}
	for _, c := range v.curves {
		c.data.Lock()
		upTo := int(c.data.UpTo)
		c.data.Unlock()
		if upTo < v.c.Scope().Session.Passed() {
			return true
		}
	}
	return false
}

// Status says the value of the chosen curve at the selected packet.
func (v *View) Status() string {
	c := v.curves[v.chosen]
	c.data.Lock()
	defer c.data.Unlock()
	text := "packet " + humanize.Group(int(v.c.List().Current())) + ", " +
		humanize.Duration(float64(v.now()-v.c.Scope().Epoch)/1e9)
	switch p, ok := c.data.AsOf(v.c.List().Current()); {
	case c.data.Seen == 0:
		text = "no value yet"
	case ok && p.Frame == v.c.List().Current():
		text += ": " + humanize.Short(p.Value*scaleOf(c.field))
	case ok:
		text += ": no value; the last one is in packet " + humanize.Group(int(p.Frame))
	}
	if c.data.Every > 1 {
		text += "   one of " + humanize.Group(c.data.Every) + " values is drawn"
	}
	if int(c.data.UpTo) < v.c.Scope().Session.Passed() {
		text += "   gathering, up to packet " + humanize.Group(int(c.data.UpTo))
	}
	return text
}

// listHeight is how many lines the list above the curves has, with its head: none on small screens.
func (v *View) listHeight(h int) int {
	if h < 20 {
		return 0
	}
	return widget.Clamp(h*3/10, 5, 14)
}

// Draw draws the packets above and a curve for each field below.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	v.listRows = v.listHeight(h)
	var out []string
	if v.listRows > 0 {
		out = v.c.List().Draw(w, v.listRows)
	}
	from, to := v.span()
	at, inner := -1, max(2, w-9)
	if t := v.now(); t >= from && t <= to {
		at = min(inner-1, int(float64(t-from)/float64(to-from)*float64(inner)))
	}
	v.lanes = v.share(len(out), h-len(out)-1)
	for _, l := range v.lanes {
		out = append(out, v.drawLane(v.curves[l.curve], l.curve == v.chosen, from, to, at, w, l.h)...)
	}
	return append(out, v.c.Style().TimeAxis(v.c.Scope().Epoch, from, to, w-1, w))
}
