package realnet

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestTruncations cuts every vector at every length, as lies and as snap lengths, in the open and with a fixed layout.
func TestTruncations(t *testing.T) {
	k := newTalk(t)
	for _, v := range vectors {
		k.tell(1, v.bytes)
	}
	dissecttest.Truncations(t, plugins(), k.Session(asAny))
	for _, as := range []dissect.DecodeAs{asAny, asAB, asPaper} {
		var cut []dissecttest.Packet
		for _, v := range vectors {
			b := dissecttest.Unhex(t, strings.TrimPrefix(v.bytes, ">"))
			for n := 1; n < len(b); n++ {
				whole := dissecttest.Datagram(client, server, b)
				cut = append(cut, dissecttest.Packet{Data: dissecttest.Datagram(client, server, b[:n])},
					dissecttest.Packet{Data: whole[:headers+n], Len: len(whole)})
			}
		}
		s := dissecttest.Session(t, plugins(), 1, cut, as)
		dissecttest.Redissections(t, s)
		dissecttest.Owned(t, s)
	}
}

// TestLies reads packets whose counts, lengths and types are not true.
func TestLies(t *testing.T) {
	cases := []struct {
		name  string
		bytes string
		want  []string
	}{
		{"one byte", "06", []string{"short||", "unknown|06|0-0"}},
		{"two bytes", "0601", []string{"short||"}},
		{"unknown type", "07 01 02 03", []string{"type.unknown||", "unknown|010203|1-3"}},
		{"unknown connection block", "00 00 00 00 09 ff", []string{"block.unknown||", "unknown|ff|5-5", "connection|9|4-4"}},
		{"unknown sync block", "02 00 00 07 aa", []string{"block.unknown||", "unknown|aa|4-4"}},
		{"unknown linking block", "04 03 00 00 04 01 aa", []string{"block.unknown||", "linking|260|4-5", "unknown|aa|6-6"}},
		{"tail of a Message", d7 + "aabb", []string{"extra.bad||", "extra|aabb|20-21"}},
		{"tail of a table", ">" + d4 + "01", []string{"extra.bad||", "extra|01|28-28", "variable.name|t|12-12"}},
		{"tail of a replication", ">" + d5 + "01", []string{"extra.bad||", "extra|01|49-49"}},
		{"tail of a Sync Init", "02 09 00 00 55", []string{"extra.bad||"}},
		{"tail of an Ack", "03 09 00 55", []string{"extra.bad||", "extra|55|3-3"}},
		{"tail of an Accept", d2 + "55", []string{"extra.bad||"}},
		{"text beyond the end", "01 01 0a 00 09 69", []string{"_ws.malformed||", "reason.size|9 bytes|4-4"}},
		{"data beyond the end", "06 00 0a 00" + us(1) + "01 61 ffff 00",
			[]string{"_ws.malformed||", "message.size|65535 bytes|14-15"}},
		{"255 entities, none there", "05 00 0a 00" + us(1) + "ff ff", []string{"_ws.malformed||"}},
		{"255 variables, one there", "05 00 0a 00" + us(1) + "00 ff 0100 01 05",
			[]string{"_ws.malformed||", "value.raw|05|17-17"}},
		{"instances beyond the end", "05 00 0a 00" + us(1) + "01 00 0200 01 0000 ff 01 01 05",
			[]string{"_ws.malformed||", "value.raw|05|22-22"}},
		{"value beyond the end", "05 00 0a 00" + us(1) + "00 01 0100 09 05", []string{"_ws.malformed||"}},
		{"members beyond the end", "04 03 05 00 01 00 00 01 0200 00 05 00 08 01 76",
			[]string{"_ws.malformed||", "variable.name|v|15-15"}},
		{"unused flags", "06 fd 0a 00" + us(1) + "01 61 0000", []string{"flags.unused||", "flags.bad|MISSING|"}},
		{"unreliable table", ">04 00 0a 00 0000", []string{"flags.expected||"}},
		{"ordered replication", "05 03 0a 00" + us(1) + "00 00", []string{"flags.expected||"}},
		{"unreliable Accept", ">00 00 01 00 01" + us(1) + us(2) + "80841e00", []string{"flags.expected||"}},
		{"ordered Disconnection", "01 03 01 00 00", []string{"flags.expected||"}},
		{"Init with a number", "00 00 05 00 00", []string{"sequence.fixed||"}},
		{"Accept with another number", ">00 01 05 00 01" + us(1) + us(2) + "80841e00", []string{"sequence.fixed||"}},
		{"Reject of an unknown reason", ">00 00 00 02 09", []string{"reason.unknown||"}},
		{"Reject of a reason that is never sent", ">00 00 00 02 01",
			[]string{"reason.unsent||", "reject.reason|kicked (1)|4-4"}},
		{"Disconnection of an unknown reason", ">01 01 00 09", []string{"reason.unknown||"}},
		{"text that is none", "01 01 0a 00 03 1b ff 41", []string{"reason.text|\\033\ufffdA|5-7"}},
	}
	for _, c := range cases {
		k := newTalk(t)
		n := k.tell(1, c.bytes)
		s := k.Session(asAny)
		tree := s.Tree(n)
		for _, f := range c.want {
			dissecttest.Holds(t, tree, "realnet", f)
		}
		dissecttest.Owned(t, s)
		dissecttest.Redissections(t, s)
		if t.Failed() {
			t.Fatalf("%s:\n%s", c.name, dissecttest.Dump(tree))
		}
	}
}

// TestWrongSides checks packets that only the other side sends, and those of somebody without a connection.
func TestWrongSides(t *testing.T) {
	k := newTalk(t)
	k.tell(1, d1)
	soon := k.tell(1, d7) // nobody accepted yet
	k.tell(1, ">"+d2)
	k.tell(1, ackOf(1))
	early := k.tell(1, ">05 00 02 00"+us(3000)+"00 00")
	wrong := k.tell(1, "05 00 03 00"+us(3000)+"00 00")
	end := k.tell(1, ">01 00 04 00 02 6e6f")
	flying := k.tell(10, said(0, 9, "on its way"))
	stray := k.tell(2000, said(0, 10, "hello?"))
	notice := k.tell(5, ">01 00 05 00 02 6e6f")
	begin := k.tell(100, d1)
	k.tell(1, ">"+d2)
	k.tell(1, ackOf(1))
	k.tell(1, "04 03 01 00 0000")
	table := k.tell(1, ">"+d4)
	no := k.tell(1, "04 03 02 00 0300")
	words := k.tell(1, "01 01 03 00 02 6e6f")
	s := k.Session()
	want(t, s, soon, "type", "MESSAGE") // as the Accept behind it tells
	want(t, s, early, "replication.early", "")
	want(t, s, wrong, "from.wrong", "")
	want(t, s, end, "phase", "closed", "disconnect", "", "lasted", "0.003000000")
	want(t, s, flying, "stranger", "-")
	want(t, s, stray, "stranger", "", "answered_in", num(notice))
	want(t, s, notice, "notice", "", "request_in", num(stray))
	want(t, s, begin, "phase", "handshaking")
	want(t, s, no, "linking.reject", "", "request_in", num(table), "phase", "connected")
	want(t, s, words, "reason.client", "", "lasted", "0.004000000")
	if games := s.Games(); len(games) != 2 || !games[0].Over || !games[1].Over {
		t.Errorf("games %+v", games)
	}
	dissecttest.Redissections(t, s)
}

// TestGuesses takes the end with more conversations for the server where no packet tells, and else the lower port.
func TestGuesses(t *testing.T) {
	k := newTalk(t)
	lower := k.tell(1, said(0, 1, "a"))
	one := k.Say(1, end{7, 50}, end{8, 12345}, said(0, 1, "a"))
	two := k.Say(1, end{7, 60}, end{8, 12345}, said(0, 1, "a"))
	sure := k.tell(1, ">02 01 00 00")
	later := k.tell(1, said(0, 2, "b"))
	s := k.Session(asAny)
	want(t, s, lower, "from", "client", "from.guessed", "")
	want(t, s, one, "from", "server", "from.guessed", "")
	want(t, s, two, "from", "client", "from.guessed", "")
	want(t, s, sure, "from", "server", "from.guessed", "-")
	want(t, s, later, "from", "client", "from.guessed", "-")
	dissecttest.Redissections(t, s)
}

// TestClosing tells a server that closes from one that kicks: it sends all its clients away at once.
func TestClosing(t *testing.T) {
	now := uint64(1704067200_000000)
	k := newTalk(t)
	good := "00 00 00 01" + us(now) + us(4)
	for _, c := range []end{client, second, {4, 50002}} {
		k.Say(1, c, server, a1)
		k.Say(1, server, c, good)
		k.Say(1, c, server, "00 01 00 01"+us(5)+us(0))
		k.Say(1, server, c, a4)
	}
	kicked := k.Say(1, server, client, "01 01 00 00")
	first := k.Say(500, server, second, "01 01 00 00")
	last := k.Say(1, server, end{4, 50002}, "01 01 00 00")
	s := k.Session()
	want(t, s, kicked, "disconnect.reason", "kicked or server closed (0)", "disconnect.peers", "-", "disconnect.peer_next",
		"-")
	want(t, s, first, "disconnect.peer_next", num(last))
	want(t, s, last, "disconnect.peers", "2", "disconnect.peer", num(first))
	if got := s.Tree(last).InfoLine(); got != "DISCONNECTION disconnected: server closed" {
		t.Errorf("info %q", got)
	}
	if games := s.Games(); len(games) != 1 || !games[0].Over || len(games[0].Players) != 4 {
		t.Errorf("games %+v", games)
	}
	if got := s.Ends()[dissect.Endpoint{Addr: dissect.IPv4Addr([]byte{10, 0, 0, 4}),
		Port: 50002}].Role; got != "client 3" {
		t.Errorf("the third client is %q", got)
	}
	dissecttest.Redissections(t, s)
}
