package ui

import (
	"context"
	"strconv"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/shown"
)

// unknownView lists the packets shown that no protocol takes, by what carries them and by port, with what they look like. They
// are counted beside the screen.
type unknownView struct {
	table  table
	of     *shown.Packets
	all    *stats.Tally // of the capture: another one when packets are ignored
	counts *stats.Unknowns
	cancel context.CancelFunc
	upTo   dissect.FrameNum
	groups []stats.Unknown
}

// openUnknown opens the view, whose counting ends with it.
func (m *model) openUnknown() { m.openOver(&unknownView{}) }

// refresh begins to count what is shown now, and takes what has been counted.
func (v *unknownView) refresh(m *model) {
	if v.counts == nil || v.of != m.shown || v.all != m.all || v.counts.Session() != m.s {
		v.stop()
		var ctx context.Context
		ctx, v.cancel = context.WithCancel(m.ctx)
		v.of, v.all, v.counts, v.upTo, v.groups = m.shown, m.all, stats.NewUnknowns(m.s), 0, nil
		l, counts := m.s.Looker(), v.counts
		go m.eachShown(ctx, m.s, m.shown, m.ignored, func(frames []dissect.FrameNum, upTo dissect.FrameNum) { counts.Frames(l, frames, upTo) })
	}
	if upTo := v.counts.UpTo(); upTo != v.upTo {
		v.upTo, v.groups = upTo, v.counts.Groups()
	}
}

func (v *unknownView) stop() {
	if v.cancel != nil {
		v.cancel()
	}
}

func (v *unknownView) act(m *model, a act.Action, n int) bool {
	v.refresh(m)
	known := v.table.cur < len(v.groups)
	switch {
	case v.table.act(a, n, len(v.groups), m.body().h-1):
	case a == act.Open && known:
		text := m.doors().Unknown(&v.groups[v.table.cur])
		m.leaveOver(nil)
		m.narrow(text)
	case a == act.Only && known:
		m.applyFilter(m.doors().Unknown(&v.groups[v.table.cur]))
	case a == act.Hide && known:
		m.narrow("!(" + m.doors().Unknown(&v.groups[v.table.cur]) + ")")
	case a == act.FollowStream && known:
		m.followTalk(m.s.ConversationOf(v.groups[v.table.cur].Sample))
	case a == act.Quit || a == act.ClearFilter:
		m.leaveOver(nil)
	default:
		return false
	}
	return true
}

func (v *unknownView) click(_ *model, r rect, _, y int) {
	if i := v.table.top + y - r.y - 2; y > r.y+1 && i < len(v.groups) {
		v.table.cur = i
	}
}

func (v *unknownView) wheel(_ *model, n int) { v.table.cur = max(0, v.table.cur+n) }

func (v *unknownView) hints() [][2]string {
	return [][2]string{{"Enter", "these packets"}, {"o", "only these"}, {"x", "hide them"}, {"gf", "follow one"}, {"e", "export"}, {"q", "back"}}
}

func (v *unknownView) status(m *model) string {
	var c stats.Count
	for _, g := range v.groups {
		c.Packets += g.Packets
		c.Bytes += g.Bytes
	}
	text := amount.Packets(int(c.Packets)) + ", " + amount.Bytes(int64(c.Bytes)) + " that no protocol takes, in " + amount.Of(len(v.groups), "group")
	if v.counts != nil && int(v.counts.UpTo()) < m.s.Passed() {
		text += ", counted up to packet " + amount.Group(int(v.counts.UpTo()))
	}
	return text
}

func (v *unknownView) busy(m *model) bool {
	return v.counts == nil || v.of != m.shown || v.all != m.all || int(v.counts.UpTo()) < m.s.Passed() || v.upTo != v.counts.UpTo()
}

// unknownColumns are the widths: name, packets, flows, gap, jitter, entropy; what it looks like takes the rest.
func unknownColumns(w int) [6]int {
	if w < 100 {
		return [6]int{14, 9, 0, 9, 0, 0}
	}
	return [6]int{18, 10, 7, 10, 9, 8}
}

func (v *unknownView) draw(m *model, r rect) []string {
	v.refresh(m)
	c := unknownColumns(r.w)
	out := []string{m.rule(r.w, "Unknown traffic", "data that no protocol takes")}
	var head paint.Line
	head.Put(m.pens.Dim, paint.Fit("  In", c[0]+2))
	for i, name := range []string{"packets", "flows", "gap ms", "jitter", "entropy"} {
		if c[i+1] > 0 {
			head.Put(m.pens.Dim, paint.FitRight(name, c[i+1]))
		}
	}
	head.Put(m.pens.Dim, "  looks like")
	out = append(out, paint.Clip(head.End(r.w), r.w))
	if len(v.groups) == 0 && !v.busy(m) {
		out = append(out, paint.Fit("  every packet shown is of a protocol that is known here", r.w))
		return append(out, m.blankLines(r.w, r.h-3)...)
	}
	return append(out, v.table.draw(rect{r.x, r.y + 2, r.w, r.h - 2}, len(v.groups), func(i int, selected bool) string {
		return v.row(m, &v.groups[i], selected, c, r.w)
	})...)
}

func (v *unknownView) row(m *model, g *stats.Unknown, selected bool, c [6]int, w int) string {
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	name := g.Carrier.Title()
	if g.Port != 0 {
		name += " " + strconv.Itoa(int(g.Port))
	}
	l.Put(m.pens.Hues[g.Carrier.Hue()], "  "+paint.Fit(name, c[0]))
	l.Put(paint.Pen{}, paint.FitRight(amount.Group(int(g.Packets)), c[1]))
	if c[2] > 0 {
		l.Put(m.pens.Dim, paint.FitRight(amount.Group(g.Flows), c[2]))
	}
	l.Put(paint.Pen{}, paint.FitRight(m.plain(secondsAsMs(g.Gap)), c[3]))
	if c[4] > 0 {
		l.Put(m.pens.Dim, paint.FitRight(m.plain(secondsAsMs(g.Jitter)), c[4])+paint.FitRight(amount.Short(g.Content.Entropy), c[5]))
	}
	l.Put(paint.Pen{}, "  "+paint.Fit(m.plain(g.Looks()), max(0, w-l.Width-2)))
	return paint.Clip(l.End(w), w)
}
