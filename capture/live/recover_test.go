package live

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/capture/pcapfile"
	"remora/capture/spool"
)

// TestMain lets the test binary play the program that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("REMORA_TEST_SPOOL"); dir != "" {
		spoolUntilKilled(dir)
	}
	os.Exit(m.Run())
}

func spoolUntilKilled(dir string) {
	s, err := pcapfile.OpenReader(context.Background(), "pipe", os.Stdin, capture.Options{SpoolDir: dir})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for s.Len() < 500 {
		time.Sleep(time.Millisecond)
	}
	for info, err := os.Stat(s.Status().Spool); err != nil || info.Size() < s.End(); info,
		err = os.Stat(s.Status().Spool) {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("ready")
	select {}
}

func TestRecoverAfterKill(t *testing.T) {
	dir := t.TempDir()
	want := capturetest.Samples(500)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "REMORA_TEST_SPOOL="+dir)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Write(capturetest.Pcapng(capturetest.Orders["little"], want))
	if n, err := out.Read(make([]byte, 100)); err != nil || n == 0 {
		t.Fatal(err)
	}
	if list, err := Recover(dir); err != nil || len(list) != 0 {
		t.Errorf("the spool of a running program is offered: %v, %v", list, err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	list, err := Recover(dir)
	if err != nil || len(list) != 1 || list[0].Packets != 500 || list[0].Started.UnixNano() != want[0].Time {
		t.Fatalf("%+v, %v", list, err)
	}
	s, err := list[0].Open(context.Background(), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Wait()
	capturetest.Expect(t, s, want)
	if !s.Status().Unsaved {
		t.Error("an orphan's packets are in no file of the user's")
	}
	if again, _ := Recover(dir); len(again) != 0 {
		t.Errorf("an opened orphan is offered again: %+v", again)
	}
	s.Keep(capture.Kept)
	s.Keep(capture.ForADay) // less than was asked
	s.Close()
	if list, _ = Recover(dir); len(list) != 1 || list[0].ForADay {
		t.Fatalf("a kept orphan is not offered: %+v", list)
	}
	if s, err = list[0].Open(context.Background(), capture.Options{}); err != nil {
		t.Fatal(err)
	}
	s.Wait()
	s.Keep(capture.ForADay)
	s.Close()
	if list, _ = Recover(dir); len(list) != 1 || !list[0].ForADay || list[0].Packets != 500 {
		t.Fatalf("one that was not to be saved is not offered: %+v", list)
	}
	if s, err = list[0].Open(context.Background(), capture.Options{}); err != nil {
		t.Fatal(err)
	}
	s.Wait()
	if err := pcapfile.SaveAs(s, filepath.Join(t.TempDir(), "x.pcapng"), nil, pcapfile.SaveOptions{}); err != nil ||
		s.Status().Unsaved {
		t.Errorf("saved: %v, unsaved %v", err, s.Status().Unsaved)
	}
	s.Close()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestRecoverPassesOverWhatIsNoSpool(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "mine.pcapng"),
		capturetest.Pcapng(capturetest.Orders["little"], capturetest.Samples(3)), 0o600)
	os.WriteFile(filepath.Join(dir, spool.Prefix+"empty.pcapng"), capturetest.Pcapng(capturetest.Orders["little"], nil),
		0o600)
	os.WriteFile(filepath.Join(dir, spool.Prefix+"torn.pcapng"),
		capturetest.Pcapng(capturetest.Orders["little"], capturetest.Samples(3))[:500], 0o600)
	list, err := Recover(dir)
	if err != nil || len(list) != 1 || filepath.Base(list[0].Path) != spool.Prefix+"torn.pcapng" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(dir, spool.Prefix+"empty.pcapng")); err == nil {
		t.Error("an empty spool stays")
	}
	if err := list[0].Discard(); err != nil || list[0].Discard() != nil {
		t.Error("discarding twice fails")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	if list, err := Recover(filepath.Join(dir, "nowhere")); err != nil || len(list) != 0 {
		t.Errorf("no folder: %v, %v", list, err)
	}
}

func TestKeptSpool(t *testing.T) {
	dir := t.TempDir()
	r, w := io.Pipe()
	s, err := pcapfile.OpenReader(context.Background(), "pipe", r, capture.Options{SpoolDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	w.Write(capturetest.Pcapng(capturetest.Orders["little"], capturetest.Samples(3)))
	w.Close()
	s.Wait()
	s.Keep(capture.Kept)
	s.Close()
	if list, _ := Recover(dir); len(list) != 1 || list[0].Packets != 3 {
		t.Errorf("%+v", list)
	}
}
