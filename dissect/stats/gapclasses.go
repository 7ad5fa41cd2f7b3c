package stats

import "sort"

// gapBounds are where classes of gaps begin, in nanoseconds: ten to a decade, from a microsecond on, by the preferred
// numbers of ISO 3. What is shorter is of the first class, what is longer than the last bound of the last.
var gapBounds = func() []int64 {
	bounds := []int64{0}
	for decade := int64(1000); decade <= 1e12; decade *= 10 {
		for _, n := range []int64{1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000} {
			bounds = append(bounds, decade*n/1000)
		}
	}
	return bounds
}()

// A GapClass is how many gaps were at least From and less than To, in nanoseconds; To is 0 where there is no end.
type GapClass struct {
	From, To int64
	Gaps     uint64
}

// gapCounts are the gaps of each class; nothing of a cell without gaps.
type gapCounts []uint32

func (c *gapCounts) add(gap int64) {
	if *c == nil {
		*c = make(gapCounts, len(gapBounds))
	}
	(*c)[sort.Search(len(gapBounds), func(i int) bool { return gapBounds[i] > gap })-1]++
}

// sumInto adds the counts to those of other cells.
func (c gapCounts) sumInto(all []uint64) {
	for i, n := range c {
		all[i] += uint64(n)
	}
}

// classesOf are the classes that hold gaps, the shortest first.
func classesOf(all []uint64) (out []GapClass) {
	for i, n := range all {
		if n == 0 {
			continue
		}
		class := GapClass{From: gapBounds[i], Gaps: n}
		if i+1 < len(gapBounds) {
			class.To = gapBounds[i+1]
		}
		out = append(out, class)
	}
	return out
}
