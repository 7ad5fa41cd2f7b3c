package pcapfile

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
)

// endless gives a head and then the same records again and again, until it is told to stop.
type endless struct {
	head, records []byte
	left          int // rounds
	rest          []byte
}

func (e *endless) Read(p []byte) (int, error) {
	if e.head != nil {
		e.rest, e.head = e.head, nil
	}
	if len(e.rest) == 0 {
		if e.left == 0 {
			return 0, io.EOF
		}
		e.left--
		e.rest = e.records
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestTheOldestLeave pours a stream into a capture that keeps little of it: the newest packets stay with their numbers,
// the oldest read as gone, and neither the disk nor the index grows.
func TestTheOldestLeave(t *testing.T) {
	list := capturetest.Samples(2000)
	b := capturetest.Pcap(binary.LittleEndian, 0xa1b2c3d4, 1, list)
	const rounds = 60
	s, err := OpenReader(context.Background(), "endless", &endless{head: b[:24], records: b[24:], left: rounds},
		capture.Options{Keep: 2 << 20, SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	first, n := s.First(), s.Len()
	if n != rounds*len(list) || first == 0 || first >= n {
		t.Fatalf("%d packets, of which %d have left", n, first)
	}
	if s.Time(0) != list[0].Time {
		t.Errorf("the first packet's time, which others are told from, is %d", s.Time(0))
	}
	st := s.Status()
	if st.Left != first || st.Keep != 2<<20 || st.Kept > 3<<20 || st.Kept < 1<<20 {
		t.Errorf("%+v", st)
	}
	r := s.NewReader()
	for i := first; i < n; i++ {
		data, err := r.Bytes(i)
		if want := list[i%len(list)]; err != nil || string(data) != string(want.Data) || s.Meta(i).Len != want.Len {
			t.Fatalf("packet %d: %v, %d bytes", i, err, len(data))
		}
	}
	if _, err := r.Bytes(first - 1); !errors.Is(err, capture.ErrGone) {
		t.Errorf("a packet that has left reads as %v", err)
	}
	if _, err := r.ReadAt(0, 0, 1, nil); !errors.Is(err, capture.ErrGone) {
		t.Errorf("the first packet reads as %v", err)
	}
	out := filepath.Join(t.TempDir(), "kept.pcapng")
	if err := SaveAs(s, out, nil, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	kept := open(t, out, capture.Options{})
	if kept.Len() != n-first {
		t.Errorf("%d packets were saved, want %d", kept.Len(), n-first)
	}
}

// TestAKeptFileHasEverything: packets leave the index, and never the user's own file.
func TestAKeptFileHasEverything(t *testing.T) {
	b := capturetest.Pcap(binary.LittleEndian, 0xa1b2c3d4, 1, capturetest.Samples(2000))
	out := filepath.Join(t.TempDir(), "all.pcapng")
	s, err := OpenReader(context.Background(), "endless", &endless{head: b[:24], records: b[24:], left: 20},
		capture.Options{Keep: 1 << 20, Write: out, SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Wait()
	left := s.First()
	s.Close()
	if all := open(t, out, capture.Options{}); all.Len() != 40000 {
		t.Errorf("%d packets were written, %d had left", all.Len(), left)
	}
}
