package match

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

const (
	nameWidth = 16 // of a player
	minEvents = 4  // lines that they keep
)

// Draw draws the page: the game, a line for each player, when it stood still, and what happened.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	m := v.match()
	if m == nil {
		out := []string{v.c.Style().Rule(w, "Match", "")}
		text := view.NoGame(v.c)
		if v.Busy() {
			text = "looking for games"
		}
		return append(out, view.Says(w, h-1, text)...)
	}
	out := []string{v.title(m, w), v.state(m, w), paint.Pad("", w), v.head(w)}
	for _, p := range v.players(m, h) {
		out = append(out, v.player(m, p, w))
	}
	out = append(out, v.watchers(m, w, h), v.stallRule(m, w))
	lanes := v.lanes(m, h)
	from, to := v.span(m)
	for _, who := range lanes {
		out = append(out, v.lane(m, who, from, to, w))
	}
	out = append(out, v.axis(from, to, w), v.eventRule(w))
	if len(v.events) == 0 {
		return append(out, view.Says(w, max(0, h-len(out)), "no stall, and nothing that the sides differ in")...)[:h]
	}
	return append(out, v.table.Draw(w, max(0, h-len(out)), len(v.events), func(i int, selected bool) string {
		return v.event(v.events[i], selected, w)
	})...)[:h]
}

// above is how many lines there are above the events.
func (v *View) above(m *stats.Match, h int) int { return 8 + len(v.players(m, h)) + len(v.lanes(m, h)) }

// players are those with a line of their own, as many as there is room for: what lanes and events do not need is
// theirs.
func (v *View) players(m *stats.Match, h int) []*stats.MatchPlayer {
	out := v.takingPart(m)
	room := h - 8 - min(minEvents, max(1, len(v.events)))
	others := min(len(v.waitedFor(m)), room/2)
	return out[:min(len(out), max(1, room-others))]
}

// takingPart are who plays, then the server.
func (v *View) takingPart(m *stats.Match) (out []*stats.MatchPlayer) {
	for _, part := range [...]dissect.Part{dissect.Plays, dissect.Serves} {
		for i := range m.Players {
			if p := &m.Players[i]; p.Part == part && (part == dissect.Plays || p.Packets > 0) {
				out = append(out, p)
			}
		}
	}
	return out
}

// lanes are those for whom the game waited, as many as there is room for.
func (v *View) lanes(m *stats.Match, h int) []string {
	out := v.waitedFor(m)
	room := h - 8 - min(minEvents, max(1, len(v.events)))
	return out[:min(len(out), max(1, room-len(v.players(m, h))))]
}

// waitedFor are those for whom the game waited, "" for nobody of them.
func (v *View) waitedFor(m *stats.Match) (out []string) {
	for _, s := range m.Stalls {
		for _, who := range waited(&s) {
			if !slices.Contains(out, who) {
				out = append(out, who)
			}
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		out = []string{""}
	}
	return out
}

func waited(s *stats.Stall) []string {
	if len(s.For) == 0 {
		return []string{""}
	}
	return s.For
}

// title names the game and its phase.
func (v *View) title(m *stats.Match, w int) string {
	var l paint.Line
	l.Put(v.c.Style().Pens.Hues[m.Game.Protocol.Hue()], " "+m.Game.Protocol.Title())
	phase := ""
	if n := len(m.Game.Phases); n > 0 {
		phase = dissect.Escape(m.Game.Phases[n-1].Name)
	}
	if m.Game.Over {
		phase = strings.TrimPrefix(phase+", over", ", ")
	}
	title := dissect.Escape(m.Game.Subtitle())
	l.Put(v.c.Style().Pens.Bold, "  "+paint.Fit(title, min(paint.Width(title), max(8, w/2-l.Width))))
	l.Put(paint.Pen{}, " "+paint.FitRight(phase, max(0, w-l.Width-2)))
	return paint.Clip(l.End(w), w)
}

// state is the game in a line: how long it runs, how far it is, how much it stood still, whether the sides agree.
func (v *View) state(m *stats.Match, w int) string {
	st := v.c.Style()
	from := v.of.Store().Time(max(int(m.Game.First)-1, v.of.Store().First()))
	t := int(max(0, m.Last-from) / 1e9)
	parts := []string{humanize.Two(t/3600) + ":" + humanize.Two(t/60%60) + ":" + humanize.Two(t%60)}
	tick, called := uint64(0), ""
	for i := range m.Players {
		if p := &m.Players[i]; p.Tick >= tick && p.TickName != "" {
			tick, called = p.Tick, p.TickName
		}
	}
	if called != "" {
		words := strings.Fields(called)
		parts = append(parts, strings.ToLower(words[len(words)-1])+" "+humanize.Group(int(tick)))
	}
	var l paint.Line
	l.Put(st.Pens.Dim, " "+strings.Join(parts, st.Glyph(" · ", ", ")))
	l.Put(st.Pens.Dim, st.Glyph(" · ", ", "))
	p, text := st.Pens.Good, "no stall"
	if n := len(m.Stalls) + m.More; n > 0 {
		p, text = st.Pens.Warn, humanize.Of(n, "stall")+", "+widget.Span(m.Stalled)
	}
	l.Put(p, text)
	l.Put(st.Pens.Dim, st.Glyph(" · ", ", "))
	switch _, compared, differ := v.sync.Counts(); {
	case differ > 0:
		l.Put(st.Pens.Bad, "desync: "+humanize.Group(int(differ))+" of "+humanize.Group(int(compared))+" differ")
	case compared > 0:
		l.Put(st.Pens.Good, "in sync, "+humanize.Group(int(compared))+" compared")
	default:
		l.Put(st.Pens.Dim, "sync unknown")
	}
	if n := len(v.matches); n > 1 && w-l.Width > 16 {
		l.Put(st.Pens.Dim, paint.FitRight("game "+strconv.Itoa(v.now+1)+" of "+strconv.Itoa(n), w-l.Width-1))
	}
	return paint.Clip(l.End(w), w)
}

// columns are the widths of the bars and of the curves for a screen; narrow ones have neither.
func columns(w int) (bar, curve int) {
	rest := (w - nameWidth - 2*wCount - widthOf(1, w) - 2*wValue - 3) / 2
	if rest < 10 {
		return 0, 0
	}
	bar = widget.Clamp(rest/3, 4, 20)
	return bar, max(4, rest-bar-2)
}

const (
	wCount = 7
	wValue = 9
)

// widthOf is the width of a count: lost, recovered, repeats.
func widthOf(i, w int) int {
	switch {
	case i == 1 && w >= 100:
		return wCount + 4
	case i == 2:
		return wCount + 1
	}
	return wCount
}

func (v *View) head(w int) string {
	recovered := "recov."
	if w >= 100 {
		recovered = "recovered"
	}
	bar, curve := columns(w)
	wide := wValue + bar + curve + 2
	times := paint.Fit("  Input latency", wide) + paint.Fit("  Round trip", wide)
	if bar == 0 {
		times = paint.FitRight("Latency ", wide) + paint.FitRight("Round trip ", wide)
	}
	text := paint.Fit(" Player", nameWidth) + times +
		paint.FitRight("lost", wCount) + paint.FitRight(recovered, widthOf(1, w)) + paint.FitRight("repeats", wCount+1)
	p := v.c.Style().Pens.Dim
	return p.Open + paint.Fit(text, w) + p.Close
}

// player draws how the game runs for a player.
func (v *View) player(m *stats.Match, p *stats.MatchPlayer, w int) string {
	var l paint.Line
	l.Put(v.pen(m, p), paint.Fit(" "+name(p), nameWidth))
	v.trend(&l, m, &p.Latency, func(o *stats.MatchPlayer) *stats.Trend { return &o.Latency }, w)
	v.trend(&l, m, &p.RoundTrip, func(o *stats.MatchPlayer) *stats.Trend { return &o.RoundTrip }, w)
	for i, n := range [...]uint64{p.Lost, p.Saved, p.Repeats} {
		pen := paint.Pen{}
		if i == 0 && n > 0 {
			pen = v.c.Style().Pens.Bad
		}
		l.Put(pen, paint.FitRight(humanize.Short(float64(n)), widthOf(i, w)))
	}
	return paint.Clip(l.End(w), w)
}

// pen is that of a player's name: bad while the game waits for it.
func (v *View) pen(m *stats.Match, p *stats.MatchPlayer) paint.Pen {
	if n := len(m.Stalls); n > 0 {
		if s := &m.Stalls[n-1]; m.Last-s.To < 1e9 && slices.Contains(s.For, p.Label()) {
			return v.c.Style().Pens.Bad
		}
	}
	return v.c.Style().Pens.Bold
}

// trend draws what is measured of a player: the value now, a bar among the players, and a curve over time.
func (v *View) trend(l *paint.Line, m *stats.Match, t *stats.Trend, of func(*stats.MatchPlayer) *stats.Trend, w int) {
	bar, curve := columns(w)
	st := v.c.Style()
	if t.N == 0 {
		l.Put(st.Pens.Dim, paint.FitRight(st.Glyph("–", "-"), wValue)+paint.Fit("", bar+curve+2))
		return
	}
	text := widget.Milliseconds(int64(t.Now)) + " ms"
	if t.Unit != "" {
		text = strconv.FormatFloat(t.Now, 'f', 1, 64) + " " + t.Unit
	}
	if t.Rough {
		text = st.Glyph("≈", "~") + text
	}
	top := 0.0
	for i := range m.Players {
		top = max(top, of(&m.Players[i]).Now)
	}
	if bar == 0 {
		l.Put(paint.Pen{}, paint.FitRight(text, wValue+1)+" ")
		return
	}
	l.Put(paint.Pen{}, paint.FitRight(text, wValue)+" ")
	l.PutBars(&st.Pens, st.Bar(t.Now/max(top, 1e-9), bar))
	from, to := v.span(m)
	l.Put(st.Pens.Accent, " "+spark(t.Spread(from, to, curve), st.Levels()))
}

// spark is a curve of times, of which the largest has the full height; nothing is a blank.
func spark(values []float64, levels []rune) string {
	top := slices.Max(append([]float64{1e-9}, values...))
	out := make([]rune, len(values))
	for i, x := range values {
		if out[i] = ' '; x >= 0 {
			out[i] = levels[int(x/top*float64(len(levels)-1)+0.5)]
		}
	}
	return string(out)
}

// watchers are those who watch, and how many players have no line.
func (v *View) watchers(m *stats.Match, w, h int) string {
	var who []string
	for i := range m.Players {
		if m.Players[i].Part == dissect.Watches {
			who = append(who, name(&m.Players[i]))
		}
	}
	text := " nobody watches"
	if len(who) > 0 {
		text = " watching: " + strings.Join(who, v.c.Style().Glyph(" · ", ", "))
	}
	if n := len(v.takingPart(m)) - len(v.players(m, h)); n > 0 {
		text = " and " + humanize.Group(n) + " more" + v.c.Style().Glyph(" ·", ",") + text
	}
	return v.c.Style().Dim(text, w)
}

func (v *View) stallRule(m *stats.Match, w int) string {
	right := "whole game"
	if v.recent {
		right = "last 60 s"
	}
	text := "none so far"
	if n := len(m.Stalls) + m.More; n > 0 {
		text = humanize.Group(n) + ", by who was waited for"
	}
	return v.c.Style().Rule(w, "Stalls: "+text, right)
}

// lane is the time line of one who was waited for.
func (v *View) lane(m *stats.Match, who string, from, to int64, w int) string {
	st := v.c.Style()
	cells := max(1, w-nameWidth-2)
	var l paint.Line
	label := dissect.Escape(who)
	if label == "" && len(m.Stalls) > 0 {
		label = "server or way"
	}
	l.Put(st.Pens.Bold, paint.Fit(" "+label, nameWidth))
	on := make([]bool, cells)
	for i := range m.Stalls {
		s := &m.Stalls[i]
		if !slices.Contains(waited(s), who) || s.To < from {
			continue
		}
		begin := int(float64(s.From-from) / float64(to-from) * float64(cells))
		end := int(float64(s.To-from) / float64(to-from) * float64(cells))
		for x := max(0, begin); x <= min(end, cells-1); x++ {
			on[x] = true
		}
	}
	line, block := st.Glyph("·", "."), st.Glyph("█", "#")
	l.Runs(cells, func(x int) (paint.Pen, string) {
		if on[x] {
			return st.Pens.Bad, block
		}
		return st.Pens.Dim, line
	}, false)
	return paint.Clip(l.End(w), w)
}

// axis are the times below the lanes.
func (v *View) axis(from, to int64, w int) string {
	indent := nameWidth - 8
	axis := v.c.Style().TimeAxis(v.c.Scope().Epoch, from, to, w-indent-2, w-indent)
	return paint.Clip(strings.Repeat(" ", indent)+axis, w)
}

func (v *View) eventRule(w int) string {
	right := ""
	if d := v.sync.FirstDisagreement(); d != nil {
		right = "first: " + stats.TickTitle(d)
	}
	return v.c.Style().Rule(w, "What happened", right)
}

// event is a line for a stall or for what the sides differ in.
func (v *View) event(e event, selected bool, w int) string {
	var l paint.Line
	st := v.c.Style()
	if selected {
		l.Base = st.Pens.Selected
	}
	at := v.of.Store().Time(int(e.frame()) - 1)
	right := " packet " + humanize.Group(int(e.frame()))
	if e.differ != nil {
		right = packets(e.differ)
	} else {
		at = e.stall.From
	}
	l.Put(st.Pens.Dim, paint.FitRight(strconv.FormatFloat(float64(at-v.c.Scope().Epoch)/1e9, 'f', 2, 64)+" s", 11)+"  ")
	pen, text := st.Pens.Warn, ""
	switch {
	case e.differ != nil:
		pen, text = st.Pens.Bad, "desync  "+stats.TickTitle(e.differ)+": "+values(e.differ)
	case len(e.stall.For) == 0:
		text = "stall   " + widget.Span(e.stall.To-e.stall.From) + ", nobody's input was missing"
	default:
		text = "stall   " + widget.Span(e.stall.To-e.stall.From) + ", waiting for " +
			dissect.Escape(strings.Join(e.stall.For, ", "))
	}
	if l.Width+paint.Width(text)+paint.Width(right)+1 > w { // what happened matters more than where
		right = ""
	}
	l.Put(pen, paint.Fit(text, max(0, w-l.Width-paint.Width(right)-1)))
	l.Put(st.Pens.Dim, right+" ")
	return paint.Clip(l.End(w), w)
}

// values are the first two that differ, packets where they stand.
func values(d *dissect.Disagreement) string {
	return dissect.Escape(d.Reports[0].Text(d.About)) + " or " + dissect.Escape(d.Reports[1].Text(d.About))
}

func packets(d *dissect.Disagreement) string {
	return " packets " + humanize.Group(int(d.Reports[0].Frame)) + ", " + humanize.Group(int(d.Reports[1].Frame))
}
