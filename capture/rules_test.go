package capture

import (
	"errors"
	"testing"
	"time"
)

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "512 MiB": 512 << 20, "2G": 2 << 30, "1.5 GiB": 3 << 29,
		"100000": 100000, "64kb": 64 << 10} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "much", "-1", "5 X", "NaN", "1e30 T"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

func TestRuleTexts(t *testing.T) {
	var stop StopRules
	var ring Ring
	for _, v := range []string{"duration:1.5", "filesize:100", "packets:7", "files:3"} {
		if err := errors.Join(stop.ParseStop(v), ring.ParseRing(v)); err != nil {
			t.Error(err)
		}
	}
	if (Ring{TimeNum: true}).On() || ring.ParseRing("nametimenum:2") != nil || !ring.TimeNum ||
		ring.ParseRing("nametimenum:3") == nil || ring.ParseRing("nametimenum:1") != nil || ring.TimeNum {
		t.Errorf("%+v", ring)
	}
	if (Ring{Names: "x"}).On() || ring.ParseRing("printname:") == nil || ring.ParseRing("printname:a:b") != nil ||
		ring.Names != "a:b" {
		t.Errorf("%+v", ring)
	}
	ring.Names = ""
	if err := ring.ParseRing("interval:3600"); err != nil {
		t.Error(err)
	}
	if stop != (StopRules{7, 1500 * time.Millisecond, 100_000, 3}) ||
		ring != (Ring{3, 100_000, 1500 * time.Millisecond, time.Hour, 7, false, ""}) {
		t.Errorf("%+v %+v", stop, ring)
	}
	for _, v := range []string{"", "duration", "duration:", "duration:x", "duration:-1", "duration:0", "packets:1.5",
		"interval:5", "files:NaN", "filesize:1e300"} {
		if err := stop.ParseStop(v); err == nil {
			t.Errorf("%q was taken", v)
		}
	}
}
