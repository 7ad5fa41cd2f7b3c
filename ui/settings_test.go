package ui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"remora/dissect"
	"remora/ui/rules"
)

// drawnRow is a row of the packet list as it is drawn, with its colours.
func (x *screen) drawnRow(n dissect.FrameNum) string {
	x.t.Helper()
	x.m.look.stale = true
	lines := strings.Split(x.m.View().Content, "\n")
	return lines[x.m.room.layout().list.y+1+x.m.packets.Row(n)-x.m.list.Top()]
}

var ofDNS = []Rule{{Name: "answers", Filter: "dns.flags.response == 1", Foreground: "#ff0000", Background: "blue"},
	{Name: "names", Filter: "dns", Foreground: "warn", Bold: true}}

func TestColoringRules(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	x := open(t, 80, 24, Config{Settings: Settings{Theme: "dark", Coloring: ofDNS}}).keys("3G")
	for n, open := range map[dissect.FrameNum]string{1: "\x1b[1;38;5;179m", 2: "\x1b[38;2;255;0;0;44m"} {
		if row := x.drawnRow(n); !strings.HasPrefix(row, open) ||
			strings.Count(row, "\x1b[") != 1+strings.Count(row, "\x1b[m") {
			t.Errorf("row %d is %q, want it whole in %q", n, row, open)
		}
	}
	if row := x.drawnRow(4); strings.Contains(row, "179") || strings.Contains(row, "38;2;") {
		t.Errorf("row 4 matches no rule: %q", row)
	}
	x.keys("k")
	if row := x.drawnRow(2); strings.Contains(row, "38;2;255") || !strings.Contains(row, x.m.style.Pens.Selected.Open) {
		t.Errorf("the selected row is %q", row)
	}
	x.has("2 DNS › RESPONSE answers")
	x.keys("jH")
	x.has("coloring rules are off")
	if row := x.drawnRow(1); strings.HasPrefix(row, "\x1b[1;38") {
		t.Errorf("switched off, row 1 is %q", row)
	}
	x.keys(":coloring on<enter>")
	x.has("coloring rules are on: answers, names")
	if row := x.drawnRow(1); !strings.HasPrefix(row, "\x1b[1;38;5;179m") {
		t.Errorf("switched on, row 1 is %q", row)
	}
	x = open(t, 80, 24, Config{Settings: Settings{Coloring: ofDNS, NoColoring: true}}).keys("3G")
	if row := x.drawnRow(2); strings.Contains(row, "38;2;") {
		t.Errorf("off from the start, row 2 is %q", row)
	}
	t.Setenv("NO_COLOR", "1")
	x = open(t, 80, 24,
		Config{Settings: Settings{Theme: "dark", Coloring: ofDNS, Colors: map[string]string{"dim": "red"}}}).keys("3G")
	if row := x.drawnRow(1); !strings.HasPrefix(row, "\x1b[1m") || strings.Contains(row, "38;") {
		t.Errorf("without colour, row 1 is %q", row)
	}
	if got := x.m.View().Content; strings.Contains(got, "\x1b[3") {
		t.Error("a colour in spite of NO_COLOR")
	}
	for _, r := range StandardColoring() {
		if _, problems := rules.Prepare(x.m.cfg.Registry, x.m.cfg.Filters, []Rule{r}); len(problems) > 0 {
			t.Errorf("%s: %v", r.Name, problems)
		}
	}
}

func TestThemesAndPens(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("COLORFGBG", "")
	x := open(t, 80, 24,
		Config{Settings: Settings{Colors: map[string]string{"accent": "bold bright-green on #102030", "selected": "reverse",
			"red": "#f00"}}})
	if p := x.m.style.Pens; p.Accent.Open != "\x1b[1;92;48;2;16;32;48m" || p.Selected.Open != "\x1b[7m" ||
		p.Hues[dissect.HueRed].Open != "\x1b[38;2;255;0;0m" || p.Dim.Open != "\x1b[38;5;246m" {
		t.Errorf("%q", p)
	}
	x.send(tea.BackgroundColorMsg{Color: rgbColor{255, 255, 255}})
	if p := x.m.style.Pens; p.Dim.Open != "\x1b[38;5;241m" || p.Selected.Open != "\x1b[7m" {
		t.Errorf("on a light background: %q", p)
	}
	for theme, dim := range map[string]string{"dark": "\x1b[38;5;246m", "high-contrast": "\x1b[38;5;238m", "16": ""} {
		x.m.use(Settings{Theme: theme})
		if got := x.m.style.Pens.Dim.Open; got != dim {
			t.Errorf("%s: dim is %q, want %q", theme, got, dim)
		}
	}
	x.m.use(Settings{Theme: "dark"})
	x.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	x.m.look.stale = true
	if got := x.m.View().Content; strings.Contains(got, "38;5") || strings.Contains(got, "48;5") ||
		!strings.Contains(got, "\x1b[37m") {
		t.Error("a terminal with sixteen colours is sent others")
	}
}

type rgbColor [3]uint32

func (c rgbColor) RGBA() (r, g, b, a uint32) { return c[0] * 257, c[1] * 257, c[2] * 257, 0xffff }

func TestSettingsReadAgain(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	now, wrong := map[string]Settings{"": {Theme: "dark", TimeFormat: "r"}}, error(nil)
	src := Source{
		Load: func(profile string) (Settings, error) {
			s, ok := now[profile]
			if !ok {
				return s, errors.New("there is no profile called " + profile)
			}
			return s, wrong
		},
		Profiles: func() []string { return []string{"games", "work"} },
	}
	x := open(t, 80, 24, Config{Settings: now[""], Source: src}).keys("t5G")
	clock := x.m.list.Clock
	now[""] = Settings{Theme: "light", TimeFormat: "r", ASCII: true, Keys: map[string]string{"J": "packet.next"},
		Columns: []string{"No.", "udp.srcport"}, Coloring: ofDNS, Favourites: map[string]string{"games": "touhou"}}
	x.send(settingsChanged{})
	x.has("Settings reloaded", "> ", "40000")
	if x.m.list.Clock != clock {
		t.Errorf("the clock chosen on the screen is gone: %s", x.m.list.Clock)
	}
	if x.m.style.Pens.Dim.Open != "\x1b[38;5;241m" || x.drawnRow(2) == "" ||
		!strings.HasPrefix(x.drawnRow(2), "\x1b[38;2;255;0;0;44m") {
		t.Errorf("the new pens are not used: %q", x.drawnRow(2))
	}
	if x.keys("J"); x.m.selected.Frame != 6 {
		t.Errorf("the new key led to %d", x.m.selected.Frame)
	}
	x.keys("/").has("games", "favourite")
	x.keys("<esc>:fav games<enter>")
	x.has("40 of 82")
	x.keys(":unfav games<enter>")
	x.has("games is written in the settings")

	next := now[""]
	next.CaptureFilter, next.Resolve = "udp", "emn"
	now[""] = next
	x.m.room.w = 160
	x.send(settingsChanged{})
	x.has("Settings reloaded; capture_filter is for the next capture")
	if x.m.cfg.Capture.Filter != "udp" {
		t.Errorf("the next capture has the filter %q", x.m.cfg.Capture.Filter)
	}
	x.m.room.w = 80

	wrong = errors.New("config.toml, line 3: what is wrong")
	now[""] = Settings{}
	x.send(settingsChanged{})
	x.has("settings kept: config.toml, line 3: what is wrong")
	if x.m.style.Pens.Dim.Open != "\x1b[38;5;241m" || !x.m.style.ASCII {
		t.Error("wrong settings changed something")
	}

	wrong = nil
	now["games"] = Settings{TimeFormat: "e"}
	x.keys(":profile<enter>")
	x.has("profiles: games, work; :profile NAME takes one")
	x.keys(":profile g").has("1 of 1", "games")
	x.keys("<tab><enter>").has("profile games")
	if x.m.list.Clock != "e" || x.m.style.ASCII {
		t.Errorf("the profile's settings are not on: %s", x.m.list.Clock)
	}
	x.keys(":profile wrk<enter>").has("settings kept: there is no profile called wrk")
	x.keys(":profile<enter>").has("games is on, :profile none leaves it")
	x.keys(":profile none<enter>").has("no profile any more")
}

// TestDissectedAnew changes decode-as while a packet is selected in a filtered list: it stays selected.
func TestDissectedAnew(t *testing.T) {
	x := open(t, 80, 24, Config{}).keys("/udp.port == 7000<enter>").keys(":8<enter>ma")
	x.hasNot("Touhou")
	x.m.use(Settings{DecodeAs: []dissect.DecodeAs{{Table: dissect.TableUDP, Value: 7000, Protocol: "touhou"}}})
	x.settle()
	if x.m.selected.Frame != 8 || x.m.packets.FilterText() != "udp.port == 7000" || x.m.marks.Of(8) != 'a' {
		t.Errorf("packet %d is selected, want 8; filter %q, mark %q", x.m.selected.Frame, x.m.packets.FilterText(),
			x.m.marks.Of(8))
	}
	x.has("8 Touhou")
	x.keys("<esc>")
	x.m.use(Settings{})
	x.settle()
	if x.m.selected.Frame != 8 {
		t.Errorf("packet %d is selected, want 8", x.m.selected.Frame)
	}
	x.hasNot("8 Touhou")
	// What was typed stays when the settings change.
	x.m.cfg.DecodeAs = append(x.m.cfg.DecodeAs, dissect.DecodeAs{Table: dissect.TableUDP, Value: 7000, Protocol: "touhou"})
	for range 2 {
		x.m.use(Settings{Theme: "dark", DecodeAs: []dissect.DecodeAs{{Table: dissect.TableUDP, Value: 9, Protocol: "dns"}}})
		x.settle()
	}
	x.has("8 Touhou")
	if n := len(x.m.cfg.DecodeAs); n != 2 {
		t.Errorf("%d words of decode-as, want 2", n)
	}
}
