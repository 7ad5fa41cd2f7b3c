package hex

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/encoding/japanese"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/selected"
	"remora/ui/view/viewtest"
)

// screen shows the pane alone. What the tree would do, it does itself.
type screen struct {
	*viewtest.Screen
	t      *testing.T
	packet *selected.Packet
	pane   *Pane
	others bool // the keys go elsewhere
}

func (x *screen) Focused() bool { return !x.others }
func (x *screen) Width() int    { return x.W }
func (x *screen) Height() int   { return x.H }
func (x *screen) Select(i int) {
	n := x.packet.Tree.Nodes[i]
	x.packet.Node, x.packet.Source, x.packet.Byte = i, n.Src, int(n.Off)
}

// open shows the bytes of a packet of the sample.
func open(t *testing.T, w, h int, n dissect.FrameNum) *screen {
	t.Helper()
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), w, h), t: t}
	s := x.Scope()
	list := &listed.Packets{Session: s.Session, Store: s.Session.Store(), Dissector: s.Session.Dissector(), All: s.All}
	x.packet = selected.New(list, x.Later)
	x.pane = New(x, x.packet)
	x.packet.Select(n)
	x.Select(len(x.packet.Tree.Nodes) - 1)
	return x
}

// text is the picture of the pane, whose lines must have its width.
func (x *screen) text() string {
	x.t.Helper()
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

// TestEveryByteIsClicked clicks each byte in the hex and in the text column, on panes of every width.
func TestEveryByteIsClicked(t *testing.T) {
	for _, w := range []int{40, 80, 160} {
		x := open(t, w, 30, 1)
		for range byteWidths {
			x.pane.NextWidth()
			n := x.pane.PerLine(w)
			for i := range len(x.packet.Tree.Source(0)) {
				x.packet.Byte = 0
				if x.pane.Click(7+(i%n)*3+(i%n)/8, i/n); x.packet.Byte != i {
					t.Fatalf("%d on a line: a click on byte %d selects %d", n, i, x.packet.Byte)
				}
				if x.pane.Click(6+3*n+n/8-1+2+i%n, i/n); x.packet.Byte != i {
					t.Fatalf("%d on a line: a click on the text of byte %d selects %d", n, i, x.packet.Byte)
				}
			}
			x.text()
		}
	}
}

// TestKeysOfTheBytes move by bytes, lines and pages; a count before g and G is the number of a packet.
func TestKeysOfTheBytes(t *testing.T) {
	x := open(t, 80, 4, 1)
	last := len(x.packet.Tree.Source(0)) - 1
	for _, step := range []struct {
		does      act.Action
		count, at int
	}{{act.First, 0, 0}, {act.Right, 5, 5}, {act.Left, 0, 4}, {act.Down, 2, 36}, {act.Up, 0, 20}, {act.PageUp, 0, 0},
		{act.PageDown, 0, 48}, {act.Last, 0, last}, {act.HalfUp, 2, last - 32}} {
		if !x.pane.Update(step.does, step.count) || x.packet.Byte != step.at {
			t.Errorf("%d %s leads to byte %d, want %d", step.count, step.does.Name(), x.packet.Byte, step.at)
		}
	}
	if x.pane.Update(act.Last, 5) || x.pane.Update(act.Open, 0) || !x.pane.Update(act.Sort, 0) {
		t.Error("a key that is none of the bytes' is taken, or one is not")
	}
}

// TestBytesSelectTheirField: the field that owns a byte is selected with it, and the byte stays where it was put.
func TestBytesSelectTheirField(t *testing.T) {
	x := open(t, 80, 30, 1)
	x.pane.MoveTo(37)
	if f := x.packet.Tree.Field(x.packet.Node); f.Name() != "udp.dstport" || x.packet.Byte != 37 {
		t.Errorf("byte %d is of %s", x.packet.Byte, f.Name())
	}
	x.pane.Edge(true)
	if last := len(x.packet.Tree.Source(0)) - 1; x.packet.Byte != last {
		t.Errorf("the last byte is %d, not %d", last, x.packet.Byte)
	}
	x.pane.Step(-1, -2)
	x.pane.Edge(false)
	if x.pane.Step(1, 1); x.packet.Byte != 17 {
		t.Errorf("a line and a byte on is byte %d", x.packet.Byte)
	}
}

// TestPickedBytes selects a run of bytes: they are told of, and only while the keys go to the pane.
func TestPickedBytes(t *testing.T) {
	x := open(t, 100, 30, 1)
	x.pane.MoveTo(34)
	x.pane.Pick()
	x.pane.MoveTo(36)
	if lo, hi, ok := x.pane.Picked(); lo != 34 || hi != 37 || !ok {
		t.Errorf("picked are %d to %d, %v", lo, hi, ok)
	}
	if title, lines := x.pane.Explain(); !strings.Contains(title, "bytes 34–36, 3 B") || len(lines) < 4 {
		t.Errorf("%s: %q", title, lines)
	}
	x.others = true
	if _, _, ok := x.pane.Picked(); ok {
		t.Error("bytes are picked although the keys go elsewhere")
	}
	x.others = false
	x.pane.Pick()
	if _, _, ok := x.pane.Picked(); ok {
		t.Error("the selection has not ended")
	}
}

// TestInspector says what the bytes from the cursor on would be, and how they behaved.
func TestInspector(t *testing.T) {
	x := open(t, 100, 30, 81)
	f := x.Scope().Session.Registry().Field("touhou.input.frame")
	x.Select(x.packet.Tree.Find(f))
	x.pane.Watch()
	x.Settle()
	text := x.text()
	for _, part := range []string{"byte 44, ◂ little ▸ big endian", "u16  39 ◂ ▸ 9984", "last 40 GAME_INPUT from client",
		"40 values, 0…39", "byte 44 ████████ 40 values", "3 always same"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	if seen := strings.Join(x.pane.Seen(f), " "); !strings.Contains(seen,
		"In the last 40 GAME_INPUT from client: 40 values, 0…39") {
		t.Errorf("of the field is said %q", seen)
	}
}

// TestTextBesideTheBytes draws texts in the encodings, with a cell for each byte, whatever the bytes are.
func TestTextBesideTheBytes(t *testing.T) {
	sjis, err := japanese.ShiftJIS.NewEncoder().String("東方ﾃｽﾄ")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		encoding, bytes string
		start           int
		want            string
	}{
		{"ASCII", "a\x00é", 0, "a···"},
		{"UTF-8", "é漢a", 0, "é 漢 a"},
		{"UTF-8", "a\xc3", 0, "a·"},
		{"CP1252", "\xe4\x80\x81", 0, "ä€·"},
		{"Shift-JIS", sjis, 0, "東方ﾃｽﾄ"},
		{"Shift-JIS", "\x81" + sjis, 1, "·東方ﾃｽﾄ"},
		{"UTF-16 LE", "a\x00b\x00", 0, "a b "},
		{"UTF-8", "\xd7\xa9\u202e", 0, "·····"},
	} {
		for _, e := range byteTexts {
			cells := textCells([]byte(c.bytes), e, c.start, "·")
			if got := strings.Join(cells, ""); e.name == c.encoding && got != c.want {
				t.Errorf("%s of %q: %q, want %q", e.name, c.bytes, got, c.want)
			} else if paint.Width(got) != len(c.bytes) || !utf8.ValidString(got) {
				t.Errorf("%s of %q takes %d cells: %q", e.name, c.bytes, paint.Width(got), got)
			}
		}
	}
}

func TestBars(t *testing.T) {
	if got := sparkBars([]float64{5, 2, 0, 0, 0, 0, 0, 1}, []rune("_.:-=+*#")); got != "#-_____:" {
		t.Errorf("the bars are %q", got)
	}
}
