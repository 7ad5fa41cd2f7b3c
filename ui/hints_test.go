package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/dissect"
	"remora/ui/keys"
	"remora/ui/paint"
)

// TestKeyLineEndsInTheHelp holds every key line, however narrow, to show the key of the help, in views behind the way
// back, and to cut no word.
func TestKeyLineEndsInTheHelp(t *testing.T) {
	for _, wh := range screens {
		for keys, back := range map[string]bool{"": false, "f": false, "gt": true, "gc": true, "gn": true, "gi": true,
			"gr": true, "3Ggf": true, "7GD": true, "3G<tab>jjP": true} {
			x := open(t, wh[0], wh[1], Config{}).keys(keys)
			lines := strings.Split(x.text(), "\n")
			last := strings.TrimRight(lines[len(lines)-1], " ")
			if !strings.HasSuffix(last, "? all keys") && !strings.HasSuffix(last, "? keys") ||
				back && !strings.Contains(last, "q back") {
				t.Errorf("%q at %v: the keys are %q", keys, wh, last)
			}
		}
	}
}

// TestTwoQuickEscapes: a terminal sends them as one key.
func TestTwoQuickEscapes(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/tcp<alt+esc>j")
	if x.m.selected.Frame != 2 || x.m.line.IsOpen() {
		t.Errorf("at packet %d, still writing: %v", x.m.selected.Frame, x.m.line.IsOpen())
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
	}{{"Echo (ping) request", 16, "Echo (pi…request"}, {"Echo (ping) reply", 16, "Echo (pi…) reply"},
		{"HELLO", 8, "HELLO   "}, {"日本語の名前です", 9, "日本…です"}} {
		if got := paint.FitMiddle(c.in, c.n); got != c.want || paint.Width(got) != c.n {
			t.Errorf("%q in %d is %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

// TestMenusListAllThatMayFollow: each key that waits for another has its list, in words of its own, which fits the
// smallest screen.
func TestMenusListAllThatMayFollow(t *testing.T) {
	for pressed := range keys.Standard.Does {
		first, rest, longer := strings.Cut(pressed, " ")
		if !longer {
			continue
		}
		does := keys.Standard.Does[pressed]
		i := slices.IndexFunc(keys.Standard.Choices(first), func(c keys.Choice) bool { return c.Act == does })
		if i < 0 {
			t.Errorf("the list of %s lacks %s", first, rest)
		} else if words := keys.Standard.Choices(first)[i].Words; words == does.Help() && len(words) > 24 {
			t.Errorf("the list of %s says %q, which is long", first, words)
		}
	}
	x := open(t, 60, 16, Config{})
	for _, key := range []string{"g", "y", "z", "a", "A", "]", "m", "'"} {
		x.keys(key)
		for _, words := range x.m.keying.Choices() {
			x.has(words)
		}
		x.keys("<esc>")
	}
}

// TestTheMenuWaits: the list opens for those who wait, and what was pressed is seen at once.
func TestTheMenuWaits(t *testing.T) {
	x := open(t, 120, 36, Config{})
	x.send(tea.KeyPressMsg{Code: 'g', Text: "g"})
	x.hasNot("rates over time")
	if keys := strings.Split(x.text(), "\n")[35]; !strings.HasSuffix(keys, " g ") || !strings.Contains(keys, "/ filter") {
		t.Errorf("the line of keys is %q", keys)
	}
	x.settle()
	x.has("rates over time")
	x.keys("t")
	x.has("[Packet types]")
	x.keys("gp12")
	if keys := strings.Split(x.text(), "\n")[35]; !strings.HasSuffix(keys, " 12 ") {
		t.Errorf("the line of keys is %q", keys)
	}
}

// TestMenuByMouse opens the uses by a right click on a cell, a field, a byte and a line of the facets, and takes one.
func TestMenuByMouse(t *testing.T) {
	x := open(t, 120, 36, Config{})
	right := func(x *screen, px, py int) { x.send(tea.MouseClickMsg{X: px, Y: py, Button: tea.MouseRight}) }
	right(x, 30, 5)
	x.has("╭─ ip.src == 10.0.0.2", "and not this", "follow the conversation")
	x.clickOn("all but this")
	x.has("/ !(ip.src == 10.0.0.2)")
	x.keys("X")
	right(x, 10, 20)
	x.has("╭─ udp", "this alone")
	right(x, 53, 18) // another place
	x.has("╭─ ip")
	x.send(tea.MouseClickMsg{X: 1, Y: 1, Button: tea.MouseLeft})
	x.hasNot("this alone")
	if x.m.line.IsOpen() || x.m.packets.Filtered != nil {
		t.Error("the click that closes the list does something beside that")
	}
	x.keys("f")
	right(x, 10, 5)
	x.has("this alone")
	x.keys("n")
	x.has("/ !")
	x.keys("<esc>f")
	right(x, 30, 5)
	x.keys("<esc>as") // what was pointed at is forgotten
	if got := x.m.packets.FilterText(); strings.Contains(got, "ip.src") {
		t.Errorf("the filter is %q", got)
	}
}

// TestMenuDoesMoreThanFilters copies, shows as a column and plots what is pointed at.
func TestMenuDoesMoreThanFilters(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3G")
	field := func(label string) {
		t.Helper()
		for y, l := range strings.Split(x.text(), "\n") {
			if strings.Contains(l, label) {
				x.send(tea.MouseClickMsg{X: 8, Y: y, Button: tea.MouseRight})
				return
			}
		}
		t.Fatalf("no line has %q:\n%s", label, x.text())
	}
	field("Scene: ")
	x.has("copy the value", "plot over time", "follow the conversation")
	x.clickOn("as a column, or no more")
	if head := strings.Split(x.text(), "\n")[3]; !strings.Contains(head, "Scene") {
		t.Errorf("the columns are %s", head)
	}
	field("Words: ")
	x.clickOn("plot over time")
	x.has("━━ Words  touhou.input.count")
}

// TestPlacesToClick: the source's name leads to the sources, the line of keys to all keys.
func TestPlacesToClick(t *testing.T) {
	x := open(t, 120, 36, Config{Live: func(capture.Options) (*capture.Store, error) { return nil, errors.New("none") }})
	x.send(tea.MouseClickMsg{X: 20, Y: 35, Button: tea.MouseLeft})
	if !x.m.help.IsOpen() {
		t.Error("a click on the line of keys does not open the help")
	}
	x.keys("q")
	x.send(tea.MouseClickMsg{X: 12, Y: 0, Button: tea.MouseLeft})
	if x.m.chooser == nil {
		t.Error("a click on the source's name does not lead to the sources")
	}
}

// TestCountsRepeatJumps types numbers before the keys that jump.
func TestCountsRepeatJumps(t *testing.T) {
	for keys, want := range map[string]dissect.FrameNum{"3G3*": 9, "3G*2*": 9, "9G3#": 3, "4G2}": 8, "8G2{": 4,
		"3G99*": 81, "<ctrl+f>6000<enter>gg2n": 6, "1G2]m": 1} {
		x := open(t, 120, 36, Config{}).keys(keys)
		if x.m.selected.Frame != want {
			t.Errorf("%s goes to packet %d, want %d", keys, x.m.selected.Frame, want)
		}
	}
	x := open(t, 120, 36, Config{}).keys("3G5*''")
	if x.m.selected.Frame != 3 {
		t.Errorf("back from a jump with a number is packet %d", x.m.selected.Frame)
	}
}

// TestUsualSizes makes the panes as they were at first.
func TestUsualSizes(t *testing.T) {
	x := open(t, 120, 36, Config{})
	was := x.m.room.layout()
	x.keys("|++>>")
	if x.m.room.layout() == was {
		t.Fatal("nothing changed")
	}
	x.keys("<ctrl+w>=")
	if is := x.m.room.layout(); is != was {
		t.Errorf("it is %v and was %v", is, was)
	}
}
