package capture

import "testing"

// TestIndex appends packets at the bounds of what a row holds by itself, and reads them back in between and at the end.
func TestIndex(t *testing.T) {
	type packet struct {
		time        int64
		iface       int
		off         int64
		capLen, len uint32
	}
	all := []packet{
		{0, 0, 0, 0, 0},
		{-1, 0, 24, 60, 60},
		{1<<63 - 1, 63, 1<<40 - 1, 1<<17 - 1, 1<<17 - 1},
		{5, 64, 100, 60, 60},
		{5, 0, 1 << 40, 60, 60},
		{5, 0, 100, 1 << 17, 1 << 17},
		{5, 0, 100, 60, 61},
		{5, 0, 100, 61, 60},
		{-1 << 63, MaxInterfaces - 1, MaxOffset - 1, MaxCapLen, 1<<32 - 1},
		{6, 1, 200, 1514, 1514},
	}
	var x index
	check := func() {
		for i := range x.Len() {
			p := all[i]
			if got, want := x.meta(i), (Meta{p.time, p.capLen, p.len, p.iface}); got != want {
				t.Errorf("packet %d is %+v, want %+v", i, got, want)
			}
			if off, n := x.span(i); off != p.off || n != p.capLen {
				t.Errorf("packet %d lies at %d+%d, want %d+%d", i, off, n, p.off, p.capLen)
			}
		}
	}
	for _, p := range all {
		x.append(p.time, p.iface, p.off, p.capLen, p.len)
		check()
	}
	if x.Len() != len(all) || x.wide.Len() != 6 {
		t.Errorf("%d rows, %d of them wide", x.Len(), x.wide.Len())
	}
}
