package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/ui/paint"
)

func size(w, h int) tea.WindowSizeMsg { return tea.WindowSizeMsg{Width: w, Height: h} }

func unixTime(ns int64) time.Time { return time.Unix(0, ns) }

func keyPress(name string) tea.KeyPressMsg { return special[name] }

func TestMeanings(t *testing.T) {
	for bytes, wants := range map[string][]meaning{
		"\xfe\xff\x00\x00":                 {{"u8", "254", ""}, {"i8", "-2", ""}, {"u16", "65534", "65279"}, {"i16", "-2", "-257"}, {"u32", "65534", "4278124544"}, {"i32", "65534", "-16842752"}},
		"\x00\x00\xc8\x42":                 {{"f32", "100", "7.1839e-41"}, {"IPv4", "0.0.200.66", ""}},
		"\x18\x2d\x44\x54\xfb\x21\x09\x40": {{"f64", "3.141592653589793", "3.207375630676366e-192"}},
		"\x00\x5e\xd0\x65":                 {{"Unix s", "2024-02-17 07:19:28", ""}},
		"\x80\x16\xd7\xd5\xde\xb1\x9d\x01": {{"FILETIME", "1970-01-01 00:00:01", ""}},
		"\xe9\x7f\x93\x80\x80\x00\x00\x00": {{"NTP", "", "2024-02-20 21:09:20.5"}},
		"\x00\x60\x52\x58":                 {{"DOS", "2024-02-18 12:00:00", ""}},
		"\x02\x00\x00\x00\x00\x01\x00\x00": {{"MAC", "02:00:00:00:00:01", ""}},
		"\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01": {{"IPv6", "2001:db8::1", ""}, {"GUID", "b80d0120-0000-0000-0000-000000000001", ""}},
		"h\x00\xe9\x00\x00\x00":     {{"UTF-16 LE", `"hé"`, ""}, {"UTF-8", `"h"`, ""}},
		"\x83\x65\x83\x58\x83\x67":  {{"Shift-JIS", `"テスト"`, ""}},
		"\xe9t\xe9":                 {{"CP1252", `"été"`, ""}},
		"\x1b]0;\xe2\x80\xae\x00..": {{"UTF-8", `"\x1b]0;\u202E"`, ""}},
	} {
		got := meanings([]byte(bytes), 0)
		for _, want := range wants {
			found := false
			for _, m := range got {
				if m.name == want.name {
					found = m.low == want.low && (m.high == want.high || want.high == "")
					if !found {
						t.Errorf("% x as %s is %q, %q; want %q, %q", bytes, m.name, m.low, m.high, want.low, want.high)
						found = true
					}
				}
			}
			if !found {
				t.Errorf("% x is not told as %s", bytes, want.name)
			}
		}
	}
	for _, m := range meanings([]byte("\x01\x02\x03"), 3) {
		if m.name == "u24" && (m.low != "197121" || m.high != "66051") {
			t.Errorf("three bytes picked: %+v", m)
		}
	}
}

func TestExplainBytes(t *testing.T) {
	for _, wh := range screens {
		x := open(t, wh[0], wh[1], Config{}).keys("<tab><tab>ggK")
		x.has("little endian", "u16")
		for range 40 {
			x.keys("j")
		}
		if wh[1] < 36 && x.m.info == nil {
			t.Errorf("%v: j closes what does not fit", wh)
		} else if wh[1] >= 36 && x.m.info != nil {
			t.Errorf("%v: any key closes", wh)
		}
		if wh[1] < 36 {
			x.has("CP1252")
			x.keys("q")
		}
		if x.m.info != nil {
			t.Errorf("%v: q does not close", wh)
		}
		x.keys("ggvllK")
		x.has("u24", "3 B")
	}
}

func TestBytesOnALine(t *testing.T) {
	x := open(t, 200, 50, Config{}).keys(`<tab><tab>\`)
	for _, want := range []int{8, 16, 32, 16} {
		x.keys("W")
		if got := x.m.perLine(x.m.layout().hex.w); got != want {
			t.Errorf("%d bytes on a line, want %d", got, want)
		}
		p := x.m.layout().hex
		for i := range min(want*2, 60) {
			x.send(tea.MouseClickMsg{X: p.x + 7 + (i%want)*3 + (i%want)/8, Y: p.y + i/want, Button: tea.MouseLeft})
			if x.m.hex.cur != i {
				t.Fatalf("%d on a line: a click on byte %d selects %d", want, i, x.m.hex.cur)
			}
			x.send(tea.MouseClickMsg{X: p.x + 6 + 3*want + want/8 - 1 + 2 + i%want, Y: p.y + i/want, Button: tea.MouseLeft})
			if x.m.hex.cur != i {
				t.Fatalf("%d on a line: a click on the text of byte %d selects %d", want, i, x.m.hex.cur)
			}
		}
	}
	lines := strings.Split(x.text(), "\n")
	for i, l := range lines {
		if paint.Width(l) != 200 {
			t.Errorf("line %d is %d wide", i, paint.Width(l))
		}
	}
}

func TestCopyAsJSON(t *testing.T) {
	x := open(t, 120, 36, Config{})
	text, _ := x.m.copyText('j')
	if !strings.Contains(text, `"dns.qry.name": "www.example.org"`) || !strings.HasPrefix(text, "[") {
		t.Errorf("the packet as JSON is %s", text)
	}
}
