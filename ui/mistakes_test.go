package ui

import (
	"errors"
	"strings"
	"testing"

	"remora/ui/foot"
	"remora/ui/paint"
)

// TestMistakesFit shows as many mistakes as the foot has room for, and counts the others.
func TestMistakesFit(t *testing.T) {
	all := Mistakes{"config.toml, line 1: one", "config.toml, line 2: two",
		"config.toml, line 3: " + strings.Repeat("three ", 60), "config.toml, line 9: four"}
	for _, c := range []struct {
		w, h int
		want string
	}{
		{40, 10, "kept: config.toml, line 1: one (and 3 more)"},
		{90, 10, "kept: config.toml, line 1: one | config.toml, line 2: two (and 2 more)"},
		{200, 40, "kept: " + strings.Join(all, " | ")},
		{3, 2, "kept: config.toml, line 1: one (and 3 more)"},
	} {
		m := &model{packetPanes: packetPanes{room: room{w: c.w, h: c.h}}}
		m.foot = foot.New(footContext{helpContext{viewContext{m}}}, nil)
		got := m.mistaken("kept: ", all)
		if got != c.want {
			t.Errorf("%d x %d: %q, want %q", c.w, c.h, got, c.want)
		}
		if c.w > 10 && paint.Width(got) > max(2, min(6, c.h/4))*c.w {
			t.Errorf("%q does not fit in %d x %d", got, c.w, c.h)
		}
	}
	if got := (&model{packetPanes: packetPanes{room: room{w: 80, h: 24}}}).
		mistaken("kept: ", errors.New("no right")); got != "kept: no right" {
		t.Error(got)
	}
}
