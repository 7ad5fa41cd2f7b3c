package types

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/stats"
	"remora/protocols"
	"remora/ui/paint"
	"remora/ui/ticks"
	"remora/ui/view/viewtest"
)

func sample(t *testing.T, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenSample(t, protocols.All(), w, h)
}

func file(t *testing.T, name string, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenFile(t, protocols.All(), "../../../fixtures/captures/"+name, w, h)
}

// TestTheCurveIsTiedToTheList: what moves its cursor moves the list's, and the other way round; Enter shows exactly the
// packets that are counted under it.
func TestTheCurveIsTiedToTheList(t *testing.T) {
	x := sample(t, 120, 32)
	x.GoTo(20)
	v := New(x)
	x.Show(v)
	c, store := &v.curve, x.Scope().Session.Store()
	if want := store.Time(19); c.at != want {
		t.Errorf("the cursor is at %d, the selected packet at %d", c.at, want)
	}
	x.Keys("<tab>lll")
	if cur := x.List().Current(); !c.focused || cur <= 20 || store.Time(int(cur)-1) > c.at {
		t.Fatalf("at %d the list is at packet %d, focused %v", c.at, cur, c.focused)
	}
	was := x.List().Current()
	if x.Keys("hh"); x.List().Current() >= was {
		t.Errorf("h goes from %d to %d", was, x.List().Current())
	}
	x.GoTo(30)
	if x.Show(v); c.at != store.Time(29) {
		t.Error("the list moved, the cursor of the curve did not")
	}
	for _, keys := range []string{"", "jj", "+++", "jj", "1", "82"} {
		if n, err := strconv.Atoi(keys); err == nil {
			x.GoTo(dissect.FrameNum(n))
		} else {
			x.Keys(keys)
		}
		x.Settle()
		at, _ := v.at()
		want, ok := c.counted(x, at)
		text := c.term(x, at)
		if !ok {
			t.Fatal("not counted")
		}
		x.Has("of this type in these")
		x.Keys("<enter>")
		if got := x.Matching(x.Scope().FilterText()); got != want || x.View != nil {
			t.Errorf("after %q: %s shows %d packets, counted %d", keys, text, got, want)
		}
		x.Filter("")
		x.Show(v)
	}
	if x.Keys("<esc>"); c.focused || x.View == nil {
		t.Error("Esc does not lead back to the types")
	}
}

// TestTheTypesAreSortedByATitle clicks on the titles of columns, and into the curve.
func TestTheTypesAreSortedByATitle(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x)
	x.Show(v)
	for title, by := range sortTitles {
		head, _, _ := strings.Cut(strings.Split(x.Text(), "\n")[0], title)
		v.Click(paint.Width(head), 0)
		if x.Settle(); v.sort != by {
			t.Errorf("%s sorts by %s", title, typeSorts[v.sort])
		}
	}
	v.sortBy(byPackets)
	v.table.Cur = 0
	x.Settle()
	v.Click(8+v.curve.drawn.w/2, v.curve.drawn.top+1)
	if cur := x.List().Current(); !v.curve.focused || cur < 38 || cur > 46 {
		t.Errorf("the middle of the curve is packet %d", cur)
	}
	x.Keys("v").Has("gaps in ms")
	if got := v.curve.gaps.data.Seen; got == 0 {
		t.Error("no gap was gathered")
	}
	x.Keys("v").Has("ackets/s")
}

// TestTypesKeepTheirPlaces while packets come in: a line does not move because others grow, and the cursor stays on it.
func TestTypesKeepTheirPlaces(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x)
	x.Show(v)
	order := func() string {
		var out []string
		for _, r := range v.panel.Rows {
			out = append(out, r.Key())
		}
		return strings.Join(out, "|")
	}
	before := order()
	for i := range v.panel.All { // as if the last one had grown beyond the others
		v.panel.All[i].Packets = uint64(i)
	}
	if v.lay(); order() != before {
		t.Errorf("%q, was %q", order(), before)
	}
	if v.sortBy(byPackets); order() == before {
		t.Error("sorting anew changes nothing")
	}
}

// TestEndsAddUp: what those who send sent is what the line counts, with a filter, too.
func TestEndsAddUp(t *testing.T) {
	for _, filter := range []string{"", "frame.number > 100 && dir == forth"} {
		x := file(t, "kaillera/n64.pcapng", 120, 32)
		x.Filter(filter)
		v, several := New(x), 0
		x.Show(v).Keys("l")
		for range v.panel.Rows {
			at, _ := v.at()
			e := v.curve.endsOf(x, at)
			sum := 0.0
			from, to := x.Scope().Span()
			curves := e.curves(x.Scope())
			for i := range curves {
				sum += curves[i].spread(from, to+1, 1)[0]
			}
			if n := at.Group().Packets; curves != nil && uint64(sum+0.5) != n {
				t.Errorf("%s: those who send have %.1f packets, the line %d", at.Name(), sum, n)
			} else if curves != nil {
				several++
			}
			x.Keys("j")
		}
		if several < 3 {
			t.Errorf("%q: only %d lines have curves of those who send", filter, several)
		}
	}
}

// TestMalformedTypesAreMarked: the line of a type with a malformed packet has a sign in front, others and filtered ones
// do not.
func TestMalformedTypesAreMarked(t *testing.T) {
	list := viewtest.Sample()
	cut := dissecttest.Packet{Data: append([]byte(nil), list[0].Data...), Gap: list[0].Gap}
	cut.Data = cut.Data[:len(cut.Data)-4] // the request ends in the middle of its type
	cut.Len = len(cut.Data)
	x := viewtest.Open(t, protocols.All(), append(list, cut), 120, 32)
	v := New(x)
	x.Show(v)
	marked := func() string {
		var out []string
		for _, l := range strings.Split(x.Text(), "\n")[1:10] {
			if before, after, ok := strings.Cut(l, "!"); ok && strings.Trim(before, " ▸▾") == "" {
				out = append(out, strings.Fields(strings.TrimLeft(after, " ▸▾"))[0])
			}
		}
		return strings.Join(out, " ")
	}
	if got := marked(); got != "QUERY" {
		t.Errorf("marked: %q in\n%s", got, x.Text())
	}
	v.table.Cur = slices.IndexFunc(v.panel.Rows, func(r ticks.Line) bool { return r.Key() == "dns" })
	x.Keys("h")
	if got := marked(); got != "DNS" {
		t.Errorf("folded: %q in\n%s", got, x.Text())
	}
	x.Filter("frame.number in {1.." + strconv.Itoa(len(list)) + "}")
	x.Settle()
	if got := marked(); got != "" || v.broken.has(ticks.Line{Proto: &v.panel.All[0], Dir: -1}) {
		t.Errorf("marked without a malformed packet: %q\n%s", got, x.Text())
	}
}

// TestPinnedCurvesStay: Space keeps a line's curve beside that of the line under the cursor, in a colour of its own,
// and lets it go.
func TestPinnedCurvesStay(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x)
	x.Show(v).HasNot("•").Keys("<space>j").Has("•")
	at, _ := v.at()
	if lines, pins := v.pinned(at); len(lines) != 2 || pins[1] != 1 || lines[1].Key() != v.pins[0] {
		t.Errorf("%d curves, pins %v", len(lines), v.pins)
	}
	for _, key := range []string{"<space>", "k"} {
		x.Keys(key)
		line, _ := v.at()
		if _, pins := v.pinned(line); pins[0] == 0 {
			t.Errorf("%q: the pinned line under the cursor has the colour of one that is not", key)
		}
	}
	x.Keys("<space>j<space>").HasNot("•")
	if len(v.pins) != 0 {
		t.Errorf("%v stay", v.pins)
	}
}

// TestGapsBesideTheLengths draws as many classes of gaps as there is room for, and counts the others together.
func TestGapsBesideTheLengths(t *testing.T) {
	x := sample(t, 120, 36)
	g := &stats.Group{Count: stats.Count{Packets: 100},
		Gaps: []stats.GapClass{{From: 0, To: 1000, Gaps: 1}, {From: 5000, To: 6300, Gaps: 6},
			{From: 12_500_000, To: 16_000_000, Gaps: 20},
			{From: 16_000_000, To: 20_000_000, Gaps: 70}, {From: 8_000_000_000_000, Gaps: 3}}}
	v := New(x)
	all := strings.Join(v.gapLines(g, 34, 6), "\n")
	for _, want := range []string{"< 0.001", "5–6.3 µs", "12.5–16", "16–20", "≥ 8 000 000", "70"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	few := strings.Join(v.gapLines(g, 34, 2), "\n")
	if !strings.Contains(few, "16–20") || !strings.Contains(few, "others") || !strings.Contains(few, "30") {
		t.Errorf("%s", few)
	}
	for _, l := range v.beside(g, 34, 12) {
		if paint.Width(l) != 34 {
			t.Errorf("%d wide: %q", paint.Width(l), l)
		}
	}
	if n := len(v.beside(g, 34, 12)); n != 12 {
		t.Errorf("%d lines", n)
	}
}

// TestLongNamesOfTypes: they are not cut while the line over time could be shorter.
func TestLongNamesOfTypes(t *testing.T) {
	x := file(t, "lan/eap.pcap", 80, 40)
	x.Show(New(x)).Keys("zR").Has("Encrypted Handshake Message ", "over time")
}
