package ui

import (
	"strings"
	"testing"
	"time"

	"remora/ui/keymap"
	"remora/ui/paint"
)

// TestKeyLineEndsInTheHelp holds every key line, however narrow, to show the key of the help, in views behind the way back,
// and to cut no word.
func TestKeyLineEndsInTheHelp(t *testing.T) {
	for _, wh := range screens {
		for keys, back := range map[string]bool{"": false, "f": false, "gt": true, "gc": true, "gn": true, "gi": true, "gr": true, "3Ggf": true, "7GD": true, "3G<tab>jjP": true} {
			x := open(t, wh[0], wh[1], Config{}).keys(keys)
			lines := strings.Split(x.text(), "\n")
			last := strings.TrimRight(lines[len(lines)-1], " ")
			if !strings.HasSuffix(last, "? all keys") && !strings.HasSuffix(last, "? keys") || back && !strings.Contains(last, "q back") {
				t.Errorf("%q at %v: the keys are %q", keys, wh, last)
			}
		}
	}
}

// TestTwoQuickEscapes: a terminal sends them as one key.
func TestTwoQuickEscapes(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/tcp<alt+esc>j")
	if x.m.cur != 2 || x.m.editing != editNone {
		t.Errorf("at packet %d, still writing: %v", x.m.cur, x.m.editing != editNone)
	}
}

// TestValuesOfferedShowTheirShare: a value stands with its number, how many packets have it, and a bar.
func TestValuesOfferedShowTheirShare(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/touhou.type == ")
	for range 200 { // what there is in the capture is looked for beside the screen
		if strings.Contains(x.text(), "≈ 40") {
			break
		}
		time.Sleep(10 * time.Millisecond)
		x.send(tick{})
	}
	for _, l := range strings.Split(x.text(), "\n") {
		if strings.Contains(l, "GAME_INPUT") && strings.Contains(l, "0x0d03") {
			if !strings.Contains(l, "≈ 40") || !strings.Contains(l, "████") || strings.Contains(l, "GAME_INPUT (") {
				t.Errorf("the value stands as %q", l)
			}
			return
		}
	}
	t.Errorf("no value:\n%s", x.text())
}

func TestFitMiddleKeepsBothEnds(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"Echo (ping) request", 16, "Echo (pi…request"}, {"Echo (ping) reply", 16, "Echo (pi…) reply"}, {"HELLO", 8, "HELLO   "}, {"日本語の名前です", 9, "日本…です"}} {
		if got := paint.FitMiddle(c.in, c.n); got != c.want || paint.Width(got) != c.n {
			t.Errorf("%q in %d is %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

// TestTypesAreShortenedInBrackets: where a packet type does not fit, what it has in brackets goes first.
func TestTypesAreShortenedInBrackets(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{{"Echo (ping) request", 19, "Echo (ping) request"}, {"Echo (ping) request", 15, "Echo request"}, {"Something (that ends)", 15, "Something (that ends)"}, {"GAME_INPUT", 4, "GAME_INPUT"}} {
		if got := shortType(c.in, c.w); got != c.want {
			t.Errorf("%q in %d is %q, want %q", c.in, c.w, got, c.want)
		}
	}
}

// TestMenusFitEightyCells: what may follow a first key is not cut on the smallest terminal that is promised.
func TestMenusFitEightyCells(t *testing.T) {
	for key, menu := range keymap.Menus {
		if w := paint.Width(key) + paint.Width(menu) + 2; w > 80 {
			t.Errorf("the menu of %q takes %d cells", key, w)
		}
	}
}
