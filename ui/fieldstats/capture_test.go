package fieldstats

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

func TestCensus(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(),
		filepath.Join("..", "..", "fixtures", "captures", "kaillera", "evening.pcapng"))
	c := OfCapture(context.Background(), s)
	reg := s.Registry()
	if got := c.Field(reg.Field("frame.number")); got == nil || math.Round(got.Packets) != float64(s.Passed()) {
		t.Errorf("every packet has its number: %v", got)
	}
	if got := c.Field(reg.Field("arp.opcode")); got != nil {
		t.Errorf("there is no ARP, but %v", got)
	}
	kinds := c.Field(reg.Field("kaillera.type"))
	if kinds == nil || len(kinds.Order) != len(kinds.Values) || kinds.Values["PING"] != 1 {
		t.Fatalf("the types are %v", kinds)
	}
	for id, f := range c.fields {
		if len(f.Order) != len(f.Values) || len(f.Order) > keptValues {
			t.Errorf("field %d has %d values in the order of %d", id, len(f.Values), len(f.Order))
		}
		if f.Packets <= 0 || f.Packets > float64(s.Passed())+0.5 {
			t.Errorf("field %d is in %.1f of %d packets", id, f.Packets, s.Passed())
		}
	}
	again := OfCapture(context.Background(), s)
	for id, f := range c.fields {
		if g := again.fields[id]; g == nil || g.Packets != f.Packets || len(g.Order) > 0 && g.Order[0] != f.Order[0] {
			t.Errorf("field %d is counted another way the second time: %v, %v", id, f, g)
		}
	}
}

// TestNoCensus: nothing was met where nobody looked, or where there is nothing.
func TestNoCensus(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 1, nil)
	f := s.Registry().Field("frame.number")
	var none *Capture
	if none.Field(f) != nil || OfCapture(context.Background(), s).Field(f) != nil {
		t.Error("something was met")
	}
}

// TestSpan: numbers with many values have a span, whatever the form; names and few values have none.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		values    []string
		low, high string
		ok        bool
	}{
		{[]string{"5", "-2", "100", "7", "6.5"}, "-2", "100", true},
		{[]string{"0x10", "0x9", "0xff", "0x11", "0x12"}, "0x9", "0xff", true},
		{[]string{"1", "2", "3"}, "", "", false},
		{[]string{"1", "2", "3", "4", `"NAME"`}, "", "", false},
	} {
		k := Field{Values: map[string]float64{}}
		for _, v := range c.values {
			k.Values[v]++
			k.reach(v)
		}
		if low, high, ok := k.Span(); ok != c.ok || ok && (low != c.low || high != c.high) {
			t.Errorf("%v spans %s to %s, %v; want %s to %s, %v", c.values, low, high, ok, c.low, c.high, c.ok)
		}
	}
}
