//go:build linux

package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"remora/dissect/dissecttest"
)

// fifo makes a named pipe.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

// piping runs the program with a pipe whose end is the test's, and gives what it says on standard error line by line.
func piping(t *testing.T, args ...string) (*exec.Cmd, io.WriteCloser, func(want string)) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	var text []byte
	return cmd, in, func(want string) {
		t.Helper()
		b := make([]byte, 4096)
		for !strings.Contains(string(text), want) {
			n, err := said.Read(b)
			if text = append(text, b[:n]...); err != nil {
				t.Fatalf("it says %q, not %q", text, want)
			}
		}
		text = nil
	}
}

// TestSignalNextFile has the file that is written put away as a program for logs does it, and a file of the same name
// begun.
func TestSignalNextFile(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "x.pcap")
	cmd, in, says := piping(t, "-r", "-", "-w", out, "-P", "-l")
	packet := udpPacket(5000, 6000, "one")
	all := dissecttest.Pcap(1, dissecttest.Packets(packet, packet, packet))
	record := (len(all) - 24) / 3
	wait := func(path string) {
		t.Helper()
		for range 1000 {
			if info, err := os.Stat(path); err == nil && info.Size() > 0 {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("%s is not written", path)
	}
	in.Write(all[:24+record])
	wait(out)
	if err := os.Rename(out, out+".1.pcap"); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(syscall.SIGUSR1)
	says("1 packet captured")
	in.Write(all[24+record:])
	wait(out)
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{out + ".1.pcap": 1, out: 2} {
		if got := remora(t, nil, "-r", path, "-P"); strings.Count(got.out, "\n") != want {
			t.Errorf("%s has %d packets, want %d: %s", path, strings.Count(got.out, "\n"), want, got.err)
		}
	}
}

// TestSignalQuit ends a capture as an interrupt does, with its own code.
func TestSignalQuit(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "x.pcapng")
	cmd, in, _ := piping(t, "-r", "-", "-w", out, "-P")
	in.Write(dissecttest.Pcap(1, dissecttest.Packets(udpPacket(5000, 6000, "one"))))
	for range 1000 {
		if info, err := os.Stat(out); err == nil && info.Size() > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGQUIT)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGQUIT) {
		t.Errorf("exit %d", code)
	}
	if got := remora(t, nil, "-r", out, "-P"); strings.Count(got.out, "\n") != 1 {
		t.Errorf("%q %q", got.out, got.err)
	}
}

// TestSignalsOnTheScreen leaves the screen alone by USR1, and gives the terminal back by QUIT.
func TestSignalsOnTheScreen(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "fixtures/demo.pcapng.zst")
	x.sees("[Packets]")
	x.cmd.Process.Signal(syscall.SIGUSR1)
	x.keys("?")
	x.sees("Enter runs the line")
	x.cmd.Process.Signal(syscall.SIGQUIT)
	x.ends(128 + int(syscall.SIGQUIT))
}

// TestColorFlag draws without colours, and with them although NO_COLOR is set.
func TestColorFlag(t *testing.T) {
	x := startTerminal(t, "--color=never", "--glyphs=ascii", "fixtures/demo.pcapng.zst")
	x.sees("[Packets]")
	if s := x.written(); strings.Contains(s, "\x1b[38;") || strings.ContainsAny(s, "─│●") {
		t.Error("there are colours, or signs that are not ASCII")
	}
	x.keys("ZZ")
	x.ends(exitDone)
}
