//go:build linux

package cli

import (
	bin "encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/live"
	"remora/internal/testall"
)

// TestSendNumbers is no test: it sends numbered datagrams over loopback for TestTheScreenIsLost, at a rate and for as
// long as it is told, and prints how many went out.
func TestSendNumbers(t *testing.T) {
	rate, _ := strconv.Atoi(os.Getenv("REMORA_SEND_RATE"))
	if rate == 0 {
		t.Skip("only for another test")
	}
	sink, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40000})
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close() // nobody reads it
	to, err := net.DialUDP("udp4", nil, sink.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := to.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	payload, sent, start := make([]byte, 64), uint32(0), time.Now()
	total := uint32(rate * sendFor)
	raw.Write(func(fd uintptr) bool {
		for sent < total {
			for due := uint32(time.Since(start).Seconds() * float64(rate)); sent < min(due, total); sent++ {
				bin.LittleEndian.PutUint32(payload, sent)
				if _, err := syscall.Write(int(fd), payload); err != nil {
					t.Errorf("datagram %d: %v", sent, err)
					return true
				}
			}
			time.Sleep(200 * time.Microsecond)
		}
		return true
	})
	fmt.Println("sent", sent, "in", time.Since(start))
}

// networks are those made so far.
var networks atomic.Int64

// network makes a network namespace with a loopback interface, and says how to run something in it.
func network(t *testing.T) (in []string) {
	t.Helper()
	cannot := t.Skip
	if os.Getenv("REMORA_REQUIRE_LIVE") != "" {
		cannot = t.Fatal
	}
	if os.Geteuid() != 0 || live.CanCapture() != nil {
		cannot("making a network namespace and capturing in it needs root")
	}
	name := fmt.Sprintf("remora-test-%d-%d", os.Getpid(), networks.Add(1))
	for _, args := range [][]string{{"netns", "add", name}, {"-n", name, "link", "set", "lo", "up"}} {
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			cannot(fmt.Sprintf("ip %v: %v %s", args, err, out))
		}
	}
	t.Cleanup(func() { // a capture goes on without its screen
		out, _ := exec.Command("ip", "netns", "pids", name).Output()
		for _, pid := range strings.Fields(string(out)) {
			if n, err := strconv.Atoi(pid); err == nil {
				syscall.Kill(n, syscall.SIGTERM)
			}
		}
		exec.Command("ip", "netns", "del", name).Run()
	})
	return []string{"netns", "exec", name}
}

// lostRate is how many packets a second TestTheScreenIsLost sends, and sendFor for how many seconds.
var (
	lostRate = testall.Of(5000, 50_000)
	sendFor  = testall.Of(3, 6)
)

// TestTheScreenIsLost ends, stops and crashes the screen of a capture while packets come, 50 000 a second in the whole
// of the tests, and has its dissector hang. The next start shows all packets, those that came while there was no screen
// among them.
func TestTheScreenIsLost(t *testing.T) {
	t.Parallel()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []struct {
		name   string
		signal []syscall.Signal // a second apart
	}{
		{"killed", []syscall.Signal{syscall.SIGKILL}},
		{"crashed", []syscall.Signal{syscall.SIGABRT}}, // the runtime ends the program with a trace, as for a panic
		{"hanging", []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL}},
		{"going on when a dissector hangs", nil},
	} {
		t.Run(how.name, func(t *testing.T) {
			t.Parallel()
			in, state := network(t), t.TempDir()
			program := []string{path}
			if how.signal == nil {
				program = []string{"env", "REMORA_TEST_HANG=none", os.Args[0]}
			}
			x := startIn(t, state, "ip",
				append(append(in, program...), "-i", "lo", "-B", "64", "--keep", "0", "-f", "udp port 40000")...)
			x.sees("[Packets]")
			send := exec.Command("ip", append(in, os.Args[0], "-test.run", "^TestSendNumbers$", "-test.v")...)
			send.Env = append(os.Environ(), fmt.Sprint("REMORA_SEND_RATE=", lostRate))
			var said strings.Builder
			send.Stdout, send.Stderr = &said, &said
			if err := send.Start(); err != nil {
				t.Fatal(err)
			}
			for _, s := range how.signal {
				time.Sleep(time.Second) // of packets that are sent meanwhile
				x.cmd.Process.Signal(s)
			}
			if err := send.Wait(); err != nil {
				t.Fatalf("sending: %v\n%s", err, said.String())
			}
			if how.signal == nil {
				x.keys("/_ws.watchdog\r")
				x.sees("[Dissection gave up")
				x.cmd.Process.Kill()
			}
			y := startIn(t, state, "ip", append(in, path, "--attach")...)
			y.sees("[Packets]")
			spools := filepath.Join(state, "remora", "spool")
			store, err := live.Attach(t.Context(), spools)
			if err != nil {
				t.Fatal(err)
			}
			y.keys("ZZ") // this screen stays as long as another one shows the capture
			y.ends(exitDone)
			store.Stop()
			t.Logf("%s%s", said.String(), checkNumbers(t, store, sendFor*lostRate))
			beside(t, store)
			store.Close()
			if left, _ := os.ReadDir(spools); len(left) > 0 {
				t.Errorf("left are %v", left)
			}
		})
	}
}

// beside has capinfos and tshark read what the capture process wrote.
func beside(t *testing.T, store *capture.Store) {
	t.Helper()
	spool, want := store.Status().Spool, fmt.Sprint(store.Len())
	for _, tool := range [][]string{{"capinfos", "-M", "-T", "-r", "-c", spool},
		{"tshark", "-r", spool, "-T", "fields", "-e", "frame.number"}} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			t.Log(err)
			continue
		}
		out, err := exec.Command(tool[0], tool[1:]...).Output()
		if f := strings.Fields(string(out)); err != nil || len(f) == 0 || f[len(f)-1] != want {
			t.Errorf("%s finds %q in the spool (%v), want %s packets", tool[0], f[max(0, len(f)-2):], err, want)
		}
	}
}

// checkNumbers tells which of the numbers sent are in a capture. What is missing must have been dropped by the kernel.
func checkNumbers(t *testing.T, store *capture.Store, sent int) string {
	t.Helper()
	st, r, next, missing := store.Status(), store.NewReader(), 0, 0
	for i := range store.Len() {
		b, err := r.Bytes(i)
		if err != nil || len(b) != 14+20+8+64 {
			t.Fatalf("packet %d: %d bytes, %v", i, len(b), err)
		}
		n := int(bin.LittleEndian.Uint32(b[42:]))
		if n < next {
			t.Fatalf("packet %d has number %d, want %d", i, n, next)
		}
		missing += n - next
		next = n + 1
	}
	missing += sent - next
	if missing > int(st.Dropped) || int(st.Filtered) < store.Len() {
		t.Errorf("%d of %d packets are missing, and the kernel says that it dropped %d of %d", missing, sent, st.Dropped,
			st.Filtered)
	}
	return fmt.Sprintf("%d captured, %d missing; received by filter %d, dropped by kernel %d, by interface %d, left in "+
		"the kernel %d",
		store.Len(), missing, st.Filtered, st.Dropped, st.IfDropped, st.InKernel)
}
