package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSettingsWhileItRuns rewrites the files of settings below a running program.
func TestSettingsWhileItRuns(t *testing.T) {
	dir := writeSettings(t, map[string]string{"config.toml": "theme = \"dark\"\n", "profiles/plain.toml": "ascii = true\n"})
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := startTerminal(t, "--profile", "plain", "fixtures/demo.pcapng")
	x.sees("[Packets]")
	write("config.toml", "theme = \"dark\"\n[keys]\nX = \"program.help\"\n")
	x.sees("read again")
	write("config.toml", "theme = \"dark\"\n\n[keys]\nX = \"program.hlep\"\n")
	x.sees("config.toml, line 4: keys, \"X\": there is no action called \"program.hlep\"; did you mean program.help?")
	x.keys("X")
	x.sees("Enter runs the line")
	x.keys("\x1bOP")
	write("profiles/plain.toml", "ascii = false\ntheme = \"light\"\n")
	write("config.toml", "")
	x.sees("read again")
	x.keys(":profile none\r")
	x.sees("any more")
	x.keys("ZZ")
	x.ends(exitDone)
}

func TestMissingProfile(t *testing.T) {
	writeSettings(t, map[string]string{"profiles/games.toml": ""})
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "--profile", "gmaes", "-r", "fixtures/demo.pcapng", "-c", "1").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitUsage || !strings.Contains(string(out), "remora: there is no profile called gmaes; did you mean games?") {
		t.Errorf("%v: %s", err, out)
	}
}
