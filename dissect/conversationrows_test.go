package dissect

import (
	"math/rand/v2"
	"testing"
)

// Conversations that are packed say what they said before, to whoever asks in whatever order, and take little memory.
func TestPackedConversations(t *testing.T) {
	const count = 4 << convShift
	r := rand.New(rand.NewPCG(1, 2))
	var l conversationList
	var want [count]settled
	var facts [count][2]int64
	transports := []Table{TableUDP, TableTCP, "sctp.port"}
	end := func() Endpoint { return Endpoint{Addr{lo: uint64(r.Uint32()), kind: AddrIPv4}, uint16(r.Uint32())} }
	for i := range count {
		c := &Conversation{settled: settled{A: end(), B: Endpoint{Addr{lo: 7, kind: AddrIPv4}, 80}, ID: uint32(i + 1),
			plugin: uint16(i % 3), reason: ByPort, cut: i%5 == 0, First: FrameNum(i + 1), Stream: uint32(i / 3),
			tags: tags(i % 2), began: 1704067200e9 + int64(i)*37000, former: 3, refused: 4, unlike: i%7 == 0},
			Transport: transports[i%3]}
		switch i % 4 {
		case 0:
			facts[i] = [2]int64{5, 1e6}
		case 1:
			facts[i] = [2]int64{-1, 0}
		case 2:
			facts[i] = [2]int64{31, 0}
		}
		if i%64 == 0 {
			c.A.Addr = Addr{1 << 63, uint64(i), AddrIPv6}
		}
		d := &D{conv: c, s: &Session{}}
		d.Ends().SetFact(0, facts[i][0])
		d.Ends().SetFact(1, facts[i][1])
		l.Append(c)
		want[i] = c.settled
	}
	l.drop(func(c *Conversation) bool { return c.ID%9 == 0 })
	held := l.At(0)
	l.pack()
	if l.Len() != count || held.settled != want[0] {
		t.Fatalf("%d conversations, and the first is %+v", l.Len(), held.settled)
	}
	var view conversationView
	for turn := range 3 * count {
		i := r.IntN(count)
		c := l.At(i)
		if turn > count {
			i = turn % count
			c = view.at(&l, i)
		}
		switch gone := (i+1)%9 == 0; {
		case gone != c.Evicted():
			t.Fatalf("conversation %d is evicted: %v", i+1, c.Evicted())
		case !gone && (c.settled != want[i] || c.Transport != transports[i%3] || c.Fact(0) != facts[i][0] ||
			c.Fact(1) != facts[i][1]):
			t.Fatalf("conversation %d is %+v, %d and %d, want %+v, %v", i+1, c, c.Fact(0), c.Fact(1), want[i], facts[i])
		}
	}
	if got := l.bytes() / count; got > 40 {
		t.Errorf("%d bytes a conversation", got)
	}
}
