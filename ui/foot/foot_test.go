package foot

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/capture"
	"remora/dissect/stats"
	"remora/protocols"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/view/viewtest"
)

// screen shows the foot of a sample.
type screen struct {
	*viewtest.Screen
	foot    *Foot
	w, h    int
	pressed string
	work    string
	row     string // of the selected packet, where the list cuts it
}

// asked is what the foot asks of the screen.
type asked struct{ *screen }

func (x asked) Screen() (w, h int)                { return x.w, x.h }
func (x asked) View() view.View                   { return nil }
func (x asked) Hints() [][2]string                { return nil }
func (x asked) Pressed() (keys string, more bool) { return x.pressed, x.pressed != "" }
func (x asked) Work() string                      { return x.work }
func (x asked) Picked() int                       { return 0 }
func (x asked) Found() string                     { return "dns found 2" }
func (x asked) Order() (string, bool)             { return "by Time", true }
func (x asked) Row(int) string                    { return x.row }
func (x asked) Profile() string                   { return "lan" }

func open(t *testing.T) *screen {
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), 120, 36), w: 120, h: 36}
	s := x.Scope().Session
	x.foot = New(asked{x}, &listed.Packets{Session: s, Store: s.Store(), All: stats.NewTally(s)})
	return x
}

func (x *screen) text(t *testing.T) string {
	t.Helper()
	lines := x.foot.Draw(x.w)
	for _, l := range lines {
		if paint.Width(l) != x.w {
			t.Errorf("%q is %d wide", ansi.Strip(l), paint.Width(l))
		}
	}
	return ansi.Strip(strings.Join(lines, "\n"))
}

func TestCountsAndKeysOrWhatThereIsToSay(t *testing.T) {
	x := open(t)
	has := func(parts ...string) {
		t.Helper()
		for _, p := range parts {
			if !strings.Contains(x.text(t), p) {
				t.Errorf("no %q in\n%s", p, x.text(t))
			}
		}
	}
	has("82 packets", "dns found 2", "by Time follow ↓  lan", "/ filter", "gd games", "? all keys")
	x.pressed = "g"
	has("? all keys", " g ")
	x.foot.Notice = strings.Repeat("word ", 60) + "end"
	has("▪ word", " g ") // the keys that may follow stay
	if x.pressed = ""; strings.Count(x.text(t), "\n") != 2 {
		t.Errorf("what there is to say takes\n%s", x.text(t))
	}
	has("end")
	x.work = "saving to a.pcap, 3 %"
	has("saving to a.pcap, 3 %; Esc ends it")
	x.w, x.work = 60, ""
	x.foot.Notice = strings.Repeat("word ", 400)
	has("…")
}

// TestLossesAreNamed: the status line says what was lost where, in tcpdump's words.
func TestLossesAreNamed(t *testing.T) {
	x := open(t)
	var l paint.Line
	st := capture.Status{InterfaceCounts: capture.InterfaceCounts{Dropped: 12, IfDropped: 3, InKernel: 5}}
	x.foot.dropped(&l, st, 120)
	if got, want := ansi.Strip(l.End(120)),
		"15 dropped (kernel 12) (interface 3)   5 left in the kernel"; strings.TrimSpace(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}
