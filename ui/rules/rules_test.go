package rules

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
	"remora/ui/paint"
)

// udp is a datagram of some bytes between two ports.
func udp(from, to byte, n int) []byte {
	b := dissecttest.UDP(0x7000+uint16(from), 0x7000+uint16(to), make([]byte, n))
	return dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolUDP, "10.0.0.1", "10.0.0.2", b))
}

// session is a capture of n packets: every second one goes to another port, every tenth is long.
func session(t *testing.T, n int) *dissect.Session {
	t.Helper()
	var list [][]byte
	for i := range n {
		size := 10
		if i%10 == 0 {
			size = 100
		}
		list = append(list, udp(1, byte(2+i%2), size))
	}
	store, err := pcapfile.OpenBytes(context.Background(), "x.pcap", dissecttest.Pcap(1, dissecttest.Packets(list...)),
		capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s, err := dissect.NewSession(dissecttest.Registry(t, protocols.All()), store)
	if err != nil {
		t.Fatal(err)
	}
	s.Pass(context.Background())
	return s
}

func counted(t *testing.T, c *Counter, s *dissect.Session) *Counts {
	t.Helper()
	for range 5000 {
		if !c.Busy() {
			if k := c.Now(); k.Err != nil || k.UpTo != s.Passed() {
				t.Fatalf("counted %d of %d: %v", k.UpTo, s.Passed(), k.Err)
			}
			return c.Now()
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the counting does not end")
	return nil
}

// TestCounter counts rules, and again when they are in another order, off or others, over more packets than are counted
// at once.
func TestCounter(t *testing.T) {
	const n = chunk + 1230
	s := session(t, n)
	even, long, none := Rule{Filter: "udp.dstport == 28674", Foreground: "red"},
		Rule{Filter: "frame.len > 100", Bold: true}, Rule{Filter: "tcp", Foreground: "blue"}
	ready, faults := Prepare(s.Registry(), filter.Options{}, []Rule{even, long, none})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	c := NewCounter(s, func(n dissect.FrameNum) bool { return n == 3 })
	defer c.Stop()
	evens, longs := n/2-1, (n+9)/10 // packet 3 has an even port, and is not long
	check := func(k *Counts, i int, r Rule, takes, matches int) {
		t.Helper()
		if a, b, ok := k.Of(i, r.Filter); !ok || a != takes || b != matches {
			t.Errorf("%s takes %d of %d (%v), want %d of %d", r.Filter, a, b, ok, takes, matches)
		}
	}
	c.Use(ready)
	k := counted(t, c, s)
	check(k, 0, even, evens, evens)
	check(k, 1, long, 0, longs) // the long ones are even, too
	check(k, 2, none, 0, 0)
	c.Use([]Ready{ready[1], ready[0], ready[2]})
	k = counted(t, c, s)
	check(k, 0, long, longs, longs)
	check(k, 1, even, evens-longs, evens)
	off := ready[1]
	off.Off = true
	c.Use([]Ready{off, ready[0]})
	k = counted(t, c, s)
	check(k, 1, even, evens, evens)
	if _, _, ok := k.Of(0, long.Filter); ok {
		t.Error("a rule that is off is counted")
	}
	if _, _, ok := k.Of(1, "ip"); ok {
		t.Error("a rule that was not there is counted")
	}
}

func TestWithin(t *testing.T) {
	for _, x := range []struct {
		word, from, to int
		want           uint64
	}{{0, 0, 64, ^uint64(0)}, {0, 0, 1, 1}, {0, 3, 5, 0b11000}, {1, 70, 200, 0xffffffffffffffc0}, {1, 0, 66, 0b11}} {
		if got := within(x.word, x.from, x.to); got != x.want {
			t.Errorf("%+v: %b", x, got)
		}
	}
}

func TestReadWireshark(t *testing.T) {
	got, err := Read(strings.NewReader("# by somebody\n\n@Bad TCP@tcp.analysis.flags && " +
		"!tcp.analysis.window_update@[4626,10023,11822][63479,34695,34695]\r\n" +
		"!@mail@smtp contains \"a@b\"@[65535,65535,65535][0,0,0]\n"))
	want := []Rule{{Name: "Bad TCP", Filter: "tcp.analysis.flags && !tcp.analysis.window_update", Background: "#12272e",
		Foreground: "#f78787"},
		{Name: "mail", Filter: `smtp contains "a@b"`, Background: "#ffffff", Foreground: "#000000", Off: true}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, says := range map[string]string{"@a@b\n": "line 1 is no", "# x\n@a@tcp@[1,2][3,4,5]\n": "line 2 is no",
		"@a@tcp@[1,2,70000][3,4,5]": "line 1 is no", "theme = 1": "line 1 is no",
		strings.Repeat("x", 1<<17):                     "not a file of coloring rules",
		strings.Repeat("@a@tcp@[1,2,3][3,4,5]\n", 501): "more than 500"} {
		if list, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v, %v, want %q", text, list, err, says)
		}
	}
}

func FuzzReadWireshark(f *testing.F) {
	f.Add("@Bad TCP@tcp@[4626,10023,11822][63479,34695,34695]")
	f.Add("!@a@b@c@[1,2,3][4,5,6]")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := Read(strings.NewReader(text))
		for _, r := range list {
			if err == nil && (r.Filter == "" || CheckInk(r.Foreground) != nil || CheckGround(r.Background) != nil) {
				t.Errorf("%q gives %+v", text, r)
			}
		}
	})
}

func TestStandardRulesAreRight(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	if ready, faults := Prepare(reg, filter.Options{}, Standard()); len(faults) > 0 || len(ready) != len(Standard()) {
		t.Error(faults)
	}
	_, faults := Prepare(reg, filter.Options{},
		[]Rule{{Filter: "tcp"}, {Filter: "tcp.prt", Bold: true}, {Foreground: "red"},
			{Filter: "ip.src == ${ip.dst}", Bold: true}, {Filter: "udp", Foreground: "rde", Background: "bad"}})
	var keys []string
	for _, f := range faults {
		keys = append(keys, f.Key)
	}
	if got := strings.Join(keys, " "); got != "fg filter filter filter fg bg" {
		t.Errorf("what is wrong: %s: %v", got, faults)
	}
	pens := paint.NewPens("dark", true, false, true)
	if got := PenOf(Rule{Foreground: "bad", Background: "blue", Bold: true}, &pens,
		true); got.Open != "\x1b[1;38;5;203;44m" {
		t.Errorf("the pen is %q", got)
	}
	if got := PenOf(Rule{Foreground: "bad", Bold: true}, &pens, false); got.Open != "\x1b[1m" {
		t.Errorf("without colour the pen is %q", got)
	}
}
