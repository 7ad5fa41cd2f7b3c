package capture

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"remora/internal/sibling"
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
	list := samples(2000)
	b := pcapBytes(binary.LittleEndian, 0xa1b2c3d4, 1, list)
	const rounds = 60
	s, err := OpenReader(context.Background(), "endless", &endless{head: b[:24], records: b[24:], left: rounds},
		Options{Keep: 2 << 20, SpoolDir: t.TempDir()})
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
	s, err := OpenReader(context.Background(), "endless", &endless{head: b[:24], records: b[24:], left: 20},
		Options{Keep: 1 << 20, Write: out, SpoolDir: t.TempDir()})
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

// fed makes an engine without libpcap, which takes what feed gives it.
func fed(t *testing.T, opt Options) *engine {
	t.Helper()
	e := &engine{opt: opt, name: "test0", started: time.Now(), finished: make(chan struct{}), stop: func() {}}
	e.ifaces = []Interface{{Name: "test0", LinkType: 1, TimeResolution: writtenResolution, FCSLen: -1}}
	e.counters = []*counter{{name: "test0"}}
	if err := e.begin(); err != nil {
		t.Fatal(err)
	}
	return e
}

// feed takes n packets of 500 bytes, which begin with their number.
func feed(t *testing.T, e *engine, from, n int) {
	t.Helper()
	data, block := make([]byte, 500), make([]byte, packetBlock(500))
	for i := from; i < from+n; i++ {
		binary.LittleEndian.PutUint32(data, uint32(i))
		putPacket(block, 0, int64(i+1)*1000, uint32(len(data)), data)
		if err := e.take(packetBatch{block, 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.writeSpool(); err != nil {
		t.Fatal(err)
	}
}

// finishFed ends an engine as its goroutines would.
func finishFed(e *engine) {
	e.status.end(e.finish())
	close(e.finished)
	e.status.changed()
}

// TestASpoolWithAHoleIsRead: what a killed run with a limit leaves is a capture with the newest packets.
func TestASpoolWithAHoleIsRead(t *testing.T) {
	e := fed(t, Options{Keep: 1 << 20, SpoolDir: t.TempDir()})
	feed(t, e, 0, 20000)
	again := open(t, e.path, Options{})
	noNotices(t, again)
	if want := e.packets - e.first; again.Len() != want || e.first < 10000 || want*packetBlock(500) < 1<<20 {
		t.Fatalf("%d packets are read again, want %d", again.Len(), want)
	}
	b, err := again.NewReader().Bytes(0)
	if err != nil || int(binary.LittleEndian.Uint32(b)) != e.first {
		t.Errorf("the first one is %d, want %d: %v", binary.LittleEndian.Uint32(b), e.first, err)
	}
	e.discard()
}

// reads joins an engine as a program does that shows it.
func reads(t *testing.T, h *hosted) *Store {
	t.Helper()
	mine, its, err := sibling.Pair()
	if err != nil {
		t.Fatal(err)
	}
	c, err := sibling.Conn(its)
	if err != nil {
		t.Fatal(err)
	}
	if !h.join() {
		t.Fatal("the capture is over")
	}
	h.s.busy.Go(func() { h.attend(c, json.NewDecoder(c)); c.Close() })
	conn, err := sibling.Conn(mine)
	if err != nil {
		t.Fatal(err)
	}
	s, err := join(context.Background(), conn, request{Attach: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAReaderBehindTheOldestThatLeave: a program that begins to read when packets have left numbers those that are
// there as everybody else does, and says how many it never saw.
func TestAReaderBehindTheOldestThatLeave(t *testing.T) {
	e := fed(t, Options{Interfaces: []string{"test0"}, Keep: 1 << 20, SpoolDir: t.TempDir(), Unattended: time.Hour})
	h := (&server{}).host(e)
	feed(t, e, 0, 100)
	first := reads(t, h)
	defer first.Close()
	waitFor(t, first, 100)
	feed(t, e, 100, 20000)
	late := reads(t, h)
	defer late.Close()
	for _, s := range []*Store{first, late} {
		waitFor(t, s, 20100)
		r, gone := s.NewReader(), 0
		for i := range s.Len() {
			b, err := r.Bytes(i)
			if i < s.First() {
				if gone++; !errors.Is(err, ErrGone) {
					t.Fatalf("packet %d has left and reads as %v", i, err)
				}
			} else if err != nil || int(binary.LittleEndian.Uint32(b)) != i || s.Time(i) != int64(i+1)*1000 {
				t.Fatalf("packet %d reads as %d: %v", i, binary.LittleEndian.Uint32(b), err)
			}
		}
		if gone < 10000 || gone != e.first {
			t.Errorf("%d packets have left, want %d", gone, e.first)
		}
	}
	if st := late.Status(); st.Missed != e.first || len(st.Notices) != 1 ||
		!strings.Contains(st.Notices[0], fmt.Sprint(e.first)) {
		t.Errorf("%+v, want %d missed", st, e.first)
	}
	finishFed(e)
	first.Wait()
	late.Wait()
}

// TestWhatIsPrintedLeavesTheDisk: packets that a reader wants no more leave the spool, and with it the disk; the others
// stay.
func TestWhatIsPrintedLeavesTheDisk(t *testing.T) {
	e := fed(t, Options{Interfaces: []string{"test0"}, Passing: true, SpoolDir: t.TempDir()})
	h := (&server{}).host(e)
	s := reads(t, h)
	defer s.Close()
	const each, rounds, kept = 10000, 8, 2000
	for i := range rounds {
		feed(t, e, i*each, each)
		waitFor(t, s, (i+1)*each)
		s.Evict(s.Len()-kept, true)
	}
	var on syscall.Stat_t
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if err := syscall.Fstat(int(e.f.Fd()), &on); err != nil {
			t.Fatal(err)
		}
		if int(on.Blocks)*512 < 3*kept*packetBlock(500)/2 {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("the spool takes %d bytes of the disk for %d packets", on.Blocks*512, kept)
		}
	}
	for i := s.Len() - kept; i < s.Len(); i++ {
		if b, err := s.NewReader().Bytes(i); err != nil || int(binary.LittleEndian.Uint32(b)) != i {
			t.Fatalf("packet %d reads as %d: %v", i, binary.LittleEndian.Uint32(b), err)
		}
	}
	again := open(t, e.path, Options{})
	if n := again.Len(); n < kept || n > 2*kept {
		t.Errorf("%d packets could be recovered", n)
	}
	finishFed(e)
	s.Wait()
}

// TestTheSpoolCannotBeWritten: the capture stops, and says where the packets before that are.
func TestTheSpoolCannotBeWritten(t *testing.T) {
	e := fed(t, Options{Interfaces: []string{"test0"}, SpoolDir: t.TempDir(), Unattended: time.Hour})
	h := (&server{}).host(e)
	s := reads(t, h)
	defer s.Close()
	feed(t, e, 0, 100)
	whole := e.f
	var err error
	if e.f, err = os.Open(e.path); err != nil { // which can be read only
		t.Fatal(err)
	}
	defer whole.Close()
	block := make([]byte, packetBlock(0))
	putPacket(block, 0, 1, 0, nil)
	if err := e.take(packetBatch{block, 1}); err != nil {
		t.Fatal(err)
	}
	if err := e.writeSpool(); err == nil {
		t.Fatal("it could be written")
	}
	finishFed(e)
	s.Wait()
	if st := s.Status(); len(st.Notices) != 1 || !strings.Contains(st.Notices[0], "the first 100 packets are kept") ||
		!st.Damaged || s.Len() != 100 {
		t.Errorf("%+v", st)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "512 MiB": 512 << 20, "2G": 2 << 30, "1.5 GiB": 3 << 29,
		"100000": 100000, "64kb": 64 << 10} {
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
