package aoe2

import (
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

// TestDrop finds who was silent when the others go on.
func TestDrop(t *testing.T) {
	k := newTalk(t)
	k.Say(1, third, host, chatHex(idC, 3, 1, 1, "c"))
	k.Say(700, second, host, turnHex(idB, 40, 40))
	drop := k.Say(1, host, second, longHex(idA, 0x51, 50, u32(38)))
	back := k.Say(1, third, host, turnHex(idC, 41, 41))
	s := k.Session()
	want(t, s, drop, "continue.turn", "38", "continue.dropped", "P3", "continue.dropped.id", "0x00012348",
		"continue.silence", "0.701000000", "continue.drop", "")
	want(t, s, back, "source.gone", "")
	if got := s.Tree(drop).
		InfoLine(); got != "CONTINUE_AFTER_DROP go on without P3 from turn 38, silent for 0.701000000 s" {
		t.Errorf("info is %q", got)
	}
}

// TestDropOfTheOdd takes the one out of sync for the one who is dropped, if nobody was silent.
func TestDropOfTheOdd(t *testing.T) {
	k := newTalk(t)
	k.Say(1, third, host, turnHex(idC, 40, 38))
	k.Say(1, second, host, turnHex(idB, 40, 40))
	drop := k.Say(1, host, second, longHex(idA, 0x51, 50, u32(38)))
	s := k.Session()
	want(t, s, drop, "continue.dropped.id", "0x00012348", "continue.dropped", "-", "continue.silence", "-")
}

// TestGameTime counts from the first turn on, without pauses, and knows the host by a byte in the middle of a game.
func TestGameTime(t *testing.T) {
	k := newTalk(t)
	k.Say(1, host, second, strings.Replace(turnHex(idA, 100, 100), "47f7", "4cf7", 1))
	one := k.Say(500, second, host, actHex(idB, 102, "72 000000 a1a20000"))
	k.Say(4500, second, host, clockHex(idB, idA, 0x31, 9000))
	k.Say(500, host, second, turnHex(idA, 101, 101))
	two := k.Say(250, host, second, actHex(idA, 103, "72 000000 a1a20000"))
	s := k.Session()
	want(t, s, one, "game.time", "0.500000000")
	want(t, s, two, "game.time", "0.250000000", "host", "yes", "delay", "2 turns")
}

// TestLobby follows a lobby: the host, who is ready, who sits where, what changes.
func TestLobby(t *testing.T) {
	settings := strings.Join(strings.Fields(a15), "")
	k := newTalk(t)
	connect := k.Say(1, second, host, a6)
	k.Say(1, host, second, a9)
	first := k.Say(1, host, second, settings)
	copied := k.Say(1, host, third, settings)
	ready := k.Say(1, second, host, a7)
	not := k.Say(1, second, host, u32(idB)+"00000000 52000000 01000000 00000000 00000000")
	joined := strings.Replace(settings, u32(idB)+"00000000", u32(idB)+u32(idC), 1)
	joined = joined[:2*131] + "1d" + joined[2*132:]
	change := k.Say(1, host, second, joined)
	c := k.Say(1, third, host, turnHex(idC, 1, 1))
	two := k.Say(1, second, host, strings.Replace(a9, "44 23", "46 23", 1))
	foreign := k.Say(1, third, host, strings.Replace(settings, u32(idA), u32(idC), 1))
	oddReady := k.Say(1, second, host, strings.Replace(a7, "52 01 1e", "52 01 1f", 1))
	oddConnect := k.Say(1, second, host, strings.Replace(a6, "87 3a", "88 3a", 1))
	custom := k.Say(1, host, second, settings[:2*179]+"05"+"010203040506"+"4d79204d61"+"0000")
	s := k.Session()
	want(t, s, connect, "host", "-", "joined", "-")
	want(t, s, first, "settings.count", "2", "host", "yes", "joined", "1", "settings.before", "-")
	want(t, s, copied, "copy_of", num(first), "player", "P1", "slot", "1", "civilisation", "Celts", "settings.changed",
		"-")
	want(t, s, ready, "ready", "yes", "ready.count", "1", "joined", "2", "slot", "2", "civilisation", "random", "player",
		"P2")
	want(t, s, not, "ready", "no", "ready.count", "0", "player", "P2", "unusual", "-")
	want(t, s, change, "settings.changed", "players, map", "settings.before", num(first), "settings.change", "",
		"settings.joined", "", "settings.came", "0x00012348", "settings.left", "-", "settings.count", "3")
	want(t, s, c, "joined", "3", "slot", "3", "player", "-")
	want(t, s, two, "lobby.hosts", "")
	want(t, s, foreign, "lobby.hosts", "", "settings.foreign", "")
	want(t, s, oddReady, "unusual", "Option 2 is 0x1f; the notes report 0x1e from one who is ready")
	want(t, s, oddConnect, "unusual", "Connecting 1 is 0x00503a88; the notes report 0x00503a87 from players")
	want(t, s, custom, "settings.left", "0x00012348", "settings.came", "-", "settings.map.length", "5 bytes",
		"settings.map.format", "010203040506", "settings.map.name", "My Ma", "trailing", "0000")
	if got := s.End(s.Tree(first).Src, first); got.Label() != "P1, host Celts" {
		t.Errorf("the host is %q", got.Label())
	}
	if got := s.Tree(not).InfoLine(); got != "READY P2 is not ready any more" {
		t.Errorf("info is %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestPhases tells the story of a game in its phases.
func TestPhases(t *testing.T) {
	k := newTalk(t)
	k.Say(1, host, second, a9)
	k.Say(1, third, host, chatHex(idC, 3, 1, 1, "c"))
	k.Say(1, host, second, turnHex(idA, 1, 1))
	k.Say(1, third, host, turnHex(idC, 3, 1))
	k.Say(1, third, host, turnHex(idC, 4, 1))
	k.Say(900, host, second, longHex(idA, 0x51, 9, u32(4)))
	k.Say(1, host, second, turnHex(idA, 200, 200))
	k.Say(1, host, second, turnHex(idA, 1, 1))
	s := k.Session()
	var phases []string
	for _, p := range s.Games()[0].Phases {
		phases = append(phases, p.Name)
	}
	if got := strings.Join(phases,
		"; "); got != "lobby; game; P3 out of sync since turn 1; P3 dropped, on from turn 4; another game" {
		t.Errorf("phases are %q", got)
	}
}

// TestRepeatsAreNoNews tells of a player who leaves once, however often the packet was captured, and to however many
// players it was sent.
func TestRepeatsAreNoNews(t *testing.T) {
	k := newTalk(t)
	first := k.Say(1, second, host, a12)
	again := k.Say(1, second, host, a12)
	copied := k.Say(1, second, third, a12)
	s := k.Session()
	want(t, s, first, "left", "")
	want(t, s, again, "left", "-")
	want(t, s, copied, "left", "-")
}
