package capture

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
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

// TestTheOldestLeave pours a stream into a capture that keeps little of it: the newest packets stay with their numbers, the
// oldest read as gone, and neither the disk nor the index grows.
func TestTheOldestLeave(t *testing.T) {
	list := samples(2000)
	b := pcapBytes(binary.LittleEndian, 0xa1b2c3d4, 1, list)
	const rounds = 60
	s, err := OpenReader(context.Background(), "endless", &endless{head: b[:24], records: b[24:], left: rounds}, Options{Keep: 2 << 20, SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	first, n := s.First(), s.Len()
	if n != rounds*len(list) || first == 0 || first >= n {
		t.Fatalf("%d packets, of which %d have left", n, first)
	}
	if s.Time(0) != list[0].time {
		t.Errorf("the first packet's time, which others are told from, is %d", s.Time(0))
	}
	st := s.Status()
	if st.Left != first || st.Keep != 2<<20 || st.Kept > 3<<20 || st.Kept < 1<<20 {
		t.Errorf("%+v", st)
	}
	r := s.NewReader()
	for i := first; i < n; i++ {
		data, err := r.Bytes(i)
		if want := list[i%len(list)]; err != nil || string(data) != string(want.data) || s.Meta(i).Len != want.len {
			t.Fatalf("packet %d: %v, %d bytes", i, err, len(data))
		}
	}
	if _, err := r.Bytes(first - 1); !errors.Is(err, ErrGone) {
		t.Errorf("a packet that has left reads as %v", err)
	}
	if _, err := r.ReadAt(0, 0, 1, nil); !errors.Is(err, ErrGone) {
		t.Errorf("the first packet reads as %v", err)
	}
	var on syscall.Stat_t
	if err := syscall.Fstat(int(s.spool.f.Fd()), &on); err != nil {
		t.Fatal(err)
	}
	if used := on.Blocks * 512; used > 8<<20 && used > on.Size/2 {
		t.Logf("the file system makes no holes: %d of %d bytes are used", used, on.Size)
	}
	out := filepath.Join(t.TempDir(), "kept.pcapng")
	if err := SaveAs(s, out, nil, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	kept := open(t, out, Options{})
	if kept.Len() != n-first {
		t.Errorf("%d packets were saved, want %d", kept.Len(), n-first)
	}
}

// TestAKeptFileHasEverything: packets leave the index, and never the user's own file.
func TestAKeptFileHasEverything(t *testing.T) {
	b := pcapBytes(binary.LittleEndian, 0xa1b2c3d4, 1, samples(2000))
	out := filepath.Join(t.TempDir(), "all.pcapng")
	s, err := OpenReader(context.Background(), "endless", &endless{head: b[:24], records: b[24:], left: 20}, Options{Keep: 1 << 20, Write: out, SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Wait()
	left := s.First()
	s.Close()
	if all := open(t, out, Options{}); all.Len() != 40000 {
		t.Errorf("%d packets were written, %d had left", all.Len(), left)
	}
}

// TestASpoolWithAHoleIsRead: what a killed run with a limit leaves is a capture with the newest packets.
func TestASpoolWithAHoleIsRead(t *testing.T) {
	s, _ := newStore(context.Background(), "test")
	s.ifaces.Append(Interface{Name: "test0", LinkType: 1, TimeResolution: writtenResolution, FCSLen: -1})
	s.counters = []*counter{{name: "test0"}}
	dir := t.TempDir()
	if err := s.startSpool(Options{Keep: 1 << 20, SpoolDir: dir}); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 500)
	for i := range 20000 {
		binary.LittleEndian.PutUint32(data, uint32(i))
		n := packetBlock(len(data))
		buf, off, err := s.spool.room(n, s.spool.end())
		if err != nil {
			t.Fatal(err)
		}
		putPacket(buf, 0, time.Now().UnixNano(), uint32(len(data)), data)
		s.spool.commit(n)
		s.append(1, 0, off+epbHeader, uint32(len(data)), uint32(len(data)))
		s.leave()
	}
	if err := s.spool.flush(); err != nil {
		t.Fatal(err)
	}
	again := open(t, s.spool.path(), Options{})
	noNotices(t, again)
	if want := s.Len() - s.First(); again.Len() != want || s.First() < 10000 {
		t.Fatalf("%d packets are read again, want %d", again.Len(), want)
	}
	b, err := again.NewReader().Bytes(0)
	if err != nil || int(binary.LittleEndian.Uint32(b)) != s.First() {
		t.Errorf("the first one is %d, want %d: %v", binary.LittleEndian.Uint32(b), s.First(), err)
	}
	os.Remove(s.spool.path())
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "512 MiB": 512 << 20, "2G": 2 << 30, "1.5 GiB": 3 << 29, "100000": 100000, "64kb": 64 << 10} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "much", "-1", "5 X", "NaN", "1e30 T"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}
