//go:build cgo && linux

package live

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/capture/pcapfile"
	"remora/internal/confine"
)

// TestConfine captures and writes on, and finds everything else refused, on every thread.
func TestConfine(t *testing.T) {
	top := os.Getenv("REMORA_TEST_CONFINED")
	if top == "" {
		top = t.TempDir() // who is confined cannot remove it any more
		t.Setenv("REMORA_TEST_CONFINED", top)
	}
	if !alone(t) { // what is given up does not come back: in a process of its own
		return
	}
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		t.Skip("this kernel has no Landlock:", errno)
	}
	dir, other := filepath.Join(top, "dir"), filepath.Join(top, "other")
	for _, d := range []string{dir, other} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	there := filepath.Join(other, "there")
	if err := os.WriteFile(there, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	ear, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ear.Close()
	s := live(t,
		capture.Options{Interfaces: []string{"lo"}, Filter: "udp", Write: filepath.Join(dir, "x.pcapng"),
			Ring: capture.Ring{Packets: 5, Files: 2}, SpoolDir: dir})
	sink, err := net.ListenPacket("udp", "127.0.0.1:0") // what is open stays open
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	sender, err := net.Dial("udp", sink.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer sender.Close()
	ready, begin := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	refused := func() {
		if _, err := os.Create(filepath.Join(other, "new")); !errors.Is(err, unix.EACCES) {
			t.Error("a file elsewhere:", err)
		}
		if err := os.Truncate(there, 0); abi >= 3 && !errors.Is(err, unix.EACCES) {
			t.Error("cutting a file elsewhere:", err)
		}
		if err := os.Remove(there); !errors.Is(err, unix.EACCES) {
			t.Error("removing a file elsewhere:", err)
		}
		if err := exec.Command("/bin/sh", "-c", "true").Run(); !errors.Is(err, os.ErrPermission) {
			t.Error("running a program:", err)
		}
		if _, err := net.Dial("tcp", ear.Addr().String()); abi >= 4 && !errors.Is(err, os.ErrPermission) {
			t.Error("a connection:", err)
		}
		if b, err := os.ReadFile(there); err != nil || string(b) != "precious" {
			t.Error("reading:", err)
		}
	}
	for range 4 { // threads that were there before
		wg.Go(func() {
			runtime.LockOSThread()
			ready <- true
			<-begin
			refused()
		})
	}
	for range 4 {
		<-ready
	}
	if err := confine.Lock(confine.Allowed{Write: []string{dir}}); err != nil {
		t.Fatal(err)
	}
	close(begin)
	wg.Wait()
	refused()
	for range 100 {
		if _, err := sender.Write([]byte("hello")); err != nil {
			t.Fatal(err)
		}
	}
	capturetest.WaitFor(t, s, 100)
	s.Stop()
	s.Wait()
	if st := s.Status(); st.Err != nil || len(st.Notices) > 0 || s.Len() < 100 {
		t.Errorf("captured: %+v", st)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "x_*")); len(files) != 2 {
		t.Errorf("the ring has the files %q", files)
	}
	if err := pcapfile.SaveAs(s, filepath.Join(dir, "saved.pcapng"), nil, pcapfile.SaveOptions{}); err != nil {
		t.Error("saving:", err)
	}
}
