package doctor

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/capture/bpf"
	"remora/capture/live"
	"remora/ui/paint"
)

// made is a system with a terminal that answers as told, and with variables of its own.
func made(answer string, variables ...string) System {
	env := map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		env[name] = value
	}
	return System{Version: "remora test", Getenv: func(name string) string { return env[name] },
		Has: func(program string) bool { return program == "ssh" }, Colours: "TrueColor",
		Probe: func(string) (string, bool) { return answer, answer != "" }}
}

func line(t *testing.T, lines []Line, name string) Line {
	t.Helper()
	for _, l := range lines {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("there is no line %q in %+v", name, lines)
	return Line{}
}

// TestNoName is of terminals that say nothing of themselves, which on Windows is every console.
func TestNoName(t *testing.T) {
	l := line(t, terminal(made("", "TERM=")), "name")
	if console := paint.Terminal(func(string) string { return "" }); console != "" {
		if l.State != Works || l.Found != console {
			t.Errorf("%+v, want %q", l, console)
		}
	} else if l.State != Lacks || !strings.Contains(l.Found, "not set") {
		t.Errorf("%+v", l)
	}
}

func TestTerminals(t *testing.T) {
	const modern = "\x1b[7;3R\x1b[7;2R\x1b[?1006;2$y\x1b[?62;c"
	for _, c := range []struct {
		what, answer string
		variables    []string
		name         string
		state        State
		found        string
	}{
		{"modern", modern, nil, "wide characters", Works, "two cells"},
		{"modern", modern, nil, "mouse", Works, "known"},
		{"modern", modern, nil, "glyphs", Works, "Unicode"},
		{"modern", modern, nil, "clipboard", Works, "OSC 52"},
		{"narrow", "\x1b[7;2R\x1b[7;2R\x1b[?62;c", nil, "wide characters", Lacks, "shift"},
		{"ambiguous wide", "\x1b[7;3R\x1b[7;3R\x1b[?62;c", nil, "wide characters", Lacks, "lines take two"},
		{"silent", "\x1b[?6c", nil, "wide characters", Lacks, "did not say"},
		{"no mouse", "\x1b[7;3R\x1b[7;2R\x1b[?1006;0$y\x1b[?62;c", nil, "mouse", Lacks, "not known"},
		{"pipe", "", nil, "mouse", Lacks, "not asked"},
		{"console", modern, []string{"TERM=linux"}, "glyphs", Lacks, "ASCII"},
		{"console", modern, []string{"TERM=linux"}, "clipboard", Lacks, "files"},
		{"old locale", modern, []string{"LANG=de_DE.ISO-8859-1"}, "glyphs", Lacks, "ASCII"},
		{"dumb", modern, []string{"TERM=dumb"}, "name", Lacks, "dumb"},
		{"tmux", modern, []string{"TMUX=/tmp/x"}, "name", Works, "in tmux"},
	} {
		l := line(t, terminal(made(c.answer, c.variables...)), c.name)
		if l.State != c.state || !strings.Contains(l.Found, c.found) {
			t.Errorf("%s: %+v, want %s %q", c.what, l, c.state, c.found)
		}
		if (l.State == Works) != (l.Do == "") {
			t.Errorf("%s: %+v: what to do stands where something is not well, and only there", c.what, l)
		}
	}
	for colours, want := range map[string]State{"TrueColor": Works, "ANSI": Works, "Ascii": Lacks, "NoTTY": Lacks} {
		s := made(modern)
		s.Colours = colours
		if l := line(t, terminal(s), "colours"); l.State != want {
			t.Errorf("%s: %+v", colours, l)
		}
	}
}

// TestCapturing holds what is said against what this build and this user may do.
func TestCapturing(t *testing.T) {
	lines := capturing(System{})
	rights, library := line(t, lines, "rights"), line(t, lines, "library")
	switch may := live.CanCapture(); {
	case errors.Is(may, bpf.ErrNoLibpcap):
		if library.State != Fails || !strings.Contains(library.Do, "files, pipes and ssh") {
			t.Errorf("without libpcap: %+v", library)
		}
	case may != nil:
		if rights.State != Fails || rights.Do == "" {
			t.Errorf("without the right: %+v", rights)
		}
	default:
		if rights.State != Works || library.State != Works {
			t.Errorf("%+v %+v", rights, library)
		}
	}
}

// TestNothingPrivate makes a user and a machine, and looks for them and for what this machine is known by.
func TestNothingPrivate(t *testing.T) {
	const who, machine = "wilhelmine", "heimrechner"
	home := filepath.Join(t.TempDir(), who)
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"HOME": home, "USERPROFILE": home,
		"APPDATA": filepath.Join(home, ".config"),
		"USER":    who, "LOGNAME": who, "HOSTNAME": machine,
		"XDG_STATE_HOME": filepath.Join(t.TempDir(), who+"-state"), "XDG_CONFIG_HOME": ""} {
		t.Setenv(name, value)
	}
	s := made("\x1b[?6c", "TERM_PROGRAM=term on "+machine+" of "+who)
	s.Private = FromHere()
	s.Version = "remora built by " + who + "@" + machine + " in " + home +
		"/src at 192.0.2.77, fe80::1:2:3, 02:00:5e:10:00:01"
	var text, asJSON strings.Builder
	r := Examine(s)
	if err := errors.Join(r.Text(&text), r.JSON(&asJSON)); err != nil {
		t.Fatal(err)
	}
	private := []string{who, machine, home, "192.0.2.77", "fe80::1:2:3", "02:00:5e:10:00:01"}
	if host, err := os.Hostname(); err == nil && len(host) > 3 {
		private = append(private, host)
	}
	cards, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, card := range cards {
		addresses, err := card.Addrs()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range addresses {
			private = append(private, a.String())
		}
		if len(card.HardwareAddr) > 0 {
			private = append(private, card.HardwareAddr.String())
		}
	}
	for _, p := range private {
		if strings.Contains(text.String(), p) || strings.Contains(asJSON.String(), p) {
			t.Errorf("the report tells %q:\n%s", p, text.String())
		}
	}
	if !strings.Contains(filepath.ToSlash(text.String()), "~/.config/remora") {
		t.Errorf("the folder of the settings is missing:\n%s", text.String())
	}
	var back Report
	if err := json.Unmarshal([]byte(asJSON.String()), &back); err != nil || len(back.Lines) != len(r.Lines) {
		t.Errorf("%v, %d lines of %d", err, len(back.Lines), len(r.Lines))
	}
}

func TestHide(t *testing.T) {
	p := Private{Home: "/home/ann", Names: map[string]string{"ann": "USER", "box": "HOST", "root": "USER", "": "USER"}}
	for in, want := range map[string]string{
		"/home/ann/x":                      "~/x",
		`D:\Ann\y`:                         `D:\USER\y`,
		"ann ann@box, annotated boxes":     "USER USER@HOST, annotated boxes",
		"/data/ann/y as root":              "/data/USER/y as root",
		"10.0.0.1 ::1 2001:db8::1":         "ADDRESS ADDRESS ADDRESS",
		"kernel 6.1.0, version 1.10.3":     "kernel 6.1.0, version 1.10.3",
		"2026-11-23T12:11:39Z":             "2026-11-23T12:11:39Z",
		"go1.26.8, libpcap version 1.10.3": "go1.26.8, libpcap version 1.10.3",
	} {
		if got := p.Hide(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestPrograms(t *testing.T) {
	lines := programs(made(""))
	if l := line(t, lines, "ssh"); l.State != Works {
		t.Errorf("%+v", l)
	}
	if l := line(t, lines, "tshark"); l.State != Lacks || l.Do == "" {
		t.Errorf("%+v", l)
	}
}

func TestReport(t *testing.T) {
	r := Report{Lines: []Line{{Name: "a", State: Lacks}}}
	if !r.Well() {
		t.Error("what is only lacking fails the report")
	}
	r.Lines = append(r.Lines, Line{Name: "b", State: Fails, Do: "one\ntwo"})
	var text strings.Builder
	if err := r.Text(&text); err != nil || r.Well() || strings.Count(text.String(), "->") != 2 {
		t.Errorf("%v %v\n%s", err, r.Well(), text.String())
	}
}
