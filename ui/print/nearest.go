package print

// Nearest is the one of some names that comes closest to a misspelt one, or "" when none is close.
func Nearest(word string, names []string) string {
	best, limit := "", 1+len(word)/3
	for _, name := range names {
		if d := edits(word, name); d <= limit && d < max(len(word), len(name)) {
			best, limit = name, d-1
		}
	}
	return best
}

// edits counts the letters to insert, drop, change or swap with a neighbour to make b of a.
func edits(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var older, old, row [65]int
	for j := range len(b) + 1 {
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
		older, old = old, row
	}
	return old[len(b)]
}
