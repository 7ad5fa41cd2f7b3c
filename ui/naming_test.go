package ui

import (
	"errors"
	"testing"

	"remora/dissect"
)

// TestNamesChosenOnTheScreen has :set and the file of settings choose other names, at once.
func TestNamesChosenOnTheScreen(t *testing.T) {
	var x *screen
	var asked string
	x = open(t, 120, 36, Config{Name: func(letters string) (Names, error) {
		if asked = letters; letters == "q" {
			return Names{}, errors.New("q is no letter")
		}
		n := &dissect.Naming{}
		if letters == "en" {
			n.Host = func(dissect.Addr) string { return "somewhere" }
		}
		x.m.cfg.Registry.SetNaming(n)
		return Names{NoEnds: true}, nil
	}})
	x.hasNot("somewhere")
	x.keys(":set resolve=en<enter>")
	x.has("somewhere")
	x.keys(":set resolve=q<enter>")
	x.has("names stay as they are: q is no letter", "somewhere")
	x.keys(":set resolve<enter>")
	x.has("resolve=en; it may be letters of -N")
	x.m.onSettings(settingsRead{s: Settings{Resolve: "t"}})
	for later := x.m.jobs.Next(); later != nil; later = x.m.jobs.Next() {
		x.send(later())
	}
	x.hasNot("somewhere")
	if asked != "t" || !x.m.cfg.NoEnds {
		t.Errorf("asked for %q", asked)
	}
	x.keys(":set capture_filter=nonsense here<enter>")
	x.has("the capture filter stays")
	x.keys(":set capture_filter=udp port 53<enter>")
	x.has("capture_filter is for the next capture")
	if got := x.m.cfg.Capture.Filter; got != "udp port 53" {
		t.Errorf("the capture filter is %q", got)
	}
}
