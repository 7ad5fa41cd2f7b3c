package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
)

// Profiles may say for which traffic they are, as a display filter. A capture is looked at for it beside the screen, a
// chunk at a time. What is found before anybody has pressed a key takes its profile; later it is only offered, and once
// somebody has chosen a profile, or none, nothing is.

// A ProfileRule is a profile and the display filter for the traffic that it is for.
type ProfileRule struct{ Name, Filter string }

// How far a capture is looked at for profiles: chunks of so many packets, the first ones of a file, and while capturing
// as far back as this.
const (
	profileChunk = 4000
	profileReach = 50_000
	profileRest  = 300 * time.Millisecond // between two looks at a capture that still grows
)

// profileWatch is how far the capture that is open was looked at for profiles.
type profileWatch struct {
	store   *capture.Store
	upTo    int
	busy    bool
	over    bool // nothing more to look for
	touched bool // somebody works with this capture
	cancel  context.CancelFunc
	rules   []ProfileRule // as they were read when this capture was opened
	last    time.Time     // when a chunk was looked at
}

// profileMatched is the end of a look at a chunk.
type profileMatched struct {
	store *capture.Store
	upTo  int
	rule  ProfileRule // that a packet matches; no name: none does
	rules []ProfileRule
	err   error
}

func (w *profileWatch) stop() {
	if w.cancel != nil {
		w.cancel()
	}
}

// profileDue is the chunk to be looked at next; none where to < from.
func (m *model) profileDue() (from, to int) {
	w := &m.profile.watch
	if m.cfg.Source.Rules == nil || m.profile.chosen || m.packets.Store == nil || w.store == m.packets.Store && w.over {
		return 1, 0
	}
	passed, upTo := m.packets.Session.Passed(), 0
	if w.store == m.packets.Store {
		upTo = w.upTo
	}
	if m.packets.Store.Status().Done {
		passed = min(passed, profileReach)
	} else {
		upTo = max(upTo, passed-profileReach)
	}
	from = max(upTo, m.packets.Store.First()) + 1
	return from, min(passed, from+profileChunk-1)
}

// profilesBusy tells whether a look is due or under way.
func (m *model) profilesBusy() bool {
	from, to := m.profileDue()
	return from <= to
}

// lookForProfile has the next chunk looked at.
func (m *model) lookForProfile() {
	from, to := m.profileDue()
	if from > to {
		return
	}
	w := &m.profile.watch
	if w.store != m.packets.Store {
		w.stop()
		*w = profileWatch{store: m.packets.Store}
	}
	if w.busy || !m.packets.Store.Status().Done && time.Since(w.last) < profileRest {
		return
	}
	w.stop()
	w.last = time.Now()
	var ctx context.Context
	ctx, w.cancel = context.WithCancel(m.jobs.Ctx)
	w.busy = true
	s, all, read, store := m.packets.Session, w.rules, m.cfg.Source.Rules, m.packets.Store
	reg, opt := m.cfg.Registry, m.cfg.Filters
	m.jobs.Add(func() any {
		if all == nil {
			all = read()
		}
		out := profileMatched{store: store, upTo: to, rules: all}
		for _, r := range all {
			yes, err := matchesIn(ctx, s, reg, opt, r.Filter, dissect.FrameNum(from), dissect.FrameNum(to))
			if out.err = err; err != nil {
				break
			}
			if yes {
				out.rule = r
				break
			}
		}
		return out
	})
}

// matchesIn tells whether a packet between two matches a filter. A filter that is wrong matches none: it is told of
// when its profile is read.
func matchesIn(ctx context.Context, s *dissect.Session, reg *dissect.Registry, opt filter.Options, text string, from,
	to dissect.FrameNum) (yes bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	f, bad := filter.CompileWith(reg, text, opt)
	if bad != nil {
		return false, nil
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	err = filter.Scan(inner, s, f, from, to, func(matches []dissect.FrameNum, _ dissect.FrameNum) {
		if len(matches) > 0 {
			yes = true
			stop()
		}
	})
	if yes {
		err = nil
	}
	return yes, err
}

// onProfileMatched takes or offers the profile of the traffic that was found.
func (m *model) onProfileMatched(h profileMatched) {
	w := &m.profile.watch
	if h.store != w.store {
		return
	}
	w.busy, w.rules = false, h.rules
	switch {
	case h.err != nil && !errors.Is(h.err, context.Canceled):
		w.over = true
	case h.err != nil: // it is looked at again, as it is dissected now
	case len(h.rules) == 0, m.profile.chosen:
		w.over = true
	case h.rule.Name == "":
		w.upTo = h.upTo
	case h.rule.Name == m.cfg.Profile:
		w.over = true
	case w.touched || m.line.IsOpen():
		w.over = true
		m.foot.Notice = h.rule.Filter + " matches packets here: :profile " + h.rule.Name + " takes the settings for it"
	default:
		w.over = true
		m.readSettingsFor(h.rule.Name, h.rule.Filter)
	}
}
