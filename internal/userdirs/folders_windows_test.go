package userdirs

import (
	"path/filepath"
	"testing"
)

func TestFolders(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("LOCALAPPDATA", `C:\here`)
	t.Setenv("APPDATA", `\\server\profiles\ann`)
	for want, folder := range map[string]func() (string, error){
		`C:\here\remora`: State, `\\server\profiles\ann\remora`: Config, `\\server\profiles\ann\Wireshark`: Wireshark,
	} {
		if dir, err := folder(); err != nil || dir != want {
			t.Errorf("%s (%v), want %s", dir, err, want)
		}
	}
	t.Setenv("XDG_STATE_HOME", `D:\state`)
	if dir, err := State(); err != nil || dir != `D:\state\remora` {
		t.Errorf("%s (%v)", dir, err)
	}
	t.Setenv("APPDATA", "")
	if dir, err := Config(); err == nil {
		t.Errorf("%s for a user without such a folder", dir)
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := MakeDir(dir); err != nil {
		t.Error(err)
	}
}
