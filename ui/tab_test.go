package ui

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/ui/tabs"
)

// tabbed is a program without a terminal: its messages go where the library would hand them.
type tabbed struct {
	*screen
	p    *program
	quit bool
}

// inTabs goes on with a screen in its tab.
func inTabs(x *screen, w, h int) *tabbed {
	p := &tabbed{screen: x, p: x.m.look.program}
	x.t.Cleanup(func() {
		for _, s := range p.p.All() {
			s.Close()
		}
	})
	p.send(tea.WindowSizeMsg{Width: w, Height: h})
	return p
}

// send hands on a message, and what comes of it until nothing does.
func (x *tabbed) send(msg tea.Msg) {
	cmds := []tea.Cmd{x.p.Update(msg)}
	for ; len(cmds) > 0; cmds = cmds[1:] {
		if cmds[0] == nil {
			continue
		}
		switch msg := cmds[0]().(type) {
		case nil:
		case tea.BatchMsg:
			cmds = append(cmds, msg...)
		case tea.QuitMsg:
			x.quit = true
		default:
			cmds = append(cmds, x.p.Update(msg))
		}
	}
	x.m = modelOf(x.p.Shown())
}

// press presses keys as screen.keys does.
func (x *tabbed) press(script string) *tabbed {
	for script != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(script, "<"), ">"); ok && script[0] == '<' {
			x.send(special[name])
			script = rest
			continue
		}
		x.send(tea.KeyPressMsg{Code: rune(script[0]), Text: script[:1]})
		script = script[1:]
	}
	return x
}

// shows checks what is drawn, and that it fills the terminal.
func (x *tabbed) shows(w, h int, parts ...string) {
	x.t.Helper()
	x.m.look.stale = true
	text := ansi.Strip(x.p.View().Content)
	for i, line := range strings.Split(text, "\n") {
		if ansi.StringWidth(line) != w {
			x.t.Errorf("line %d has %d cells of %d", i, ansi.StringWidth(line), w)
		}
	}
	if n := strings.Count(text, "\n") + 1; n != h {
		x.t.Errorf("%d lines of %d", n, h)
	}
	for _, p := range parts {
		if !strings.Contains(text, p) {
			x.t.Errorf("the screen does not show %q:\n%s", p, text)
		}
	}
}

// TestStoryTabs has two captures side by side, each with its own filter, cursor and view.
func TestStoryTabs(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {120, 36}} {
		w, h := size[0], size[1]
		one := sampleFile(t, "one.pcap")
		x := inTabs(openFile(t, one, w, h), w, h)
		x.press("]t").shows(w, h, "there is one tab")
		x.press("/dns<enter>2G:tabnew " + sampleFile(t, "two.pcap") + "<enter>")
		x.shows(w, h, " 1 one.pcap ", " 2 two.pcap ", "no filter")
		x.press("5G/udp.port == 7000<enter>").shows(w, h, "40 of 82")
		x.press("[t").shows(w, h, "2 of 82", "dns")
		if x.m.selected.Frame != 2 {
			t.Errorf("packet %d is selected in the first tab", x.m.selected.Frame)
		}
		x.press("gt]t").shows(w, h, "40 of 82")
		x.press("1]t").shows(w, h, "sorted by packets")
		x.press("3]t").shows(w, h, "there is no tab 3; there are 2")
		x.press(":tabnext 2<enter>:tabnew none<enter>").shows(w, h, "40 of 82", "none")
		x.send(tea.MouseClickMsg{X: 3, Y: 0, Button: tea.MouseLeft})
		x.shows(w, h, "sorted by packets")
		x.press(":tabp<enter>:tabclose<enter>").shows(w, h, "sorted by packets")
		if len(x.p.All()) != 1 || x.quit {
			t.Errorf("%d tabs are left", len(x.p.All()))
		}
		if x.press("gpq"); !x.quit {
			t.Error("the last tab's end is not the program's")
		}
	}
}

// TestManyTabs keeps the one that is shown in view, and finds each by a click on its name.
func TestManyTabs(t *testing.T) {
	x := inTabs(openFile(t, sampleFile(t, "first.pcap"), 60, 20), 60, 20)
	for _, name := range strings.Fields("second third fourth fifth sixth seventh a-name-that-is-long-enough-to-be-cut") {
		x.press(":tabnew " + sampleFile(t, name+".pcap") + "<enter>")
	}
	x.shows(60, 20, "8 a-name")
	x.send(tea.MouseClickMsg{X: 2, Y: 0, Button: tea.MouseLeft})
	x.shows(60, 20, "4 fourth")
	if at := x.p.Shown().Label().Name; at != "fourth.pcap" {
		t.Errorf("the click showed %s", at)
	}
	x.press("]t]t]t]t]t").shows(60, 20, " 1 first.p")
}

// TestTabsHoldQuitting asks for each tab whose packets are not saved, and keeps those of the others.
func TestTabsHoldQuitting(t *testing.T) {
	x := inTabs(openFile(t, sampleFile(t, "one.pcap"), 120, 36), 120, 36)
	x.press(":tabnew " + sampleFile(t, "two.pcap") + "<enter>;late<enter>:tabnew " + sampleFile(t, "three.pcap") +
		"<enter>")
	x.shows(120, 36, "2 two.pcap +", "3 three.pcap")
	x.press(":qa<enter>").shows(120, 36, "Quit?", "Unsaved comments")
	if at := x.p.Shown().Label().Name; at != "two.pcap" || x.quit {
		t.Errorf("it is asked in %s, quit: %v", at, x.quit)
	}
	x.press("<esc>").shows(120, 36, "3 three.pcap")
	if x.press(":qa<enter>d"); !x.quit {
		t.Error("nothing is unsaved any more")
	}
	y := inTabs(openFile(t, sampleFile(t, "one.pcap"), 120, 36), 120, 36)
	if y.press(";late<enter>:qa!<enter>"); !y.quit {
		t.Error(":qa! asks")
	}
}

// TestAClosedTabIsForgotten: nothing of it stays in memory, not even of the first one.
func TestAClosedTabIsForgotten(t *testing.T) {
	gone := make(chan string, 2)
	p := func() *tabbed {
		cfg := openFile(t, sampleFile(t, "none.pcap"), 120, 36).m.cfg // the test holds that model
		cfg.Store, _ = cfg.Open(sampleFile(t, "one.pcap"))
		cfg.Session, _ = dissect.NewSession(cfg.Registry, cfg.Store)
		x := inTabs(&screen{t, newModel(context.Background(), cfg)}, 120, 36)
		x.press(":tabnew " + sampleFile(t, "two.pcap") + "<enter>:tabnew " + sampleFile(t, "three.pcap") + "<enter>")
		for _, s := range x.p.All()[:2] {
			m := modelOf(s)
			runtime.AddCleanup(m.packets.Session, func(name string) { gone <- name }, s.Label().Name)
		}
		return &tabbed{screen: &screen{t: t, m: x.m}, p: x.p}
	}()
	p.press("gt1]t:q<enter>1]tq")
	if n := len(p.p.All()); n != 1 {
		t.Fatalf("%d tabs are open", n)
	}
	for deadline := time.After(20 * time.Second); len(gone) < 2; {
		runtime.GC()
		select {
		case <-deadline:
			t.Fatalf("%d of 2 sessions are gone", len(gone))
		case <-time.After(time.Millisecond):
		}
	}
}

// TestATabThatFails is closed; the others go on and say why.
func TestATabThatFails(t *testing.T) {
	x := inTabs(openFile(t, sampleFile(t, "one.pcap"), 120, 36), 120, 36)
	x.press(":tabnew " + sampleFile(t, "two.pcap") + "<enter>")
	x.m.ending.quit, x.m.ending.failure = true, errors.New("the disk is gone")
	x.press("j").shows(120, 36, "two.pcap: the disk is gone", "one.pcap")
	if x.quit {
		t.Error("the program ends")
	}
}

var _ tabs.Screen = (*tab)(nil)
