package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui"
)

// useSettings writes files of settings, and has this test find them.
func useSettings(t *testing.T, files map[string]string) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", writeSettings(t, files))
	t.Setenv("SUDO_UID", "")
}

// writeSettings writes files of settings, by their names below remora's folder, and is the folder of all settings.
func writeSettings(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, "remora", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSettings has a flag over a setting, and words of decode-as of both.
func TestSettings(t *testing.T) {
	useSettings(t,
		map[string]string{"config.toml": "theme = \"light\"\nmouse = false\ncolumns = [\"No.\", \"udp.length\"]\ndecode_as " +
			"= [\"udp.port==7000,touhou\"]\n[keys]\nJ = \"}\"\n"})
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	o := &options{theme: "dark", decodeAs: []string{"udp.port==1,dns"}}
	if _, err := o.useSettings(reg); err != nil {
		t.Fatal(err)
	}
	s := o.screenSettings(nil)
	if o.theme != "dark" || s.Theme != "dark" || !s.NoMouse || s.NoNames || len(s.Columns) != 2 || s.Keys["J"] != "}" ||
		strings.Join(o.decodeAs, " ") != "udp.port==7000,touhou udp.port==1,dns" {
		t.Errorf("%+v", s)
	}
	if !reflect.DeepEqual(s.Coloring, ui.StandardColoring()) {
		t.Errorf("without rules of one's own there are %+v", s.Coloring)
	}
}

// TestSettingsWhileItRuns rewrites the files of settings below a running program.
func TestSettingsWhileItRuns(t *testing.T) {
	t.Parallel()
	dir := writeSettings(t,
		map[string]string{"config.toml": "theme = \"dark\"\n", "profiles/plain.toml": "ascii = true\n"})
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "remora", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{"XDG_CONFIG_HOME=" + dir, "SUDO_UID="}, path, "--profile", "plain",
		"fixtures/demo.pcapng.zst")
	x.sees("[Packets]")
	write("config.toml", "theme = \"dark\"\n[keys]\nX = \"program.help\"\n")
	x.sees("Settings reloaded")
	write("config.toml", "theme = \"dark\"\n\n[keys]\nX = \"program.hlep\"\n")
	x.sees("config.toml, line 4: keys, \"X\": there is no action called \"program.hlep\"; did you mean program.help?")
	write("config.toml", "theme = \"drak\"\nmouse = 1\n[keys]\nX = \"program.hlep\"\n")
	x.sees("did you mean dark? | config.toml, line", "mouse: it is true or false", "did you mean program.help?")
	x.keys("X")
	x.sees("Enter runs the line")
	x.keys("\x1bOP")
	write("profiles/plain.toml", "ascii = false\ntheme = \"light\"\n")
	write("config.toml", "")
	x.sees("Settings reloaded")
	x.keys(":profile none\r")
	x.sees("any more")
	x.keys("ZZ")
	x.ends(exitDone)
}

func TestMissingProfile(t *testing.T) {
	useSettings(t, map[string]string{"profiles/games.toml": ""})
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "--profile", "gmaes", "-r", "fixtures/demo.pcapng.zst", "-c", "1").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitUsage ||
		!strings.Contains(string(out), "remora: there is no profile called gmaes; did you mean games?") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestEveryMistakeAtTheStart has five mistakes in a file of settings: one start tells them all.
func TestEveryMistakeAtTheStart(t *testing.T) {
	text := `theme = "drak"
columns = ["No.", "Sourc"]
decode_as = ["udp.port==7000,tohou"]
[keys]
X = "program.hlep"
[[coloring]]
filter = "ip.sorce == 1.2.3.4"
fg = "red"
`
	useSettings(t, map[string]string{"config.toml": text})
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "-r", "fixtures/demo.pcapng.zst", "-c", "1").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitUsage {
		t.Errorf("%v: %s", err, out)
	}
	for _, want := range []string{"line 1: theme: ", "did you mean dark?", "line 2: columns: ", "did you mean Source?",
		"line 3: decode_as: ", "did you mean touhou?",
		"line 5: keys, \"X\": ", "did you mean program.help?", "line 7: coloring rule 1, filter: ", "did you mean ip.src?"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in %s", want, out)
		}
	}
}

// TestGlyphs goes through who says which glyphs there are: flags, then settings, then the terminal.
func TestGlyphs(t *testing.T) {
	for _, c := range []struct {
		flags options
		text  string
		term  string
		ascii bool
	}{
		{options{}, "", "xterm-256color", false},
		{options{}, "", "linux", true},
		{options{}, "ascii = false\n", "linux", false},
		{options{}, "ascii = true\n", "xterm-256color", true},
		{options{glyphs: "unicode"}, "", "linux", false},
		{options{glyphs: "unicode"}, "ascii = true\n", "xterm", false},
		{options{glyphs: "ascii"}, "ascii = false\n", "xterm", true},
		{options{ascii: true}, "ascii = false\n", "xterm", true},
	} {
		useSettings(t, map[string]string{"config.toml": c.text})
		t.Setenv("TERM", c.term)
		t.Setenv("LC_ALL", "C.UTF-8")
		o := c.flags
		if o.color = "auto"; o.validateForm() != nil {
			t.Fatal("look")
		}
		o.own.now = new(atomic.Pointer[dissect.Registry])
		typed := o
		if _, err := o.useSettings(nil); err != nil {
			t.Fatal(err)
		}
		if s := o.screenSettings(nil); s.ASCII != c.ascii {
			t.Errorf("%+v %q on %s: ASCII %v", c.flags.glyphs, c.text, c.term, s.ASCII)
		}
		// read again
		if s, err := typed.source(filter.Options{}).Load(""); c.text == "" && (err != nil || s.ASCII != c.ascii) {
			t.Errorf("%+v %q on %s, read again: ASCII %v, %v", c.flags.glyphs, c.text, c.term, s.ASCII, err)
		}
	}
}
