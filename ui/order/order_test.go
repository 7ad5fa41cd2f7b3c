package order

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/columns"
	"remora/ui/view/viewtest"
)

// captured is the packet in a row of a list without a filter.
func captured(row int) dissect.FrameNum { return dissect.FrameNum(row + 1) }

// sorted are the packets of the sample in the order of a column.
func sorted(t *testing.T, s *dissect.Session, by By) []dissect.FrameNum {
	t.Helper()
	job := New(by, false)
	o := job.Run(t.Context(), s, nil, captured, s.Passed())
	if o == nil || len(o.Frames) != s.Passed() {
		t.Fatalf("by %s: %v", by.Title(), o)
	}
	if text := job.Progress(); text != "sorting by "+by.Title()+", 100 %" {
		t.Errorf("at its end: %q", text)
	}
	return o.Frames
}

// TestEveryColumnSorts sorts by each column, both ways: the texts, and the numbers, of the packets go up or down, and
// what is the same stays as captured.
func TestEveryColumnSorts(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 1, viewtest.Sample())
	l := s.Dissector()
	of := map[columns.Kind]func(n dissect.FrameNum) string{
		columns.Protocol: func(n dissect.FrameNum) string { return l.Tree(n).ProtocolText() },
		columns.Type:     func(n dissect.FrameNum) string { return l.Tree(n).Kind() },
		columns.Length:   func(n dissect.FrameNum) string { return string(rune(l.Tree(n).Len())) },
		columns.No:       func(n dissect.FrameNum) string { return string(rune(n)) },
	}
	for _, c := range columns.Known() {
		up := sorted(t, s, By{Kind: c.Kind})
		if text := of[c.Kind]; text != nil && !slices.IsSortedFunc(up, func(a, b dissect.FrameNum) int {
			x, y := text(a), text(b)
			switch {
			case x == y:
				return int(a) - int(b)
			case x == "" || y != "" && x > y:
				return 1
			}
			return -1
		}) {
			t.Errorf("by %s the packets are %v", c.Title, up)
		}
		if down := sorted(t, s, By{Kind: c.Kind, Down: true}); c.Kind == columns.No &&
			(down[0] != up[len(up)-1] ||
				!slices.IsSortedFunc(down, func(a, b dissect.FrameNum) int { return int(b) - int(a) })) {
			t.Errorf("by %s downwards the packets are %v", c.Title, down)
		}
	}
	f := s.Registry().Field("touhou.input.frame")
	by := sorted(t, s, By{Kind: columns.Value, Field: f, Down: true})
	if by[0] != 81 || by[len(by)-1] != 82 { // the packets without the field come last
		t.Errorf("by a field the packets are %v", by)
	}
}

func TestGivenUp(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 1, viewtest.Sample())
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if New(By{Kind: columns.Length}, false).Run(ended, s, nil, captured, s.Passed()) != nil {
		t.Error("it is sorted though nobody wants it")
	}
}

func TestMergeSortIsASort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, sortChunk, sortChunk + 1, 3*sortChunk - 1, 5 * sortChunk} {
		keys := make([]sortKey, n)
		for i := range keys {
			keys[i] = sortKey{number: rng.Uint64N(100), row: uint32(i), none: rng.IntN(9) == 0}
		}
		s := sorter{by: By{Down: n%2 == 1}}
		want := slices.Clone(keys)
		slices.SortStableFunc(want, s.compare)
		if got := mergeSort(t.Context(), slices.Clone(keys), s.compare, func(int, int) {}); !slices.Equal(got, want) {
			t.Errorf("%d keys are not sorted", n)
		}
	}
}
