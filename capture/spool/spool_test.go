package spool

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/internal/capturetest"
)

// made is a spool in a folder of the test's own.
func made(t *testing.T) *File {
	t.Helper()
	f, path, err := Create(t.TempDir(), "test", false)
	if err != nil {
		t.Fatal(err)
	}
	return NewFile(f, path)
}

// put appends bytes, of which those from carry on stay in memory with them.
func put(t *testing.T, sp *File, b []byte, carry int64) {
	t.Helper()
	room, err := sp.Room(len(b), carry)
	if err != nil {
		t.Fatal(err)
	}
	sp.Commit(copy(room, b))
}

// TestReadWhatIsInMemoryAndInTheFile writes more than a chunk and reads it all, from both.
func TestReadWhatIsInMemoryAndInTheFile(t *testing.T) {
	sp := made(t)
	defer sp.Close()
	record := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	const n = 2 * chunkSize / 16000
	for i := range n {
		put(t, sp, record, int64(i*len(record)))
	}
	if sp.End() != int64(n*len(record)) {
		t.Fatalf("it ends at %d", sp.End())
	}
	got := make([]byte, len(record))
	for i := range n {
		if k, err := sp.ReadAt(got, int64(i*len(record)), len(got)); k < len(got) || !bytes.Equal(got, record) {
			t.Fatalf("record %d: %d bytes, %v", i, k, err)
		}
	}
	if k, err := sp.ReadAt(got, sp.End()+1, 1); k != 0 || err != io.EOF {
		t.Errorf("behind the end: %d bytes, %v", k, err)
	}
	if first, err := sp.Flush(); !first || err != nil {
		t.Errorf("flushing: %v, %v", first, err)
	}
	if b, err := os.ReadFile(sp.Path()); err != nil || int64(len(b)) != sp.End() {
		t.Errorf("the file has %d bytes: %v", len(b), err)
	}
}

// TestWhatIsNotSavedStaysForADay closes a spool that somebody chose not to save, twice: it is found for a day.
func TestWhatIsNotSavedStaysForADay(t *testing.T) {
	sp := made(t)
	put(t, sp, []byte("packet"), 0)
	dir := filepath.Dir(sp.Path())
	sp.Keep(capture.ForADay)
	if err := sp.Close(); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, Prefix+"*"))
	if len(left) != 1 || !ForADay(left[0]) || ForADay(sp.Path()) {
		t.Fatalf("left are %q", left)
	}
	if err := LeaveForADay(left[0]); err != nil {
		t.Error(err)
	}
	kept := filepath.Join(dir, Prefix+"killed.pcapng")
	old := time.Now().Add(-25 * time.Hour)
	if err := errors.Join(os.WriteFile(kept, nil, 0o600), os.Chtimes(kept, old, old)); err != nil {
		t.Fatal(err)
	}
	Sweep(dir)
	if now, _ := filepath.Glob(filepath.Join(dir, Prefix+"*")); len(now) != 2 {
		t.Errorf("a fresh one, or one that nobody was asked about, is gone: %q", now)
	}
	if err := os.Chtimes(left[0], old, old); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(left[0])
	if err != nil || Lock(f) != nil {
		t.Fatal("it cannot be locked: ", err)
	}
	Sweep(dir)
	if _, err := os.Stat(left[0]); err != nil {
		t.Error("one that is open is removed")
	}
	f.Close()
	Sweep(dir)
	if now, _ := filepath.Glob(filepath.Join(dir, Prefix+"*")); len(now) != 1 || now[0] != kept {
		t.Errorf("left are %q", now)
	}
}

func TestCloseRemovesWhatNobodyKeeps(t *testing.T) {
	for _, keep := range []bool{false, true} {
		sp := made(t)
		put(t, sp, []byte("packet"), 0)
		if keep {
			sp.Keep(capture.Kept)
		}
		if err := sp.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(sp.Path()); (err == nil) != keep {
			t.Errorf("kept %v: %v", keep, err)
		}
	}
	sp := made(t)
	path := sp.Path()
	put(t, sp, make([]byte, 8192), 0)
	sp.Free(0, 4096) // it cannot be recovered from then on
	if _, err := os.Stat(path); sp.Path() != "" || !errors.Is(err, os.ErrNotExist) && !capturetest.Wine() {
		t.Errorf("a spool with a hole is at %q: %v", sp.Path(), err)
	}
	if err := sp.Close(); err != nil {
		t.Error(err)
	}
}

// TestASpoolInUseIsLocked also for its own program, which opens it a second time.
func TestASpoolInUseIsLocked(t *testing.T) {
	sp := made(t)
	defer sp.Close()
	again, err := os.Open(sp.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := Lock(again); !errors.Is(err, lockTaken) {
		t.Errorf("locking: %v", err)
	}
	if err := Claim(again); err == nil {
		t.Error("it was claimed")
	}
}

func TestMarkAndFiller(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(AppendMark(nil, 4096, 77), 100); err != nil {
		t.Fatal(err)
	}
	if from, first, ok := ReadMark(f, 100); from != 4096 || first != 77 || !ok {
		t.Errorf("%d packets evicted up to %d, %v", first, from, ok)
	}
	if _, _, ok := ReadMark(f, 1000); ok {
		t.Error("there is a mark behind the end")
	}
	if PutFiller(f, 200, 200+FillerHead) || PutFiller(f, 0, MaxFiller+1) {
		t.Error("a hole of such a size has no block")
	}
	b := make([]byte, 64)
	if !PutFiller(f, 200, 264) {
		t.Fatal("no filler")
	}
	if _, err := f.ReadAt(b, 200); err != nil || b[4] != 64 || b[60] != 64 {
		t.Errorf("the block is %x: %v", b, err)
	}
}
