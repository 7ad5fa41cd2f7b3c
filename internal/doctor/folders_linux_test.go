package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// at looks at a folder that is kept in dir.
func at(dir string) Line {
	return folder("x", func() (string, error) { return filepath.Join(dir, "remora", "spool"), nil }, "do", Fails)
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	if l := at(dir); l.State == Fails || !strings.Contains(l.Found, "not there yet") ||
		!strings.Contains(l.Found, "free") {
		t.Errorf("%+v", l)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("%v %v is left", left, err)
	}
}

// TestFullDisk and TestReadOnly mount a small disk.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, 0, "size=16k")
	if l := at(dir); l.State != Lacks || !strings.Contains(l.Do, "--keep") {
		t.Errorf("nearly full: %+v", l)
	}
	if err := os.WriteFile(filepath.Join(dir, "full"), make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	if l := at(dir); l.State != Fails || !strings.Contains(l.Found, "no space left") || l.Do != "do" {
		t.Errorf("full: %+v", l)
	}
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, unix.MS_RDONLY, "")
	if l := at(dir); l.State != Fails || !strings.Contains(l.Found, "read-only file system") {
		t.Errorf("%+v", l)
	}
}

func mount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	if err := unix.Mount("none", dir, "tmpfs", flags, options); err != nil {
		t.Skipf("nothing can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}

// TestAsNobody examines all as a user without rights, in a home that is not that user's.
func TestAsNobody(t *testing.T) {
	if os.Geteuid() == 0 {
		dir, err := os.MkdirTemp("", "remora-test")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		program, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		exe := filepath.Join(dir, "doctor.test")
		if err := os.WriteFile(exe, program, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^TestAsNobody$", "-test.v")
		cmd.Dir, cmd.Env = "/", []string{"HOME=" + dir}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS: TestAsNobody") {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	if os.Getenv("USER") != "" {
		t.Skip("this home may be written")
	}
	r := Examine(made(""))
	if l := line(t, r.Lines, "settings"); l.State != Lacks || !strings.Contains(l.Found, "permission denied") {
		t.Errorf("%+v", l)
	}
	if l := line(t, r.Lines, "packets"); l.State == Works || !strings.Contains(l.Found, "; instead ") {
		t.Errorf("packets go to the temporary folder: %+v", l)
	}
	if r.Well() {
		t.Errorf("nobody may capture: %+v", r.Lines)
	}
}
