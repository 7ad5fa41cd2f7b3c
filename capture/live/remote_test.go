//go:build unix

package live

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/capture/pcapfile"
)

// fakeSSH puts a program called ssh in the way, which writes down how it was called and does what body says.
func fakeSSH(t *testing.T, body string) (called string) {
	t.Helper()
	dir := t.TempDir()
	called = filepath.Join(dir, "called")
	text := "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + called + "\n" + body + "\n"
	if err := os.WriteFile(filepath.Join(dir, "ssh"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return called
}

// fakeTcpdump is found by the script that a fake ssh runs. It says how it was called, and writes a capture.
func fakeTcpdump(t *testing.T, file string) (called string) {
	t.Helper()
	dir := t.TempDir()
	called = filepath.Join(dir, "called")
	text := "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + called + "\ncat " + file + "\necho '7 packets dropped by kernel' >&2\n"
	if err := os.WriteFile(filepath.Join(dir, "tcpdump"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return called
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRemoteCapture(t *testing.T) {
	file := capturetest.WriteTemp(t, "there.pcap",
		capturetest.Pcap(binary.LittleEndian, 0xa1b2c3d4, 1, capturetest.Samples(5)))
	tcpdump := fakeTcpdump(t, file)
	ssh := fakeSSH(t, `SSH_CONNECTION="192.0.2.7 50022 192.0.2.9 22" exec sh -c "$(eval "printf '%s\n' \"\${$#}\"")"`)
	for _, ask := range []bool{true, false} {
		kept := filepath.Join(t.TempDir(), "kept.pcapng")
		s, err := StartRemote(context.Background(), "ssh://me@gate:2222/br0",
			capture.Options{Filter: "udp port 53 or host 192.0.2.1", SnapLen: 96, Write: kept, SpoolDir: t.TempDir()}, ask)
		if err != nil {
			t.Fatal(err)
		}
		s.Wait()
		st := s.Status()
		if s.Len() != 5 || st.Err != nil || st.Name != "ssh://me@gate:2222/br0" ||
			st.CaptureFilter != "udp port 53 or host 192.0.2.1" {
			t.Errorf("%d packets, %+v", s.Len(), st)
		}
		if !strings.Contains(strings.Join(st.Notices, "\n"), "7 packets were dropped by the kernel there") {
			t.Errorf("notices %q", st.Notices)
		}
		got := read(t, ssh)
		if !strings.Contains(got, "\n-p\n2222\nme@gate\n") || strings.Contains(got, "BatchMode") == ask {
			t.Errorf("ssh was called with %q", got)
		}
		want := "-U\n-w\n-\n-i\nbr0\n-s\n96\n(udp port 53 or host 192.0.2.1) and not (host 192.0.2.7 and tcp port 50022 " +
			"and tcp port 22)\n"
		if got := read(t, tcpdump); got != want {
			t.Errorf("tcpdump was called with %q, want %q", got, want)
		}
		s.Close()
		if w, err := pcapfile.Open(context.Background(), kept); err != nil {
			t.Error(err)
		} else {
			if w.Wait(); w.Len() != 5 {
				t.Errorf("%d packets were written", w.Len())
			}
			w.Close()
		}
	}
}

func TestRemoteCaptureFails(t *testing.T) {
	for _, c := range []struct{ name, body, says string }{
		{"ssh://gate/eth0", "echo 'me@gate: Permission denied (publickey,password).' >&2; exit 255", "not let in"},
		{"ssh://gate/eth0",
			"echo \"tcpdump: eth0: You don't have permission to perform this capture on that device\" >&2; exit 1",
			"ssh://root@"},
		{"ssh://gate/eth0", "echo 'sh: 1: exec: tcpdump: not found' >&2; exit 127", "no tcpdump there"},
		{"ssh://-oProxyCommand=x/eth0", "", "is written ssh://"},
		{"ssh://a b/eth0", "", "is written ssh://"},
		{"ssh:///eth0", "", "is written ssh://"},
		{"ssh://gate:22x/eth0", "", "a number"},
	} {
		fakeSSH(t, c.body)
		if _, err := StartRemote(context.Background(), c.name, capture.Options{SpoolDir: t.TempDir()}, true); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.says)
		}
		s, err := StartRemote(context.Background(), c.name, capture.Options{SpoolDir: t.TempDir()}, false)
		if err == nil {
			s.Wait()
			err = s.Status().Err
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s, on the screen: %v, want %q in it", c.name, err, c.says)
		}
	}
}

func TestRemoteCaptureEndsWithTheStore(t *testing.T) {
	file := capturetest.WriteTemp(t, "there.pcap",
		capturetest.Pcap(binary.LittleEndian, 0xa1b2c3d4, 1, capturetest.Samples(2)))
	fakeSSH(t, "cat "+file+"; exec sleep 60")
	s, err := StartRemote(context.Background(), "ssh://gate/eth0", capture.Options{SpoolDir: t.TempDir()}, true)
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if s.Len() == 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if st := s.Status(); !st.Live || st.Packets != 2 || !st.Unsaved {
		t.Errorf("%+v", st)
	}
	done := make(chan struct{})
	go func() { s.Close(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the capture does not end")
	}
	if st := s.Status(); st.Err != nil || st.Live {
		t.Errorf("after the end: %+v", st)
	}
}

func TestRemoteOptionsAreNotTaken(t *testing.T) {
	for _, name := range []string{"ssh://me@-oProxyCommand=x/eth0", "ssh://gate/eth0\x1b[2J", "ssh://ga\u202ete/eth0",
		"ssh://gate/`id`", "ssh://gate/$(id)"} {
		if _, err := parseRemote(name); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	tcpdump := fakeTcpdump(t, os.DevNull)
	for _, connection := range []string{"", "192.0.2.7 50022 192.0.2.9 22"} {
		ssh := fakeSSH(t, `SSH_CONNECTION="`+connection+`" exec sh -c "$(eval "printf '%s\n' \"\${$#}\"")"`)
		r, err := parseRemote("ssh://gate/-w")
		if err != nil {
			t.Fatal(err)
		}
		if err := r.command(capture.Options{Filter: "-z'$(touch x)"}, true).Run(); err != nil {
			t.Fatal(err)
		}
		if got := read(t, tcpdump); !strings.HasPrefix(got, "-U\n-w\n-\n-i\n-w\n(-z'$(touch x))") {
			t.Errorf("tcpdump was called with %q through %q", got, read(t, ssh))
		}
	}
}

func TestRemoteWordsAreHarmless(t *testing.T) {
	fakeSSH(t, `printf 'bad \033]0;x\007\033[2J\342\200\256evil\233m %0900d\n' 1 >&2; exit 255`)
	_, err := StartRemote(context.Background(), "ssh://gate/eth0", capture.Options{SpoolDir: t.TempDir()}, true)
	if err == nil || strings.ContainsFunc(err.Error(), unprintable) || len(err.Error()) > 2*maxStderr ||
		!strings.Contains(err.Error(), "evil") {
		t.Errorf("%q", err)
	}
	fakeSSH(t, "echo 'Welcome, stranger!'")
	s, err := StartRemote(context.Background(), "ssh://gate/eth0", capture.Options{SpoolDir: t.TempDir()}, true)
	if err != nil {
		t.Fatal(err)
	}
	s.Wait()
	if err := s.Status().Err; err == nil || !strings.Contains(err.Error(), "Welcome, stranger") {
		t.Errorf("a greeting: %v", err)
	}
	s.Close()
}

// A connection that does not end when it is asked to, or leaves somebody behind who keeps its output open, is given up.
func TestRemoteThatHangsIsGivenUp(t *testing.T) {
	for _, body := range []string{"trap '' TERM; while :; do sleep 1; done", "exec sleep 60",
		"(sleep 20) & exec sleep 60"} {
		ssh := fakeSSH(t, body)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for range 500 {
				if _, err := os.Stat(ssh); err == nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(100 * time.Millisecond) // in the middle of reading what does not come
			cancel()
		}()
		done := make(chan error)
		go func() {
			_, err := StartRemote(ctx, "ssh://gate/eth0", capture.Options{SpoolDir: t.TempDir()}, true)
			done <- err
		}()
		select {
		case err := <-done:
			if err != context.Canceled {
				t.Errorf("%s: %v", body, err)
			}
		case <-time.After(15 * time.Second):
			t.Fatalf("%s: it waits for ever", body)
		}
	}
}
