package hex

import (
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/testall"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/listed"
	"remora/ui/selected"
	"remora/ui/view/viewtest"
)

// choose selects the first node of a field.
func (x *screen) choose(field string) {
	x.t.Helper()
	for i := range x.packet.Tree.Nodes {
		if x.packet.Tree.Field(i).Name() == field {
			x.Select(i)
			return
		}
	}
	x.t.Fatalf("there is no %s", field)
}

func (x *screen) shows(parts ...string) {
	x.t.Helper()
	for _, part := range parts {
		if !strings.Contains(x.text(), part) {
			x.t.Errorf("no %q in\n%s", part, x.text())
		}
	}
}

// TestDiagram draws an IPv4 header as RFC 791 does, and goes from part to part.
func TestDiagram(t *testing.T) {
	x := open(t, 76, 20, 1)
	x.choose("ip.len")
	x.pane.TurnDiagram()
	x.shows(" 0       4       8       12      16      20      24      28",
		"┌───────┬───────┬───────────┬───┬───────────────────────────────┐",
		"│Version│hdr_len│", "│4      │20", "│Total Length                   │", "│61                             │",
		"│Source Address ", "│10.0.0.1 ", "│64             │UDP (17)       │",
		"└───────────────────────────────────────────────────────────────┘")
	x.pane.Update(act.Down, 1)
	if got := x.packet.Tree.Field(x.packet.Node).Name(); !strings.HasPrefix(got, "ip.f") {
		t.Errorf("below the length there is %s", got)
	}
	lines := strings.Split(x.text(), "\n")
	for y, l := range lines {
		if at := strings.Index(l, "Destination Address"); at > 0 {
			x.pane.Click(6, y)
		}
	}
	if got := x.packet.Tree.Field(x.packet.Node).Name(); got != "ip.dst" {
		t.Errorf("a click on the destination selects %s", got)
	}
	x.H = 9 // one line for each row, scrolled to what is selected
	x.shows("Destination Address: 10.0.0.2")
	x.W = 60
	x.shows("0           4           8           12", "Destination Address: 10.0.0.2")
	x.choose("udp.srcport")
	x.shows("Source Port: 40000")
	if x.pane.TurnDiagram(); strings.Contains(x.text(), "Source Port") {
		t.Error("the bytes are not drawn again")
	}
}

// TestDiagramOfLongParts leaves rows out of what is long, and says how long it is.
func TestDiagramOfLongParts(t *testing.T) {
	x := open(t, 76, 30, 4)
	x.pane.TurnDiagram()
	x.shows("(14 bytes)")
	h := header{size: 1 << 20, owner: make([]int, 8*mostDiagram)}
	if rows := h.rows(32); len(rows) != 1 || rows[0].more != mostDiagram-4 {
		t.Errorf("%d rows are drawn", len(rows))
	}
}

// TestDiagramsOfEverything draws each layer of many protocols' packets at sizes from small to large.
func TestDiagramsOfEverything(t *testing.T) {
	files, err := filepath.Glob("../../../fixtures/captures/lan/*.pcap*")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d fixtures: %v", len(files), err)
	}
	for i, file := range files {
		if strings.HasSuffix(file, ".tree") || i%testall.Of(7, 1) != 0 {
			continue
		}
		s := dissecttest.Load(t, protocols.All(), file)
		x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), 60, 12), t: t}
		x.packet = selected.New(&listed.Packets{Session: s, Store: s.Store(), Dissector: s.Dissector()}, x.Later)
		x.pane = New(x, x.packet)
		x.pane.TurnDiagram()
		for n := dissect.FrameNum(1); int(n) <= min(4, s.Passed()); n++ {
			x.packet.Select(n)
			for node := 0; node < len(x.packet.Tree.Nodes); node += 3 {
				x.Select(node)
				for _, wh := range [][2]int{{41, 3}, {60, 9}, {80, 20}, {160, 40}} {
					x.W, x.H = wh[0], wh[1]
					x.text()
					x.pane.Click(node%x.W, node%x.H)
				}
				x.pane.Update(act.Down, 1)
			}
		}
	}
}
