package dissecttest

import (
	"slices"
	"strings"
	"testing"

	"remora/dissect"
)

// evicted passes over a capture whose first half leaves when the second comes, and then a quarter more. What is left
// may lack what depends on packets that are gone, but nothing of it says anything else than it does where all are kept.
func evicted(t *testing.T, s *dissect.Session, path string) {
	t.Helper()
	halved := session(t, s.Registry(), openFile(t, path))
	n := s.Passed()
	halved.PassTo(n / 2)
	for _, gone := range []int{n / 2, n - n/4} {
		halved.Store().Evict(gone, false)
		halved.PassTo(n)
		subsets(t, halved, s, dissect.FrameNum(gone))
	}
}

// subsets checks that the frames behind one have fields that they have in another session, too, in the same order.
func subsets(t *testing.T, part, whole *dissect.Session, gone dissect.FrameNum) {
	t.Helper()
	l, w := part.Dissector(), whole.Dissector()
	torn := torn(part, gone)
	for n := gone + 1; int(n) <= whole.Passed(); n++ {
		if torn[part.ConversationOf(n)] {
			continue
		}
		got, want := l.Tree(n), w.Tree(n)
		at := 0
		for i := range got.Nodes {
			if strings.HasPrefix(got.Field(i).Name(), "_ws.") {
				continue // such as the mark that something is not there
			}
			for at < len(want.Nodes) && !sameNode(got, i, want, at) {
				at++
			}
			if at == len(want.Nodes) {
				t.Errorf("frame %d without the %d before it: %s %q is not what it is with them\n%s", n, gone, got.Field(i).Name(),
					got.Label(i),
					difference(Dump(want), Dump(got)))
				return
			}
			at++
		}
	}
}

// torn are the conversations that go on in the middle of a message, whose beginning was evicted: they read as if its
// packets had not been captured, and say so.
func torn(s *dissect.Session, gone dissect.FrameNum) map[uint32]bool {
	l, lost := s.Dissector(), s.Registry().Field("_ws.lost")
	out := map[uint32]bool{}
	for n := gone + 1; int(n) <= s.Passed(); n++ {
		if l.Redissect(n, s.Registry().Wants(lost)).Find(lost) >= 0 {
			out[s.ConversationOf(n)] = true
		}
	}
	return out
}

// sameNode tells whether a node says what another does, or less.
func sameNode(a *dissect.Tree, i int, b *dissect.Tree, j int) bool {
	return a.Field(i) == b.Field(j) && a.Nodes[i].Depth == b.Nodes[j].Depth && subset(a.Show(i), b.Show(j)) &&
		subset(a.Label(i), b.Label(j))
}

// subset tells whether the words of a text stand in another, in their order.
func subset(text, whole string) bool {
	if text == whole {
		return true
	}
	apart := func(r rune) bool { return strings.ContainsRune(" :()[],", r) }
	others := strings.FieldsFunc(whole, apart)
	for _, w := range strings.FieldsFunc(text, apart) {
		at := slices.Index(others, w)
		if at < 0 {
			return false
		}
		others = others[at+1:]
	}
	return true
}
