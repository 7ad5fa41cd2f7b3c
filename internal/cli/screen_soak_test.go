//go:build linux

package cli

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"remora/capture/live"
	"remora/dissect/dissecttest"
)

// soakSeed begins the random keys of TestRandomBytesOnATerminal.
const soakSeed = 20

// soakLetters are what is typed at random, those that matter most often. No slash is among them: a file whose name is
// asked for stays in the test's own folder.
const soakLetters = "jjjkkkllhhggGGffttccnn=aAyYoxuv*#%{}mD'PKC~rTtspFHbWE|+-<>zRM\\;iI]['0123456789 " +
	"tcpudpnsmtype=!&|.{}()\""

// soakKeys are longer sequences: cursor keys, with modifiers and without, the mouse, pasted text, colours that a
// terminal answers with, and the beginnings and remains of such; and lines and the help, each after an Esc that ends
// what was typed before. What suspends is not among them, for no shell is there to go on.
var soakKeys = []string{"\r", "\r", "\x1b", "\x1b", "\t", "\x7f", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[1;5A",
	"\x1b[1;5B", "\x1b[1;2C", "\x1b[1;3D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[Z", "\x1b[3~", "\x1b[18~",
	"\x1b[19~",
	"\x1b[27u/", "\x1b[27u/udp", "\x1b[27u/touhou\r", "\x1b[27u:zoom\r", "\x1b[27u:sort -Len\r", "\x1b[27u:goto 5\r",
	"\x1b[27u:nothing\x1b[27u", "\x1b[27u?\x1b[27u", "\x1b[27u?same\x1b[27u",
	"\x04", "\x15", "\x06", "\x0e", "\x14", "\x17", "\x17w", "\x0c", "\x05", "\x12",
	"\x1b[<0;10;8M\x1b[<0;10;8m", "\x1b[<0;60;25M\x1b[<0;60;25m", "\x1b[<64;20;9M", "\x1b[<65;20;9M",
	"\x1b[<2;30;9M\x1b[<2;30;9m",
	"\x1b[200~udp && \x1b[31mtouhou\x00\x1b[201~", "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b[", "[1;", "\xff\xfe",
	"\u00e9\u4e16\u202e", "\x00"}

// TestRandomBytesOnATerminal has the built program capture live packets on a terminal whose keys are random and whose
// size changes, for some seconds. It goes on answering, leaves as it should, and gives the terminal back.
func TestRandomBytesOnATerminal(t *testing.T) {
	t.Parallel()
	if err := live.CanCapture(); err != nil {
		if os.Getenv("REMORA_REQUIRE_LIVE") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	t.Logf("the seed is %d", soakSeed)
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	// With this PATH nothing can be started: neither ssh nor a program for the clipboard.
	env := []string{"TMPDIR=" + tmp, "PATH=" + t.TempDir(), "TMUX=", "DISPLAY=", "WAYLAND_DISPLAY=", "SUDO_UID="}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		env = append(env, name+"="+t.TempDir())
	}
	own, stop := talkOnLoopback(t)
	defer stop()
	cmd := exec.Command(path, "-i", "lo", "-f", "net "+own+".0/24")
	cmd.Env, cmd.Dir = env, t.TempDir() // what is saved under a random name
	x := start(t, cmd)
	x.sees("[Packets]", "Touhou")
	if state, err := term.GetState(int(x.tty.Fd())); err != nil || reflect.DeepEqual(state, freshTerminal(t)) {
		t.Errorf("the terminal's line is as in a shell while the screen is on it: %v", err)
	}
	all := x.soak(rand.New(rand.NewPCG(soakSeed, 5)), 5*time.Second)
	x.answers()
	x.keys("ZZ")
	select {
	case err := <-x.end:
		x.end <- err
	case <-time.After(20 * time.Second):
		t.Fatalf("the program does not leave; last it wrote %q", tail(x.written()))
	}
	x.ends(exitDone)
	if t.Failed() {
		t.Logf("last it wrote %q", tail(x.written()))
	}
	all += x.written()
	for _, bad := range []string{"panic", "goroutine ", "SIGSEGV", "\x1b]0;owned", "\u202e"} {
		if i := strings.Index(all, bad); i >= 0 {
			t.Errorf("%q was written: %q", bad, all[max(0, i-200):min(len(all), i+2000)])
		}
	}
	x.restored()
	left, _ := filepath.Glob(filepath.Join(tmp, "remora-*"))
	// copies that no clipboard took
	left = slices.DeleteFunc(left, func(name string) bool { return filepath.Ext(name) == ".txt" })
	if len(left) > 0 {
		t.Errorf("the program leaves %q", left)
	}
}

// soak types and resizes at random for a while, and gives what was written meanwhile.
func (x *terminal) soak(rng *rand.Rand, long time.Duration) string {
	x.t.Helper()
	var all strings.Builder
	typed := 0
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		select {
		case <-x.end:
			x.t.Fatalf("the program ended by itself after %d keys, exit %d:\n%q", typed, x.cmd.ProcessState.ExitCode(),
				tail(all.String()+x.written()))
		default:
		}
		switch rng.IntN(8) {
		case 0:
			if rng.IntN(4) == 0 {
				pty.Setsize(x.tty, &pty.Winsize{Rows: uint16(1 + rng.IntN(70)), Cols: uint16(1 + rng.IntN(240))})
			}
		case 1, 2:
			x.keys(soakKeys[rng.IntN(len(soakKeys))])
		default:
			x.keys(string(soakLetters[rng.IntN(len(soakLetters))]))
		}
		if typed++; typed%100 == 0 {
			all.WriteString(x.taken())
		}
	}
	return all.String() + x.taken()
}

func tail(s string) string { return s[max(0, len(s)-1500):] }

// taken is what was written since the last look.
func (x *terminal) taken() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.out.Reset()
	return x.out.String()
}

// answers leaves whatever is open and has the types of packets shown, and then the help: the program draws what it is
// asked for.
func (x *terminal) answers() {
	x.t.Helper()
	pty.Setsize(x.tty, &pty.Winsize{Rows: 36, Cols: 120})
	for range 8 { // out of lines, questions, boxes, the help and views
		x.keys("\x1b[27u") // as terminals send it that tell the keys apart
	}
	x.keys("gp")
	x.taken()
	x.keys("gt\x0c") // drawn anew as a whole
	x.sees("[Packet types]")
	x.keys("gp\x0c")
	x.sees("[Packets]")
	x.keys("?")
	x.sees("Enter runs the line")
	x.keys("\x1b[27u\x0c")
	x.sees("[Packets]")
}

// restored asks whether what the program turned on was turned off again, last.
func (x *terminal) restored() {
	x.t.Helper()
	if state, err := term.GetState(int(x.tty.Fd())); err != nil || !reflect.DeepEqual(state, freshTerminal(x.t)) {
		x.t.Errorf("the terminal's line is not as it was: %v", err)
	}
	out := x.written()
	for _, mode := range []string{"1049", "1002", "1006", "2004"} {
		if on, off := strings.LastIndex(out, "\x1b[?"+mode+"h"),
			strings.LastIndex(out, "\x1b[?"+mode+"l"); off < 0 || on > off {
			x.t.Errorf("mode %s is left on", mode)
		}
	}
}

// freshTerminal is how a terminal's line is set before any program ran on it.
func freshTerminal(t *testing.T) *term.State {
	t.Helper()
	ours, theirs, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	defer theirs.Close()
	state, err := term.GetState(int(ours.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// talkOnLoopback sends game packets, hostile text and questions on loopback until it is stopped, on a net of its own.
func talkOnLoopback(t *testing.T) (own string, stop func()) {
	t.Helper()
	own = dissecttest.Loopback()
	to, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(own + ".1"), Port: 10800})
	if err != nil {
		t.Skip(err)
	}
	from, err := net.DialUDP("udp4", &net.UDPAddr{IP: net.ParseIP(own + ".2")}, to.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Skip(err)
	}
	texts := slices.Values([]string{"\x0e\x03\x01\x00\x00\x00\x03\x01\x01\x00", "\x1b]0;owned\x07\x1b[2J\u202e",
		"\x00\x01", "GET / HTTP/1.1\r\n\r\n", "\x05"})
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			for text := range texts {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
				fmt.Fprint(from, text)
			}
		}
	}()
	return own, func() { close(done); <-ended; from.Close(); to.Close() }
}
