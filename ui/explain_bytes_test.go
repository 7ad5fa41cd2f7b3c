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

func TestExplainBytes(t *testing.T) {
	for _, wh := range screens {
		x := open(t, wh[0], wh[1], Config{}).keys("<tab><tab>ggK")
		x.has("little endian", "u16")
		for range 40 {
			x.keys("j")
		}
		if wh[1] < 36 && !x.m.dialog.IsOpen() {
			t.Errorf("%v: j closes what does not fit", wh)
		} else if wh[1] >= 36 && x.m.dialog.IsOpen() {
			t.Errorf("%v: any key closes", wh)
		}
		if wh[1] < 36 {
			x.has("CP1252")
			x.keys("q")
		}
		if x.m.dialog.IsOpen() {
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
		if got := x.m.hex.PerLine(x.m.room.layout().hex.w); got != want {
			t.Errorf("%d bytes on a line, want %d", got, want)
		}
		p := x.m.room.layout().hex
		for i := range min(want*2, 60) {
			x.send(tea.MouseClickMsg{X: p.x + 7 + (i%want)*3 + (i%want)/8, Y: p.y + i/want, Button: tea.MouseLeft})
			if x.m.selected.Byte != i {
				t.Fatalf("%d on a line: a click on byte %d selects %d", want, i, x.m.selected.Byte)
			}
			x.send(tea.MouseClickMsg{X: p.x + 6 + 3*want + want/8 - 1 + 2 + i%want, Y: p.y + i/want, Button: tea.MouseLeft})
			if x.m.selected.Byte != i {
				t.Fatalf("%d on a line: a click on the text of byte %d selects %d", want, i, x.m.selected.Byte)
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
	text, _ := x.m.copier.Text('j')
	if !strings.Contains(text, `"dns.qry.name": "www.example.org"`) || !strings.HasPrefix(text, "[") {
		t.Errorf("the packet as JSON is %s", text)
	}
}
