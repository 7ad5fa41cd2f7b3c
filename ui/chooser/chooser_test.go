package chooser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"remora/capture"
	"remora/capture/live"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/view/viewtest"
	"remora/ui/widget"
)

// A screen is the chooser alone: keys in, pictures out. It remembers what was asked of it.
type screen struct {
	t       *testing.T
	c       *Chooser
	w, h    int
	src     Sources
	capture capture.Options
	style   widget.Style
	keys    keys.Map
	reg     *dissect.Registry

	done    []act.Action // that are the same everywhere
	asked   string
	shown   *Chosen
	closed  bool
	quit    bool
	pending []func() func()
}

func (x *screen) Style() *widget.Style { return &x.style }
func (x *screen) Tell(act.Action)      {}
func (x *screen) Do(a act.Action)      { x.done = append(x.done, a) }
func (x *screen) Show(c Chosen)        { x.shown = &c }
func (x *screen) Close()               { x.closed = true }
func (x *screen) Quit()                { x.quit = true }

// Ask chooses the first answer.
func (x *screen) Ask(title, _ string, answers ...view.Answer) {
	x.asked = title
	answers[0].Do()
}

// Leaving asks nothing: there is nothing to lose.
func (x *screen) Leaving(title string, then func()) {
	x.asked = title
	then()
}

func (x *screen) Sessions() func(*capture.Store) (*dissect.Session, error) {
	return func(store *capture.Store) (*dissect.Session, error) { return dissect.NewSession(x.reg, store) }
}

// Later does work once the screen settles.
func (x *screen) Later(_ string, work func(ctx context.Context) (then func())) (stop func()) {
	ctx, stop := context.WithCancel(x.t.Context())
	x.pending = append(x.pending, func() func() { return work(ctx) })
	return stop
}

func (x *screen) settle() {
	for len(x.pending) > 0 {
		work := x.pending[0]
		x.pending = x.pending[1:]
		if then := work(); then != nil {
			then()
		}
	}
}

// lines are kept for the next run.
type lines []string

func (l *lines) Lines() []string       { return slices.Clone(*l) }
func (l *lines) Add(line string) error { *l = append(*l, line); return nil }
func (l *lines) Remove(line string) error {
	*l = slices.DeleteFunc(*l, func(x string) bool { return x == line })
	return nil
}

// choose shows the sources, with a file that can be opened.
func choose(t *testing.T) (*screen, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "game.pcap")
	if err := os.WriteFile(file, dissecttest.Pcap(1, viewtest.Sample()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("SUDO_UID", "")
	x := &screen{t: t, w: 120, h: 36, keys: keys.Standard, reg: dissecttest.Registry(t, protocols.All())}
	x.style = widget.Style{Pens: paint.NewPens("", true, false, true), Colour: true, Dark: true, Keys: &x.keys}
	x.src = Sources{
		Capture: &x.capture,
		Open: func(path string) (*capture.Store, error) {
			return pcapfile.Open(t.Context(), path, capture.Options{})
		},
		Live: func(capture.Options) (*capture.Store, error) { return nil, errors.New("no capture in this test") },
		IsDisplayFilter: func(text string) bool {
			_, err := filter.CompileWith(x.reg, text, filter.Options{})
			return err == nil
		},
		Recent: &lines{file}, Chosen: &lines{}, Games: func() map[string]int { return nil },
	}
	x.open(false)
	return x, file
}

// open shows the sources anew.
func (x *screen) open(back bool) {
	x.c = New(x.t.Context(), x, x.src, back)
	x.t.Cleanup(x.c.Stop)
	x.c.Refresh()
	x.settle()
}

// press presses keys: names in angle brackets, everything else letter by letter.
func (x *screen) press(script string) *screen {
	for len(script) > 0 {
		name, text := script[:1], script[:1]
		if end := strings.IndexByte(script, '>'); name == "<" && end > 0 {
			name, text = script[1:end], ""
			if name == "space" {
				text = " "
			}
			script = script[end+1:]
		} else {
			script = script[1:]
		}
		if name == " " {
			name = "space"
		}
		x.c.Key(name, text)
	}
	x.settle()
	return x
}

func (x *screen) text() string {
	x.t.Helper()
	var out strings.Builder
	drawn := x.c.Draw(x.w, x.h)
	if len(drawn) != x.h {
		x.t.Errorf("%d lines of %d", len(drawn), x.h)
	}
	for i, l := range drawn {
		if w := ansi.StringWidth(l); w != x.w {
			x.t.Errorf("line %d is %d wide, not %d: %s", i, w, x.w, l)
		}
		out.WriteString(strings.TrimRight(ansi.Strip(l), " ") + "\n")
	}
	return out.String()
}

func (x *screen) has(parts ...string) {
	x.t.Helper()
	for _, p := range parts {
		if !strings.Contains(x.text(), p) {
			x.t.Errorf("%q is not in\n%s", p, x.text())
		}
	}
}

func (x *screen) hasNot(p string) {
	x.t.Helper()
	if strings.Contains(x.text(), p) {
		x.t.Errorf("%q is in\n%s", p, x.text())
	}
}

func TestARecentFileIsChosen(t *testing.T) {
	x, file := choose(t)
	x.has("Interfaces", "lo", "Recent", "game.pcap", "captures everything")
	x.press("1")
	if x.shown == nil || x.shown.File != file || x.shown.Session == nil || x.asked != "Leave what is open?" {
		t.Fatalf("shown is %+v after %q", x.shown, x.asked)
	}
	x.shown.Store.Close()
}

// TestARecentFileIsForgotten by its key, and is not listed any more.
func TestARecentFileIsForgotten(t *testing.T) {
	x, _ := choose(t)
	x.press("rd")
	x.c.Refresh()
	x.settle()
	x.hasNot("Recent")
}

// TestTheWayBack: q goes back to the capture behind where there is one, and ends the program where there is none.
func TestTheWayBack(t *testing.T) {
	x, _ := choose(t)
	if x.press("q"); !x.quit || x.closed {
		t.Error("q does not end the program")
	}
	x.open(true)
	x.has("q back")
	if x.press("q"); !x.closed {
		t.Error("q does not go back")
	}
	x.press("?<ctrl+z>")
	if !slices.Equal(x.done, []act.Action{act.Help, act.Suspend}) {
		t.Errorf("done is %v", x.done)
	}
}

// TestACaptureThatComesTooLate is closed: nobody waits for it any more.
func TestACaptureThatComesTooLate(t *testing.T) {
	x, file := choose(t)
	x.open(true)
	store, err := x.src.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	x.src.Open = func(string) (*capture.Store, error) { return store, nil }
	x.open(true)
	x.c.Key("1", "1")
	x.c.Key("q", "q")
	x.settle()
	if x.shown != nil {
		t.Error("it is shown all the same")
	}
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	x, file := choose(t)
	x.press("/port").has("✗ ")
	x.press("<esc>")
	x.press("/<ctrl+u>udp.port == 53<esc>").has("this is a display filter")
	x.press("/<ctrl+u><esc>o" + file[:len(file)-6] + "<tab>").has("game.pcap")
	x.press("<ctrl+u>" + filepath.Dir(file) + "<enter>").has("directory")
	if x.shown != nil {
		t.Error("a directory was opened")
	}
}

// TestSettingsOfACapture are changed with the keys that stand beside them.
func TestSettingsOfACapture(t *testing.T) {
	x, _ := choose(t)
	x.press("b64 MiB<enter>n96<enter>aduration:60 packets:5<enter>w/tmp/none.pcapng<enter>p")
	want := capture.Options{Keep: 64 << 20, SnapLen: 96, NoPromisc: true, Write: "/tmp/none.pcapng",
		Stop: capture.StopRules{Duration: time.Minute, Packets: 5}}
	if !reflect.DeepEqual(x.capture, want) {
		t.Errorf("%+v, want %+v", x.capture, want)
	}
	x.has("64 MiB", "96 B", "duration:60 packets:5", "/tmp/none.pcapng")
	x.press("bmuch").has("is not a size")
	x.press("<enter>").has("is not a size")
	if x.press("<esc>"); x.capture.Keep != 64<<20 {
		t.Error("Esc does not leave it as it was")
	}
}

// TestLinkTypeAndMonitorMode are chosen from what the interface has.
func TestLinkTypeAndMonitorMode(t *testing.T) {
	x, _ := choose(t)
	mayMonitor := true
	x.src.Links = func(name string, monitor bool) (live.Links, error) {
		switch {
		case monitor && !mayMonitor:
			return live.Links{}, &capture.InterfaceError{Name: name, Text: "it has no monitor mode"}
		case monitor:
			return live.Links{Types: [][2]string{{"IEEE802_11_RADIO", "802.11 plus radiotap header"}}, Monitor: true}, nil
		}
		return live.Links{Types: [][2]string{{"EN10MB", "Ethernet"}, {"DOCSIS", "DOCSIS"}}}, nil
	}
	x.w, x.h = 80, 24
	x.open(false)
	x.c.list(source.Found{Interfaces: []live.InterfaceInfo{{Name: "wlan0", Up: true}}})
	x.hasNot("monitor")
	x.press("l").has("EN10MB (Ethernet), DOCSIS (DOCSIS)")
	x.press("<down><down><enter>").has("l link    DOCSIS")
	if x.capture.LinkType != "DOCSIS" || x.capture.Monitor {
		t.Errorf("%+v", x.capture)
	}
	x.press("m").has("m monitor      yes")
	x.press("l").press("<down><enter>").has("IEEE802_11_RADIO")
	x.press("m").has("m monitor      no")
	mayMonitor = false
	if x.press("m").has("it has no monitor mode"); x.capture.Monitor {
		t.Error("it captures in a mode that there is not")
	}
}

func TestCaptureElsewhere(t *testing.T) {
	x, _ := choose(t)
	var asked capture.Options
	x.src.Live = func(opt capture.Options) (*capture.Store, error) { asked = opt; return nil, errors.New("not let in") }
	x.open(false)
	x.press("/udp<enter>sann@gate/br0<enter>")
	if len(asked.Interfaces) != 1 || asked.Interfaces[0] != "ssh://ann@gate/br0" || asked.Filter != "udp" {
		t.Errorf("asked for %+v", asked)
	}
	x.has("not let in")
}

func TestTheMouse(t *testing.T) {
	x, file := choose(t)
	at := func(what string) (y int) {
		for i, l := range strings.Split(x.text(), "\n") {
			if strings.Contains(l, what) {
				return i
			}
		}
		t.Fatalf("no %q:\n%s", what, x.text())
		return 0
	}
	x.c.Click(4, at("] lo "))
	x.has("[x] lo ")
	x.c.Click(20, at("Capture filter"))
	x.press("port").has("✗ ")
	x.press("<ctrl+u><esc>")
	x.c.Click(x.w*56/100+20, at("Promiscuous"))
	row := at("game.pcap")
	if x.c.Click(20, row); x.asked != "" {
		t.Fatal("one click opens a file")
	}
	x.c.Wheel(-3)
	x.c.Wheel(3)
	x.c.Click(20, row)
	if x.settle(); x.shown == nil || x.shown.File != file {
		t.Fatalf("shown is %+v", x.shown)
	}
	x.shown.Store.Close()
}

// TestTheChoiceIsKept chooses without the right to capture, and finds the choice again until something is captured.
func TestTheChoiceIsKept(t *testing.T) {
	x, _ := choose(t)
	x.c.found.NotPermitted = errors.New("not you")
	x.press("/udp port 7<enter>")
	x.c.found.Interfaces = []live.InterfaceInfo{{Name: "lan 0"}, {Name: "lo"}}
	x.press("g<space>")
	x.has("may not capture yet", "your filter and choice of interface are kept", "setcap", "-i 'lan 0' 'udp port 7'",
		"this time only", "ssh router tcpdump", "Files can be opened without any of this:  o")
	if x.press("q"); !x.quit {
		t.Fatal("q does not leave")
	}
	x.src.Live = func(capture.Options) (*capture.Store, error) {
		return pcapfile.OpenBytes(t.Context(), "live", dissecttest.Pcap(1, viewtest.Sample()), capture.Options{})
	}
	x.open(false)
	if x.c.filter.Value() != "udp port 7" || !x.c.chosen["lan 0"] || len(x.c.chosen) != 1 {
		t.Errorf("kept is %q and %v", x.c.filter.Value(), x.c.chosen)
	}
	x.c.found.Interfaces, x.c.found.NotPermitted = []live.InterfaceInfo{{Name: "lan 0"}, {Name: "lo"}}, nil
	x.press("g<enter>")
	if x.shown == nil || !slices.Contains(x.shown.Options.Interfaces, "lan 0") || x.shown.Options.Filter != "udp port 7" {
		t.Fatalf("captured is %+v: %s", x.shown, fmt.Sprint(x.c.message))
	}
	x.shown.Store.Close()
	if x.open(false); x.c.filter.Value() != "" || len(x.c.chosen) != 0 {
		t.Errorf("after capturing %q and %v are kept", x.c.filter.Value(), x.c.chosen)
	}
}
