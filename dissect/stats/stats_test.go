package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

func TestTimelineNeverForgets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var line Timeline
	at, n := int64(5e9), 0
	for range 20000 {
		line.Add(at-rng.Int64N(1e6), 3)
		n += 3
		at += rng.Int64N(1 << rng.IntN(34))
	}
	if len(line.counts) > bins {
		t.Errorf("%d parts", len(line.counts))
	}
	for _, w := range []int{1, 7, 80, 5000} {
		sum := 0.0
		for _, v := range line.Spread(line.origin-1e9, at+1e9, w) {
			sum += v
		}
		if math.Abs(sum-float64(n)) > 0.01 {
			t.Errorf("%d spans hold %.2f of %d", w, sum, n)
		}
	}
}

func TestSpreadKeepsThePlace(t *testing.T) {
	var line Timeline
	line.Add(0, 1)
	line.Add(9.5e9, 5)
	got := line.Spread(0, 10e9, 10)
	if got[0] != 1 || math.Abs(got[9]-5) > 0.001 {
		t.Errorf("%v", got)
	}
	if got := line.Spread(8e9, 10e9, 2); math.Abs(got[1]-5) > 0.001 || got[0] != 0 {
		t.Errorf("%v", got)
	}
	var late Timeline
	late.Add(1.7e18, 1)
	for _, v := range late.Spread(0, 2, 93) { // asked with the times of nothing counted yet
		if v != 0 {
			t.Error("something long before it")
		}
	}
	for _, v := range line.Spread(5, 5, 3) {
		if v != 0 {
			t.Error("something within no time")
		}
	}
}

// sessions are captures of games and of a LAN, counted whole.
func sessions(t *testing.T) map[string]*Tally {
	t.Helper()
	out := map[string]*Tally{}
	for _, path := range []string{"../../fixtures/captures/lan/lan.pcapng",
		"../../fixtures/captures/touhou/lossy.pcapng"} {
		s := dissecttest.Load(t, protocols.All(), path)
		tally := NewTally(s)
		tally.Range(1, dissect.FrameNum(s.Passed()/2))
		var rest []dissect.FrameNum
		for n := s.Passed()/2 + 1; n <= s.Passed(); n++ {
			rest = append(rest, dissect.FrameNum(n))
		}
		tally.Frames(rest, dissect.FrameNum(s.Passed()))
		out[path] = tally
	}
	return out
}

// quotes are protocols whose packets hold others, which do not count.
var quotes = map[string]bool{"icmp": true, "icmpv6": true}

// TestTypesCountWhatIsThere holds the counts against the trees of all packets.
func TestTypesCountWhatIsThere(t *testing.T) {
	for path, tally := range sessions(t) {
		s := tally.s
		protos, types := map[string]uint64{}, map[string]uint64{}
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := s.Tree(n)
			p := tree.Protocol()
			protos[p.Name()]++
			seen, counted := map[uint64]bool{}, map[string]bool{}
			if f := p.KindField(); f != nil {
				for i, node := range tree.Nodes {
					if tree.Field(i) == f && !seen[node.Val] {
						seen[node.Val] = true
						if name := p.Name() + " " + f.ValueName(node.Val); !counted[name] {
							counted[name] = true
							types[name]++
						}
					}
				}
			}
		}
		var packets uint64
		for _, p := range tally.Types() {
			packets += p.Packets
			if p.Packets != protos[p.Protocol.Name()] || p.Directions[0].Packets+p.Directions[1].Packets > p.Packets {
				t.Errorf("%s: %s: %d packets (%d and %d), want %d", path, p.Protocol.Name(), p.Packets, p.Directions[0].Packets,
					p.Directions[1].Packets, protos[p.Protocol.Name()])
			}
			for _, ty := range p.Types {
				if want := types[p.Protocol.Name()+" "+ty.Name]; ty.Field != nil && ty.Packets != want &&
					!quotes[p.Protocol.Name()] {
					t.Errorf("%s: %s %s: %d packets, want %d", path, p.Protocol.Name(), ty.Name, ty.Packets, want)
				}
				var sized uint64
				for _, z := range ty.Sizes {
					sized += z.Packets
				}
				if sized+ty.OtherSizes != ty.Packets || ty.Gap < 0 || ty.Jitter < 0 || ty.First > ty.Last {
					t.Errorf("%s: %s %s: %+v", path, p.Protocol.Name(), ty.Name, ty.Group)
				}
			}
		}
		if all, _, _ := tally.All(); packets != all.Packets || int(packets) != s.Passed() {
			t.Errorf("%s: %d packets in all, of %d", path, packets, s.Passed())
		}
	}
}

func TestHierarchyAddsUp(t *testing.T) {
	for path, tally := range sessions(t) {
		var check func(ls []*Level) uint64
		check = func(ls []*Level) (sum uint64) {
			for _, l := range ls {
				if got := l.Ends.Packets + check(l.Below); got != l.Packets {
					t.Errorf("%s: %s: %d packets, those above it and its own are %d", path, l.Protocol.Name(), l.Packets, got)
				}
				sum += l.Packets
			}
			return sum
		}
		if all, _, _ := tally.All(); check(tally.Hierarchy()) != all.Packets {
			t.Errorf("%s: the hierarchy does not hold all packets", path)
		}
	}
}

// TestTalksCountWhatIsThere holds conversations and endpoints against a plain count.
func TestTalksCountWhatIsThere(t *testing.T) {
	for path, tally := range sessions(t) {
		s := tally.s
		want := map[uint32]Count{}
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := s.Tree(n)
			for i := range tree.Nodes { // one conversation for each transport of the frame
				name := tree.Field(i).Name()
				if name != "udp.stream" && name != "tcp.stream" || tree.IsQuoted(i) {
					continue
				}
				w := uint32(0)
				for id := range uint32(s.Conversations()) {
					if c := s.Conversation(id + 1); string(c.Transport)[:3] == name[:3] && uint64(c.Stream) == tree.Nodes[i].Val {
						w = c.ID
					}
				}
				sum := want[w]
				sum.add(Count{1, uint64(tree.Len())})
				want[w] = sum
			}
		}
		var sent, packets uint64
		table := NewTable(s, "")
		table.Frames(nil, all(s), dissect.FrameNum(s.Passed()))
		for _, conv := range table.Conversations() {
			if tr := string(conv.Conv.Transport); conv.Both() != want[conv.Conv.ID] && (tr[:3] == "udp" || tr[:3] == "tcp") {
				t.Errorf("%s: conversation %d: %+v, want %+v", path, conv.Conv.ID, conv.Both(), want[conv.Conv.ID])
			}
			packets += conv.Both().Packets
		}
		for _, e := range table.Endpoints() {
			sent += e.Sent.Packets
		}
		if sent != packets {
			t.Errorf("%s: ends sent %d packets, conversations have %d", path, sent, packets)
		}
	}
}

// all are the frames of a session.
func all(s *dissect.Session) (out []dissect.FrameNum) {
	for n := range s.Passed() {
		out = append(out, dissect.FrameNum(n+1))
	}
	return out
}

// TestTablesAgree counts each layer whole and in pieces, and beside a filter that begins in the middle.
func TestTablesAgree(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/lan.pcapng")
	for _, layer := range Layers(s.Registry()) {
		whole, pieces, later := NewTable(s, layer.Name), NewTable(s, layer.Name), NewTable(s, layer.Name)
		frames := all(s)
		l := s.Dissector()
		whole.Frames(l, frames, dissect.FrameNum(s.Passed()))
		for i := 0; i < len(frames); i += 7 {
			pieces.Frames(l, frames[i:min(len(frames), i+7)], frames[i])
		}
		later.Frames(l, frames[len(frames)/2:], dissect.FrameNum(s.Passed()))
		a, b, c := whole.Conversations(), pieces.Conversations(), later.Conversations()
		if len(a) == 0 || len(a) != len(b) || len(c) == 0 || len(c) > len(a) {
			t.Errorf("%q: %d, %d and %d conversations", layer.Name, len(a), len(b), len(c))
			continue
		}
		for i := range a {
			if a[i] != b[i] {
				t.Errorf("%q: %+v in pieces, %+v whole", layer.Name, b[i], a[i])
			}
		}
		for _, conv := range c {
			if conv.Directions[0].Packets == 0 || conv.Last < conv.First {
				t.Errorf("%q: %+v: A has sent nothing", layer.Name, conv)
			}
		}
		var sent, received Count
		for _, e := range whole.Endpoints() {
			sent.add(e.Sent)
			received.add(e.Received)
		}
		if sent != received {
			t.Errorf("%q: %+v sent, %+v received", layer.Name, sent, received)
		}
	}
	if NewTable(s, "pigeon") != nil {
		t.Error("there is a table of pigeons")
	}
}

func TestPropertiesCountWhatIsThere(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/lan.pcapng")
	p := NewProperties(s)
	p.Range(1, 100)
	p.Range(101, dissect.FrameNum(s.Passed()))
	v := p.Sums() // as capinfos tells them
	if v.Packets != 678 || v.Bytes != 143046 || v.Last-v.First != 40677606256 || !v.Ordered || v.Shortest != 42 ||
		v.Longest != 1514 {
		t.Errorf("%+v", v)
	}
	if len(v.Interfaces) != 2 || v.Interfaces[0].Packets != 621 || v.Interfaces[1].Packets != 57 {
		t.Errorf("interfaces: %+v", v.Interfaces)
	}
}

func TestIntervalsMeasure(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/lan.pcapng")
	f := s.Registry().Field("frame.len")
	l := s.Dissector()
	for what, want := range map[Measure]float64{CountOf: 678, SumOf: 143046, MinOf: 42, MaxOf: 1514, AverageOf: 210,
		PacketsOnly: 678, BytesOnly: 143046} {
		v := NewIntervals(s, 0, what, f)
		for _, n := range all(s) {
			v.Frame(l, n)
		}
		if got := v.Value(0, 0); got != want || v.Len() != 1 {
			t.Errorf("measure %d: %v, want %v", what, got, want)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	s := dissecttest.Load(b, protocols.All(), "../../fixtures/captures/touhou/lossy.pcapng")
	tally := NewTally(s)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		n := dissect.FrameNum(i%s.Passed() + 1)
		tally.Range(n, n)
	}
}

func TestSpreadOfAnotherTime(t *testing.T) {
	var l Timeline
	l.Add(1_700_000_000e9, 3)
	for _, span := range [][2]int64{{0, 2}, {math.MaxInt64 - 2, math.MaxInt64}} {
		for i, v := range l.Spread(span[0], span[1], 90) {
			if v != 0 {
				t.Errorf("%v packets in part %d of %v", v, i, span)
			}
		}
	}
}

func TestSizesAreExplained(t *testing.T) {
	for _, c := range []struct {
		sizes  []Size
		header uint32
		length uint32
		want   string
	}{
		{[]Size{{115, 8961}, {163, 8940}, {139, 30}, {61, 1}}, 42, 115, "115 = 43 + 3·24"},
		{[]Size{{52, 908}, {54, 700}, {58, 193}, {62, 23}, {43, 25}}, 42, 54, "54 = 42 + 6·2"},
		{[]Size{{66, 900}, {86, 300}, {1514, 800}}, 34, 66, ""}, // 370 parts of 4 bytes: segments of TCP
		{[]Size{{45, 100}}, 42, 45, ""},
		{[]Size{{45, 100}, {46, 100}, {47, 100}}, 42, 45, ""},
		{[]Size{{60, 3}, {70, 3}, {80, 3}}, 42, 60, ""},
	} {
		got := ""
		if l, ok := ExplainSizes(c.sizes, c.header); ok {
			got = l.Explain(c.length)
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.sizes, got, c.want)
		}
	}
}

func TestBytesOverTimeAddUp(t *testing.T) {
	for path, tally := range sessions(t) {
		c, first, last := tally.All()
		sum := 0.0
		for _, v := range tally.SpreadBytes(first, last+1, 50) {
			sum += v
		}
		if math.Abs(sum-float64(c.Bytes)) > 1 {
			t.Errorf("%s: %.0f of %d bytes", path, sum, c.Bytes)
		}
	}
}

// TestGapsOfEachClass: each gap is in the class that holds it, and none is lost.
func TestGapsOfEachClass(t *testing.T) {
	var g gaps
	at := int64(0)
	for _, gap := range []int64{500, 16_670_000, 16_670_000, 15_900_000, 3_000_000_000, 1 << 61} {
		g.add(at, 1)
		at += gap
	}
	g.add(at, 1)
	all := make([]uint64, len(gapBounds))
	g.counts.sumInto(all)
	got := classesOf(all)
	want := []GapClass{{0, 1000, 1}, {12_500_000, 16_000_000, 1}, {16_000_000, 20_000_000, 2},
		{2_500_000_000, 3_150_000_000, 1}, {8_000_000_000_000, 0, 1}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
}
