//go:build linux

package ui

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// onSmallDisk runs the test again in a process with mounts of its own, where it gives a folder on a disk of that many
// bytes, and the room that is left.
func onSmallDisk(t *testing.T, size string) (dir string, inside bool) {
	t.Helper()
	if os.Getenv("REMORA_TEST_MOUNTS") == "" {
		if os.Geteuid() != 0 {
			t.Skip("mounting a small disk needs root")
		}
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "REMORA_TEST_MOUNTS=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
		if out, err := cmd.CombinedOutput(); errors.Is(err, unix.EPERM) {
			t.Skip(err)
		} else if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return "", false
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir, true
}

// TestSavingOnAFullDisk saves numbers, a picture, a conversation and packets where there is no room: each time a
// sentence says so and what helps, nothing is left of the attempt, and another place works.
func TestSavingOnAFullDisk(t *testing.T) {
	dir, inside := onSmallDisk(t, "64k")
	if !inside {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 64<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	other := t.TempDir()
	for name, keys := range map[string]string{"numbers.csv": "gte<ctrl+u>", "packets.pcapng": "w<ctrl+u>",
		"packets.pcap.gz": "w<ctrl+u>", "talk.txt": "gfe<ctrl+u>", "screen.svg": ":shot "} {
		x := open(t, 200, 50, Config{})
		x.keys(keys + filepath.Join(dir, name) + "<enter>")
		x.has("not saved: " + filepath.Join(dir, name) +
			": the disk is full, and no part of it is left: save it on another one")
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s left %v", name, left)
		}
		if keys[0] == 'g' {
			keys = "e<ctrl+u>"
		}
		x.keys(keys + filepath.Join(other, name) + "<enter>")
		x.has("saved to " + filepath.Join(other, name))
	}
}
