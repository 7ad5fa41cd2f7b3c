package aoe2

import (
	"context"
	"runtime"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestFilterAllocatesNothing checks that a filter on one field costs no memory for the packets that fill a capture.
func TestFilterAllocatesNothing(t *testing.T) {
	k := newTalk(t)
	fields := map[dissect.FrameNum]string{
		k.Say(1, host, second, counterHex(idA, idB, 2000)):            "aoe2.counter",
		k.Say(1, second, host, counterHex(idB, idA, 4000)):            "aoe2.counter.drift",
		k.Say(1, host, second, turnHex(idA, 1, 1)):                    "aoe2.ping",
		k.Say(1, second, host, turnHex(idB, 1, 1)):                    "aoe2.turn_sync.offset",
		k.Say(1, host, second, clockHex(idA, idB, 0x31, 5)):           "aoe2.time_passed",
		k.Say(1, second, host, clockHex(idB, idA, 0x32, 5)):           "aoe2.time",
		k.Say(1, second, host, action("77 000000 a1a20000 53000500")): "aoe2.unit.type",
	}
	s := k.Session()
	reg, l := s.Registry(), s.Dissector()
	for n, name := range fields {
		w := reg.Wants(reg.Field(name))
		l.Redissect(n, w)
		if a := testing.AllocsPerRun(100, func() { l.Redissect(n, w) }); a > 0 {
			t.Errorf("a look for %s allocates %v times", name, a)
		}
	}
}

// flood is what two players send in so many turns: counters, turns, and now and then an order.
func flood(t testing.TB, turns uint32) *talk {
	k := newTalk(t)
	for i := range turns {
		k.Say(60, host, second, counterHex(idA, idB, 1200+i))
		k.Say(1, second, host, counterHex(idB, idA, 2400+i))
		k.Say(60, host, second, turnHex(idA, i+1, i+1))
		k.Say(1, second, host, turnHex(idB, i+1, i+1))
		if i%8 == 0 {
			k.Say(1, host, second, actHex(idA, i+3, "03 01 0000 ffffffff 02000000 00002041 00004842 b1000000 b2000000"))
		}
	}
	return k
}

// TestFirstPassAllocatesNothing checks that packets in a steady state cost the first pass no memory but that of the
// index, which grows by blocks.
func TestFirstPassAllocatesNothing(t *testing.T) {
	passed := func(turns uint32) (mallocs uint64, frames int) {
		k := flood(t, turns)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := k.Session()
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs, s.Passed()
	}
	few, n := passed(500)
	many, m := passed(4500)
	if each := float64(many-few) / float64(m-n); each > 0.1 {
		t.Errorf("%.2f allocations a packet in the first pass", each)
	}
}

func BenchmarkFirstPass(b *testing.B) {
	k := flood(b, 2500)
	file := dissecttest.Pcap(1, k.Packets)
	reg := dissecttest.Registry(b, plugins())
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		store, err := pcapfile.OpenBytes(context.Background(), "test", file, capture.Options{})
		if err != nil {
			b.Fatal(err)
		}
		s, err := dissect.NewSession(reg, store)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := s.Pass(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		store.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(k.Packets)), "ns/packet")
}
