package realnet

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestLayouts decides the layout of conversations by their packets, as the sheet's section 2 has it.
func TestLayouts(t *testing.T) {
	const built, documented, open = "as built", "as documented", "the same in both layouts"
	cases := []struct {
		name   string
		before string // packets in front, divided by commas; the server's begin with ">"
		bytes  string
		layout string
		by     string
		other  bool
	}{
		{"Init of 4", "", a1, built, "this packet", false},
		{"Init of 5", "", d1, documented, "this packet", false},
		{"reliable Init", "", "00 01 00 00 00", documented, "this packet", false},
		{"Accept of 20", "", ">" + a2, built, "this packet", false},
		{"Accept of 25", "", ">" + d2, documented, "this packet", false},
		{"the client's Accept", "", a3, built, "this packet", false},
		{"Reject of 5", "", ">" + a5full, built, "this packet", false},
		{"Reject with text", "", ">" + d3, documented, "this packet", false},
		{"Reject without text", "", ">00 00 07 00 02", documented, "this packet", false},
		{"the client's Reject", "", "00 01 00 02", built, "this packet", false},
		{"the server's Disconnection", "", ">" + a5time, built, "a guess from the length", false},
		{"Disconnection with text", "", ">" + d8, documented, "this packet", false},
		{"Disconnection of 5", "", "01 01 0a 00 00", documented, "this packet", false},
		{"Disconnection of 3", "", a5left, built, "this packet", false},
		{"Disconnection of 4 that may be either", "", "01 01 0a 00", built, "a guess from the length", false},
		{"the same behind an Init of 5", d1, "01 01 0a 00", documented, "packets before", false},
		{"the same behind an Init of 4", a1, "01 01 0a 00", built, "packets before", false},
		{"Ack alone", "", a4, open, "a guess from the length", false},
		{"Ack as built", a1, ">" + a4, built, "packets before", false},
		{"Ack as documented", d1, a4, documented, "packets before", false},
		{"Message", "", d7, documented, "this packet", false},
		{"Ack behind a Message", d7, ">" + a4, documented, "packets before", false},
		{"a Message as built", a1, d7, built, "packets before", true},
		{"a Synchronization as built", a1, ">02 09 00 00", built, "packets before", false},
		{"a documented Disconnection as built", a1, ">" + d8, built, "packets before", true},
		{"a Disconnection of 3 as documented", d1, a5left, documented, "packets before", true},
		{"another Init begins anew", a1 + "," + ">" + a2 + "," + a3, d1, documented, "this packet", false},
		{"what fits nothing as built", a1, ">00 00 00 01 05", built, "packets before", false},
		{"what fits nothing", "", ">00 00 00 01 05", documented, "a guess from the length", false},
	}
	for _, c := range cases {
		k := newTalk(t)
		if c.before != "" {
			for _, b := range strings.Split(c.before, ",") {
				k.tell(5, b)
			}
		}
		n := k.tell(5000, c.bytes)
		tree := k.Session(asAny).Tree(n)
		layout, _ := dissecttest.Find(tree, "realnet.layout")
		by, _ := dissecttest.Find(tree, "realnet.layout.by")
		_, other := dissecttest.Find(tree, "realnet.layout.other")
		if layout != c.layout || by != c.by || other != c.other {
			t.Errorf("%s: %s by %s, other %v; want %s by %s, other %v\n%s", c.name, layout, by, other, c.layout, c.by, c.other,
				dissecttest.Dump(tree))
		}
	}
}

// TestDecodeAs fixes the layout by hand.
func TestDecodeAs(t *testing.T) {
	for _, c := range []struct {
		as     dissect.DecodeAs
		layout string
		seq    string
	}{{asAB, "as built", "2561"}, {asPaper, "as documented", "10"}, {asAny, "as built", "2561"}} {
		k := newTalk(t)
		n := k.tell(1, "01 01 0a 00")
		ack := k.tell(1, ">03 0a 00")
		s := k.Session(c.as)
		want(t, s, n, "layout", c.layout, "sequence", c.seq)
		if got := s.Tree(n).InfoLine(); !strings.HasPrefix(got, "DISCONNECTION ") {
			t.Errorf("info %q", got)
		}
		if c.as != asAny {
			want(t, s, n, "layout.by", "decode as", "other", "-", "layout.ambiguous", "-")
			want(t, s, ack, "layout", c.layout)
		}
		dissecttest.Redissections(t, s)
	}
}

// TestBothReadings shows 4 bytes that may be either in both ways, and where the layout was decided later.
func TestBothReadings(t *testing.T) {
	k := newTalk(t)
	n := k.tell(1, "01 01 0a 00")
	decides := k.tell(1, d7)
	s := k.Session(asAny)
	want(t, s, n, "layout.ambiguous", "", "disconnect.reason", "kicked or server closed (0)", "other.flags", "0x01",
		"other.sequence", "10", "layout.decided_in", num(decides))
	want(t, s, decides, "layout.decides", num(n))
	dissecttest.Redissections(t, s)
}
