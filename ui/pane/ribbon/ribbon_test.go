package ribbon

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/listed"
	"remora/ui/marks"
	"remora/ui/paint"
	"remora/ui/selected"
	"remora/ui/view/viewtest"
)

// screen shows the ribbon alone.
type screen struct {
	*viewtest.Screen
	pane   *Pane
	packet *selected.Packet
	marks  *marks.Marks
	hits   []float64
	gone   dissect.FrameNum
	narrow string
}

func (x *screen) Width() int                       { return x.W }
func (x *screen) Hits(_, _ int64, _ int) []float64 { return x.hits }
func (x *screen) GoTo(n dissect.FrameNum)          { x.gone = n }
func (x *screen) Narrow(filter string)             { x.narrow = filter }

// open shows the sample's ribbon, with the packet in the middle selected.
func open(t *testing.T, w int) *screen {
	t.Helper()
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), w, 1), marks: marks.New()}
	s := x.Scope()
	list := &listed.Packets{Session: s.Session, Store: s.Session.Store(), Dissector: s.Session.Dissector(), All: s.All}
	x.packet = selected.New(list, x.Later)
	x.pane = New(x, list, x.packet, x.marks)
	x.packet.Select(41)
	return x
}

// TestRibbonShowsTimes: it has its width whatever that is, says how fast packets came, and has marks at their times.
func TestRibbonShowsTimes(t *testing.T) {
	for _, w := range []int{60, 120, 200} {
		x := open(t, w)
		x.marks.Set('q', 60)
		x.marks.Pick(5)
		text := ansi.Strip(x.pane.Draw(w))
		if paint.Width(text) != w || !strings.Contains(text, "q") || !strings.Contains(text, "*") ||
			!strings.Contains(text, "p/s") {
			t.Errorf("%d cells of %d: %s", paint.Width(text), w, text)
		}
	}
}

// TestFoundPacketsAreTicks: what was found is drawn with the pen for it.
func TestFoundPacketsAreTicks(t *testing.T) {
	x := open(t, 120)
	x.hits = make([]float64, barsOf(120))
	x.hits[7] = 1
	style := x.Style()
	if _, pen := (&ticksOfTime{at: -1, hits: x.hits}).tick(style, 7, ' ', paint.Pen{}); pen != style.Pens.Found {
		t.Error("what was found has no colour of its own")
	}
	before := x.pane.Draw(120)
	x.hits[7] = 0
	if x.pane.Draw(120) == before {
		t.Error("the ribbon does not show what was found")
	}
}

// TestClickAndDrag: a click goes to the packet at that time, a drag becomes a filter for the range.
func TestClickAndDrag(t *testing.T) {
	x := open(t, 120)
	x.pane.Grab(1)
	if x.pane.Drop(); x.gone != 1 {
		t.Errorf("the beginning is packet %d", x.gone)
	}
	x.pane.Grab(1 + barsOf(120))
	if x.pane.Drop(); x.gone != 82 {
		t.Errorf("the end is packet %d", x.gone)
	}
	x.pane.Grab(1 + barsOf(120)/2)
	x.pane.Drag(barsOf(120))
	if x.pane.Drop(); !strings.HasPrefix(x.narrow, "frame.time_relative >= 0.0") || x.Matching(x.narrow) < 30 ||
		x.Matching(x.narrow) > 50 {
		t.Errorf("the second half is %s, of %d packets", x.narrow, x.Matching(x.narrow))
	}
}

// TestErrorsAreTicks: a capture full of errors still shows its rate; a tick stands where there are most.
func TestErrorsAreTicks(t *testing.T) {
	wrong := make([]float64, 80)
	for i := range wrong {
		wrong[i] = 5
	}
	wrong[40] = 50
	ticks := 0
	got := outstanding(wrong)
	for _, v := range got {
		if v > 0 {
			ticks++
		}
	}
	if ticks != 10 || got[40] != 50 {
		t.Errorf("%d ticks of 80, %v where there are most", ticks, got[40])
	}
	few := make([]float64, 80)
	few[3], few[9] = 1, 2
	if got := outstanding(few); got[3] != 1 || got[9] != 2 {
		t.Errorf("of few errors are left %v", got)
	}
}
