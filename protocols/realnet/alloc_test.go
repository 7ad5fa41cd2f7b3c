package realnet

import (
	"context"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
)

// busy is a conversation of n rounds of what fills a capture: replication, a message, its Ack.
func busy(t testing.TB, n int) *talk {
	k := newTalk(t)
	k.handshake()
	k.tell(1, ">"+d4)
	for i := range n {
		seq := uint16(10 + i)
		k.tell(10, ">05 00"+hex16(seq)+us(uint64(1000*i))+"01 01 02 00 02 00 00 02 04 04"+hex16(seq)+
			"4841 05 04 000080bf 01 00 01 04 01 ff 03 00 08 00 00 00 00 00 00 d0 3f")
		k.tell(2, said(1, seq, "say"))
		k.tell(2, ">"+ackOf(seq))
	}
	return k
}

func hex16(v uint16) string { return ackOf(v)[3:] }

// TestFilterAllocatesNothing checks that a filter on one field costs no memory for the packets that fill a capture.
func TestFilterAllocatesNothing(t *testing.T) {
	s := busy(t, 50).Session()
	reg, l := s.Registry(), s.Dissector()
	for _, name := range []string{"realnet.sequence", "realnet.ack.time", "realnet.acked_in", "realnet.delay",
		"realnet.entity.id", "realnet.value", "realnet.value.changes", "realnet.message.name", "realnet.resend"} {
		f := reg.Field(name)
		w := reg.Wants(f)
		for n := dissect.FrameNum(100); n < 110; n++ {
			l.Redissect(n, w)
			if a := testing.AllocsPerRun(50, func() { l.Redissect(n, w) }); a > 0 {
				t.Errorf("a look for %s in frame %d (%s) allocates %v times", name, n, s.KindText(s.LayerStackOf(n)), a)
			}
		}
	}
}

// pass runs the first pass over a capture and returns the session.
func pass(b testing.TB, reg *dissect.Registry, store *capture.Store) *dissect.Session {
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Pass(context.Background()); err != nil {
		b.Fatal(err)
	}
	return s
}

// TestFirstPassAllocatesLittle checks that the first pass keeps notes and nothing else: what it allocates does not grow
// with the packets, but for the notes' own columns.
func TestFirstPassAllocatesLittle(t *testing.T) {
	count := func(n int) float64 {
		store, err := pcapfile.OpenBytes(context.Background(), "test", dissecttest.Pcap(1, busy(t, n).Packets),
			capture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		store.Wait()
		reg := dissecttest.Registry(t, plugins())
		return testing.AllocsPerRun(3, func() { pass(t, reg, store) })
	}
	few, many := count(200), count(2200)
	if grown := (many - few) / 6000; grown > 0.05 {
		t.Errorf("a packet costs %.2f allocations (%v for 600 packets, %v for 6600)", grown, few, many)
	}
}

func BenchmarkFirstPass(b *testing.B) {
	k := busy(b, 2000)
	store, err := pcapfile.OpenBytes(context.Background(), "test", dissecttest.Pcap(1, k.Packets), capture.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	store.Wait()
	reg := dissecttest.Registry(b, plugins())
	b.ReportAllocs()
	for b.Loop() {
		pass(b, reg, store)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(k.Packets)), "ns/packet")
}
