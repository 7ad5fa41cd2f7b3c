package keying

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"remora/protocols"
	"remora/ui/act"
	"remora/ui/marks"
	"remora/ui/view/viewtest"
	"remora/ui/widget"
)

// screen remembers what keys did.
type screen struct {
	shown  *viewtest.Screen
	keying *Keying
	marks  *marks.Marks
	done   []act.Action
	counts []int
	set    []rune
	went   []rune
	notice string
	facets bool
}

func (x *screen) Style() *widget.Style { return x.shown.Style() }
func (x *screen) Screen() (w, h int)   { return 80, 24 }
func (x *screen) InFacets() bool       { return x.facets }
func (x *screen) Pointed() []Pointed   { return []Pointed{{"copy the row", act.CopyRow}} }
func (x *screen) Meant() string        { return "dns" }
func (x *screen) SetMark(r rune)       { x.set = append(x.set, r) }
func (x *screen) GoToMark(r rune)      { x.went = append(x.went, r) }
func (x *screen) Tell(act.Action)      {}
func (x *screen) Notify(text string)   { x.notice = text }
func (x *screen) Do(a act.Action, n int) {
	x.done, x.counts = append(x.done, a), append(x.counts, n)
}

func open(t *testing.T) *screen {
	x := &screen{shown: viewtest.OpenSample(t, protocols.All(), 80, 24), marks: marks.New()}
	x.keying = New(x, x.marks)
	return x
}

// press presses keys, and does what they stand for.
func (x *screen) press(keys ...string) {
	for _, k := range keys {
		if does, n := x.keying.Press(k); does != act.None {
			x.Do(does, n)
		}
	}
}

// TestCountsAndLongKeys: a count goes with the key behind it, longer keys wait, and what is none says so.
func TestCountsAndLongKeys(t *testing.T) {
	x := open(t)
	x.press("1", "2", "j", "g")
	if x.keying.Pressed() != "g" || !x.keying.Waits() {
		t.Errorf("%q is pressed", x.keying.Pressed())
	}
	x.press("g", "g", "!")
	if !slices.Equal(x.done, []act.Action{act.Down, act.First}) || x.counts[0] != 12 || x.counts[1] != 0 ||
		!strings.HasPrefix(x.notice, "there is no ") {
		t.Errorf("done are %v with %v: %s", x.done, x.counts, x.notice)
	}
	if x.keying.Waits() {
		t.Error("more is waited for")
	}
	x.facets = true
	if x.press("space"); x.done[2] != act.Select {
		t.Errorf("in the facets Space does %v", x.done[2])
	}
}

// TestLettersOfMarks: the keys of marks take a letter.
func TestLettersOfMarks(t *testing.T) {
	x := open(t)
	x.press("m", "a", "'", "b", "m", "7")
	if string(x.set) != "a" || string(x.went) != "b" || x.notice != "marks are letters" {
		t.Errorf("set %q, went to %q: %s", string(x.set), string(x.went), x.notice)
	}
	x.marks.Set('k', 5)
	x.press("'")
	if words := x.keying.Choices(); !slices.Contains(words, "packet 5") {
		t.Errorf("to choose from are %q", words)
	}
}

// TestTheListOpensForThoseWhoWait, and a click does one of its lines or closes it.
func TestTheListOpensForThoseWhoWait(t *testing.T) {
	x := open(t)
	x.press("g")
	x.keying.OpenMenu()
	if x.keying.Shown() || !x.keying.Due() {
		t.Error("the list is open at once")
	}
	x.keying.menu.since = time.Now().Add(-time.Hour)
	if x.keying.OpenMenu(); !x.keying.Shown() {
		t.Fatal("the list does not open")
	}
	x.keying.End()
	x.keying.Point("ip.src == 10.0.0.1")
	x.keying.Use(10, 5)
	lines := slices.Repeat([]string{strings.Repeat(" ", 80)}, 24)
	x.keying.Over(lines)
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(ansi.Strip(l), "copy the row") })
	if at < 0 || !strings.Contains(ansi.Strip(strings.Join(lines, "\n")), "ip.src == 10.0.0.1") {
		t.Fatalf("the list is\n%s", strings.Join(lines, "\n"))
	}
	text := ansi.Strip(lines[at])
	if !x.keying.Click(len([]rune(text[:strings.Index(text, "copy")])), at, false) || len(x.done) != 1 ||
		x.done[0] != act.CopyRow || x.keying.Shown() {
		t.Errorf("the click did %v", x.done)
	}
	x.keying.Use(10, 5)
	x.keying.Over(lines)
	if x.keying.Click(79, 0, true) || x.keying.Shown() {
		t.Error("the right button elsewhere was taken")
	}
}
