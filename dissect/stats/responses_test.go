package stats

import (
	"math/rand/v2"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestClassesOfTimes holds each time against the bounds of its class.
func TestClassesOfTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 10000 {
		v := rng.Int64N(1 << (1 + rng.IntN(62)))
		c := classOf(v)
		if low, high := timeOf(c), timeOf(c+1); v < low || v >= high && high > 0 {
			t.Fatalf("%d is in class %d, from %d to %d", v, c, low, high)
		}
		if width := timeOf(c+1) - timeOf(c); v > 16 && width > v/15 {
			t.Fatalf("the class of %d is %d wide", v, width)
		}
	}
	if classOf(-5) != 0 {
		t.Error("a time before the question is none")
	}
}

// TestResponsesAreThoseOfTheTrees counts the fields that tell a time since a question, and those of the answers alone.
func TestResponsesAreThoseOfTheTrees(t *testing.T) {
	for _, c := range []struct{ file, protocol, took string }{
		{"lan.pcapng", "dns", "dns.time"},
		{"nfs.pcap", "nfs", "rpc.time"},
		{"radius.pcap", "radius", "radius.time"},
		{"dhcp.pcap", "dhcp", "dhcp.time"},
		{"http.pcap", "http", "http.time"},
	} {
		s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/"+c.file)
		r := NewResponses(s)
		half := dissect.FrameNum(s.Passed() / 2)
		var first, rest []dissect.FrameNum
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if n <= half {
				first = append(first, n)
			} else {
				rest = append(rest, n)
			}
		}
		r.Frames(first, half)
		r.Frames(rest, dissect.FrameNum(s.Passed()))
		took := s.Registry().Field(c.took)
		longest, shortest := int64(0), int64(1<<62)
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := s.Tree(n)
			for i := range tree.Nodes {
				if tree.Field(i) == took && (c.protocol != "nfs" || tree.Protocol().Name() == "nfs") {
					longest, shortest = max(longest, int64(tree.Nodes[i].Val)), min(shortest, int64(tree.Nodes[i].Val))
				}
			}
		}
		high, low, answered := int64(0), int64(1<<62), uint64(0)
		for _, row := range r.All() {
			if row.Protocol.Name() != c.protocol || row.Answered == 0 {
				continue
			}
			high, low, answered = max(high, row.Max), min(low, row.Min), answered+row.Answered
			if within := row.Within(0.95); within < row.Min || within > row.Max || row.Mean() < row.Min || row.Mean() > row.Max {
				t.Errorf("%s %s: %+v", c.file, row.Name, row)
			}
			if row.Answered > row.Requests {
				t.Errorf("%s %s: %d answers to %d questions", c.file, row.Name, row.Answered, row.Requests)
			}
			if at := s.Store().Meta(int(row.SlowestResponse)-1).Time - s.Store().Meta(int(row.SlowestRequest)-1).
				Time; at != row.Max {
				t.Errorf("%s %s: the slowest took %d, not %d", c.file, row.Name, at, row.Max)
			}
		}
		if answered == 0 || high != longest || low != shortest {
			t.Errorf("%s: %d answers from %d to %d, the trees say %d to %d", c.file, answered, low, high, shortest, longest)
		}
	}
}

// TestResponsesOfWhatIsShown counts answers alone where no question is shown.
func TestResponsesOfWhatIsShown(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/dns.pcap")
	r := NewResponses(s)
	r.Frames([]dissect.FrameNum{2}, dissect.FrameNum(s.Passed()))
	all := r.All()
	if len(all) != 1 || all[0].Requests != 0 || all[0].Answered != 1 || all[0].Unanswered() != 0 ||
		all[0].SlowestRequest != 1 {
		t.Errorf("%+v", all)
	}
}

// TestPortsAreThoseOfTheTalks holds the ports' counts against those of the conversations.
func TestPortsAreThoseOfTheTalks(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/dns.pcap")
	table := NewTable(s, "")
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		table.Frames(l, []dissect.FrameNum{n}, n)
	}
	var all Count
	rtt := false
	for _, conv := range table.Conversations() {
		if conv.Conv.A.Port != 0 {
			all.add(conv.Both())
		}
		rtt = rtt || conv.Conv.Transport == dissect.TableUDP && conv.RoundTrip() > 0
	}
	var sum Count
	for _, p := range table.Ports() {
		sum.add(p.Both())
		if p.Port != 53 {
			t.Errorf("port %d", p.Port)
		}
	}
	if sum != all || sum.Packets == 0 {
		t.Errorf("%+v, the conversations have %+v", sum, all)
	}
	if !rtt {
		t.Error("questions and answers tell no round trip")
	}
	if NewTable(s, "ip").Ports() != nil {
		t.Error("addresses have ports")
	}
}

// TestPlayersSendWhatTheirTypesDo holds the packets of all players and others against those of the game's
// conversations.
func TestPlayersSendWhatTheirTypesDo(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/touhou/lossy.pcapng")
	p := NewPlayers(s)
	want := uint64(0)
	games := s.Games()
	if len(games) != 1 {
		t.Fatalf("%d games", len(games))
	}
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		p.Frame(n)
		conv, _ := s.DirectionOf(n)
		for _, c := range games[0].Convs {
			if c == conv && s.StackTop(s.LayerStackOf(n)) == games[0].Protocol {
				want++
			}
		}
	}
	got, named := uint64(0), 0
	for _, row := range p.All() {
		got += row.Packets
		most := uint64(0)
		for _, ty := range row.Types {
			most += ty.Count.Packets
			if ty.Count.Packets > row.Packets {
				t.Errorf("%d of %d packets are %s", ty.Count.Packets, row.Packets, ty.Name)
			}
		}
		if most < row.Packets {
			t.Errorf("%d packets have %d types", row.Packets, most)
		}
		if row.Player.Endpoint != (dissect.Endpoint{}) {
			named++
		}
	}
	if got != want || named < 2 {
		t.Errorf("%d packets of %d players, want %d", got, named, want)
	}
}
