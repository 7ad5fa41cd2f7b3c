package ui

import (
	"strings"
	"testing"

	"remora/ui/humanize"
	"remora/ui/widget"
)

// TestNarrowViewsKeepTheirColumns looks for the last title of every table on the smallest screen: nothing is cut away
// there.
func TestNarrowViewsKeepTheirColumns(t *testing.T) {
	for keys, want := range map[string]string{"gt": "jitter", "gc": "bytes", "gc<tab>": "duration",
		"gc<tab><tab>": "received", "gc<tab><tab><tab>": "from it", "gc<tab><tab><tab><tab>": "max", "gn": "Filter",
		"3Ggf": "info"} {
		if x := open(t, 60, 16, Config{}).keys(keys); !strings.Contains(x.text(), want) {
			t.Errorf("%s has no column %q:\n%s", keys, want, x.text())
		}
	}
}

// TestCurvesAreToldApartWithoutColour draws several curves where colours are missing: each has a sign of its own then.
func TestCurvesAreToldApartWithoutColour(t *testing.T) {
	for _, plain := range []string{"", "yes"} {
		t.Setenv("NO_COLOR", plain)
		for keys, signs := range map[string][]string{"gt<space>j<space>jj": {"++ QUERY", "** Touhou", ".. UDP"},
			"3GgrPtouhou<enter>":            {".. all packets", "** touhou"},
			"3GgrPtouhou<enter>Pdns<enter>": {".. all packets", "** touhou", "++ dns"}} {
			x := open(t, 80, 24, Config{}).keys(keys)
			for _, sign := range signs {
				if strings.Contains(x.text(), sign) != (plain != "") {
					t.Errorf("NO_COLOR=%q, %s: %q, want it without colour alone:\n%s", plain, keys, sign, x.text())
				}
			}
		}
	}
}

func TestOneOfAThing(t *testing.T) {
	if got := humanize.Of(1, "group") + ", " + humanize.Of(2000, "group"); got != "1 group, 2 000 groups" {
		t.Error(got)
	}
	if got := widget.GroupNumbers("1012.35 packets/s, 4486 bytes of 2024, 4774 values"); got != "1 012.35 packets/s, 4 "+
		"486 bytes of 2024, 4 774 values" {
		t.Error(got)
	}
}

// TestAWordThatIsNoCommandIsSaidSo types one.
func TestAWordThatIsNoCommandIsSaidSo(t *testing.T) {
	open(t, 120, 36, Config{}).keys(":xyzzy").has("No matching command")
}

// TestInfoHasItsShare: Info has two fifths of a list of any size, and more.
func TestInfoHasItsShare(t *testing.T) {
	for size, least := range map[[2]int]int{{60, 16}: 24, {80, 24}: 32, {120, 36}: 46, {160, 50}: 62, {200, 50}: 46} {
		x := open(t, size[0], size[1], Config{})
		list := x.m.room.layout().list
		cols := x.m.list.Place(list.w)
		if c := cols[len(cols)-1]; c.Title != "Info" || c.W < least {
			t.Errorf("%v: %s has %d of %d", size, c.Title, c.W, list.w)
		}
	}
}

// TestTheFilterHasTheRoomThereIs types and applies a filter that is longer than half of the line.
func TestTheFilterHasTheRoomThereIs(t *testing.T) {
	long := "udp && frame.len > 20 && ip.ttl > 1 && dns"
	x := open(t, 80, 24, Config{}).keys("/" + long)
	x.has("/ " + long)
	x.keys("<enter>").has("/ "+long+" ", " of 82")
}
