package facets

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/protocols"
	"remora/ui/act"
	"remora/ui/filtered"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/ticks"
	"remora/ui/view"
	"remora/ui/view/viewtest"
)

// kept is a list that is kept in memory.
type kept struct{ lines []string }

func (k *kept) Lines() []string { return k.lines }
func (k *kept) Add(line string) error {
	k.lines = append(k.lines, line)
	return nil
}
func (k *kept) Remove(line string) error {
	k.lines = slices.DeleteFunc(k.lines, func(l string) bool { return l == line })
	return nil
}

// screen shows the panel alone, and filters as it says.
type screen struct {
	*viewtest.Screen
	t     *testing.T
	pane  *Pane
	list  *listed.Packets
	kept  kept
	asked view.Prompt
}

func (x *screen) Focused() bool        { return true }
func (x *screen) Height() int          { return x.H }
func (x *screen) Prompt(p view.Prompt) { x.asked = p }
func (x *screen) Write(do func())      { do() }
func (x *screen) Filter(text string) {
	was := x.list.Filtered
	x.list.Filtered = nil
	if text != "" {
		f, err := x.Scope().Compile(text)
		if err != nil {
			x.t.Fatal(err)
		}
		x.list.Filtered = filtered.Start(x.list.Session, f, nil)
		x.t.Cleanup(x.list.Filtered.Cancel)
	}
	x.pane.Read(text)
	x.pane.Leave(was)
	for !x.list.Settled() {
		runtime.Gosched()
	}
}

// open shows the packets of the sample, with the panel open.
func open(t *testing.T, w, h int) *screen {
	t.Helper()
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), w, h), t: t}
	s := x.Scope()
	x.list = &listed.Packets{Session: s.Session, Store: s.Session.Store(), Dissector: s.Session.Dissector(), All: s.All,
		Speller: s.Speller}
	x.pane = New(x, x.list, &x.kept)
	x.pane.Toggle()
	x.text()
	return x
}

// do presses keys.
func (x *screen) do(all ...act.Action) *screen {
	for _, a := range all {
		x.pane.Update(a, 0)
		x.text()
	}
	return x
}

// text is the picture of the panel, once all is counted; its lines must have its width.
func (x *screen) text() string {
	x.t.Helper()
	for x.pane.Draw(x.W, x.H); x.pane.Busy(); {
		runtime.Gosched()
	}
	lines := x.pane.Draw(x.W, x.H)
	if len(lines) != x.H {
		x.t.Errorf("%d lines of %d", len(lines), x.H)
	}
	for i, l := range lines {
		if w := paint.Width(l); w != x.W {
			x.t.Errorf("line %d is %d wide, not %d: %s", i, w, x.W, l)
		}
	}
	return ansi.Strip(strings.Join(lines, "\n"))
}

// TestTicksMakeTheFilter ticks and hides lines; the filter says the same, and is read again.
func TestTicksMakeTheFilter(t *testing.T) {
	x := open(t, 50, 20)
	first := x.pane.Rows[0].Proto.Protocol
	x.do(act.Select)
	if got, want := x.list.FilterText(), "!"+first.Name(); got != want || x.pane.Origin() != "from the facets" {
		t.Fatalf("the filter is %q (%s), want %q", got, x.pane.Origin(), want)
	}
	x.do(act.Only)
	if got := x.list.FilterText(); got != first.Name() || x.list.Rows() != int(x.pane.Rows[0].Group().Packets) {
		t.Errorf("only the first line shows %q, %d packets", got, x.list.Rows())
	}
	x.pane.Edited("from the facets")
	x.do(act.FacetsAll)
	if x.list.FilterText() != "" || x.pane.Tick(x.pane.Rows[0]) != ticks.On {
		t.Errorf("all leaves %q", x.list.FilterText())
	}
	x.Filter("udp.port == 53 && !dns")
	if x.pane.Rest() != "udp.port == 53" || x.pane.Origin() != "" {
		t.Errorf("beside the ticks %q is asked (%s)", x.pane.Rest(), x.pane.Origin())
	}
	x.do(act.Down, act.Up) // counts what is asked beside the ticks
	if !strings.Contains(x.text(), "Facets of udp.port == 53") {
		t.Errorf("the title is\n%s", x.text())
	}
}

// TestTicksOfAProtocolAreKept: hidden types come back with their protocol.
func TestTicksOfAProtocolAreKept(t *testing.T) {
	x := open(t, 50, 20)
	at := slices.IndexFunc(x.pane.Rows, func(l ticks.Line) bool { return l.Proto.Protocol.Name() == "dns" })
	x.pane.Cur = at
	x.do(act.Right, act.Down, act.Hide)
	if len(x.kept.lines) != 1 || !strings.HasPrefix(x.kept.lines[0], "dns\t") {
		t.Fatalf("kept is %q", x.kept.lines)
	}
	x.pane.Cur = slices.IndexFunc(x.pane.Rows,
		func(l ticks.Line) bool { return l.Proto.Protocol.Name() == "touhou" && l.Kind == nil })
	x.do(act.Only) // none of it
	x.pane.Cur = at
	x.do(act.Select)
	if got := x.list.FilterText(); !strings.Contains(got, "dns && !(dns.type == QUERY)") ||
		!strings.Contains(x.Notice, "as it was ticked last") {
		t.Errorf("%q comes back: %s", got, x.Notice)
	}
}

// TestLinesStandStill: lines stay in their places while packets come, once a key has been pressed among them.
func TestLinesStandStill(t *testing.T) {
	x := open(t, 50, 20).do(act.Down)
	was := x.pane.Rows[0].Key()
	for i := range x.pane.All { // as if the last were the first by now
		x.pane.All[i].Packets = uint64(10 * (i + 1))
	}
	x.pane.order()
	if x.pane.Lay(); x.pane.Rows[0].Key() != was {
		t.Error("the first line is another")
	}
	if x.do(act.Sort, act.Sort, act.Sort); x.pane.sort != 0 {
		t.Errorf("three orders lead to %d", x.pane.sort)
	}
}

// TestLinesAreSearched narrows the lines, and Esc shows all again.
func TestLinesAreSearched(t *testing.T) {
	x := open(t, 50, 20)
	all := len(x.pane.Rows)
	x.do(act.Find)
	if x.asked.Check("resp", 4); len(x.pane.Rows) >= all || !strings.Contains(x.text(), "RESPONSE") {
		t.Errorf("of resp there is\n%s", x.text())
	}
	if !x.pane.Update(act.Escape, 0) || len(x.pane.Rows) != all || x.pane.Update(act.Escape, 0) {
		t.Errorf("%d lines of %d come back", len(x.pane.Rows), all)
	}
	if x.asked.Check("nonsense", 8); !strings.Contains(x.text(), "nothing here is called nonsense") {
		t.Errorf("of nonsense there is\n%s", x.text())
	}
	if x.asked.Cancel(); len(x.pane.Rows) != all {
		t.Errorf("%d lines of %d are there once the line is left", len(x.pane.Rows), all)
	}
}

// TestPointer ticks where the box is, folds elsewhere, and gives the filter for a line.
func TestPointer(t *testing.T) {
	x := open(t, 50, 20)
	rows := len(x.pane.Rows)
	if x.pane.Click(20, 1); len(x.pane.Rows) == rows {
		t.Error("a click on a line does not unfold it")
	}
	if x.pane.Click(3, 1); x.list.FilterText() == "" {
		t.Error("a click on the box ticks nothing")
	}
	if text, ok := x.pane.Point(1); !ok || text != x.pane.Rows[0].Proto.Protocol.Name() {
		t.Errorf("the first line is %q", text)
	}
	if _, ok := x.pane.Point(0); ok {
		t.Error("the title is a line")
	}
	x.pane.Wheel(100)
	x.text()
}

// TestEmptyLinesSink: what else the filter asks leaves nothing of some protocols: they stand below a line, are not
// ticked, and a tick does nothing there. Names are never cut where there is room for them.
func TestEmptyLinesSink(t *testing.T) {
	x := open(t, 60, 30)
	x.Filter("udp.port == 53")
	text := x.text()
	rule := strings.Index(text, "── no packets")
	dns, touhou := strings.Index(text, "Domain Name System"), strings.Index(text, "Touhou")
	if dns < 0 || touhou < 0 {
		dns, touhou = strings.Index(text, "DNS"), strings.LastIndex(text, "[ ] Touhou")
	}
	if rule < 0 || dns < 0 || dns > rule || touhou < rule || strings.Contains(text[rule:], "[■]") {
		t.Fatalf("the panel is\n%s", text)
	}
	for i, row := range x.pane.Rows {
		if x.pane.Empty[row.Key()] {
			x.pane.Cur = i
			break
		}
	}
	if x.do(act.Select); x.list.FilterText() != "udp.port == 53" || !strings.Contains(x.Notice, "no packets of it") {
		t.Errorf("a tick on an empty line makes the filter %q: %s", x.list.FilterText(), x.Notice)
	}
	for y := 1; y < 30; y++ { // the rule is no line of its own
		_, row := x.pane.rowAt(y)
		if line := strings.Split(text, "\n")[y]; strings.Contains(line, "── no packets") == row &&
			strings.TrimSpace(line) != "" {
			t.Errorf("line %d, %q, is a row: %t", y, line, row)
		}
	}
	if x.Filter(""); strings.Contains(x.text(), "── no packets") {
		t.Error("the line stays without a filter")
	}
}

// TestNamesHaveTheirRoom: the panel is as wide as its names need, and drops rates before it cuts one.
func TestNamesHaveTheirRoom(t *testing.T) {
	x := open(t, 60, 30)
	wide, longest := x.pane.Wide(), x.pane.nameWidth()
	if wide < Width || wide > 60 {
		t.Errorf("the panel is %d wide", wide)
	}
	for _, w := range []int{longest + 10, longest + 20, wide, 60} {
		if name, _, _, _ := x.pane.widths(w); name < longest {
			t.Errorf("in %d cells names have %d of %d", w, name, longest)
		}
	}
}
