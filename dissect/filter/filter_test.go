package filter_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
)

// ip is an Ethernet frame with an IPv4 packet from 10.0.0.src to 10.0.0.dst.
func ip(proto, src, dst byte, payload ...byte) []byte {
	n := 20 + len(payload)
	b := []byte{2, 0, 0, 0, 0, dst, 2, 0, 0, 0, 0, src, 8, 0, 0x45, 0, byte(n >> 8), byte(n), 0, 1, 0, 0, 64, proto, 0, 0,
		10, 0, 0, src, 10, 0, 0, dst}
	return append(b, payload...)
}

func udp(src, dst byte, from, to uint16, text string) []byte {
	n := 8 + len(text)
	return ip(17, src, dst,
		append([]byte{byte(from >> 8), byte(from), byte(to >> 8), byte(to), byte(n >> 8), byte(n), 0, 0}, text...)...)
}

func tcp(src, dst byte, from, to uint16, flags byte) []byte {
	return ip(6, src, dst, byte(from>>8), byte(from), byte(to>>8), byte(to), 0, 0, 0, 1, 0, 0, 0, 0, 0x50, flags, 4, 0, 0,
		0, 0, 0)
}

func sample(t testing.TB) *dissect.Session {
	arp := []byte{255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 1, 8, 6, 0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 1, 10, 0, 0,
		1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 2}
	return dissecttest.Session(t, protocols.All(), 1, dissecttest.Packets(
		udp(1, 2, 5000, 6000, "hello World"),
		udp(2, 1, 6000, 5000, "answer\x00\x01"),
		tcp(1, 2, 4000, 80, 2),
		tcp(2, 1, 80, 4000, 0x12),
		arp,
		ip(1, 1, 2, 8, 0, 0, 0, 0, 1, 0, 1),
		ip(1, 2, 1, 0, 0, 0, 0, 0, 1, 0, 1),
		udp(1, 9, 7777, 7777, ""),
	))
}

func TestScript(t *testing.T) {
	s := sample(t)
	for expr, want := range map[string]int{
		"":    8,
		"udp": 3, "tcp": 2, "arp": 1, "!udp": 5, "not udp": 5, "udp || tcp": 5, "udp or tcp": 5, "ip && !icmp": 5, "eth": 8,
		"ipv6":             0,
		"udp.port == 5000": 2, "udp.srcport == 5000": 1, "udp.port != 5000": 1, "udp.port !== 5000": 3,
		"udp.port === 7777": 1, "!(udp.port == 5000)": 6,
		"5000 == udp.port": 2, "udp.port in {5000, 7000..8000}": 3, "udp.port not in {5000}": 6,
		"udp.port in {6000..5000}": 0,
		"udp.srcport > 5000":       2, "udp.srcport >= 5000 and udp.srcport < 6000": 1, "udp.srcport gt 0x1388": 2,
		"udp.srcport == 0b1001110001000": 1,
		"4000 < tcp.port":                0, "80 <= tcp.port": 2,
		"ip.addr == 10.0.0.9": 1, "ip.addr == 10.0.0.0/8": 7, "ip.src == 10.0.0.0/30 && udp": 3, "ip.dst > 10.0.0.2": 1,
		"ip.src == ip.dst": 0, "udp.srcport == udp.dstport": 1,
		"all ip.addr == 10.0.0.0/29": 6, "any ip.addr == 10.0.0.9": 1, "ip.ttl != 63": 7, "eth.addr == 02:00:00:00:00:09": 1,
		"eth.src[0:3] == 02:00:00": 8, "eth.dst[0] == ff": 1,
		"tcp.flags.syn == 1": 2, "tcp.flags.syn == True && tcp.flags.ack == \"Not set\"": 1, "tcp.flags == 0x12": 1,
		"tcp.type == SYN": 1, "tcp.type == \"syn-ack\"": 1, "tcp.type in {SYN, FIN}": 1,
		"icmp.type == \"Echo (ping) request\"": 1, "icmp.type == 8": 1, "icmp.type != 8": 1, "arp.opcode == request": 1,
		"arp.opcode == 1": 1, "ip.proto == UDP": 3, "ip.proto > TCP": 3,
		"udp contains \"World\"": 1, "frame contains \"World\"": 1, "data.data contains \"World\"": 1,
		"data contains 6f:20:57": 1, "data matches \"world$\"": 1, "data matches \"^HELLO\"": 1,
		"data matches \"(?-i)^HELLO\"": 0,
		"frame[0:2] == ff:ff":          1, "frame[-2:] == 00:01": 3, "data[0:5] == \"hello\"": 1, "frame[200:10]": 0,
		"frame[40:2]":            8,
		"data.data[0,200] == 68": 1, "data.data[0,200]": 2, "data.data[200,0]": 0, // as far as there is something
		"data.data[200:2] != 00:00": 2, "data.data[200:2] < 00:00": 2, "data.data[200:2] matches \"^$\"": 0,
		"len(frame.time) == 0": 8, "len(ip.flags.df) == 0": 7,
		"data[0,2-3] == 68:6c:6c": 1,
		"data.data > 7f:7f":       2, "data.data < 00:00:00:00:00:00:00:00:00:00": 1,
		"len(data.data) > 8": 1, "count(ip.addr) == 2": 7, "count(ip.addr) > 2": 0, "frame.number == 3": 1,
		"frame.number in {2..4}": 3, "frame.len > 42": 4,
		"frame.time_relative == 0.002": 1, "frame.time_relative <= 0.001": 2, "frame.time >= \"2024-01-01T00:00:00Z\"": 8,
		"frame.time < \"2023-12-31 00:00:00 UTC\"": 0,
		"udp.payload": 2, "tcp.analysis.retransmission": 0, "icmp.resp_to": 1, "frame.top == \"icmp\"": 2,
		"frame.top == \"ip\"": 0, "frame.top contains \"cm\"": 2, "frame.type == \"SYN\"": 1,
		"frame.type matches \"^syn\"": 2, "frame.path matches \"^eth:ip:icmp\"": 2, "frame.path == \"eth:ip:icmp:data\"": 0,
		"talk": 7, "talk == 1": 2, "!(frame.path ~ \":icmp\") && talk": 5, "dir == forth": 4, "dir == back": 3, "dir": 7,
		"icmp.resp_in == 7": 1, "_ws.expert": 7, "_ws.expert.severity == Chat": 2, "_ws.expert.severity == 0x200000": 2,
		"_ws.expert.group == 33554432": 2, "_ws.expert.group == \"Sequence\"": 2,
		"frame.protocols contains \"icmp\"":                    2,
		"icmp.seq == 1 and (icmp.type == 0 or icmp.type == 8)": 2, "ip.src == 10.0.0.1..10.0.0.2": -1,
		"ip.src in {10.0.0.1..10.0.0.2}": 7, "1 < frame.number < 4": 2,
	} {
		f, err := filter.Compile(s.Registry(), expr)
		if err != nil {
			if want >= 0 {
				t.Errorf("%s: %v", expr, err)
			}
			continue
		}
		got := 0
		err = filter.Scan(context.Background(), s, f, 1, dissect.FrameNum(s.Passed()),
			func(m []dissect.FrameNum, _ dissect.FrameNum) { got += len(m) })
		if err != nil || got != want {
			t.Errorf("%s: %d frames match, want %d (%v)", expr, got, want, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	for _, c := range []struct{ expr, culprit, says string }{
		{"udp.srcprt == 1", "udp.srcprt", "udp.srcport"},
		{"tcp.type == SYM", "SYM", "SYN"},
		{"udp.port = 1", "=", "=="},
		{"udp.port == ", "", "ends too early"},
		{"udp &&", "", "ends too early"},
		{"(udp", "", "ends too early"},
		{"udp)", ")", "belong"},
		{"udp.port == 70000", "70000", "fit"},
		{"udp.port == \"80\"", "\"80\"", "80"},
		{"ip.src == 300.1.1.1", "300.1.1.1", "IPv4"},
		{"ip.src == ::1", "::1", "IPv4"},
		{"ipv6.src == 10.0.0.1", "10.0.0.1", "IPv6"},
		{"udp.port in {}", "}", "belong"},
		{"udp.port in {1 2}", "2", "commas"},
		{"data matches \"(\"", "\"(\"", "regular expression"},
		{"udp.port matches \"1\"", "", "matches"},
		{"udp.port contains 1", "", "contains"},
		{"udp.port[0]", "udp.port[0]", "bytes"},
		{"frame[0:0] == 00", "0:0", "not positive"},
		{"frame[", "[", "not closed"},
		{"\"text", "\"text", "closing quote"},
		{"frame contains \"\\q\"", "\\q", "escape"},
		{"'ab' == frame", "'ab'", "one character"},
		{"host 192.0.2.1", "192.0.2.1", "-f"},
		{"udp ; tcp", ";", "no place"},
		{"len(udp.port, 1) > 2", "", "one argument"},
		{"nonsense(udp) == 1", "nonsense(udp)", "no function"},
		{"any udp", "any", "in front of a comparison"},
		{"tcp.flags.syn == maybe", "maybe", "truth value"},
		{"udp.port == tcp", "", "compared"},
		{strings.Repeat("(", 1000) + "udp", "", "too deep"},
	} {
		_, err := filter.Compile(reg, c.expr)
		var e *filter.Error
		if !errors.As(err, &e) {
			t.Errorf("%.40s: %v, want an error", c.expr, err)
			continue
		}
		if got := c.expr[e.Pos:e.End]; c.culprit != "" && got != c.culprit {
			t.Errorf("%s: the error marks %q, want %q\n%s", c.expr, got, c.culprit, e.Caret())
		}
		if !strings.Contains(e.Error(), c.says) {
			t.Errorf("%.40s: %q does not say %q", c.expr, e.Error(), c.says)
		}
	}
}

func TestCaretMindsWideCharacters(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	_, err := filter.Compile(reg, `frame contains "レイム" && udp.x`)
	var e *filter.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want := "    frame contains \"レイム\" && udp.x\n" + strings.Repeat(" ", 4+27) + "^~~~~"
	if e.Caret() != want {
		t.Errorf("the caret stands at\n%s\nwant\n%s", e.Caret(), want)
	}
}

// TestTheIndexAgreesWithTrees holds what layer stacks answer against whole trees, on filters made by chance.
func TestTheIndexAgreesWithTrees(t *testing.T) {
	s := sample(t)
	r := rand.New(rand.NewPCG(5, 6))
	atoms := []string{"udp", "tcp", "arp", "icmp", "udp.port == 5000", "tcp.type == SYN", "tcp.type != SYN",
		"icmp.type > 0", "ip.addr == 10.0.0.9", "arp.opcode in {1, 5..9}", "tcp.type === DATA", "frame.len > 50"}
	var make func(depth int) string
	make = func(depth int) string {
		switch k := r.IntN(4); {
		case depth == 0 || k == 0:
			return atoms[r.IntN(len(atoms))]
		case k == 1:
			return "!(" + make(depth-1) + ")"
		case k == 2:
			return "(" + make(depth-1) + ") && (" + make(depth-1) + ")"
		}
		return "(" + make(depth-1) + ") || (" + make(depth-1) + ")"
	}
	l := s.Dissector()
	for range 500 {
		expr := make(3)
		f, err := filter.Compile(s.Registry(), expr)
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if quick, slow := f.Match(l, n), filter.MatchTree(f, l.Tree(n)); quick != slow {
				t.Errorf("frame %d, %s: the index says %v, the tree %v", n, expr, quick, slow)
			}
		}
	}
}

func TestCompletion(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"udp.srcp", 8, "udp.srcport"}, {"tcp && udp.srcp > 5", 15, "udp.srcport"}, {"tcp.type == ", 12, "ACK"},
		{"tcp.type == SYN", 13, "SYN"}, {"tcp.type in {ACK, S", 19, "SYN"}, {"icmp.type == Echo", 17, `"Echo (ping) reply"`},
	} {
		got := filter.Complete(reg, c.text, c.at)
		if len(got) == 0 || got[0].Text != c.want {
			t.Errorf("%q at %d: %+v, want %s first", c.text, c.at, got, c.want)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"udp.port == 1", "frame[0:2,-3:] == \"\\x00\"", "a in {1..2, b}",
		"!(a && b) or c matches r\"x\"", "len(data) > 'c'"} {
		f.Add(s)
	}
	reg := dissecttest.Registry(f, protocols.All())
	s := sample(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		c, err := filter.Compile(reg, text)
		var e *filter.Error
		if err != nil {
			if !errors.As(err, &e) || e.Pos < 0 || e.End > len(text) || e.Pos > e.End {
				t.Fatalf("%q: %v at %+v", text, err, e)
			}
			e.Caret()
			return
		}
		l := s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			c.Match(l, n)
		}
	})
}

func BenchmarkPort(b *testing.B) {
	var packets [][]byte
	for i := range 200_000 {
		packets = append(packets, udp(1, 2, uint16(5000+i%100), 6000, "some payload of a game"))
	}
	s := dissecttest.Session(b, protocols.All(), 1, dissecttest.Packets(packets...))
	f, err := filter.Compile(s.Registry(), "udp.port == 5050")
	if err != nil {
		b.Fatal(err)
	}
	l := s.Dissector()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = n%s.Passed() + 1
		f.Match(l, dissect.FrameNum(n))
	}
}

// TestScanStops gives a filter up when one of its expressions would take hours, and says which.
func TestScanStops(t *testing.T) {
	packets := make([][]byte, 2000)
	for i := range packets {
		packets[i] = udp(1, 2, 5000, 6000, "zz"+strings.Repeat("a", 100)+"!")
	}
	s := dissecttest.Session(t, protocols.All(), 1, dissecttest.Packets(packets...))
	const evil = `udp && data matches "(?=z)z(?:z|a|aa)+$"`
	f, err := filter.Compile(s.Registry(), evil)
	if err != nil || f.Stopped() != nil {
		t.Fatal(err, f.Stopped())
	}
	err = filter.Scan(context.Background(), s, f, 1, dissect.FrameNum(s.Passed()),
		func(m []dissect.FrameNum, _ dissect.FrameNum) {
			t.Errorf("%d packets match", len(m))
		})
	var told *filter.Error
	if !errors.As(err, &told) || !strings.HasPrefix(told.Text[told.Pos:], `"(?=z)`) || f.Stopped() == nil {
		t.Errorf("the scan ends with %v", err)
	}
	if f.Match(s.Dissector(), 1) {
		t.Error("a filter that stopped matches")
	}
}
