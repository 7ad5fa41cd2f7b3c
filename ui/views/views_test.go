package views

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/listed"
	"remora/ui/marks"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/view/viewtest"
)

// screen shows the views of the sample's packets.
type screen struct {
	*viewtest.Screen
	views  *Views
	packet *selected.Packet
	marks  *marks.Marks

	working bool // something goes on that Esc ends
}

// Open lays a view over the others, Close takes it away.
func (x *screen) Open(v view.View) { x.views.Open(v) }
func (x *screen) Close()           { x.views.Close() }

func open(t *testing.T, w int) *screen {
	t.Helper()
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), w, 30), marks: marks.New()}
	s := x.Scope()
	x.packet = selected.New(&listed.Packets{Session: s.Session, Store: s.Session.Store(), Dissector: s.Session.Dissector(),
		All: s.All}, x.Later)
	x.packet.Select(5)
	x.views = New(x, x.packet, x.marks, func() bool { return x.working })
	t.Cleanup(x.views.End)
	return x
}

// TestTabsAreClicked: each name in the header opens its view, the other end of the line is none of them.
func TestTabsAreClicked(t *testing.T) {
	for _, w := range []int{80, 140} {
		x := open(t, w)
		for i := len(x.views.names()) - 1; i >= 0; i-- {
			text, width := x.views.Draw()
			one := x.views.names()[i]
			at := strings.Index(ansi.Strip(text), one.text)
			if !x.views.Click(w - width + at) {
				t.Fatalf("a click on %s hits nothing", one.text)
			}
			if text, _ := x.views.Draw(); !strings.Contains(ansi.Strip(text), "["+one.text+"]") ||
				(x.views.View() == nil) != (one.open == act.TabPackets) {
				t.Errorf("a click on %s leads to %s", one.text, ansi.Strip(text))
			}
		}
		if x.views.Click(0) {
			t.Error("the beginning of the line is a view")
		}
	}
}

// TestWhatLiesOverIsClosedFirst: closing goes back to the tab, then to the packets.
func TestWhatLiesOverIsClosedFirst(t *testing.T) {
	x := open(t, 120)
	x.views.OpenTab(Statistics)
	x.views.OpenGames()
	if x.views.Over() == nil || x.views.Title() != "this view" {
		t.Fatalf("%s is open", x.views.Title())
	}
	if x.views.Close(); x.views.Over() != nil || x.views.Title() != "statistics" {
		t.Errorf("closing leads to %s", x.views.Title())
	}
	if x.views.Close(); x.views.View() != nil {
		t.Errorf("closing again leads to %s", x.views.Title())
	}
}

// TestKeysOfViews: a view has its keys first, those that would change what is not seen do nothing, and Esc ends what
// goes on before it closes the view.
func TestKeysOfViews(t *testing.T) {
	x := open(t, 120)
	if x.views.Update(act.Down, 1) || x.views.Update(act.Quit, 0) {
		t.Error("keys are taken while the packets are shown")
	}
	x.views.OpenTab(Types)
	if !x.views.Update(act.Comment, 0) || x.views.Update(act.Help, 0) {
		t.Error("a comment is written on a packet that is not seen, or there is no help")
	}
	x.working = true
	if x.views.Update(act.Escape, 0) || x.views.View() == nil {
		t.Error("Esc closes the view while something goes on")
	}
	x.working = false
	if !x.views.Update(act.Escape, 0) || x.views.View() != nil {
		t.Error("Esc does not close the view")
	}
}

// TestCompareTakesPicksFirst: two packets picked are compared before a mark, and a mark before the last of the type.
func TestCompareTakesPicksFirst(t *testing.T) {
	x := open(t, 120)
	status := func() string {
		x.views.Compare()
		return ansi.Strip(x.views.Over().Draw(120, 30)[0])
	}
	before := status()
	x.marks.Set('a', 9)
	marked := status()
	x.marks.Pick(3)
	x.marks.Pick(7)
	picked := status()
	for text, want := range map[string][2]string{before: {"A  3", "B  5"}, marked: {"A  5", "B  9"},
		picked: {"A  3", "B  7"}} {
		if !strings.Contains(text, want[0]) || !strings.Contains(text, want[1]) {
			t.Errorf("compared are %s, want %s and %s", text, want[0], want[1])
		}
	}
	x.packet.Select(dissect.FrameNum(1))
	x.marks.Clear()
	x.views.Close()
	if x.views.Compare(); x.views.Over() != nil || !strings.Contains(x.Notice, "pick two packets") {
		t.Errorf("the first packet is compared: %s", x.Notice)
	}
}

// TestPlotWantsNumbers: only fields of numbers are plotted.
func TestPlotWantsNumbers(t *testing.T) {
	x := open(t, 120)
	x.views.PlotNamed("dns.qry.name")
	if x.views.Over() != nil || x.Notice != "no field of numbers is called dns.qry.name" {
		t.Errorf("%q", x.Notice)
	}
	if x.views.PlotNamed("udp.length"); x.views.Over() == nil {
		t.Error("udp.length is not plotted")
	}
}

// TestExportWritesTheView writes the numbers of the view that is open.
func TestExportWritesTheView(t *testing.T) {
	x := open(t, 120)
	path := filepath.Join(t.TempDir(), "types.csv")
	x.views.OpenTab(Types)
	x.views.View().Draw(120, 30)
	x.views.Export(path, false)
	x.Settle()
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "dns,QUERY,1,") {
		t.Errorf("the file holds %q (%v): %s", text, err, x.Notice)
	}
	os.WriteFile(path, []byte("precious"), 0o600)
	x.views.Export(path, false)
	x.Settle()
	if now, _ := os.ReadFile(path); string(now) != "precious" || !strings.Contains(x.Question, "is there already: 8 B") {
		t.Errorf("unasked it holds %q: %s", now, x.Question)
	}
	x.Answers[1].Do()
	x.Settle()
	if now, _ := os.ReadFile(path); string(now) != string(text) {
		t.Errorf("it is not replaced: %q, %s", now, x.Notice)
	}
	os.WriteFile(path, []byte("precious"), 0o600)
	x.Question = ""
	x.views.Export(path, true)
	x.Settle()
	if now, _ := os.ReadFile(path); string(now) != string(text) || x.Question != "" {
		t.Errorf("by force it is not replaced: %q, %s", now, x.Question)
	}
}
