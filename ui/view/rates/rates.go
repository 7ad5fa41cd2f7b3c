// Package rates draws how many packets or bytes a second there were: the I/O graph.
package rates

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/filtered"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View draws how many packets or bytes a second there were, of all packets and of those that filters let through: one
// curve for each. The filters go on beside the screen as packets arrive. The cursor stands at a time; Enter goes to the
// packet there.
type View struct {
	c      view.Context
	series []rateSeries
	chosen int // whose packets Enter and x mean
	blocks bool
	bytes  bool // bytes a second, not packets
	view.TimeWindow
}

// A rateSeries is one curve; the first is of all packets.
type rateSeries struct {
	text string
	of   *filtered.Packets // nil: all packets
}

// maxSeries is how many curves can be told apart.
const maxSeries = 6

// New is a view with a curve for the filter that is on, or for each of some filters.
func New(c view.Context, filters ...string) *View {
	s := c.Scope()
	v := &View{c: c, series: []rateSeries{{text: "all packets"}}}
	v.At, _ = s.Span()
	if n := c.List().Current(); n > 0 {
		v.At = s.Session.Store().Time(int(n) - 1)
	}
	if text := s.FilterText(); text != "" && len(filters) == 0 {
		filters = []string{text}
	}
	for _, text := range filters {
		v.add(text)
	}
	return v
}

// add begins another curve.
func (v *View) add(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if len(v.series) == maxSeries {
		v.c.Notify("no more than " + strconv.Itoa(maxSeries) + " curves can be told apart; x takes one away")
		return
	}
	s := v.c.Scope()
	f, err := s.Compile(text)
	if err != nil {
		v.c.Notify(err.Error())
		return
	}
	v.chosen = len(v.series)
	v.series = append(v.series, rateSeries{text, filtered.Start(s.Session, f, s.Ignored)})
}

func (v *View) tally(i int) *stats.Tally {
	if of := v.series[i].of; of != nil {
		return of.Tally
	}
	return v.c.Scope().All
}

// Update handles the keys that move in time, zoom, choose a curve and add or remove one.
func (v *View) Update(a act.Action, n int) bool {
	first, last := v.c.Scope().Span()
	if v.Move(a, n, view.Width(v.c), first, last) {
		return true
	}
	switch a {
	case act.NextPane, act.Down:
		v.chosen = (v.chosen + 1) % len(v.series)
	case act.PrevPane, act.Up:
		v.chosen = (v.chosen + len(v.series) - 1) % len(v.series)
	case act.Reading:
		v.blocks = !v.blocks
	case act.Measure:
		v.bytes = !v.bytes
	case act.Plot:
		v.c.Prompt(view.Prompt{Label: " a curve of the packets: ", Filter: true, Wrong: "no such curve yet", Accept: v.add})
	case act.Hide:
		if of := v.series[v.chosen].of; of != nil {
			of.Cancel()
			v.series = append(v.series[:v.chosen:v.chosen], v.series[v.chosen+1:]...)
			v.chosen--
		}
	case act.Only:
		text := ""
		if of := v.series[v.chosen].of; of != nil {
			text = of.Filter.String()
		}
		v.c.Filter(text)
	case act.Open:
		if f := v.frame(); f > 0 {
			v.c.Close()
			v.c.GoTo(f)
		}
	case act.Quit, act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// Close ends the filters.
func (v *View) Close() {
	for _, s := range v.series {
		if s.of != nil {
			s.of.Cancel()
		}
	}
}

// frame is the first packet of the chosen curve at the cursor or behind it, or the last one before; 0 when there is
// none.
func (v *View) frame() dissect.FrameNum {
	rows, frame := v.c.Scope().Session.Passed(), func(i int) dissect.FrameNum { return dissect.FrameNum(i + 1) }
	if of := v.series[v.chosen].of; of != nil {
		rows, frame = of.Matches.Len(), of.Matches.At
	}
	if rows == 0 {
		return 0
	}
	store := v.c.Scope().Session.Store()
	i := sort.Search(rows, func(i int) bool { return store.Time(int(frame(i))-1) >= v.At })
	return frame(min(i, rows-1))
}

// Click selects a curve in the legend, or a time.
func (v *View) Click(x, y int) {
	w := view.Width(v.c)
	if k := y - 1; k >= 0 && k < len(v.series) {
		v.chosen = k
		return
	}
	first, last := v.c.Scope().Span()
	v.TimeWindow.Click(x, w, first, last)
}

// Wheel zooms in time.
func (v *View) Wheel(n int) {
	v.Update(map[bool]act.Action{true: act.Smaller, false: act.Bigger}[n > 0], 1)
}

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"h l", "move"}, {"+ -", "zoom"}, {"P", "another curve"}, {"Tab", "choose"}, {"x", "take away"},
		{"b", "packets, bytes"}, {"v", "dots, blocks"}, {"Enter", "that packet"}, {"q", "back"}}
}

// Busy reports whether the filters are still matched.
func (v *View) Busy() bool {
	for _, s := range v.series {
		if s.of != nil && s.of.Failed.Load() == nil && int(s.of.Decided.Load()) < v.c.Scope().Session.Passed() {
			return true
		}
	}
	return false
}

// Status says the time and the packet under the cursor.
func (v *View) Status() string {
	f := v.frame()
	if f == 0 {
		return "no packet"
	}
	return "at " + humanize.Duration(float64(v.At-v.c.Scope().Epoch)/1e9) + ", packet " + humanize.Group(int(f)) + " of " +
		dissect.Escape(v.series[v.chosen].text)
}

// signed tells whether the curves need signs to be told apart.
func (v *View) signed() bool {
	var used []paint.Pen
	for i := range v.series {
		used = append(used, v.c.Style().SeriesPen(i))
	}
	return v.c.Style().Signed(used)
}

// Draw draws the legend above and a curve for each filter below.
func (v *View) Draw(w, h int) []string {
	from, to := v.Shown(v.c.Scope().Span())
	title := "Packets/s"
	if v.bytes {
		title = "Bytes/s"
	}
	points, signed := max(2, w-8), v.signed()
	if !v.blocks && !signed {
		points *= 2
	}
	curves, step := v.curves(from, to, points)
	out := []string{v.c.Style().Rule(w, title, plot.StepText(step)+", "+humanize.Duration(float64(to-from)/1e9)+" shown")}
	inner := max(2, w-8)
	var all []float64
	for i, s := range v.series {
		all = append(all, curves[i]...)
		out = append(out, v.legend(i, s, w))
	}
	rows := max(1, h-len(out)-1)
	if v.c.Scope().Session.Passed() == 0 {
		return append(append([]string{v.c.Style().Rule(w, title, "")}, out[1:]...), view.Empty(v.c, w, h-len(out), "")...)
	}
	top := plot.NiceTop(all)
	labels := plot.Labels(top, rows)
	at := widget.Clamp(int(float64(v.At-from)/float64(max(1, to-from))*float64(inner)), 0, inner-1)
	cells := plot.Lay(curves, inner, rows, top, v.blocks, signed)
	out = append(out, v.c.Style().CurveRows(cells, labels, at, v.c.Style().Pens.Selected, v.c.Style().SeriesPen, w)...)
	return append(out, v.c.Style().TimeAxis(v.c.Scope().Epoch, from, to, w-1, w))
}

// curves are the points of each curve. All are counted by the same intervals: those that suit the sparsest.
func (v *View) curves(from, to int64, points int) (curves [][]float64, step int64) {
	first, last := v.c.Scope().Span()
	fewest := math.Inf(1)
	for i := range v.series {
		if n := v.tally(i).Spread(from, to+1, 1)[0]; n > 0 {
			fewest = min(fewest, n)
		}
	}
	step = plot.Step(to-from, points, fewest)
	for i := range v.series {
		source := v.tally(i).Spread
		if v.bytes {
			source = v.tally(i).SpreadBytes
		}
		curves = append(curves, plot.Rate(source, step, first, first, last, from, to, points))
	}
	return curves, step
}

// legend names a curve, with how many packets it counts.
func (v *View) legend(i int, s rateSeries, w int) string {
	var l paint.Line
	if i == v.chosen {
		l.Base = v.c.Style().Pens.Selected
	}
	c, _, _ := v.tally(i).All()
	right := humanize.Packets(int(c.Packets))
	if v.bytes {
		right = humanize.Bytes(int64(c.Bytes))
	}
	if s.of != nil {
		if err := s.of.Failed.Load(); err != nil {
			right = (*err).Error()
		} else if int(s.of.Decided.Load()) < v.c.Scope().Session.Passed() {
			right += " so far"
		}
	}
	l.Put(v.c.Style().SeriesPen(i), "  "+widget.LegendSign(i, v.signed())+" ")
	room := max(0, w-6-paint.Width(right)-1)
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(s.text), room)+right)
	return paint.Clip(l.End(w), w)
}
