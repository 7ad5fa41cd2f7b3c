package pcapfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/internal/capturetest"
)

// write hands samples to a writer until it has enough.
func write(t testing.TB, w *Writer, list []capturetest.Sample) (n int) {
	t.Helper()
	for _, p := range list {
		err := w.WritePacket(Packet{Interface: p.Interface, Time: p.Time, Len: p.Len, Data: p.Data})
		if err == nil || errors.Is(err, capture.ErrEnough) {
			n++
		}
		if errors.Is(err, capture.ErrEnough) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestWriteAndReadBack(t *testing.T) {
	want := capturetest.Samples(3000)
	for _, name := range []string{"a.pcapng", "a.pcap", "a", "a.pcapng.gz", "a.pcap.zst", "a.cap.lz4"} {
		path := filepath.Join(t.TempDir(), name)
		w, err := Create(path, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddInterface(capture.Interface{LinkType: 113, TimeResolution: 9, SnapLen: 65535}); err != nil {
			t.Fatal(err)
		}
		write(t, w, want)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s := open(t, path, capture.Options{})
		capturetest.Expect(t, s, want)
		capturetest.NoNotices(t, s)
		if i := s.Interface(0); i.LinkType != 113 || i.SnapLen != 65535 || i.TimeDigits() != 9 {
			t.Errorf("%s: %+v", name, i)
		}
	}
}

func TestWriterKeepsMicrosecondsPlain(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{Format: Pcap})
	w.AddInterface(capture.Interface{LinkType: 1, TimeResolution: 6})
	want := capturetest.Samples(3)
	write(t, w, want)
	w.Close()
	if !bytes.Equal(out.Bytes(), capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, want)) {
		t.Errorf("%x", out.Bytes())
	}
}

func TestEmptyCapturesAreValid(t *testing.T) {
	for _, f := range []Format{PcapNG, Pcap} {
		var out bytes.Buffer
		w := NewWriter(&out, WriterOptions{Format: f})
		w.AddInterface(capture.Interface{LinkType: 1})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s := memory(t, out.Bytes())
		capturetest.Expect(t, s, nil)
		capturetest.NoNotices(t, s)
	}
}

func TestMixedLinkTypesInPcap(t *testing.T) {
	w := NewWriter(&bytes.Buffer{}, WriterOptions{Format: Pcap})
	w.AddInterface(capture.Interface{LinkType: 1})
	_, err := w.AddInterface(capture.Interface{LinkType: 113})
	if err == nil || !strings.Contains(err.Error(), "Ethernet and Linux cooked") ||
		!strings.Contains(err.Error(), ".pcapng") {
		t.Error(err)
	}
}

func TestInterfaceAddedLater(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{})
	w.AddInterface(capture.Interface{Name: "a", LinkType: 1, TimeResolution: 9})
	w.WritePacket(Packet{Time: 5, Len: 1, Data: []byte{1}})
	id, err := w.AddInterface(capture.Interface{Name: "b", LinkType: 113, TimeResolution: 6})
	if err != nil {
		t.Fatal(err)
	}
	w.WritePacket(Packet{Interface: id, Time: 6, Len: 1, Data: []byte{2}, Comments: []string{"c", "d"}})
	if err := w.WritePacket(Packet{Interface: 2}); err == nil {
		t.Error("a packet of an interface that was not added")
	}
	w.WriteStats(id, capture.InterfaceCounts{Received: 10, IfDropped: 2, Dropped: 3})
	w.Close()
	s := memory(t, out.Bytes())
	capturetest.Expect(t, s,
		[]capturetest.Sample{{Time: 5, Len: 1, Data: []byte{1}, Interface: 0},
			{Time: 6, Len: 1, Data: []byte{2}, Interface: 1}})
	if s.Interface(1).Name != "b" || !reflect.DeepEqual(s.Comments(1), []string{"c", "d"}) {
		t.Errorf("%+v %q", s.Interface(1), s.Comments(1))
	}
}

func TestRingByPacketsAndFiles(t *testing.T) {
	dir := t.TempDir()
	var closed []string
	w, err := Create(filepath.Join(dir, "r.pcapng"), WriterOptions{Ring: capture.Ring{Packets: 10, Files: 3},
		Closed: func(path string) { closed = append(closed, path) }})
	if err != nil {
		t.Fatal(err)
	}
	w.AddInterface(capture.Interface{LinkType: 1, TimeResolution: 9})
	want := capturetest.Samples(95)
	if n := write(t, w, want); n != 95 {
		t.Fatalf("wrote %d", n)
	}
	w.Close()
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if !reflect.DeepEqual(left, w.Files()) || len(left) != 3 {
		t.Fatalf("files %q, writer says %q", left, w.Files())
	}
	if len(closed) != 10 || !reflect.DeepEqual(closed[7:], left) {
		t.Errorf("told that %q are complete", closed)
	}
	name := regexp.MustCompile(`^r_0000[89]_\d{14}\.pcapng$|^r_00010_\d{14}\.pcapng$`)
	for k, path := range left {
		if !name.MatchString(filepath.Base(path)) {
			t.Errorf("name %q", path)
		}
		capturetest.Expect(t, open(t, path, capture.Options{}), want[70+k*10:min(80+k*10, 95)])
	}
}

func TestRingBySizeAndStopByFiles(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "r.pcap"),
		WriterOptions{Ring: capture.Ring{Bytes: 3000}, Stop: capture.StopRules{Files: 4}})
	if err != nil {
		t.Fatal(err)
	}
	w.AddInterface(capture.Interface{LinkType: 1, TimeResolution: 9})
	want := capturetest.Samples(1000)
	n := write(t, w, want)
	w.Close()
	var got []capturetest.Sample
	for _, path := range w.Files() {
		info, _ := os.Stat(path)
		if info.Size() < 3000 || info.Size() > 3400 {
			t.Errorf("%s is %d bytes long", path, info.Size())
		}
		s := open(t, path, capture.Options{})
		capturetest.Expect(t, s, want[len(got):len(got)+s.Len()])
		got = append(got, want[len(got):len(got)+s.Len()]...)
	}
	if len(w.Files()) != 4 || len(got) != n {
		t.Errorf("%d files with %d of %d packets", len(w.Files()), len(got), n)
	}
}

func TestRingByTime(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "r.pcap"), WriterOptions{Ring: capture.Ring{Duration: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	now := time.Now()
	if w.due(now.Add(59*time.Second)) || !w.due(now.Add(61*time.Second)) {
		t.Error("duration")
	}
	w.opt.Ring = capture.Ring{Interval: time.Hour}
	w.ring.since = time.Date(2024, 5, 1, 10, 59, 0, 0, time.UTC)
	if w.due(time.Date(2024, 5, 1, 10, 59, 59, 0, time.UTC)) || !w.due(time.Date(2024, 5, 1, 11, 0, 0, 0, time.UTC)) {
		t.Error("interval")
	}
	w.ring.since = now.Add(-time.Hour * 2)
	if err := w.Turn(); err != nil || len(w.Files()) != 2 {
		t.Errorf("turning without a packet: %v, %q", err, w.Files())
	}
}

func TestStopRules(t *testing.T) {
	for name, c := range map[string]struct {
		stop capture.StopRules
		ok   func(packets int, size int64) bool
	}{
		"packets": {capture.StopRules{Packets: 17}, func(n int, _ int64) bool { return n == 17 }},
		"bytes":   {capture.StopRules{Bytes: 4000}, func(_ int, size int64) bool { return size >= 4000 && size < 4400 }},
	} {
		path := filepath.Join(t.TempDir(), "x.pcap")
		w, err := Create(path, WriterOptions{Stop: c.stop})
		if err != nil {
			t.Fatal(err)
		}
		w.AddInterface(capture.Interface{LinkType: 1, TimeResolution: 9})
		n := write(t, w, capturetest.Samples(1000))
		w.Close()
		info, _ := os.Stat(path)
		if s := open(t, path, capture.Options{}); !c.ok(n, info.Size()) || s.Len() != n {
			t.Errorf("%s: wrote %d packets, %d bytes, read %d", name, n, info.Size(), s.Len())
		}
	}
}

func TestRingNames(t *testing.T) {
	at := time.Date(2024, 2, 3, 4, 5, 6, 0, time.Local)
	for path, want := range map[string]string{
		"/a.b/c.pcapng": "/a.b/c_00007_20240203040506.pcapng", "c": "c_00007_20240203040506",
		"d/c.pcap.gz": "d/c_00007_20240203040506.pcap.gz",
	} {
		if got := ringName(path, 7, at, false); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if got := ringName("c.pcap", 7, at, true); got != "c_20240203040506_00007.pcap" {
		t.Error(got)
	}
}

// fullDisk takes so many bytes and no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	if n < len(p) {
		return n, fmt.Errorf("no space left")
	}
	return n, nil
}

func TestHalfWrittenRecordIsCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pcapng")
	w, err := Create(path, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.AddInterface(capture.Interface{LinkType: 1, TimeResolution: 9})
	want := capturetest.Samples(100)
	write(t, w, want)
	// The file takes 5001 bytes, then the disk is full.
	b := bytes.Clone(w.out.buf)
	w.out.f.Write(b[:5001])
	w.out.w = &fullDisk{room: 5001}
	if err := w.Flush(); err == nil {
		t.Error("no error of a full disk")
	}
	w.Close()
	s := open(t, path, capture.Options{})
	if s.Len() < 10 {
		t.Errorf("%d packets", s.Len())
	}
	capturetest.Expect(t, s, want[:s.Len()])
	capturetest.NoNotices(t, s)
	if err := w.WritePacket(Packet{}); err == nil {
		t.Error("writing goes on after a failure")
	}
}

func TestCannotWrite(t *testing.T) {
	for path, says := range map[string]string{filepath.Join(t.TempDir(), "no", "x"): "there is no folder",
		t.TempDir(): "cannot be written"} {
		_, err := Create(path, WriterOptions{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Stat("/dev/full"); err == nil && os.PathSeparator == '/' {
		w, err := Create("/dev/full", WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err == nil || !strings.Contains(err.Error(), "disk is full") {
			t.Errorf("/dev/full: %v", err)
		}
	}
}

// TestOthersReadIt asks capinfos, where it is installed, whether the files are what they claim.
func TestOthersReadIt(t *testing.T) {
	tool, err := exec.LookPath("capinfos")
	if err != nil {
		t.Skip("capinfos is not installed")
	}
	want := capturetest.Samples(50)
	src := memory(t, capturetest.Pcapng(capturetest.Orders["big"], want))
	src.SetComments(3, []string{"a comment"})
	for name, kind := range map[string]string{"x.pcapng": "pcapng", "x.pcap": "nsecpcap", "x.pcapng.gz": "gzip"} {
		path := filepath.Join(t.TempDir(), name)
		if err := SaveAs(src, path, nil, SaveOptions{Comments: []string{"hello"}}); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, "-M", path).CombinedOutput()
		if err != nil || !strings.Contains(string(out), kind) || !strings.Contains(string(out), "Number of packets:   50") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

func TestRecordFollowsTheStream(t *testing.T) {
	want := capturetest.Samples(900)
	for n, stop := range map[int]capture.StopRules{900: {}, 3: {Packets: 3}} {
		path := filepath.Join(t.TempDir(), "x.pcap")
		s, err := OpenReader(t.Context(), "pipe", bytes.NewReader(capturetest.Pcapng(capturetest.Orders["little"], want)),
			capture.Options{Write: path, Stop: stop, SpoolDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		s.Wait()
		if st := s.Status(); st.Unsaved || st.Err != nil {
			t.Errorf("%+v", st)
		}
		capturetest.Expect(t, s, want[:n])
		s.Close()
		capturetest.Expect(t, open(t, path, capture.Options{}), want[:n])
	}
}

// TestNext begins a file anew only where the one written has lost its name, and the next one of a ring at once.
func TestNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pcap")
	w, err := Create(path, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.AddInterface(capture.Interface{LinkType: 1, TimeResolution: 9})
	want := capturetest.Samples(30)
	write(t, w, want[:10])
	if err := w.Next(); err != nil {
		t.Fatal(err)
	}
	write(t, w, want[10:20])
	if err := os.Rename(path, path+".1.pcap"); err != nil {
		t.Fatal(err)
	}
	if err := w.Next(); err != nil {
		t.Fatal(err)
	}
	write(t, w, want[20:])
	w.Close()
	capturetest.Expect(t, open(t, path+".1.pcap", capture.Options{}), want[:20])
	capturetest.Expect(t, open(t, path, capture.Options{}), want[20:])

	w, err = Create(path, WriterOptions{Ring: capture.Ring{Files: 5}, Stop: capture.StopRules{Files: 2}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Next(); err != nil || len(w.Files()) != 2 {
		t.Errorf("%v, %q", err, w.Files())
	}
	if err := w.Next(); !errors.Is(err, capture.ErrEnough) {
		t.Errorf("a third file of two: %v", err)
	}
}
