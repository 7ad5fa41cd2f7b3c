package dissecttest

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/internal/testall"
)

// rows holds the rows, the trees and the fields of packets that are printed as they pass against those of
// re-dissections, and what the first pass leaves then against what it leaves otherwise. They take turns.
func rows(t *testing.T, s *dissect.Session, path string) {
	t.Helper()
	for turn := range dissect.FrameNum(testall.Of(1, 2)) {
		own := session(t, s.Registry(), openFile(t, path))
		wants := [...]*dissect.Wants{s.Registry().RowWants(), dissect.TreeWants(), someFields(s.Registry())}
		pass, again := own.Guard().Past(), own.Guard().Past()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			var passed, later string
			w := wants[(n+turn)%3]
			pass.Run(func(l *dissect.Dissector) { passed = printed(l, l.Pass(n, w), w) })
			again.Run(func(l *dissect.Dissector) { later = wanted(l.Redissect(n, w), w) })
			if passed != later && passed != "" { // otherwise it is to be dissected again
				t.Errorf("frame %d is when it passes\n%s\nand later\n%s", n, passed, later)
				return
			}
		}
		// Who records a tree verifies checksums, too.
		if got, want := own.ExpertInfos(), s.ExpertInfos(); got < want {
			t.Errorf("%d expert infos where rows and trees are wanted, %d otherwise", got, want)
		}
		if got, want := own.Conversations(), s.Conversations(); got != want {
			t.Errorf("%d conversations where rows are wanted, %d otherwise", got, want)
		}
	}
}

// someFields wants every third field, and the columns.
func someFields(r *dissect.Registry) *dissect.Wants {
	var some []*dissect.Field
	for _, p := range r.Protocols() {
		for i, f := range p.Fields() {
			if i%3 == 0 {
				some = append(some, f)
			}
		}
	}
	return r.ColumnWants(some...)
}

// printed is all that a tree tells that has just passed, in a copy where it can be copied.
func printed(l *dissect.Dissector, tree *dissect.Tree, w *dissect.Wants) string {
	if tree == nil {
		return ""
	}
	var c dissect.Tree
	if !tree.CopyTo(&c, w) {
		return wanted(tree, w)
	}
	l.Adopt(&c)
	return wanted(&c, w)
}

// wanted is what a tree tells of what is wanted.
func wanted(tree *dissect.Tree, w *dissect.Wants) string {
	columns := strings.Join([]string{tree.Kind(), tree.Src.String(), tree.Dst.String(),
		tree.Session().StackPath(tree.LayerStack)}, "\t")
	switch {
	case w.Row():
		return columns + "\t" + tree.ProtocolText() + "\t" + tree.InfoLine()
	case w.Tree():
		return columns + "\n" + text(tree)
	}
	return columns + "\t" + tree.ProtocolText() + "\n" + text(tree)
}

func text(tree *dissect.Tree) string {
	var b strings.Builder
	fmt.Fprintln(&b, tree.Src, tree.Dst, tree.Dir, tree.Severity, tree.Kind())
	for i := range tree.Nodes {
		n := tree.Nodes[i]
		n.Val = 0 // where texts lie may differ
		fmt.Fprintln(&b, n, tree.Label(i), tree.Show(i))
	}
	return b.String()
}
