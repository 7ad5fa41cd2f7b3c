package settings

import (
	"os"
	"path/filepath"
	"testing"
)

func TestKeepPreference(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	path := filepath.Join(dir, "remora", "config.toml")
	for _, c := range []struct{ before, name, value, after string }{
		{"", "ip.check_checksum", "TRUE", "\n[preferences]\n\"ip.check_checksum\" = \"TRUE\"\n"},
		{"theme = \"dark\" # mine", "a.b", "x\"y", "theme = \"dark\" # mine\n\n[preferences]\n\"a.b\" = \"x\\\"y\"\n"},
		{"[preferences] # p\n# \"a.b\" = \"1\"\n\"a.b\" = \"2\"\n[keys]\n", "a.b", "3",
			"[preferences] # p\n# \"a.b\" = \"1\"\n\"a.b\" = \"3\"\n[keys]\n"},
		{"[preferences]\n[keys]\n", "a.b", "3", "[preferences]\n\"a.b\" = \"3\"\n[keys]\n"},
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := KeepPreference("", c.name, c.value); err != nil {
			t.Errorf("%q: %v", c.before, err)
		}
		if now, _ := os.ReadFile(path); string(now) != c.after {
			t.Errorf("%q becomes %q, want %q", c.before, now, c.after)
		}
	}
	if err := os.WriteFile(path, []byte("preferences = {\"a.b\" = \"1\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := KeepPreference("", "a.b", "2"); err == nil {
		t.Error("a table in one line was changed")
	}
}
