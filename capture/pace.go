package capture

import (
	"context"
	"time"
)

// A pace holds packets back so that they appear at the distances they were captured with, like a live capture.
type pace struct {
	speed float64 // 1: as captured; 2: twice as fast
	first int64
	began time.Time
}

// maxPause bounds the wait between two packets: a gap of hours in a file is not worth sitting through.
const maxPause = 5 * time.Second

// wait returns when the packet of time t is due, or false when ctx ended before.
func (p *pace) wait(ctx context.Context, t int64) bool {
	if p.began.IsZero() {
		p.first, p.began = t, time.Now()
	}
	due := p.began.Add(time.Duration(float64(t-p.first) / p.speed))
	left := time.Until(due)
	if left > maxPause {
		p.began = p.began.Add(maxPause - left)
		left = maxPause
	}
	if left <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
