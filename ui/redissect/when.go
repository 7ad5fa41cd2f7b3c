package redissect

import (
	"time"

	"remora/dissect"
	"remora/ui/listed"
)

// A Redissection says when a capture is dissected once more.
type Redissection struct {
	run   *Run      // nil: none is under way
	upTo  int       // packets that had passed when the last one began: others must have told more since
	after time.Time // when the next one may begin
}

// share is how many times longer than a run took the next one waits while packets come.
const share = 20

// due tells whether packets told what earlier ones are, of which not all know. What has left cannot be dissected once
// more, and with it goes what it told of the others.
func (d *Redissection) due(p *listed.Packets) bool {
	return p.Session.Late() > 0 && p.Session.Passed() > d.upTo && p.Store.First() == 0
}

// Busy tells whether packets are dissected once more, or are to be. A run that is complete waits until nothing is open
// that would have to begin anew.
func (d *Redissection) Busy(p *listed.Packets, free bool) bool {
	if d.run == nil {
		return d.due(p)
	}
	return free || !d.run.ready(p)
}

// Tick begins a run where one is due. It returns the run that is to be shown from now on, or nil.
func (d *Redissection) Tick(p *listed.Packets, work Go, rules []dissect.DecodeAs, free bool) *Run {
	r := d.run
	switch {
	case r == nil && d.due(p) && time.Now().After(d.after) && p.Session.Passed()+dissect.LookAhead >= p.Store.Len():
		d.upTo = p.Session.Passed()
		if Room(p) {
			d.run, _ = start(work, p, rules, Anew{}) // the same rules have begun the session that is shown
		}
	case r == nil:
	case p.Store.First() > 0 && r.anew.Registry == nil:
		d.End()
	case r.ready(p) && free:
		d.run, d.after = nil, time.Now().Add(share*time.Since(r.began))
		return r
	}
	return nil
}

// Use begins to dissect packets by other dissectors.
func (d *Redissection) Use(anew Anew, p *listed.Packets, work Go, rules []dissect.DecodeAs) error {
	r, err := start(work, p, rules, anew)
	if err != nil {
		return err
	}
	d.End()
	d.run = r
	return nil
}

// Wanted is the registry by which packets are being dissected, or nil where it is the one of before.
func (d *Redissection) Wanted() *dissect.Registry {
	if d.run == nil {
		return nil
	}
	return d.run.anew.Registry
}

// End gives up the run that is under way: another capture is shown, or another session of this one.
func (d *Redissection) End() {
	if d.run != nil {
		d.run.stop()
	}
	*d = Redissection{}
}
