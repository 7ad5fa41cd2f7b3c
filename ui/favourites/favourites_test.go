package favourites

import (
	"slices"
	"strings"
	"testing"
)

// screen is a filter that is on, and what was said.
type screen struct {
	filter, notice string
	lines          []string
}

func (x *screen) FilterText() string { return x.filter }
func (x *screen) Filter(text string) { x.filter = text }
func (x *screen) Notify(text string) { x.notice = text }
func (x *screen) InSettings() map[string]string {
	return map[string]string{"names": "dns", "games": "touhou"}
}
func (x *screen) Lines() []string       { return slices.Clone(x.lines) }
func (x *screen) Add(line string) error { x.lines = append(x.lines, line); return nil }
func (x *screen) Remove(line string) error {
	x.lines = slices.DeleteFunc(x.lines, func(l string) bool { return l == line })
	return nil
}

func TestAFilterIsKeptBroughtBackAndForgotten(t *testing.T) {
	x := &screen{}
	f := New(x, x)
	does := func(do func(name string), name, says string) {
		t.Helper()
		if x.notice = ""; true {
			do(name)
		}
		if !strings.Contains(x.notice, says) {
			t.Errorf("%q says %q, want %q", name, x.notice, says)
		}
	}
	does(f.Use, "mine", "there is no favourite called mine")
	x.filter = "udp"
	does(f.Use, "", ":fav NAME keeps")
	does(f.Use, " my  own ", "kept as my own")
	x.filter = "tcp"
	does(f.Use, "games", "kept as games") // counts before that of the settings
	if want := []string{"my own\tudp", "games\ttcp", "names\tdns"}; !slices.Equal(f.Lines(), want) {
		t.Errorf("there are %q", f.Lines())
	}
	x.filter = ""
	if f.Use("my own"); x.filter != "udp" {
		t.Errorf("brought back is %q", x.filter)
	}
	if got := f.Offers("NA"); len(got) != 1 || got[0].Text != "names" || got[0].Doc != "dns" {
		t.Errorf("offered are %v", got)
	}
	does(f.Forget, "games ", "games is forgotten")
	does(f.Forget, "games", "is written in the settings")
	does(f.Forget, "nonsense", "there is no favourite called nonsense")
}
