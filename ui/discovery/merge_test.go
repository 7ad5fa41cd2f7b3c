package discovery

import (
	"slices"
	"testing"
	"time"
)

func TestMerge(t *testing.T) {
	now := time.Now()
	before := []Game{{Title: "B", Rates: []float64{1, 2}, At: now.Add(-time.Second)},
		{Title: "Old", Rates: []float64{9}, At: now.Add(-2 * Kept)}, {Title: "A", Rates: make([]float64, RatesKept), At: now}}
	got := Merge(before, []Game{{Title: "A", Rates: []float64{7}, At: now}}, now)
	if len(got) != 2 || got[0].Title != "A" || len(got[0].Rates) != RatesKept || got[0].Rates[RatesKept-1] != 7 {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(got[1].Rates, []float64{1, 2, 0}) || !slices.Equal(before[0].Rates, []float64{1, 2}) {
		t.Errorf("what was not heard again has the rates %v", got[1].Rates)
	}
	var many []Game
	for range 50 {
		many = append(many, Game{Title: "M", Rates: []float64{1}})
	}
	if got := Merge(nil, many, now); len(got) != maxGames {
		t.Errorf("%d games are told", len(got))
	}
}
