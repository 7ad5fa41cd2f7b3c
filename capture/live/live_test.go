//go:build linux

package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/capture/pcapfile"
)

// alone runs the test again in a process with a network and a mount table of its own, and reports whether this is
// that process. Nothing here touches the machine's network.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv("REMORA_TEST_ALONE") != "" {
		run(t, "ip", "link", "set", "lo", "up")
		return true
	}
	if os.Geteuid() != 0 {
		cannot(t, "capturing in a network namespace needs root: run the tests with sudo for this one")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "REMORA_TEST_ALONE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		cannot(t, "no namespaces here:", err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "--- SKIP") {
		cannot(t, string(out))
	}
	return false
}

// cannot skips a test of live capture that cannot run here. With REMORA_REQUIRE_LIVE set it must run, and fails.
func cannot(t *testing.T, why ...any) {
	t.Helper()
	if os.Getenv("REMORA_REQUIRE_LIVE") != "" {
		t.Fatal(why...)
	}
	t.Skip(why...)
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		cannot(t, err)
	}
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func live(t *testing.T, opt capture.Options) *capture.Store {
	t.Helper()
	if opt.SpoolDir == "" {
		opt.SpoolDir = t.TempDir()
	}
	s, err := Start(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// talk sends n datagrams on the loopback interface to a socket of its own; the payload is "packet" and the number.
func talk(t *testing.T, n int) (port int) {
	t.Helper()
	rx, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer rx.Close()
	tx, err := net.Dial("udp4", rx.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	for i := range n {
		fmt.Fprintf(tx, "packet %d", i)
	}
	return rx.LocalAddr().(*net.UDPAddr).Port
}

func expectTalk(t *testing.T, s *capture.Store, n int) {
	t.Helper()
	if s.Len() != n {
		t.Fatalf("%d packets, want %d: %+v", s.Len(), n, s.Status())
	}
	r := s.NewReader()
	last := int64(0)
	for i := range n {
		b, err := r.Bytes(i)
		if m := s.Meta(i); err != nil || !bytes.HasSuffix(b, fmt.Appendf(nil, "packet %d", i)) || m.Len != uint32(len(b)) ||
			m.Time < last {
			t.Fatalf("packet %d: %q, %+v, %v", i, b, m, err)
		}
		last = s.Meta(i).Time
	}
}

func TestLiveLoopback(t *testing.T) {
	if !alone(t) {
		return
	}
	s := live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Comment: "a test"})
	if st := s.Status(); !st.Live || st.Done || st.Name != "lo" || st.CaptureFilter != "udp" || st.Unsaved {
		t.Errorf("at the start: %+v", st)
	}
	talk(t, 2000)
	capturetest.WaitFor(t, s, 2000)
	expectTalk(t, s, 2000)
	saved := filepath.Join(t.TempDir(), "while.pcapng")
	if err := pcapfile.SaveAs(s, saved, nil, pcapfile.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if s.Status().Unsaved {
		t.Error("unsaved although saved")
	}
	talk(t, 1)
	capturetest.WaitFor(t, s, 2001)
	if !s.Status().Unsaved {
		t.Error("a packet more is unsaved")
	}
	spool := s.Status().Spool
	s.Stop()
	st := s.Status()
	if st.Live || !st.Done || st.Err != nil || st.Received != 2001 || st.Dropped != 0 || len(st.Notices) != 0 ||
		st.PerInterface[0].Live {
		t.Errorf("at the end: %+v", st)
	}
	for _, path := range []string{spool, saved} {
		f := open(t, path, capture.Options{})
		capturetest.NoNotices(t, f)
		i := f.Interface(0)
		if i.Name != "lo" || i.Filter != "udp" || i.LinkType != 1 || i.TimeDigits() != 9 ||
			f.Sections()[0].Comments[0] != "a test" {
			t.Errorf("%s: %+v %+v", path, i, f.Sections())
		}
		if path == saved {
			expectTalk(t, f, 2000)
		}
	}
	s.Close()
	if _, err := os.Stat(spool); !os.IsNotExist(err) {
		t.Errorf("the spool stays: %v", err)
	}
}

func TestLiveStops(t *testing.T) {
	if !alone(t) {
		return
	}
	s := live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Stop: capture.StopRules{Packets: 10}})
	talk(t, 50)
	s.Wait()
	expectTalk(t, s, 10)
	s = live(t, capture.Options{Interfaces: []string{"lo"}, Stop: capture.StopRules{Duration: 1}})
	s.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Start(ctx, capture.Options{Interfaces: []string{"lo"}, SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	s.Wait()
	if st := s.Status(); st.Err != nil {
		t.Errorf("%+v", st)
	}
	s.Close()
}

func TestLiveSnapLength(t *testing.T) {
	if !alone(t) {
		return
	}
	s := live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", SnapLen: 40, NoPromisc: true, BufferMiB: 1})
	talk(t, 1)
	capturetest.WaitFor(t, s, 1)
	if m := s.Meta(0); m.CapLen != 40 || m.Len != 14+20+8+8 || s.Interface(0).SnapLen != 40 {
		t.Errorf("%+v %+v", m, s.Interface(0))
	}
}

func TestLiveWrites(t *testing.T) {
	if !alone(t) {
		return
	}
	for _, name := range []string{"x.pcapng", "x.pcap", "x.pcapng.gz"} {
		path := filepath.Join(t.TempDir(), name)
		spools := t.TempDir()
		s := live(t,
			capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path, Stop: capture.StopRules{Packets: 300},
				SpoolDir: spools})
		talk(t, 400)
		s.Wait()
		if st := s.Status(); st.Unsaved || st.Err != nil || len(st.Notices) > 0 {
			t.Errorf("%s: %+v", name, st)
		}
		expectTalk(t, s, 300)
		s.Close()
		f := open(t, path, capture.Options{})
		expectTalk(t, f, 300)
		capturetest.NoNotices(t, f)
		if left, _ := os.ReadDir(spools); len(left) != 0 {
			t.Errorf("%s: spools left: %v", name, left)
		}
	}
}

func TestLiveRing(t *testing.T) {
	if !alone(t) {
		return
	}
	path := filepath.Join(t.TempDir(), "r.pcapng")
	s := live(t,
		capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path, Ring: capture.Ring{Packets: 100, Files: 2},
			Stop: capture.StopRules{Packets: 450}})
	talk(t, 450)
	s.Wait()
	expectTalk(t, s, 450)
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if len(files) != 2 || !strings.Contains(files[0], "r_00004_") {
		t.Fatalf("files %q", files)
	}
	if a, b := open(t, files[0], capture.Options{}),
		open(t, files[1], capture.Options{}); a.Len() != 100 || b.Len() != 50 {
		t.Errorf("%d and %d packets", a.Len(), b.Len())
	}
	var closed []string
	s = live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path,
		Ring: capture.Ring{Packets: 10, Names: "asked"}, Stop: capture.StopRules{Files: 3},
		Closed: func(path string) { closed = append(closed, path) }})
	talk(t, 200)
	s.Wait()
	files, _ = filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if st := s.Status(); st.Err != nil || len(st.Notices) > 0 || len(files) != 2+3 {
		t.Errorf("%+v, files %q", st, files)
	}
	if slices.Sort(closed); len(closed) != 3 || !slices.Equal(closed, files[:3]) {
		t.Errorf("told that %q are complete, files %q", closed, files)
	}
}

// TestLiveNextFile has a live capture go on to the next file when it is told to, where it can.
func TestLiveNextFile(t *testing.T) {
	if !alone(t) {
		return
	}
	path := filepath.Join(t.TempDir(), "r.pcapng")
	s := live(t,
		capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path, Ring: capture.Ring{Files: 3},
			Stop: capture.StopRules{Packets: 20}})
	talk(t, 10)
	for s.Len() < 10 {
		time.Sleep(time.Millisecond)
	}
	if err := s.NextFile(); err != nil {
		t.Fatal(err)
	}
	for files := 0; files < 2; time.Sleep(time.Millisecond) {
		all, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
		files = len(all)
	}
	talk(t, 10)
	s.Wait()
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if st := s.Status(); st.Err != nil || len(st.Notices) > 0 || len(files) != 2 {
		t.Errorf("%+v, files %q", st, files)
	}
	s = live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path,
		Stop: capture.StopRules{Packets: 1}})
	if err := s.NextFile(); err == nil {
		t.Error("a file that is read from has a next one")
	}
	if err := live(t, capture.Options{Interfaces: []string{"lo"}}).NextFile(); err == nil {
		t.Error("what is written nowhere has a next file")
	}
}

func TestLiveStopsBySize(t *testing.T) {
	if !alone(t) {
		return
	}
	path := filepath.Join(t.TempDir(), "x.pcapng")
	s := live(t,
		capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path, Stop: capture.StopRules{Bytes: 5000}})
	talk(t, 200)
	s.Wait()
	if s.Len() < 30 || s.Len() > 60 {
		t.Errorf("%d packets", s.Len())
	}
	expectTalk(t, open(t, path, capture.Options{}), s.Len())
}

func TestLiveSeveralInterfaces(t *testing.T) {
	if !alone(t) {
		return
	}
	run(t, "ip", "link", "add", "vea", "type", "veth", "peer", "name", "veb")
	for i, n := range []string{"vea", "veb"} {
		run(t, "sysctl", "-qw", "net.ipv6.conf."+n+".disable_ipv6=1")
		run(t, "ip", "addr", "add", fmt.Sprintf("10.9.9.%d/24", i+1), "dev", n)
		run(t, "ip", "link", "set", n, "up")
	}
	s := live(t, capture.Options{Interfaces: []string{"vea", "lo"}, Filter: "udp"})
	talk(t, 20)
	conn, err := net.Dial("udp4", "10.9.9.77:9") // nobody there: only the request for an address goes out, which is no UDP
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	raw(t, "vea", 30)
	capturetest.WaitFor(t, s, 50)
	s.Stop()
	count := map[int]int{}
	for i := range s.Len() {
		count[s.Meta(i).Interface]++
	}
	if count[0] != 30 || count[1] != 20 || s.Interface(0).Name != "vea" || s.Interface(1).Name != "lo" {
		t.Errorf("%v %+v", count, s.Interfaces())
	}
	st := s.Status()
	if len(st.PerInterface) != 2 || st.PerInterface[0].Received != 30 || st.PerInterface[1].Received != 20 ||
		st.Name != "vea, lo" {
		t.Errorf("%+v", st)
	}
	expectSame(t, open(t, st.Spool, capture.Options{}), s)
}

func expectSame(t *testing.T, a, b *capture.Store) {
	t.Helper()
	if a.Len() != b.Len() {
		t.Fatalf("%d and %d packets", a.Len(), b.Len())
	}
	ra, rb := a.NewReader(), b.NewReader()
	for i := range a.Len() {
		x, err1 := ra.Bytes(i)
		y, err2 := rb.Bytes(i)
		if err1 != nil || err2 != nil || !bytes.Equal(x, y) || a.Meta(i) != b.Meta(i) {
			t.Fatalf("packet %d: %+v and %+v", i, a.Meta(i), b.Meta(i))
		}
	}
}

// raw sends UDP frames out of an interface, whoever may be there.
func raw(t *testing.T, name string, n int) {
	t.Helper()
	dev, err := net.InterfaceByName(name)
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	for range n {
		if err := unix.Sendto(fd, capturetest.IPPacket(17), 0,
			&unix.SockaddrLinklayer{Ifindex: dev.Index, Halen: 6}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLiveAny(t *testing.T) {
	if !alone(t) {
		return
	}
	s := live(t, capture.Options{Interfaces: []string{"any"}, Filter: "udp"})
	talk(t, 5)
	capturetest.WaitFor(t, s, 5)
	if l := s.Interface(0).LinkType; l != 113 && l != 276 {
		t.Errorf("link type %d", l)
	}
}

// TestLiveLinkType captures with a link-layer header type that is not the usual one, asked for in this process and in
// that of the captures; types and modes that an interface does not have are refused.
func TestLiveLinkType(t *testing.T) {
	if !alone(t) {
		return
	}
	have, err := LinksOf("any", false)
	if _, ok := hasLinkType(have.Types, "LINUX_SLL2"); err != nil || !ok {
		t.Skipf("any has %v (%v)", have, err)
	}
	s := live(t, capture.Options{Interfaces: []string{"any"}, Filter: "udp", LinkType: "linux_sll2"})
	talk(t, 5)
	capturetest.WaitFor(t, s, 5)
	if l := s.Interface(0).LinkType; l != 276 {
		t.Errorf("link type %d", l)
	}
	if again, err := LinksOf("any", false); err != nil || !slices.Equal(again.Types, have.Types) {
		t.Errorf("the capture process says %v (%v)", again, err)
	}
	for want, opt := range map[string]capture.Options{
		`it has no link-layer header type "DOCSIS"; it has EN10MB`: {Interfaces: []string{"lo"}, LinkType: "DOCSIS"},
		"it has no monitor mode":                                   {Interfaces: []string{"lo"}, Monitor: true},
	} {
		if _, err := Start(t.Context(), opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", opt, err)
		}
	}
	if _, err := LinksOf("lo", true); err == nil || !strings.Contains(err.Error(), "no monitor mode") {
		t.Errorf("lo in monitor mode: %v", err)
	}
}
