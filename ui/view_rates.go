package ui

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/shown"
)

// ratesView draws how many packets or bytes a second there were, of all packets and of those that filters let through: one curve for
// each. The filters go on beside the screen as packets arrive. The cursor stands at a time; Enter goes to the packet there.
type ratesView struct {
	series []rateSeries
	chosen int   // whose packets Enter and x mean
	at     int64 // where the cursor is, in nanoseconds since 1970
	zoom   int   // how often the time shown was halved
	blocks bool
	bytes  bool // bytes a second, not packets
}

// A rateSeries is one curve; the first is of all packets.
type rateSeries struct {
	text string
	of   *shown.Packets // nil: all packets
}

// maxSeries is how many curves can be told apart.
const maxSeries = 6

// maxZoom is how often the time shown can be halved.
const maxZoom = 20

// openRates opens the view with a curve for the filter that is on, or for each of some filters.
func (m *model) openRates(filters ...string) {
	v := &ratesView{series: []rateSeries{{text: "all packets"}}}
	v.at, _ = m.span()
	if m.cur > 0 {
		v.at = m.s.Store().Time(int(m.cur) - 1)
	}
	if text := m.filterText(); text != "" && len(filters) == 0 {
		filters = []string{text}
	}
	m.openOver(v)
	for _, text := range filters {
		v.add(m, text)
	}
}

// add begins another curve.
func (v *ratesView) add(m *model, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if len(v.series) == maxSeries {
		m.notice = "no more than " + strconv.Itoa(maxSeries) + " curves can be told apart; x takes one away"
		return
	}
	f, err := filter.CompileWith(m.reg, text, m.cfg.Filters)
	if err != nil {
		m.notice = err.Error()
		return
	}
	if f.References() && m.tree != nil {
		f = f.With(m.tree)
	}
	v.chosen = len(v.series)
	v.series = append(v.series, rateSeries{text, shown.Start(m.s, f, m.ignored)})
}

func (v *ratesView) tally(m *model, i int) *stats.Tally {
	if of := v.series[i].of; of != nil {
		return of.Tally
	}
	return m.all
}

// span is the time that is shown.
func (v *ratesView) span(m *model) (from, to int64) {
	from, to = m.span()
	width := (to - from) >> v.zoom
	if v.zoom == 0 || width < 2 {
		return from, to
	}
	begin := min(max(from, v.at-width/2), to-width)
	return begin, begin + width
}

func (v *ratesView) act(m *model, a act.Action, n int) bool {
	from, to := v.span(m)
	step := max(1, (to-from)/int64(max(1, m.w-9))) * int64(max(1, n))
	switch a {
	case act.Right:
		v.at += step
	case act.Left:
		v.at -= step
	case act.PageDown, act.HalfDown:
		v.at += (to - from) / 10
	case act.PageUp, act.HalfUp:
		v.at -= (to - from) / 10
	case act.First:
		v.at = 0
	case act.Last:
		v.at = math.MaxInt64
	case act.Bigger:
		v.zoom = min(maxZoom, v.zoom+1)
	case act.Smaller:
		v.zoom = max(0, v.zoom-1)
	case act.NextPane, act.Down:
		v.chosen = (v.chosen + 1) % len(v.series)
	case act.PrevPane, act.Up:
		v.chosen = (v.chosen + len(v.series) - 1) % len(v.series)
	case act.Reading:
		v.blocks = !v.blocks
	case act.Measure:
		v.bytes = !v.bytes
	case act.Filter:
		m.startEdit(editSeries, "")
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
		m.applyFilter(text)
	case act.Open:
		if f := v.frame(m); f > 0 {
			m.leaveOver(nil)
			m.jumpTo(f)
		}
	case act.Quit, act.ClearFilter:
		m.leaveOver(nil)
	default:
		return false
	}
	first, last := m.span()
	v.at = min(max(v.at, first), last)
	return true
}

// stop ends the filters.
func (v *ratesView) stop() {
	for _, s := range v.series {
		if s.of != nil {
			s.of.Cancel()
		}
	}
}

// frame is the first packet of the chosen curve at the cursor or behind it, or the last one before; 0 when there is none.
func (v *ratesView) frame(m *model) dissect.FrameNum {
	rows, frame := m.s.Passed(), func(i int) dissect.FrameNum { return dissect.FrameNum(i + 1) }
	if of := v.series[v.chosen].of; of != nil {
		rows, frame = of.Matches.Len(), of.Matches.At
	}
	if rows == 0 {
		return 0
	}
	store := m.s.Store()
	i := sort.Search(rows, func(i int) bool { return store.Time(int(frame(i))-1) >= v.at })
	return frame(min(i, rows-1))
}

func (v *ratesView) click(m *model, r rect, x, y int) {
	if k := y - r.y - 1; k >= 0 && k < len(v.series) {
		v.chosen = k
		return
	}
	from, to := v.span(m)
	v.at = from + int64(float64(to-from)*float64(clamp(x-8, 0, r.w-9))/float64(max(1, r.w-9)))
}

func (v *ratesView) wheel(m *model, n int) {
	v.act(m, map[bool]act.Action{true: act.Smaller, false: act.Bigger}[n > 0], 1)
}

func (v *ratesView) hints() [][2]string {
	return [][2]string{{"h l", "move"}, {"+ -", "zoom"}, {"/", "another curve"}, {"Tab", "choose"}, {"x", "take away"}, {"b", "packets, bytes"}, {"v", "dots, blocks"}, {"Enter", "that packet"}, {"q", "back"}}
}

func (v *ratesView) busy(m *model) bool {
	for _, s := range v.series {
		if s.of != nil && s.of.Failed.Load() == nil && int(s.of.Decided.Load()) < m.s.Passed() {
			return true
		}
	}
	return false
}

func (v *ratesView) status(m *model) string {
	f := v.frame(m)
	if f == 0 {
		return "no packet"
	}
	return "at " + amount.Duration(float64(v.at-m.epoch())/1e9) + ", packet " + amount.Group(int(f)) + " of " + dissect.Escape(v.series[v.chosen].text)
}

// signed tells whether curves need signs to be told apart, because colours or dots are missing.
func (m *model) signed(pens []paint.Pen) bool {
	for i, p := range pens {
		if slices.Contains(pens[:i], p) || i > 0 && p == (paint.Pen{}) && pens[0] == m.pens.Dim { // faint alone is no sign
			return true
		}
	}
	return m.cfg.ASCII
}

// legendSign is what stands in front of a curve's name.
func legendSign(i int, signed bool) string {
	if signed {
		return strings.Repeat(plot.Signs[i:i+1], 2)
	}
	return "━━"
}

// signed tells whether the curves need signs to be told apart.
func (v *ratesView) signed(m *model) bool {
	var used []paint.Pen
	for i := range v.series {
		used = append(used, m.seriesPen(i))
	}
	return m.signed(used)
}

// seriesPen is the colour of a curve.
func (m *model) seriesPen(i int) paint.Pen {
	if i == 0 {
		return m.pens.Dim
	}
	hues := []dissect.Hue{dissect.HueBlue, dissect.HueMagenta, dissect.HueGreen, dissect.HueYellow, dissect.HueCyan}
	return m.pens.Hues[hues[(i-1)%len(hues)]]
}

func (v *ratesView) draw(m *model, r rect) []string {
	from, to := v.span(m)
	title := "Packets a second"
	if v.bytes {
		title = "Bytes a second"
	}
	points, signed := max(2, r.w-8), v.signed(m)
	if !v.blocks && !signed {
		points *= 2
	}
	curves, step := v.curves(m, from, to, points)
	out := []string{m.rule(r.w, title, plot.StepText(step)+", "+amount.Duration(float64(to-from)/1e9)+" shown")}
	inner := max(2, r.w-8)
	var all []float64
	for i, s := range v.series {
		all = append(all, curves[i]...)
		out = append(out, v.legend(m, i, s, r.w))
	}
	h := max(1, r.h-len(out)-1)
	if m.s.Passed() == 0 {
		return append(append([]string{m.rule(r.w, title, "")}, out[1:]...), m.emptyView(r.w, r.h-len(out), "")...)
	}
	top := plot.NiceTop(all)
	labels := plot.Labels(top, h)
	at := clamp(int(float64(v.at-from)/float64(max(1, to-from))*float64(inner)), 0, inner-1)
	cells := plot.Lay(curves, inner, h, top, v.blocks, signed)
	out = append(out, m.curveRows(cells, labels, at, m.pens.Selected, m.seriesPen, r.w)...)
	return append(out, m.timeAxis(from, to, r.w-1, r.w))
}

// curves are the points of each curve. All are counted by the same intervals: those that suit the sparsest.
func (v *ratesView) curves(m *model, from, to int64, points int) (curves [][]float64, step int64) {
	first, last := m.span()
	fewest := math.Inf(1)
	for i := range v.series {
		if n := v.tally(m, i).Spread(from, to+1, 1)[0]; n > 0 {
			fewest = min(fewest, n)
		}
	}
	step = plot.Step(to-from, points, fewest)
	for i := range v.series {
		source := v.tally(m, i).Spread
		if v.bytes {
			source = v.tally(m, i).SpreadBytes
		}
		curves = append(curves, plot.Rate(source, step, first, first, last, from, to, points))
	}
	return curves, step
}

// legend names a curve, with how many packets it counts.
func (v *ratesView) legend(m *model, i int, s rateSeries, w int) string {
	var l paint.Line
	if i == v.chosen {
		l.Base = m.pens.Selected
	}
	c, _, _ := v.tally(m, i).All()
	right := amount.Packets(int(c.Packets))
	if v.bytes {
		right = amount.Bytes(int64(c.Bytes))
	}
	if s.of != nil {
		if err := s.of.Failed.Load(); err != nil {
			right = (*err).Error()
		} else if int(s.of.Decided.Load()) < m.s.Passed() {
			right += " so far"
		}
	}
	l.Put(m.seriesPen(i), "  "+legendSign(i, v.signed(m))+" ")
	room := max(0, w-6-paint.Width(right)-1)
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(s.text), room)+right)
	return paint.Clip(l.End(w), w)
}
