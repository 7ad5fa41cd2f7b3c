package capture

import (
	"errors"
	"math"
	"time"
)

// A Shift gives packets other times than they were captured with: later by By, and from Since on drawn apart or
// together by Stretch, which is a part of the time that has gone by. The zero value leaves them as they are.
type Shift struct {
	By      time.Duration
	Since   int64 // nanoseconds since 1970
	Stretch float64
}

// At is the time of a packet that was captured at t, both in nanoseconds since 1970.
func (s Shift) At(t int64) int64 {
	if s.Stretch != 0 {
		const most = 1 << 62
		t += int64(max(-most, min(most, math.Round(float64(t-s.Since)*s.Stretch))))
	}
	return t + int64(s.By)
}

// Errors of packets that cannot have the times that are asked for.
var (
	errSameTime = errors.New("both packets have the same time: there is nothing to extrapolate from")
	errReversed = errors.New("the packets would come in the reverse order")
)

// Move is the shift with which what has one time has another one.
func (s Shift) Move(from, to int64) Shift {
	s.By += time.Duration(to - from)
	return s
}

// Fit is the shift with which what has two times has two others; all between and beside them is extrapolated.
func (s Shift) Fit(from, to [2]int64) (Shift, error) {
	if from[0] == from[1] {
		return s, errSameTime
	}
	more := float64((to[1]-to[0])-(from[1]-from[0])) / float64(from[1]-from[0])
	if more <= -1 {
		return s, errReversed
	}
	if s.Stretch == 0 {
		s.Since = from[0] - int64(s.By)
	}
	behind := float64(s.Since + int64(s.By) - from[0]) // of Since, as it is now
	s.By += time.Duration(to[0]-from[0]) + time.Duration(math.Round(behind*more))
	s.Stretch += more * (1 + s.Stretch)
	return s, nil
}
