//go:build unix

package textfile

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRefused opens what is no file to read whole: none of it may be waited for or read.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(in("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", in("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f, err := os.Create(in("huge"))
	if err == nil {
		err = f.Truncate(1 << 40)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	os.Symlink("/dev/zero", in("link"))
	for path, want := range map[string]string{in("fifo"): "a pipe", in("socket"): "a socket",
		in("huge"): "1099511627776 bytes",
		in("link"): "a device", "/dev/zero": "a device", dir: "a folder"} {
		_, err := Read(path, 1<<20)
		var p *fs.PathError
		if !errors.As(err, &p) || p.Path != path || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if _, err := Read(in("none"), 9); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := os.WriteFile(in("file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(in("file"), 4); err != nil || string(b) != "text" {
		t.Errorf("%q %v", b, err)
	}
	if b, err := Read(in("file"), 3); err == nil {
		t.Errorf("%q of a file that is too long", b)
	}
}
