//go:build cgo && linux

package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/internal/capturetest"
	"remora/capture/pcapfile"
)

func TestInterfaceVanishes(t *testing.T) {
	if !alone(t) {
		return
	}
	run(t, "ip", "link", "add", "gone0", "type", "veth", "peer", "name", "peer0")
	run(t, "sysctl", "-qw", "net.ipv6.conf.gone0.disable_ipv6=1")
	run(t, "ip", "link", "set", "gone0", "up")
	run(t, "ip", "link", "set", "peer0", "up")
	s := live(t, capture.Options{Interfaces: []string{"gone0"}, Filter: "udp"})
	raw(t, "gone0", 7)
	capturetest.WaitFor(t, s, 7)
	run(t, "ip", "link", "del", "gone0")
	s.Wait()
	st := s.Status()
	if len(st.Notices) != 1 || !strings.Contains(st.Notices[0], "gone0 is gone") || st.Err != nil || s.Len() != 7 ||
		!st.Damaged {
		t.Errorf("%+v", st)
	}
	if strings.Contains(st.Notices[0], "kept") {
		t.Errorf("nothing keeps the packets of a capture that is printed: %q", st.Notices[0])
	}
	if b, err := s.NewReader().Bytes(6); err != nil || !bytes.Equal(b, capturetest.IPPacket(17)) {
		t.Errorf("%x, %v", b, err)
	}
}

// TestInterfaceIsSwitchedOff goes on when it is on again, and says both.
func TestInterfaceIsSwitchedOff(t *testing.T) {
	if !alone(t) {
		return
	}
	run(t, "ip", "link", "add", "sleepy0", "type", "veth", "peer", "name", "peer0")
	run(t, "sysctl", "-qw", "net.ipv6.conf.sleepy0.disable_ipv6=1")
	run(t, "ip", "link", "set", "sleepy0", "up")
	run(t, "ip", "link", "set", "peer0", "up")
	s := live(t, capture.Options{Interfaces: []string{"sleepy0"}, Filter: "udp"})
	raw(t, "sleepy0", 7)
	capturetest.WaitFor(t, s, 7)
	says := func(want string) {
		t.Helper()
		for range 1000 {
			if n := s.Notices(); len(n) > 0 && strings.Contains(n[len(n)-1], want) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("it says %q, not %q", s.Notices(), want)
	}
	run(t, "ip", "link", "set", "sleepy0", "down")
	says("sleepy0 was switched off")
	run(t, "ip", "link", "set", "sleepy0", "up")
	says("sleepy0 is on again")
	raw(t, "sleepy0", 5)
	capturetest.WaitFor(t, s, 12)
	if st := s.Status(); !st.Live || st.Err != nil {
		t.Errorf("%+v", st)
	}
	s.Stop()
	s.Wait()
}

func TestDiskFull(t *testing.T) {
	if !alone(t) {
		return
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		cannot(t, err)
	}
	for _, name := range []string{"", "x.pcapng", "x.pcap"} {
		dir := t.TempDir()
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
			cannot(t, err)
		}
		opt := capture.Options{Interfaces: []string{"lo"}, Filter: "udp", SpoolDir: dir}
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
		f := open(t, path, capture.Options{})
		if f.Len() < 1000 {
			t.Errorf("%q: %d packets in the file", name, f.Len())
		}
		if f.Len() < s.Len() && !st.Unsaved {
			t.Errorf("%q: %d of %d packets are in the file, and nothing says that the others would be lost", name, f.Len(),
				s.Len())
		}
		if want := fmt.Sprintf("%s has the first %d packets", name, f.Len()); name == "x.pcapng" &&
			!strings.Contains(st.Notices[0], want) {
			t.Errorf("%q is told, not %q", st.Notices[0], want)
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

// smallDisk is a folder that holds 256 KiB, mounted for this test alone.
func smallDisk(t *testing.T) string {
	t.Helper()
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		cannot(t, err)
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		cannot(t, err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// TestDiskFullUnderARing leaves whole files behind, and none that is empty.
func TestDiskFullUnderARing(t *testing.T) {
	if !alone(t) {
		return
	}
	dir := smallDisk(t)
	s := live(t,
		capture.Options{Interfaces: []string{"lo"}, Filter: "udp", SpoolDir: t.TempDir(),
			Write: filepath.Join(dir, "x.pcapng"),
			Ring:  capture.Ring{Bytes: 65536}})
	for sent := 0; !s.Status().Done && sent < 3_000_000; sent += 1000 {
		talkMore(t)
	}
	s.Wait()
	if st := s.Status(); len(st.Notices) != 1 || !strings.Contains(st.Notices[0], "disk is full") || !st.Unsaved {
		t.Errorf("%+v", st)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "x_*"))
	if len(files) < 3 {
		t.Errorf("there are %q", files)
	}
	for _, name := range files {
		if f := open(t, name, capture.Options{}); f.Len() == 0 || len(f.Notices()) > 0 {
			t.Errorf("%s has %d packets, %q", name, f.Len(), f.Notices())
		}
	}
}

// TestARingCannotGoOn: the folder of a ring is gone, or may not be written any more. The capture says so and stops;
// what was written is named where it is there.
func TestARingCannotGoOn(t *testing.T) {
	if !alone(t) {
		return
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		cannot(t, err)
	}
	for _, c := range []struct {
		name, says string
		fail       func(dir string) error
		kept       bool
	}{
		{"removed", "there is no folder", os.RemoveAll, false},
		{"read-only", "read-only file system", func(dir string) error {
			return errors.Join(unix.Mount(dir, dir, "", unix.MS_BIND, ""),
				unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		}, true},
	} {
		dir := filepath.Join(t.TempDir(), "ring")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		s := live(t,
			capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: filepath.Join(dir, "r.pcapng"),
				Ring: capture.Ring{Packets: 100}})
		talk(t, 150)
		capturetest.WaitFor(t, s, 150)
		if err := c.fail(dir); err != nil {
			t.Fatal(err)
		}
		talk(t, 150)
		s.Wait()
		st := s.Status()
		if len(st.Notices) != 1 || !strings.Contains(st.Notices[0], c.says) || !st.Damaged || !st.Unsaved {
			t.Errorf("%s: %+v", c.name, st)
		} else if got := strings.Contains(st.Notices[0], "r_00002_"); got != c.kept &&
			!strings.Contains(st.Notices[0], "r_00003_") || strings.Contains(st.Notices[0], "holds") != c.kept {
			t.Errorf("%s: %q", c.name, st.Notices[0])
		}
		s.Close()
		unix.Unmount(dir, unix.MNT_DETACH)
	}
}

// TestTheDiskFails gives the capture a device that fails with EIO: a terminal whose other end is gone.
func TestTheDiskFails(t *testing.T) {
	if !alone(t) {
		return
	}
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		cannot(t, err)
	}
	defer master.Close()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		cannot(t, err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		cannot(t, err)
	}
	s := live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: fmt.Sprintf("/dev/pts/%d", n)})
	talk(t, 3)
	capturetest.WaitFor(t, s, 3)
	master.Close()
	talk(t, 3)
	s.Wait()
	if st := s.Status(); len(st.Notices) != 1 || !strings.Contains(st.Notices[0], "input/output error") || !st.Damaged ||
		!st.Unsaved {
		t.Errorf("%+v", st)
	}
}

func TestDiskFullUnderAPipe(t *testing.T) {
	if !alone(t) {
		return
	}
	dir := smallDisk(t)
	want := capturetest.Samples(20_000)
	s, err := pcapfile.OpenReader(context.Background(), "pipe",
		bytes.NewReader(capturetest.Pcapng(capturetest.Orders["little"], want)),
		capture.Options{SpoolDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	if n := s.Notices(); len(n) != 1 ||
		!strings.Contains(n[0], "disk is full: reading stopped behind packet "+fmt.Sprint(s.Len())) ||
		s.Status().Err != nil || !s.Status().SpoolFailed {
		t.Errorf("notices %q, error %v", n, s.Status().Err)
	}
	if s.Len() < 1000 {
		t.Errorf("%d packets", s.Len())
	}
	capturetest.Expect(t, s, want[:s.Len()])
}

func talkMore(t *testing.T) { talk(t, 1000) }

func TestFileBeingWrittenIsNotTaken(t *testing.T) {
	if !alone(t) {
		return
	}
	path := filepath.Join(t.TempDir(), "x.pcapng")
	s := live(t, capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: path})
	talk(t, 5)
	capturetest.WaitFor(t, s, 5)
	if _, err := Start(context.Background(), capture.Options{Interfaces: []string{"lo"}, Write: path,
		Replace: true}); err == nil ||
		!strings.Contains(err.Error(), "another capture") {
		t.Errorf("%v", err)
	}
	s.Close()
	expectTalk(t, open(t, path, capture.Options{}), 5)
}

func TestCannotCapture(t *testing.T) {
	if !alone(t) {
		return
	}
	run(t, "ip", "link", "add", "eno7", "type", "veth", "peer", "name", "other0")
	for _, c := range []struct {
		opt  capture.Options
		want any
		says string
	}{
		{capture.Options{}, new(*capture.InterfaceError), "-D lists"},
		{capture.Options{Interfaces: []string{"eno1"}}, new(*capture.InterfaceError), "did you mean eno7?"},
		{capture.Options{Interfaces: []string{"xyzzy"}}, new(*capture.InterfaceError), "there are "},
		{capture.Options{Interfaces: []string{"lo", "eno1"}}, new(*capture.InterfaceError), "eno1"},
		{capture.Options{Interfaces: []string{"lo"}, Filter: "port"}, new(*bpf.Error), "syntax error"},
		{capture.Options{Interfaces: []string{"lo"}, Filter: "ip.addr == 10.0.0.1 && udp.port == 53"}, new(*bpf.Error),
			"display filter"},
		{capture.Options{Interfaces: []string{"lo"}, Write: "/nowhere/x.pcapng"}, new(*pcapfile.Error), "there is no folder"},
		{capture.Options{Interfaces: []string{"lo", "any"}, Write: filepath.Join(t.TempDir(), "x.pcap")}, nil,
			"Ethernet and Linux cooked"},
	} {
		dir := t.TempDir()
		c.opt.SpoolDir = dir
		s, err := Start(context.Background(), c.opt)
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
	list, err := Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]InterfaceInfo{}
	for _, i := range list {
		by[i.Name] = i
	}
	lo := by["lo"]
	if !lo.Up || !lo.Loopback || lo.LinkType != 1 || lo.Unusable != "" || lo.Counters.RxPackets < 3 ||
		lo.Counters.TxBytes == 0 ||
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
