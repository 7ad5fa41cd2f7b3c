// Package suggest finds the name that somebody who misspelt one may have meant.
package suggest

import (
	"slices"
	"strings"

	"remora/internal/sorting"
)

// longest is the length in bytes from which on names are not compared.
const longest = 256

// One is the name that comes closest to a wrong word, or "" when none is close.
func One(word string, names []string) string {
	if list := close(word, names); len(list) > 0 {
		return list[0].name
	}
	return ""
}

// List is the names that come close to a wrong word and those that begin with it, best first, three at most.
func List(word string, names []string) []string {
	list := close(word, names)
	for _, name := range names {
		known := slices.ContainsFunc(list, func(s scored) bool { return s.name == name })
		if len(word) >= 2 && !known && strings.HasPrefix(strings.ToLower(name), strings.ToLower(word)) {
			list = append(list, scored{name, longest})
		}
	}
	var out []string
	for _, s := range list[:min(len(list), 3)] {
		out = append(out, s.name)
	}
	return out
}

type scored struct {
	name string
	far  int
}

// close are the names that are at most a third of the word's letters away, three letters at most, best first. The case
// of letters does not count.
func close(word string, names []string) []scored {
	word = strings.ToLower(word)
	limit := max(1, min(3, (len(word)+2)/3))
	var list []scored
	for _, name := range names {
		if far := edits(word, strings.ToLower(name), limit); far <= limit && far < max(len(word), len(name)) {
			list = append(list, scored{name, far})
		}
	}
	sorting.Stable(list, func(a, b scored) int { return a.far - b.far })
	return list
}

// edits counts the letters to insert, drop, change or swap with a neighbour to make b of a; more than limit when there
// are more.
func edits(a, b string, limit int) int {
	if len(a) > longest || len(b) > longest || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
