package fieldstats

import (
	"context"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// counting are datagrams of one conversation: its TTL is always 64 but in the last, its IP identification goes up by
// two.
func counting(t *testing.T, n int) *dissect.Session {
	t.Helper()
	var packets [][]byte
	for i := range n {
		b := dissecttest.Unhex(t, "45 00 00 20 00 00 00 00 40 11 00 00 c0000201 c0000202 1388 1389 000c 0000 01020304")
		b[4], b[5] = byte(2*i>>8), byte(2*i)
		if i == n-1 {
			b[8] = 3
		}
		packets = append(packets, b)
	}
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(packets...))
}

func TestHabits(t *testing.T) {
	s := counting(t, 10)
	reg := s.Registry()
	u := OfType(context.Background(), s, 10)
	if u.Of != 10 || u.packets != 10 {
		t.Fatalf("%d packets of the type of %d", u.packets, u.Of)
	}
	ttl, id := u.Field(reg.Field("ip.ttl")), u.Field(reg.Field("ip.id"))
	if value, n := ttl.Mostly(); value != "64" || n != 9 || ttl.Packets != 10 {
		t.Errorf("the time to live is mostly %s, in %d of %d", value, n, ttl.Packets)
	}
	if by := ttl.Step(); by != 0 {
		t.Errorf("the time to live goes on by %g", by)
	}
	if by := id.Step(); by != 2 {
		t.Errorf("the identification goes on by %g", by)
	}
	if got := u.Field(reg.Field("tcp.seq")); got != nil {
		t.Errorf("datagrams with a sequence: %v", got)
	}
	if early := OfType(context.Background(), s, 4); early.packets != 4 {
		t.Errorf("before the fourth packet there are %d", early.packets)
	}
}

// TestBounds: neither packets nor values told apart become more than they may.
func TestBounds(t *testing.T) {
	s := counting(t, mostPackets+50)
	u := OfType(context.Background(), s, mostPackets+50)
	if u.packets != mostPackets {
		t.Errorf("%d packets were looked at", u.packets)
	}
	if h := u.Field(s.Registry().Field("ip.id")); len(h.values) != mostValues || h.Packets != mostPackets ||
		h.Step() != 2 {
		t.Errorf("%d values of %d packets, by %g", len(h.values), h.Packets, h.Step())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	OfType(ctx, s, 1)
}
