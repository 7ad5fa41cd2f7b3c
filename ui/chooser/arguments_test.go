package chooser

import (
	"errors"
	"testing"

	"remora/capture"
	"remora/capture/extcap"
	"remora/capture/live"
)

// TestArgumentsOfACaptureProgram types them one after the other, and captures with what was typed.
func TestArgumentsOfACaptureProgram(t *testing.T) {
	x, _ := choose(t)
	var started capture.Options
	x.src.Live = func(opt capture.Options) (*capture.Store, error) {
		started = opt
		return nil, errors.New("no capture in this test")
	}
	x.src.Arguments = func(string) ([]extcap.Argument, error) {
		return []extcap.Argument{{Call: "--the-host", Display: "Host", Required: true, Tooltip: "Where it is"},
			{Call: "--how", Display: "Way", Type: "selector", Default: "a",
				Values: []extcap.Value{{Value: "a"}, {Value: "b"}}}}, nil
	}
	x.open(false)
	x.c.found.Interfaces = []live.InterfaceInfo{{Name: "thing", Description: "A thing", Kind: live.KindExtcap,
		LinkType: -1}}
	x.c.keepCursor()
	x.press("G<enter>")
	x.has("Host* (1/2)", "Where it is; Tab next")
	x.press("<enter>")
	x.has("Host has to be given")
	x.press("h1<tab>")
	x.has("Way (2/2)", ": a, b; Tab next")
	x.press("<backspace>c")
	x.has(`takes a, b, not "c"`)
	x.press("<backspace>b<enter>")
	if len(started.Interfaces) != 1 || started.Interfaces[0] != "thing" ||
		started.Extcap["extcap.thing.thehost"] != "h1" || started.Extcap["extcap.thing.how"] != "b" {
		t.Errorf("captured with %+v", started)
	}
}
