package dissect

import "testing"

// The first link of a kind stays, links of old packets go, and what is left is found before and after the last packet.
func TestForwardLinks(t *testing.T) {
	var b forwardTable
	const packets = 5 << forwardShift
	for n := FrameNum(1); n <= packets; n += 3 {
		for f := FieldID(1); f <= 3; f++ {
			l := forwardLink{to: n + FrameNum(f), since: n + 9}
			if !b.put(f, n, l) || b.put(f, n, forwardLink{to: 1, since: n + 10}) {
				t.Fatalf("packet %d, field %d: not the first link alone counts", n, f)
			}
		}
	}
	const below = 2<<forwardShift + 5
	b.forget(below)
	check := func() {
		t.Helper()
		have := int64(0)
		for n := FrameNum(1); n <= packets; n++ {
			for f := FieldID(1); f <= 3; f++ {
				want := forwardLink{}
				if n%3 == 1 && n>>forwardShift >= below>>forwardShift {
					want = forwardLink{to: n + FrameNum(f), since: n + 9}
					have++
				}
				if got := b.get(f, n); got != want {
					t.Fatalf("packet %d, field %d: %v, not %v", n, f, got, want)
				}
			}
		}
		if got := b.n.Load(); got != have {
			t.Errorf("%d links are counted, not %d", got, have)
		}
	}
	check()
	if !b.put(1, below-1, forwardLink{to: 1, since: packets}) || b.get(1, below-1) != (forwardLink{}) {
		t.Error("a packet that is forgotten got a link")
	}
	before := b.bytes()
	b.rest()
	check()
	if after := b.bytes(); after >= before {
		t.Errorf("at rest the links take %d bytes, before %d", after, before)
	}
}
