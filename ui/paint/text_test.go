package paint

import "testing"

// TestFitWords: a name that has no room loses what is in brackets, then words at its end, and no part of a word.
func TestFitWords(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"Echo (ping) request", 19, "Echo (ping) request"}, {"Echo (ping) request", 15, "Echo request   "},
		{"Multicast Listener Report Message v2", 30, "Multicast Listener Report…    "},
		{"P_CONTROL_HARD_RESET_SERVER_V2", 24, "P_CONTROL_HARD_RESET…   "}, {"Active Discovery Offer (PADO)", 23,
			"Active Discovery Offer…"}, {"Reassociation", 8, "Reassoc…"}, {"SYN", 0, ""}, {"日本語", 4, "日… "}} {
		if got := FitWords(c.in, c.n); got != c.want || Width(got) != c.n {
			t.Errorf("%q in %d is %q, want %q", c.in, c.n, got, c.want)
		}
	}
}
