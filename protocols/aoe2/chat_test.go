package aoe2

import (
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

// TestForgedChat tells chats apart that cannot be what they say: another address, another length, another player.
func TestForgedChat(t *testing.T) {
	k := newTalk(t)
	lobby := k.Say(1, second, host, chatHex(idB, 2, 5, 80, strings.Repeat("a", 80)))
	k.Say(1, second, host, turnHex(idB, 10, 10))
	k.Say(1, host, second, chatHex(idA, 1, 12, 2, "hi"))
	good := k.Say(1, second, host, chatHex(idB, 2, 12, 2, "yo"))
	copied := k.Say(1, second, third, chatHex(idB, 2, 12, 2, "yo"))
	again := k.Say(1, second, host, chatHex(idB, 2, 12, 2, "yo"))
	past := k.Say(1, second, host, chatHex(idB, 2, 7, 2, "ok"))
	long := k.Say(1, second, host, chatHex(idB, 2, 12, 70, strings.Repeat("a", 70)))
	forged := k.Say(1, stranger, host, chatHex(idB, 2, 12, 3, strings.Repeat("a", 110)))
	liar := k.Say(1, second, host, chatHex(idB, 1, 12, 2, "me"))
	open := k.Say(1, second, host, longHex(idB, 0x43, 12, "0200 5959595959595959 32 00 02 00000000 6162"))
	none := k.Say(1, second, host, longHex(idB, 0x43, 12, "0200 4e4e4e4e4e4e4e4e 32 00 02 00000000 616200 00000000"))
	odd := k.Say(1, second, host, longHex(idB, 0x43, 12, "0255 5a59595959595959 33 00 02 00000000 616200 00000000"))
	s := k.Session()
	want(t, s, lobby, "chat.long", "-", "delay", "-")
	want(t, s, good, "delay", "2 turns", "copy_of", "-", "source.elsewhere", "-", "chat.to", "all", "chat.size", "2 bytes")
	want(t, s, copied, "copy_of", num(good), "repeat", "-")
	want(t, s, again, "repeat", num(good))
	want(t, s, past, "delay", "-3 turns", "delay.past", "")
	want(t, s, long, "chat.long", "70 characters; no more than 65 can be written in the game", "chat.length.bad", "-")
	want(t, s, forged, "source.elsewhere", "", "chat.length.bad",
		"The message length says 3, the text has 110; the game shows it in full", "chat.long",
		"110 characters; no more than 65 can be written in the game")
	want(t, s, liar, "chat.writer.bad", "")
	want(t, s, open, "chat.unended", "", "chat.text", "ab")
	want(t, s, none, "chat.nobody", "", "chat.to", "nobody")
	want(t, s, odd, "chat.form", "", "unusual", "Sent with is 0x55; the notes report 0x00 and 0xd9")
	for e, role := range s.Ends() {
		if e.String() == "10.0.0.2:2350" && role.Role != "P2" {
			t.Errorf("after the forged chat the second player is %q", role.Role)
		}
	}
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
}

// TestSameObjects resolves orders for the objects of the order before, also when other players order in between, and
// leaves open what was selected before the capture.
func TestSameObjects(t *testing.T) {
	move := func(player string, objects string) string {
		return "03 " + player + " 0000 ffffffff " + objects
	}
	k := newTalk(t)
	before := k.Say(1, host, second, actHex(idA, 10, move("01", "ff000000 00002041 00004842")))
	two := k.Say(1, host, second, actHex(idA, 11, move("01", "02000000 00002041 00004842 b1000000 b2000000")))
	k.Say(1, host, third, actHex(idA, 11, move("01", "02000000 00002041 00004842 b1000000 b2000000")))
	k.Say(1, second, host, actHex(idB, 11, move("02", "01000000 00002041 00004842 c1000000")))
	same := k.Say(1, host, second, actHex(idA, 12, "00 01 0000 a1a20000 ff 000000 00002041 00004842"))
	same2 := k.Say(1, second, host, actHex(idB, 12, "10 02 ff 0a 0b"))
	past := k.Say(1, second, host, turnHex(idB, 20, 20))
	late := k.Say(1, second, host, actHex(idB, 18, "72 000000 a1a20000"))
	s := k.Session()
	want(t, s, before, "unit.same_in", "-", "unit.same", "-")
	want(t, s, two, "actions", "2", "actions.pace", "2 /min", "copy_of", "-")
	want(t, s, two+1, "copy_of", num(two), "actions", "2")
	want(t, s, same, "unit.same_in", num(two))
	want(t, s, same2, "unit.same", "0x000000c1", "player", "P2")
	want(t, s, late, "delay", "-2 turns", "delay.past", "", "player", "P2")
	if got := dissecttest.All(s.Tree(same), "aoe2.unit.same"); got != "0x000000b1,0x000000b2" {
		t.Errorf("the same objects are %s", got)
	}
	if got := s.Tree(same).Info(); got != "P1 sends the same 2 units to object 0xa2a1 at (10, 50)" {
		t.Errorf("info is %q", got)
	}
	_ = past
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestEndOfGame ends the game when one player is left, and names ages and leavings as phases.
func TestEndOfGame(t *testing.T) {
	k := newTalk(t)
	k.Say(1, host, second, chatHex(idA, 1, 1, 1, "a"))
	k.Say(1, second, host, chatHex(idB, 2, 1, 1, "b"))
	k.Say(1, host, second, turnHex(idA, 2, 2))
	k.Say(1, second, host, turnHex(idB, 2, 2))
	k.Say(1, second, host, actHex(idB, 1, "0b 02 02 00")) // too late: the game drops it
	left := k.Say(1, second, host, actHex(idB, 4, "0b 02 02 00"))
	k.Say(1, second, host, actHex(idB, 4, "0b 02 02 00"))
	s := k.Session()
	want(t, s, left, "left", "", "resign.how", "resigned (0)")
	want(t, s, left-1, "delay.past", "")
	games := s.Games()
	if games[0].Phases[1].Since != left {
		t.Errorf("P2 left in packet %d", games[0].Phases[1].Since)
	}
	if len(games) != 1 || !games[0].Over {
		t.Fatalf("games %+v", games)
	}
	var phases []string
	for _, p := range games[0].Phases {
		phases = append(phases, p.Name)
	}
	if got := strings.Join(phases, "; "); got != "game; P2 left; game" {
		t.Errorf("phases are %q", got)
	}
}

// TestOtherPort follows a player whose router gives out another port.
func TestOtherPort(t *testing.T) {
	k := newTalk(t)
	k.Say(1, second, host, chatHex(idB, 2, 12, 2, "yo"))
	n := k.Say(1, spot{2, 40000}, host, turnHex(idB, 10, 10))
	s := k.Session()
	want(t, s, n, "source.elsewhere", "-", "player", "P2")
	if got := s.End(s.Tree(n).Src, n).Role; got != "P2" {
		t.Errorf("the player's other port is %q", got)
	}
	if g := s.Games(); len(g) != 1 || g[0].Last != n {
		t.Errorf("games %+v", g)
	}
}

// TestTwoGames keeps games apart whose players are others, and follows players into their next game.
func TestTwoGames(t *testing.T) {
	k := newTalk(t)
	k.Say(1, host, second, turnHex(idA, 10, 10))
	k.Say(1, spot{4, 2350}, spot{5, 2350}, turnHex(0x77000010, 500, 500))
	k.Say(1, second, host, turnHex(idB, 10, 10))
	k.Say(1, host, second, turnHex(0x55000010, 1, 1))
	k.Say(1, second, host, turnHex(0x55000012, 1, 1))
	s := k.Session()
	if n := len(s.Games()); n != 3 {
		t.Errorf("%d games", n)
	}
	want(t, s, 3, "turn_sync.behind", "-")
	want(t, s, 5, "turn_sync.behind", "-", "source.elsewhere", "-")
}
