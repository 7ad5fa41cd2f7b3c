package tcp_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

func pkt(fromServer bool, seq, ack uint32, flags byte, payload []byte) []byte {
	from, to, sport, dport := "10.0.0.1", "10.0.0.2", uint16(32768), uint16(53)
	if fromServer {
		from, to, sport, dport = to, from, dport, sport
	}
	tcp := dissecttest.TCP(sport, dport, seq, ack, flags, payload)
	return dissecttest.IPv4(dissecttest.ProtocolTCP, from, to, tcp)
}

// msg is a framed DNS query header with id and a root question.
func msg(id uint16) []byte {
	b := []byte{0, 17, byte(id >> 8), byte(id), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1}
	return b
}

func ids(s *dissect.Session) []string {
	var out []string
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		t := s.Tree(n)
		for i := range t.Nodes {
			if t.Field(i).Name() == "dns.id" {
				out = append(out, fmt.Sprintf("%d:%s", n, t.Value(i)))
			}
		}
	}
	return out
}

func expect(t *testing.T, s *dissect.Session, want int) {
	t.Helper()
	got := ids(s)
	if len(got) != want {
		t.Errorf("%d messages, want %d: %v", len(got), want, got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

const A, PA, S, F = 0x10, 0x18, 0x02, 0x11

func sess(t *testing.T, p ...[]byte) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(p...))
}

func TestDuplicateSYNAfterData(t *testing.T) {
	m := append(msg(1), msg(2)...)
	expect(t, sess(t, pkt(false, 99, 0, S, nil), pkt(true, 499, 100, S|A, nil), pkt(false, 100, 500, PA, m[:25]),
		pkt(false, 99, 0, S, nil), pkt(false, 125, 500, PA, m[25:])), 2)
}

// Unfilled gap, peer acks past it, no later segment of that direction carries data.
func TestLostThenAckedAtEnd(t *testing.T) {
	expect(t, sess(t, pkt(false, 99, 0, S, nil), pkt(true, 499, 100, S|A, nil), pkt(false, 119, 500, PA, msg(2)),
		pkt(true, 500, 138, A, nil), pkt(false, 138, 500, F, nil)), 1)
}

// TestGapsAckedAtOnce gives up all gaps that one acknowledgment is past, so that what comes behind them waits for none.
func TestGapsAckedAtOnce(t *testing.T) {
	p := func(i uint32) []byte { return pkt(false, 100+19*i, 500, PA, msg(uint16(i+1))) }
	s := sess(t, pkt(false, 99, 0, S, nil), pkt(true, 499, 100, S|A, nil), p(0), p(2), p(4),
		pkt(true, 500, 100+19*5, A, nil), p(5))
	expect(t, s, 4)
	if id, _ := dissecttest.Find(s.Tree(7), "dns.id"); id == "" {
		t.Error("the message behind the gaps waits")
	}
}

// giveUp set, gap then filled; a later, unrelated reordering must not be given up.
func TestStaleGiveUp(t *testing.T) {
	p := func(i uint32) []byte { return pkt(false, 100+19*i, 500, PA, msg(uint16(i+1))) }
	expect(t, sess(t, pkt(false, 99, 0, S, nil), pkt(true, 499, 100, S|A, nil), p(1), pkt(true, 500, 138, A, nil), p(0),
		p(3), p(2)), 4)
}

func TestManyParked(t *testing.T) {
	for _, n := range []uint32{10, 60, 200} {
		var ps [][]byte
		for i := uint32(1); i < n; i++ {
			ps = append(ps, pkt(false, 100+19*i, 500, PA, msg(uint16(i+1))))
		}
		ps = append([][]byte{pkt(false, 99, 0, S, nil)}, ps...)
		ps = append(ps, pkt(false, 100, 500, PA, msg(1)),
			pkt(true, 500, 0, PA, append([]byte{0, 12, 0, 5, 0x81, 0x80}, make([]byte, 8)...)))
		s := sess(t, ps...)
		t.Run(fmt.Sprint(n), func(t *testing.T) { expect(t, s, int(n)+1) })
		for id := uint16(1); id == 1; id++ {
			a := append([]byte{0, 12, 0, byte(n - 1), 0x81, 0x80}, make([]byte, 8)...)
			s2 := sess(t, append(ps, pkt(true, 514, 0, PA, a))...)
			if to, _ := dissecttest.Find(s2.Tree(dissect.FrameNum(s2.Passed())), "dns.response_to"); to == "" {
				t.Errorf("n=%d: answer to a query completed from parked data finds no request", n)
			}
		}
	}
}

func TestFirstCopyWins(t *testing.T) {
	m := append(append(msg(1), msg(2)...), msg(3)...)
	bad := append([]byte{}, m[19:38]...)
	bad[10] = 0xee
	x := append([]byte{}, m[:38]...)
	x[19+2], x[19+3] = 0x77, 0x77 // a later copy says another id for message 2
	s := sess(t, pkt(false, 99, 0, S, nil), pkt(false, 119, 1, PA, m[19:38]), pkt(false, 100, 1, PA, x))
	for _, g := range ids(s) {
		if g[len(g)-6:] == "0x7777" {
			t.Errorf("the later copy won: %v", ids(s))
		}
	}
}

func TestWrapAndProperty(t *testing.T) {
	for seed := uint64(0); seed < 150; seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		var b []byte
		k := 5 + r.IntN(25)
		for i := 0; i < k; i++ {
			b = append(b, msg(uint16(i+1))...)
		}
		type seg struct{ a, z int }
		var segs []seg
		for a := 0; a < len(b); {
			z := min(len(b), a+1+r.IntN(40))
			segs = append(segs, seg{max(0, a-r.IntN(6)), z})
			a = z
		}
		for i := len(segs) / 4; i > 0; i-- {
			segs = append(segs, segs[r.IntN(len(segs))])
		}
		r.Shuffle(len(segs), func(i, j int) { segs[i], segs[j] = segs[j], segs[i] })
		isn := uint32(0xffffff80)
		ps := [][]byte{pkt(false, isn, 0, S, nil)}
		for _, g := range segs {
			ps = append(ps, pkt(false, isn+1+uint32(g.a), 1, PA, b[g.a:g.z]))
		}
		s := sess(t, ps...)
		if got := ids(s); len(got) != k {
			t.Fatalf("seed %d: %d of %d: %v", seed, len(got), k, got)
		}
		dissecttest.Redissections(t, s)
		if t.Failed() {
			t.Fatalf("seed %d looks differ", seed)
		}
	}
}

func TestSimultaneousOpen(t *testing.T) {
	s := sess(t, pkt(false, 99, 0, S, nil), pkt(true, 499, 0, S, nil), pkt(false, 99, 500, S|A, nil),
		pkt(true, 499, 100, S|A, nil))
	a, _ := dissecttest.Find(s.Tree(1), "tcp.stream")
	b, _ := dissecttest.Find(s.Tree(2), "tcp.stream")
	if a != b {
		t.Errorf("streams %s and %s", a, b)
	}
}

// A pointer back to bytes that are no name: is that told whatever is wanted?
func TestNameMarks(t *testing.T) {
	q := []byte{0, 17 + 1, 0x40, 0x40, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 0x00, 0, 1, 0, 1}
	q[1] = byte(len(q) - 2)
	s := sess(t, pkt(false, 99, 0, S, nil), pkt(false, 100, 1, PA, q))
	_, in := dissecttest.Find(s.Tree(2), "dns.name.bad")
	marked := false
	marked = s.ExpertInfos() > 0
	t.Log(s.ExpertInfos())
	if in != marked {
		t.Errorf("tree says name.bad=%v, marks of the first pass say %v", in, marked)
	}
	dissecttest.Fields(t, s)
}

// TestLossOfBoth loses packets of both directions, which the acknowledgments tell: nothing waits for them.
func TestLossOfBoth(t *testing.T) {
	p := func(i, ack uint32) []byte { return pkt(false, 100+19*i, ack, PA, msg(uint16(i+1))) }
	s := sess(t, pkt(false, 99, 0, S, nil), pkt(true, 499, 100, S|A, nil), p(0, 500), pkt(true, 500, 119, PA, msg(50)),
		p(2, 538), pkt(true, 538, 157, PA, msg(51)))
	if got, want := fmt.Sprint(ids(s)), "[3:0x0001 4:0x0032 5:0x0003 6:0x0033]"; got != want {
		t.Errorf("messages are in the frames %s, want %s", got, want)
	}
	dissecttest.Redissections(t, s)
}

// TestScaleOfOne captures the SYN of one side alone, whose windows are scaled as it offered.
func TestScaleOfOne(t *testing.T) {
	open := pkt(false, 99, 0, S, nil)
	open[32] = 0x60 // a header of 24 bytes
	open = append(open, 1, 3, 3, 7)
	open[3] += 4
	s := sess(t, open, pkt(true, 500, 100, PA, msg(1)), pkt(false, 100, 519, A, nil))
	for n, want := range map[dissect.FrameNum]string{2: "-1 (unknown)", 3: "128"} {
		if got := dissecttest.All(s.Tree(n), "tcp.window_size_scalefactor"); got != want {
			t.Errorf("the scale in frame %d is %s, want %s", n, got, want)
		}
	}
}

// TestSegmentThatOvertookItself repeats a segment that came too late for its message: what it brings is there already.
func TestSegmentThatOvertookItself(t *testing.T) {
	m := msg(1)
	late := pkt(false, 110, 500, PA, m[10:])
	p := dissecttest.Packets(pkt(false, 100, 500, PA, m[:10]), pkt(false, 119, 500, PA, msg(2)[:5]), late, late)
	for i := range p {
		p[i].Gap = 1
	}
	s := dissecttest.Session(t, protocols.All(), 101, p)
	for n, want := range map[dissect.FrameNum]bool{3: false, 4: true} {
		if got := s.Tree(n).Find(s.Registry().Field("tcp.segment.overlap.repeated")) >= 0; got != want {
			t.Errorf("frame %d: said to overlap: %v, want %v", n, got, want)
		}
	}
	dissecttest.Redissections(t, s)
}

// kindNumber is the number of an option behind its name.
var kindNumber = regexp.MustCompile(`\(\d+\)`)

// TestEndsOfOptions shows each zero behind the options as an end, and says what is behind an end but none.
func TestEndsOfOptions(t *testing.T) {
	with := func(options ...byte) []byte {
		p := pkt(false, 99, 0, S, nil)
		p[32] = 0x60 // a header of 24 bytes
		p[3] += 4
		return append(p, options...)
	}
	s := sess(t, with(1, 0, 0, 0), with(0, 0, 7, 7))
	for n, want := range map[dissect.FrameNum]string{1: "(1) (0) (0) (0)", 2: "(0) (0)"} {
		all := dissecttest.All(s.Tree(n), "tcp.option_kind")
		if got := strings.Join(kindNumber.FindAllString(all, -1), " "); got != want {
			t.Errorf("the options of frame %d are %q, want %q", n, all, want)
		}
	}
	if got := dissecttest.All(s.Tree(2), "tcp.options.padding"); got != "0707" {
		t.Errorf("behind them is %q", got)
	}
}

// TestCompletenessSoFar tells in one pass which parts came before each segment, and afterwards which there are at all.
func TestCompletenessSoFar(t *testing.T) {
	s := sess(t, pkt(false, 99, 0, S, nil), pkt(true, 499, 100, S|A, nil), pkt(false, 100, 500, A, nil))
	if got := dissecttest.All(s.Tree(1), "tcp.completeness"); got != "Incomplete, ESTABLISHED (7)" {
		t.Errorf("at the end it is %q", got)
	}
	again, err := dissect.NewSession(s.Registry(), s.Store())
	if err != nil {
		t.Fatal(err)
	}
	g := again.Guard()
	g.Past()
	g.Run(func(l *dissect.Dissector) {
		for n, want := range []string{"Incomplete (0)", "Incomplete, SYN_SENT (1)", "Incomplete, CLIENT_ESTABLISHED (3)"} {
			l.PassTo(n + 1)
			if got := dissecttest.All(l.Tree(dissect.FrameNum(n+1)), "tcp.completeness"); got != want {
				t.Errorf("at frame %d it is %q, want %s", n+1, got, want)
			}
		}
	})
}

// TestTimeZero takes a SYN at the beginning of 1970 for one without a time, as Wireshark does.
func TestTimeZero(t *testing.T) {
	packets := dissecttest.Packets(pkt(false, 99, 0, S, nil), pkt(true, 499, 100, S|A, nil), pkt(false, 100, 500, A, nil))
	for gap, want := range map[int64]string{1: "0.002000000", -1704067200e9: ""} {
		packets[0].Gap = gap
		s := dissecttest.Session(t, protocols.All(), 101, packets)
		if got := dissecttest.All(s.Tree(3), "tcp.analysis.initial_rtt"); got != want {
			t.Errorf("the first round trip took %q, want %q", got, want)
		}
	}
}

// TestRepeatedSegmentsOfAMessage: segments that repeat what waits name the frame in which their message ends, and those
// behind it do not.
func TestRepeatedSegmentsOfAMessage(t *testing.T) {
	m := msg(7)
	s := sess(t, pkt(false, 99, 0, S, nil), pkt(false, 100, 1, A, m[:4]), pkt(false, 100, 1, A, m[:4]),
		pkt(false, 104, 1, A, m[4:9]), pkt(false, 102, 1, A, m[2:9]), pkt(false, 109, 1, PA, m[9:]),
		pkt(false, 104, 1, A, m[4:9]))
	expect(t, s, 1)
	for n, want := range []string{"", "6", "6", "6", "6", "", ""} {
		if got, _ := dissecttest.Find(s.Tree(dissect.FrameNum(n+1)), "tcp.reassembled_in"); got != want {
			t.Errorf("frame %d: its message ends in %q, want %q", n+1, got, want)
		}
	}
}

// TestHeadersPassOnce dissects a segment that completes a message once where nothing but headers is asked for, and
// leaves it to be dissected again where a field of the message is.
func TestHeadersPassOnce(t *testing.T) {
	m := msg(7)
	s := sess(t, pkt(false, 99, 0, S, nil), pkt(false, 100, 1, A, m[:4]), pkt(false, 104, 1, PA, m[4:]))
	for fields, once := range map[string]bool{"tcp.len ip.src": true, "tcp.len dns.id": false} {
		again, err := dissect.NewSession(s.Registry(), s.Store())
		if err != nil {
			t.Fatal(err)
		}
		var wanted []*dissect.Field
		for _, name := range strings.Fields(fields) {
			wanted = append(wanted, s.Registry().Field(name))
		}
		w := s.Registry().Wants(wanted...)
		again.Guard().Run(func(l *dissect.Dissector) {
			l.Pass(1, w)
			l.Pass(2, w)
			tree := l.Pass(3, w)
			if got := tree != nil; got != once {
				t.Errorf("%s: the third frame is dissected once: %v, want %v", fields, got, once)
			} else if once && dissecttest.All(tree, "tcp.len") != "15" {
				t.Errorf("%s: the length is %q", fields, dissecttest.All(tree, "tcp.len"))
			}
		})
	}
}
