// Package flow draws packets as arrows between their ends: a flow graph, also called a ladder.
package flow

import (
	"context"
	"sync"

	"remora/dissect"
	"remora/internal/sorting"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/transcript"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View draws the packets that are shown, or some of them. What stands on an arrow is read when it is drawn.
type View struct {
	c     view.Context
	title string
	only  []dissect.FrameNum          // nil: all packets shown
	notes map[dissect.FrameNum]string // what stands there instead of a packet's Info
	ports bool                        // ends are told apart by their ports, too
	from  dissect.FrameNum            // the packet that the cursor goes to at first; 0 once it is there

	of    view.Scope
	graph *graph
	stop  func()
	table widget.Table

	dissector *dissect.Dissector
	texts     map[dissect.FrameNum][2]string // packet type and Info of what was drawn last
}

// maxRungs bounds the arrows that are kept.
const maxRungs = 1 << 20

// A rung is one arrow, with the lines that it leads between.
type rung struct {
	frame    dissect.FrameNum
	from, to uint8
}

// A graph grows beside the screen.
type graph struct {
	mu    sync.Mutex
	rails transcript.Rails
	uses  []int // by line, how many arrows begin or end there
	rungs []rung
	more  int // packets that are not drawn
	upTo  dissect.FrameNum
	done  bool
}

// New draws the packets that are shown.
func New(c view.Context) *View { return &View{c: c, title: "Flow graph", from: c.List().Current()} }

// Of draws some packets under a title, some of them with notes in the place of their Info.
func Of(c view.Context, title string, frames []dissect.FrameNum, notes map[dissect.FrameNum]string) *View {
	return &View{c: c, title: title, only: frames, notes: notes}
}

// Open begins to read packets.
func (v *View) Open() { v.begin() }

// begin reads packets anew when others are shown.
func (v *View) begin() {
	now := v.c.Scope()
	if v.graph != nil && v.of.Same(now) {
		return
	}
	v.Close()
	v.of, v.graph, v.texts = now, &graph{}, map[dissect.FrameNum][2]string{}
	v.dissector = now.Session.GuardedDissector()
	s, g, guard, wants, ports, only := now.Session, v.graph, now.Session.Guard(), dissect.TreeWants(), v.ports, v.only
	take := func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
		at := 0
		guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
			for ; at < len(frames); at++ {
				src, dst := s.EndsOf(frames[at])
				if src.Addr.IsZero() { // of no conversation
					t := l.Redissect(frames[at], wants)
					src, dst = t.Src, t.Dst
				}
				g.add(frames[at], src, dst, ports)
			}
		})
		g.mu.Lock()
		g.upTo = upTo
		g.mu.Unlock()
	}
	v.stop = v.c.Go("flow graph", func(ctx context.Context) {
		if only == nil {
			now.Each(ctx, take)
		} else {
			take(only, 0)
		}
		g.mu.Lock()
		g.done = true
		g.mu.Unlock()
	})
}

// add draws a packet that has both ends.
func (g *graph) add(n dissect.FrameNum, src, dst dissect.Endpoint, ports bool) {
	if src.Addr.IsZero() || dst.Addr.IsZero() {
		return
	}
	if !ports {
		src.Port, dst.Port = 0, 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.rungs) >= maxRungs {
		g.more++
		return
	}
	r := rung{n, uint8(g.rails.Of(src)), uint8(g.rails.Of(dst))}
	g.rungs, g.uses = append(g.rungs, r), append(g.uses, make([]int, len(g.rails.Ends)-len(g.uses))...)
	g.uses[r.from]++
	g.uses[r.to]++
}

// lines gives the ends as many lines as there is room for: those with most arrows have one of their own, in the order
// in which they came, and the others share the last one. at is the line of each end, own which end has a line.
func (g *graph) lines(room int) (at, own []int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.uses {
		own = append(own, i)
	}
	at = make([]int, len(own))
	if len(own) > room {
		sorting.Stable(own, func(a, b int) int { return g.uses[b] - g.uses[a] })
		own = own[:room-1]
		sorting.Func(own, func(a, b int) int { return a - b })
		for i := range at {
			at[i] = room - 1
		}
	}
	for line, end := range own {
		at[end] = line
	}
	return at, own
}

// state is what was read so far. What is in it is not changed any more.
func (v *View) state() (ends []dissect.Endpoint, rungs []rung, more int, done bool) {
	g := v.graph
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rails.Ends, g.rungs, g.more, g.done || v.only == nil && int(g.upTo) >= v.of.Session.Passed()
}

// Close ends the reading.
func (v *View) Close() {
	if v.stop != nil {
		v.stop()
		v.stop, v.graph = nil, nil
	}
}

// Update handles the keys that move, tell ports apart and go to a packet.
func (v *View) Update(a act.Action, n int) bool {
	v.begin()
	_, rungs, _, _ := v.state()
	switch {
	case v.table.Update(a, n, len(rungs), view.Height(v.c)-2):
		v.from = 0
	case a == act.Reading:
		v.ports = !v.ports
		if v.table.Cur < len(rungs) {
			v.from = rungs[v.table.Cur].frame
		}
		v.Close()
		v.begin()
	case a == act.Open && v.table.Cur < len(rungs):
		v.c.List().Show()
		v.c.GoTo(rungs[v.table.Cur].frame)
	case a == act.FollowStream && v.table.Cur < len(rungs):
		v.follow(rungs[v.table.Cur].frame)
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// FindLine puts the cursor on the next line that holds a text, or the one before.
func (v *View) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Click selects an arrow; a second click goes to its packet.
func (v *View) Click(_, y int) {
	_, rungs, _, _ := v.state()
	if at := v.table.Top + y - 2; y > 1 && at == v.table.Cur {
		v.Update(act.Open, 0)
		return
	}
	v.table.Click(y-2, len(rungs))
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	what := "tell ports apart"
	if v.ports {
		what = "hosts alone"
	}
	return [][2]string{{"Enter", "packet"}, {"v", what}, {"gf", "follow"}, {"/", "filter"}, {"Ctrl-F", "search"},
		{"e", "export"}, {"q", "back"}}
}

// Status says how many packets are drawn between how many ends.
func (v *View) Status() string {
	if v.graph == nil {
		return ""
	}
	ends, rungs, more, done := v.state()
	text := humanize.Packets(len(rungs)) + " between " + humanize.Of(len(ends), "end")
	if more > 0 {
		text += ", " + humanize.Group(more) + " more are not drawn"
	}
	if !done {
		text += " so far"
	}
	return text
}

// Busy reports whether packets are still read.
func (v *View) Busy() bool {
	if v.graph == nil || !v.of.Same(v.c.Scope()) {
		return true
	}
	_, _, _, done := v.state()
	return !done
}
