package soaprun

import (
	"context"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
)

// turns is a long game: the same turn again and again.
func turns(t testing.TB, n int) *talk {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	k.hex(client, "06 00 00 00 52 6f 6f 6d 01 01")
	k.say(host, roomBytes(1, 1, 0, nil))
	for i := range n {
		k.say(client, []byte{9, 0, 0, 0, 'm', 'y', 'P', 'o', 1, byte(30 + i%2), 0, 22, 0})
		k.say(host, field(1, 2, 0, 0, [][]byte{unitBytes(3, 0, 1, 1, 0, 22, 16)},
			[][]byte{unitBytes(0, 0, 1, 8, 1, 25, 17), unitBytes(2, 0, 1, 2, 0, 30, 20)}, nil))
	}
	return k
}

// TestFilterAllocatesNothing checks that a filter on one field costs no memory for the packets that fill a capture.
func TestFilterAllocatesNothing(t *testing.T) {
	s := turns(t, 50).session()
	reg, l := s.Registry(), s.Dissector()
	for n, names := range map[dissect.FrameNum][]string{20: {"soaprun.state", "soaprun.items.sword", "soaprun.entity.type",
		"soaprun.time", "soaprun.player.x"},
		21: {"soaprun.move.x", "soaprun.own.x", "soaprun.moved", "soaprun.answered_in"}} {
		for _, name := range names {
			f := reg.Field(name)
			w := reg.Wants(f)
			if len(l.Redissect(n, w).Nodes) == 0 {
				t.Errorf("frame %d has no %s", n, name)
			}
			if a := testing.AllocsPerRun(100, func() { l.Redissect(n, w) }); a > 0 {
				t.Errorf("a look for %s allocates %v times", name, a)
			}
		}
	}
}

// TestFirstPassAllocates bounds what a message of a long game costs the first pass: notes grow in large pieces, and
// nothing else is left behind.
func TestFirstPassAllocates(t *testing.T) {
	const n = 2000
	store := openTurns(t, n)
	reg := dissecttest.Registry(t, plugins())
	pass := func() {
		s, err := dissect.NewSession(reg, store)
		if err == nil {
			err = s.Pass(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if a := testing.AllocsPerRun(2, pass) / (2 * n); a > 0.5 {
		t.Errorf("a message costs %.2f allocations", a)
	}
}

func openTurns(t testing.TB, n int) *capture.Store {
	store, err := pcapfile.OpenBytes(context.Background(), "turns", dissecttest.Pcap(101, turns(t, n).packets),
		capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func BenchmarkFirstPass(b *testing.B) {
	const n = 2000
	store := openTurns(b, n)
	reg := dissecttest.Registry(b, plugins())
	b.ReportAllocs()
	for b.Loop() {
		s, err := dissect.NewSession(reg, store)
		if err == nil {
			err = s.Pass(context.Background())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*2*n), "ns/packet")
}
