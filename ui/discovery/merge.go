package discovery

import (
	"cmp"
	"slices"
	"time"

	"remora/internal/sorting"
)

// What is kept of a short capture, and how much.
const (
	Kept      = 10 * time.Second // how long a game stays that was not seen again
	RatesKept = 10               // captures whose rates are kept
	maxGames  = 6                // games told of one interface
)

// Merge puts what a short capture told together with what was known before. A game that was not seen again stays for a
// while, at no packets.
func Merge(before, now []Game, at time.Time) []Game {
	for _, was := range before {
		i := slices.IndexFunc(now, func(g Game) bool { return g.Title == was.Title && g.Where == was.Where })
		switch {
		case i >= 0:
			now[i].Rates = last(append(slices.Clone(was.Rates), now[i].Rates...))
		case at.Sub(was.At) < Kept:
			was.Rates = last(append(slices.Clone(was.Rates), 0))
			now = append(now, was)
		}
	}
	sorting.Stable(now, func(a, b Game) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.Where.String(), b.Where.String()))
	})
	return now[:min(len(now), maxGames)]
}

func last(rates []float64) []float64 { return rates[max(0, len(rates)-RatesKept):] }
