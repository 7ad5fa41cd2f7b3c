//go:build linux

package cli

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the made-up user who calls sudo.
const nobody = 65534

// sudoed runs the program as sudo does: as root, with the caller's numbers in the environment, in a network of its own.
func sudoed(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", append([]string{"-c", `ip link set lo up; exec "$0" "$@"`, path}, args...)...)
	cmd.Env = append(os.Environ(), fmt.Sprint("SUDO_UID=", nobody), fmt.Sprint("SUDO_GID=", nobody), "SUDO_USER=nobody",
		"XDG_STATE_HOME=/root/state", "XDG_CONFIG_HOME=/root/config")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	b, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skip(err) // no namespaces here
	}
	return cmd.ProcessState.ExitCode(), string(b)
}

// TestSudoOpensAsTheCaller tries to have root's and others' files changed, given away or read.
func TestSudoOpensAsTheCaller(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	top, err := os.MkdirTemp("", "remora-sudo-") // the testing package's own are root's alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	folder := func(name string, mode os.FileMode, owner int) string {
		path := filepath.Join(top, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		os.Chmod(path, mode)
		os.Chown(path, owner, owner)
		return path
	}
	os.Chmod(top, 0o755)
	home, roots, others := folder("home", 0o755, nobody), folder("roots", 0o755, 0), folder("others", 0o755, 12345)
	sticky := folder("sticky", 0o777|os.ModeSticky, 0)
	precious := bytes.Repeat([]byte("precious\n"), 100)
	file := func(path string, mode os.FileMode) string {
		if err := os.WriteFile(path, precious, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inHome := file(filepath.Join(home, "roots.pcapng"), 0o644)
	target := file(filepath.Join(roots, "target.pcapng"), 0o644)
	inSticky := file(filepath.Join(sticky, "there.pcapng"), 0o644)
	secret := file(filepath.Join(roots, "secret"), 0o600)
	link := filepath.Join(home, "link.pcapng")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	// The packets come from a file of root's that all may read.
	capture, err := filepath.Abs("fixtures/demo.pcapng.zst")
	if err != nil {
		t.Fatal(err)
	}
	demo, err := os.ReadFile(capture)
	if err != nil {
		t.Fatal(err)
	}
	capture = filepath.Join(roots, "demo.pcapng.zst")
	if err := os.WriteFile(capture, demo, 0o644); err != nil {
		t.Fatal(err)
	}
	short := []string{"-i", "lo", "-a", "duration:0.1"}
	for _, source := range [][]string{{"-r", capture}, short} {
		for _, output := range [][]string{{inHome}, {link}, {target}, {inSticky}, {filepath.Join(roots, "new.pcapng")},
			{filepath.Join(others, "new.pcapng")}, {filepath.Join(roots, "ring.pcapng"), "-b", "packets:5"}} {
			args := append(append([]string{"-q", "-w"}, output...), source...)
			if code, out := sudoed(t, args...); code != exitFailed || !strings.Contains(out, "no permission to write it") {
				t.Errorf("%q: exit code %d, %s", args, code, out)
			}
		}
	}
	for _, path := range []string{inHome, target, inSticky, secret} {
		b, err := os.ReadFile(path)
		info, err2 := os.Stat(path)
		if err != nil || err2 != nil || !bytes.Equal(b, precious) || info.Sys().(*syscall.Stat_t).Uid != 0 {
			t.Errorf("%s was changed: %d bytes, %v %v", path, len(b), err, err2)
		}
	}
	for _, dir := range []string{roots, others} {
		if found, _ := filepath.Glob(filepath.Join(dir, "*[wg]*.pcapng")); len(found) > 1 { // the target alone
			t.Errorf("made in %s: %q", dir, found)
		}
	}
	for _, args := range [][]string{{"-r", secret, "-P"}, {"-r", capture, "-P", "--keylog", secret},
		{"-r", capture, "-P", "-H", secret}} {
		if code, out := sudoed(t, args...); code == exitDone || !strings.Contains(out, "permission") ||
			strings.Contains(out, "precious") {
			t.Errorf("%q: exit code %d, %s", args, code, out)
		}
	}
	// What the caller may do works, and belongs to the caller.
	for path, more := range map[string][]string{
		filepath.Join(home, "read.pcapng"):   {"-r", capture},
		filepath.Join(home, "live.pcapng"):   short,
		filepath.Join(sticky, "new.pcapng"):  short,
		filepath.Join(home, "ring.pcapng"):   append([]string{"-b", "packets:5"}, short...),
		filepath.Join(home, "packed.pcapng"): {"-r", capture, "-Y", "udp"},
	} {
		args := append([]string{"-q", "-w", path}, more...)
		if code, out := sudoed(t, args...); code != exitDone {
			t.Errorf("%q: exit code %d, %s", args, code, out)
		}
		made, _ := filepath.Glob(strings.TrimSuffix(path, ".pcapng") + "*")
		if len(made) == 0 {
			t.Errorf("%q made no file", args)
		}
		for _, path := range made {
			info, err := os.Stat(path)
			if err != nil || info.Sys().(*syscall.Stat_t).Uid != nobody || info.Sys().(*syscall.Stat_t).Gid != nobody {
				t.Errorf("%s: %v, %+v", path, err, info)
			}
		}
	}
}

// TestSudoCaptures takes packets of a loopback interface with what is left of root.
func TestSudoCaptures(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	if os.Getenv("REMORA_TALK") != "" {
		c, err := net.Dial("udp", "127.0.0.1:9")
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			c.Write([]byte("hello"))
		}
		return
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`ip link set lo up; "$0" -q -i lo -c 10 -a duration:20 -f udp & sleep 1
while kill -0 $! 2>/dev/null; do REMORA_TALK=1 %q -test.run '^TestSudoCaptures$' >/dev/null; sleep 0.2; done; wait $!`, os.Args[0])
	cmd := exec.Command("sh", "-c", script, path)
	cmd.Env = append(os.Environ(), fmt.Sprint("SUDO_UID=", nobody), fmt.Sprint("SUDO_GID=", nobody), "SUDO_USER=nobody")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "10 packets captured") {
		t.Errorf("%v: %s", err, out)
	}
}
