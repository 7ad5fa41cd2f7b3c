package tcpgraph

import (
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"remora/protocols"
	"remora/ui/plot"
	"remora/ui/view/viewtest"
)

const capture = "../../../fixtures/captures/lan/http2.pcapng"

func graph(t *testing.T, w, h int, form Form) *viewtest.Screen {
	t.Helper()
	x := viewtest.OpenFile(t, protocols.All(), capture, w, h)
	v := New(x, form)
	if v == nil {
		t.Fatal("the first packet is of no stream")
	}
	return x.Show(v)
}

// TestGraphsOfAStream: v goes through the graphs, Tab to the other direction, and all say their units.
func TestGraphsOfAStream(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}} {
		x := graph(t, size[0], size[1], Sequence)
		route, legend := strings.Split(x.Text(), "\n")[0], strings.Split(x.Text(), "\n")[1]
		if strings.Contains(legend, " in ") != (size[0] > 60) {
			t.Errorf("at %d cells the legend is %s", size[0], legend)
		}
		for _, says := range [][2]string{{"Sequence", "(bytes)"}, {"Throughput", "(bytes/s)"}, {"Round-trip", "(ms)"},
			{"Window", "(bytes)"}, {"Sequence", "acknowledged"}} {
			x.Has(says[0], says[1])
			if head := strings.Split(x.Text(), "\n")[0]; strings.Contains(head, "…") {
				t.Errorf("at %d cells the head is cut: %s", size[0], head)
			}
			x.Keys("v")
		}
		x.Keys("vvv")
		if other := strings.Split(x.Keys("<tab>").Text(), "\n")[0]; other == route {
			t.Errorf("the other direction is %s", other)
		}
		if x.Keys("G++<enter>"); x.List().Current() == 1 {
			t.Error("Enter does not lead to the packet at the cursor")
		}
	}
}

// TestSegmentsAsTshark: the numbers behind the graphs are tshark's.
func TestSegmentsAsTshark(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark")
	}
	x := graph(t, 120, 36, RoundTrip)
	stream := x.Scope().Session.Conversation(x.View.(*View).conv).Stream
	out, err := exec.Command(tshark, "-r", capture, "-Y", fmt.Sprint("tcp.stream == ", stream), "-T", "fields",
		"-e", "frame.number", "-e", "tcp.seq", "-e", "tcp.len", "-e", "tcp.ack", "-e", "tcp.window_size", "-e",
		"tcp.analysis.ack_rtt").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, row := range x.View.(*View).Sheet().Rows() {
		trip := ""
		if ms := row[7].(float64); ms > 0 {
			trip = fmt.Sprintf("%.9f", ms/1000)
		}
		fmt.Fprintf(&got, "%v\t%v\t%v\t%v\t%v\t%s\n", row[0], row[3], row[4], row[5], row[6], trip)
	}
	if got.String() != string(out) {
		t.Errorf("remora:\n%s\ntshark:\n%s", got.String(), out)
	}
}

// TestNumbersGoOn over the end of 32 bits, and back for what is sent again.
func TestNumbersGoOn(t *testing.T) {
	last := int64(0)
	for _, step := range []struct {
		v    uint32
		want int64
	}{{1 << 31 >> 1, 1 << 30}, {1 << 31, 1 << 31}, {3 << 30, 3 << 30}, {1<<32 - 10, 1<<32 - 10}, {5, 1<<32 + 5},
		{1<<32 - 10, 1<<32 - 10}, {6, 1<<32 + 6}} {
		if got := onward(step.v, &last); got != step.want {
			t.Errorf("%d is %d, want %d", step.v, got, step.want)
		}
	}
}

// TestTheWindowDoesNotFlattenTheStream: the axis is made for what was sent, and the window ends at its top.
func TestTheWindowDoesNotFlattenTheStream(t *testing.T) {
	curves := [][]float64{{0, 500, 900}, {math.NaN(), 400, 900}, {64e3, 64e3, 700}}
	drawn, all := fitted(Sequence, curves)
	if top := plot.NiceTop(all); top > 2000 || drawn[2][0] != top || drawn[2][2] != 700 || curves[2][0] != 64e3 {
		t.Errorf("the axis ends at %g, the window is drawn at %v", top, drawn[2])
	}
	if _, all := fitted(Window, [][]float64{{64e3}, {500}}); slices.Max(all) != 64e3 {
		t.Errorf("the graph of the window ends at %g", slices.Max(all))
	}
}
