//go:build linux

package cli

import (
	"context"
	bin "encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"remora/capture"
	"remora/capture/live"
	"remora/capture/pcapfile"
	"remora/capture/spool"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/broker"
	"remora/protocols"
	"remora/ui/export"
)

// mainThatIsTaken is the program with one protocol more, of UDP port 7. Its dissector tries in the screen what a packet
// that took it over might, with the files of a folder, and writes into the folder of spools what came of it.
func mainThatIsTaken(dir string) int {
	proto := dissect.NewProtocol("taken", "Taken", "A protocol whose packets take the screen over.")
	var once sync.Once
	taken := dissect.Plugin{Protocol: proto, UDP: []uint16{7}, Dissect: func(*dissect.D) {
		once.Do(func() {
			b, _ := json.Marshal(attempts(dir))
			spools, err := spool.Dir()
			if err == nil {
				err = os.WriteFile(filepath.Join(spools, "new"), b, 0o600)
			}
			if err == nil {
				os.Rename(filepath.Join(spools, "new"), filepath.Join(spools, "report"))
			}
		})
	}}
	plugins = func() []dissect.Plugin { return append(protocols.All(), taken) }
	return Main(os.Args[1:], "")
}

// attempts says of each why it failed; "" did not.
func attempts(dir string) map[string]string {
	said := map[string]string{}
	try := func(what string, err error) {
		said[what] = ""
		if err != nil {
			said[what] = err.Error()
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	_, err := os.ReadFile(in("secret"))
	try("read a file", err)
	_, err = os.ReadFile("/etc/passwd")
	try("read a file of the system", err)
	f, err := broker.Open(in("secret"))
	try("borrow a file", err)
	if f != nil {
		f.Close()
	}
	try("make a file", os.WriteFile(in("made"), nil, 0o600))
	try("overwrite a file", os.WriteFile(in("secret"), nil, 0o600))
	try("cut a file", os.Truncate(in("secret"), 0))
	try("remove a file", os.Remove(in("secret")))
	try("rename a file", os.Rename(in("secret"), in("other")))
	try("change a mode", os.Chmod(in("secret"), 0o666))
	try("export over a file", export.File(in("secret"), false, nil))
	try("export over a file that is to be replaced", export.File(in("secret"), true, nil))
	_, err = broker.Create(in("secret"), broker.Capture)
	try("save over a file", err)
	_, err = broker.Create(in(".bashrc"), broker.Export)
	try("export a hidden file", err)
	_, err = broker.Create(in("secret"), broker.Settings)
	try("keep settings elsewhere", err)
	_, err = broker.OpenOutput(in("secret"))
	try("write a capture over a file", err)
	try("remove a file by the broker", broker.Remove(in("secret")))
	_, _, err = broker.New("shell", func(string, []*os.File) (int, []*os.File, error) { return 0, nil, nil }).Ask("true")
	try("have the broker do something else", err)
	try("run a program", exec.Command("/bin/true").Run())
	c, err := net.Dial("tcp", "127.0.0.1:9")
	try("use TCP", err)
	if c != nil {
		c.Close()
	}
	_, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	try("use UDP", err)
	_, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	try("use a Unix socket", err)
	_, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0)
	try("capture", err)
	try("signal another process", syscall.Kill(os.Getppid(), 0))
	try("end the group", syscall.Kill(0, syscall.SIGWINCH))
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, syscall.PTRACE_ATTACH, uintptr(os.Getppid()), 0, 0, 0, 0)
	try("trace another process", errno)
	try("make a link", os.Symlink("/", in("link")))
	for _, path := range []string{in("secret"), in(".hidden.pcapng")} {
		s, err := live.Start(context.Background(), capture.Options{Interfaces: []string{"lo"}, Write: path})
		try("capture to "+filepath.Base(path), err)
		if s != nil {
			s.Close()
		}
	}
	return said
}

// TestWhatTheScreenIsRefused has a dissector in the screen try what it must not.
func TestWhatTheScreenIsRefused(t *testing.T) {
	t.Parallel()
	if _, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0,
		unix.LANDLOCK_CREATE_RULESET_VERSION); errno != 0 {
		t.Skip("this kernel has no Landlock: ", errno)
	}
	dir, state := t.TempDir(), t.TempDir()
	secret, packets := filepath.Join(dir, "secret"), filepath.Join(dir, "x.pcap")
	if err := os.WriteFile(secret, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packets, dissecttest.Pcap(1, dissecttest.Packets(udpPacket(5000, 7, "take over"))),
		0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{"XDG_STATE_HOME=" + state, "REMORA_TEST_TAKEN=" + dir}, self)
	x.sees("Choose a capture source", "lo")
	x.keys("o" + packets + "\r")
	report := filepath.Join(state, "remora", "spool", "report")
	x.sees("[Packets]")
	var b []byte
	for range 3000 {
		if b, err = os.ReadFile(report); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	said := map[string]string{}
	if err := json.Unmarshal(b, &said); err != nil || len(said) < 25 {
		t.Fatalf("%q: %v", b, err)
	}
	for what, why := range said {
		if why == "" {
			t.Errorf("the screen may %s", what)
		}
		t.Logf("%s: %s", what, why)
	}
	if now, err := os.ReadFile(secret); err != nil || string(now) != "precious" {
		t.Errorf("the file holds %q (%v)", now, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("in the folder are %v", left)
	}
	x.keys("ZZ")
	x.ends(exitDone)
}

// brokerOf is the broker of a running screen.
func brokerOf(t *testing.T, pid int) int {
	t.Helper()
	all := children(t, pid)
	i := slices.IndexFunc(all, func(child int) bool { return kindOf(child) == "broker" })
	if i < 0 {
		t.Fatalf("no broker is among %v", all)
	}
	return all[i]
}

// kindOf is what a process that the program started of itself is.
func kindOf(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	name, _, _ := strings.Cut(string(b[strings.IndexByte(string(b), 0)+1:]), "\x00")
	kind, _ := strings.CutSuffix(name, "-process")
	return kind
}

// TestTheScreenSavesAndOpens does with keys what a locked screen has its broker do.
func TestTheScreenSavesAndOpens(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "r") // short: what is said of a file fits into a line
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	programs, home := t.TempDir(), t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(in("letter"), "dear you", 0o600)
	write(in("rules"), "# Wireshark\n@UDP of mine@udp@[1,2,3][4,5,6]\n", 0o600)
	write(filepath.Join(programs, "xclip"), "#!/bin/sh\ncat >"+in("clipboard")+"\n", 0o700)
	config := filepath.Join(home, "remora", "config.toml")
	write(config, "time = \"r\"\n", 0o600)
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{before(programs), "DISPLAY=:99", "SSH_CONNECTION=", "XDG_CONFIG_HOME=" + home}, path,
		"fixtures/demo.pcapng.zst")
	x.sees("[Packets]")
	x.keys(":w " + in("new.pcapng") + "\r")
	x.sees("packets saved to")
	first, err := os.Stat(in("new.pcapng"))
	if err != nil {
		t.Fatal(err)
	}
	x.keys(":filter udp\r")
	x.sees("✓")
	x.keys(":w " + in("new.pcapng") + "\r") // over a capture
	x.sees("replace it")
	x.keys("y")
	x.sees("packets saved to")
	if again, err := os.Stat(in("new.pcapng")); err != nil || again.Size() == first.Size() || os.SameFile(first, again) {
		t.Errorf("the capture was not replaced: %v %v", again, err)
	}
	x.keys(":w! " + in("letter") + "\r")
	x.sees("that is no capture")
	x.keys(":shot " + in("screen.txt") + "\r")
	x.sees("the screen saved")
	x.keys(":shot " + in("letter") + "\r")
	x.sees("choose another name")
	x.keys("n")
	x.keys(":shot " + in("screen.txt") + "\r") // its own
	x.sees("replace it")
	x.keys("y")
	x.sees("the screen saved")
	x.keys("yy")
	x.sees("copied with xclip")
	if b, err := os.ReadFile(in("clipboard")); err != nil || len(b) == 0 {
		t.Errorf("copied was %q (%v)", b, err)
	}
	x.keys("yf")
	x.sees("of text to:")
	x.keys("\x15" + in("row.txt") + "\r")
	x.sees("B saved to")
	x.keys(":coloring import " + in("rules") + "\r")
	x.sees("1 rule imported")
	x.keys("w")
	x.sees("kept in")
	if b, err := os.ReadFile(config); err != nil || !strings.Contains(string(b), "UDP of mine") {
		t.Errorf("the settings are %q (%v)", b, err)
	}
	x.keys("\x1b")
	write(config, "mouse = \"perhaps\"\n", 0o600)
	x.sees("perhaps")
	x.keys(":coloring import " + in("letter") + "\r")
	x.sees("no rules in")
	x.keys(":open " + in("letter") + "\r")
	x.sees("is not a capture file")
	x.keys(":open " + in("new.pcapng") + "\r")
	x.sees("new.pcapng")
	x.keys("ZZ")
	x.ends(exitDone)
	if b, err := os.ReadFile(in("letter")); err != nil || string(b) != "dear you" {
		t.Errorf("the letter is %q (%v)", b, err)
	}
	if b, err := os.ReadFile(in("screen.txt")); err != nil || !strings.Contains(string(b), "[Packets]") {
		t.Errorf("the picture is %q (%v)", b, err)
	}
}

// TestTheBrokerDoesNotAnswer stops the broker of a screen: what is saved, opened and copied waits and says so, Esc and
// Ctrl-C give it up, and the screen goes on. Once the broker goes on, it does what it is asked again.
func TestTheBrokerDoesNotAnswer(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "r") // short: what is said of a file fits into a line
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	x := startTerminal(t, "fixtures/demo.pcapng.zst")
	x.sees("[Packets]")
	broker := brokerOf(t, x.cmd.Process.Pid)
	stop(t, broker)
	t.Cleanup(func() { syscall.Kill(broker, syscall.SIGCONT) })
	for _, c := range []struct{ command, end string }{
		{":w " + filepath.Join(dir, "a.pcapng"), "\x1b[27u"},
		{":shot " + filepath.Join(dir, "b.txt"), "\x03"},
		{":open fixtures/demo.pcapng.zst", "\x1b[27u"},
	} {
		x.keys(c.command + "\r")
		x.sees("waiting for the process that opens and saves files")
		x.keys(c.end)
		x.sees("given up")
	}
	x.keys(":w " + filepath.Join(dir, "a.pcapng") + "\r")
	x.sees("waiting for the process")
	x.keys("gt") // the screen does not wait
	x.sees("[Packet types]")
	x.keys("gp\x1b[27u")
	x.sees("given up")
	syscall.Kill(broker, syscall.SIGCONT)
	x.keys(":w " + filepath.Join(dir, "c.pcapng") + "\r")
	x.sees("packets saved to")
	stop(t, broker)
	x.keys(":w " + filepath.Join(dir, "d.pcapng") + "\r")
	x.sees("waiting for the process")
	x.keys("\x03")
	x.sees("given up")
	x.keys("ZZ")
	x.ends(exitDone)
}

// stop stops a process, and returns when all of it stands still: a signal is on its way for a while, in which much can
// be saved.
func stop(t *testing.T, pid int) {
	t.Helper()
	syscall.Kill(pid, syscall.SIGSTOP)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		running := slices.ContainsFunc(threads, func(name string) bool {
			b, err := os.ReadFile(name)
			return err == nil && !strings.Contains(string(b), ") T ")
		})
		if !running {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d does not stop", pid)
		}
	}
}

// before is the environment in which programs of a folder are found before all others.
func before(folder string) string { return "PATH=" + folder + ":" + os.Getenv("PATH") }

// TestScreenOverSSH captures on another machine: ssh is run by the broker, and ended with the screen.
func TestScreenOverSSH(t *testing.T) {
	t.Parallel()
	programs, kept := t.TempDir(), filepath.Join(t.TempDir(), "kept.pcapng")
	p := udpPacket(5000, 6000, "one")
	there := filepath.Join(programs, "there.pcap")
	if err := os.WriteFile(there, dissecttest.Pcap(1, dissecttest.Packets(p, p, p)), 0o600); err != nil {
		t.Fatal(err)
	}
	pid := filepath.Join(programs, "pid")
	script := "#!/bin/sh\necho password: >/dev/tty; read word </dev/tty\n" +
		"[ \"$word\" = secret ] && echo $$ >" + pid + " && cat " + there + " && exec sleep 60\n"
	if err := os.WriteFile(filepath.Join(programs, "ssh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{before(programs)}, path, "-i", "ssh://there/eth0", "-w", kept)
	x.sees("password:")
	x.keys("secret\r")
	x.sees("[Packets]", "3 packets")
	x.keys("ZZ")
	x.ends(exitDone)
	b, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; exists("/proc/" + strings.TrimSpace(string(b))); n++ {
		if n == 1000 {
			t.Fatal("ssh goes on")
		}
		time.Sleep(10 * time.Millisecond)
	}
	store, err := pcapfile.Open(t.Context(), kept)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if store.Wait(); store.Len() != 3 {
		t.Errorf("%d packets are kept", store.Len())
	}
}

// TestInterruptAtSSHsQuestion presses Ctrl-C while ssh asks for a password, without echo as ssh does: remora ends, ssh
// with it, and the terminal is as it was.
func TestInterruptAtSSHsQuestion(t *testing.T) {
	t.Parallel()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-i", "ssh://there/eth0"}, {"-i", "ssh://there/eth0", "-P"}} {
		programs := t.TempDir()
		pid := filepath.Join(programs, "pid")
		script := "#!/bin/sh\necho $$ >" + pid +
			"; old=$(stty -g </dev/tty); trap 'stty $old </dev/tty; exit 255' INT TERM\n" +
			"stty -echo </dev/tty; echo password: >/dev/tty; read word </dev/tty\n"
		if err := os.WriteFile(filepath.Join(programs, "ssh"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		x := startWith(t, []string{before(programs)}, path, args...)
		x.sees("password:")
		x.keys("\x03")
		select {
		case <-x.end:
		case <-time.After(30 * time.Second):
			t.Fatalf("%v: the program does not end; last it wrote %q", args, tail(x.written()))
		}
		if code := x.cmd.ProcessState.ExitCode(); code != exitInterrupted {
			t.Errorf("%v: exit code %d: %q", args, code, x.written())
		}
		if state, err := term.GetState(int(x.tty.Fd())); err != nil || !reflect.DeepEqual(state, freshTerminal(t)) {
			t.Errorf("%v: the terminal's line is not as it was: %v", args, err)
		}
		b, err := os.ReadFile(pid)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; exists("/proc/" + strings.TrimSpace(string(b))); n++ {
			if n == 1000 {
				t.Fatalf("%v: ssh goes on", args)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// TestInterruptIsHeardAfterSSHsEnd: the terminal gives Ctrl-C to ssh too, and the faster of the two does not decide how
// it ended.
func TestInterruptIsHeardAfterSSHsEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel) // any moment will do
	ended := &capture.InterfaceError{Name: "ssh://there/eth0", Text: "ssh ended: exit status 255"}
	if !interruptedSSH(ctx, fmt.Errorf("opening: %w", ended)) {
		t.Error("an interruption is taken for ssh's failure")
	}
	if interruptedSSH(ctx, &capture.InterfaceError{Name: "eth0", Text: "gone"}) || interruptedSSH(ctx, nil) {
		t.Error("what is not ssh's end is taken for an interruption")
	}
	if interruptedSSH(t.Context(), ended) {
		t.Error("ssh's failure is taken for an interruption")
	}
}

// TestTheBrokerIsLost kills the broker of a screen that captures: it says so once, goes on, and the next start finds
// all packets.
func TestTheBrokerIsLost(t *testing.T) {
	t.Parallel()
	in, state := network(t), t.TempDir()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startIn(t, state, "ip", append(in, path, "-i", "lo", "-f", "udp port 40000")...)
	x.sees("[Packets]")
	send := func(from, n int) {
		t.Helper()
		cmd := exec.Command("ip", append(in, os.Args[0], "-test.run", "^TestSendSome$", "-test.v")...)
		cmd.Env = append(os.Environ(), fmt.Sprintf("REMORA_SEND_SOME=%d %d", from, n))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	send(0, 100)
	x.sees("100 packets")
	syscall.Kill(brokerOf(t, x.cmd.Process.Pid), syscall.SIGKILL)
	x.sees("has ended", "the packets stay")
	send(100, 100)
	x.sees("200")
	x.keys(":w " + filepath.Join(t.TempDir(), "x.pcapng") + "\r")
	x.sees("not saved", "has ended")
	x.cmd.Process.Signal(syscall.SIGTERM)
	x.ends(128 + int(syscall.SIGTERM))
	found, err := live.Recover(filepath.Join(state, "remora", "spool"))
	if err != nil || len(found) != 1 || found[0].Packets != 200 {
		t.Fatalf("found are %+v (%v)", found, err)
	}
	store, err := found[0].Open(t.Context(), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	store.Wait()
	r := store.NewReader()
	for i := range store.Len() {
		if b, err := r.Bytes(i); err != nil || int(bin.LittleEndian.Uint32(b[42:])) != i {
			t.Fatalf("packet %d is % x (%v)", i, b, err)
		}
	}
}

// TestSendSome is no test: it sends numbered datagrams for TestTheBrokerIsLost.
func TestSendSome(t *testing.T) {
	var from, n int
	if got, _ := fmt.Sscan(os.Getenv("REMORA_SEND_SOME"), &from, &n); got != 2 {
		t.Skip("only for another test")
	}
	sink, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40000})
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	c, err := net.DialUDP("udp4", nil, sink.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if _, err := c.Write(bin.LittleEndian.AppendUint32(nil, uint32(from+i))); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheBrokerEndsWithTheScreen kills a screen.
func TestTheBrokerEndsWithTheScreen(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "fixtures/demo.pcapng.zst")
	x.sees("[Packets]")
	pid := brokerOf(t, x.cmd.Process.Pid)
	x.cmd.Process.Kill()
	<-x.end
	for n := 0; kindOf(pid) == "broker"; n++ {
		if n == 1000 {
			t.Fatal("the broker goes on")
		}
		time.Sleep(10 * time.Millisecond)
	}
}
