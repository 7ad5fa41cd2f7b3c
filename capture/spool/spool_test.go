package spool

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
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

func TestCloseRemovesWhatNobodyKeeps(t *testing.T) {
	for _, keep := range []bool{false, true} {
		sp := made(t)
		put(t, sp, []byte("packet"), 0)
		if keep {
			sp.Keep()
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
	if _, err := os.Stat(path); sp.Path() != "" || !errors.Is(err, os.ErrNotExist) {
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
	if err := Lock(again); !errors.Is(err, unix.EWOULDBLOCK) {
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
