package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/view"
)

// clickOn clicks on the first line of the screen that holds a text, on the text itself.
func (x *screen) clickOn(what string) {
	x.t.Helper()
	for y, l := range strings.Split(x.text(), "\n") {
		if before, _, ok := strings.Cut(l, what); ok {
			x.send(tea.MouseClickMsg{X: paint.Width(before) + 1, Y: y, Button: tea.MouseLeft})
			return
		}
	}
	x.t.Fatalf("no %q:\n%s", what, x.text())
}

// closeOffers closes the list below the line that is typed, by a click beside it.
func (x *screen) closeOffers() {
	x.t.Helper()
	if x.text(); x.m.line.Lists() {
		x.send(tea.MouseClickMsg{X: 1, Y: 33, Button: tea.MouseLeft})
	}
	if x.m.line.Lists() || !x.m.line.IsOpen() {
		x.t.Fatalf("a click beside the list does not close it alone:\n%s", x.text())
	}
}

func (x *screen) wheel(button tea.MouseButton) {
	x.send(tea.MouseWheelMsg{X: 40, Y: 10, Button: button})
}

func TestHelpByMouse(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("?")
	x.clickOn("pane, zoom, layout") // on the sheet
	if x.m.help.IsOpen() || x.m.room.focus != paneTree {
		t.Error("a click on a key of the sheet does not do what it does")
	}
	x.keys("<tab><tab>??")
	first := strings.Split(x.text(), "\n")[3]
	x.wheel(tea.MouseWheelDown)
	if strings.Split(x.text(), "\n")[3] == first {
		t.Error("the wheel does not scroll the help")
	}
	for range 100 {
		x.wheel(tea.MouseWheelDown)
		x.text()
	}
	x.has("sngrep, mitmproxy")
	for range 100 {
		x.wheel(tea.MouseWheelUp)
	}
	if got := strings.Split(x.text(), "\n")[3]; !strings.Contains(got, "Move") && !strings.Contains(got, "Here") {
		t.Errorf("scrolled up, the help begins with %q", got)
	}
	x.keys("zoom")
	x.clickOn("zoom the pane")
	if x.m.help.IsOpen() || !x.m.room.zoomed {
		t.Error("a click on a key of the help does not do what it does")
	}
	x.keys("?")
	x.text()
	x.send(tea.MouseClickMsg{X: 1, Y: 30, Button: tea.MouseLeft})
	if x.m.help.IsOpen() {
		t.Error("a click beside the help does not close it")
	}
}

func TestPaletteByMouse(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys(":zoom")
	x.clickOn("zoom the pane")
	if !x.m.room.zoomed || x.m.line.IsOpen() {
		t.Error("a click on an action of the palette does not do it")
	}
	x.keys(":go to a packet, as")
	x.clickOn(":goto NUMBER")
	if !x.m.line.IsOpen() || x.m.line.Value() != "goto " {
		t.Errorf("a command that wants more: %q is in the line", x.m.line.Value())
	}
	x.keys("<esc>:")
	x.wheel(tea.MouseWheelDown)
	x.has("4 of ")
	x.send(tea.MouseClickMsg{X: 1, Y: 33, Button: tea.MouseLeft})
	if x.m.line.IsOpen() {
		t.Error("a click beside the palette does not close it")
	}
}

func TestCompletionsByMouse(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/udp.dst")
	x.clickOn("udp.dstport ")
	if got := x.m.line.Value(); strings.TrimSpace(got) != "udp.dstport" || !x.m.line.IsOpen() {
		t.Errorf("a click on a completion gives %q", got)
	}
	x.closeOffers()
	x.send(tea.MouseClickMsg{X: paint.Width(" / ") + 2, Y: 1, Button: tea.MouseLeft})
	x.keys("X")
	if got := x.m.line.Value(); !strings.HasPrefix(got, "udXp.dstport") {
		t.Errorf("behind a click in the line, X makes %q", got)
	}
}

func TestQuestionByMouse(t *testing.T) {
	x := open(t, 120, 36, Config{})
	did := false
	x.m.dialog.Ask("Sure?", "A question that takes an answer.",
		view.Answer{Act: act.AnswerYes, Label: "do it", Do: func() { did = true }})
	x.clickOn("A question")
	if !x.m.dialog.Asking() {
		t.Fatal("a click on the question answers it")
	}
	x.clickOn("do it")
	if !did || x.m.dialog.Asking() {
		t.Error("a click on an answer does not give it")
	}
}

// TestMouseOff gives the mouse to the terminal and takes it back, and says how to select text with it.
func TestMouseOff(t *testing.T) {
	x := open(t, 120, 36, Config{})
	p := x.m.room.layout()
	drag := func() {
		x.send(tea.MouseClickMsg{X: 60, Y: p.tree.y + 3, Button: tea.MouseLeft})
		x.send(tea.MouseMotionMsg{X: 70, Y: p.tree.y + 3, Button: tea.MouseLeft})
		x.send(tea.MouseReleaseMsg{X: 70, Y: p.tree.y + 3})
	}
	drag()
	x.has("hold Shift to select text")
	x.keys("j")
	drag()
	x.hasNot("hold Shift")
	for _, off := range []string{":set mouse=off<enter>", ":set nomouse<enter>", ":set mouse!<enter>"} {
		x.keys(off)
		if x.m.View().MouseMode != tea.MouseModeNone {
			t.Errorf("%s leaves the mouse on", off)
		}
		x.has("mouse=off")
		x.m.use(x.m.profile.read) // as when the files are read again
		if x.m.View().MouseMode != tea.MouseModeNone {
			t.Error("reading the settings again takes the mouse back")
		}
		x.keys(":set mouse=on<enter>")
		if x.m.View().MouseMode != tea.MouseModeCellMotion {
			t.Error("the mouse does not come back")
		}
	}
	for typed, want := range map[string]string{"mice": ":set takes one of mouse", "mouse=maybe": "mouse may be on, off",
		"theme": "it may be dark", "theme=light": "theme=light", "time=ad": "time=ad"} {
		x.keys(":set " + typed + "<enter>")
		x.has(want)
	}
}

// TestLongNotice takes the lines that it needs, and never ends without a sign that there is more.
func TestLongNotice(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}} {
		x := open(t, size[0], size[1], Config{})
		for _, words := range []int{3, 30, 60, 400} {
			x.m.foot.Notice = strings.Repeat("word ", words) + "end"
			x.m.look.stale = true
			lines := strings.Split(x.text(), "\n")
			if len(lines) != size[1] {
				t.Fatalf("%d lines on a screen of %d", len(lines), size[1])
			}
			if text := strings.Join(lines, "\n"); !strings.Contains(text, "end") && !strings.Contains(lines[len(lines)-1], "…") {
				t.Errorf("%d words at %d columns are cut without a sign:\n%s", words, size[0], text)
			}
		}
	}
}
