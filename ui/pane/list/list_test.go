package list

import (
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/internal/testall"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/filtered"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/rules"
	"remora/ui/selected"
	"remora/ui/view/viewtest"
)

// screen shows the pane alone.
type screen struct {
	*viewtest.Screen
	t      *testing.T
	pane   *Pane
	packet *selected.Packet
	list   *listed.Packets
	marks  map[dissect.FrameNum]rune
	left   []dissect.FrameNum // where jumps began
	kept   lines
}

// lines are kept for the next run.
type lines []string

func (l *lines) Lines() []string       { return slices.Clone(*l) }
func (l *lines) Add(line string) error { *l = append(*l, line); return nil }
func (l *lines) Remove(line string) error {
	*l = slices.DeleteFunc(*l,
		func(x string) bool { return x == line })
	return nil
}

func (x *screen) Focused() bool                      { return true }
func (x *screen) Size() (w, h int)                   { return x.W, x.H }
func (x *screen) Select(n dissect.FrameNum)          { x.packet.Select(n) }
func (x *screen) Write(do func())                    { do() }
func (x *screen) Leave()                             { x.left = append(x.left, x.packet.Frame) }
func (x *screen) Mark(n dissect.FrameNum) rune       { return x.marks[n] }
func (x *screen) Rule(dissect.FrameNum) *rules.Ready { return nil }

// open shows the packets of the sample.
func open(t *testing.T, w, h int) *screen {
	t.Helper()
	return of(t, viewtest.OpenSample(t, protocols.All(), w, h))
}

// of shows the packets of another screen.
func of(t *testing.T, shown *viewtest.Screen) *screen {
	t.Helper()
	x := &screen{Screen: shown, t: t, marks: map[dissect.FrameNum]rune{}}
	s := x.Scope()
	x.list = &listed.Packets{Session: s.Session, Store: s.Session.Store(), Dissector: s.Session.Dissector(), All: s.All}
	x.packet = selected.New(x.list, x.Later)
	x.pane = New(x, x.list, x.packet, columns.NewMemory(s.Session.Registry(), &x.kept))
	x.pane.Ask("", nil)
	x.pane.Reset()
	x.pane.CatchUp()
	return x
}

// filter shows the packets that match, once all are decided.
func (x *screen) filter(text string) {
	x.t.Helper()
	f, err := x.Scope().Compile(text)
	if err != nil {
		x.t.Fatal(err)
	}
	x.list.Filtered = filtered.Start(x.list.Session, f, nil)
	x.t.Cleanup(x.list.Filtered.Cancel)
	x.pane.Refilter()
	for !x.list.Settled() {
		runtime.Gosched()
	}
	x.pane.CatchUp()
}

// lines is the picture of the pane, whose lines must have its width.
func (x *screen) lines() []string {
	x.t.Helper()
	lines := x.pane.Draw(x.W, x.H)
	if len(lines) != x.H {
		x.t.Errorf("%d lines of %d", len(lines), x.H)
	}
	for i, l := range lines {
		if w := paint.Width(l); w != x.W {
			x.t.Errorf("line %d is %d wide, not %d: %s", i, w, x.W, l)
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

// TestRowsOfEverySize draws the list at widths of all kinds; only what is in view is made.
func TestRowsOfEverySize(t *testing.T) {
	for _, w := range []int{60, 80, 100, 120, 160} {
		x := open(t, w, 12)
		x.has("No.", "Source", "▸")
		if n := len(x.pane.rows); n > 12 {
			t.Errorf("%d packets were asked for 12 lines", n)
		}
	}
}

// TestMovingAndJumping: a step stays within the list, a jump is remembered, and the row is brought into view.
func TestMovingAndJumping(t *testing.T) {
	x := open(t, 100, 12)
	x.pane.Step(-5)
	if x.packet.Frame != 1 {
		t.Errorf("above the first packet is %d", x.packet.Frame)
	}
	x.pane.Step(3)
	x.pane.Jump(60)
	if x.packet.Frame != 60 || !slices.Equal(x.left, []dissect.FrameNum{4}) || x.pane.Top() > 59 || x.pane.Top()+11 <= 59 {
		t.Errorf("packet %d is selected, %v were left, row %d is on top", x.packet.Frame, x.left, x.pane.Top())
	}
	x.pane.Jump(9999)
	if x.packet.Frame != 60 || x.Notice != "there is no packet 9 999" {
		t.Errorf("packet %d, %q", x.packet.Frame, x.Notice)
	}
	x.pane.Edge(true)
	if x.packet.Frame != 82 || x.pane.Follow {
		t.Errorf("the last packet is %d", x.packet.Frame)
	}
	x.pane.Wheel(-100)
	if x.pane.Top() != 0 || x.packet.Frame != 82 {
		t.Errorf("the wheel leads to row %d, packet %d", x.pane.Top(), x.packet.Frame)
	}
	x.pane.Click(3)
	if x.packet.Frame != 3 {
		t.Errorf("a click on the third row selects %d", x.packet.Frame)
	}
}

// TestKeysOfTheList move by rows and pages, as often as a count says; a count before g and G is the number of a packet.
func TestKeysOfTheList(t *testing.T) {
	x := open(t, 100, 12)
	for _, step := range []struct {
		does  act.Action
		count int
		at    dissect.FrameNum
	}{{act.Down, 3, 4}, {act.PageDown, 0, 14}, {act.HalfDown, 2, 24}, {act.HalfUp, 0, 19}, {act.PageUp, 1, 9},
		{act.Up, 0, 8},
		{act.Last, 0, 82}, {act.First, 0, 1}} {
		if !x.pane.Update(step.does, step.count) || x.packet.Frame != step.at {
			t.Errorf("%d %s leads to %d, want %d", step.count, step.does.Name(), x.packet.Frame, step.at)
		}
	}
	if x.pane.Update(act.Last, 5) || x.pane.Update(act.Open, 0) {
		t.Error("a key that is none of the list's is taken")
	}
}

// TestFilterKeepsTheSelection: the selected packet stays selected while it is hidden, and a jump to a hidden one says
// so.
func TestFilterKeepsTheSelection(t *testing.T) {
	x := open(t, 100, 12)
	x.pane.Jump(41)
	x.filter("touhou")
	if x.packet.Frame != 41 || x.list.Rows() != 40 {
		t.Errorf("packet %d is selected of %d", x.packet.Frame, x.list.Rows())
	}
	if x.pane.Jump(2); x.packet.Frame != 2 || x.Notice != "packet 2 is hidden by the filter" {
		t.Errorf("packet %d, %q", x.packet.Frame, x.Notice)
	}
	x.filter("dns && udp.srcport == 7")
	if x.list.Rows() != 0 || x.packet.Frame != 2 {
		t.Errorf("%d rows, packet %d", x.list.Rows(), x.packet.Frame)
	}
	for x.pane.CountFewer(); x.pane.FewerBusy(); {
		runtime.Gosched()
	}
	x.has("no packet matches", "2 without the last term, udp.srcport == 7", "X shows all 82")
}

// TestColumns adds, moves, widens and takes away columns, by hand and by name.
func TestColumns(t *testing.T) {
	x := open(t, 120, 12)
	x.pane.Add(x.list.Session.Registry().Field("udp.srcport"))
	x.has("Source Port", "40000")
	at := x.pane.Named("udp.srcport")
	x.pane.Move(at, 0)
	x.pane.Widen(0, 1)
	if c := x.pane.Columns[0]; c.Field == nil || c.Set != columns.Least || x.pane.Width(0) != columns.Least {
		t.Errorf("the first column is %s, %d wide", c.Head(), x.pane.Width(0))
	}
	x.pane.Keep()
	x.pane.Keep()
	if len(x.kept) != 1 || !strings.Contains(x.kept[0], "udp.srcport=3,") {
		t.Errorf("kept is %q", x.kept)
	}
	if x.pane.Usual(); len(x.kept) != 0 || len(x.pane.Columns) != len(columns.Standard()) {
		t.Errorf("usual are %v, kept is %q", x.pane.Columns, x.kept)
	}
	x.pane.Add(x.list.Session.Registry().Field("udp.srcport"))
	x.pane.Nudge(0, 2)
	x.pane.Retitle(0, " Number ")
	if c := x.pane.Columns[0]; c.Set != 6 || c.Head() != "Number" {
		t.Errorf("the first column is %s, %d wide", c.Head(), c.Set)
	}
	x.pane.ColumnCommand("udp.srcport")
	x.pane.ColumnCommand("len")
	if x.pane.Named("udp.srcport") >= 0 || !x.pane.Columns[x.pane.Named("Len")].Off {
		t.Errorf("the columns are %v", x.pane.Columns)
	}
	x.pane.ColumnCommand("nonsense")
	if x.Notice != "column nonsense: there is neither a column nor a field of that name" {
		t.Errorf("%q", x.Notice)
	}
}

// TestHeadIsDragged: a click on a title sorts, a title dropped on another takes its place, and an edge is pulled.
func TestHeadIsDragged(t *testing.T) {
	x := open(t, 120, 12)
	place := func(name string) (from, at int) {
		from = Margin
		for _, c := range x.pane.Place(120) {
			if c.Title == name {
				return from, c.At
			}
			from += c.W + c.Gap
		}
		t.Fatalf("no column %s", name)
		return 0, 0
	}
	from, at := place("Len")
	edge := from + x.pane.Width(at)
	x.pane.Grab(from)
	x.pane.Drop(from)
	x.Settle()
	if by := x.pane.SortedBy(); by == nil || by.Kind != columns.Length || x.list.Order == nil {
		t.Fatalf("a click on Len sorts by %v", by)
	}
	x.has("Len▴")
	x.pane.Grab(edge)
	x.pane.Drag(edge + 3)
	x.pane.Drop(edge + 3)
	if x.pane.Width(at) != 7 {
		t.Errorf("the edge of Len was pulled to %d", x.pane.Width(at))
	}
	to, no := place("No.")
	from, _ = place("Len")
	x.pane.Grab(from)
	x.pane.Drag(to)
	x.pane.Drop(to)
	if x.pane.Columns[no].Title != "Len" {
		t.Errorf("dropped on No. it is behind %s", x.pane.Columns[no].Title)
	}
	if x.pane.Grab(0) {
		t.Error("there is something to drag in the margin")
	}
}

// TestCellUnderThePointer gives the filter for what stands there.
func TestCellUnderThePointer(t *testing.T) {
	x := open(t, 120, 12)
	from := Margin
	want := map[string]string{"No.": "frame.number == 1", "Source": "ip.src == 10.0.0.1",
		"Destination": "ip.dst == 10.0.0.2", "Protocol": "dns", "Len": "frame.len == 75"}
	for _, c := range x.pane.Place(120) {
		got, ok := x.pane.Point(from, 1)
		if text := want[c.Title]; !ok || text != "" && got != text {
			t.Errorf("below %s there is %q, want %q", c.Title, got, text)
		}
		from += c.W + c.Gap
	}
	if _, ok := x.pane.Point(5, 0); ok {
		t.Error("a title is a cell")
	}
}

// TestMarginSaysWhatIsWhat: the cursor, a mark, the bracket of the conversation and its colour.
func TestMarginSaysWhatIsWhat(t *testing.T) {
	x := open(t, 120, 30)
	x.pane.Jump(2)
	x.marks[2] = 'k'
	x.Settle()
	lines := x.lines()
	for row, want := range map[int]string{1: " ├  ", 2: "▸k  ", 3: "    "} {
		if got := string([]rune(lines[row])[:Margin]); got != want {
			t.Errorf("row %d has %q in front, want %q", row, got, want)
		}
	}
	x.pane.ColourConversation(2)
	x.pane.Jump(3)
	if got := string([]rune(x.lines()[1])[:Margin]); got != " 2  " {
		t.Errorf("a conversation with a colour has %q in front", got)
	}
	if x.pane.ColourConversation(99); !strings.Contains(x.Notice, "are 1 to") {
		t.Errorf("%q", x.Notice)
	}
}

func TestLessOne(t *testing.T) {
	for text, want := range map[string]string{"dns && udp.length > 3": "dns", "a.b || dns": "", "dns": "",
		"dns && (tcp || udp)": "dns", "dns && tcp && udp": "dns && tcp", "(dns && udp)": "",
		"(dns || arp) && udp": "(dns || arp)", "dns and not udp": "dns", "&&": ""} {
		if got, _, _ := lessOne(text); got != want {
			t.Errorf("%q without its last term is %q, want %q", text, got, want)
		}
	}
}

// TestRowsNeedNoWholeTree: a row made of the fields that its columns need says what one of the whole tree says, in the
// captures of all protocols and with columns of all kinds of fields.
func TestRowsNeedNoWholeTree(t *testing.T) {
	files, err := filepath.Glob("../../../fixtures/captures/*/*.pcap")
	if err != nil || len(files) < 20 {
		t.Fatalf("there are %d captures (%v)", len(files), err)
	}
	for i := 0; i < len(files); i += testall.Of(9, 1) {
		x := of(t, viewtest.OpenFile(t, protocols.All(), files[i], 120, 12))
		passed := x.list.Session.Passed()
		x.pane.Columns = slices.Concat(columns.Known(), fieldsOf(x.list, passed))
		for n := 1; n <= passed; n += 1 + passed/testall.Of(40, 2000) {
			l := x.list.Dissector
			whole := x.pane.rowOfTree(l.Tree(dissect.FrameNum(n)))
			got := x.pane.rowOfTree(l.Redissect(dissect.FrameNum(n), x.pane.wanted()))
			if !reflect.DeepEqual(got, whole) {
				t.Fatalf("%s, packet %d:\n%q\n%q of the whole tree", files[i], n, got.cells, whole.cells)
			}
		}
	}
}

// fieldsOf are columns of some of the fields that packets have.
func fieldsOf(list *listed.Packets, passed int) (out []columns.Column) {
	seen := map[*dissect.Field]bool{}
	for n := 1; n <= passed; n += 1 + passed/5 {
		t := list.Dissector.Tree(dissect.FrameNum(n))
		for i := range t.Nodes {
			if f := t.Field(i); !seen[f] && len(seen) < 40 && i%3 == 0 {
				seen[f] = true
				out = append(out, columns.Of(f))
			}
		}
	}
	return out
}

// TestTypeIsInInfo: the packet type is in front of Info, in its colour, where Info does not say it, and on a wide list
// a column of its own.
func TestTypeIsInInfo(t *testing.T) {
	x := open(t, 120, 12)
	x.has("Len Info", "GAME_INPUT select f 0", "Standard query 0x1234")
	if lines := x.lines(); strings.Contains(lines[0], "Type") || strings.Contains(lines[0], "Δ") {
		t.Errorf("a list of 120 cells has the columns %s", lines[0])
	}
	hue := x.Style().Pens.Hues[x.pane.rowOf(3).hue]
	if line := x.pane.Draw(120, 12)[3]; !strings.Contains(line, hue.Open+"GAME_INPUT"+hue.Close) {
		t.Errorf("the type has no colour in %q", line)
	}
	x = open(t, 160, 12)
	x.has("Δ ms", "Type", "GAME_INPUT")
	if line := x.lines()[3]; strings.Count(line, "GAME_INPUT") != 1 {
		t.Errorf("the type stands there twice: %s", line)
	}
	x = open(t, 100, 12)
	x.pane.ColumnCommand("Type") // who asks for it has it on any list
	if !strings.Contains(x.lines()[0], "Type") {
		t.Errorf("a type that was asked for is no column: %s", x.lines()[0])
	}
}

// TestWidthsStandStill: a column grows as soon as a row needs it, and shrinks only many screens later.
func TestWidthsStandStill(t *testing.T) {
	x := open(t, 120, 6)
	x.lines()
	width := func() int { x.lines(); return x.pane.Width(x.pane.Named("Source")) }
	first := width()
	x.pane.seen.now.need.Usual[0] = 20 // as a row that was in view
	x.pane.seen.now.need.Ends[0][columns.Whole] = 20
	if got := width(); got != 20 || first >= 20 {
		t.Fatalf("Source is %d wide, and was %d", got, first)
	}
	last := 20
	for i := range 2 * forgetAfter * 5 {
		x.pane.top = i % 2 * 20
		if w := width(); w < last && i < forgetAfter {
			t.Fatalf("Source shrinks to %d after %d screens", w, i)
		}
	}
	if got := width(); got != first {
		t.Errorf("Source is %d wide for good", got)
	}
}

// TestAddressesKeepTheirEnds: an address that has no room loses its port first, then its middle.
func TestAddressesKeepTheirEnds(t *testing.T) {
	forms := [columns.Forms]string{"[2a00:1450:4007:815::200e]:443", "2a00:1450:4007:815::200e", ":443"}
	for w, want := range map[int]string{30: forms[0], 24: forms[1], 16: "2a00…815::200e", 12: "2a0…15::200e",
		40: forms[0]} {
		if got := strings.TrimRight(fitEnd(forms, columns.Whole, w), " "); got != want {
			t.Errorf("in %d cells it is %q, want %q", w, got, want)
		}
	}
	if got := fitEnd(forms, columns.PortOnly, 9); got != ":443     " {
		t.Errorf("the port alone is %q", got)
	}
}

// TestListIsScrolledSideways: the list scrolls to the right as far as its rows reach, with nothing left out, and the
// pointer still finds what it points to. The line of counts has the whole row meanwhile.
func TestListIsScrolledSideways(t *testing.T) {
	x := open(t, 60, 12)
	if x.has("GAME_INPUT"); strings.Contains(x.lines()[0], "Protocol") {
		t.Fatalf("the columns are %s", x.lines()[0])
	}
	if row := x.pane.FullRow(200); !strings.Contains(row, "10.0.0.1:40000 → 10.0.0.2:53  DNS  75  Standard query 0x1234") {
		t.Errorf("the whole row is %q", row)
	}
	for range 3 {
		x.pane.Update(act.Right, 1)
	}
	x.has("www.example.org", "Info")
	for _, c := range x.pane.placed() {
		if c.Kind == columns.Protocol {
			break
		}
	}
	x.pane.Update(act.Right, 99)
	far := x.pane.shift
	if x.pane.Update(act.Right, 1); x.pane.shift != far || far == 0 {
		t.Errorf("the list is scrolled by %d, and then by %d", far, x.pane.shift)
	}
	if x.pane.Update(act.Left, 99); x.pane.shift != 0 || !strings.HasPrefix(x.lines()[0], "     No.") {
		t.Errorf("back at the left the columns are %s", x.lines()[0])
	}
}

// TestTitlesAreDistinct: no two columns have one title, whoever gave it.
func TestTitlesAreDistinct(t *testing.T) {
	x := open(t, 160, 12)
	reg := x.list.Session.Registry()
	x.pane.Add(reg.Field("udp.length"))
	x.pane.Add(reg.Field("ip.len"))
	x.pane.Add(reg.Field("dns.qry.type"))
	seen := map[string]bool{}
	for _, c := range x.pane.Columns {
		if seen[c.Head()] {
			t.Errorf("two columns are called %s", c.Head())
		}
		seen[c.Head()] = true
	}
	at := x.pane.Named("udp.length")
	if x.pane.Retitle(at, "Info"); x.pane.Columns[at].Head() == "Info" || x.Notice != "another column is called Info" {
		t.Errorf("%s: %q", x.pane.Columns[at].Head(), x.Notice)
	}
}

// TestRowsOfAnotherList: packets that are drawn beside the list have columns of their own widths, and do not widen
// those of the list.
func TestRowsOfAnotherList(t *testing.T) {
	x := open(t, 120, 12)
	before := x.pane.Place(120)
	if head := x.pane.Heading("a", []dissect.FrameNum{1}, 120); !strings.Contains(head, "Source") {
		t.Fatalf("the titles are %q", head)
	}
	narrow := x.pane.placeAside(120)
	x.pane.Heading("b", []dissect.FrameNum{1, 2, 3, 4, 5, 6}, 120)
	for n := range dissect.FrameNum(40) {
		x.pane.Row(n+1, false, strings.Repeat("x", 200), 120)
	}
	if x.pane.Heading("a", []dissect.FrameNum{1}, 120); !slices.Equal(x.pane.placeAside(120), narrow) {
		t.Error("the widths are those of another list")
	}
	if !slices.Equal(x.pane.Place(120), before) {
		t.Error("the list's own columns moved")
	}
}
