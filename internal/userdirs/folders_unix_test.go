//go:build unix

package userdirs

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFolders(t *testing.T) {
	t.Setenv("SUDO_UID", "")
	t.Setenv("XDG_STATE_HOME", "/s")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", t.TempDir())
	state, err := State()
	if err != nil || state != "/s/remora" {
		t.Errorf("%s (%v)", state, err)
	}
	config, err := Config()
	if want := filepath.Join(os.Getenv("HOME"), ".config", "remora"); err != nil || config != want {
		t.Errorf("%s (%v), want %s", config, err, want)
	}
	t.Setenv("HOME", filepath.Join(t.TempDir(), "missing"))
	if dir, err := Config(); err == nil {
		t.Errorf("%s for a user without a home", dir)
	}
}
