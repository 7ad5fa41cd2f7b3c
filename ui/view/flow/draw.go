package flow

import (
	"fmt"
	"sort"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/export"
	"remora/ui/paint"
	"remora/ui/transcript"
	"remora/ui/view"
)

// Where the first upright line stands: behind the time.
const firstRail = 14

// Draw draws the ends above, and below them an arrow for each packet.
func (v *View) Draw(w, h int) []string {
	v.begin()
	s := v.c.Style()
	ends, rungs, _, _ := v.state()
	if v.from != 0 {
		if at := sort.Search(len(rungs), func(i int) bool { return rungs[i].frame >= v.from }); at < len(rungs) {
			v.table.Cur, v.from = at, 0
			v.table.Top = max(0, at-(h-2)/2)
		}
	}
	out := []string{s.Rule(w, v.title, "each arrow is a packet")}
	if len(rungs) == 0 {
		return append(out, view.Empty(v.c, w, h-1, "no packet with two ends is shown")...)
	}
	r := transcript.Rails{Ends: ends}
	for _, e := range ends {
		r.Name = max(r.Name, paint.Width(v.of.Address(e, dissect.FrameNum(v.of.Session.Passed()))))
	}
	gap, rails := r.Room(w)
	at, own := v.graph.lines(rails)
	out = append(out, v.head(ends, own, gap, rails, w))
	if len(v.texts) > 4*h+100 {
		clear(v.texts)
	}
	return append(out, v.table.Draw(w, h-2, len(rungs), func(i int, selected bool) string {
		r := rungs[i]
		r.from, r.to = uint8(at[r.from]), uint8(at[r.to])
		return v.rung(r, selected, gap, rails, w)
	})...)
}

// head names the ends above their lines.
func (v *View) head(ends []dissect.Endpoint, own []int, gap, rails, w int) string {
	var l paint.Line
	l.Put(paint.Pen{}, " ")
	now := dissect.FrameNum(v.of.Session.Passed())
	for i := 0; i < rails && i < len(ends); i++ {
		name := "others"
		if i < len(own) {
			name = v.of.Address(ends[own[i]], now)
		}
		name = paint.FitEnds(name, min(gap-1, paint.Width(name)))
		at := firstRail + i*gap - paint.Width(name)/2
		l.Put(paint.Pen{}, strings.Repeat(" ", max(1, at-l.Width)))
		l.Put(v.c.Style().Pens.Bold, name)
	}
	return paint.Clip(l.End(w), w)
}

// text is the packet type and the Info of a packet.
func (v *View) text(n dissect.FrameNum) (kind, info string, pen paint.Pen) {
	if note := v.notes[n]; note != "" {
		kind, info = "", note
	} else if known, ok := v.texts[n]; ok {
		kind, info = known[0], known[1]
	} else {
		t := v.dissector.Tree(n)
		kind, info = dissect.Escape(t.Kind()), t.Info()
		v.texts[n] = [2]string{kind, info}
	}
	if p := v.of.Session.StackTop(v.of.Session.LayerStackOf(n)); p != nil {
		pen = v.c.Style().Pens.Hues[p.Hue()]
		if kind == "" {
			kind = p.Title()
		}
	}
	return kind, info, pen
}

// rung draws a packet: when, an arrow with its type between the lines of both ends, what it says.
func (v *View) rung(r rung, selected bool, gap, rails, w int) string {
	var l paint.Line
	s := v.c.Style()
	if selected {
		l.Base = s.Pens.Selected
	}
	bar := s.Glyph("│", "|")
	kind, info, pen := v.text(r.frame)
	at := float64(v.of.Session.Store().Time(int(r.frame)-1)-v.of.Epoch) / 1e9
	l.Put(s.Pens.Dim, paint.FitRight(fmt.Sprintf("%.4f", at), firstRail-3)+"   ")
	from, to := int(r.from), int(r.to)
	low, high := min(from, to), max(from, to)
	l.Put(s.Pens.Dim, strings.Repeat(bar+strings.Repeat(" ", gap-1), low))
	if low == high { // both ends share a line
		l.Put(pen, s.Glyph("●", "o"))
	} else {
		signs := transcript.Signs{Bar: bar, Dash: s.Glyph("─", "-"), Left: s.Glyph("◂", "<"), Right: s.Glyph("▸", ">")}
		l.Put(pen, signs.Arrow(kind, (high-low)*gap+1, from > to))
	}
	l.Put(s.Pens.Dim, strings.Repeat(strings.Repeat(" ", gap-1)+bar, rails-1-high))
	l.Put(paint.Pen{}, "  "+paint.Fit(info, max(0, w-l.Width-2)))
	return paint.Clip(l.End(w), w)
}

// follow reads the conversation of a packet.
func (v *View) follow(n dissect.FrameNum) {
	s := v.of.Session
	if id := s.ConversationOf(n); id != 0 {
		v.c.Follow(follow.NewOf(s, id, follow.PreferredMode(s, id)), n)
	} else {
		v.c.Notify("this packet belongs to no conversation")
	}
}

// Sheet has a row for each arrow.
func (v *View) Sheet() export.Sheet {
	v.begin()
	ends, rungs, _, _ := v.state()
	of, notes := v.of, v.notes
	return export.New("flow", []string{"packet", "time_s", "from", "to", "protocol", "type", "info"}, func() [][]any {
		out, at := make([][]any, 0, len(rungs)), 0
		of.Session.Guard().Run(func(l *dissect.Dissector) {
			for ; at < len(rungs); at++ {
				r := rungs[at]
				t := l.Tree(r.frame)
				info := notes[r.frame]
				if info == "" {
					info = t.Info()
				}
				out = append(out, []any{r.frame, float64(t.Time()-of.Epoch) / 1e9, ends[r.from].String(),
					ends[r.to].String(), t.ProtocolText(), dissect.Escape(t.Kind()), info})
			}
		})
		return out
	})
}
