package widget

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"remora/ui/paint"
)

// TestTimesOfYearsStandApart: the labels of an axis never run into each other, however long it lasts.
func TestTimesOfYearsStandApart(t *testing.T) {
	s := &Style{Pens: paint.NewPens("dark", true, false, false)}
	const day = 24 * time.Hour
	for _, span := range []time.Duration{time.Millisecond, time.Minute, 100 * time.Hour, 200 * day, 36_500 * day} {
		line := ansi.Strip(s.TimeAxis(0, 0, int64(span), 120, 130))
		if labels := strings.Fields(line); len(labels) < 6 || strings.Contains(line, "d╵") || strings.Contains(line, "s╵") {
			t.Errorf("%v: %q", span, line)
		}
	}
}
