package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/dissect/dissecttest"
)

// TestViewsGolden draws every view at the three sizes.
func TestViewsGolden(t *testing.T) {
	for name, keys := range map[string]string{"facets": "f", "types": "gt", "talkers": "gc<tab>", "notes": "gn", "follow": "3Ggf", "help": "?"} {
		for _, wh := range screens[1:3] {
			x := open(t, wh[0], wh[1], Config{}).keys(keys)
			dissecttest.Compare(t, filepath.Join("testdata", name+"-"+itoa(wh[0])+"x"+itoa(wh[1])+".txt"), trimmed(x.text()))
		}
	}
}

func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestViewsFillTheScreen holds every view to the screen's size, also the smallest.
func TestViewsFillTheScreen(t *testing.T) {
	for _, keys := range []string{"f", "gt", "gc", "gc<tab>", "gc<tab><tab>", "gn", "3Ggf", "3Ggfv", "3Ggfvv", "?", "/udp"} {
		for _, wh := range screens {
			for _, ascii := range []bool{false, true} {
				x := open(t, wh[0], wh[1], Config{ASCII: ascii}).keys(keys)
				lines := strings.Split(x.text(), "\n")
				if len(lines) != wh[1] {
					t.Errorf("%q at %v: %d lines", keys, wh, len(lines))
				}
				for i, l := range lines {
					if width(l) != wh[0] {
						t.Errorf("%q at %v: line %d is %d wide:\n%s", keys, wh, i, width(l), x.text())
						break
					}
				}
			}
		}
	}
}

func TestFacetsTick(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("f")
	x.has("Facets", "[■] Touhou", "GAME_INPUT")
	find := func(text string) {
		t.Helper()
		x.keys("gg")
		for range 40 {
			f := x.m.facets.rows[x.m.facets.cur]
			if name, _ := facetName(x.m, f); name == text {
				return
			}
			x.keys("j")
		}
		t.Fatalf("no line %q in the facets:\n%s", text, x.text())
	}
	for _, step := range []struct{ line, keys, filter, count string }{
		{"DNS", "o", "dns", "2 of 82"},
		{"UDP", "<space>", `dns || _ws.col.protocol == "UDP"`, "42 of 82"},
		{"Touhou", "<space>", `dns || touhou || _ws.col.protocol == "UDP"`, "82 of 82"},
		{"QUERY", "<space>", `(dns && !(dns.type == QUERY)) || touhou || _ws.col.protocol == "UDP"`, "81 of 82"},
		{"QUERY", "<space>", `dns || touhou || _ws.col.protocol == "UDP"`, "82 of 82"},
	} {
		find(step.line)
		x.keys(step.keys)
		if got := x.m.filterText(); got != step.filter {
			t.Errorf("%s on %s: %s\nwant %s", step.keys, step.line, got, step.filter)
		}
		x.has(step.count)
	}
	x.keys("<esc>f/udp.srcport == 53<enter>f")
	find("DNS")
	x.has("[▪] DNS")
	x.keys("<space>")
	x.has("0 of 82") // what another filter shows is narrowed
}

func TestMarksAndColumns(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("7Gmaj<space>gg'a")
	if x.m.cur != 7 {
		t.Errorf("the mark leads to %d", x.m.cur)
	}
	x.has("a     7", "*     8")
	x.keys("<tab>jj") // a field of the tree
	name := x.m.tree.Field(x.m.selectedNode()).Label()
	x.keys("C")
	x.has(name[:min(8, len(name))])
	if len(x.m.columns) != len(standardColumns())+1 {
		t.Error("no further column")
	}
	x.keys("C")
	if len(x.m.columns) != len(standardColumns()) {
		t.Error("the column stays")
	}
}

func TestUndoGoesBackThroughFilters(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/dns<enter>/<ctrl+u>touhou<enter>")
	for _, want := range []string{"dns", "", ""} {
		x.keys("u")
		if got := x.m.filterText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestRibbonGoesToATime(t *testing.T) {
	x := open(t, 120, 36, Config{})
	r := x.m.layout().ribbon
	x.send(tea.MouseClickMsg{X: r.x + 1 + x.m.ribbonWidth(r)/2, Y: r.y, Button: tea.MouseLeft})
	x.send(tea.MouseReleaseMsg{X: r.x + 1 + x.m.ribbonWidth(r)/2, Y: r.y})
	if x.m.cur < 38 || x.m.cur > 45 {
		t.Errorf("the middle is packet %d", x.m.cur)
	}
	x.send(tea.MouseClickMsg{X: r.x + 1, Y: r.y, Button: tea.MouseLeft})
	x.send(tea.MouseMotionMsg{X: r.x + 20, Y: r.y})
	x.send(tea.MouseReleaseMsg{X: r.x + 20, Y: r.y})
	x.settle()
	if !strings.HasPrefix(x.m.filterText(), "frame.time_relative >= 0.000000 && ") {
		t.Errorf("the filter is %q", x.m.filterText())
	}
}

func TestFollowReadsAndSaves(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("1Ggf")
	x.has("Follow", "10.0.0.1:40000", "messages", "QUERY", "Standard query 0x1234")
	x.keys("vv/example<enter>")
	path := filepath.Join(t.TempDir(), "talk.bin")
	x.keys("w" + path + "<enter>")
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "\x07example\x03org") {
		t.Errorf("%d bytes (%v)", len(b), err)
	}
	x.keys("q")
	x.has("[Packets]")
	x.hasNot("Follow")
	if x.m.filterText() != "" {
		t.Errorf("a filter stays: %s", x.m.filterText())
	}
}
