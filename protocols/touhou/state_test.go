package touhou

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// hostInput and clientInput are vanilla GAME_INPUTs of one frame in hex.
func hostInput(scene byte, frame uint32, pairs ...uint16) string {
	b := binary.LittleEndian.AppendUint32([]byte{0x0d, 3}, frame)
	b = append(b, scene, byte(len(pairs)))
	for _, w := range pairs {
		b = binary.LittleEndian.AppendUint16(b, w)
	}
	return fmt.Sprintf("%x", b)
}

func clientInput(scene byte, frame uint32, words ...uint16) string {
	return "0e" + hostInput(scene, frame, words...)[2:]
}

// want holds fields of one frame against texts; "-" says that the field must be missing.
func want(t *testing.T, s *dissect.Session, n dissect.FrameNum, fields ...string) {
	t.Helper()
	tree := s.Tree(n)
	for i := 0; i < len(fields); i += 2 {
		got, ok := dissecttest.Find(tree, "touhou."+fields[i])
		if !ok {
			got = "-"
		}
		if got != fields[i+1] {
			t.Errorf("frame %d: %s is %q, want %q", n, fields[i], got, fields[i+1])
		}
	}
	if t.Failed() {
		t.Log(dissecttest.Dump(tree))
	}
}

func TestLockstep(t *testing.T) {
	k := newTalk(t)
	c0 := k.Say(1, client, host, clientInput(5, 0, 8))
	h1 := k.Say(10, host, client, hostInput(5, 1, 0x10, 8))
	c1 := k.Say(10, client, host, clientInput(5, 1, 4))
	h2 := k.Say(10, host, client, hostInput(5, 2, 0, 4, 0x10, 8))
	again := k.Say(10, host, client, hostInput(5, 2, 0, 4, 0x10, 8))
	lie := k.Say(10, host, client, hostInput(5, 2, 1, 4))
	late := k.Say(150, client, host, clientInput(5, 2, 0))
	echo := k.Say(10, host, client, hostInput(5, 3, 0, 0x20))
	gap := k.Say(10, client, host, clientInput(5, 6, 0))
	odd := k.Say(10, host, client, hostInput(5, 4, 0, 0, 1))
	s := k.Session()
	want(t, s, c0, "input.new", "1 frames", "input.step_in", fmt.Sprint(h1), "input.step", "-")
	want(t, s, h1, "input.step", fmt.Sprint(c0), "time", "0.010000000", "input.echo", "-")
	want(t, s, c1, "input.step", fmt.Sprint(h1))
	want(t, s, h2, "input.new", "1 frames", "repeat", "repeat", "input.conflict", "-")
	if got := dissecttest.All(s.Tree(h2), "touhou.repeat"); got != "repeat" {
		t.Errorf("%q is a repeat of two frames, of which one is new", got)
	}
	want(t, s, again, "input.new", "0 frames", "input.conflict", "-")
	if m := s.Tree(again).Messages[0]; m.RepeatOf != h2 || m.Tick != 2 {
		t.Errorf("repeat of %d at tick %d", m.RepeatOf, m.Tick)
	}
	want(t, s, lie, "input.conflict", "")
	want(t, s, late, "input.stall", "180 ms", "input.stalled", "")
	want(t, s, echo, "input.echo", "")
	want(t, s, gap, "input.missing", "3 frames", "input.gap", "")
	want(t, s, odd, "input.odd", "", "input.word", "0x0001")
	dissecttest.Redissections(t, s)
}

func TestSokuroll(t *testing.T) {
	k := newTalk(t)
	set := k.Say(1, host, client, "130402")
	again := k.Say(100, host, client, "130402")
	ack := k.Say(20, client, host, "14")
	time := k.Say(1, client, host, "10 01000000 11000000")
	back := k.Say(30, host, client, "11 01000000 11000000")
	three := k.Say(1, host, client, t8) // character select stays vanilla
	in := k.Say(1, host, client, hostInput(5, 9, 2, 2, 0x10, 0x20))
	delay := k.Say(1, host, client, hostInput(5, 10, 3, 3, 0x10))
	own := k.Say(1, client, host, clientInput(5, 9, 1, 2, 4))
	same := []dissect.FrameNum{k.Say(1, host, client, t15), k.Say(1, client, host, t15)}
	state := "12 3d000000 0000c843 00000000 00204844 000044c1"
	k.Say(1, host, client, state+"00000000")
	first := k.Say(1, client, host, "12 3d000000 0000c843 0000803f 00204844 000044c1 01000000")
	k.Say(1, client, host, "12 3e000000 0000c843 00000080 00204844 000044c1 02000000")
	next := k.Say(1, host, client, "12 3e000000 0000c843 00000000 00204844 000044c1 01000000")
	s := k.Session()
	want(t, s, set, "settings.try", "1", "answered_in", "-")
	want(t, s, again, "settings.try", "2", "settings.unanswered", "", "answered_in", fmt.Sprint(ack))
	want(t, s, ack, "request_in", fmt.Sprint(again), "time", "0.020000000")
	want(t, s, back, "request_in", fmt.Sprint(time), "time", "0.030000000")
	if m := s.Tree(back).Messages[0]; !m.HasID || m.ID != 1 {
		t.Errorf("message %+v", m)
	}
	want(t, s, three, "select.client", "· (0x0000)", "input.delay", "-")
	want(t, s, in, "input.delay", "2", "input.host", "A (0x0010)", "input.client", "-", "input.delay.differs", "-")
	want(t, s, delay, "input.delay.differs", "")
	if got := dissecttest.All(s.Tree(own), "touhou.input.client"); got != "↑ (0x0001),↓ (0x0002),← (0x0004)" {
		t.Errorf("the client's own inputs are %q", got)
	}
	want(t, s, same[1], "state.other", fmt.Sprint(same[0]), "state.differs", "-")
	want(t, s, same[0], "state.other_in", fmt.Sprint(same[1]))
	want(t, s, first, "state.differs", "host y, state word", "state.desync", "")
	want(t, s, next, "state.differs", "state word", "state.apart", "", "state.desync", "-")
	dissecttest.Redissections(t, s)
}

func TestConnecting(t *testing.T) {
	k := newTalk(t)
	hello := "01 0200 2a30 0a000001 0000000000000000 0200 2a30 0a000001 0000000000000000 00000000"
	h := k.Say(1, client, host, hello)
	k.Say(129, client, host, hello)
	h3 := k.Say(1, client, host, hello)
	o := k.Say(40, host, client, "03")
	ask := k.Say(129, client, host, t4)
	for range 3 {
		k.Say(129, client, host, t4)
	}
	last := k.Say(129, client, host, t4)
	ok := k.Say(15, host, client, "06 0000 0000 10000000 0000 0000")
	quit := k.Say(15, host, client, "0b")
	s := k.Session()
	want(t, s, h, "round", "1", "answered_in", fmt.Sprint(o))
	want(t, s, h3, "round", "2", "answered_in", "-")
	want(t, s, o, "request_in", fmt.Sprint(h), "time", "0.170000000", "hello.rivals", "2", "olleh.rivals", "")
	want(t, s, ask, "round", "1", "init.ignored", "-")
	want(t, s, last, "round", "5", "init.ignored", "", "answered_in", fmt.Sprint(ok))
	want(t, s, ok, "init.nonames", "", "depth", "1")
	if g := s.Games(); len(g) != 1 || !g[0].Over || g[0].Players[1].Name != "Reimu" {
		t.Errorf("games %+v", g)
	}
	if e := s.End(s.Tree(quit).Src, quit); e.Label() != "host" {
		t.Errorf("the one who leaves is %q", e.Label())
	}
}

// TestTree builds host, client and two spectators, and holds CHAIN values against them.
func TestTree(t *testing.T) {
	second := end{4, 50002}
	k := newTalk(t)
	k.Say(1, client, host, t4)
	k.Say(1, host, client, "06 0000 0000 10000000 0000 0000")
	k.Say(1, client, spectator, t5)
	deep := k.Say(1, spectator, second, t5)
	good := k.Say(3000, client, host, "04 07000000")
	below := k.Say(1, second, spectator, "04 04000000")
	more := k.Say(1, host, client, "04 0a000000")
	bad := k.Say(1, host, client, "04 04000000")
	gone := k.Say(1, spectator, second, "0b")
	late := k.Say(4000, client, host, "04 04000000")
	s := k.Session()
	want(t, s, deep, "depth", "3", "parent", "10.0.0.3:50001")
	want(t, s, good, "spectators", "2", "spectators.known", "2", "chain.disagrees", "-")
	want(t, s, below, "spectators.known", "1", "chain.disagrees", "-")
	want(t, s, more, "spectators", "3", "chain.disagrees", "-", "chain.unseen", "")
	want(t, s, bad, "spectators", "1", "chain.disagrees", "", "chain.unseen", "-")
	want(t, s, late, "chain.silence", "4004 ms", "chain.late", "")
	want(t, s, gone, "parent", "10.0.0.3:50001")
	if e := s.End(s.Tree(deep).Dst, gone); e.Role != "spectator 2" {
		t.Errorf("the second spectator is %q", e.Role)
	}
}

// replayHex is a GAME_REPLAY of count frames up to a game frame, with the inputs that in gives.
func replayHex(match byte, newest, count int, in func(frame int) (host, client uint16)) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(2*newest))
	b = append(b, 0, 0, 0, 0, match, byte(2*count))
	for f := newest; f > newest-count; f-- {
		h, c := in(f)
		b = binary.LittleEndian.AppendUint16(b, c)
		b = binary.LittleEndian.AppendUint16(b, h)
	}
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(b)
	w.Close()
	return fmt.Sprintf("0d09%02x%x", z.Len(), z.Bytes())
}

// TestReplayAgainstLive finds by itself that replays lag 47 frames behind live inputs, and then the one frame that
// lies.
func TestReplayAgainstLive(t *testing.T) {
	const shift = 47
	keys := func(frame int) (host, client uint16) {
		n := uint32(frame) * 2654435761
		return uint16(n >> 29), uint16(n >> 26 & 3)
	}
	k := newTalk(t)
	k.Say(1, host, client, "0d0105")
	for f := 1; f < 200; f++ {
		h, c := keys(f)
		k.Say(16, host, client, hostInput(5, uint32(f), h, c))
	}
	honest := func(f int) (uint16, uint16) { return keys(f + shift) }
	k.Say(1, client, spectator, replayHex(1, 30, 30, honest))
	good := k.Say(66, client, spectator, replayHex(1, 60, 30, honest))
	bad := k.Say(66, client, spectator, replayHex(1, 64, 4, func(f int) (uint16, uint16) {
		h, c := honest(f)
		if f == 63 {
			h ^= 0x80
		}
		return h, c
	}))
	s := k.Session()
	want(t, s, good, "replay.compared", "30 frames", "replay.live", fmt.Sprint(60+shift), "replay.differs", "-",
		"input.new", "30 frames")
	want(t, s, bad, "replay.compared", "4 frames", "replay.differs", "")
	want(t, s, good, "repeat", "-")
	dissecttest.Redissections(t, s)
}

// TestHostileState feeds frame ids and endpoints without end: state stays bounded, re-dissections equal the first.
func TestHostileState(t *testing.T) {
	k := newTalk(t)
	for i := range 3000 {
		a := end{byte(i), uint16(20000 + i)}
		k.Say(1, a, host, clientInput(5, uint32(i)*0x10001, uint16(i), 2, 3))
		k.Say(1, host, a, hostInput(5, 0xffffffff-uint32(i), 1, 2, 3, 4))
		if i%3 == 0 {
			k.Say(1, a, end{byte(i / 2), uint16(20000 + i/2)}, t5)
			k.Say(1, end{byte(i / 2), uint16(20000 + i/2)}, a, t5)
		}
	}
	dissecttest.Redissections(t, k.Session())
}

func TestInflateIsBounded(t *testing.T) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(make([]byte, 100_000))
	w.Close()
	if b, _ := inflate(z.Bytes()); len(b) > maxReplay+1 {
		t.Errorf("%d bytes came out", len(b))
	}
}

// TestReplayRequests checks that answers find their own request when several are under way, and that a count that
// promises more than there is marks the packet.
func TestReplayRequests(t *testing.T) {
	none := func(int) (uint16, uint16) { return 0, 0 }
	k := newTalk(t)
	k.Say(1, client, host, t1)
	k.Say(1, client, spectator, t5)
	know := k.Say(1, spectator, client, "0e0b ffffffff 00")
	match := k.Say(20, client, spectator, t10[:5]+" 10 03 01 01 0000 00 13 00 02 01 0000 00 1e 05 efbeadde 03")
	first := k.Say(1, spectator, client, "0e0b 00000000 03")
	second := k.Say(66, spectator, client, "0e0b 3c000000 03")
	a1 := k.Say(20, client, spectator, replayHex(3, 30, 30, none))
	a2 := k.Say(66, client, spectator, replayHex(3, 34, 4, none))
	lie := k.Say(1, host, client, "0d03 05000000 05 04 0100 0200")
	s := k.Session()
	want(t, s, know, "match_in", fmt.Sprint(match), "answered_in", "-", "replay.have", "nothing yet (4294967295)")
	want(t, s, match, "request_in", fmt.Sprint(know), "time", "0.020000000", "match.id", "3", "match.number", "3")
	want(t, s, first, "answered_in", fmt.Sprint(a1))
	want(t, s, second, "answered_in", fmt.Sprint(a2))
	want(t, s, a1, "request_in", fmt.Sprint(first), "time", "0.086000000", "input.new", "30 frames")
	want(t, s, a2, "request_in", fmt.Sprint(second), "input.new", "4 frames")
	want(t, s, lie, "length.bad", "", "input.host", "↑ (0x0001)")
	if _, ok := dissecttest.Find(s.Tree(lie), "_ws.malformed"); !ok {
		t.Error("half a packet is not marked")
	}
}

// TestLoadedAlone enters a scene when its LOADED is acknowledged, or its first input shows that it was; repeating the
// LOADED does not.
func TestLoadedAlone(t *testing.T) {
	phases := func(packets ...string) (out string) {
		k := newTalk(t)
		for _, p := range packets {
			from, to := host, client
			if p[1] == 'e' {
				from, to = to, from
			}
			k.Say(16, from, to, p)
		}
		for _, g := range k.Session().Games() {
			for _, p := range g.Phases {
				out += p.Name + ", "
			}
		}
		return out
	}
	const input, battle = "0e03 00000000 03 01 0000", "0e03 00000000 05 01 0000"
	for _, c := range []struct {
		want    string
		packets []string
	}{
		{"", []string{"0e0103", "0e0103", "0e0103"}},
		{"character select, ", []string{"0e0103", "0d0203", "0d0105", "0d0105"}},
		{"character select, match 1, ", []string{"0e0103", "0d0203", "0d0105", "0e0205"}},
		{"character select, match 1, ", []string{"0e0103", input, "0d0105", battle}},
		{"character select, match 1, ", []string{input, "0d0105", "0e0205", "0e0103"}},
	} {
		if got := phases(c.packets...); got != "connecting, "+c.want {
			t.Errorf("%v: %q, want %q", c.packets, got, c.want)
		}
	}
}

// TestCutState takes names, spectators and characters out of packets that the capture cut off.
func TestCutState(t *testing.T) {
	k := newTalk(t)
	say := func(from, to end, hex string, keep int) dissect.FrameNum {
		n := k.Say(1, from, to, hex)
		p := &k.Packets[n-1]
		p.Len = len(p.Data)
		p.Data = p.Data[:42+keep]
		return n
	}
	k.Say(1, client, host, t1)
	say(client, host, t4, 34)
	in := say(host, client, strings.Replace(t5, "11000000", "10000000", 1), 54)
	watched := say(client, spectator, t5, 54)
	told := say(host, client, t10, 54)
	s := k.Session()
	if e := s.End(s.Tree(in).Src, in); e.Name != "Hosty" || e.Role != "host" {
		t.Errorf("the host is %q", e.Label())
	}
	if e := s.End(s.Tree(watched).Dst, watched); e.Role != "spectator 1" {
		t.Errorf("the spectator is %q", e.Label())
	}
	if got := s.Tree(told).InfoLine(); !strings.Contains(got, "Cirno vs Suwako") {
		t.Errorf("the match is told as %q", got)
	}
	dissecttest.Redissections(t, s)
}
