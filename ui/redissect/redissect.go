// Package redissect dissects a capture once more, beside the screen, when its conversations turned out to be something
// else than their first packets were taken for, later than the first pass looks ahead.
package redissect

import (
	"cmp"
	"context"
	"runtime/metrics"
	"time"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/dissect/stats"
	"remora/ui/filtered"
	"remora/ui/listed"
)

// Go does work beside the screen until it returns or stop is called; what names it where it fails.
type Go func(what string, work func(ctx context.Context)) (stop func())

// A Run is another session of the packets that are listed. It knows from its first packet on what the session that is
// shown has learnt, and has what is shown of packets ready: their counts, and what the display filter leaves of them.
type Run struct {
	Session  *dissect.Session
	All      *stats.Tally
	Filtered *filtered.Packets // nil: all packets

	// StopPass and StopCounting end the session's work and that of All.
	StopPass, StopCounting func()
	// Lost is why the filter does not go with other dissectors: all packets are shown then.
	Lost error

	anew     Anew
	work     Go
	counted  *stats.Tally      // of the session that is shown, when All began
	filtered *filtered.Packets // of it, when Filtered began
	began    time.Time
}

// Anew are other dissectors, by which packets are to be dissected.
type Anew struct {
	Registry *dissect.Registry // nil: those that there were
	// Filter makes a display filter of theirs.
	Filter func(text string) (*filter.Filter, error)
}

// start begins another session of what is listed.
func start(work Go, p *listed.Packets, rules []dissect.DecodeAs, anew Anew) (*Run, error) {
	reg := cmp.Or(anew.Registry, p.Session.Registry())
	s, err := dissect.NewSession(reg, p.Store, rules...)
	if err != nil {
		return nil, err
	}
	s.Zone = p.Session.Zone
	if anew.Registry == nil { // others may tell otherwise
		s.Learn(p.Session)
	}
	r := &Run{Session: s, work: work, anew: anew, began: time.Now()}
	r.StopPass = work("dissecting once more", func(ctx context.Context) { s.Pass(ctx) })
	r.keepUp(p)
	return r, nil
}

// Room tells whether a second session is sure to fit into the memory that the first may have.
func Room(p *listed.Packets) bool {
	limit := p.Session.Retention().Memory // 0: no limit
	alive := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(alive)
	return limit == 0 || int64(alive[0].Value.Uint64()) < limit/2
}

// keepUp has what is counted and filtered be what the screen counts and filters now.
func (r *Run) keepUp(p *listed.Packets) {
	if r.All == nil || r.counted != p.All {
		if r.StopCounting != nil {
			r.StopCounting()
		}
		r.counted, r.All = p.All, stats.NewTally(r.Session)
		s, t, ig := r.Session, r.All, p.Ignored
		r.StopCounting = r.work("counting", func(ctx context.Context) { ig.CountAll(ctx, s, t) })
	}
	if r.filtered != p.Filtered {
		if r.Filtered != nil {
			r.Filtered.Cancel()
		}
		if r.filtered, r.Filtered, r.Lost = p.Filtered, nil, nil; p.Filtered != nil {
			r.filter(p)
		}
	}
}

// filter begins to filter as the screen does.
func (r *Run) filter(p *listed.Packets) {
	f := p.Filtered.Filter
	if r.anew.Registry != nil {
		var err error
		if f, err = r.anew.Filter(f.String()); err != nil {
			r.Lost = err
			return
		}
	}
	r.Filtered = filtered.Start(r.Session, f, p.Ignored)
}

// behind is how many packets a run may lack while more come.
const behind = 1000

// ready tells whether everything is there that the screen shows now.
func (r *Run) ready(p *listed.Packets) bool {
	r.keepUp(p)
	n := p.Session.Passed()
	if !p.Store.Status().Done || n < p.Store.Len() {
		n -= behind
	}
	if r.Session.Passed() < n || int(r.All.UpTo()) < n {
		return false
	}
	f := r.Filtered
	return f == nil || f.Failed.Load() != nil || int(f.Decided.Load()) >= n
}

// Show has the packets that are listed be those of the run.
func (r *Run) Show(p *listed.Packets) {
	if p.Filtered != nil {
		p.Filtered.Cancel()
	}
	p.Session, p.Dissector, p.All, p.Filtered, p.Order = r.Session, r.Session.GuardedDissector(), r.All, r.Filtered, nil
}

// stop gives the run up.
func (r *Run) stop() {
	r.StopPass()
	r.StopCounting()
	if r.Filtered != nil {
		r.Filtered.Cancel()
	}
}
