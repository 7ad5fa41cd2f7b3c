package dialog

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/ui/act"
	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// screen is a blank one of 80 by 24 cells.
type screen struct {
	t      *testing.T
	style  widget.Style
	dialog *Dialog
}

func (x *screen) Style() *widget.Style { return &x.style }
func (x *screen) Screen() (w, h int)   { return 80, 24 }
func (x *screen) Tell(act.Action)      {}

func open(t *testing.T) *screen {
	x := &screen{t: t, style: widget.Style{Pens: paint.NewPens("", true, false, true), Keys: &keys.Standard}}
	x.dialog = New(x)
	return x
}

func (x *screen) text() string {
	lines := make([]string, 24)
	for i := range lines {
		lines[i] = strings.Repeat(" ", 80)
	}
	x.dialog.Over(lines)
	return ansi.Strip(strings.Join(lines, "\n"))
}

func (x *screen) has(parts ...string) {
	x.t.Helper()
	for _, p := range parts {
		if !strings.Contains(x.text(), p) {
			x.t.Errorf("no %q in\n%s", p, x.text())
		}
	}
}

// at is where a text stands on the screen.
func (x *screen) at(what string) (col, row int) {
	for y, l := range strings.Split(x.text(), "\n") {
		if before, _, ok := strings.Cut(l, what); ok {
			return paint.Width(before), y
		}
	}
	x.t.Fatalf("no %q in\n%s", what, x.text())
	return 0, 0
}

func TestAQuestionStaysUntilItIsAnswered(t *testing.T) {
	x := open(t)
	said := ""
	ask := func() {
		x.dialog.Ask("Quit?", "12 unsaved packets.",
			view.Answer{Act: act.AnswerSave, Label: "save them first", Do: func() { said += "save " }},
			view.Answer{Act: act.AnswerDiscard, Label: "don't save, quit", Do: func() { said += "discard " }})
	}
	ask()
	x.has("Quit?", "12 unsaved packets.", "n  go back", "w  save them first", "d  don't save, quit")
	if x.dialog.Key("j", ""); !x.dialog.Asking() {
		t.Fatal("j answers")
	}
	x.dialog.Key("enter", "") // the one it begins with goes back
	ask()
	if x.dialog.Key("y", ""); !x.dialog.Asking() {
		t.Fatal("y throws packets away")
	}
	x.dialog.Key("up", "")
	x.dialog.Key("enter", "")
	ask()
	x.dialog.Key("W", "") // with Caps Lock
	ask()
	if x.dialog.Click(x.at("unsaved")); !x.dialog.IsOpen() {
		t.Fatal("a click on the question answers it")
	}
	x.dialog.Click(x.at("don't save"))
	ask()
	x.dialog.Key("n", "")
	if said != "discard save discard " || x.dialog.IsOpen() {
		t.Errorf("said %q, open: %v", said, x.dialog.IsOpen())
	}
}

func TestATextIsScrolledWhereItIsLong(t *testing.T) {
	x := open(t)
	x.dialog.Show("a field", []string{"what it is"}, false)
	x.has("a field", "what it is", "any key closes")
	if x.dialog.Key("j", ""); x.dialog.IsOpen() {
		t.Error("j does not close what fits")
	}
	long := strings.Split(strings.Repeat("line\n", 40)+"the last", "\n")
	x.dialog.Show("long", long, true)
	x.has("↓ ↑ more")
	for range 40 {
		x.dialog.Key("j", "")
		x.text()
	}
	x.has("the last")
	x.dialog.Wheel(-100)
	if strings.Contains(x.text(), "the last") {
		t.Error("the wheel does not scroll back")
	}
	x.dialog.Ask("Sure?", "A question.")
	if x.has("Sure?"); !x.dialog.Asking() {
		t.Error("a text hides a question")
	}
	x.dialog.Key("n", "")
	x.has("long")
	if x.dialog.Click(1, 1); x.dialog.IsOpen() {
		t.Error("a click does not close a text")
	}
}
