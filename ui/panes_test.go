package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/view"
)

// TestArrangementsFillTheScreen goes through all arrangements, zooms and screens: every line is exactly as wide as the
// screen.
func TestArrangementsFillTheScreen(t *testing.T) {
	for _, wh := range screens {
		x := open(t, wh[0], wh[1], Config{})
		for range arrangements {
			for range panes {
				for range 2 {
					lines := strings.Split(x.text(), "\n")
					if len(lines) != wh[1] {
						t.Fatalf("%v: %d lines, want %d", wh, len(lines), wh[1])
					}
					for i, l := range lines {
						if paint.Width(l) != wh[0] {
							t.Fatalf("%v, arrangement %d: line %d is %d wide:\n%s", wh, x.m.room.sizes.arrangement, i, paint.Width(l),
								x.text())
						}
					}
					x.keys(`\`)
				}
				x.keys("<tab>")
			}
			x.keys("|")
		}
	}
}

func TestSizesStayWithinTheScreen(t *testing.T) {
	x := open(t, 120, 36, Config{})
	for range arrangements {
		for _, key := range []string{">", "<", "+", "-"} {
			for range 40 {
				x.keys(key)
				for _, r := range []rect{x.m.room.layout().list, x.m.room.layout().tree, x.m.room.layout().hex} {
					if r.w < 20 || r.h < 2 || r.x+r.w > 120 || r.y+r.h > 34 {
						t.Fatalf("after %q a pane is %+v", key, r)
					}
				}
			}
		}
		x.keys("|")
	}
}

func TestDragRules(t *testing.T) {
	x := open(t, 120, 36, Config{})
	before := x.m.room.layout()
	x.send(tea.MouseClickMsg{X: 5, Y: before.rule.y, Button: tea.MouseLeft})
	x.send(tea.MouseMotionMsg{X: 5, Y: before.rule.y + 5})
	x.send(tea.MouseReleaseMsg{X: 5, Y: before.rule.y + 5})
	if after := x.m.room.layout(); after.rule.y < before.rule.y+4 {
		t.Errorf("dragged by 5, the rule went from %d to %d", before.rule.y, after.rule.y)
	}
	x.send(tea.MouseClickMsg{X: before.divider.x, Y: 30, Button: tea.MouseLeft})
	x.send(tea.MouseMotionMsg{X: before.divider.x + 10, Y: 30})
	x.send(tea.MouseReleaseMsg{X: before.divider.x + 10, Y: 30})
	if after := x.m.room.layout(); after.divider.x != before.divider.x+10 {
		t.Errorf("dragged by 10, the divider went from %d to %d", before.divider.x, after.divider.x)
	}
}

func TestSameTypeGoesThroughThePacketsOfOneType(t *testing.T) {
	x := open(t, 80, 24, Config{}).keys("3G")
	for want := dissect.FrameNum(5); want < 20; want += 2 {
		if x.keys("*"); x.m.selected.Frame != want {
			t.Fatalf("at packet %d, want %d", x.m.selected.Frame, want)
		}
	}
	if x.keys("#"); x.m.selected.Frame != 17 {
		t.Errorf("at packet %d, want 17", x.m.selected.Frame)
	}
}

func TestAFailedOrEndedSaveIsTold(t *testing.T) {
	x := open(t, 80, 24, Config{})
	x.m.palette.Do("wq " + filepath.Join(t.TempDir(), "missing", "x.pcap"))
	x.has("saving to")
	x.send(nil)
	if x.has("not saved"); x.m.ending.quit {
		t.Error("went on after a failed save")
	}
	x.m.palette.Do("w " + filepath.Join(t.TempDir(), "y.pcap"))
	x.keys("<esc>")
	x.send(nil)
	x.has("ended before all was written")
}

func TestQuestions(t *testing.T) {
	x := open(t, 80, 24, Config{})
	done := 0
	ask := func() {
		x.m.dialog.Ask("Leave?", "Packets are in no file yet.",
			view.Answer{Act: act.AnswerYes, Label: "leave", Do: func() { done++ }})
	}
	ask()
	x.has("Leave?", "y  leave", "n  go back")
	if x.keys("j"); !x.m.dialog.Asking() {
		t.Error("any key answers")
	}
	if x.keys("n"); x.m.dialog.Asking() || done != 0 {
		t.Error("n does not go back")
	}
	ask()
	if x.keys("<enter>"); x.m.dialog.Asking() || done != 0 {
		t.Error("a key too many does what was asked about")
	}
	ask()
	if x.keys("<down><enter>"); done != 1 {
		t.Error("Enter does not answer")
	}
}

func TestFiltersAreRemembered(t *testing.T) {
	dir := t.TempDir()
	open(t, 80, 24, Config{State: dir}).keys("/dns<enter>")
	x := open(t, 80, 24, Config{State: dir}).keys("/<up>")
	x.has("/ dns")
	if b, err := os.ReadFile(filepath.Join(dir, "filters")); err != nil || string(b) != "dns\n" {
		t.Errorf("%q (%v)", b, err)
	}
}

// TestNoSizeYet handles ticks and keys in front of the message that tells the terminal's size.
func TestNoSizeYet(t *testing.T) {
	x := open(t, 80, 24, Config{})
	x.m.room.w, x.m.room.h = 0, 0
	x.keys("jGgg")
	x.m.onTick()
	if n := x.m.room.layout().list.h; n < 0 {
		t.Errorf("the list has %d lines", n)
	}
}
