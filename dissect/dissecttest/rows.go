package dissecttest

import (
	"strings"
	"testing"

	"remora/dissect"
)

// rows holds the rows of packets that are printed as they pass against those of re-dissections, and what the first pass
// leaves then against what it leaves otherwise.
func rows(t *testing.T, s *dissect.Session, path string) {
	t.Helper()
	own := session(t, s.Registry(), openFile(t, path))
	wants := s.Registry().RowWants()
	pass, again := own.Guard().Past(), own.Guard().Past()
	n := dissect.FrameNum(1)
	row := func(l *dissect.Dissector, tree *dissect.Tree) string {
		return strings.Join([]string{tree.ProtocolText(), tree.Kind(), tree.InfoLine(), tree.Src.String(), tree.Dst.String(),
			l.Session().StackPath(tree.LayerStack)}, "\t")
	}
	for ; int(n) <= s.Passed(); n++ {
		var passed, read string
		pass.Run(func(l *dissect.Dissector) { passed = row(l, l.PassRow(n, wants)) })
		again.Run(func(l *dissect.Dissector) { read = row(l, l.Redissect(n, wants)) })
		if passed != read {
			t.Errorf("frame %d: the row when it passes is\n%s\nand later\n%s", n, passed, read)
			return
		}
	}
	if got, want := own.ExpertInfos(), s.ExpertInfos(); got != want {
		t.Errorf("%d expert infos where rows are wanted, %d otherwise", got, want)
	}
	if got, want := own.Conversations(), s.Conversations(); got != want {
		t.Errorf("%d conversations where rows are wanted, %d otherwise", got, want)
	}
}
