package capture

import (
	"testing"
	"time"
)

// TestShiftsAreJoined: whatever was shifted and drawn apart before, packets have the times that they are given, and
// others what lies between.
func TestShiftsAreJoined(t *testing.T) {
	const first, last = int64(1_700_000_000_123_456_789), int64(1_700_000_100_123_456_789)
	s, near := Shift{}, func(t, want int64) bool { return t-want < 2 && want-t < 2 }
	for i, to := range [][2]int64{{first, last + 5e9}, {last, last + 1e9}, {0, 1e9}, {first, last}} {
		var err error
		if s, err = s.Fit([2]int64{s.At(first), s.At(last)}, to); err != nil {
			t.Fatal(err)
		}
		half := first + (last-first)/2
		if !near(s.At(first), to[0]) || !near(s.At(last), to[1]) || !near(s.At(half), to[0]+(to[1]-to[0])/2) {
			t.Errorf("%d: %d, %d and %d between them, want %v", i, s.At(first), s.At(last), s.At(half), to)
		}
		s.By += time.Second
	}
	if s = s.Move(s.At(last), first); !near(s.At(last), first) {
		t.Errorf("moved to %d", s.At(last))
	}
	if _, err := s.Fit([2]int64{1, 1}, [2]int64{1, 2}); err != errSameTime {
		t.Error(err)
	}
	if _, err := s.Fit([2]int64{1, 2}, [2]int64{2, 1}); err != errReversed {
		t.Error(err)
	}
	if far := (Shift{Stretch: 1e30, By: 1}).At(1 << 40); far <= 0 {
		t.Errorf("far away it is %d", far)
	}
}
