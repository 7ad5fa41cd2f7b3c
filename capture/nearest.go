package capture

import (
	"slices"
	"strings"
)

// nearest lists the names that somebody who typed want may have meant, best first.
func nearest(want string, names []string) []string {
	type scored struct {
		name string
		far  int
	}
	var list []scored
	limit := max(1, min(3, len(want)/2))
	for _, n := range names {
		d := distance(strings.ToLower(want), strings.ToLower(n))
		if d <= limit || len(want) >= 2 && strings.HasPrefix(strings.ToLower(n), strings.ToLower(want)) {
			list = append(list, scored{n, d})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return a.far - b.far })
	var out []string
	for _, s := range list[:min(len(list), 3)] {
		out = append(out, s.name)
	}
	return out
}

// distance counts the single-character edits between two short names.
func distance(a, b string) int {
	if len(a) > 256 || len(b) > 256 {
		return 256
	}
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := prev[0]
		prev[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost = 1 + min(diag, prev[j], prev[j-1])
			}
			diag, prev[j] = prev[j], cost
		}
	}
	return prev[len(b)]
}
