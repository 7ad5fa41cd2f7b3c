package help

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/protocols"
	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/view/viewtest"
	"remora/ui/widget"
)

// screen shows the help over an empty screen.
type screen struct {
	shown   *viewtest.Screen
	w, h    int
	t       *testing.T
	pane    *Pane
	hints   [][2]string
	sources bool
	done    []act.Action
}

func (x *screen) Style() *widget.Style                    { return x.shown.Style() }
func (x *screen) Screen() (w, h int)                      { return x.w, x.h }
func (x *screen) Here() (place string, hints [][2]string) { return "packets", x.hints }
func (x *screen) Sources() bool                           { return x.sources }
func (x *screen) Do(a act.Action)                         { x.done = append(x.done, a) }

// open opens the help on a screen of some size.
func open(t *testing.T, w, h int, sources bool) *screen {
	t.Helper()
	x := &screen{shown: viewtest.OpenSample(t, protocols.All(), w, h), w: w, h: h, t: t, sources: sources}
	x.pane = New(x)
	x.pane.Open()
	return x
}

// lines is the picture, whose lines must have the screen's width.
func (x *screen) lines() []string {
	x.t.Helper()
	lines := slices.Repeat([]string{strings.Repeat(" ", x.w)}, x.h)
	x.pane.Over(lines)
	for i, l := range lines {
		if w := paint.Width(l); w != x.w {
			x.t.Errorf("line %d is %d wide, not %d: %s", i, w, x.w, l)
		}
		lines[i] = ansi.Strip(l)
	}
	return lines
}

func (x *screen) has(parts ...string) {
	x.t.Helper()
	for _, p := range parts {
		if text := strings.Join(x.lines(), "\n"); !strings.Contains(text, p) {
			x.t.Errorf("%q is not in\n%s", p, text)
		}
	}
}

// TestPagesFollowEachOther goes through the pages on screens of all sizes; where a source is chosen there is no sheet.
func TestPagesFollowEachOther(t *testing.T) {
	for _, wh := range [][2]int{{60, 16}, {80, 24}, {200, 50}} {
		x := open(t, wh[0], wh[1], false)
		x.has("Keys", "packets")
		x.pane.Key("?", "?")
		x.has("All keys", "type to search")
		x.pane.Key("tab", "")
		x.has("The filter language")
		x.pane.Key("tab", "")
		x.has("packets")
		if x.pane.Key("esc", ""); x.pane.IsOpen() {
			t.Error("Esc does not close the help")
		}
	}
	x := open(t, 80, 24, true)
	x.has("All keys")
	x.pane.Key("tab", "")
	x.pane.Key("tab", "")
	x.has("All keys")
}

// TestTypingSearchesAndEnterRuns finds a key by its words and runs it.
func TestTypingSearchesAndEnterRuns(t *testing.T) {
	x := open(t, 120, 40, false)
	for _, letter := range "freeze" {
		x.pane.Key(string(letter), string(letter))
	}
	x.has("find freeze")
	x.pane.Key("enter", "")
	if !slices.Equal(x.done, []act.Action{act.Freeze}) || x.pane.IsOpen() {
		t.Errorf("%v was done", x.done)
	}
	x.pane.Open()
	for _, letter := range "xyzzy" {
		x.pane.Key(string(letter), string(letter))
	}
	x.has("No matches")
}

// TestKeysOfThePlaceComeFirst: what the view or pane says of its keys stands in front, and a click runs it.
func TestKeysOfThePlaceComeFirst(t *testing.T) {
	x := open(t, 120, 40, false)
	x.hints = [][2]string{{"Space", "tick"}, {"?", "all keys"}}
	for y, l := range x.lines() {
		if i := strings.Index(l, "Space"); i >= 0 && strings.Contains(l, "tick") {
			x.pane.Click(len([]rune(l[:i])), y)
			break
		}
	}
	if !slices.Equal(x.done, []act.Action{act.Select}) {
		t.Errorf("a click on Space does %v", x.done)
	}
	x.pane.Open()
	x.lines()
	x.pane.Wheel(3)
	x.lines()
	if x.pane.Click(0, 0); x.pane.IsOpen() {
		t.Error("a click beside the help does not close it")
	}
}

// TestSheetIsCutEvenly shares parts out among columns in their order.
func TestSheetIsCutEvenly(t *testing.T) {
	for _, c := range []struct {
		sizes   []int
		columns int
		want    []int
	}{{[]int{14, 7, 7, 5, 9}, 3, []int{0, 1, 1, 2, 2}}, {[]int{14, 7, 7, 5, 9}, 1, []int{0, 0, 0, 0, 0}},
		{[]int{2}, 3, []int{0}}, {[]int{3, 3}, 3, []int{0, 1}}} {
		if got := cutSheet(c.sizes, c.columns); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d columns: %v, want %v", c.sizes, c.columns, got, c.want)
		}
	}
}
