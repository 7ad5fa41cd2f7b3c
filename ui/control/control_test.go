package control

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/ui/act"
	"remora/ui/view"
	"remora/ui/view/viewtest"
)

// screen remembers what was asked of it.
type screen struct {
	t       *testing.T
	store   *capture.Store
	file    string
	options capture.Options
	lost    string
	saved   func() // what follows once all packets are saved
	shown   []Opened
	chose   bool
	closed  bool
	quit    bool
	notice  string
	asked   []view.Answer
}

func (x *screen) Store() *capture.Store                   { return x.store }
func (x *screen) File() string                            { return x.file }
func (x *screen) FilterText() string                      { return "dns" }
func (x *screen) Capture() capture.Options                { return x.options }
func (x *screen) Recent() []string                        { return []string{"a.pcap", "b.pcap"} }
func (x *screen) Show(o Opened)                           { x.shown = append(x.shown, o) }
func (x *screen) Selected() dissect.FrameNum              { return 7 }
func (x *screen) Close()                                  { x.closed = true }
func (x *screen) Choose()                                 { x.chose = true }
func (x *screen) Quit()                                   { x.quit = true }
func (x *screen) Ask(_, _ string, answers ...view.Answer) { x.asked = answers }
func (x *screen) Notify(text string)                      { x.notice = text }
func (x *screen) Key(does act.Action) string              { return does.Name() }
func (x *screen) Unsaved() string                         { return x.lost }
func (x *screen) AskAll(next func())                      { x.saved = next }
func (x *screen) Later(_ string, work func(context.Context) func()) func() {
	if then := work(context.Background()); then != nil {
		then()
	}
	return func() {}
}

func open(t *testing.T) (*screen, *Control) {
	sample := dissecttest.Pcap(1, viewtest.Sample())
	store, err := pcapfile.OpenBytes(context.Background(), "sample.pcap", sample, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	x := &screen{t: t, store: store, file: "sample.pcap"}
	return x, New(x, Sources{
		Open: func(path string) (*capture.Store, error) { return nil, errors.New("no " + path) },
		Play: func(string, float64) (*capture.Store, error) { return x.store, nil },
		Live: func(capture.Options) (*capture.Store, error) { return x.store, nil },
	}, x)
}

func TestNothingIsLostUnasked(t *testing.T) {
	x, c := open(t)
	c.Open("other.pcap")
	if len(x.shown) != 1 || x.shown[0].Err == nil || x.shown[0].File != "other.pcap" {
		t.Fatalf("shown is %+v", x.shown)
	}
	x.lost = "12 unsaved packets."
	for what, do := range map[string]func(){
		"opening": func() { c.Open("other.pcap") }, "playing": func() { c.Play("10") }, "quitting": c.Quit,
		"Ctrl-C":     c.Interrupt,
		"restarting": func() { x.options.Interfaces = []string{"lo"}; c.Restart() },
	} {
		x.asked, x.shown, x.quit = nil, nil, false
		if do(); len(x.asked) != 2 || len(x.shown) > 0 || x.quit {
			t.Fatalf("%s asks %v", what, x.asked)
		}
		x.asked[0].Do()
		if len(x.shown) > 0 || x.quit {
			t.Errorf("%s goes on before anything is saved", what)
		}
		if x.saved(); len(x.shown) == 0 && !x.quit {
			t.Errorf("%s does not go on", what)
		}
		x.shown, x.quit = nil, false
		if x.asked[1].Do(); len(x.shown) == 0 && !x.quit {
			t.Errorf("%s is not done without saving", what)
		}
	}
}

func TestPlay(t *testing.T) {
	x, c := open(t)
	const wants, saved = ":play takes a speed", "comes as it is"
	for arg, says := range map[string]string{"fast": wants, "-1": wants, "0": saved} {
		if c.Play(arg); !strings.Contains(x.notice, says) || len(x.shown) > 0 {
			t.Errorf("%s says %q", arg, x.notice)
		}
	}
	if c.Play("×2"); len(x.shown) != 1 || x.shown[0].Filter != "dns" || x.shown[0].File != "sample.pcap" {
		t.Errorf("shown is %+v", x.shown)
	}
	x.file = ""
	if c.Play(""); !strings.Contains(x.notice, "comes as it is") {
		t.Errorf("a capture that is no file says %q", x.notice)
	}
}

func TestSourcesAndFiles(t *testing.T) {
	x, c := open(t)
	if c.Open(""); !x.chose {
		t.Error("no source is chosen")
	}
	if New(x, Sources{}, x).Choose(); x.notice != "there is nothing else to choose here" {
		t.Error(x.notice)
	}
	if c.Toggle(); !strings.Contains(x.notice, "this is a saved capture") {
		t.Error(x.notice)
	}
	var names []string
	for _, o := range c.Offers("") {
		names = append(names, o.Text)
	}
	if !slices.Equal(names, []string{"b.pcap", "a.pcap"}) {
		t.Errorf("opened before are %q", names)
	}
	path := filepath.Join(t.TempDir(), "capture.pcap")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.Offers(strings.TrimSuffix(path, "ture.pcap")); len(got) != 1 || got[0].Text != path {
		t.Errorf("files are %v", got)
	}
}
