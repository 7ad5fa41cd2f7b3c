package capture

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// A pace holds packets back so that they appear at the distances they were captured with, like a live capture. The
// source's goroutine waits; anybody may change the speed meanwhile.
type pace struct {
	speed   atomic.Uint64 // a float64's bits; 1: as captured; 2: twice as fast; 0: hold nothing back
	changed chan struct{}

	now   float64 // the speed that holds since began
	at    int64   // where the capture's own clock stood then, in its nanoseconds
	began time.Time
}

func newPace(speed float64) *pace {
	p := &pace{changed: make(chan struct{}, 1), now: speed}
	p.speed.Store(math.Float64bits(speed))
	return p
}

// set changes the speed from now on.
func (p *pace) set(speed float64) {
	p.speed.Store(math.Float64bits(speed))
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *pace) wanted() float64 { return math.Float64frombits(p.speed.Load()) }

// maxPause bounds the wait between two packets: a gap of hours in a file is not worth sitting through.
const maxPause = 5 * time.Second

// wait returns when the packet of time t is due, or false when ctx ended before.
func (p *pace) wait(ctx context.Context, t int64) bool {
	if p.began.IsZero() {
		p.at, p.began = t, time.Now()
	}
	for {
		left, ok := p.left(t)
		if !ok || left <= 0 {
			return ctx.Err() == nil
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
			return true
		case <-p.changed:
			timer.Stop()
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}

// left is how long the packet of time t is not due yet; false is that nothing is held back.
func (p *pace) left(t int64) (time.Duration, bool) {
	now := time.Now()
	if speed := p.wanted(); speed != p.now {
		p.at += int64(float64(now.Sub(p.began)) * p.now)
		if p.now == 0 {
			p.at = t
		}
		p.began, p.now = now, speed
	}
	if p.now <= 0 {
		return 0, false
	}
	due := min(float64(t-p.at)/p.now, float64(now.Sub(p.began)+2*maxPause)) // far more is no time.Duration
	left := time.Duration(due) - now.Sub(p.began)
	if left > maxPause {
		p.began = p.began.Add(maxPause - left)
		left = maxPause
	}
	return left, true
}

// Play changes the speed of a capture that is opened with a pace: 2 is twice as fast as it was captured, 0 gives the
// rest at once. It reports false when the source does not play, or has ended.
func (s *Store) Play(speed float64) bool {
	p := s.pace.Load()
	if p == nil || s.ended.Load() || speed < 0 || math.IsNaN(speed) {
		return false
	}
	p.set(speed)
	return true
}
