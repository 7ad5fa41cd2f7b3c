package touhou

import (
	"fmt"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// helloTo is a HELLO in hex: peer and target are ends, hint is four bytes.
func helloTo(peer, target end, hint string) string {
	addr := func(e end) string { return fmt.Sprintf("0200%04x0a0000%02x%016x", e.Port, e.Host, 0) }
	return "01" + addr(peer) + addr(target) + hint
}

// TestLongRoundTrips answers rounds of HELLOs after 200 ms, when the next round is under way already.
func TestLongRoundTrips(t *testing.T) {
	k := newTalk(t)
	ask := helloTo(host, host, "00000000")
	a1 := k.Say(1, client, host, ask)
	a2 := k.Say(1, client, host, ask)
	b1 := k.Say(128, client, host, ask)
	b2 := k.Say(1, client, host, ask)
	o1 := k.Say(70, host, client, "03")
	o2 := k.Say(1, host, client, "03")
	o3 := k.Say(128, host, client, "03")
	o4 := k.Say(1, host, client, "03")
	extra := k.Say(1, host, client, "03")
	s := k.Session()
	for _, pair := range [][2]dissect.FrameNum{{a1, o1}, {a2, o2}, {b1, o3}, {b2, o4}} {
		want(t, s, pair[1], "request_in", fmt.Sprint(pair[0]), "time", "0.200000000", "olleh.unasked", "-")
		want(t, s, pair[0], "answered_in", fmt.Sprint(pair[1]))
	}
	want(t, s, o1, "hello.rivals", "2")
	want(t, s, o3, "hello.rivals", "-")
	want(t, s, extra, "olleh.unasked", "", "request_in", "-")
	dissecttest.Redissections(t, s)
}

// TestLateHost is knocked at before it listens: the answer belongs to the last round, not to the first.
func TestLateHost(t *testing.T) {
	k := newTalk(t)
	var last dissect.FrameNum
	for range 12 {
		last = k.Say(129, client, host, helloTo(host, host, "00000000"))
	}
	o := k.Say(40, host, client, "03")
	again := k.Say(2000, client, host, helloTo(host, host, "00000000"))
	k.Say(129, client, host, helloTo(host, host, "00000000"))
	near := k.Say(50, host, client, "03") // the round trip is known to be short
	s := k.Session()
	want(t, s, last, "round", "12", "hello.unanswered", "", "answered_in", fmt.Sprint(o))
	want(t, s, o, "time", "0.040000000", "hello.rivals", "8")
	want(t, s, near, "request_in", fmt.Sprint(again+1), "time", "0.050000000")
}

// TestRedirected follows a spectator from the host to the client, which must be told to open its way.
func TestRedirected(t *testing.T) {
	second := end{spectator.Host, 11500}
	k := newTalk(t)
	k.Say(1, spectator, host, helloTo(host, host, "00000000"))
	k.Say(1, spectator, host, helloTo(host, host, "ec2c0000"))
	k.Say(1, host, spectator, "03")
	k.Say(129, spectator, host, "05 6e7365d9ffc46e488d7ca19231347295 0500 01 aa 2800 bbcc 00"+fmt.Sprintf("%078d", 0))
	sent := k.Say(5, host, spectator, "08 01000000 0200c350 0a000002"+fmt.Sprintf("%0112d", 0))
	direct := k.Say(129, spectator, client, helloTo(client, client, "00000000"))
	other := k.Say(1, second, client, helloTo(client, client, "00000000"))
	ask := k.Say(1, spectator, host, helloTo(host, client, "05000000"))
	grown := k.Say(1, spectator, host, helloTo(host, client, "f12c0000"))
	punched := k.Say(5, host, client, "02 0200c356 0a000003 0000000000000000 00000000")
	open := k.Say(1, client, end{spectator.Host, 50006}, "03")
	o := k.Say(1, client, spectator, "03")
	init := k.Say(129, spectator, client,
		"05 6e7365d9ffc46e488d7ca19231347295 0500 01 aa 2800 bbcc 00"+fmt.Sprintf("%078d", 0))
	s := k.Session()
	want(t, s, sent, "redirect.count", "1", "followed_in", fmt.Sprint(direct), "parent", "10.0.0.1:10800")
	want(t, s, direct, "redirected_in", fmt.Sprint(sent), "answered_in", fmt.Sprint(o))
	want(t, s, other, "machine", "10.0.0.3:50001", "redirected_in", fmt.Sprint(sent))
	want(t, s, ask, "punched_in", fmt.Sprint(punched), "answered_in", "-", "hello.purpose", "punch request",
		"redirected_in", fmt.Sprint(sent))
	want(t, s, grown, "hint.port", "11505")
	want(t, s, punched, "hello_in", fmt.Sprint(ask), "olleh_in", fmt.Sprint(open))
	want(t, s, open, "punch_in", fmt.Sprint(punched), "request_in", "-")
	want(t, s, o, "request_in", fmt.Sprint(direct), "punch_in", "-")
	want(t, s, init, "redirected_in", fmt.Sprint(sent))
	for e := range s.Ends() {
		if e.Port == 11505 {
			t.Error("a hint that grew is taken for a second socket")
		}
	}
	dissecttest.Redissections(t, s)
}

// TestLostChild lets a spectator fall silent.
func TestLostChild(t *testing.T) {
	k := newTalk(t)
	k.Say(1, client, spectator, t5)
	k.Say(1, spectator, client, "04 04000000")
	both := k.Say(2500, client, host, "04 04000000")
	gone := k.Say(3000, client, host, "04 04000000")
	none := k.Say(3000, client, host, "04 01000000")
	s := k.Session()
	want(t, s, both, "spectators.known", "1", "child.lost", "-")
	want(t, s, gone, "child.lost", "10.0.0.3:50001", "chain.lost", "", "chain.disagrees", "-")
	want(t, s, none, "spectators.known", "-", "child.lost", "-", "chain.disagrees", "-")
}

// TestBeforeItWasKnown begins between ends that nobody knows, with packets that say little.
func TestBeforeItWasKnown(t *testing.T) {
	a, b := end{7, 40000}, end{8, 40001}
	k := newTalk(t)
	early := k.Say(1, a, b, "04 01000000")
	if k.Session().Tree(early).Protocol() == proto {
		t.Error("a CHAIN between ends that nobody knows is enough")
	}
	k.Say(1, a, b, t5)
	known := k.Say(1, b, a, "04 04000000")
	s := k.Session()
	if s.Tree(early).Protocol() != proto {
		t.Error("the packet in front of the one that tells is not Touhou")
	}
	want(t, s, known, "spectators", "1", "parent", "-")
}

// TestKeepAlive answers the host's keep-alives, one of which is lost.
func TestKeepAlive(t *testing.T) {
	alive := helloTo(client, client, "000000bc")
	k := newTalk(t)
	first := k.Say(1, host, client, alive)
	a := k.Say(30, client, host, "03")
	lost := k.Say(970, host, client, alive)
	next := k.Say(1000, host, client, alive)
	b := k.Say(30, client, host, "03")
	s := k.Session()
	want(t, s, a, "request_in", fmt.Sprint(first), "time", "0.030000000", "hello.rivals", "-")
	want(t, s, lost, "answered_in", "-", "hello.purpose", "keep-alive of the host", "hello.alive", "")
	want(t, s, b, "request_in", fmt.Sprint(next), "time", "0.030000000")
}

// TestCrowded gives spectators to a client and to a spectator until there are too many.
func TestCrowded(t *testing.T) {
	k := newTalk(t)
	k.Say(1, client, host, t4)
	k.Say(1, host, client, "06 0000 0000 10000000 0000 0000")
	one := k.Say(1, client, spectator, t5)
	var fourth, fifth dissect.FrameNum
	for i := range byte(5) {
		fourth, fifth = fifth, k.Say(1, spectator, end{10 + i, 50000}, t5)
	}
	two := k.Say(1, client, end{4, 50002}, t5)
	s := k.Session()
	want(t, s, one, "children", "1", "children.many", "-")
	want(t, s, two, "children", "2", "children.many", "")
	want(t, s, fourth, "children", "4", "children.many", "-")
	want(t, s, fifth, "children", "5", "children.many", "")
}
