package set

import (
	"testing"
)

func TestASettingIsChanged(t *testing.T) {
	mouse, theme, filter, check := true, "dark", "", "TRUE"
	all := Settings{
		{Name: "mouse", Help: "the mouse", Now: func() string { return OnOff(mouse) },
			Set:  func(w string) { mouse = w == "on" },
			More: func() string { return map[bool]string{false: ": the terminal has it"}[mouse] }},
		{Name: "theme", Words: func() []string { return []string{"dark", "light"} }, Help: "the colours",
			Now: func() string { return theme }, Set: func(w string) { theme = w }},
		{Name: "check", Words: func() []string { return []string{"TRUE", "FALSE"} }, Help: "a preference",
			Now: func() string { return check }, Set: func(w string) { check = w }},
		{Name: "capture_filter", Free: "a capture filter", Help: "for the next capture", Now: func() string { return filter },
			SetFree: func(text string) string { filter = text; return "later" }},
	}
	for _, c := range [][2]string{
		{"mouse", "mouse=on; it may be on, off"}, {"nomouse", "mouse=off: the terminal has it"}, {"mouse!", "mouse=on"},
		{"mouse = 0", "mouse=off: the terminal has it"}, {"mouse=true", "mouse=on"}, {"mouse=maybe", "mouse may be on, off"},
		{"theme=light", "theme=light"}, {"theme=Dark", "theme=dark"}, {"theme=light", "theme=light"},
		{"mouse=OFF", "mouse=off: the terminal has it"}, {"mouse=Yes", "mouse=on"}, {"check=false", "check=FALSE"},
		{"check=on", "check=TRUE"}, {"check=2", "check may be TRUE, FALSE"},
		{"theme!", ":set takes one of mouse, theme, check, capture_filter, as in :set mouse=off"},
		{"notheme", ":set takes one of mouse, theme, check, capture_filter, as in :set mouse=off"},
		{"theme", "theme=light; it may be dark, light"},
		{"capture_filter= udp port 53 ", "later"},
		{"capture_filter", "capture_filter=udp port 53; it may be a capture filter"},
	} {
		if got := all.Command(c[0]); got != c[1] {
			t.Errorf(":set %s says %q, want %q", c[0], got, c[1])
		}
	}
	if got := all.Offers("m"); len(got) != 2 || got[0].Text != "mouse=on" || got[1].Doc != "the mouse" {
		t.Errorf("offered are %v", got)
	}
	if got := all.Offers("ca"); len(got) != 1 || got[0].Text != "capture_filter=" {
		t.Errorf("offered are %v", got)
	}
}
