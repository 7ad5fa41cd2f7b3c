package voip

import (
	"slices"
	"testing"
)

// TestLawsOfG711: the ends of both scales and the values around zero (ITU-T G.711, tables 1 and 2, in 16 bits).
func TestLawsOfG711(t *testing.T) {
	for c, want := range map[byte]int16{0x00: -32124, 0x80: 32124, 0xff: 0, 0x7f: 0, 0xfe: 8, 0x7e: -8, 0xf0: 120} {
		if got := fromMu(c); got != want {
			t.Errorf("µ-law %#x is %d, want %d", c, got, want)
		}
	}
	for c, want := range map[byte]int16{0xd5: 8, 0x55: -8, 0xaa: 32256, 0x2a: -32256, 0xd4: 24, 0xc5: 264} {
		if got := fromA(c); got != want {
			t.Errorf("A-law %#x is %d, want %d", c, got, want)
		}
	}
}

// TestSamplesArePlacedByTheirTime: what was lost is silence, what comes late is in its place, and what would take an
// hour is refused.
func TestSamplesArePlacedByTheirTime(t *testing.T) {
	out, err := place(nil, 0, []int16{1, 2})
	for _, p := range []struct {
		at      int
		samples []int16
	}{{6, []int16{7, 8}}, {2, []int16{3, 4}}, {-4, []int16{9}}, {8, nil}} {
		if err == nil {
			out, err = place(out, p.at, p.samples)
		}
	}
	if err != nil || !slices.Equal(out, []int16{1, 2, 3, 4, 0, 0, 7, 8}) {
		t.Errorf("%v (%v)", out, err)
	}
	if _, err := place(nil, maxSamples, []int16{1}); err == nil {
		t.Error("more than an hour is put together")
	}
}

// TestNumbersOfAStream: packets that are lost, late and repeated, over the end of the sequence numbers.
func TestNumbersOfAStream(t *testing.T) {
	s := Stream{low: 65534, high: 65533}
	for i, seq := range []uint16{65534, 65535, 1, 0, 4, 4} {
		s.packet(int64(i)*20e6, seq, uint32(i)*160)
	}
	if n, share := s.Lost(); n != 2 || share < 28 || share > 29 || s.Late != 1 || s.Twice != 1 {
		t.Errorf("%d lost (%.1f %%), %d late, %d twice", n, share, s.Late, s.Twice)
	}
	if s.MaxDelta != 20 || s.MeanJitter() != 0 {
		t.Errorf("gaps up to %v ms, jitter %v", s.MaxDelta, s.MeanJitter())
	}
}
