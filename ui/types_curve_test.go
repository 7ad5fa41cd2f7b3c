package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/ui/paint"
)

// TestTheTypesCurveIsTiedToTheList: what moves its cursor moves the list's, and the other way round; Enter shows exactly the packets
// that are counted under it.
func TestTheTypesCurveIsTiedToTheList(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("20Ggt")
	v := x.m.views[tabTypes].(*typesView)
	c := &v.curve
	if want := x.m.s.Store().Time(19); c.at != want {
		t.Errorf("the cursor is at %d, the selected packet at %d", c.at, want)
	}
	x.keys("<tab>lll")
	now := x.m.s.Store().Time(int(x.m.cur) - 1)
	if !c.focused || x.m.cur <= 20 || now > c.at {
		t.Fatalf("at %d the list is at packet %d of %d, focused %v", c.at, x.m.cur, now, c.focused)
	}
	was := x.m.cur
	x.keys("hh")
	if x.m.cur >= was {
		t.Errorf("h goes from %d to %d", was, x.m.cur)
	}
	x.keys("gp30Ggt")
	if c.at != x.m.s.Store().Time(29) {
		t.Error("the list moved, the cursor of the curve did not")
	}
	for _, keys := range []string{"", "jj", "+++", "jj", "gp1Ggt", "gp82Ggt"} {
		x.keys(keys)
		at, _ := v.at()
		want, ok := c.counted(x.m, at)
		text := c.term(x.m, at)
		if !ok {
			t.Fatal("not counted")
		}
		x.has("of this type in these")
		x.keys("<enter>")
		if got := x.m.rows(); got != want {
			t.Errorf("after %q: %s shows %d packets, counted %d", keys, text, got, want)
		}
		x.keys("ugt")
		x.m.follow = false
	}
	x.keys("<esc>")
	if c.focused || x.m.view() == nil {
		t.Error("Esc does not lead back to the types")
	}
	x.keys("''")
	if x.m.cur == 0 {
		t.Error("no way back")
	}
}

// TestTheTypesAreSortedByATitle clicks on the titles of columns, and into the curve.
func TestTheTypesAreSortedByATitle(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("gt")
	v := x.m.views[tabTypes].(*typesView)
	for title, by := range sortTitles {
		head, _, _ := strings.Cut(strings.Split(x.text(), "\n")[2], title)
		x.send(tea.MouseClickMsg{X: paint.Width(head), Y: 2, Button: tea.MouseLeft})
		if v.sort != by {
			t.Errorf("%s sorts by %s", title, typeSorts[v.sort])
		}
	}
	v.sortBy(x.m, byPackets)
	v.table.cur = 0
	r := x.m.body()
	x.send(tea.MouseClickMsg{X: 8 + v.curve.drawn.w/2, Y: r.y + v.curve.drawn.top + 1, Button: tea.MouseLeft})
	if !v.curve.focused || x.m.cur < 38 || x.m.cur > 46 {
		t.Errorf("the middle of the curve is packet %d", x.m.cur)
	}
	x.keys("v")
	x.has("gaps in ms")
	x.keys("<wait>")
	if got := v.curve.gaps.data.seen; got == 0 {
		t.Error("no gap was gathered")
	}
	x.keys("v")
	x.has("packets a second")
}

// TestTypesKeepTheirPlaces while packets come in: a line does not move because others grow, and the cursor stays on it.
func TestTypesKeepTheirPlaces(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("gt")
	v := x.m.views[tabTypes].(*typesView)
	order := func() (out []string) {
		for _, r := range v.panel.rows {
			out = append(out, r.Key())
		}
		return out
	}
	before := strings.Join(order(), "|")
	for i := range v.panel.all { // as if the last one had grown beyond the others
		v.panel.all[i].Packets = uint64(i)
	}
	v.lay(x.m)
	if got := strings.Join(order(), "|"); got != before {
		t.Errorf("%q, was %q", got, before)
	}
	v.sortBy(x.m, byPackets)
	if got := strings.Join(order(), "|"); got == before {
		t.Error("sorting anew changes nothing")
	}
}
