//go:build linux && (amd64 || arm64)

package confine

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// confined runs the calling test in a process of its own, as what is given up does not come back. It is true there.
func confined(t *testing.T) bool {
	t.Helper()
	if os.Getenv("REMORA_CONFINED") != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "REMORA_CONFINED="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS")) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

func hasSeccomp() bool {
	b, _ := os.ReadFile("/proc/sys/kernel/seccomp/actions_avail")
	return bytes.Contains(b, []byte("errno"))
}

// attempts are what a confined process must not do, each as a call that is harmless where it is allowed.
func attempts(dir string) map[string]error {
	_, _, trace := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_TRACEME, 0, 0, 0, 0, 0)
	key := []byte{0}
	tty, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err == nil {
		unix.Close(tty)
	}
	_, err2 := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	_, _, sti := unix.Syscall(unix.SYS_IOCTL, 0, unix.TIOCSTI, uintptr(key[0]))
	_, _, high := unix.Syscall(unix.SYS_IOCTL, 0, unix.TIOCSTI|1<<32, uintptr(key[0]))
	_, _, ring := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
	_, _, x32 := unix.Syscall(0x40000000|uintptr(unix.SYS_GETPPID), 0, 0, 0)
	out := map[string]error{
		"run a program":           exec.Command("/bin/true").Run(),
		"signal another process":  unix.Kill(os.Getppid(), 0),
		"signal the group":        unix.Kill(0, 0),
		"signal everybody":        unix.Kill(-1, 0),
		"trace":                   trace,
		"type for the shell":      sti,
		"type, with further bits": high,
		"use UDP":                 err,
		"use a Unix socket":       err2,
		"change a mode":           os.Chmod(filepath.Join(dir, "there"), 0o777),
		"make a link":             os.Symlink("/", filepath.Join(dir, "in", "link")),
		"use io_uring":            ring,
		"use the x32 calls":       x32,
		"enter a namespace":       unix.Unshare(unix.CLONE_NEWUSER),
		"limit another process":   unix.Prlimit(os.Getppid(), unix.RLIMIT_CORE, nil, &unix.Rlimit{}),
	}
	if runtime.GOARCH != "amd64" {
		delete(out, "use the x32 calls")
	}
	return out
}

// TestLock finds calls refused on threads old and new, and everything that Go and the allowed folder need working.
func TestLock(t *testing.T) {
	if !confined(t) {
		return
	}
	dir := os.Getenv("REMORA_CONFINED")
	os.Mkdir(filepath.Join(dir, "in"), 0o700)
	os.WriteFile(filepath.Join(dir, "there"), nil, 0o600)
	begin, ready := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	check := func() {
		for what, err := range attempts(dir) {
			if hasSeccomp() && !errors.Is(err, os.ErrPermission) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "in", "made"), []byte("x"), 0o600); err != nil {
			t.Error(err)
		}
		if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0,
			unix.LANDLOCK_CREATE_RULESET_VERSION); errno == 0 {
			if err := os.WriteFile(filepath.Join(dir, "out"), nil, 0o600); !errors.Is(err, unix.EACCES) {
				t.Error("a file elsewhere:", err)
			}
		}
		if _, err := net.Interfaces(); err != nil {
			t.Error("the interfaces:", err)
		}
		if _, err := os.ReadFile("/proc/self/status"); err != nil {
			t.Error(err)
		}
		if err := unix.Kill(os.Getpid(), 0); err != nil {
			t.Error("itself:", err)
		}
	}
	for range 4 {
		wg.Go(func() {
			runtime.LockOSThread()
			ready <- true
			<-begin
			check()
		})
	}
	for range 4 {
		<-ready
	}
	if err := Lock(Allowed{Write: []string{filepath.Join(dir, "in"), filepath.Join(dir, "missing")}}); err != nil {
		t.Fatal(err)
	}
	close(begin)
	wg.Wait()
	for range 8 { // new threads, with work that the runtime interrupts by signals
		wg.Go(func() {
			runtime.LockOSThread()
			for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); {
				runtime.GC()
			}
		})
	}
	wg.Wait()
	check()
	tasks, _ := filepath.Glob("/proc/self/task/*/status")
	for _, path := range tasks {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // has ended
		}
		for _, want := range []string{"NoNewPrivs:\t1", "CapInh:\t0000000000000000", "CapAmb:\t0000000000000000"} {
			if !strings.Contains(string(b), want) {
				t.Errorf("%s lacks %s", path, want)
			}
		}
		if hasSeccomp() && !strings.Contains(string(b), "Seccomp:\t2") {
			t.Errorf("%s has no filter", path)
		}
	}
}

// TestAllowed finds what was asked for working.
func TestAllowed(t *testing.T) {
	if !confined(t) {
		return
	}
	child := exec.Command("/bin/sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if err := Lock(Allowed{Network: true, Children: true, Write: []string{"/dev/null"}}); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	if err := child.Process.Kill(); err != nil {
		t.Error(err)
	}
	child.Wait()
	if err := os.WriteFile("/dev/null", []byte("x"), 0); err != nil {
		t.Error(err)
	}
}

// TestPrograms finds programs running, and what they never need refused to them as well.
func TestPrograms(t *testing.T) {
	if !confined(t) {
		return
	}
	if err := Lock(Allowed{Programs: true}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(os.Getenv("REMORA_CONFINED"), "made")
	out, err := exec.Command("/bin/sh", "-c",
		`echo x > "$0" && chmod 600 "$0" && cat "$0"; grep -E 'NoNewPrivs|Seccomp:' /proc/self/status`, file).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "x\nNoNewPrivs:\t1") ||
		hasSeccomp() && !strings.Contains(string(out), "Seccomp:\t2") {
		t.Errorf("%v: %s", err, out)
	}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Error(err)
	} else {
		l.Close()
	}
	for what, err := range attempts(file) {
		switch what {
		case "trace", "type for the shell", "type, with further bits", "use io_uring", "use the x32 calls",
			"enter a namespace":
			if hasSeccomp() && !errors.Is(err, os.ErrPermission) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// TestAndroid: a system that ends who asks for Landlock is not asked.
func TestAndroid(t *testing.T) {
	t.Setenv("ANDROID_ROOT", "/system")
	if abi := LandlockABI(); abi != 0 {
		t.Errorf("Landlock %d was asked for", abi)
	}
}
