package soaprun

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// game is what both sides say in a short game, in turn, the server first.
var game = []struct {
	from  int
	bytes string
}{
	{host, s1}, {client, s2}, {host, s2host}, {client, s3}, {host, s10void}, {client, s4ask}, {host, s4}, {client, s5},
	{host, "56 01 00 00 52 6f 6f 6d ff 02" + strings.Repeat("01", 336)}, {client, s6}, {host, s9}, {client, s7},
	{host, s9}, {client, s10}, {host, s10void},
}

const gameKinds = "WLCM Prtc Prtc Dlog Void mAtt mAtt Room Room myPo Flds ChCl Flds Bye. Void"

// TestAnySegments plays the game in segments of every size, on a port that nobody knows.
func TestAnySegments(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 5, 7, 8, 11, 30, 100, 1000} {
		k := newTalk(t, 40000)
		for _, m := range game {
			k.pieces(m.from, dissecttest.Unhex(t, m.bytes), size)
		}
		s := k.session()
		if got := kinds(s); got != gameKinds {
			t.Errorf("segments of %d bytes: %s", size, got)
		}
		dissecttest.Redissections(t, s)
		dissecttest.Owned(t, s)
		if size > 3 {
			dissecttest.Fields(t, s)
		}
	}
}

// TestDisorder shuffles, repeats and overlaps the segments within each message: the messages must be the same.
func TestDisorder(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, seed))
		k := newTalk(t, livePort)
		for _, m := range game {
			b, base := dissecttest.Unhex(t, m.bytes), k.next[m.from]
			type piece struct{ from, to int }
			var all []piece
			for at := 0; at < len(b); {
				n := min(1+r.IntN(20), len(b)-at)
				all = append(all, piece{max(0, at-r.IntN(4)), at + n}) // some overlap what is in front
				at += n
			}
			all = append(all, all[r.IntN(len(all))])
			if m.bytes != s1 { // the first segment tells what the stream is
				r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			}
			for _, p := range all {
				k.put(m.from, base+uint32(p.from), ack, b[p.from:p.to])
			}
			k.next[m.from] += uint32(len(b))
		}
		s := k.session()
		if got := kinds(s); got != gameKinds {
			t.Errorf("seed %d: %s", seed, got)
		}
		dissecttest.Redissections(t, s)
	}
}

// TestLoss loses segments: what is missing is said, and the game goes on.
func TestLoss(t *testing.T) {
	whole := slices.Concat(dissecttest.Unhex(t, s9), dissecttest.Unhex(t, s9), dissecttest.Unhex(t, s10void),
		dissecttest.Unhex(t, s9), dissecttest.Unhex(t, s9))
	for name, c := range map[string]struct {
		from, to int // bytes of the server's stream that are lost
		want     string
	}{
		"the middle of a message":       {20, 30, "Flds Void Flds Flds"},
		"a whole message":               {51, 102, "Flds Void Flds Flds"},
		"an end and a beginning":        {40, 60, "SKIPPED Void Flds Flds"},
		"the middle of a Length":        {53, 55, "Flds SKIPPED Void Flds Flds"},
		"several messages and a Length": {10, 112, "SKIPPED Flds"},
	} {
		k := newTalk(t, livePort)
		k.hex(host, s1)
		k.say(host, whole[:c.from])
		k.lose(host, c.to-c.from)
		k.say(client, dissecttest.Unhex(t, s7)) // acknowledges what the capture has not seen
		k.say(host, whole[c.to:])
		k.hex(client, s7)
		k.end(host)
		s := k.session()
		got := strings.ReplaceAll(strings.ReplaceAll(kinds(s), "WLCM ", ""), "ChCl ", "")
		if got = strings.TrimSuffix(got, " CLOSED"); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		lost := false
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			lost = lost || strings.Contains(marked(s, n), "_ws.lost")
		}
		if !lost {
			t.Errorf("%s: nothing says that bytes are missing", name)
		}
		dissecttest.Redissections(t, s)
		dissecttest.Owned(t, s)
	}
}

// TestMidStream begins in the middle of a message, on the game's port and on another.
func TestMidStream(t *testing.T) {
	room := dissecttest.Unhex(t, game[8].bytes)
	for _, port := range []uint16{livePort, 40000} {
		for _, cut := range []int{1, 3, 5, 9, 100, 345} {
			k := midTalk(t, port)
			n := k.say(host, slices.Concat(room[cut:], dissecttest.Unhex(t, s9), dissecttest.Unhex(t, s10void)))
			k.hex(client, s6)
			s := k.session()
			if got := kinds(s); got != "SKIPPED Flds Void myPo" {
				t.Errorf("port %d, from byte %d: %s", port, cut, got)
			}
			if got := marked(s, n); !strings.Contains(got, "sync.lost") {
				t.Errorf("port %d, from byte %d: notes %q", port, cut, got)
			}
			if got, want := len(value(s, n, "soaprun.skipped")) > 0, true; got != want {
				t.Errorf("port %d: the bytes in front are not shown", port)
			}
			dissecttest.Owned(t, s)
			dissecttest.Redissections(t, s)
		}
	}
}

// TestMidStreamApart begins in the middle of a connection to a server that sends Length and the rest apart.
func TestMidStreamApart(t *testing.T) {
	for _, port := range []uint16{livePort, 40000} {
		k := midTalk(t, port)
		k.say(host, dissecttest.Unhex(t, s9)[4:])
		for range 4 {
			k.hex(client, s7)
			k.pieces(host, dissecttest.Unhex(t, s9), 4, 1000)
		}
		s := k.session()
		if got := kinds(s); strings.Count(got, "Flds") < 3 || strings.Count(got, "ChCl") < 2 ||
			strings.Count(got, "SKIPPED") > 1 {
			t.Errorf("port %d: %s", port, got)
		}
		dissecttest.Redissections(t, s)
		dissecttest.Owned(t, s)
	}
}

// TestPairs links questions and answers, marks answers without a question, and goes on behind a lost answer.
func TestPairs(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	q1 := k.hex(client, s2)
	a1 := k.hex(host, s2host)
	q2 := k.hex(client, s4ask) // its answer is lost
	q3 := k.hex(client, s5)
	a3 := k.hex(host, game[8].bytes)
	stray := k.hex(host, s10void)
	s := k.session()
	for n, want := range map[dissect.FrameNum]string{q1: number(uint64(a1)), q2: "", q3: number(uint64(a3))} {
		if got := value(s, n, "soaprun.answered_in"); got != want {
			t.Errorf("frame %d is answered in %q, want %q", n, got, want)
		}
	}
	for n, want := range map[dissect.FrameNum]string{a1: number(uint64(q1)), a3: number(uint64(q3)), stray: ""} {
		if got := value(s, n, "soaprun.request_in"); got != want {
			t.Errorf("frame %d answers %q, want %q", n, got, want)
		}
	}
	if got := value(s, a1, "soaprun.time"); got != "0.001000000" {
		t.Errorf("the answer took %s", got)
	}
	for n, want := range map[dissect.FrameNum]string{q3: "eager", a3: "answer.other", stray: "unasked", a1: "", q1: ""} {
		if got := marked(s, n); got != want {
			t.Errorf("frame %d: notes %q, want %q", n, got, want)
		}
	}
	if x, y := value(s, a3, "soaprun.room.asked.x"), value(s, a3, "soaprun.room.asked.y"); x != "-1" || y != "2" {
		t.Errorf("the room asked for is (%s, %s)", x, y)
	}
}

// TestHangUp ends connections: with a question open, without, and in the middle of a message.
func TestHangUp(t *testing.T) {
	for _, flags := range []byte{fin | ack, rst} {
		k := newTalk(t, livePort)
		k.hex(host, s1)
		q := k.hex(client, s6)
		n := k.put(host, k.next[host], flags, nil)
		s := k.session()
		if got := s.Tree(n).InfoLine(); got != "CLOSED the server hangs up without an answer to myPo" {
			t.Errorf("info %q", got)
		}
		if value(s, n, "soaprun.open_in") != number(uint64(q)) || value(s, q, "soaprun.closed_in") != number(uint64(n)) {
			t.Errorf("open in %q, closed in %q", value(s, n, "soaprun.open_in"), value(s, q, "soaprun.closed_in"))
		}
		if got := marked(s, n); !strings.Contains(got, "closed") {
			t.Errorf("notes %q", got)
		}
		dissecttest.Redissections(t, s)
		dissecttest.Fields(t, s)
	}
	k := newTalk(t, livePort)
	k.hex(host, s1)
	k.hex(client, s10)
	k.hex(host, s10void)
	fine := k.end(host)
	k = &talk{t: t, port: livePort, next: k.next, packets: k.packets}
	s := k.session()
	if s.Tree(fine).Protocol() == proto {
		t.Errorf("an orderly end is %s", s.Tree(fine).InfoLine())
	}
	k.packets[len(k.packets)-1].Gap = 61e9
	if s = k.session(); s.Tree(fine).InfoLine() != "CLOSED the server hangs up, 61 s after the last request" ||
		marked(s, fine) != "closed.idle" {
		t.Errorf("a minute later it is %q with the notes %q", s.Tree(fine).InfoLine(), marked(s, fine))
	}
	dissecttest.Redissections(t, s)
	k = newTalk(t, livePort)
	k.hex(host, s1)
	k.hex(client, s6)
	k.say(host, dissecttest.Unhex(t, s9)[:20])
	torn := k.end(host)
	s = k.session()
	if got := marked(s, torn); got != "broken _ws.malformed" {
		t.Errorf("a message that breaks off has the notes %q", got)
	}
	dissecttest.Owned(t, s)
	dissecttest.Redissections(t, s)
}

// TestNonsense sends what no server sends behind a greeting: it must end, and nothing may be lost.
func TestNonsense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	k := newTalk(t, livePort)
	k.hex(host, s1)
	size := 0
	for range 60 {
		b := make([]byte, 1400)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		size += len(b)
		k.say(host, b)
	}
	k.end(host)
	s := k.session()
	shown := 0
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		tree := s.Tree(n)
		for i := range tree.Nodes {
			if tree.Field(i) == fSkipped {
				shown += int(tree.Nodes[i].Len)
			}
		}
	}
	if shown != size {
		t.Errorf("%d of %d bytes are shown", shown, size)
	}
}

// TestClaimsToBeLong has Lengths that nobody sends.
func TestClaimsToBeLong(t *testing.T) {
	for _, text := range []string{"ff ff ff ff 52 6f 6f 6d", "00 00 01 00 46 6c 64 73 01 02 03 ff ff ff 00",
		"00 00 00 00 00 00 00 00", "04 00 00 00 ff ff ff ff"} {
		k := newTalk(t, livePort)
		k.hex(host, s1)
		k.say(host, bytes.Repeat(dissecttest.Unhex(t, text), 3))
		k.hex(host, s10void)
		k.hex(host, s10void)
		k.end(host)
		s := k.session()
		if got := kinds(s); !strings.Contains(got, "SKIPPED Void Void") {
			t.Errorf("%s: %s", text, got)
		}
		dissecttest.Owned(t, s)
	}
}

// TestPairsBehindLoss loses answers: what comes behind them answers the newest question, a room that which asks for it.
func TestPairsBehindLoss(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	k.hex(client, s6)
	k.lose(host, len(dissecttest.Unhex(t, s9)))
	k.hex(client, s5)
	k.lose(host, 346)
	ask := k.hex(client, s7)
	first := k.hex(host, s9)
	room := k.hex(client, "06 00 00 00 52 6f 6f 6d 01 01")
	k.hex(client, s5)
	shown := k.say(host, roomBytes(1, 1, 0, nil))
	k.end(host)
	s := k.session()
	for answer, question := range map[dissect.FrameNum]dissect.FrameNum{first: ask, shown: room} {
		if got, want := dissecttest.All(s.Tree(answer), "soaprun.request_in"), fmt.Sprint(question); got != want {
			t.Errorf("frame %d answers %s, want %s", answer, got, want)
		}
	}
}
