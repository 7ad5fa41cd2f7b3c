package userdirs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestList(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "state")
	l := NewList(dir, "filters", 3)
	if got := l.Lines(); got != nil {
		t.Errorf("an unwritten list holds %q", got)
	}
	for _, line := range []string{"a", "b", "a", "two\nlines", "d"} {
		if err := l.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := NewList(dir, "filters", 3).Lines(), []string{"a", "two lines", "d"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err := l.Remove("a"); err != nil || !slices.Equal(l.Lines(), []string{"two lines", "d"}) {
		t.Errorf("%q (%v)", l.Lines(), err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("%v (%v), want the list alone", files, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "filters"), []byte("a\r\nb\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := l.Lines(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q of lines as Windows ends them", got)
	}
	if err := (List{}).Add("x"); err != nil {
		t.Error(err)
	}
}

// TestCaller tells the user who called sudo from everybody else.
func TestCaller(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	for uid, want := range map[string]bool{"65534": true, "0": false, "": false, "x": false, "-1": false} {
		t.Setenv("SUDO_UID", uid)
		t.Setenv("SUDO_GID", "65534")
		if c, ok := Caller(); ok != want || ok && (c.UID != 65534 || c.GID != 65534) {
			t.Errorf("SUDO_UID=%s: %+v %v", uid, c, ok)
		}
	}
}
