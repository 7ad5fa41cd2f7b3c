//go:build linux

package cli

import (
	bin "encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// mainThatHangs is the program with two protocols more. Of that on UDP port 7 the texts of trees hang while there is a
// file of the trigger's name, where no watchdog watches, and a file whose name ends in .hangs says that one does. That
// on ports 9 and 40000 hangs in its dissector.
func mainThatHangs(trigger string) int {
	proto := dissect.NewProtocol("hangs", "Hangs", "A protocol whose packets make the screen wait.")
	kind := proto.Uint8("kind", "Kind", "A byte.").Format(func(uint64) string {
		for exists(trigger) {
			os.WriteFile(trigger+".hangs", nil, 0o600)
			time.Sleep(5 * time.Millisecond)
		}
		return "late"
	})
	hang := dissect.Plugin{Protocol: proto, UDP: []uint16{7}, Dissect: func(d *dissect.D) { d.Uint(kind) }}
	plugins = func() []dissect.Plugin { return append(protocols.All(), hang, hangingDissector()) }
	return Main(os.Args[1:], "")
}

// hangingDissector hangs in packets with 'h', in 'l' in re-dissections alone, and in some of TestSendNumbers.
func hangingDissector() dissect.Plugin {
	proto := dissect.NewProtocol("stuck", "Stuck", "A protocol whose dissector may hang.")
	number := proto.Uint32("number", "Number", "A number.")
	return dissect.Plugin{Protocol: proto, UDP: []uint16{9, 40000}, Dissect: func(d *dissect.D) {
		n := bin.LittleEndian.Uint32(slices.Concat(d.Data(), make([]byte, 4)))
		d.Uint(number)
		h := n&0xff == 'h' && n > 1<<24 || n < 1<<24 && n%10_000 == 5_000
		if h || n&0xff == 'l' && n > 1<<24 && !d.Session().FirstPass() {
			time.Sleep(time.Hour) // that is what hangs
		}
		d.Info().Setf("fine")
	}}
}

// stuckFile is a capture with a packet that hangs in the first pass and one that hangs later, among fine ones and
// behind so many.
func stuckFile(t *testing.T, behind int) string {
	t.Helper()
	var packets [][]byte
	for range behind {
		packets = append(packets, udpPacket(5000, 9, "fine"))
	}
	for _, text := range []string{"fine", "fine", "fine", "h234", "fine", "l234", "fine", "ende"} {
		packets = append(packets, udpPacket(5000, 9, text))
	}
	path := filepath.Join(t.TempDir(), "stuck.pcap")
	if err := os.WriteFile(path, dissecttest.Pcap(1, dissecttest.Packets(packets...)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// gaveUp is the expert info of a packet whose dissector hung.
var gaveUp = regexp.MustCompile(`Expert Info .*gave up after 1 s.*\(stuck\)`)

// TestADissectorHangsWhilePrinting prints all packets, whatever is asked for, and says at two that their dissector
// hung.
func TestADissectorHangsWhilePrinting(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		behind int
		args   []string
		lines  int // that name the packets
		marks  int
	}{
		{0, []string{"-V"}, 8, 2},
		{0, []string{"-2", "-V", "-Y", "_ws.watchdog"}, 2, 2},
		{0, nil, 8, 0},
		{3 * blockPackets, []string{"-V"}, 3*blockPackets + 8, 2}, // on all cores
		{3 * blockPackets, []string{"-V", "-Y", "_ws.watchdog"}, 2, 2},
	} {
		t.Run(fmt.Sprint(c.behind, c.args), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(self, append([]string{"-r", stuckFile(t, c.behind)}, c.args...)...)
			cmd.Env = append(os.Environ(), "REMORA_TEST_HANG=none", "HOME="+t.TempDir(), "TZ=UTC")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			lines := strings.Count(string(out), "\n")
			if slices.Contains(c.args, "-V") {
				lines = strings.Count("\n"+string(out), "\nFrame ")
			}
			if marks := len(gaveUp.FindAll(out, -1)); lines != c.lines || marks != c.marks {
				t.Errorf("%d packets, %d marks, want %d and %d\n%.2000s", lines, marks, c.lines, c.marks, out)
			}
		})
	}
}

// TestADissectorHangsOnTheScreen shows the list, and at the packets whose dissector hangs that it does.
func TestADissectorHangsOnTheScreen(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{"REMORA_TEST_HANG=none"}, self, stuckFile(t, 0))
	x.sees("[Packets]", "Expert info 1")
	x.keys("4G")
	x.sees("[Dissection gave up")
	x.keys("G")
	x.sees("1701733477") // "ende"
	x.keys("ZZ")
	x.ends(exitDone)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// hanging is the program with a screen that hangs, and the file that makes it hang.
func hanging(t *testing.T) (x *terminal, trigger string) {
	t.Helper()
	var packets [][]byte
	for range 500 {
		packets = append(packets, udpPacket(5000, 6000, "fine"))
	}
	for range 50 {
		packets = append(packets, udpPacket(5000, 7, "late"))
	}
	path := filepath.Join(t.TempDir(), "x.pcap")
	if err := os.WriteFile(path, dissecttest.Pcap(1, dissecttest.Packets(packets...)), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir() // in whose folder the screen may write
	trigger = filepath.Join(state, "remora", "hang")
	x = startWith(t, []string{"XDG_STATE_HOME=" + state, "REMORA_TEST_HANG=" + trigger}, self, path)
	x.sees("[Packets]")
	if err := os.WriteFile(trigger, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x.keys("G")
	for range 3000 {
		if exists(trigger + ".hangs") {
			return x, trigger
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nothing hangs")
	return nil, ""
}

// ended waits for the end of a program to which again is done until it comes, and holds its code and terminal against
// how they must be.
func (x *terminal) ended(code int, again func()) {
	x.t.Helper()
	for range 100 {
		select {
		case err := <-x.end:
			x.end <- err
			x.ends(code)
			x.restored()
			return
		case <-time.After(300 * time.Millisecond):
			again()
		}
	}
	x.t.Fatalf("the program does not end; last it wrote %q", tail(x.written()))
}

// TestSecondTermEndsAHangingScreen ends a program whose screen hangs by signals: the first is not answered, the next
// one ends it, and the terminal is as it was.
func TestSecondTermEndsAHangingScreen(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		x, _ := hanging(t)
		x.cmd.Process.Signal(sig)
		x.ended(128+int(sig), func() { x.cmd.Process.Signal(sig) })
	}
}

// TestSecondCtrlCEndsAHangingScreen is the same for the key, as terminals send it that tell keys apart and those that
// do not.
func TestSecondCtrlCEndsAHangingScreen(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"\x03", "\x1b[99;5u"} {
		x, _ := hanging(t)
		time.Sleep(1500 * time.Millisecond) // it is said to hang after a second
		x.keys(key)
		sent := 1
		x.ended(128+int(syscall.SIGINT), func() {
			if sent++; sent == 2 {
				x.keys(key)
			}
		})
		if sent < 2 {
			t.Errorf("%q: it ended by the first one", key)
		}
	}
}

// TestKeysTypedWhileTheScreenHangs has no key lost that was typed meanwhile, nor their order changed, when the screen
// goes on.
func TestKeysTypedWhileTheScreenHangs(t *testing.T) {
	t.Parallel()
	x, trigger := hanging(t)
	time.Sleep(1500 * time.Millisecond) // it is said to hang after a second
	var want strings.Builder
	x.keys("/")
	for i := range 40 {
		part := fmt.Sprintf("k%02d", i)
		want.WriteString(part)
		x.keys(part)
		time.Sleep(20 * time.Millisecond) // as people type: one read for each
	}
	asked := strings.Count(x.written(), "\x1b[c")
	os.Remove(trigger)
	answered, end := false, want.String()[30:] // the line shows no more of it
	for range 1500 {
		if !answered && strings.Count(x.written(), "\x1b[c") > asked {
			answered = true
			x.keys("\x1b[?62c") // as terminals do
		}
		if strings.Contains(x.written(), end) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if !strings.Contains(x.written(), end) {
		t.Errorf("keys are lost, or in another order: %q", tail(x.written()))
	}
	x.keys("\x1b[27uZZ")
	x.ends(exitDone)
}
