package behaviour_test

import (
	"context"
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/behaviour"
	"remora/ui/view/viewtest"
)

// place is where a field of a packet of the sample is first.
func place(t *testing.T, s *dissect.Session, n dissect.FrameNum, name string) behaviour.Place {
	t.Helper()
	f := s.Registry().Field(name)
	tree := s.Tree(n)
	i := tree.Find(f)
	if i < 0 {
		t.Fatalf("packet %d has no %s", n, name)
	}
	return behaviour.Place{Of: n, Field: f, Absolute: int(tree.Nodes[i].Off)}
}

// TestLookBack looks at a counter and at some bytes of it in the packets of one type and end.
func TestLookBack(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 1, viewtest.Sample())
	at := place(t, s, 81, "touhou.input.frame")
	b := behaviour.Of(context.Background(), s, at)
	if !b.Done || b.Packets != 40 || b.Distinct != 40 || len(b.Values) != 40 || b.Values[0] != 0 || b.Values[39] != 39 ||
		b.Low != "0" || b.High != "39" {
		t.Errorf("%d packets, %d values from %s to %s: %v", b.Packets, b.Distinct, b.Low, b.High, b.Values)
	}
	if len(b.Bytes) != 4 || b.Bytes[0].Distinct() != 40 || b.Bytes[3].Distinct() != 1 || b.Bytes[0].At != at.Absolute {
		t.Errorf("%d bytes changed: %v", len(b.Bytes), b.Bytes)
	}
	at.N = 2
	if b := behaviour.Of(context.Background(), s, at); len(b.Bytes) != 2 || len(b.Values) != 0 || len(b.Common) != 0 {
		t.Errorf("two bytes: %d, with %d values", len(b.Bytes), len(b.Values))
	}
}

// TestBarsOfAByte shares its values out among bars from the lowest to the highest.
func TestBarsOfAByte(t *testing.T) {
	var h behaviour.Byte
	for v, n := range map[byte]int{10: 5, 17: 1, 11: 2} {
		for range n {
			h.Count(v)
		}
	}
	if got := h.Bars(8); !slices.Equal(got, []float64{5, 2, 0, 0, 0, 0, 0, 1}) || h.Distinct() != 3 {
		t.Errorf("the bars are %v of %d values", got, h.Distinct())
	}
	h = behaviour.Byte{}
	h.Count(255)
	if got := h.Bars(4); h.Distinct() != 1 || !slices.Equal(got, []float64{1, 0, 0, 0}) {
		t.Errorf("one value gives %v", got)
	}
}
