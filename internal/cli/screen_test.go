//go:build linux

package cli

import (
	"bytes"
	bin "encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect/dissecttest"
)

// A terminal runs the built program the way a person does: on a terminal of its own.
type terminal struct {
	t   *testing.T
	cmd *exec.Cmd
	tty *os.File

	mu  sync.Mutex
	out bytes.Buffer
	end chan error
}

func startTerminal(t *testing.T, args ...string) *terminal {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return startProgram(t, path, args...)
}

func startProgram(t *testing.T, path string, args ...string) *terminal {
	t.Helper()
	return startWith(t, nil, path, args...)
}

// startIn runs a program that keeps its things in a folder.
func startIn(t *testing.T, state, path string, args ...string) *terminal {
	t.Helper()
	return startWith(t, []string{"XDG_STATE_HOME=" + state}, path, args...)
}

// startWith runs a program with more in its environment.
func startWith(t *testing.T, env []string, path string, args ...string) *terminal {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Env = env
	return start(t, cmd)
}

// start runs a program whose environment gets what is fixed for each.
func start(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	x := &terminal{t: t, cmd: cmd, end: make(chan error, 1)}
	var err error
	cmd.Env = slices.Concat(os.Environ(), []string{"HOME=" + t.TempDir(), "XDG_STATE_HOME=" + t.TempDir(),
		"TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR=", "TZ=UTC"}, cmd.Env)
	if x.tty, err = pty.StartWithSize(x.cmd, &pty.Winsize{Rows: 36, Cols: 120}); err != nil {
		t.Skip(err) // no terminals to be had here
	}
	t.Cleanup(func() {
		endCapture(t, x.cmd.Process.Pid)
		x.cmd.Process.Kill()
		x.tty.Close()
	})
	go x.read()
	return x
}

// endCapture ends what a running program has started: its capture would go on without it.
func endCapture(t *testing.T, pid int) {
	t.Helper()
	for _, child := range children(t, pid) {
		syscall.Kill(child, syscall.SIGTERM)
	}
}

// children are the processes that any thread of a process has started and that have not ended.
func children(t *testing.T, pid int) (pids []int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		b, _ := os.ReadFile(task) // the thread may have ended
		for _, child := range strings.Fields(string(b)) {
			n, err := strconv.Atoi(child)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, n)
		}
	}
	return pids
}

func (x *terminal) read() {
	b := make([]byte, 1<<16)
	for {
		n, err := x.tty.Read(b)
		x.mu.Lock()
		x.out.Write(b[:n])
		x.mu.Unlock()
		if err != nil {
			x.end <- x.cmd.Wait()
			return
		}
	}
}

func (x *terminal) written() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out.String()
}

// sees waits until all texts were written, one after the other, since the last look.
func (x *terminal) sees(texts ...string) {
	x.t.Helper()
	for range 3000 {
		if x.wrote(texts) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	x.t.Fatalf("the screen does not show %q:\n%q", texts, x.written())
}

func (x *terminal) wrote(texts []string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	rest := x.out.String()
	for _, text := range texts {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			return false
		}
		rest = after
	}
	x.out.Reset()
	x.out.WriteString(rest)
	return true
}

func (x *terminal) keys(s string) {
	x.t.Helper()
	if _, err := x.tty.WriteString(s); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits for the end: the terminal must be as it was before.
func (x *terminal) ends(code int) {
	x.t.Helper()
	select {
	case <-x.end:
	case <-time.After(30 * time.Second):
		x.t.Fatal("the program does not end")
	}
	if got := x.cmd.ProcessState.ExitCode(); got != code {
		x.t.Errorf("exit code %d, want %d", got, code)
	}
	out := x.written()
	for _, restored := range []string{"\x1b[?1049l", "\x1b[?25h"} {
		if !strings.Contains(out, restored) {
			x.t.Errorf("the terminal is not set right again: no %q in %q", restored, out)
		}
	}
	if strings.LastIndex(out, "\x1b[?1049h") > strings.LastIndex(out, "\x1b[?1049l") {
		x.t.Errorf("the other screen is left on: %q", out)
	}
}

func TestTheScreenOnATerminal(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "fixtures/demo.pcapng.zst")
	x.sees("[Packets]")
	x.keys("/touhou\r")
	x.sees("✓")
	if err := pty.Setsize(x.tty, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	x.sees("filter")
	x.keys("q")
	x.ends(exitDone)
}

// TestSuspended has a shell between, as only a shell's programs can be suspended.
func TestSuspended(t *testing.T) {
	t.Parallel()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	x := startProgram(t, shell, "-c", `set -m; "$0" fixtures/demo.pcapng.zst; echo back in the "shell"; fg`, path)
	x.sees("[Packets]")
	x.keys("\x1a") // Ctrl-Z
	x.sees("\x1b[?1049l", "back in the shell")
	x.sees("\x1b[?1049h", "[Packets]")
	x.keys("q")
	x.ends(exitDone)
}

func TestKilledOnATerminal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		x := startTerminal(t, "fixtures/demo.pcapng.zst")
		x.sees("[Packets]")
		x.cmd.Process.Signal(sig)
		x.ends(128 + int(sig))
	}
}

// TestPacketsOutliveTheTerminal ends a capture by a terminal that is hung up, and by a program that is killed:
// each time the packets are offered at the next start.
func TestPacketsOutliveTheTerminal(t *testing.T) {
	t.Parallel()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(x *terminal){
		"hung up": func(x *terminal) { x.cmd.Process.Signal(syscall.SIGHUP) },
		"killed":  func(x *terminal) { x.cmd.Process.Kill() },
	} {
		state, from := t.TempDir(), fifo(t)
		x := startIn(t, state, path, from)
		w, err := os.OpenFile(from, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := udpPacket(5000, 6000, "one")
		w.Write(dissecttest.Pcap(1, dissecttest.Packets(p, p, p)))
		x.sees("[Packets]", "3 packets")
		time.Sleep(1500 * time.Millisecond) // what a killed program wrote is on disk after a second
		end(x)
		select {
		case <-x.end:
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: the program does not end", name)
		}
		w.Close()
		next := startIn(t, state, path)
		next.sees("Recovered captures", "3 packets from")
		next.keys("q")
		next.ends(exitDone)
	}
}

func TestChoosingOnATerminal(t *testing.T) {
	t.Parallel()
	x := startTerminal(t)
	x.sees("Choose a capture source")
	x.keys("o" + "fixtures/demo.pcapng.zst" + "\r")
	x.sees("[Packets]")
	x.keys("ZZ")
	x.ends(exitDone)
}

// TestGamesOnTheWire has a game played over loopback, in a network of its own, while the program waits for a choice.
func TestGamesOnTheWire(t *testing.T) {
	t.Parallel()
	in, tmp := network(t), t.TempDir()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{"TMPDIR=" + tmp}, "ip", append(in, path)...)
	x.sees("Choose a capture source")
	// Two ends send each other one input a frame, as in a battle.
	play := exec.Command("ip", append(in, os.Args[0], "-test.run", "^TestPlayTouhou$")...)
	play.Env = append(os.Environ(), "REMORA_PLAY=1")
	if err := play.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { play.Process.Kill(); play.Wait() })
	x.sees("Games heard on the wire just now")
	x.sees("Touhou")
	x.keys("q")
	x.ends(exitDone)
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("the captures that looked for games leave %v (%v)", left, err)
	}
}

// TestPlayTouhou is no test: it sends both sides of a battle over loopback for TestGamesOnTheWire, twenty seconds at
// most.
func TestPlayTouhou(t *testing.T) {
	if os.Getenv("REMORA_PLAY") == "" {
		t.Skip("only for another test")
	}
	at := func(port int) *net.UDPAddr { return &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port} }
	var sides [2]*net.UDPConn
	for i, port := range []int{10800, 50001} {
		c, err := net.ListenUDP("udp4", at(port))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		sides[i] = c
	}
	for frame := range uint32(20 * 60) {
		for i, c := range sides {
			p := []byte{byte(0x0d + i), 3, 0, 0, 0, 0, 5, 1, 0, 0}
			if i == 0 {
				p = append(p[:7:7], 2, 0, 0, 0, 0)
			}
			bin.LittleEndian.PutUint32(p[2:], frame+1)
			c.WriteToUDP(p, at([]int{50001, 10800}[i]))
		}
		time.Sleep(time.Second / 60) // a frame of the game
	}
}

// TestACommentOnATerminal writes a comment, sorts, and saves, with the keys that a person presses.
func TestACommentOnATerminal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kept.pcapng")
	x := startTerminal(t, "fixtures/demo.pcapng.zst")
	x.sees("[Packets]")
	x.keys("3G;")
	x.sees("comment:")
	x.keys("look here\r")
	x.sees("has a comment")
	x.keys(":sort -len\r")
	x.sees("Len▾")
	x.keys("q")
	x.sees("Unsaved comments")
	x.keys("n:w " + path + "\r")
	x.sees("saved to")
	x.keys("q")
	x.ends(exitDone)
	store, err := pcapfile.Open(t.Context(), path, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	store.Wait()
	if got := store.Comments(2); len(got) != 1 || got[0] != "look here" {
		t.Errorf("the comments saved are %q", got)
	}
}
