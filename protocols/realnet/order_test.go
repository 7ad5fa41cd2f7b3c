package realnet

import (
	"fmt"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// say makes a Message as documented: flags, number, a time of 0, a name and no data.
func said(flags byte, seq uint16, name string) string {
	return fmt.Sprintf("06 %02x %02x%02x 0000000000000000 %02x %x 0000", flags, seq&0xff, seq>>8, len(name), name)
}

func ackOf(seq uint16) string { return fmt.Sprintf("03 %02x%02x", seq&0xff, seq>>8) }

// want holds fields of one frame against texts; "-" says that the field must be missing.
func want(t *testing.T, s *dissect.Session, n dissect.FrameNum, fields ...string) {
	t.Helper()
	tree := s.Tree(n)
	for i := 0; i < len(fields); i += 2 {
		got, ok := dissecttest.Find(tree, "realnet."+fields[i])
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

func num(n dissect.FrameNum) string { return fmt.Sprint(n) }

// handshake begins a connection as documented; the server's clock is 0 at the Init.
func (k *talk) handshake() {
	k.tell(1, d1)
	k.tell(2, ">00 01 01 00 01 0000000000000000 0000000000000000 80841e00")
	k.tell(1, ackOf(1))
}

// TestReliability resends, acknowledges late, twice and never.
func TestReliability(t *testing.T) {
	k := newTalk(t)
	k.handshake()
	first := k.tell(1, said(1, 1, "a"))
	again := k.tell(70, said(1, 1, "a"))
	twice := k.tell(1, said(1, 1, "a"))
	ack := k.tell(5, ">"+ackOf(1))
	more := k.tell(1, ">"+ackOf(1))
	plain := k.tell(1, said(0, 2, "b"))
	copied := k.tell(1, said(0, 2, "b"))
	odd := k.tell(1, ">"+ackOf(2))
	unknown := k.tell(1, ">"+ackOf(77))
	other := k.tell(1, said(1, 1, "another"))
	lost := k.tell(1, said(1, 3, "c"))
	var last dissect.FrameNum
	for range 4 {
		last = k.tell(70, said(1, 3, "c"))
	}
	end := k.tell(1, ">"+"01 01 02 00 00")
	s := k.Session()
	want(t, s, first, "acked_in", num(ack), "acked.time", "0.076000000", "repeat_of", "-", "unacked", "-")
	want(t, s, again, "resend", "", "repeat_of", num(first), "copies", "2", "duplicate", "-")
	want(t, s, twice, "duplicate", "", "resend", "-", "repeat_of", num(first), "copies", "3", "acked_in", num(ack))
	want(t, s, ack, "ack.of", num(twice), "ack.time", "0.005000000", "copies", "3", "ack.again", "-")
	want(t, s, more, "ack.again", "", "ack.before", num(ack), "ack.of", num(twice))
	want(t, s, plain, "acked_in", "-", "unacked", "-")
	want(t, s, copied, "duplicate", "", "repeat_of", num(plain))
	want(t, s, odd, "ack.unwanted", "", "ack.of", num(copied))
	want(t, s, unknown, "ack.unknown", "", "ack.of", "-")
	want(t, s, other, "sequence.conflict", "", "repeat_of", "-")
	want(t, s, lost, "unacked", "")
	want(t, s, last, "stuck", "", "copies", "5", "unacked", "")
	want(t, s, end, "unacked.count", "2 packets", "unacked.end", "") // the other packet with number 1, and number 3
	if m := s.Tree(again).Messages[0]; m.RepeatOf != first || m.ID != 1 {
		t.Errorf("message %+v", m)
	}
	dissecttest.Redissections(t, s)
}

// TestOrder lets an ordered message wait for a lost one, across the wrap of the numbers.
func TestOrder(t *testing.T) {
	k := newTalk(t)
	k.Say(1, end{3, 50000}, server, d1) // another client's handshake: the numbers of this one are unknown
	k.Say(1, server, end{3, 50000}, d2)
	k.tell(1, said(3, 65533, "a"))
	early := k.tell(1, said(3, 0, "d")) // 65534 and 65535 are missing
	free := k.tell(1, said(1, 1, "e"))  // reliable, but of no order
	late := k.tell(1, said(3, 65535, "c"))
	key := k.tell(60, said(3, 65534, "b"))
	next := k.tell(1, said(3, 2, "f"))
	s := k.Session()
	want(t, s, early, "waiting", "", "missing", "2", "missing.first", "65534", "released_in", num(key), "waited",
		"0.062000000")
	want(t, s, free, "waiting", "-", "missing", "-")
	want(t, s, late, "late", "", "waiting", "", "missing", "1", "released_in", num(key))
	want(t, s, key, "late", "", "releases", "2 packets", "releases.first", num(early), "waiting", "-")
	want(t, s, next, "waiting", "-", "late", "-")
	dissecttest.Redissections(t, s)
}

// TestForgetting checks that what is remembered ends: missing numbers after a second, all of them after 30 s and with
// 64.
func TestForgetting(t *testing.T) {
	k := newTalk(t)
	k.handshake()
	k.tell(1, said(3, 1, "a"))
	k.tell(1, said(3, 3, "b"))
	still := k.tell(1, said(3, 4, "c"))
	last := k.tell(998, said(3, 5, "d"))
	after := k.tell(2, said(3, 6, "e"))
	gone := k.tell(31000, said(3, 7, "f"))
	far := k.tell(1, said(3, 705, "e"))
	reused := k.tell(31000, said(3, 705, "other"))
	s := k.Session()
	want(t, s, still, "missing", "1")
	want(t, s, last, "missing", "1")
	want(t, s, after, "missing", "-", "waiting", "-")
	want(t, s, gone, "missing", "-", "silent", "", "silence", "31000 ms")
	want(t, s, far, "missing", "64", "missing.first", "641")
	want(t, s, reused, "sequence.conflict", "-")
	dissecttest.Redissections(t, s)
}

// TestOneSide takes captures that lack a side: its Acks and answers are not missed, and its Accept is known by its Ack.
func TestOneSide(t *testing.T) {
	k := newTalk(t)
	k.tell(1, d1)
	early := k.tell(1, said(4, 0, "early"))
	k.tell(1, ackOf(1))
	message := k.tell(1, said(5, 1, "a"))
	last := message
	for range manyCopies {
		last = k.tell(70, said(5, 1, "a"))
	}
	end := k.tell(1, "01 00 09 00 00")
	s := k.Session(asAny)
	want(t, s, early, "stranger", "")
	want(t, s, message, "stranger", "-", "phase", "connected")
	want(t, s, last, "resend", "", "stuck", "-")
	want(t, s, end, "unacked.count", "-")
	k = newTalk(t)
	k.tell(1, ">00 01 01 00 01 0000000000000000 0000000000000000 80841e00")
	k.tell(1, tableOf(2, "1:1:hp"))
	early = k.tell(1, replicationOf(3, 1, "1:05"))
	k.tell(1, ackOf(1))
	late := k.tell(1, replicationOf(4, 2, "1:06"))
	s = k.Session(asAny)
	want(t, s, early, "replication.early", "-")
	want(t, s, late, "replication.early", "")
}
