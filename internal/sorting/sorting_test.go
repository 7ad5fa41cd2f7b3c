package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

type item struct{ key, at int }

func byKey(a, b item) int { return cmp.Compare(a.key, b.key) }

// TestAsSlicesSorts holds the order against that of package slices, of equal items, too.
func TestAsSlicesSorts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		list := make([]item, n)
		for i := range list {
			list[i] = item{r.IntN(1 + n/3), i}
		}
		for _, c := range []struct {
			ours, theirs func([]item, func(a, b item) int)
		}{
			{Func[[]item], slices.SortFunc[[]item]}, {Stable[[]item], slices.SortStableFunc[[]item]},
		} {
			got, want := slices.Clone(list), slices.Clone(list)
			c.ours(got, byKey)
			c.theirs(want, byKey)
			if !slices.Equal(got, want) {
				t.Fatalf("%d items: %v, want %v", n, got, want)
			}
		}
	}
}
