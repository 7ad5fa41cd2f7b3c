package facets

import (
	"cmp"
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/internal/sorting"
	"remora/ui/filtered"
	"remora/ui/ticks"
)

// refresh counts anew: ten times a second while a file is read, twice while packets come from the network, so that the
// numbers can be read.
func (p *Pane) refresh() {
	counting := p.uncounted()
	now := [2]dissect.FrameNum{p.packets.All.UpTo(), counting.UpTo()}
	if now == p.upTo && p.of == p.packets.Filtered && p.tally == counting {
		return
	}
	t := time.Now()
	if t.Before(p.next) && p.of == p.packets.Filtered && p.tally == counting && !p.packets.Settled() {
		return
	}
	p.next = t.Add(100 * time.Millisecond)
	if p.packets.Store.Status().Live {
		p.next = t.Add(500 * time.Millisecond)
	}
	p.upTo, p.of, p.tally = now, p.packets.Filtered, counting
	p.All = p.packets.All.Types()
	p.counts, p.Drawn = map[string]stats.Group{}, map[string]string{}
	list := p.All
	if counting != p.packets.All {
		list = counting.Types()
	}
	for i := range list {
		p.count(&list[i])
	}
	p.late.take(t, p.counts)
	anew := !p.touched && !p.packets.Store.Status().Live
	if anew {
		p.Ranks = nil
	}
	p.sink(counting)
	p.order()
	if p.Lay(); anew { // no line was gone to: the first ones are seen
		p.Cur, p.top = 0, 0
	}
}

// sink finds the lines of which nothing is left. While a filter still counts a line may only come up.
func (p *Pane) sink(counting *stats.Tally) {
	was := p.Empty
	p.Empty = map[string]bool{}
	if counting == p.packets.All {
		return
	}
	whole := int(counting.UpTo())*10 >= p.packets.Session.Passed()*9
	take := func(x ticks.Line) {
		if k := x.Key(); p.counted(x).Packets == 0 && (whole || was[k]) {
			p.Empty[k] = true
		}
	}
	for i := range p.All {
		of := &p.All[i]
		take(ticks.Line{Proto: of, Dir: -1})
		for k := range of.Types {
			take(ticks.Line{Proto: of, Kind: &of.Types[k], Dir: -1})
		}
	}
}

// uncounted counts what the filter shows, without the ticks once there are some.
func (p *Pane) uncounted() *stats.Tally {
	switch {
	case p.typed && p.packets.Filtered != nil:
		p.Drop(nil)
		return p.packets.Filtered.Tally
	case p.rest == "" || p.packets.Filtered == nil:
		p.Drop(nil)
		return p.packets.All
	case p.ticks.All():
		p.Drop(nil)
		return p.packets.Filtered.Tally
	case p.other == nil || p.other.Filter.String() != p.rest:
		p.Drop(nil)
		flt, err := p.c.Scope().Compile(p.rest)
		if err != nil {
			return p.packets.Filtered.Tally
		}
		p.other = filtered.Start(p.packets.Session, flt, p.packets.Ignored)
	}
	return p.other.Tally
}

// Drop ends the counting beside the filter, and puts another in its place.
func (p *Pane) Drop(next *filtered.Packets) {
	if o := p.other; o != nil && o != next {
		o.Cancel()
	}
	p.other = next
}

// Busy tells whether the panel waits for counts.
func (p *Pane) Busy() bool {
	o := p.other
	return p.Open && o != nil && o.Failed.Load() == nil && int(o.Decided.Load()) < p.packets.Session.Passed()
}

func (p *Pane) count(of *stats.Protocol) {
	p.counts[ticks.Line{Proto: of, Dir: -1}.Key()] = of.Group
	for i := range of.Types {
		t := &of.Types[i]
		p.counts[ticks.Line{Proto: of, Kind: t, Dir: -1}.Key()] = t.Group
		for dir := range t.Directions {
			p.counts[ticks.Line{Proto: of, Kind: t, Dir: dir}.Key()] = t.Directions[dir]
		}
	}
}

// counted is what a tick would bring.
func (p *Pane) counted(x ticks.Line) *stats.Group {
	g := p.counts[x.Key()]
	return &g
}

// The orders of the lines.
var sorts = [...]string{"packets", "packets/s of late", "name"}

// sortNext goes to the next order.
func (p *Pane) sortNext() {
	p.sort = (p.sort + 1) % len(sorts)
	p.Ranks = nil
	p.order()
	p.Lay()
	p.c.Notify("facets by " + sorts[p.sort])
}

// order puts the lines into their places. Those that have one keep it: a line does not move under the cursor because a
// packet came. New ones come behind them.
func (p *Pane) order() {
	if p.Ranks == nil {
		p.Ranks = map[string]int{}
	}
	sorting.Stable(p.All, func(a, b stats.Protocol) int {
		return p.compare(ticks.Line{Proto: &a, Dir: -1}, ticks.Line{Proto: &b, Dir: -1})
	})
	for i := range p.All {
		of := &p.All[i]
		sorting.Stable(of.Types, func(a, b stats.Type) int {
			return p.compare(ticks.Line{Proto: of, Kind: &a, Dir: -1}, ticks.Line{Proto: of, Kind: &b, Dir: -1})
		})
		if p.Empty[(ticks.Line{Proto: of, Dir: -1}).Key()] { // it gets its place when it has packets
			continue
		}
		p.Place(ticks.Line{Proto: of, Dir: -1})
		for k := range of.Types {
			p.Place(ticks.Line{Proto: of, Kind: &of.Types[k], Dir: -1})
		}
	}
}

func (p *Pane) compare(a, b ticks.Line) int {
	i, j := p.Ranks[a.Key()], p.Ranks[b.Key()]
	if x, y := p.Empty[a.Key()], p.Empty[b.Key()]; x != y {
		if x {
			return 1
		}
		return -1
	}
	switch {
	case i > 0 && j > 0:
		return i - j
	case i > 0:
		return -1
	case j > 0:
		return 1
	}
	by := 0
	switch p.sort {
	case 1:
		by = cmp.Compare(p.late.rate(b.Key()), p.late.rate(a.Key()))
	case 2:
		return strings.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name()))
	}
	return cmp.Or(by, cmp.Compare(p.counted(b).Packets, p.counted(a).Packets),
		cmp.Compare(b.Group().Packets, a.Group().Packets), strings.Compare(a.Name(), b.Name()))
}

// lateRates are the packets a second of each line over the last seconds of a live capture. They are taken twice a
// second, and over a span that is long enough for the numbers to stand still while the traffic does.
type lateRates struct {
	samples []rateSample
}

type rateSample struct {
	at     time.Time
	counts map[string]uint64
}

// lateSpan is over how long they are taken.
const lateSpan = 5 * time.Second

func (r *lateRates) take(at time.Time, counts map[string]stats.Group) {
	if n := len(r.samples); n > 0 && at.Sub(r.samples[n-1].at) < 400*time.Millisecond {
		return
	}
	s := rateSample{at, make(map[string]uint64, len(counts))}
	for k, g := range counts {
		s.counts[k] = g.Packets
	}
	for len(r.samples) > 1 && at.Sub(r.samples[1].at) >= lateSpan {
		r.samples = r.samples[1:]
	}
	r.samples = append(r.samples, s)
}

// rate is that of a line, or 0 while it is not known.
func (r *lateRates) rate(key string) float64 {
	n := len(r.samples)
	if n < 2 {
		return 0
	}
	first, last := r.samples[0], r.samples[n-1]
	if last.counts[key] < first.counts[key] {
		return 0 // another filter counts
	}
	return float64(last.counts[key]-first.counts[key]) / last.at.Sub(first.at).Seconds()
}
