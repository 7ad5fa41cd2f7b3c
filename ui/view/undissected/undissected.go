// Package undissected lists the packets that no protocol takes.
package undissected

import (
	"context"
	"strconv"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lists the packets shown that no protocol takes, by what carries them and by port, with what they look like.
// They are counted beside the screen.
type View struct {
	c      view.Context
	table  widget.Table
	of     view.Scope
	counts *stats.Undissected
	stop   func()
	upTo   dissect.FrameNum
	groups []stats.UndissectedGroup
	lab    func(filter string)
}

// New is the undissected traffic of the packets shown. lab looks at the messages of a filter.
func New(c view.Context, lab func(filter string)) *View { return &View{c: c, lab: lab} }

// refresh begins to count what is shown now, and takes what has been counted.
func (v *View) refresh() {
	if now := v.c.Scope(); v.counts == nil || !now.Same(v.of) {
		v.Close()
		v.of, v.counts, v.upTo, v.groups = now, stats.NewUndissected(now.Session), 0, nil
		l, counts := now.Session.Dissector(), v.counts
		v.stop = v.c.Go("counting", func(ctx context.Context) {
			now.Each(ctx, func(frames []dissect.FrameNum, upTo dissect.FrameNum) { counts.Frames(l, frames, upTo) })
		})
	}
	if upTo := v.counts.UpTo(); upTo != v.upTo {
		v.upTo, v.groups = upTo, v.counts.Groups()
	}
}

// Close ends the counting.
func (v *View) Close() {
	if v.stop != nil {
		v.stop()
	}
}

// FindLine goes to the next line that holds a text, or to the one before.
func (v *View) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Update handles the keys that move in the groups, and filter by or follow one.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	known := v.table.Cur < len(v.groups)
	switch {
	case v.table.Update(a, n, len(v.groups), view.Height(v.c)-1):
	case a == act.Open && known:
		text := v.c.Scope().Drilldown().Undissected(&v.groups[v.table.Cur])
		v.c.Close()
		view.Narrow(v.c, text)
	case a == act.Only && known:
		v.c.Filter(v.c.Scope().Drilldown().Undissected(&v.groups[v.table.Cur]))
	case a == act.Hide && known:
		view.Narrow(v.c, "!("+v.c.Scope().Drilldown().Undissected(&v.groups[v.table.Cur])+")")
	case a == act.Reading && known:
		v.lab(v.c.Scope().Drilldown().Undissected(&v.groups[v.table.Cur]))
	case a == act.FollowStream && known:
		v.follow(v.groups[v.table.Cur].Sample)
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// Click selects a group.
func (v *View) Click(_, y int) {
	v.table.Click(y-2, len(v.groups))
}

// follow reads the conversation of a packet.
func (v *View) follow(n dissect.FrameNum) {
	s := v.c.Scope().Session
	if id := s.ConversationOf(n); id != 0 {
		v.c.Follow(follow.New(s, id), v.c.List().Current())
	} else {
		v.c.Notify("this packet belongs to no conversation")
	}
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"Enter", "these packets"}, {"o", "only these"}, {"x", "hide them"}, {"gf", "follow one"},
		{"v", "lab: what their bytes may be"}, {"e", "export"}, {"q", "back"}}
}

// Status says how many packets and bytes are undissected, in how many groups.
func (v *View) Status() string {
	var c stats.Count
	for _, g := range v.groups {
		c.Packets += g.Packets
		c.Bytes += g.Bytes
	}
	text := humanize.Packets(int(c.Packets)) + ", " + humanize.Bytes(int64(c.Bytes)) + " that no protocol takes, in " +
		humanize.Of(len(v.groups), "group")
	if v.counts != nil && int(v.counts.UpTo()) < v.c.Scope().Session.Passed() {
		text += ", counted up to packet " + humanize.Group(int(v.counts.UpTo()))
	}
	return text
}

// Busy reports whether packets are still counted.
func (v *View) Busy() bool {
	return v.counts == nil || !v.of.Same(v.c.Scope()) || int(v.counts.UpTo()) < v.c.Scope().Session.Passed() ||
		v.upTo != v.counts.UpTo()
}

// unknownColumns are the widths: name, packets, flows, gap, jitter, entropy; what it looks like takes the rest.
func unknownColumns(w int) [6]int {
	if w < 100 {
		return [6]int{14, 9, 0, 9, 0, 0}
	}
	return [6]int{18, 10, 7, 10, 9, 8}
}

// Draw draws a line for each group of packets that no protocol takes.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	c := unknownColumns(w)
	out := []string{v.c.Style().Rule(w, "Undissected traffic", "no protocol claims it")}
	var head paint.Line
	head.Put(v.c.Style().Pens.Dim, paint.Fit("  In", c[0]+2))
	for i, name := range []string{"packets", "flows", "gap ms", "jitter", "entropy"} {
		if c[i+1] > 0 {
			head.Put(v.c.Style().Pens.Dim, paint.FitRight(name, c[i+1]))
		}
	}
	head.Put(v.c.Style().Pens.Dim, "  Looks like")
	out = append(out, paint.Clip(head.End(w), w))
	if len(v.groups) == 0 && !v.Busy() {
		out = append(out, paint.Fit("  every packet shown is of a protocol that is known here", w))
		return append(out, widget.Blank(w, h-3)...)
	}
	return append(out, v.table.Draw(w, h-2, len(v.groups), func(i int, selected bool) string {
		return v.row(&v.groups[i], selected, c, w)
	})...)
}

func (v *View) row(g *stats.UndissectedGroup, selected bool, c [6]int, w int) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	name := g.Carrier.Title()
	if g.Port != 0 {
		name += " " + strconv.Itoa(int(g.Port))
	}
	l.Put(v.c.Style().Pens.Hues[g.Carrier.Hue()], "  "+paint.Fit(name, c[0]))
	l.Put(paint.Pen{}, paint.FitRight(humanize.Group(int(g.Packets)), c[1]))
	if c[2] > 0 {
		l.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Group(g.Flows), c[2]))
	}
	l.Put(paint.Pen{}, paint.FitRight(v.c.Style().Plain(widget.SecondsAsMs(g.Gap)), c[3]))
	if c[4] > 0 {
		l.Put(v.c.Style().Pens.Dim,
			paint.FitRight(v.c.Style().Plain(widget.SecondsAsMs(g.Jitter)), c[4])+
				paint.FitRight(humanize.Short(g.Content.Entropy), c[5]))
	}
	l.Put(paint.Pen{}, "  "+paint.Fit(v.c.Style().Plain(g.Guess()), max(0, w-l.Width-2)))
	return paint.Clip(l.End(w), w)
}
