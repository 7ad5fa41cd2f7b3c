package kaillera

import (
	"fmt"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// played is a session of amy and the server with count rounds of game data, three messages a bundle.
func played(t testing.TB, count int) *talk {
	k := newTalk(t)
	k.Say(1, amy, srv, login1)
	k.Say(1, srv, amy, "01 00 00 06 00 11 00 02 00 01 02")
	k.Say(1, amy, srv, "01 01 00 02 00 15 00")
	k.Say(1, srv, amy, "01 01 00 02 00 15 00")
	data := func(n, size int) string {
		return fmt.Sprintf("%02x%02x %02x00 12 00 %02x00 %0*x", n&255, n>>8, size+4, size, 2*size, n/3)
	}
	for i := range count {
		c, s := "03", "03"
		for n := i + 4; n > i+1; n-- {
			c += data(n, 2)
			s += data(n, 4)
		}
		k.Say(8, amy, srv, c)
		k.Say(8, srv, amy, s)
	}
	return k
}

// TestFilterAllocatesNothing checks that a filter on one field costs no memory for the packets that fill a capture.
func TestFilterAllocatesNothing(t *testing.T) {
	s := played(t, 10).Session()
	reg, l := s.Registry(), s.Dissector()
	for _, name := range []string{"kaillera.number", "kaillera.frame", "kaillera.data", "kaillera.input",
		"kaillera.repeat", "kaillera.rate"} {
		w := reg.Wants(reg.Field(name))
		for n := dissect.FrameNum(10); n < 12; n++ {
			l.Redissect(n, w)
			if a := testing.AllocsPerRun(100, func() { l.Redissect(n, w) }); a > 0 {
				t.Errorf("a look for %s at frame %d allocates %v times", name, n, a)
			}
		}
	}
}

// BenchmarkPass measures the first pass over game data, per packet.
func BenchmarkPass(b *testing.B) {
	k := played(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		dissecttest.Session(b, plugins(), 1, k.Packets)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(k.Packets)), "ns/packet")
}
