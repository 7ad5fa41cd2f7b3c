package ui

import "testing"

// TestEmptyViewsExplainThemselves: where a filter leaves nothing, every view says so and how all packets come back.
func TestEmptyViewsExplainThemselves(t *testing.T) {
	for _, keys := range []string{"gt", "gc", "gc<tab>", "gc<tab><tab>", "gc<tab><tab><tab>", "gc<tab><tab><tab><tab>",
		"gc<tab><tab><tab><tab><tab>"} {
		open(t, 80, 24, Config{}).keys("/tcp<enter>" + keys + "<wait>").has("no packet matches; X shows all 82 again")
	}
	open(t, 80, 24, Config{}).keys("gc<tab>llll<wait>").has("no conversation of TCP is in the packets shown")
}
