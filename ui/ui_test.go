package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/keys"
	"remora/ui/view/viewtest"
)

// screen is a model without a terminal: messages in, lines out.
type screen struct {
	t testing.TB
	m *model
}

func udpPacket(src, dst byte, from, to uint16, payload string) []byte {
	return viewtest.UDP(src, dst, from, to, payload)
}

func packets() []dissecttest.Packet { return viewtest.Sample() }

func open(t testing.TB, w, h int, cfg Config) *screen {
	t.Helper()
	return openPackets(t, w, h, cfg, packets())
}

func openPackets(t testing.TB, w, h int, cfg Config, packets []dissecttest.Packet) *screen {
	t.Helper()
	store, err := pcapfile.OpenBytes(context.Background(), "sample.pcap", dissecttest.Pcap(1, packets), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Registry, cfg.Store, cfg.Session, cfg.TimeFormat = reg, store, s, "r"
	x := &screen{t, newModel(context.Background(), cfg)}
	t.Cleanup(x.m.closeAll)
	x.send(tea.WindowSizeMsg{Width: w, Height: h})
	x.settle()
	return x
}

// send passes a message and does what it leaves to be done, at once.
func (x *screen) send(msg tea.Msg) {
	x.m.handle(msg)
	for work := x.m.jobs.Next(); work != nil; work = x.m.jobs.Next() {
		if next := work(); next != nil {
			x.send(next)
		}
	}
}

// settle waits until nothing moves any more.
func (x *screen) settle() {
	x.t.Helper()
	for range 20000 {
		x.send(tick{})
		if x.m.ending.failure != nil {
			x.t.Fatal(x.m.ending.failure)
		}
		x.m.View() // views take what was counted as they draw
		if x.m.chooser != nil || !x.m.moving() && !x.m.list.Awaits() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	x.t.Fatalf("the screen does not come to rest: filter %q, counted %d, %d passed, awaits %v, saving %v",
		x.m.packets.FilterText(), x.m.packets.All.UpTo(), x.m.packets.Session.Passed(), x.m.list.Awaits(), x.m.saver.Busy())
}

var special = map[string]tea.KeyPressMsg{"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape},
	"tab": {Code: tea.KeyTab}, "down": {Code: tea.KeyDown}, "up": {Code: tea.KeyUp},
	"pgdown": {Code: tea.KeyPgDown}, "end": {Code: tea.KeyEnd}, "home": {Code: tea.KeyHome},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
	"ctrl+f": {Code: 'f', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl}, "f1": {Code: tea.KeyF1},
	"alt+right": {Code: tea.KeyRight, Mod: tea.ModAlt}, "alt+esc": {Code: tea.KeyEscape, Mod: tea.ModAlt},
	"space": {Code: tea.KeySpace, Text: " "}}

// keys presses keys: names in angle brackets, everything else letter by letter.
func (x *screen) keys(script string) *screen {
	for i := 0; i < len(script); {
		if end := strings.IndexByte(script[i:], '>'); script[i] == '<' && end > 0 {
			name := script[i+1 : i+end]
			if name == "wait" { // for what the keys before began: where a cursor goes depends on what was gathered
				x.settle()
				i += end + 1
				continue
			}
			k, ok := special[name]
			if letter, ctrl := strings.CutPrefix(name, "ctrl+"); !ok && ctrl && len(letter) == 1 {
				k, ok = tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}, true
			}
			if !ok {
				x.t.Fatalf("no key %q", name)
			}
			x.send(k)
			i += end + 1
			continue
		}
		x.send(tea.KeyPressMsg{Code: rune(script[i]), Text: script[i : i+1]})
		i++
	}
	x.settle()
	return x
}

func (x *screen) text() string {
	x.m.look.stale = true
	return ansi.Strip(x.m.View().Content)
}

func (x *screen) has(parts ...string) {
	x.t.Helper()
	for _, p := range parts {
		if !strings.Contains(x.text(), p) {
			x.t.Errorf("the screen does not show %q:\n%s", p, x.text())
		}
	}
}

func (x *screen) hasNot(p string) {
	x.t.Helper()
	if strings.Contains(x.text(), p) {
		x.t.Errorf("the screen shows %q:\n%s", p, x.text())
	}
}

var screens = [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}}

// TestScreenFitsEverySize checks that every line has the terminal's width, whatever is open.
func TestScreenFitsEverySize(t *testing.T) {
	for _, size := range screens {
		for _, script := range []string{"", "?", "/udp.p", "/udp.srcport == <enter>", "<tab>jjj", "<tab><tab>", "\\", "G",
			":", "w", "gg*", "/nothing<enter>"} {
			x := open(t, size[0], size[1], Config{})
			x.keys(script)
			lines := strings.Split(x.m.View().Content, "\n")
			if len(lines) != size[1] {
				t.Errorf("%v, %q: %d lines", size, script, len(lines))
			}
			for i, l := range lines {
				if w := ansi.StringWidth(l); w > size[0] {
					t.Errorf("%v, %q: line %d is %d wide: %s", size, script, i, w, ansi.Strip(l))
				}
			}
		}
	}
}

func TestScreenGolden(t *testing.T) {
	for _, size := range screens {
		x := open(t, size[0], size[1], Config{}).keys("5G<tab>j")
		var b strings.Builder
		for _, l := range strings.Split(x.text(), "\n") {
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
		dissecttest.Compare(t, filepath.Join("testdata", fmt.Sprintf("packets-%dx%d.txt", size[0], size[1])), b.String())
	}
}

func TestPanesFollowEachOther(t *testing.T) {
	x := open(t, 120, 36, Config{})
	x.has("▸      1 0.000000", "Standard query 0x1", "1 DNS › QUERY")
	x.keys("j")
	x.has("2 DNS › RESPONSE", "Standard query resp")
	x.keys("<tab>")
	for range 3 {
		x.keys("j")
	}
	field := x.m.selected.Tree.Field(x.m.selected.Node).Name()
	x.keys("%")
	if x.m.selected.Frame != 1 ||
		x.m.selected.Tree.Field(x.m.selected.Node).Name() != field &&
			x.m.selected.Tree.Find(x.m.cfg.Registry.Field(field)) >= 0 {
		t.Errorf("the partner of 2 is %d with %s selected, want 1 with %s", x.m.selected.Frame,
			x.m.selected.Tree.Field(x.m.selected.Node).Name(), field)
	}
	x.keys("''")
	if x.m.selected.Frame != 2 {
		t.Errorf("back leads to %d, want 2", x.m.selected.Frame)
	}
	// The byte under the cursor selects the field that owns it.
	x.m.room.focus = paneHex
	x.m.hex.MoveTo(36)
	if name := x.m.selected.Tree.Field(x.m.selected.Node).Name(); name != "udp.dstport" {
		t.Errorf("byte 36 belongs to %s, want udp.dstport", name)
	}
}

// TestMovesWhileAFilterRuns: what somebody chose while a filter was still being decided stays chosen when it is.
func TestMovesWhileAFilterRuns(t *testing.T) {
	for what, move := range map[string]func(*model){
		"a jump":       func(m *model) { m.list.Jump(6) },
		"a line below": func(m *model) { m.list.MoveTo(m.packets.Row(6)) },
	} {
		x := open(t, 120, 36, Config{}).keys("40G")
		x.m.applyFilter("!touhou")
		x.settle()
		x.m.list.Await(40) // as long as it was not done
		move(x.m)
		x.m.onTick()
		if x.m.selected.Frame != 6 {
			t.Errorf("%s led to %d", what, x.m.selected.Frame)
		}
	}
}

func TestFilterStory(t *testing.T) {
	x := open(t, 120, 36, Config{})
	x.keys("4G/touhou<enter>")
	x.has("40 of 82")
	if x.m.selected.Frame != 5 && x.m.selected.Frame != 3 {
		t.Errorf("after filtering the packet near 4 should be selected, not %d", x.m.selected.Frame)
	}
	x.keys("<esc><esc>").has("40 of 82", "the filter stays; X shows all packets")
	x.keys("X")
	x.has("82 packets")
	x.keys("/udp.sport<enter>")
	x.has("udp.port", "neither a field")
	x.keys("<esc>X/touhou.type == GAME_INPUT<enter>")
	x.has("40 of 82")
	x.keys("<esc>X/tcp<enter>")
	x.has("no packet matches", "0 of 82")
	x.keys("Xgg<tab>=")
	x.has("/ dns")
}

// TestFilterStops gives up a filter that would take hours, and says so.
func TestFilterStops(t *testing.T) {
	var list [][]byte
	for range 200 {
		list = append(list, udpPacket(1, 2, 40000, 40001, "zz"+strings.Repeat("a", 200)+"!"))
	}
	const evil = `frame matches "(?=z)z(?:z|a|aa)+$"`
	x := openPackets(t, 120, 36, Config{}, dissecttest.Packets(list...))
	x.keys("/" + evil + "<enter>")
	x.has("takes too long", "stopped", "without (?=…)", "0 shown")
	x.keys("<esc>")
	x.has("200 packets")
}

func TestKeysWalk(t *testing.T) {
	seen := map[string]string{}
	for _, g := range keys.Table {
		for _, k := range g.Keys {
			for _, name := range k.Names {
				if was := seen[name]; was != "" {
					t.Errorf("%s is bound twice", name)
				}
				seen[name] = g.Title
				if k.Act == act.None {
					t.Errorf("%s does nothing", name)
				}
			}
		}
		for _, k := range g.Keys {
			if k.Keys != "" && k.Help == "" {
				t.Errorf("%s has no help", k.Keys)
			}
		}
	}
	for does := act.None + 1; does <= act.QuitNow; does++ { // every action can be done in every pane without harm
		for pane := range panes {
			x := open(t, 80, 24, Config{Capture: capture.Options{}})
			x.m.room.focus = pane
			x.m.do(does, 0)
			x.m.render()
		}
	}
	x := open(t, 80, 24, Config{}).keys("?")
	x.has("Keys", "next, previous")
	x.keys("q")
	x.hasNot("next, previous")
}

// TestAHiddenPacketIsSaidToBe: somebody may go to a packet that the filter leaves out, and the screen says so as long
// as it is looked at.
func TestAHiddenPacketIsSaidToBe(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/!touhou<enter>")
	x.settle()
	x.m.list.Jump(5)
	x.m.foot.Notice = ""
	x.has("5 Touhou", "hidden by the filter")
	x.keys("gg").hasNot("hidden by the filter")
}

func TestNothingFromPacketsReachesTheTerminal(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("4G")
	content := x.m.View().Content
	for _, bad := range []string{"\x1b]", "\x07", "\x1b[2J"} {
		if strings.Contains(content, bad) {
			t.Errorf("%q reached the screen", bad)
		}
	}
}

func TestNoColour(t *testing.T) {
	t.Setenv("NO_COLOR", "yes")
	content := open(t, 120, 36, Config{}).m.View().Content
	for _, code := range []string{"\x1b[3", "\x1b[9", "\x1b[4" + "8"} {
		if strings.Contains(content, code) {
			t.Errorf("a colour (%q) in spite of NO_COLOR", code)
		}
	}
}

func TestSaveShownPackets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shown.pcapng")
	x := open(t, 120, 36, Config{}).keys("/touhou<enter>")
	x.m.palette.Do("w " + path)
	x.send(nil)
	x.has("40 packets saved")
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("%v", err)
	}
}

func TestMouse(t *testing.T) {
	x := open(t, 120, 36, Config{})
	p := x.m.room.layout()
	x.send(tea.MouseClickMsg{X: 10, Y: p.list.y + 4, Button: tea.MouseLeft})
	if x.m.selected.Frame != 4 {
		t.Errorf("a click on the fourth row selects packet %d", x.m.selected.Frame)
	}
	x.send(tea.MouseWheelMsg{X: 10, Y: p.list.y + 2, Button: tea.MouseWheelDown})
	if x.m.selected.Frame != 4 || x.m.list.Top() != 3 {
		t.Errorf("the wheel moved the selection to %d, or the list to %d", x.m.selected.Frame, x.m.list.Top())
	}
	x.send(tea.MouseClickMsg{X: p.hex.x + 7, Y: p.hex.y, Button: tea.MouseLeft})
	if name := x.m.selected.Tree.Field(x.m.selected.Node).Name(); name != "eth.dst" {
		t.Errorf("a click on the first byte selects %s", name)
	}
}

func TestTooSmall(t *testing.T) {
	x := open(t, 40, 10, Config{})
	x.has("60 x 16")
}

func BenchmarkView(b *testing.B) {
	x := open(b, 200, 50, Config{})
	b.ReportAllocs()
	for b.Loop() {
		x.m.look.stale = true
		x.m.View()
	}
}

func TestEmptyCaptureStaysCalm(t *testing.T) {
	store, err := pcapfile.OpenBytes(context.Background(), "empty.pcap", dissecttest.Pcap(1, nil), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(context.Background(), Config{Registry: reg, Store: store, Session: s})
	t.Cleanup(m.closeAll)
	x := &screen{t, m}
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	x.settle()
	x.has("the capture holds no packets")
	for does := act.None + 1; does <= act.QuitNow; does++ {
		for pane := range panes {
			m.room.focus = pane
			m.do(does, 0)
			m.render()
		}
	}
	x.keys("<esc>G''gg")
}
