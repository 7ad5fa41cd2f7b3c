package aoe2

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// The network ids of three players, and a stranger's address.
const (
	idA = 0x00012344
	idB = 0x00012346
	idC = 0x00012348
)

var stranger = spot{9, 2350}

func u32(v uint32) string { return fmt.Sprintf("%02x%02x%02x%02x", v&255, v>>8&255, v>>16&255, v>>24) }

// longHex is a packet to everybody with the long header.
func longHex(from uint32, cmd byte, turn uint32, body string) string {
	return u32(from) + "00000000" + fmt.Sprintf("%02x020000", cmd) + u32(turn) + u32(2000+turn) + body
}

func turnHex(from, turn, offset uint32) string {
	return longHex(from, 0x44, turn, "442143f7"+u32(offset)+"001c47f7")
}

func counterHex(from, to, counter uint32) string {
	return u32(from) + u32(to) + "41000000" + u32(counter)
}

func clockHex(from, to uint32, cmd byte, ms uint32) string {
	return u32(from) + u32(to) + fmt.Sprintf("%02x000000", cmd) + u32(ms)
}

func checkHex(from, turn uint32, values ...uint32) string {
	body := u32(values[0]) + u32(turn-2)
	for _, v := range values[1:] {
		body += u32(v)
	}
	return longHex(from, 0x4D, turn, body+u32(from))
}

func chatHex(from uint32, player byte, turn uint32, length int, text string) string {
	return longHex(from, 0x43, turn,
		fmt.Sprintf("%02x00 5959595959595959 32 00 %02x 00000000 %x 00 0018dc32", player, length, text))
}

func actHex(from, turn uint32, body string) string { return longHex(from, 0x3E, turn, body) }

// want holds fields of one frame against texts; "-" says that the field must be missing. A note is held against its
// words, or only asked for with "".
func want(t *testing.T, s *dissect.Session, n dissect.FrameNum, fields ...string) {
	t.Helper()
	tree := s.Tree(n)
	bad := false
	for i := 0; i < len(fields); i += 2 {
		got, ok := dissecttest.Find(tree, "aoe2."+fields[i])
		if f := s.Registry().Field("aoe2." + fields[i]); f == nil {
			t.Fatalf("there is no field %s", fields[i])
		} else if f.IsExpert() && fields[i+1] != "" && ok {
			got = strings.Trim(tree.Label(tree.Find(f)), "[]")
		}
		if !ok {
			got = "-"
		}
		if got != fields[i+1] {
			t.Errorf("frame %d: %s is %q, want %q", n, fields[i], got, fields[i+1])
			bad = true
		}
	}
	if bad {
		t.Log(dissecttest.Dump(tree))
	}
}

func num(n dissect.FrameNum) string { return fmt.Sprint(n) }

// TestClocks pairs time syncs, and finds the one that got no answer and the clock that starts anew.
func TestClocks(t *testing.T) {
	k := newTalk(t)
	ask := k.Say(1, host, second, clockHex(idA, idB, 0x31, 5000))
	other := k.Say(1, second, host, clockHex(idB, idA, 0x31, 1780))
	answer := k.Say(30, second, host, clockHex(idB, idA, 0x32, 5000))
	open := k.Say(8000, host, second, clockHex(idA, idB, 0x31, 13031))
	next := k.Say(8000, host, second, clockHex(idA, idB, 0x31, 21031))
	unasked := k.Say(5, second, host, clockHex(idB, idA, 0x32, 999))
	odd := k.Say(5, host, second, strings.Replace(clockHex(idA, idB, 0x31, 22000), "31000000", "31070000", 1))
	back := k.Say(1000, host, second, clockHex(idA, idB, 0x31, 100))
	s := k.Session()
	want(t, s, ask, "answered_in", num(answer), "time.apart", "-", "time.unanswered", "-")
	want(t, s, other, "time.apart", "-3221 ms")
	want(t, s, answer, "request_in", num(ask), "time", "0.031000000", "time.unasked", "-")
	want(t, s, open, "answered_in", "-", "time.apart", "3221 ms")
	want(t, s, next, "time.open", num(open), "time.unanswered", "", "time.restart", "-")
	want(t, s, unasked, "request_in", "-", "time.unasked", "")
	want(t, s, odd, "unusual", "")
	want(t, s, back, "time.restart", "")
	if got := s.Tree(other).Info(); got != "1780 ms, 3221 ms behind the receiver" {
		t.Errorf("info is %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestOneDirection asks the time of a player of whom nothing was captured: no answer is missing there.
func TestOneDirection(t *testing.T) {
	k := newTalk(t)
	k.Say(1, host, second, clockHex(idA, idB, 0x31, 5000))
	alone := k.Say(8000, host, second, clockHex(idA, idB, 0x31, 13000))
	k.Say(1, second, host, counterHex(idB, idA, 4000))
	heard := k.Say(8000, host, second, clockHex(idA, idB, 0x31, 21000))
	s := k.Session()
	want(t, s, alone, "time.unanswered", "-")
	want(t, s, heard, "time.unanswered", "", "time.open", num(alone))
}

// TestCounters counts on two flows: what is missing, what comes again, and how far apart the players are.
func TestCounters(t *testing.T) {
	k := newTalk(t)
	first := k.Say(1, host, second, counterHex(idA, idB, 2000))
	k.Say(1, host, third, counterHex(idA, idC, 2000))
	b := k.Say(1, second, host, counterHex(idB, idA, 4000))
	gap := k.Say(120, host, second, counterHex(idA, idB, 2003))
	again := k.Say(1, host, second, counterHex(idA, idB, 2003))
	k.Say(1, third, host, counterHex(idC, idA, 6000))
	c := k.Say(1, third, host, counterHex(idC, idA, 6001))
	var near, far dissect.FrameNum
	for i := range uint32(20) {
		k.Say(60, host, second, counterHex(idA, idB, 2004+i))
		near = k.Say(60, second, host, counterHex(idB, idA, 4001+i))
		far = k.Say(60, third, host, counterHex(idC, idA, 6902+i))
	}
	s := k.Session()
	want(t, s, first, "counter.spacing", "-", "counter.missing", "-")
	want(t, s, b, "counter.spacing", "2000", "counter.difference", "2000", "counter.drift", "0", "counter.of",
		"0x00012344")
	want(t, s, gap, "counter.missing", "2 packets", "counter.lost", "")
	want(t, s, again, "counter.repeat", num(gap), "counter.missing", "-")
	want(t, s, c, "counter.difference", "3998", "counter.drift", "-2", "counter.drifted", "-")
	want(t, s, near, "counter.difference", "1997", "counter.drifted", "-")
	want(t, s, far, "counter.difference", "4898", "counter.drift", "898", "counter.drifted", "")
	if got := s.Tree(again).Messages[0].RepeatOf; got != gap {
		t.Errorf("repeats %d", got)
	}
	dissecttest.Redissections(t, s)
}

// TestTwoOfThreeCount has two players whose counters are as those of three: the capture lacks the third.
func TestTwoOfThreeCount(t *testing.T) {
	for step, drift := range map[uint32]string{2000: "0", 4003: "3", 1197: "-3", 3100: "-500"} {
		k := newTalk(t)
		var n dissect.FrameNum
		for i := range uint32(10) {
			k.Say(60, host, second, counterHex(idA, idB, 2000+i))
			n = k.Say(60, second, host, counterHex(idB, idA, 2000+step+i))
		}
		s := k.Session()
		drifted := "-"
		if step == 3100 {
			drifted = ""
		}
		want(t, s, n, "counter.drift", drift, "counter.drifted", drifted)
	}
}

// TestTwoPlayersCount has the spacing of two players.
func TestTwoPlayersCount(t *testing.T) {
	k := newTalk(t)
	k.Say(1, host, second, counterHex(idA, idB, 1200))
	b := k.Say(1, second, host, counterHex(idB, idA, 2401))
	s := k.Session()
	want(t, s, b, "counter.spacing", "1200", "counter.difference", "1201", "counter.drift", "1")
}

// TestTurns follows turns: time between them, gaps, repeats, who is behind, a stall and a pause.
func TestTurns(t *testing.T) {
	k := newTalk(t)
	a1 := k.Say(1, host, second, longHex(idA, 0x44, 1, "449698f7"+u32(1)+"001c4cf7"))
	b1 := k.Say(1, second, host, turnHex(idB, 1, 1))
	a2 := k.Say(119, host, second, turnHex(idA, 2, 2))
	a5 := k.Say(120, host, second, turnHex(idA, 5, 5))
	again := k.Say(1, host, second, turnHex(idA, 5, 5))
	for turn := uint32(6); turn <= 12; turn++ {
		k.Say(120, host, second, turnHex(idA, turn, turn))
	}
	behind := k.Say(1, second, host, turnHex(idB, 2, 2))
	stall := k.Say(1500, host, second, turnHex(idA, 13, 13))
	k.Say(1, second, host, turnHex(idB, 3, 3))
	k.Say(1000, second, host, clockHex(idB, idA, 0x31, 9000))
	resumed := k.Say(1000, host, second, turnHex(idA, 14, 14))
	too := k.Say(1, second, host, turnHex(idB, 4, 4))
	out := k.Say(100, second, host, turnHex(idB, 5, 3))
	future := k.Say(100, second, host, turnHex(idB, 6, 9))
	anew := k.Say(20000, host, second, turnHex(idA, 15+70, 85))
	fresh := k.Say(100, host, second, turnHex(idA, 1, 1))
	odd := k.Say(100, host, second, strings.Replace(turnHex(idA, 2, 2), "47f7", "1111", 1))
	wrong := k.Say(100, host, second, strings.Replace(turnHex(idA, 3, 3), "442143f7", "552143f7", 1))
	zeros := k.Say(100, host, second, longHex(idA, 0x44, 4, "44000000"+u32(4)+"001c3200"))
	s := k.Session()
	want(t, s, a1, "turn_sync.first", "", "turn_sync.delta", "-")
	want(t, s, b1, "turn_sync.first", "", "host", "-", "turn_sync.behind", "-")
	want(t, s, a2, "host", "yes", "turn_sync.delta", "0.120000000", "turn_sync.missing", "-", "turn_sync.rate", "8.33 /s")
	want(t, s, a5, "turn_sync.missing", "2 turns", "turn_sync.gap", "")
	want(t, s, again, "turn_sync.repeat", num(a5))
	want(t, s, behind, "turn_sync.behind", "10 turns", "turn_sync.leader", "0x00012344", "turn_sync.lag",
		"10 turns behind the furthest player", "turn_sync.stall", "No turn of this player for 1.1 s")
	want(t, s, stall, "turn_sync.stall", "No turn of this player for 1.5 s", "turn_sync.pause", "-")
	want(t, s, resumed, "turn_sync.pause", "2.001000000", "turn_sync.paused", "", "turn_sync.stall", "-")
	want(t, s, too, "turn_sync.pause", "2.001000000", "turn_sync.paused", "-", "turn_sync.stall", "-")
	want(t, s, out, "desync", "Out of sync since turn 3", "turn_sync.outofsync", "2 turns")
	want(t, s, future, "turn_sync.offset.bad", "", "desync", "-")
	want(t, s, anew, "turn_sync.gap", "")
	want(t, s, fresh, "turn_sync.first", "", "turn_sync.missing", "-", "turn_sync.behind", "-")
	want(t, s, odd, "unusual", "Unknown 5 is 0x11; the notes report 0xf7, or 0x00 in all")
	want(t, s, wrong, "turn_sync.command.bad", "")
	want(t, s, zeros, "unusual", "-")
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestWorlds has three players check three turns: one where all agree, one where the first to speak is odd, and one
// where two alone speak.
func TestWorlds(t *testing.T) {
	k := newTalk(t)
	k.Say(1, host, second, chatHex(idA, 1, 1, 1, "a"))
	k.Say(1, second, host, chatHex(idB, 2, 1, 1, "b"))
	k.Say(1, third, host, chatHex(idC, 3, 1, 1, "c"))
	good := []uint32{1, 2, 3, 4, 5, 6, 7}
	bad := []uint32{1, 2, 9, 4, 5, 6, 8}
	one := k.Say(1, host, second, checkHex(idA, 100, good...))
	k.Say(1, host, third, checkHex(idA, 100, good...))
	agrees := k.Say(1, second, host, checkHex(idB, 100, good...))
	oddFirst := k.Say(1, third, host, checkHex(idC, 200, bad...))
	unclear := k.Say(1, host, second, checkHex(idA, 200, good...))
	sure := k.Say(1, second, host, checkHex(idB, 200, good...))
	k.Say(1, host, second, checkHex(idA, 300, good...))
	k.Say(1, second, host, checkHex(idB, 300, good...))
	last := k.Say(1, third, host, checkHex(idC, 300, bad...))
	wrong := k.Say(1, third, host, strings.Replace(checkHex(idC, 400, good...), u32(398), u32(399), 1))
	s := k.Session()
	want(t, s, one, "check.agrees", "-", "check.differs", "-", "copy_of", "-")
	want(t, s, one+1, "copy_of", num(one))
	want(t, s, agrees, "check.agrees", num(one), "check.desync", "-")
	want(t, s, unclear, "check.differs", num(oddFirst), "check.odd", "-", "check.desync",
		"The worlds differ at turn 198: unknown 3, 7")
	want(t, s, sure, "check.odd", "0x00012348", "check.odd.player", "P3", "check.agrees", num(unclear))
	want(t, s, last, "check.odd.player", "P3", "check.desync", "The worlds differ at turn 298: unknown 3, 7")
	want(t, s, wrong, "check.turn.bad", "")
	dissecttest.Redissections(t, s)
}
