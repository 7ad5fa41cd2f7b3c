//go:build cgo && linux

package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
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
		t.Skip("capturing in a network namespace needs root: run the tests with sudo for this one")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "REMORA_TEST_ALONE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		t.Skipf("no namespaces here: %v", err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "--- SKIP") {
		t.Skipf("%s", out)
	}
	return false
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func live(t *testing.T, opt Options) *Store {
	t.Helper()
	if opt.SpoolDir == "" {
		opt.SpoolDir = t.TempDir()
	}
	s, err := OpenLive(context.Background(), opt)
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

func expectTalk(t *testing.T, s *Store, n int) {
	t.Helper()
	if s.Len() != n {
		t.Fatalf("%d packets, want %d: %+v", s.Len(), n, s.Status())
	}
	r := s.NewReader()
	last := int64(0)
	for i := range n {
		b, err := r.Bytes(i)
		if m := s.Meta(i); err != nil || !bytes.HasSuffix(b, fmt.Appendf(nil, "packet %d", i)) || m.Len != uint32(len(b)) || m.Time < last {
			t.Fatalf("packet %d: %q, %+v, %v", i, b, m, err)
		}
		last = s.Meta(i).Time
	}
}

func TestLiveLoopback(t *testing.T) {
	if !alone(t) {
		return
	}
	s := live(t, Options{Interfaces: []string{"lo"}, Filter: "udp", Comment: "a test"})
	if st := s.Status(); !st.Live || st.Done || st.Name != "lo" || st.CaptureFilter != "udp" || st.Unsaved {
		t.Errorf("at the start: %+v", st)
	}
	talk(t, 2000)
	waitFor(t, s, 2000)
	expectTalk(t, s, 2000)
	saved := filepath.Join(t.TempDir(), "while.pcapng")
	if err := SaveAs(s, saved, nil, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if s.Status().Unsaved {
		t.Error("unsaved although saved")
	}
	talk(t, 1)
	waitFor(t, s, 2001)
	if !s.Status().Unsaved {
		t.Error("a packet more is unsaved")
	}
	spool := s.Status().Spool
	s.Stop()
	st := s.Status()
	if st.Live || !st.Done || st.Err != nil || st.Received != 2001 || st.Dropped != 0 || len(st.Notices) != 0 || st.PerInterface[0].Live {
		t.Errorf("at the end: %+v", st)
	}
	for _, path := range []string{spool, saved} {
		f := open(t, path, Options{})
		noNotices(t, f)
		i := f.Interface(0)
		if i.Name != "lo" || i.Filter != "udp" || i.LinkType != 1 || i.TimeDigits() != 9 || f.Sections()[0].Comments[0] != "a test" {
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
	s := live(t, Options{Interfaces: []string{"lo"}, Filter: "udp", Stop: StopRules{Packets: 10}})
	talk(t, 50)
	s.Wait()
	expectTalk(t, s, 10)
	s = live(t, Options{Interfaces: []string{"lo"}, Stop: StopRules{Duration: 1}})
	s.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	s, err := OpenLive(ctx, Options{Interfaces: []string{"lo"}, SpoolDir: t.TempDir()})
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
	s := live(t, Options{Interfaces: []string{"lo"}, Filter: "udp", SnapLen: 40, NoPromisc: true, BufferMiB: 1})
	talk(t, 1)
	waitFor(t, s, 1)
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
		s := live(t, Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path, Stop: StopRules{Packets: 300}, SpoolDir: spools})
		talk(t, 400)
		s.Wait()
		if st := s.Status(); st.Unsaved || st.Err != nil || len(st.Notices) > 0 {
			t.Errorf("%s: %+v", name, st)
		}
		expectTalk(t, s, 300)
		s.Close()
		f := open(t, path, Options{})
		expectTalk(t, f, 300)
		noNotices(t, f)
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
	s := live(t, Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path, Ring: Ring{Packets: 100, Files: 2}, Stop: StopRules{Packets: 450}})
	talk(t, 450)
	s.Wait()
	expectTalk(t, s, 450)
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if len(files) != 2 || !strings.Contains(files[0], "r_00004_") {
		t.Fatalf("files %q", files)
	}
	if a, b := open(t, files[0], Options{}), open(t, files[1], Options{}); a.Len() != 100 || b.Len() != 50 {
		t.Errorf("%d and %d packets", a.Len(), b.Len())
	}
	s = live(t, Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path, Ring: Ring{Packets: 10}, Stop: StopRules{Files: 3}})
	talk(t, 200)
	s.Wait()
	if st := s.Status(); st.Err != nil || len(st.Notices) > 0 || len(s.recorder.Files()) != 3 {
		t.Errorf("%+v, files %q", st, s.recorder.Files())
	}
}

func TestLiveStopsBySize(t *testing.T) {
	if !alone(t) {
		return
	}
	path := filepath.Join(t.TempDir(), "x.pcapng")
	s := live(t, Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path, Stop: StopRules{Bytes: 5000}})
	talk(t, 200)
	s.Wait()
	if s.Len() < 30 || s.Len() > 60 {
		t.Errorf("%d packets", s.Len())
	}
	expectTalk(t, open(t, path, Options{}), s.Len())
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
	s := live(t, Options{Interfaces: []string{"vea", "lo"}, Filter: "udp"})
	talk(t, 20)
	conn, err := net.Dial("udp4", "10.9.9.77:9") // nobody there: only the request for an address goes out, which is no UDP
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	raw(t, "vea", 30)
	waitFor(t, s, 50)
	s.Stop()
	count := map[int]int{}
	for i := range s.Len() {
		count[s.Meta(i).Interface]++
	}
	if count[0] != 30 || count[1] != 20 || s.Interface(0).Name != "vea" || s.Interface(1).Name != "lo" {
		t.Errorf("%v %+v", count, s.Interfaces())
	}
	st := s.Status()
	if len(st.PerInterface) != 2 || st.PerInterface[0].Received != 30 || st.PerInterface[1].Received != 20 || st.Name != "vea, lo" {
		t.Errorf("%+v", st)
	}
	expectSame(t, open(t, st.Spool, Options{}), s)
}

func expectSame(t *testing.T, a, b *Store) {
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
		if err := unix.Sendto(fd, ipPacket(17), 0, &unix.SockaddrLinklayer{Ifindex: dev.Index, Halen: 6}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLiveAny(t *testing.T) {
	if !alone(t) {
		return
	}
	s := live(t, Options{Interfaces: []string{"any"}, Filter: "udp"})
	talk(t, 5)
	waitFor(t, s, 5)
	if l := s.Interface(0).LinkType; l != 113 && l != 276 {
		t.Errorf("link type %d", l)
	}
}

func TestInterfaceVanishes(t *testing.T) {
	if !alone(t) {
		return
	}
	run(t, "ip", "link", "add", "gone0", "type", "veth", "peer", "name", "peer0")
	run(t, "sysctl", "-qw", "net.ipv6.conf.gone0.disable_ipv6=1")
	run(t, "ip", "link", "set", "gone0", "up")
	run(t, "ip", "link", "set", "peer0", "up")
	s := live(t, Options{Interfaces: []string{"gone0"}, Filter: "udp"})
	raw(t, "gone0", 7)
	waitFor(t, s, 7)
	run(t, "ip", "link", "del", "gone0")
	s.Wait()
	st := s.Status()
	if len(st.Notices) != 1 || !strings.Contains(st.Notices[0], "gone0 is gone") || st.Err != nil || s.Len() != 7 {
		t.Errorf("%+v", st)
	}
	if b, err := s.NewReader().Bytes(6); err != nil || !bytes.Equal(b, ipPacket(17)) {
		t.Errorf("%x, %v", b, err)
	}
}

func TestDiskFull(t *testing.T) {
	if !alone(t) {
		return
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"", "x.pcapng", "x.pcap"} {
		dir := t.TempDir()
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
			t.Skip(err)
		}
		opt := Options{Interfaces: []string{"lo"}, Filter: "udp", SpoolDir: dir}
		if name != "" {
			opt.Write, opt.SpoolDir = filepath.Join(dir, name), t.TempDir()
		}
		s := live(t, opt)
		for sent := 0; !s.Status().Done && sent < 3_000_000; sent += 1000 {
			talkMore(t)
		}
		s.Wait()
		st := s.Status()
		if len(st.Notices) != 1 || !strings.Contains(st.Notices[0], "disk is full") || st.Err != nil {
			t.Fatalf("%q: %+v", name, st)
		}
		path := opt.Write
		if path == "" {
			path = st.Spool
		}
		f := open(t, path, Options{})
		if f.Len() < 1000 {
			t.Errorf("%q: %d packets in the file", name, f.Len())
		}
		r, rf := s.NewReader(), f.NewReader()
		for i := range s.Len() {
			b, err := r.Bytes(i)
			if err != nil {
				t.Fatalf("%q: packet %d of %d cannot be read: %v", name, i, s.Len(), err)
			}
			if i < f.Len() {
				if c, err := rf.Bytes(i); err != nil || !bytes.Equal(b, c) {
					t.Fatalf("%q: packet %d differs in the file: %v", name, i, err)
				}
			}
		}
		if n := f.Notices(); len(n) > 0 {
			t.Errorf("%q: the file is torn: %q", name, n)
		}
		s.Close()
		f.Close()
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}
}

func TestDiskFullUnderAPipe(t *testing.T) {
	if !alone(t) {
		return
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip(err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	want := samples(20_000)
	s, err := OpenReader(context.Background(), "pipe", bytes.NewReader(ngBytes(orders["little"], want)), Options{SpoolDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "disk is full") || s.Status().Err != nil {
		t.Errorf("notices %q, error %v", n, s.Status().Err)
	}
	if s.Len() < 1000 {
		t.Errorf("%d packets", s.Len())
	}
	expect(t, s, want[:s.Len()])
}

func talkMore(t *testing.T) { talk(t, 1000) }

func TestCannotCapture(t *testing.T) {
	if !alone(t) {
		return
	}
	run(t, "ip", "link", "add", "eno7", "type", "veth", "peer", "name", "other0")
	for _, c := range []struct {
		opt  Options
		want any
		says string
	}{
		{Options{}, new(*InterfaceError), "-D lists"},
		{Options{Interfaces: []string{"eno1"}}, new(*InterfaceError), "did you mean eno7?"},
		{Options{Interfaces: []string{"xyzzy"}}, new(*InterfaceError), "there are "},
		{Options{Interfaces: []string{"lo", "eno1"}}, new(*InterfaceError), "eno1"},
		{Options{Interfaces: []string{"lo"}, Filter: "port"}, new(*FilterError), "syntax error"},
		{Options{Interfaces: []string{"lo"}, Filter: "ip.addr == 10.0.0.1 && udp.port == 53"}, new(*FilterError), "display filter"},
		{Options{Interfaces: []string{"lo"}, Write: "/nowhere/x.pcapng"}, new(*FileError), "there is no folder"},
		{Options{Interfaces: []string{"lo", "any"}, Write: filepath.Join(t.TempDir(), "x.pcap")}, nil, "Ethernet and Linux cooked"},
	} {
		dir := t.TempDir()
		c.opt.SpoolDir = dir
		s, err := OpenLive(context.Background(), c.opt)
		if err == nil {
			s.Close()
			t.Errorf("%+v: no error", c.opt)
			continue
		}
		if !strings.Contains(err.Error(), c.says) || c.want != nil && !errors.As(err, c.want) {
			t.Errorf("%+v: %T %v, want %q", c.opt, err, err, c.says)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%+v: spools left: %v", c.opt, left)
		}
	}
}

func TestListInterfaces(t *testing.T) {
	if !alone(t) {
		return
	}
	run(t, "ip", "link", "add", "down0", "type", "veth", "peer", "name", "other0")
	talk(t, 3)
	list, err := ListInterfaces()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]InterfaceInfo{}
	for _, i := range list {
		by[i.Name] = i
	}
	lo := by["lo"]
	if !lo.Up || !lo.Loopback || lo.LinkType != 1 || lo.Unusable != "" || lo.Counters.RxPackets < 3 || lo.Counters.TxBytes == 0 ||
		fmt.Sprint(lo.Addresses[0]) != "127.0.0.1/8" {
		t.Errorf("lo: %+v", lo)
	}
	if d := by["down0"]; d.Up || !strings.Contains(d.Unusable, "sudo ip link set down0 up") {
		t.Errorf("down0: %+v", d)
	}
	if a := by["any"]; a.LinkType != 113 || a.Unusable != "" {
		t.Errorf("any: %+v", a)
	}
}

func TestCompileFilter(t *testing.T) {
	b, err := CompileFilter(1, 0, "udp")
	if err != nil || b.Steps < 4 {
		t.Fatal(b, err)
	}
	if !b.Matches(ipPacket(17), 54) || b.Matches(ipPacket(6), 54) || b.Matches(nil, 0) {
		t.Error("udp matches the wrong packets")
	}
	for link, head := range map[int]int{101: 0, 113: 16, 276: 20} {
		b, err := CompileFilter(link, 65535, "udp")
		if err != nil {
			t.Fatal(err)
		}
		p := append(make([]byte, head), ipPacket(17)[14:]...)
		switch link {
		case 113:
			p[14] = 8
		case 276:
			p[0] = 8
		}
		if !b.Matches(p, uint32(len(p))) {
			t.Errorf("link type %d: no match", link)
		}
	}
	for expr, hint := range map[string]bool{"ip.src == 1.2.3.4": true, "tcp.port": true, "udp && host 10.0.0.1": false, "prot 5": false, "host www.example.com and": false} {
		_, err := CompileFilter(1, 0, expr)
		var f *FilterError
		if expr == "udp && host 10.0.0.1" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if !errors.As(err, &f) || f.Text == "" || (f.Hint != "") != hint {
			t.Errorf("%q: %v", expr, err)
		}
	}
}
