package touhou

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

func TestDump(t *testing.T) {
	s := load(t, "touhou-play-and-spectate.pcap")
	l := s.Looker()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		tr := l.Tree(n)
		t.Logf("%d %s>%s %s | %s", n, s.End(tr.Src, n).Label(), s.End(tr.Dst, n).Label(), tr.Protocol().Name(), tr.InfoLine())
		for i := range tr.Nodes {
			if tr.Field(i).IsNote() {
				t.Logf("    NOTE %s", tr.Label(i))
			}
		}
	}
	for _, g := range s.Games() {
		t.Logf("%+v", g)
	}
	dissecttest.Owned(t, s)
	dissecttest.Looks(t, s)
}
