package touhou

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestHeldAndRate lets the host press A every other frame while the client first holds right and then lets go.
func TestHeldAndRate(t *testing.T) {
	k := newTalk(t)
	keys := func(f uint32) (h, c uint16) {
		if f%2 == 0 {
			h = 0x10
		}
		if f <= 100 {
			c = 8
		}
		return h, c
	}
	at := map[uint32]dissect.FrameNum{}
	var own dissect.FrameNum
	for f := uint32(1); f <= 300; f++ {
		h, c := keys(f)
		own = k.Say(8, client, host, clientInput(5, f-1, c))
		if f == 110 {
			continue // lost: the next packet has it, too
		}
		h0, c0 := keys(f - 1)
		at[f] = k.Say(8, host, client, hostInput(5, f, h, c, h0, c0))
	}
	again := k.Say(8, host, client, hostInput(5, 300, 0x10, 0))
	old := k.Say(8, host, client, hostInput(5, 299, 0, 0))
	jump := k.Say(8, host, client, hostInput(5, 320, 0x30, 0))
	far := k.Say(8, host, client, hostInput(5, 900, 0, 0))
	s := k.Session()
	want(t, s, at[1], "host.held", "1 frames", "host.rate", "0 /s", "client.held", "2 frames", "input.recovered", "-",
		"input.frames", "2 frames")
	want(t, s, at[90], "host.held", "1 frames", "host.rate", "30 /s", "client.held", "91 frames", "client.rate", "0 /s")
	want(t, s, at[100], "client.held", "101 frames")
	want(t, s, at[101], "client.held", "1 frames", "client.rate", "0 /s")
	want(t, s, at[111], "input.recovered", "1 frames", "input.new", "2 frames", "client.held", "11 frames", "host.rate",
		"30 /s")
	want(t, s, at[300], "client.held", "200 frames", "match.number", "1", "input.recovered", "-")
	want(t, s, own, "client.held", "200 frames", "host.held", "-", "host.rate", "-", "input.frames", "1 frames")
	want(t, s, again, "host.held", "1 frames", "host.rate", "30 /s")
	want(t, s, old, "host.held", "-")
	want(t, s, jump, "host.held", "1 frames", "host.rate", "21 /s", "input.missing", "19 frames")
	want(t, s, far, "host.rate", "0 /s", "host.held", "1 frames")
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestHeldInReplays finds the same in what a spectator gets.
func TestHeldInReplays(t *testing.T) {
	k := newTalk(t)
	in := func(f int) (h, c uint16) { return uint16(f&1) << 4, 4 }
	k.Say(1, client, spectator, replayHex(1, 30, 30, in))
	k.Say(66, client, spectator, replayHex(1, 60, 30, in))
	n := k.Say(66, client, spectator, replayHex(1, 64, 4, in))
	next := k.Say(66, client, spectator, replayHex(2, 2, 2, in))
	s := k.Session()
	want(t, s, n, "host.held", "1 frames", "host.rate", "30 /s", "client.held", "64 frames", "client.rate", "0 /s")
	want(t, s, next, "client.held", "2 frames")
}

// TestSokurollByGameID reads inputs by Sokuroll's rules because of the INIT_REQUEST alone, and shows who leads by how
// much, with what delay, and when a packet has fewer frames than the settings ask for.
func TestSokurollByGameID(t *testing.T) {
	k := newTalk(t)
	k.Say(1, client, host, t4)
	k.Say(1, host, client, "130101") // rollback and delay 1: four frames a packet
	k.Say(1, client, host, "14")
	early := k.Say(1, host, client, hostInput(5, 3, 1, 1, 0x10))
	four := k.Say(1, host, client, hostInput(5, 20, 1, 1, 4, 3, 2, 1))
	behind := k.Say(1, client, host, clientInput(5, 17, 1, 2, 4, 8))
	few := k.Say(1, host, client, hostInput(5, 21, 1, 1, 4, 3))
	k.Say(1, client, host, strings.Replace(t4, "6473", "6e73", 1))
	vanilla := k.Say(1, host, client, hostInput(5, 22, 1, 1))
	s := k.Session()
	want(t, s, early, "sokuroll", "yes", "input.delay", "1", "input.window", "-", "delay.frames", "2 frames", "host.held",
		"1 frames", "client.held", "-")
	want(t, s, four, "input.frames", "4 frames", "input.window", "-", "input.recovered", "3 frames")
	want(t, s, behind, "input.ahead", "-3 frames", "delay.frames", "2 frames", "input.client", "↑ (0x0001)",
		"input.window", "-", "client.held", "1 frames")
	want(t, s, few, "input.ahead", "4 frames", "input.window", "")
	want(t, s, vanilla, "sokuroll", "-", "input.client", "↑ (0x0001)", "input.ahead", "-")
	dissecttest.Redissections(t, s)
}

// TestAnnouncements checks that what is repeated until it is acknowledged counts as one.
func TestAnnouncements(t *testing.T) {
	k := newTalk(t)
	first := k.Say(1, client, host, "0e0103")
	again := k.Say(16, client, host, "0e0103")
	ack := k.Say(16, host, client, "0d0203")
	next := k.Say(500, client, host, "0e0103")
	ask := k.Say(1, host, client, "0d08")
	askAgain := k.Say(16, host, client, "0d08")
	set := k.Say(1, host, client, "130402")
	setAgain := k.Say(100, host, client, "130402")
	s := k.Session()
	for n, want := range map[dissect.FrameNum]dissect.FrameNum{first: 0, again: first, next: 0, ask: 0, askAgain: ask,
		set: 0, setAgain: set} {
		if got := s.Tree(n).Messages[0].RepeatOf; got != want {
			t.Errorf("frame %d repeats %d, want %d", n, got, want)
		}
	}
	want(t, s, ack, "request_in", fmt.Sprint(again))
}

// TestStartInTheMiddle begins between two players in battle and their spectator, without any of the connecting.
func TestStartInTheMiddle(t *testing.T) {
	k := newTalk(t)
	k.Say(1, spectator, client, "0e0b ffffffff 00")
	k.Say(1, spectator, client, "0e0b 00000000 03")
	k.Say(1, client, spectator, replayHex(3, 30, 30, func(int) (uint16, uint16) { return 0, 0 }))
	k.Say(1, client, spectator, "0d04 10 03 01 01 0000 00 13 00 02 01 0000 00 1e 05 efbeadde 03")
	k.Say(1, client, host, clientInput(5, 200, 1))
	k.Say(1, client, host, clientInput(5, 201, 1))
	n := k.Say(1, host, client, hostInput(5, 202, 1, 1))
	weak := k.Say(1, client, end{9, 40009}, "0b")
	s := k.Session()
	want(t, s, n, "match.number", "3")
	if s.Tree(weak).Protocol() != proto {
		t.Error("inputs on the game's own port do not claim the client's end")
	}
	for e, role := range map[dissect.Endpoint]string{s.Tree(n).Src: "host", s.Tree(n).Dst: "client",
		s.Tree(1).Src: "spectator 1"} {
		if got := s.End(e, n).Role; got != role {
			t.Errorf("%s is %q, want %s", e, got, role)
		}
	}
	games := s.Games()
	if len(games) != 1 || len(games[0].Players) != 3 {
		t.Errorf("games %+v", games)
	}
}

// TestProxy sees every datagram twice, on two flows: these are two games.
func TestProxy(t *testing.T) {
	proxy := end{5, 10800}
	k := newTalk(t)
	for f := range uint32(3) {
		k.Say(1, client, proxy, clientInput(5, f, 1))
		k.Say(1, end{5, 50005}, host, clientInput(5, f, 1))
	}
	s := k.Session()
	if n := len(s.Games()); n != 2 {
		t.Errorf("%d games", n)
	}
	want(t, s, 6, "input.new", "1 frames", "repeat", "-")
}

// TestReplayAgainstSokuroll holds a replay against inputs that each side sent for itself.
func TestReplayAgainstSokuroll(t *testing.T) {
	keys := func(frame int) (host, client uint16) {
		n := uint32(frame) * 2654435761
		return uint16(n >> 29), uint16(n >> 26 & 3)
	}
	k := newTalk(t)
	k.Say(1, host, client, t14)
	for f := 1; f < 150; f++ {
		h, c := keys(f)
		k.Say(8, host, client, hostInput(5, uint32(f), 2, 2, h))
		k.Say(8, client, host, clientInput(5, uint32(f), c))
	}
	k.Say(1, client, spectator, replayHex(1, 30, 30, func(f int) (uint16, uint16) { return keys(f + 61) }))
	good := k.Say(66, client, spectator, replayHex(1, 60, 30, func(f int) (uint16, uint16) { return keys(f + 61) }))
	bad := k.Say(66, client, spectator, replayHex(1, 62, 2, func(int) (uint16, uint16) { return 0x10, 0x20 }))
	s := k.Session()
	want(t, s, good, "replay.compared", "30 frames", "replay.live", "121", "replay.differs", "-")
	want(t, s, bad, "replay.compared", "2 frames", "replay.differs", "")
}

// TestMatchesAgree tells a spectator of the match before the battle begins, and later of one that nobody plays.
func TestMatchesAgree(t *testing.T) {
	toSpectator := func(id byte, seed string) string {
		return fmt.Sprintf("0d04 10 03 01 01 6400 00 13 00 02 01 6400 00 1e 05 %s %02x", seed, id)
	}
	k := newTalk(t)
	k.Say(1, client, host, t4)
	k.Say(1, host, client, "0d0103")
	players := k.Say(1, host, client, t10)
	early := k.Say(1, client, spectator, toSpectator(4, "efbeadde"))
	k.Say(1, host, client, "0d0105")
	in := k.Say(1, host, client, hostInput(5, 1, 0, 0))
	right := k.Say(1, client, spectator, toSpectator(4, "efbeadde"))
	wrong := k.Say(1, client, spectator, toSpectator(4, "efbeadd0"))
	s := k.Session()
	want(t, s, players, "match.number", "1")
	want(t, s, early, "match.number", "4", "match.differs", "-")
	want(t, s, in, "match.number", "4")
	want(t, s, right, "match.differs", "-")
	want(t, s, wrong, "match.differs", "")
}

// TestGiurollPlayers takes the roles from the mod's own inputs.
func TestGiurollPlayers(t *testing.T) {
	k := newTalk(t)
	n := k.Say(1, client, host, t17)
	s := k.Session(byHand)
	if got := s.End(s.Tree(n).Src, n).Role; got != "client" {
		t.Errorf("the sender is %q", got)
	}
}

// TestTimes finds a TIME that never came and an ACK that is not the TIME.
func TestTimes(t *testing.T) {
	k := newTalk(t)
	k.Say(1, client, host, "10 01000000 11000000")
	k.Say(1, host, client, "10 09000000 99000000")
	gap := k.Say(200, client, host, "10 03000000 13000000")
	good := k.Say(30, host, client, "11 03000000 13000000")
	bad := k.Say(1, host, client, "11 01000000 12000000")
	zero := k.Say(1, host, client, "10 00000000 00000000") // a mod that hosts in the background
	s := k.Session()
	want(t, s, gap, "time.missing", "1", "answered_in", fmt.Sprint(good))
	want(t, s, good, "time.changed", "-", "time", "0.030000000")
	want(t, s, bad, "time.changed", "", "time.missing", "-")
	want(t, s, zero, "time.missing", "-")
}

// TestSokurollByCount tells Sokuroll from several words of the client, where the game id leaves it open.
func TestSokurollByCount(t *testing.T) {
	k := newTalk(t)
	before := k.Say(1, host, client, hostInput(5, 4, 2, 2, 1, 4))
	three := k.Say(1, client, host, clientInput(3, 4, 1, 2)) // not in battle: says nothing
	still := k.Say(1, host, client, hostInput(5, 5, 2, 2, 1, 4))
	client2 := k.Say(1, client, host, clientInput(5, 5, 1, 2))
	after := k.Say(1, host, client, hostInput(5, 6, 2, 2, 1, 4))
	s := k.Session()
	for _, n := range []dissect.FrameNum{before, three, still} {
		want(t, s, n, "sokuroll", "-", "input.delay", "-")
	}
	want(t, s, client2, "sokuroll", "yes")
	want(t, s, after, "sokuroll", "yes", "input.delay", "2", "input.host", "↑ (0x0001)", "input.client", "-")
}

// rolls is a giuroll packet: sender, frame, weather, confirmed frame and inputs, newest first.
func rolls(from, frame, weather, confirmed int, keys ...int) string {
	text := fmt.Sprintf("6b %02x 0000 %02x%02x0000 %02x 02 06 %02x", from, frame&255, frame>>8, weather, len(keys))
	for _, k := range keys {
		text += fmt.Sprintf("%02x%02x", k&255, k>>8)
	}
	return text + fmt.Sprintf("%02x%02x0000 ffffff7f", confirmed&255, confirmed>>8)
}

// TestGiuroll follows the mod's inputs: copies, losses, what is confirmed, and the weather that both must have.
func TestGiuroll(t *testing.T) {
	k := newTalk(t)
	probe := k.Say(1, client, host, "6c")
	echo := k.Say(7, host, client, "6d 61")
	one := k.Say(1, host, client, rolls(1, 100, 3, 0, 1, 2, 3))
	two := k.Say(1, host, client, rolls(1, 101, 3, 0, 4, 1, 2))
	answer := k.Say(5, client, host, rolls(2, 100, 3, 101, 1))
	bad := k.Say(1, host, client, rolls(1, 102, 3, 0, 4, 9, 1))
	gap := k.Say(1, host, client, rolls(1, 120, 3, 100, 4, 5))
	same := k.Say(1, client, host, rolls(2, 120, 3, 101, 1))
	other := k.Say(1, host, client, rolls(1, 121, 4, 100, 4))
	differs := k.Say(1, client, host, rolls(2, 121, 5, 121, 1, 1))
	k.Say(1, host, client, rolls(1, 122, 4, 100, 4))
	still := k.Say(1, client, host, rolls(2, 122, 5, 121, 1, 1))
	k.Say(1, client, host, "6e 00")
	s := k.Session(byHand)
	want(t, s, probe, "answered_in", fmt.Sprint(echo))
	want(t, s, echo, "time", "0.007000000")
	want(t, s, one, "input.new", "3 frames", "input.missing", "-")
	want(t, s, two, "input.new", "1 frames", "input.recovered", "-", "input.conflict", "-")
	want(t, s, answer, "giuroll.confirmed_of", fmt.Sprint(two), "giuroll.trip", "0.005000000")
	want(t, s, bad, "input.conflict", "")
	want(t, s, gap, "input.missing", "16 frames", "input.recovered", "1 frames", "giuroll.confirmed_of",
		fmt.Sprint(answer))
	want(t, s, same, "giuroll.other_in", fmt.Sprint(gap), "giuroll.desync", "-")
	want(t, s, differs, "giuroll.other_in", fmt.Sprint(other), "giuroll.desync", "")
	want(t, s, still, "giuroll.desync", "-")
	if a := s.Agreements()[0]; len(a.Disagreements) != 2 || a.Disagreements[0].About.Title != "weather" ||
		a.Disagreements[0].Reports[1].Text(a.Disagreements[0].About) != "5" {
		t.Errorf("%+v", a)
	}
	dissecttest.Redissections(t, s)
}
