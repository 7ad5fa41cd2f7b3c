package kaillera

import (
	"fmt"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestNames follows users and games by name through messages that have their numbers only.
func TestNames(t *testing.T) {
	k := newTalk(t)
	a, sa, b, sb := both(k, 1)
	in := a.say(1, data("01"))
	kick := a.say(1, "0f000700")
	gone := sa.say(1, "0b626f62 00 0700")
	goneB := sb.say(1, "0b626f62 00 0700")
	chat := b.say(1, "07006279 6500")
	echo := sb.say(1, "07626f62 00 62796500")
	join := b.say(1, "0c00 11000000 00 00000000 ffff 01")
	sb.say(1, "17736572766572 00 6e6f00")
	refused := sb.say(1, "0b626f62 00 0700")
	closed := sb.say(1, "1000 11000000")
	leave := a.say(1, "0b00ffff")
	left := sa.say(1, "0b616d79 00 0900")
	quit := a.say(1, "0100 ffff 62796500")
	bye := sa.say(1, "01616d79 00 0900 62796500")
	s := k.Session()
	want(t, s, in, "user.name", "amy", "game.name", "Chess")
	want(t, s, kick, "~user.name", "amy,bob", "answered_in", fmt.Sprint(gone))
	want(t, s, gone, "kicked", "", "request_in", fmt.Sprint(kick))
	want(t, s, goneB, "kicked", "")
	want(t, s, chat, "user.name", "bob", "answered_in", fmt.Sprint(echo), "game.name", "-")
	want(t, s, join, "answered_in", fmt.Sprint(refused), "game.name", "Chess")
	want(t, s, refused, "refused", "")
	want(t, s, closed, "game.name", "Chess")
	want(t, s, leave, "answered_in", fmt.Sprint(left))
	want(t, s, quit, "answered_in", fmt.Sprint(bye))
	games := s.Games()
	if len(games) != 1 || games[0].Title != "Chess" || !games[0].Over || len(games[0].Players) != 2 {
		t.Errorf("games %+v", games)
	}
	phases := ""
	for _, p := range games[0].Phases {
		phases += p.Name + " "
	}
	if phases != "lobby synchronizing playing " {
		t.Errorf("phases %s", phases)
	}
	if e := s.End(s.Tree(in).Src, in); e.Label() != "P1 amy" {
		t.Errorf("amy is %q", e.Label())
	}
	dissecttest.Redissections(t, s)
}

// TestStatus tells the two meanings of 1 and 2 apart: what a game has when it starts is synchronizing.
func TestStatus(t *testing.T) {
	for _, first := range []int{1, 2} {
		k := newTalk(t)
		c, s := k.session2(amy)
		status := func(v int) dissect.FrameNum { return s.say(1, fmt.Sprintf("0e00 11000000 %02x 01 04", v)) }
		c.say(1, login("amy", 1))
		c.say(1, "0a004368657373 00 00 ffffffff")
		s.say(1, "0a616d79004368657373 00 456d7500 11000000")
		waiting := status(0)
		early := status(first)
		s.say(1, "1100 0200 01 01")
		same := status(first)
		going := status(3 - first)
		s.say(1, "1500")
		over := status(0)
		ses := k.Session()
		want(t, ses, waiting, "game.phase", "Waiting")
		want(t, ses, early, "game.phase", "in progress")
		want(t, ses, same, "game.phase", "Synchronizing")
		want(t, ses, going, "game.phase", "Playing")
		want(t, ses, over, "game.phase", "Waiting")
	}
}

// TestStatusBehindStart is a server that announces synchronizing between START_GAME and READY only.
func TestStatusBehindStart(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.say(1, login("amy", 1))
	c.say(1, "0a004368657373 00 00 ffffffff")
	s.say(1, "0a616d79004368657373 00 456d7500 11000000")
	s.say(1, "1100 0200 01 01")
	between := s.say(1, "0e00 11000000 02 01 04")
	s.say(1, "1500")
	later := s.say(1, "0e00 11000000 01 01 04")
	ses := k.Session()
	want(t, ses, between, "game.phase", "Synchronizing")
	want(t, ses, later, "game.phase", "Playing")
}

// TestPings pairs each ACK of the server with the next new one of the client.
func TestPings(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	in := c.say(1, login("amy", 1))
	var asks, acks []dissect.FrameNum
	for range 4 {
		asks = append(asks, s.say(1, "0500 00000000 01000000 02000000 03000000"))
		acks = append(acks, c.say(30, "0600 00000000 01000000 02000000 03000000"))
	}
	extra := c.say(30, "0600 00000000 01000000 02000000 03000000")
	list := s.say(1, "0400 00000000 00000000")
	more := s.say(1, "0400 00000000 00000000")
	ses := k.Session()
	for i := range asks {
		want(t, ses, asks[i], "answered_in", fmt.Sprint(acks[i]))
		want(t, ses, acks[i], "request_in", fmt.Sprint(asks[i]), "time", "0.030000000")
	}
	want(t, ses, extra, "request_in", "-", "ack.unasked", "")
	want(t, ses, acks[3], "ack.unasked", "-")
	want(t, ses, in, "answered_in", fmt.Sprint(list))
	want(t, ses, more, "request_in", "-")
}

// TestCharsets reads names in the character sets that servers use, once there is a string that tells which.
func TestCharsets(t *testing.T) {
	for want1, hex := range map[string]string{
		"定員30名": "92e888f5333096bc", "スーパー": "83588181838083", "안녕하세요": "bec8b3e7c7cfbcbcbfe4",
		"大家好，我们": "b4f3bcd2bac3a3acced2c3c7",
		"Привет": "cff0e8e2e5f2", "José": "4a6f73e9", "plain": "706c61696e", "日本": "e697a5e69cac",
	} {
		if want1 == "スーパー" {
			hex, want1 = "8358815b8370815b", "スーパー"
		}
		k := newTalk(t)
		c, s := k.session2(amy)
		c.say(1, login("amy", 1))
		n := s.say(1, "1753657276657200"+hex+"00")
		want(t, k.Session(), n, "text", want1)
	}
}

// TestSessionPort follows HELLOD00D to the port that it names, whatever the client's port is, and links both.
func TestSessionPort(t *testing.T) {
	port := end{srv.Host, 40123}
	other := end{amy.Host, 50777}
	k := newTalk(t)
	h1 := k.Say(1, amy, srv, v1)
	h2 := k.Say(900, amy, srv, v1)
	named := k.Say(5, srv, amy, fmt.Sprintf("%x3430313233 00", "HELLOD00D"))
	alive := k.Say(1, end{9, 1234}, port, "01 05000200 0900")
	in := k.Say(1, other, port, login1)
	again := k.Say(1, end{amy.Host, 51000}, port, "01 05000300 130005")
	s := k.Session()
	want(t, s, h1, "connect.try", "1")
	want(t, s, h2, "connect.try", "2", "connect.unanswered", "The 1 before were not answered", "answered_in",
		fmt.Sprint(named))
	want(t, s, named, "request_in", fmt.Sprint(h2), "time", "0.005000000")
	want(t, s, in, "hello_in", fmt.Sprint(named), "from", "client")
	for _, n := range []dissect.FrameNum{alive, again} {
		if s.Tree(n).Protocol() != proto {
			t.Errorf("frame %d to the session port is not taken", n)
		}
	}
	if s.End(s.Tree(in).Dst, in).Role != "server" || s.End(s.Tree(in).Src, in).Name != "amy" {
		t.Error("the ends are not known")
	}
}

// TestSilence is a client that comes back after servers gave it up.
func TestSilence(t *testing.T) {
	k := newTalk(t)
	c, _ := k.session2(amy)
	c.say(1, login("amy", 1))
	fine := c.say(60_000, "0900")
	late := c.say(191_000, "0900")
	s := k.Session()
	want(t, s, fine, "silence", "-")
	want(t, s, late, "silence", "")
}

// TestChosenCharset has a person say the character set: what would be guessed otherwise does not count.
func TestChosenCharset(t *testing.T) {
	for page, name := range map[uint32]string{1251: "Привет", 1252: "Ïðèâåò", 0: "Привет", 437: "Привет"} {
		k := newTalk(t)
		c, s := k.session2(amy)
		c.say(1, login("amy", 1))
		n := s.say(1, "1753657276657200cff0e8e2e5f200")
		want(t, k.Session(dissect.DecodeAs{Table: charsetTable, Value: page, Protocol: "kaillera"}), n, "text", name)
	}
}

// TestCharsetOfEarlierRows tells the names of frames that passed before their character set was known in that.
func TestCharsetOfEarlierRows(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	first := c.say(1, login("\xcf\xf0", 1)) // as likely Hangul or Han
	later := s.say(1, "1753657276657200cff0e8e2e5f22c20eae0ea20e4e5ebe000")
	in := k.Session()
	want(t, in, first, "user.name", "Пр", "user.connection", "LAN (1)")
	want(t, in, later, "text", "Привет, как дела", "user.name", "Пр")
	dissecttest.Check(t, in, []dissecttest.Row{{Frame: first, Field: "info", Want: "USER_LOGIN Пр logs in with Emu, LAN"},
		{Frame: first, Field: "name.src", Want: "Пр"}})
	dissecttest.Redissections(t, in)
	if games := in.End(in.Tree(first).Src, first); games.Name != "Пр" {
		t.Errorf("the client is called %q", games.Name)
	}
}

// TestAnnouncedStart tells a refusal from what the server announces in front of START_GAME.
func TestAnnouncedStart(t *testing.T) {
	k := newTalk(t)
	a, sa, _, _ := both(k, 1)
	ask := a.say(1, "1100 ffff ff ff")
	notice := sa.say(1, "08 536572766572 00 676f00")
	start := sa.say(1, "1100 0100 01 02")
	again := a.say(1, "1100 ffff ff ff")
	no := sa.say(1, "08 536572766572 00 6e6f00")
	third := a.say(1, "1100 ffff ff ff")
	refused := sa.say(1, "08 4572726f72 00 6e6f00")
	s := k.Session()
	want(t, s, notice, "refused", "-", "request_in", "-")
	want(t, s, start, "request_in", fmt.Sprint(ask))
	want(t, s, again, "start.refused", "-")
	want(t, s, no, "refused", "-")
	want(t, s, third, "start.refused", "", "notice_in", fmt.Sprint(no))
	want(t, s, refused, "refused", "", "request_in", fmt.Sprint(third))
	dissecttest.Redissections(t, s)
}

// TestQuitBeforeKick says "kicked" of nobody who had left, or had asked to, before the owner's KICK.
func TestQuitBeforeKick(t *testing.T) {
	k := newTalk(t)
	a, sa, b, sb := both(k, 1)
	b.say(1, "0b00ffff")
	a.say(1, "0f000700")
	gone := sa.say(1, "0b626f62 00 0700")
	sb.say(1, "0b626f62 00 0700")
	late := a.say(1, "0f000700")
	sa.say(1, "0c00 11000000 626f6200 01000000 0700 01")
	again := sa.say(1, "0b626f62 00 0700")
	s := k.Session()
	want(t, s, gone, "kicked", "-")
	want(t, s, late, "answered_in", "-")
	want(t, s, again, "kicked", "-")
	dissecttest.Redissections(t, s)
}

// TestRenamed tells the names of an end and of a player again once the server's character set is known, also as far
// back as they go.
func TestRenamed(t *testing.T) {
	k := newTalk(t)
	c, sv := k.session2(amy)
	in := c.say(1, "03 e900 456d7500 01")
	for range 2 {
		sv.say(1, "1753657276657200cff0e8e2e5f200")
	}
	last := c.say(1, "0900")
	s := k.Session()
	if e := s.Tree(last).Src; s.End(e, in).Name != "й" || s.End(e, last).Name != "й" {
		t.Errorf("the client is %q, then %q", s.End(e, in).Name, s.End(e, last).Name)
	}
}

// TestPlayed tells how long a game was played, once, and of players who do not fit each other.
func TestPlayed(t *testing.T) {
	k := newTalk(t)
	a, sa, _, sb := both(k, 1)
	a.say(500, data("01"))
	end := sa.say(1500, "0e00 11000000 00 02 04")
	copied := sb.say(1, "0e00 11000000 00 02 04")
	sa.say(1, "02626f6200070001000000 03")
	again := a.say(1, "1100ffffffff")
	sa.say(1, "1100 0200 01 02")
	sa.say(1, "1500")
	closed := sa.say(250, "1000 11000000")
	s := k.Session()
	want(t, s, end, "played", "2.002000000")
	want(t, s, copied, "played", "-")
	want(t, s, closed, "played", "0.250000000")
	want(t, s, again, "connection.mixed", "")
	for n := dissect.FrameNum(1); n < again; n++ {
		want(t, s, n, "connection.mixed", "-", "ack.unasked", "-")
	}
	dissecttest.Redissections(t, s)
}
