package kaillera

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestFrames counts frames of both directions, works out the width and splits combined data frame by frame, as the
// worked examples of sections 7 and 12 and of the original document have it.
func TestFrames(t *testing.T) {
	k := newTalk(t)
	a, sa, b, sb := both(k, 2)
	a1 := a.say(1, data("a1a2a3a4"))
	b1 := b.say(1, data("b1b2b3b4"))
	s1 := sa.say(1, data("a1a2b1b2a3a4b3b4"))
	sb.say(1, data("a1a2b1b2a3a4b3b4"))
	a2 := a.say(1, data("a5a6a7a8"))
	bad := a.say(1, data("a5a6a7"))
	odd := sa.say(1, data("a1a2b1b2a3a4"))
	s := k.Session()
	want(t, s, a1, "frame", "2", "frame.client", "2", "frame.server", "0", "data.width", "2 bytes", "~input", "a1a2,a3a4",
		"~inputs.frame", "1,2", "player", "1", "data.size", "-")
	want(t, s, b1, "player", "2", "~input.player", "2,2")
	want(t, s, s1, "frame", "2", "frame.server", "2", "frame.client", "2", "~input", "a1a2,b1b2,a3a4,b3b4",
		"~input.player", "1,2,1,2")
	want(t, s, a2, "frame", "4", "frame.client", "4", "frame.server", "2", "rate", "2", "rate.usual", "30 /s")
	want(t, s, bad, "data.size", "", "input", "-")
	want(t, s, odd, "data.size", "", "input", "-")
	if m := s.Tree(a2).Messages[0]; !m.HasTick || m.Tick != 4 {
		t.Errorf("message %+v", m)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
}

// TestWidthFromServer sees the server's data first.
func TestWidthFromServer(t *testing.T) {
	k := newTalk(t)
	_, sa, _, _ := both(k, 1)
	n := sa.say(1, data("a1a2b1b2"))
	s := k.Session()
	want(t, s, n, "data.width", "2 bytes", "~input", "a1a2,b1b2")
}

// TestThreePlayers is the third example of the original document: three players, two frames.
func TestThreePlayers(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.say(1, login("amy", 2))
	s.say(1, "1100 0200 02 03")
	s.say(1, "1500")
	c.say(1, data("b1b2b3b4"))
	n := s.say(1, data("a1a2b1b2c1c2a3a4b3b4c3c4"))
	ses := k.Session()
	want(t, ses, n, "~input", "a1a2,b1b2,c1c2,a3a4,b3b4,c3c4", "~input.player", "1,2,3,1,2,3", "~inputs.frame", "1,2")
	if got := find(ses.Tree(n), "kaillera.input", 1); got != "Input: b1b2 (P2 amy)" {
		t.Errorf("the second input is %q", got)
	}
}

// TestController reads the buttons of a Project64k input.
func TestController(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.say(1, login("amy", 1))
	s.say(1, "1500")
	pressed := c.say(1, data("1020"+strings.Repeat("00", 10)+"9129f680"+strings.Repeat("00", 8)))
	raw := c.say(1, data("1121"+strings.Repeat("7f", 22)))
	other := c.say(1, data("0020"+strings.Repeat("7f", 22)))
	ses := k.Session()
	want(t, ses, pressed, "n64.form", "controllers (0x20)", "n64.buttons", "A Start → L C↑ C→ (0x9129)", "n64.x", "-10",
		"n64.y", "-128", "data.width", "24 bytes")
	if line := ses.Tree(pressed).InfoLine(); line != "GAME_DATA amy f 1 A Start → L C↑ C→ (-10, -128)" {
		t.Errorf("info %q", line)
	}
	want(t, ses, raw, "n64.form", "raw (0x21)", "n64.buttons", "-")
	want(t, ses, other, "n64.form", "-")
}

// TestStall lets bob pause: while it lasts amy's repeats name him, and what ends it says how long he was missing.
func TestStall(t *testing.T) {
	k := newTalk(t)
	a, sa, b, sb := both(k, 1)
	round := func(gap int64) (fa, fb, fs dissect.FrameNum) {
		fa = a.say(gap, data("01"))
		fb = b.say(1, data("02"))
		fs = sa.say(1, data("0102"))
		sb.say(1, data("0102"))
		return fa, fb, fs
	}
	round(10)
	_, _, fine := round(10)
	a.say(10, data("01"))
	waiting := a.again(600, 3)
	late := b.say(100, data("02"))
	over := sa.say(2, data("0102"))
	overB := sb.say(1, data("0102"))
	_, _, after := round(10)
	a.say(10, data("01"))
	b.say(1, data("02"))
	slow := sa.say(500, data("0102"))
	s := k.Session()
	want(t, s, fine, "stall", "-")
	want(t, s, waiting, "stall", "611 ms", "waiting", "The server sent no new data for 611 ms, waiting for P2 bob",
		"wait.missing", "P2 bob", "~wait.frame", "3,2", "~wait.ago", "600 ms,612 ms")
	want(t, s, late, "input.late", "710 ms", "input.awaited", "")
	want(t, s, over, "stall", "713 ms", "stalled",
		"The server sent no new data for 713 ms, waiting for P2 bob, whose input came 710 ms after the server's last data",
		"wait.late", "710 ms", "~wait.frame", "3,3")
	want(t, s, overB, "stall", "713 ms", "wait.missing", "P2 bob")
	want(t, s, after, "stall", "-")
	want(t, s, slow, "stall", "512 ms", "wait.missing", "-", "stalled", "The server sent no new data for 512 ms; "+
		"nobody's input was missing: the server or the way to the client is at fault")
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestStallOfOne sees one client only: who else was missing cannot be told.
func TestStallOfOne(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.say(1, login("amy", 1))
	s.say(1, "1100 0200 01 02")
	s.say(1, "1500")
	c.say(10, data("01"))
	s.say(10, data("0102"))
	c.say(10, data("01"))
	n := s.say(400, data("0102"))
	ses := k.Session()
	want(t, ses, n, "stall", "410 ms", "stalled",
		"The server sent no new data for 410 ms, waiting for the server or for players not captured: P2")
}

// TestDropEndsStall lets the server go on without bob.
func TestDropEndsStall(t *testing.T) {
	k := newTalk(t)
	a, sa, b, sb := both(k, 1)
	a.say(10, data("01"))
	b.say(1, data("02"))
	sa.say(1, data("0102"))
	sb.say(1, data("0102"))
	a.say(10, data("01"))
	drop := b.say(300, "140000")
	told := sa.say(1, "14626f62 00 02")
	answer := sb.say(1, "14626f62 00 02")
	on := sa.say(1, data("0100"))
	s := k.Session()
	want(t, s, drop, "answered_in", fmt.Sprint(answer))
	want(t, s, told, "dropped", "", "player", "2")
	want(t, s, on, "stall", "314 ms", "wait.missing", "P2 bob", "wait.late", "310 ms")
}

// TestInputLag finds the client's own inputs in what the server sends back, two messages of zeros late, and how long
// they took; also where both sides send from their caches.
func TestInputLag(t *testing.T) {
	k := newTalk(t)
	a, sa, _, _ := both(k, 1)
	press := func(i int) string { return fmt.Sprintf("%02x", 1+i*7%5) }
	var sent []dissect.FrameNum
	positions := map[string]int{}
	put := func(x *side, key, body string) dissect.FrameNum {
		if at, ok := positions[key]; ok {
			return x.say(5, position(at))
		}
		n := 0
		for other := range positions {
			if other[:1] == key[:1] {
				n++
			}
		}
		positions[key] = n
		return x.say(5, data(body))
	}
	var last dissect.FrameNum
	for i := range 30 {
		sent = append(sent, put(a, "c"+press(i), press(i)))
		if i < 2 {
			put(sa, "s0000", "0000")
			continue
		}
		last = put(sa, "s"+press(i-2)+"09", press(i-2)+"09")
	}
	early := sa.say(5, data("7709"))
	s := k.Session()
	want(t, s, last, "input.sent_in", fmt.Sprint(sent[27]), "input.lag", "0.025000000", "frame.ahead", "0 frames")
	want(t, s, sent[27], "input.back_in", fmt.Sprint(last))
	want(t, s, early, "input.sent_in", "-")
	dissecttest.Redissections(t, s)
}

// TestRepeatedPositions resolves repeats of a cache position by what it stood for when it was new.
func TestRepeatedPositions(t *testing.T) {
	k := newTalk(t)
	a, sa, _, _ := both(k, 1)
	_ = sa
	first := a.say(5, data("11"))
	a.say(5, position(0))
	n := a.say(5, "0900")
	s := k.Session()
	want(t, s, n, "~cache.entry_in", fmt.Sprint(first), "~data", "11,11", "~frame", "-")
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestLateRoles begins in the middle of a game: who talks with several is the server.
func TestLateRoles(t *testing.T) {
	k := newTalk(t)
	odd := end{77, 40000} // no control port
	a := &side{k: k, from: amy, to: odd, depth: 2}
	sb := &side{k: k, from: odd, to: bob, depth: 2}
	a.msg(data("01"))
	first := a.say(1, data("01"))
	sb.msg(data("0101"))
	down := sb.say(1, data("0101"))
	up := a.say(1, data("01"))
	sure := a.say(1, "0900")
	s := k.Session()
	want(t, s, first, "from", "-", "data.unsplit", "nothing tells yet which end is the server")
	want(t, s, down, "from", "server")
	want(t, s, up, "from", "client")
	want(t, s, sure, "from", "client")
	dissecttest.Redissections(t, s)
}

// TestConnectionFromSize works out the connection type of a client whose login was not captured from another player's.
func TestConnectionFromSize(t *testing.T) {
	k := newTalk(t)
	a, sa := k.session2(amy)
	b, sb := k.session2(bob)
	a.say(1, login("amy", 1))
	sa.say(1, "1100 0200 01 02")
	sb.say(1, "1100 0200 02 02")
	sa.say(1, "1500")
	sb.say(1, "1500")
	a.say(1, data("a1a2"))
	n := b.say(1, data("b1b2b3b4b5b6"))
	down := sb.say(1, data("a1a2b1b2a3a4b3b4a5a6b5b6"))
	s := k.Session()
	want(t, s, n, "~input", "b1b2,b3b4,b5b6", "frame", "3", "data.unsplit", "-")
	want(t, s, down, "~input", "a1a2,b1b2,a3a4,b3b4,a5a6,b5b6", "frame", "3")
	if games := s.Games(); len(games) != 1 || len(games[0].Players) != 2 {
		t.Errorf("games %+v", games)
	}
}
