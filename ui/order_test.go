package ui

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	listpane "remora/ui/pane/list"

	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/compare"
	"remora/ui/order"
	"remora/ui/paint"
)

// listed are the packets of the list, from the top.
func (x *screen) listed() []dissect.FrameNum {
	var out []dissect.FrameNum
	for i := range x.m.packets.Rows() {
		out = append(out, x.m.packets.Frame(i))
	}
	return out
}

// sorts checks that the list is sorted by a column, that equal rows are in the order of the capture, and that row and
// frame agree.
func (x *screen) sorts(name string, less func(a, b *dissect.Tree) int, down bool) {
	x.t.Helper()
	all := x.listed()
	if len(all) != 82 {
		x.t.Fatalf("%s: %d packets in the list, want 82", name, len(all))
	}
	want := slices.Clone(all)
	slices.Sort(want)
	slices.SortStableFunc(want, func(a, b dissect.FrameNum) int {
		c := less(x.m.packets.Session.Tree(a), x.m.packets.Session.Tree(b))
		if down {
			return -c
		}
		return c
	})
	if !slices.Equal(all, want) {
		x.t.Errorf("sorted by %s: %v\nwant %v", name, all, want)
	}
	for i, n := range all {
		if x.m.packets.Row(n) != i {
			x.t.Fatalf("%s: packet %d is in row %d, and row says %d", name, n, i, x.m.packets.Row(n))
		}
	}
}

func TestSortByEveryColumn(t *testing.T) {
	byText := func(text func(t *dissect.Tree) string) func(a, b *dissect.Tree) int {
		return func(a, b *dissect.Tree) int {
			x, y := strings.ToLower(text(a)), strings.ToLower(text(b))
			if (x == "") != (y == "") {
				return map[bool]int{true: 1, false: -1}[x == ""]
			}
			return cmp.Compare(x, y)
		}
	}
	port := func(t *dissect.Tree) uint64 { return t.Nodes[t.Find(t.Protocol().KindField())].Val }
	_ = port
	for name, less := range map[string]func(a, b *dissect.Tree) int{
		"No.":         func(a, b *dissect.Tree) int { return cmp.Compare(a.Frame, b.Frame) },
		"Time":        func(a, b *dissect.Tree) int { return cmp.Compare(a.Time(), b.Time()) },
		"Len":         func(a, b *dissect.Tree) int { return cmp.Compare(a.Len(), b.Len()) },
		"Protocol":    byText(func(t *dissect.Tree) string { return t.Protocol().Title() }),
		"Source":      func(a, b *dissect.Tree) int { return compare.Ends(a.Src, b.Src) },
		"Destination": func(a, b *dissect.Tree) int { return compare.Ends(a.Dst, b.Dst) },
		"Info":        byText(func(t *dissect.Tree) string { return t.Info() }),
		"udp.srcport": func(a, b *dissect.Tree) int { return cmp.Compare(a.Src.Port, b.Src.Port) },
	} {
		x := open(t, 120, 36, Config{})
		x.keys(":sort " + name + "<enter>")
		x.sorts(name, less, false)
	}
	x := open(t, 120, 36, Config{}).keys(":sort -len<enter>")
	x.sorts("-len", func(a, b *dissect.Tree) int { return cmp.Compare(a.Len(), b.Len()) }, true)
	x.keys(":sort type<enter>") // what has no type comes last, both ways
	if all := x.listed(); x.m.packets.Session.KindText(x.m.packets.Session.LayerStackOf(all[0])) == "" ||
		x.m.packets.Session.KindText(x.m.packets.Session.LayerStackOf(all[81])) != "" {
		t.Errorf("sorted by type: %v", all)
	}
	x.keys(":sort -type<enter>")
	if all := x.listed(); x.m.packets.Session.KindText(x.m.packets.Session.LayerStackOf(all[0])) == "" ||
		x.m.packets.Session.KindText(x.m.packets.Session.LayerStackOf(all[81])) != "" {
		t.Errorf("sorted down by type: %v", all)
	}
	x.keys(":sort nonsense<enter>")
	x.has("neither a column nor a field")
}

func TestASortedListKeepsTheSelectedPacket(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("7G:sort -len<enter>")
	if x.m.selected.Frame != 7 {
		t.Fatalf("packet %d is selected", x.m.selected.Frame)
	}
	row := x.m.packets.Row(7)
	if x.keys("j"); x.m.packets.Row(x.m.selected.Frame) != row+1 {
		t.Errorf("one down from row %d is %d", row, x.m.packets.Row(x.m.selected.Frame))
	}
	x.keys("gg")
	if x.m.packets.Row(x.m.selected.Frame) != 0 || x.m.selected.Frame != x.m.packets.Frame(0) {
		t.Errorf("the first is packet %d", x.m.selected.Frame)
	}
	x.keys("/touhou<enter>")
	if len(x.listed()) != 40 || x.m.packets.Order == nil || len(x.m.packets.Order.Frames) != 40 {
		t.Errorf("a filter ends the sorting: %v", x.listed())
	}
	x.keys("<esc>:sort<enter>")
	if all := x.listed(); !slices.IsSorted(all) {
		t.Errorf("not as captured: %v", all)
	}
}

func TestSortingGivenUp(t *testing.T) {
	x := open(t, 120, 36, Config{})
	x.m.list.SortAs(order.By{Kind: columns.Info})
	x.m.View()
	x.has("sorting by Info")
	x.m.do(act.Escape, 0)
	x.settle()
	if x.m.packets.Order != nil || x.m.list.Sorting() != nil || x.m.list.SortedBy() != nil {
		t.Error("Esc does not end the sorting")
	}
	x.settle()
	if x.m.packets.Order != nil {
		t.Error("a sort that was given up came all the same")
	}
}

func TestHeadByMouse(t *testing.T) {
	x := open(t, 120, 36, Config{})
	p := x.m.room.layout()
	at := func(name string) (from, w int) {
		from = listpane.Margin
		for _, c := range x.m.list.Place(120) {
			if c.Title == name {
				return from, c.W
			}
			from += c.W + c.Gap
		}
		t.Fatalf("no column %s", name)
		return 0, 0
	}
	drag := func(from, to int) {
		x.send(tea.MouseClickMsg{X: from, Y: p.list.y, Button: tea.MouseLeft})
		x.send(tea.MouseMotionMsg{X: to, Y: p.list.y})
		x.send(tea.MouseReleaseMsg{X: to, Y: p.list.y})
		x.settle()
	}
	lens, w := at("Len")
	drag(lens+1, lens+1)
	x.has("Len▴")
	x.sorts("Len", func(a, b *dissect.Tree) int { return cmp.Compare(a.Len(), b.Len()) }, false)
	drag(lens+1, lens+1)
	x.has("Len▾")
	drag(lens+1, lens+1)
	x.hasNot("Len▾")
	drag(lens+w, lens+w+6)
	if _, now := at("Len"); now != w+6 {
		t.Errorf("dragged by 6, Len went from %d to %d", w, now)
	}
	source, sw := at("Source")
	drag(source+sw, 0)
	if _, now := at("Source"); now != columns.Least {
		t.Errorf("Source is %d wide", now)
	}
	kind, _ := at("Protocol")
	from, _ := at("Destination")
	drag(from+2, kind+1)
	if i, j := x.m.list.Named("Destination"), x.m.list.Named("Protocol"); i != j+1 {
		t.Errorf("Destination is column %d and Protocol %d", i, j)
	}
	info, _ := at("Info")
	drag(info+3, 5)
	if x.m.list.Named("Info") != 0 {
		t.Errorf("Info is column %d", x.m.list.Named("Info"))
	}
	for i, l := range strings.Split(x.text(), "\n") {
		if paint.Width(l) != 120 {
			t.Errorf("line %d is %d wide", i, paint.Width(l))
		}
	}
}

func TestColumnsView(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("s")
	x.has("columns", "Destination", "auto", "Enter sorts")
	x.keys("jjj<space>") // Source
	x.keys("j++")        // Destination behind Type
	x.keys("q")
	if head := strings.Split(x.text(), "\n")[3]; strings.Contains(head, "Source") ||
		strings.Index(head, "Dest") < strings.Index(head, "Proto") {
		t.Errorf("the head is %q", head)
	}
	x.keys("s7j>>>") // Len
	if c := x.m.list.Columns[x.m.list.Named("Len")]; c.Set != 7 {
		t.Errorf("Len is %d wide", c.Set)
	}
	x.keys("=")
	if c := x.m.list.Columns[x.m.list.Named("Len")]; c.Set != 0 {
		t.Errorf("Len is %d wide", c.Set)
	}
	x.keys("Cudp.srcport<enter>")
	x.has("udp.srcport is a column now")
	x.keys("<enter>")
	if x.m.list.SortedBy() == nil {
		t.Error("Enter does not sort")
	}
	x.keys("ggCudp.srcport<enter>")
	if x.m.list.Named("udp.srcport") >= 0 {
		t.Error("the same again does not take it away")
	}
	x.keys("u")
	if len(x.m.list.Columns) != len(columns.Standard()) || x.m.list.SortedBy() != nil || x.m.list.Columns[3].Off {
		t.Errorf("u does not bring back what was at first: %+v", x.m.list.Columns)
	}
	x.keys("q:columns<enter>")
	x.has("─ columns ─", "Enter sorts")
	x.keys("q:column source<enter>")
	x.has("Source is not shown any more")
}

func TestTimeSinceThePacketShownBefore(t *testing.T) {
	x := open(t, 120, 36, Config{})
	x.m.list.Clock = "dd"
	x.keys("/touhou<enter>")
	gap := x.m.packets.Store.Time(4) - x.m.packets.Store.Time(2)
	if got, want := x.m.list.TimeText(5), "0.002"; !strings.HasPrefix(got, want) || gap != 2e6 {
		t.Errorf("packet 5 came %s after the one shown before it, want %s… (%d ns)", got, want, gap)
	}
	x.m.list.Clock = "d"
	if got := x.m.list.TimeText(5); !strings.HasPrefix(got, "0.001") {
		t.Errorf("packet 5 came %s after the one captured before it", got)
	}
	x.keys(":sort -time<enter>")
	x.m.list.Clock = "dd"
	if got := x.m.list.TimeText(5); !strings.HasPrefix(got, "0.002") {
		t.Errorf("sorting changed the time to %s", got)
	}
}

// TestNanosecondsWantAWideList: nine digits stand on wide lists alone, from the first packet on.
func TestNanosecondsWantAWideList(t *testing.T) {
	for _, w := range []int{80, 120, 129, 130, 200} {
		x := openFile(t, "../fixtures/captures/kaillera/evening.pcapng", w, 36)
		for _, c := range x.m.list.Place(w) {
			if c.Kind != columns.Time {
				continue
			}
			_, digits, _ := strings.Cut(x.m.list.TimeWithin(2, c.W), ".")
			if want := 6 + 3*(w/130); w < 200 && len(digits) != want || w >= 200 && len(digits) != 9 {
				t.Errorf("%d cells: %q behind the point, want %d digits", w, digits, want)
			}
		}
	}
}

func TestTimesFitTheirColumn(t *testing.T) {
	for _, wh := range screens {
		x := open(t, wh[0], wh[1], Config{})
		for range 11 {
			for _, c := range x.m.list.Place(wh[0]) {
				if got := x.m.list.TimeWithin(5, c.W); c.Kind == columns.Time &&
					(paint.Width(got) > c.W || strings.HasSuffix(got, "…")) {
					t.Errorf("%v: %s is wider than %d", wh, got, c.W)
				}
			}
			x.keys("t")
		}
	}
}
