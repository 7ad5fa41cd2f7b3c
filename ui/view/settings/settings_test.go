package settings

import (
	"testing"

	"remora/protocols"
	"remora/ui/set"
	"remora/ui/view/viewtest"
)

// TestSettingsAreChanged turns one over, sets another and looks for a third.
func TestSettingsAreChanged(t *testing.T) {
	sum, keys, usual := "FALSE", "", "FALSE"
	all := func() set.Settings {
		return set.Settings{
			{Name: "tcp.check_checksum", Title: "Validate the checksum", Usual: &usual, Now: func() string { return sum },
				Words: func() []string { return []string{"TRUE", "FALSE"} }, Set: func(word string) { sum = word }},
			{Name: "tls.keylog_file", Title: "Secrets", Free: "a text", Now: func() string { return keys },
				SetFree: func(text string) string { keys = text; return "read" }},
		}
	}
	for _, size := range [][2]int{{60, 12}, {80, 24}, {120, 36}} {
		sum, keys = "FALSE", ""
		x := viewtest.OpenSample(t, protocols.All(), size[0], size[1])
		x.Show(New(x, all, func(*View) {}, ""))
		x.Has("2 settings", "tcp.check_checksum", "FALSE", "it takes TRUE, FALSE", "Validate the checksum")
		x.Keys("<enter>").Has("TRUE")
		x.Keys("j<enter>").Type("/tmp/keys").Has("/tmp/keys")
		if sum != "TRUE" || keys != "/tmp/keys" || x.Notice != "read" {
			t.Errorf("%s, %s, %s", sum, keys, x.Notice)
		}
		x.Keys("/").Type("checks").Has("1 setting with checks").HasNot("keylog")
		x.Keys("yy")
		if x.Copied != "tcp.check_checksum:TRUE" {
			t.Errorf("copied %q", x.Copied)
		}
		if x.Keys("<esc>").Has("keylog").Keys("q"); x.View != nil {
			t.Error("it is still there")
		}
	}
}
