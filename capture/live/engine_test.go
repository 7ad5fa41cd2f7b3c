//go:build unix

package live

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/capture/pcapfile"
	"remora/internal/sibling"
)

// fed makes an engine without libpcap, which takes what feed gives it.
func fed(t *testing.T, opt capture.Options) *engine {
	t.Helper()
	e := &engine{opt: opt, name: "test0", started: time.Now(), finished: make(chan struct{}), stop: func() {}}
	e.ifaces = []capture.Interface{{Name: "test0", LinkType: 1, TimeResolution: pcapfile.TimeResolution, FCSLen: -1}}
	e.counters = []*counter{{name: "test0"}}
	if err := e.begin(); err != nil {
		t.Fatal(err)
	}
	return e
}

// feed takes n packets of 500 bytes, which begin with their number.
func feed(t *testing.T, e *engine, from, n int) {
	t.Helper()
	data, block := make([]byte, 500), make([]byte, pcapfile.PacketBlockSize(500))
	for i := from; i < from+n; i++ {
		binary.LittleEndian.PutUint32(data, uint32(i))
		pcapfile.PutPacket(block, 0, int64(i+1)*1000, uint32(len(data)), data)
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
	e := fed(t, capture.Options{Keep: 1 << 20, SpoolDir: t.TempDir()})
	feed(t, e, 0, 20000)
	again := open(t, e.path, capture.Options{})
	capturetest.NoNotices(t, again)
	if want := e.packets - e.first; again.Len() != want || e.first < 10000 || want*pcapfile.PacketBlockSize(500) < 1<<20 {
		t.Fatalf("%d packets are read again, want %d", again.Len(), want)
	}
	b, err := again.NewReader().Bytes(0)
	if err != nil || int(binary.LittleEndian.Uint32(b)) != e.first {
		t.Errorf("the first one is %d, want %d: %v", binary.LittleEndian.Uint32(b), e.first, err)
	}
	e.discard()
}

// TestSteadyPacketsAreShown: packets that come one by one, each before the system says that none came, do not wait
// until there are many of them.
func TestSteadyPacketsAreShown(t *testing.T) {
	e := fed(t, capture.Options{SpoolDir: t.TempDir()})
	defer e.discard()
	block := make([]byte, pcapfile.PacketBlockSize(0))
	pcapfile.PutPacket(block, 0, 1, 0, nil)
	e.flushed = time.Now().Add(-time.Second)
	if err := e.take(packetBatch{block, 1}); err != nil || len(e.buf) > 0 {
		t.Errorf("%d bytes wait after a second: %v", len(e.buf), err)
	}
}

// reads joins an engine as a program does that shows it.
func reads(t *testing.T, h *hosted) *capture.Store {
	t.Helper()
	mine, its, err := sibling.Pair()
	if err != nil {
		t.Fatal(err)
	}
	c, err := sibling.FromFile(its)
	if err != nil {
		t.Fatal(err)
	}
	if !h.join() {
		t.Fatal("the capture is over")
	}
	h.s.busy.Go(func() { h.attend(c, json.NewDecoder(c)); c.Close() })
	conn, err := sibling.FromFile(mine)
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
	e := fed(t, capture.Options{Interfaces: []string{"test0"}, Keep: 1 << 20, SpoolDir: t.TempDir(),
		Unattended: time.Hour})
	h := (&server{}).host(e)
	feed(t, e, 0, 100)
	first := reads(t, h)
	defer first.Close()
	capturetest.WaitFor(t, first, 100)
	feed(t, e, 100, 20000)
	late := reads(t, h)
	defer late.Close()
	for _, s := range []*capture.Store{first, late} {
		capturetest.WaitFor(t, s, 20100)
		r, gone := s.NewReader(), 0
		for i := range s.Len() {
			b, err := r.Bytes(i)
			if i < s.First() {
				if gone++; !errors.Is(err, capture.ErrGone) {
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
	e := fed(t, capture.Options{Interfaces: []string{"test0"}, Passing: true, SpoolDir: t.TempDir()})
	h := (&server{}).host(e)
	s := reads(t, h)
	defer s.Close()
	const each, rounds, kept = 10000, 8, 2000
	for i := range rounds {
		feed(t, e, i*each, each)
		capturetest.WaitFor(t, s, (i+1)*each)
		s.Evict(s.Len()-kept, true)
	}
	var on syscall.Stat_t
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if err := syscall.Fstat(int(e.f.Fd()), &on); err != nil {
			t.Fatal(err)
		}
		if int(on.Blocks)*512 < 3*kept*pcapfile.PacketBlockSize(500)/2 {
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
	again := open(t, e.path, capture.Options{})
	if n := again.Len(); n < kept || n > 2*kept {
		t.Errorf("%d packets could be recovered", n)
	}
	finishFed(e)
	s.Wait()
}

// TestTheSpoolCannotBeWritten: the capture stops, and says where the packets before that are.
func TestTheSpoolCannotBeWritten(t *testing.T) {
	e := fed(t, capture.Options{Interfaces: []string{"test0"}, SpoolDir: t.TempDir(), Unattended: time.Hour})
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
	block := make([]byte, pcapfile.PacketBlockSize(0))
	pcapfile.PutPacket(block, 0, 1, 0, nil)
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
