package aoe2

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestUnusual changes one value of a packet that is as the notes report it: that is a note, and no other one.
func TestUnusual(t *testing.T) {
	swap := func(s, from, to string) string {
		if !strings.Contains(s, from) {
			t.Fatalf("%q has no %q", s, from)
		}
		return strings.Replace(s, from, to, 1)
	}
	unready := "46230100 00000000 52 000000 01 00 00 00 00000000 00000000"
	for _, c := range []struct{ name, usual, odd, says string }{
		{"counter to everybody", a1, swap(a1, "44 23 01 00 41", "00 00 00 00 41"),
			"Network destination id is everybody (0x00000000); the notes report one receiver"},
		{"turn to one", a4, swap(a4, "00 00 00 00 44", "46 23 01 00 44"),
			"Network destination id is 0x00012346; the notes report everybody"},
		{"option 2", a4, swap(a4, "44 02 00", "44 02 7c"),
			"Option 2 is 0x7c; the notes report 0x00, 0x7b, 0x8b, 0x8f and 0x90"},
		{"option 3", a9, swap(a9, "8f 0b", "8f 0d"), "Option 3 is 0x0d; the notes report 0x00, 0x0b and 0x0c"},
		{"ready without a player", a7, swap(a7, "01 02 01", "01 00 01"),
			"Player id is 0; the notes report the id of one who is ready, else 0"},
		{"not ready with a player", unready, swap(unready, "01 00 00 00", "01 02 00 00"),
			"Player id is 2; the notes report the id of one who is ready, else 0"},
		{"ready by another option", a7, swap(a7, "52 01", "52 03"),
			"Option 1 is 0x03; the notes report 0x01 from one who is ready, else 0x00"},
		{"settings", a15, swap(a15, "01 01 00 00", "01 01 00 07"), "Two bytes behind the teams are 0007; the notes report 0"},
		{"a computer's count", aiMove("01", "0000803f"), aiMove("02", "0000803f"),
			"Count is 0x02; the notes report 0x01 and 0xff"},
		{"a computer's float", aiMove("ff", "000080bf"), aiMove("ff", "00000040"),
			"Unknown float is 2; the notes report 1 and -1"},
	} {
		k := newTalk(t)
		usual, odd := k.Say(1, host, second, c.usual), k.Say(1, host, second, c.odd)
		s := k.Session()
		want(t, s, usual, "unusual", "-")
		if got := dissecttest.All(s.Tree(odd), "aoe2.unusual"); strings.Contains(got, ",") {
			t.Errorf("%s: %q", c.name, got)
		}
		want(t, s, odd, "unusual", c.says)
	}
}

// aiMove is a computer player's move with a count and an unknown float.
func aiMove(count, float string) string {
	return header3e + "0a 01 01 01 22220000 00000000 ffffffff" + count + "000000 0000803f 0000803f 0000803f" + float +
		"00000000"
}

// TestTurnConstants sends the unknown bytes of turn syncs that the notes call constant for a player, with those of a
// game's first turn before them, and others.
func TestTurnConstants(t *testing.T) {
	turn := func(from, turn uint32, pair string) string {
		return longHex(from, 0x44, turn, "44"+pair+"f7"+u32(turn)+"001c47f7")
	}
	k := newTalk(t)
	k.Say(1, host, second, a9)
	first := k.Say(1, host, second, turn(idA, 0, "9698"))
	other := k.Say(1, second, host, turn(idB, 0, "2143"))
	k.Say(1, host, second, turn(idA, 1, "2143"))
	zeros := k.Say(1, host, second, turn(idA, 2, "0000"))
	odd := k.Say(1, host, second, turn(idA, 3, "2144"))
	odd1 := k.Say(1, host, second, turn(idA, 4, "2243"))
	own := k.Say(1, second, host, turn(idB, 1, "5566"))
	s := k.Session()
	want(t, s, first, "unusual", "-")
	want(t, s, other, "unusual", "Unknown 1 is 0x21; the notes report 0x96 of the host and 0xce of others in the first "+
		"packet, each with its unknown 2")
	want(t, s, odd, "unusual", "Unknown 2 is 0x44; the notes report one value for a player")
	want(t, s, odd1, "unusual", "Unknown 1 is 0x22; the notes report one value for a player")
	for _, n := range []dissect.FrameNum{zeros, own} {
		if tree := s.Tree(n); strings.Contains(dissecttest.Dump(tree), "Unknown 1 is") ||
			strings.Contains(dissecttest.Dump(tree), "Unknown 2 is") {
			t.Errorf("frame %d\n%s", n, dissecttest.Dump(tree))
		}
	}
	dissecttest.Redissections(t, s)
}
