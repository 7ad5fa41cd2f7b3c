package sharing

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOpenFilesMove renames a file that is open, onto another that is, and removes it: both can still be read.
func TestOpenFilesMove(t *testing.T) {
	if os.Getenv("REMORA_WINE") != "" {
		t.Skip("Wine renames nothing onto a file that is open, and lets it have its name until it is closed")
	}
	dir := t.TempDir()
	open := func(name string) *os.File {
		f, err := OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o600)
		if err == nil {
			_, err = f.WriteString(name)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	a, b := open("a"), open("b")
	if err := Rename(a.Name(), b.Name()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(b.Name()); err != nil || string(got) != "a" {
		t.Errorf("%q (%v) after a was renamed to b", got, err)
	}
	if err := Remove(b.Name()); err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]*os.File{"a": a, "b": b} {
		got := make([]byte, 1)
		if _, err := f.ReadAt(got, 0); err != nil || string(got) != want {
			t.Errorf("%q (%v) in the open file %s", got, err, want)
		}
	}
	if _, err := os.Stat(b.Name()); !os.IsNotExist(err) {
		t.Errorf("the removed file is there (%v)", err)
	}
}

func TestCreateTemp(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		f, err := CreateTemp(dir, "x-*.y")
		if err != nil {
			t.Fatal(err)
		}
		if ok, _ := filepath.Match("x-*.y", filepath.Base(f.Name())); !ok {
			t.Error(f.Name())
		}
		f.Close()
	}
	if files, err := os.ReadDir(dir); len(files) != 2 {
		t.Error(files, err)
	}
}
