package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/filtered"
	"remora/ui/ticks"
)

// refreshFacets counts anew: ten times a second while a file is read, twice while packets come from the network, so that the
// numbers can be read.
func (m *model) refreshFacets() {
	f := &m.facets
	counting := m.uncounted()
	now := [2]dissect.FrameNum{m.packets.All.UpTo(), counting.UpTo()}
	if now == f.upTo && f.of == m.packets.Filtered && f.tally == counting {
		return
	}
	t := time.Now()
	if t.Before(f.next) && f.of == m.packets.Filtered && f.tally == counting && !m.packets.Settled() {
		return
	}
	f.next = t.Add(100 * time.Millisecond)
	if m.packets.Store.Status().Live {
		f.next = t.Add(500 * time.Millisecond)
	}
	f.upTo, f.of, f.tally = now, m.packets.Filtered, counting
	f.All = m.packets.All.Types()
	f.counts, f.Drawn = map[string]stats.Group{}, map[string]string{}
	list := f.All
	if counting != m.packets.All {
		list = counting.Types()
	}
	for i := range list {
		f.count(&list[i])
	}
	f.late.take(t, f.counts)
	if !f.touched && !m.packets.Store.Status().Live {
		f.Ranks = nil
	}
	f.order()
	f.Lay()
}

// uncounted counts what the filter shows without the ticks.
func (m *model) uncounted() *stats.Tally {
	f := &m.facets
	switch {
	case f.rest == "" || m.packets.Filtered == nil:
		m.dropOther(nil)
		return m.packets.All
	case f.ticks.All():
		m.dropOther(nil)
		return m.packets.Filtered.Tally
	case f.other == nil || f.other.Filter.String() != f.rest:
		m.dropOther(nil)
		flt, err := m.compile(f.rest)
		if err != nil {
			return m.packets.Filtered.Tally
		}
		f.other = filtered.Start(m.packets.Session, flt, m.packets.Ignored)
	}
	return f.other.Tally
}

// dropOther ends the counting beside the filter, and puts another in its place.
func (m *model) dropOther(next *filtered.Packets) {
	if o := m.facets.other; o != nil && o != next {
		o.Cancel()
	}
	m.facets.other = next
}

// facetsBusy tells whether the panel waits for counts.
func (m *model) facetsBusy() bool {
	o := m.facets.other
	return m.facets.open && o != nil && o.Failed.Load() == nil && int(o.Decided.Load()) < m.packets.Session.Passed()
}

func (f *facets) count(p *stats.Protocol) {
	f.counts[ticks.Line{Proto: p, Dir: -1}.Key()] = p.Group
	for i := range p.Types {
		t := &p.Types[i]
		f.counts[ticks.Line{Proto: p, Kind: t, Dir: -1}.Key()] = t.Group
		for dir := range t.Directions {
			f.counts[ticks.Line{Proto: p, Kind: t, Dir: dir}.Key()] = t.Directions[dir]
		}
	}
}

// counted is what a tick would bring.
func (f *facets) counted(x ticks.Line) *stats.Group {
	g := f.counts[x.Key()]
	return &g
}

// The orders of the lines.
var facetSorts = [...]string{"packets", "packets/s of late", "name"}

// sortFacets goes to the next order.
func (m *model) sortFacets() {
	f := &m.facets
	f.sort = (f.sort + 1) % len(facetSorts)
	f.Ranks = nil
	f.order()
	f.Lay()
	m.notice = "facets by " + facetSorts[f.sort]
}

// order puts the lines into their places. Those that have one keep it: a line does not move under the cursor because a packet
// came. New ones come behind them.
func (f *facets) order() {
	if f.Ranks == nil {
		f.Ranks = map[string]int{}
	}
	slices.SortStableFunc(f.All, func(a, b stats.Protocol) int {
		return f.compare(ticks.Line{Proto: &a, Dir: -1}, ticks.Line{Proto: &b, Dir: -1})
	})
	for i := range f.All {
		p := &f.All[i]
		slices.SortStableFunc(p.Types, func(a, b stats.Type) int {
			return f.compare(ticks.Line{Proto: p, Kind: &a, Dir: -1}, ticks.Line{Proto: p, Kind: &b, Dir: -1})
		})
		f.Place(ticks.Line{Proto: p, Dir: -1})
		for k := range p.Types {
			f.Place(ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1})
		}
	}
}

func (f *facets) compare(a, b ticks.Line) int {
	i, j := f.Ranks[a.Key()], f.Ranks[b.Key()]
	switch {
	case i > 0 && j > 0:
		return i - j
	case i > 0:
		return -1
	case j > 0:
		return 1
	}
	by := 0
	switch f.sort {
	case 1:
		by = cmp.Compare(f.late.rate(b.Key()), f.late.rate(a.Key()))
	case 2:
		return strings.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name()))
	}
	return cmp.Or(by, cmp.Compare(f.counted(b).Packets, f.counted(a).Packets), cmp.Compare(b.Group().Packets, a.Group().Packets), strings.Compare(a.Name(), b.Name()))
}

// lateRates are the packets a second of each line over the last seconds of a live capture. They are taken twice a second, and
// over a span that is long enough for the numbers to stand still while the traffic does.
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
