package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// print writes the table and what differs, and tells whether all protocols reach the goal.
func (c *comparison) print(w io.Writer, shown int) (good bool) {
	fmt.Fprintf(w, "%d captures, %d frames\n\n%-10s %9s %9s %10s %9s %9s\n", c.captures, c.frames, "protocol", "tshark",
		"equal", "explained", "missing", "equal %")
	good = true
	for _, p := range c.protocols {
		var sum tally
		for i, f := range c.fields {
			if c.of[f] == p {
				sum.add(c.counts[i])
			}
		}
		good = c.row(w, p, sum) >= goal && good
	}
	for i, name := range columns {
		share := c.row(w, name[len("_ws.col."):], c.counts[i])
		if i == 0 {
			good = share >= goal && good
		}
	}
	for _, p := range append(slices.Clone(c.protocols), "") {
		c.differences(w, p, shown)
	}
	return good
}

func (t *tally) add(o tally) {
	t.has, t.equal, t.explained = t.has+o.has, t.equal+o.equal, t.explained+o.explained
}

func (c *comparison) row(w io.Writer, name string, t tally) float64 {
	share := 100.0
	if n := t.has - t.explained; n > 0 {
		share = 100 * float64(t.equal) / float64(n)
	}
	fmt.Fprintf(w, "%-10s %9d %9d %10d %9d %9.2f\n", name, t.has, t.equal, t.explained, t.has-t.equal-t.explained, share)
	return share
}

// differences lists the fields of a protocol that differ most often; the columns for none.
func (c *comparison) differences(w io.Writer, protocol string, shown int) {
	var list []int
	for i, f := range c.fields {
		if c.of[f] == protocol && c.counts[i].missed() > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(c.counts[b].missed(), c.counts[a].missed()) })
	for n, i := range list {
		if n == 0 {
			fmt.Fprintf(w, "\n%s\n", cmp.Or(protocol, "columns"))
		}
		if n == shown {
			fmt.Fprintf(w, "  and %d more fields\n", len(list)-n)
			return
		}
		fmt.Fprintf(w, "  %5d of %5d  %s  %s\n", c.counts[i].missed(), c.counts[i].has, c.fields[i], c.counts[i].sample)
	}
}

func (t *tally) missed() int { return t.has - t.equal - t.explained }
