package touhou

import (
	"testing"

	"remora/dissect"
)

// TestFilterAllocatesNothing checks that a filter on one field costs no memory for the packets that fill a capture.
func TestFilterAllocatesNothing(t *testing.T) {
	k := newTalk(t)
	fields := map[dissect.FrameNum]string{
		k.Say(1, host, client, hostInput(5, 1, 1, 2)): "touhou.input.frame",
		k.Say(1, client, host, clientInput(5, 1, 1)):  "touhou.input.client",
		k.Say(1, host, client, t6b):                   "touhou.chain",
		k.Say(1, host, client, t1):                    "touhou.hint",
		k.Say(1, host, client, "03"):                  "touhou.time",
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

func BenchmarkFirstPassAndLook(b *testing.B) {
	k := newTalk(b)
	for f := range 500 {
		k.Say(8, host, client, hostInput(5, uint32(f+1), 1, 2))
		k.Say(8, client, host, clientInput(5, uint32(f+1), 3))
	}
	s := k.Session()
	reg, l := s.Registry(), s.Dissector()
	w := reg.Wants(reg.Field("touhou.input.new"))
	b.ReportAllocs()
	for b.Loop() {
		for n := dissect.FrameNum(1); n <= 1000; n++ {
			l.Redissect(n, w)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/packet")
}
