package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"remora/internal/home"
	"remora/ui"
)

// withSettings writes config.toml for this test and reads it.
func withSettings(t *testing.T, text string) (settings, error) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("SUDO_UID", "")
	if err := os.MkdirAll(filepath.Join(dir, "remora"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "remora", "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return readSettings()
}

func TestSettings(t *testing.T) {
	s, err := withSettings(t, "theme = \"light\"\nmouse = false\ncolumns = [\"No.\", \"udp.length\"]\ndecode_as = [\"udp.port==7000,touhou\"]\n[keys]\nJ = \"}\"\n")
	if err != nil {
		t.Fatal(err)
	}
	o := &options{theme: "dark", decodeAs: []string{"udp.port==1,dns"}}
	o.take(s)
	if o.theme != "dark" || !o.noMouse || o.noNames || len(o.columns) != 2 || o.keys["J"] != "}" || strings.Join(o.decodeAs, " ") != "udp.port==7000,touhou udp.port==1,dns" {
		t.Errorf("%+v", o)
	}
}

func TestWrongSettingsAreTold(t *testing.T) {
	for text, want := range map[string]string{"theme = \n": "line 1", "them = 1\n": "no setting called them", "ascii = 3\n": "ascii"} {
		if _, err := withSettings(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	if err := ui.CheckSettings(reg, []string{"No.", "nosuch"}, nil); err == nil || !strings.Contains(err.Error(), "nosuch") {
		t.Error(err)
	}
	if err := ui.CheckSettings(reg, nil, map[string]string{"J": "nosuch"}); err == nil {
		t.Error("a key that does the work of none")
	}
}

// TestDefaultSettingsAreReal reads the printed file with its settings switched on: each must be one there is.
func TestDefaultSettingsAreReal(t *testing.T) {
	on := regexp.MustCompile(`(?m)^# ([a-z_]+ =|")`).ReplaceAllString(defaultSettings, "$1")
	var s settings
	md, err := toml.Decode(on, &s)
	if err != nil || len(md.Undecoded()) > 0 {
		t.Fatalf("%v %v", err, md.Undecoded())
	}
	if len(md.Keys()) < 9 {
		t.Errorf("only %v", md.Keys())
	}
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	if err := ui.CheckSettings(reg, s.Columns, s.Keys); err != nil {
		t.Error(err)
	}
	if path, err := settingsPath(); err != nil || filepath.Base(path) != "config.toml" {
		t.Errorf("%s %v", path, err)
	}
	if dir, err := home.Config(); err != nil || !strings.Contains(settingsText(), dir) {
		t.Errorf("%v", err)
	}
}
