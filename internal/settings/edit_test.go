package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeepDecodeAs(t *testing.T) {
	const word = "udp.port==7000,touhou"
	for before, want := range map[string]string{
		"":                                       "decode_as = [\"" + word + "\"]\n",
		"# mine\ntheme = \"dark\" # dim\n":       "decode_as = [\"" + word + "\"]\n# mine\ntheme = \"dark\" # dim\n",
		"# decode_as = [] # as -d\n[keys]\n":     "# decode_as = [] # as -d\ndecode_as = [\"" + word + "\"]\n[keys]\n",
		"decode_as = [] # none ]\n":              "decode_as = [\"" + word + "\"] # none ]\n",
		"decode_as = ['a.b==1,dns'] # one\n":     "decode_as = ['a.b==1,dns', \"" + word + "\"] # one\n",
		"decode_as=[\n \"a]\", # the ]\n # b\n]": "decode_as=[\n \"a]\", \"" + word + "\" # the ]\n # b\n]",
		"decode_as = [\"" + word + "\"]\n":       "decode_as = [\"" + word + "\"]\n",
		"\"decode_as\" = [\"x\"]\nascii = true":  "\"decode_as\" = [\"x\", \"" + word + "\"]\nascii = true",
	} {
		dir := t.TempDir()
		t.Setenv("XDG_CONFIG_HOME", dir)
		t.Setenv("SUDO_UID", "")
		path := filepath.Join(dir, "remora", "config.toml")
		if before != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(before), 0o640); err != nil {
				t.Fatal(err)
			}
		}
		got, err := KeepDecodeAs("", word)
		if err != nil || got != path {
			t.Errorf("%q: %s, %v", before, got, err)
			continue
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != want {
			t.Errorf("%q became %q (%v), want %q", before, b, err, want)
		}
		if info, err := os.Stat(path); before != "" && os.PathSeparator == '/' &&
			(err != nil || info.Mode().Perm() != 0o640) {
			t.Errorf("%q: the file's mode is %v (%v)", before, info.Mode(), err)
		}
	}
}

// TestKeepDecodeAsTakesNoRisk leaves files alone that are wrong, or that it does not understand.
func TestKeepDecodeAsTakesNoRisk(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("SUDO_UID", "")
	path := filepath.Join(dir, "remora", "profiles", "lan.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"theme = 5\n": "line 1",
		"decode_as = [\"\"\"x\"y\"\"\"]\n": "only you can change"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := KeepDecodeAs("lan", "udp.port==1,dns"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if b, _ := os.ReadFile(path); string(b) != text {
			t.Errorf("%q became %q", text, b)
		}
	}
}
