package cli

import (
	"testing"

	"remora/dissect"
)

// TestHolding holds packets back until enough are behind them, nothing comes, or their time is over.
func TestHolding(t *testing.T) {
	var h holding
	back := func(total int, done bool, want int) {
		t.Helper()
		if got := h.back(total, done); got != want {
			t.Errorf("of %d packets %d may pass, want %d", total, got, want)
		}
	}
	back(10, false, 0)
	back(dissect.LookAhead+3, false, 3)
	h.tick(10, false)
	back(10, false, 0)
	h.tick(12, false) // more came
	back(12, false, 0)
	h.tick(12, false)
	back(12, false, 12)
	back(20, false, 12)
	h.tick(20, true)
	h.tick(30, true) // more came, but live
	back(30, false, 20)
	back(30, true, 30)
}
