package kaillera

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// want holds fields of one frame against texts; "-" says that the field must be missing. "~" in front of the name asks
// for all values.
func want(t *testing.T, s *dissect.Session, n dissect.FrameNum, fields ...string) {
	t.Helper()
	tree := s.Tree(n)
	failed := false
	for i := 0; i < len(fields); i += 2 {
		name, all := strings.CutPrefix(fields[i], "~")
		got, ok := dissecttest.Find(tree, "kaillera."+name)
		if all {
			got = dissecttest.All(tree, "kaillera."+name)
		}
		if !ok {
			got = "-"
		} else if got == "" && fields[i+1] != "" {
			got = strings.Trim(find(tree, "kaillera."+name, 0), "[]") // a note
		}
		if got != fields[i+1] {
			t.Errorf("frame %d: %s is %q, want %q", n, name, got, fields[i+1])
			failed = true
		}
	}
	if failed {
		t.Log(dissecttest.Dump(tree))
	}
}

// A side is one end of a session in tests: it numbers its messages.
type side struct {
	k        *talk
	from, to end
	next     uint16
	recent   []string
	depth    int
}

func (k *talk) session2(client end) (c, s *side) {
	return &side{k: k, from: client, to: srv, depth: 3}, &side{k: k, from: srv, to: client, depth: 3}
}

// msg adds a message to what is sent, without sending.
func (x *side) msg(body string) {
	b := dissecttest.Unhex(x.k.T, body)
	x.recent = append([]string{fmt.Sprintf("%02x%02x%02x%02x%x", x.next&255, x.next>>8, len(b)&255, len(b)>>8, b)},
		x.recent...)
	x.next++
}

// say sends a message, gap milliseconds after the datagram before, with those before it.
func (x *side) say(gap int64, body string) dissect.FrameNum {
	x.msg(body)
	return x.again(gap, x.depth)
}

// again sends the last n messages again.
func (x *side) again(gap int64, n int) dissect.FrameNum {
	n = min(n, len(x.recent))
	return x.k.Say(gap, x.from, x.to, fmt.Sprintf("%02x", n)+strings.Join(x.recent[:n], ""))
}

func login(name string, connection int) string {
	return fmt.Sprintf("03%x00456d7500%02x", name, connection)
}

func data(b string) string { return fmt.Sprintf("1200%02x00%s", len(b)/2, b) }

func position(n int) string { return fmt.Sprintf("1300%02x", n) }

// both starts a game of two players on two links; what it returns are the clients and the server's ends to them.
func both(k *talk, connection int) (a, sa, b, sb *side) {
	a, sa = k.session2(amy)
	b, sb = k.session2(bob)
	a.say(1, login("amy", connection))
	b.say(1, login("bob", connection))
	sa.say(1, "02616d790009000100000001")
	sb.say(1, "02626f6200070001000000 01")
	a.say(1, "0a004368657373 00 00 ffffffff")
	for _, x := range []*side{sa, sb} {
		x.say(1, "0a616d79004368657373 00 456d7500 11000000")
	}
	sa.say(1, "0c00 11000000 616d7900 01000000 0900 01")
	b.say(1, "0c00 11000000 00 00000000 ffff 01")
	for _, x := range []*side{sa, sb} {
		x.say(1, "0c00 11000000 626f6200 01000000 0700 01")
	}
	a.say(1, "1100ffffffff")
	for i, x := range []*side{sa, sb} {
		x.say(1, "0e00 11000000 01 02 04")
		x.say(1, fmt.Sprintf("1100 0200 %02x 02", i+1))
	}
	a.say(1, "1500")
	b.say(1, "1500")
	for _, x := range []*side{sa, sb} {
		x.say(1, "0e00 11000000 02 02 04")
		x.say(1, "1500")
	}
	return a, sa, b, sb
}

// TestRepeatsAndGaps loses datagrams: two are healed by the third, four are not.
func TestRepeatsAndGaps(t *testing.T) {
	k := newTalk(t)
	c, sv := k.session2(amy)
	first := c.say(1, login("amy", 1))
	c.msg("0900")
	c.msg("0900")
	healed := c.say(1, "07006869 00")
	again := c.again(1, 3)
	for range 4 {
		c.msg("0900")
	}
	gap := c.say(1, "0900")
	for range 12 {
		c.msg("0900")
	}
	far := c.say(1, "0900")
	sv.say(1, "17736572766572 00 6e6f00")
	for range 12 {
		sv.msg("17736572766572 00 6e6f00")
	}
	killed := sv.say(1, "17736572766572 00 6e6f00")
	late := k.Say(1, amy, srv, "01 04000200 0900")
	lie := k.Say(1, amy, srv, "01 00000200 0900")
	s := k.Session()
	want(t, s, first, "repeat", "new", "new.count", "1", "recovered", "-")
	want(t, s, healed, "~repeat", "new,new,new", "new.count", "3", "recovered", "2", "gap", "-", "recovered.messages", "")
	want(t, s, again, "~repeat", "repeat,repeat,repeat", "~first_seen", fmt.Sprintf("%d,%d,%d", healed, healed, healed),
		"new.count", "0", "resend", "", "type", "REPEAT", "~repeat.type",
		"GLOBAL_CHAT (0x07),KEEP_ALIVE (0x09),KEEP_ALIVE (0x09)")
	want(t, s, gap, "gap", "2", "number.gap", "2 messages lost", "number.jump", "-", "recovered", "2")
	want(t, s, far, "gap", "10", "number.jump", "-") // servers take such jumps
	want(t, s, killed, "gap", "10", "number.jump", "")
	want(t, s, late, "number.late", "", "reordered", "", "new.count", "0")
	want(t, s, lie, "number.conflict", "", "first_seen", fmt.Sprint(first))
	if got := s.KindText(s.LayerStackOf(again)); got != "REPEAT" {
		t.Errorf("the type of a repeat is %q", got)
	}
	for i, m := range s.Tree(again).Messages {
		if !m.HasKind || m.RepeatOf != healed || m.ID != uint64(3-i) {
			t.Errorf("message %+v", m)
		}
	}
	dissecttest.Redissections(t, s)
}

// TestCacheShifts is the worked example of section 6: 256 entries fill the cache, the 257th pushes the oldest out.
func TestCacheShifts(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.say(1, login("amy", 1))
	c.say(1, "1500")
	s.say(1, "1500")
	at := map[int]dissect.FrameNum{}
	for i := range 256 {
		at[i] = c.say(1, data(fmt.Sprintf("%04x", i)))
	}
	full := c.say(1, position(255))
	zero := c.say(1, position(0))
	at[256] = c.say(1, data("0100"))
	last := c.say(1, position(255))
	oldest := c.say(1, position(0))
	c.say(1, "1500")
	empty := c.say(1, position(0))
	c.say(1, data("beef"))
	fresh := c.say(1, position(0))
	beyond := c.say(1, position(1))
	ses := k.Session()
	want(t, ses, at[255], "cache.entered", "255", "cache.held", "256 entries")
	want(t, ses, full, "cache.hits", "0 %", "data", "00ff", "cache.entry_in", fmt.Sprint(at[255]))
	want(t, ses, zero, "data", "0000", "cache.entry_in", fmt.Sprint(at[0]), "data.zero", "yes")
	want(t, ses, at[256], "cache.entered", "255", "cache.held", "256 entries")
	want(t, ses, last, "data", "0100", "cache.entry_in", fmt.Sprint(at[256]))
	want(t, ses, oldest, "data", "0001", "cache.entry_in", fmt.Sprint(at[1]))
	want(t, ses, empty, "cache.range", "", "cache.held", "0 entries")
	want(t, ses, fresh, "data", "beef", "frame", "3", "cache.hits", "66 %")
	want(t, ses, beyond, "cache.range", "")
	if src := ses.Tree(full).Sources(); len(src) != 2 || src[1].Name != "Cache position 255" ||
		string(src[1].Data) != "\x00\xff" {
		t.Errorf("sources %+v", src)
	}
	dissecttest.Owned(t, ses)
}

// TestTwoCaches keeps both directions of a session, and two sessions, apart.
func TestTwoCaches(t *testing.T) {
	k := newTalk(t)
	a, sa, b, sb := both(k, 1)
	a.say(1, data("a1"))
	b.say(1, data("b1"))
	ca := sa.say(1, data("a1b1"))
	sb.say(1, data("0000"))
	cb := sb.say(1, data("a1b1"))
	up := a.say(1, position(0))
	down := sa.say(1, position(0))
	other := sb.say(1, position(1))
	s := k.Session()
	want(t, s, up, "data", "a1", "input", "a1", "input.player", "1")
	want(t, s, down, "data", "a1b1", "cache.entry_in", fmt.Sprint(ca), "~input", "a1,b1", "~input.player", "1,2")
	want(t, s, other, "data", "a1b1", "cache.entry_in", fmt.Sprint(cb))
	if label := find(s.Tree(down), "kaillera.input", 1); label != "Input: b1 (P2 bob)" {
		t.Errorf("the second input is %q", label)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

func find(tree *dissect.Tree, name string, which int) string {
	for i := range tree.Nodes {
		if tree.Field(i).Name() == name {
			if which == 0 {
				return tree.Label(i)
			}
			which--
		}
	}
	return ""
}

// TestUnresolved begins in the middle of a game: positions are not resolved until 256 entries came, and after a gap the
// resolved ones are in doubt until 256 more came or a game starts.
func TestUnresolved(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.next = 4000
	c.depth = 2
	c.say(1, "0900")
	early := c.say(1, position(3))
	for i := range 255 {
		c.say(1, data(fmt.Sprintf("%04x", i)))
	}
	still := c.say(1, position(250))
	c.say(1, data("ffff"))
	known := c.say(1, position(254))
	for range 5 {
		c.msg("0900")
	}
	c.say(1, "0900")
	doubt := c.say(1, position(255))
	for i := range 256 {
		c.say(1, data(fmt.Sprintf("%04x", i)))
	}
	sure := c.say(1, position(255))
	c.say(1, "1500")
	s.say(1, "1500")
	c.say(1, data("aaaa"))
	for range 5 {
		c.msg("0900")
	}
	c.say(1, "0900")
	lost := c.say(1, position(1))
	ses := k.Session()
	want(t, ses, early, "cache.unresolved", "", "data", "-")
	want(t, ses, 3, "data", "0000", "data.unsplit", "the login is not in the capture, and with it the connection type",
		"frame", "-", "input.count", "2")
	want(t, ses, still, "cache.unresolved", "", "cache.entry_in", "-")
	want(t, ses, known, "cache.unresolved", "-", "data", "00fe")
	want(t, ses, doubt, "cache.doubtful", "", "data", "ffff")
	want(t, ses, sure, "cache.doubtful", "-", "data", "00ff")
	want(t, ses, lost, "cache.lost", "", "data", "-", "cache.range", "-")
	dissecttest.Redissections(t, ses)
}

// TestStartsAnew logs in again from the same port: the numbers begin at 0, the caches are gone.
func TestStartsAnew(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.say(1, login("amy", 1))
	c.say(1, "1500")
	s.say(1, "1500")
	for range 5 {
		c.say(1, data("0102"))
		s.say(1, data("0102"))
	}
	c.next, c.recent, s.next, s.recent = 0, nil, 0, nil
	again := c.say(1, login("zoe", 2))
	answer := s.say(1, "0500 00000000 01000000 02000000 03000000")
	hit := c.say(1, position(0))
	ses := k.Session()
	want(t, ses, again, "repeat", "new", "number.conflict", "-", "user.name", "zoe")
	want(t, ses, answer, "repeat", "new", "user.name", "zoe")
	want(t, ses, hit, "cache.unresolved", "")
}

// TestCountsAnew lets a sender fall back by half the numbers without a login: after some datagrams it is believed.
func TestCountsAnew(t *testing.T) {
	k := newTalk(t)
	c, _ := k.session2(amy)
	c.say(1, login("amy", 1))
	c.next, c.recent = 40000, nil
	var last dissect.FrameNum
	for range 6 {
		last = c.say(1, "0900")
	}
	s := k.Session()
	want(t, s, 2, "number.late", "")
	want(t, s, last, "repeat", "new", "gap", "-")
}

// TestNotesOnce marks what a message says where it is new, not where it is repeated.
func TestNotesOnce(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.say(1, login("amy", 1))
	first := s.say(1, "16616d7900ffff66756c6c00")
	again := s.say(1, "17736572766572 00 6e6f00")
	bad := s.say(1, "1300")
	badAgain := s.say(1, "17736572766572 00 6e6f00")
	ses := k.Session()
	want(t, ses, first, "rejected", "")
	want(t, ses, again, "rejected", "-", "~text", "no,full")
	want(t, ses, bad, "malformed", "", "raw", "00")
	want(t, ses, badAgain, "malformed", "-", "raw", "00")
}

// TestLateReady loses the server's START_GAME and READY; later bundles bring them, behind the client's first data. What
// the client sent by then stays in its cache.
func TestLateReady(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.depth, s.depth = 1, 1
	c.say(1, login("amy", 1))
	for range 2 {
		s.say(1, "17736572766572 00 6e6f00")
		s.msg("1100 0200 01 01")
		c.say(1, "1500")
		s.again(1, 2)
		c.say(1, data("0101"))
		c.say(1, data("0202"))
		s.msg("1500")
		s.msg(data("0303"))
		s.again(1, 2)
		c.say(1, position(0))
		c.say(1, position(1))
	}
	n := dissect.FrameNum(len(k.Packets))
	ses := k.Session()
	for _, end := range []dissect.FrameNum{9, n} {
		want(t, ses, end-1, "data", "0101", "cache.range", "-", "cache.held", "2 entries")
		want(t, ses, end, "data", "0202", "cache.entry_in", fmt.Sprint(end-3))
	}
}

// TestFragmentedEntries sends all in fragments: names and cache entries come from the datagrams put together.
func TestFragmentedEntries(t *testing.T) {
	k := newTalk(t)
	a, sa, _, _ := both(k, 1)
	a.say(1, data("0a0b0c0d"))
	sa.say(1, data("0102030405060708"))
	sa.say(1, position(0))
	a.say(1, position(0))
	var pieces []dissecttest.Packet
	first := dissect.FrameNum(0)
	for i, p := range k.Packets {
		if i == len(k.Packets)-4 {
			first = dissect.FrameNum(len(pieces)) + 1
		}
		for _, b := range dissecttest.Fragments(p.Data, 16, uint16(i)) {
			pieces = append(pieces, dissecttest.Packet{Data: b, Gap: 1e6})
		}
	}
	ses := dissecttest.Session(t, k.Plugins, 1, pieces)
	for ; first < dissect.FrameNum(len(pieces)) && ses.Tree(first).Protocol() != proto; first++ {
	}
	last := dissect.FrameNum(len(pieces))
	want(t, ses, last, "data", "0a0b0c0d", "cache.entry_in", fmt.Sprint(first), "cache.fragmented", "-", "user.name",
		"amy", "game.name", "Chess")
	dissecttest.Redissections(t, ses)
}

// TestSnapLength cuts datagrams short: what is missing is neither a conflict nor lost, and the entry of a piece of data
// that is cut off takes its place in the cache.
func TestSnapLength(t *testing.T) {
	k := newTalk(t)
	c, s := k.session2(amy)
	c.say(1, login("amy", 1))
	c.say(1, "1500")
	s.say(1, "1500")
	for _, b := range []string{"0101010101010101", "0202", "0303"} {
		c.say(1, data(b))
	}
	for range 3 {
		c.msg("0900")
	}
	all := c.again(1, 4)
	one := c.say(1, position(1))
	zero := c.say(1, position(0))
	for i := range k.Packets {
		p := &k.Packets[i]
		if n := headers + 16; len(p.Data) > n {
			p.Len, p.Data = len(p.Data), p.Data[:n]
		}
	}
	ses := k.Session()
	for n := range dissect.FrameNum(len(k.Packets)) {
		want(t, ses, n+1, "number.conflict", "-", "type.unknown", "-", "gap", "-")
	}
	want(t, ses, 4, "cache.entered", "0", "data.length", "8 bytes")
	want(t, ses, all, "type", "KEEP_ALIVE (0x09)")
	want(t, ses, one, "data", "0202")
	want(t, ses, zero, "cache.fragmented", "", "cache.range", "-")
	dissecttest.Redissections(t, ses)
}
