//go:build cgo && linux

package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
)

const nobody = 65534

func TestDropPrivileges(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Setenv("SUDO_UID", fmt.Sprint(nobody))
	t.Setenv("SUDO_GID", fmt.Sprint(nobody))
	manyThreads()
	dir := nobodysDir(t)
	// threads that are there already
	before := live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", SpoolDir: dir})
	if err := DropPrivileges(); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != nobody || os.Getuid() != nobody || os.Getegid() != nobody {
		t.Fatalf("user %d, effective %d, group %d", os.Getuid(), os.Geteuid(), os.Getegid())
	}
	if groups, _ := os.Getgroups(); len(groups) != 1 || groups[0] != nobody {
		t.Errorf("groups %v", groups)
	}
	checkThreads(t)
	if f, err := os.Open("/etc/shadow"); err == nil {
		f.Close()
		t.Error("root's files can still be read")
	}
	if err := CanCapture(); err != nil {
		t.Errorf("the right to capture went, too: %v", err)
	}
	talk(t, 10)
	capturetest.WaitFor(t, before, 10)
	before.Stop()
	spooled := live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", SpoolDir: filepath.Join(dir, "a", "b")})
	after := live(t,
		capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: filepath.Join(dir, "after.pcap"), SpoolDir: dir})
	talk(t, 10)
	capturetest.WaitFor(t, after, 10)
	capturetest.WaitFor(t, spooled, 10)
	after.Stop()
	for _, path := range []string{filepath.Join(dir, "after.pcap"), filepath.Join(dir, "a"), filepath.Join(dir, "a", "b"),
		spooled.Status().Spool} {
		info, err := os.Stat(path)
		if err != nil {
			t.Error(err)
		} else if st := info.Sys().(*syscall.Stat_t); st.Uid != nobody || st.Gid != nobody {
			t.Errorf("%s belongs to %d:%d", path, st.Uid, st.Gid)
		}
	}
	if err := spooled.Close(); err != nil {
		t.Errorf("the spool cannot be removed: %v", err)
	}
}

// nobodysDir is a folder that nobody may use and remove; the testing package's own are root's alone.
func nobodysDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "remora-test")
	if err != nil {
		t.Fatal(err)
	}
	os.Chown(dir, nobody, nobody)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// manyThreads starts threads that sit in cgo or in the kernel, so that changing one thread would show.
func manyThreads() {
	var ready sync.WaitGroup
	for range 8 {
		ready.Add(1)
		go func() {
			runtime.LockOSThread()
			ready.Done()
			select {}
		}()
	}
	ready.Wait()
}

// checkThreads looks at the user and the rights of every thread.
func checkThreads(t *testing.T) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(tasks) < 8 {
		t.Fatalf("%d threads, %v", len(tasks), err)
	}
	const keep, none = "0000000000003000", "0000000000000000" // CAP_NET_ADMIN 12, CAP_NET_RAW 13
	want := map[string]string{"CapPrm": keep, "CapEff": keep, "CapBnd": keep, "CapInh": none, "CapAmb": none}
	for _, path := range tasks {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		for line := range strings.Lines(string(b)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			value = strings.TrimSpace(value)
			if w, ok := want[key]; ok && value != w {
				t.Errorf("%s: %s is %s", path, key, value)
			}
			if key == "Uid" && value != "65534\t65534\t65534\t65534" {
				t.Errorf("%s: Uid %s", path, value)
			}
		}
	}
}

func TestNothingToDrop(t *testing.T) {
	t.Setenv("SUDO_UID", "")
	uid := os.Geteuid()
	if err := DropPrivileges(); err != nil || os.Geteuid() != uid {
		t.Errorf("%v, user %d", err, os.Geteuid())
	}
}

// TestNoPermission tries to capture as a user who may not.
func TestNoPermission(t *testing.T) {
	if os.Getenv("REMORA_TEST_NOBODY") == "" && os.Geteuid() == 0 {
		exe := filepath.Join(nobodysDir(t), "remora test") // the blank has to be quoted in the advice
		b, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(exe, b, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^TestNoPermission$", "-test.v")
		cmd.Env = append(os.Environ(), "REMORA_TEST_NOBODY=1")
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	if CanCapture() == nil {
		t.Skip("this user may capture")
	}
	_, err := Start(context.Background(), capture.Options{Interfaces: []string{"lo"}})
	var p *PermissionError
	if !errors.As(err, &p) {
		t.Fatalf("%T %v", err, err)
	}
	exe, _ := os.Executable()
	for _, want := range []string{"sudo setcap cap_net_raw,cap_net_admin+eip " + quote(exe), "sudo " + quote(os.Args[0])} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	list, err := Interfaces()
	if err != nil || len(list) == 0 || !strings.Contains(list[0].Unusable, "setcap") {
		t.Errorf("%v, %+v", err, list)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"": "''", "a-b/c.d": "a-b/c.d", "a b": "'a b'", "it's": `'it'\''s'`,
		"$x": "'$x'"} {
		if got := quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
