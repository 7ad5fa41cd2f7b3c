package ui

import (
	"strconv"

	"remora/ui/rules"
)

// A Rule draws the rows of packets that match a display filter in colours of its own.
type Rule = rules.Rule

// StandardColoring are the rules of somebody who has none.
func StandardColoring() []Rule { return rules.Standard() }

// checkRules says what is wrong with rules.
func checkRules(faults []rules.Fault) []Problem {
	var out []Problem
	for _, f := range faults {
		out = append(out,
			Problem{Path: []string{"coloring", strconv.Itoa(f.Rule), f.Key}, Text: f.Text, More: f.More})
	}
	return out
}
