package copying

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/listed"
	"remora/ui/selected"
	"remora/ui/view/viewtest"
)

// A screen has a packet selected, and remembers what was sent to the terminal.
type screen struct {
	*viewtest.Screen
	copier *Copier
	packet *selected.Packet
	place  string
	picked [2]int
	sent   string
}

func (x *screen) InList() bool                  { return x.place == "list" }
func (x *screen) InBytes() bool                 { return x.place == "bytes" }
func (x *screen) Cells() []string               { return []string{"  5", "GAME_INPUT  ", "frame 3"} }
func (x *screen) Picked() (lo, hi int, ok bool) { return x.picked[0], x.picked[1], x.picked[1] > 0 }
func (x *screen) Meant() string                 { return "dns" }
func (x *screen) Send(sequence string)          { x.sent += sequence }

func of(t *testing.T, shown *viewtest.Screen, n dissect.FrameNum) *screen {
	t.Helper()
	x := &screen{Screen: shown}
	s := x.Scope()
	list := &listed.Packets{Session: s.Session, Store: s.Session.Store(), Dissector: s.Session.Dissector(), All: s.All}
	x.packet = selected.New(list, x.Later)
	x.copier = New(x, list, x.packet)
	x.packet.Select(n)
	return x
}

// TestFormsOfAField: each letter copies the selected field in a form of its own.
func TestFormsOfAField(t *testing.T) {
	x := of(t, viewtest.OpenSample(t, protocols.All(), 80, 24), 2)
	x.packet.Node = x.packet.Tree.Find(x.Scope().Session.Registry().Field("dns.count.answers"))
	for how, want := range map[rune]string{'h': "0001", 'c': "{ 0x00, 0x01 }", 'g': "[]byte{0x00, 0x01}",
		'p': `b'\x00\x01'`, 'b': "AAE=", 'e': `"\x00\x01"`, 'v': "1", 'l': "Answer RRs: 1", '=': "dns",
		'y': "5 GAME_INPUT frame 3"} {
		if got, _ := x.copier.Text(how); got != want {
			t.Errorf("%c copies %q, want %q", how, got, want)
		}
	}
	tree, _ := x.copier.Text('t')
	if !strings.HasPrefix(tree, "Frame 2: ") || !strings.Contains(tree, "\n    Answer RRs: 1\n") {
		t.Errorf("the tree is\n%s", tree)
	}
	if json, _ := x.copier.Text('j'); !strings.Contains(json, `"dns.count.answers": "1"`) {
		t.Errorf("the packet as JSON is\n%s", json)
	}
}

// TestWhichBytes: those that are picked, of a packet in the list all, of what was put together that.
func TestWhichBytes(t *testing.T) {
	full := viewtest.UDP(1, 2, 4000, 4001, strings.Repeat("in pieces ", 4))
	fragment := func(flags byte, at byte, data []byte) []byte {
		b := slices.Clone(full[:34])
		b[16], b[17], b[20], b[21] = 0, byte(20+len(data)), flags, at
		return append(b, data...)
	}
	whole := full[34:]
	packets := dissecttest.Packets(fragment(0x20, 0, whole[:24]), fragment(0, 3, whole[24:]))
	x := of(t, viewtest.Open(t, protocols.All(), packets, 80, 24), 2)
	if len(x.packet.Tree.Sources()) != 2 {
		t.Fatalf("%d data sources", len(x.packet.Tree.Sources()))
	}
	x.packet.Node, x.packet.Source = 0, 1
	text := func(place string) string {
		x.place = place
		got, _ := x.copier.Text('h')
		return got
	}
	if got := text("bytes"); got != hex.EncodeToString(whole) {
		t.Errorf("of what was put together %s is copied", got)
	}
	if got := text("list"); got != hex.EncodeToString(packets[1].Data) {
		t.Errorf("of the packet %s is copied", got)
	}
	x.picked = [2]int{2, 5}
	if got := text("bytes"); got != hex.EncodeToString(whole[2:5]) {
		t.Errorf("of three bytes that were picked %s is copied", got)
	}
}

// TestWhereItGoes: to the terminal where there is nothing better, and what was copied last into a file.
func TestWhereItGoes(t *testing.T) {
	for _, name := range []string{"TMUX", "DISPLAY", "WAYLAND_DISPLAY", "STY"} {
		t.Setenv(name, "")
	}
	t.Setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22")
	t.Setenv("TERM", "xterm-256color")
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	x := of(t, viewtest.OpenSample(t, protocols.All(), 80, 24), 2)
	x.copier.File() // nothing was copied: the packet
	packet := filepath.Join(dir, "packet.bin")
	if x.Asked.Text != "packet-2.bin" || !strings.Contains(x.Asked.Label, "of bytes to") {
		t.Errorf("asked is %q with %q", x.Asked.Label, x.Asked.Text)
	}
	x.Type(packet)
	if b, err := os.ReadFile(packet); err != nil || !bytes.Equal(b, x.packet.Tree.Source(0)) {
		t.Errorf("the file holds % x (%v)", b, err)
	}
	x.copier.As('y')
	if x.Settle(); !strings.HasPrefix(x.sent, "\x1b]52;") || x.copier.Last() != "5 GAME_INPUT frame 3" {
		t.Errorf("%q is copied, and %q sent: %s", x.copier.Last(), x.sent, x.Notice)
	}
	row := filepath.Join(dir, "row.txt")
	x.copier.File()
	x.Type(row)
	if text, err := os.ReadFile(row); err != nil || string(text) != x.copier.Last() || x.Notice != "20 B saved to "+row {
		t.Errorf("the file holds %q (%v): %s", text, err, x.Notice)
	}
	x.copier.As('e') // the bytes, not the text with escapes
	x.copier.File()
	x.Type(row)
	if !strings.Contains(x.Question, "is there already") {
		t.Error(x.Notice)
	}
	field := filepath.Join(dir, "field.bin")
	x.copier.File()
	x.Type(field)
	if b, err := os.ReadFile(field); err != nil || !bytes.Equal(b, x.packet.Tree.Source(0)) {
		t.Errorf("the file holds % x (%v)", b, err)
	}
}
