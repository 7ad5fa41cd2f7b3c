package ticks

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/dissect/stats"
	"remora/protocols"
)

// datagram is an IPv4 packet with a UDP header that no protocol knows the ports of. One that is cut short has no ports,
// and is in no conversation.
func datagram(from, to byte, short bool) []byte {
	udp := dissecttest.UDP(41000+uint16(from), 41000+uint16(to), make([]byte, 8))
	b := dissecttest.IPv4(dissecttest.ProtocolUDP, fmt.Sprintf("10.0.0.%d", from), fmt.Sprintf("10.0.0.%d", to), udp)
	if short {
		return b[:22]
	}
	return b
}

// untyped is a capture of a protocol without types: three packets forth, two back, one of no direction, and others.
func untyped(t *testing.T) (*Speller, []Line) {
	t.Helper()
	packets := dissecttest.Packets(datagram(1, 2, false), datagram(2, 1, false), datagram(1, 2, true),
		datagram(1, 2, false), datagram(2, 1, false), datagram(1, 2, false), []byte{0x45, 0, 0, 20})
	s := dissecttest.Session(t, protocols.All(), 101, packets)
	tally := stats.NewTally(s)
	tally.Range(1, dissect.FrameNum(s.Passed()))
	all := tally.Types()
	var lines []Line
	for i := range all {
		top := Line{&all[i], nil, -1}
		lines = append(append(lines, top), top.Directions()...)
	}
	return NewSpeller(s, s.Registry(), filter.Options{}), lines
}

// shown is how many packets a filter shows.
func shown(t *testing.T, sp *Speller, text string, has func(n dissect.FrameNum) bool) int {
	t.Helper()
	if text == "" {
		text = "frame"
	}
	f, err := filter.CompileWith(sp.reg, text, filter.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	l, count := sp.s.Dissector(), 0
	for n := dissect.FrameNum(1); int(n) <= sp.s.Passed(); n++ {
		if f.Match(l, n) && has(n) {
			count++
		}
	}
	return count
}

// TestWaysWithoutTypes: the directions of a protocol that has no types are ticked as those of a type are.
func TestWaysWithoutTypes(t *testing.T) {
	sp, lines := untyped(t)
	const udp = `frame.top == "udp"`
	for _, c := range []struct {
		base      bool
		keys, out string
		shows     int
	}{
		{false, "+udp//0", udp + " && dir == forth", 3}, {false, "+udp//1", udp + " && dir == back", 2},
		{false, "+udp//0 +udp//1", udp, 6}, {false, "+udp", udp, 6},
		{false, "+udp -udp//0", udp + " && !(" + udp + " && dir == forth)", 3},
		{true, "-udp//1", "!(" + udp + " && dir == back)", 5}, {true, "-udp//0 +udp//0", "", 7},
		{true, "-udp//0 -udp//1", "!(" + udp + ")", 1},
		{true, "-udp +udp//1", "(!(" + udp + ") || (" + udp + " && dir == back))", 3},
		{false, "+udp//0 -udp//0", "!frame", 0},
	} {
		set := New(c.base)
		for _, key := range strings.Fields(c.keys) {
			set.Set(line(t, lines, key[1:]), key[0] == '+')
		}
		if got := set.Filter(sp); got != c.out {
			t.Errorf("%v %s: %s, want %s", c.base, c.keys, got, c.out)
		}
		if got := shown(t, sp, c.out, func(dissect.FrameNum) bool { return true }); got != c.shows {
			t.Errorf("%v %s: %s shows %d packets, want %d", c.base, c.keys, c.out, got, c.shows)
		}
	}
}

// TestWaysWithoutTypesAreReadAgain ticks at random: the filter read again gives the same ticks, a line that is ticked
// shows all the packets counted, and one that is not none.
func TestWaysWithoutTypesAreReadAgain(t *testing.T) {
	sp, lines := untyped(t)
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		set := New(rng.IntN(2) == 0)
		for range 1 + rng.IntN(5) {
			set.Set(lines[rng.IntN(len(lines))], rng.IntN(2) == 0)
		}
		text := readAgain(t, sp, set, lines)
		for _, x := range lines {
			want, tick := int(x.Group().Packets), set.Tick(x)
			if tick == Off {
				want = 0
			}
			if got := shown(t, sp, text, x.Has(sp.s)); got != want && tick != Some {
				t.Fatalf("%s: of %q %d packets are shown, want %d", text, x.Key(), got, want)
			}
		}
	}
}

// TestUnbracketed takes brackets off that are around all of a filter, and heeds none in texts.
func TestUnbracketed(t *testing.T) {
	for text, want := range map[string]string{
		"(a && b)": "a && b", "(a) || (b)": "(a) || (b)", `(a == "x" && b)`: `a == "x" && b`,
		`(a == ")(" && b)`: `a == ")(" && b`, `(a == "\")" && b)`: `a == "\")" && b`,
		`(a == "(") || (b)`: `(a == "(") || (b)`, `(a == "\\") || (b)`: `(a == "\\") || (b)`, "a": "a", "": "",
	} {
		if got := unbracketed(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
