package stats

import (
	"slices"
	"strconv"
)

// A SizeSeries says how lengths come about: Base + n·Step, for whole numbers n.
type SizeSeries struct{ Base, Step uint32 }

// Of how many packets the lengths must fit, in percent, and how many different ones there must be.
const (
	seriesShare  = 90
	seriesLength = 3
	seriesLimit  = 256 // steps beyond are no parts that repeat
	seriesFloor  = 2
	seriesParts  = 64 // more parts than that are no message of some, but lengths that are rounded
	seriesWorthy = 10 // packets below which nothing is said
)

// ExplainSizes finds the longest step by which most lengths differ: what a message of n equal parts looks like from
// outside. Header is how many bytes of the packets lie in front of the protocol; the base is no shorter. It tells
// whether there is one.
func ExplainSizes(sizes []Size, header uint32) (l SizeSeries, ok bool) {
	all := uint64(0)
	var common Size
	for _, z := range sizes {
		all += z.Packets
		if z.Packets > common.Packets {
			common = z
		}
	}
	if all < seriesWorthy || len(sizes) < seriesLength {
		return l, false
	}
	for step := uint32(seriesLimit); step >= seriesFloor; step-- {
		fit, rungs := uint64(0), 0
		for _, z := range sizes {
			if z.Length%step == common.Length%step {
				fit += z.Packets
				rungs++
			}
		}
		if rungs < seriesLength || fit*100 < all*seriesShare {
			continue
		}
		byLength := func(a, b Size) int { return int(a.Length) - int(b.Length) }
		shortest, longest := slices.MinFunc(sizes, byLength).Length, slices.MaxFunc(sizes, byLength).Length
		base := common.Length % step
		for low := min(header, shortest); base < low; {
			base += step
		}
		// A smaller step has even more parts.
		return SizeSeries{base, step}, longest <= base || (longest-base)/step <= seriesParts
	}
	return l, false
}

// Explain writes a length as the ladder has it, or "" when it has not.
func (l SizeSeries) Explain(length uint32) string {
	if length < l.Base || (length-l.Base)%l.Step != 0 {
		return ""
	}
	text := func(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
	return text(length) + " = " + text(l.Base) + " + " + text((length-l.Base)/l.Step) + "·" + text(l.Step)
}
