package kaitai

const (
	objectsAtOnce = 32
	slotsAtOnce   = 256
	mostKept      = 64 // parts that an arena keeps for the next bytes
)

// An arena gives out memory in rows, all of which are free again at once.
type arena[T any] struct {
	parts [][]T
	at    int // the part that is given out
	used  int // so many of it
}

// take gives n zeroes. Parts have room for so many.
func (a *arena[T]) take(n, room int) []T {
	for a.at < len(a.parts) && a.used+n > len(a.parts[a.at]) {
		a.at, a.used = a.at+1, 0
	}
	if a.at == len(a.parts) {
		a.parts = append(a.parts, make([]T, max(n, room)))
	}
	out := a.parts[a.at][a.used : a.used+n : a.used+n]
	a.used += n
	return out
}

// reset takes everything back.
func (a *arena[T]) reset() {
	if len(a.parts) > mostKept {
		a.parts = a.parts[:mostKept]
	}
	for i := range min(a.at+1, len(a.parts)) {
		clear(a.parts[i])
	}
	a.at, a.used = 0, 0
}
