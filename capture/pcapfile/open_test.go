package pcapfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/internal/capturetest"
	"remora/capture/internal/pcapng"
)

// open opens a file, with spools in a folder of the test's own, and waits for its end.
func open(t testing.TB, path string, opt capture.Options) *capture.Store {
	t.Helper()
	if opt.SpoolDir == "" {
		opt.SpoolDir = t.TempDir()
	}
	s, err := Open(context.Background(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Wait()
	return s
}

// memory opens bytes in memory and waits for the end.
func memory(t testing.TB, b []byte) *capture.Store {
	t.Helper()
	s, err := OpenBytes(context.Background(), "memory", b, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Wait()
	return s
}

func TestCompressed(t *testing.T) {
	want := capturetest.Samples(20_000) // more than one chunk
	for _, codec := range []string{"gzip", "zstd", "lz4"} {
		for name, b := range map[string][]byte{"pcap": capturetest.Pcap(capturetest.Orders["big"], capturetest.Micro, 1,
			want),
			"pcapng": capturetest.Pcapng(capturetest.Orders["little"], want)} {
			t.Run(codec+"/"+name, func(t *testing.T) {
				dir := t.TempDir()
				z := capturetest.Packed(t, codec, b)
				s := open(t, capturetest.WriteTemp(t, "x", z), capture.Options{SpoolDir: dir})
				capturetest.Expect(t, s, want)
				capturetest.NoNotices(t, s)
				st := s.Status()
				if st.BytesRead != int64(len(z)) || st.BytesTotal != int64(len(z)) || st.Unsaved {
					t.Errorf("status %+v of %d bytes", st, len(z))
				}
				if left, _ := os.ReadDir(dir); len(left) > 0 && !capturetest.Wine() {
					t.Errorf("left in the spool folder: %v", left)
				}
			})
		}
	}
}

func TestCompressedCutShort(t *testing.T) {
	want := capturetest.Samples(8000)
	for _, codec := range []string{"gzip", "zstd", "lz4"} {
		z := capturetest.Packed(t, codec, capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, want))
		s := open(t, capturetest.WriteTemp(t, "x", z[:len(z)*2/3]), capture.Options{})
		if s.Len() == 0 || s.Len() >= len(want) {
			t.Errorf("%s: %d packets", codec, s.Len())
		}
		capturetest.Expect(t, s, want[:s.Len()])
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], codec+" data is cut short") {
			t.Errorf("%s: notices %q, error %v", codec, n, s.Status().Err)
		}
	}
}

// TestCompressedBomb opens files that unpack to empty records without end: the packets so far are there, and the notice
// says what to do. The same records in a file that is not compressed are all read.
func TestCompressedBomb(t *testing.T) {
	plain := capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1,
		make([]capturetest.Sample, 3*somePackets/2))
	for _, codec := range []string{"gzip", "zstd"} {
		z := capturetest.Packed(t, codec, plain)
		s := open(t, capturetest.WriteTemp(t, "x", z), capture.Options{})
		if s.Len() <= somePackets || s.Len() > mostPackets(int64(len(z)))+somePackets/8 {
			t.Errorf("%s: %d packets of %d bytes", codec, s.Len(), len(z))
		}
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "unpack the file first") {
			t.Errorf("%s: notices %q, error %v", codec, n, s.Status().Err)
		}
	}
	if s := open(t, capturetest.WriteTemp(t, "x", plain), capture.Options{}); s.Len() != 3*somePackets/2 {
		t.Errorf("not compressed: %d packets", s.Len())
	}
}

func TestCompressedNonsense(t *testing.T) {
	for _, codec := range []string{"gzip", "zstd", "lz4"} {
		dir := t.TempDir()
		_, err := Open(context.Background(),
			capturetest.WriteTemp(t, "x", capturetest.Packed(t, codec, []byte("not a capture at all"))),
			capture.Options{SpoolDir: dir})
		var f *Error
		if !errors.As(err, &f) || !strings.Contains(err.Error(), "not a capture") {
			t.Errorf("%s: %v", codec, err)
		}
		_, err = Open(context.Background(),
			capturetest.WriteTemp(t, "x", capturetest.Packed(t, codec, []byte("not a capture at all"))[:6]),
			capture.Options{SpoolDir: dir})
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", codec, err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: left in the spool folder: %v", codec, left)
		}
	}
}

func TestCannotOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("lobby.pcapng", "x")
	cases := []struct{ path, says string }{
		{filepath.Join(dir, "loby.pcapng"), "did you mean " + filepath.Join(dir, "lobby.pcapng") + "?"},
		{filepath.Join(dir, "nowhere", "a"), "nor a folder"},
		{dir, "is a directory"},
		{write("empty", ""), "is empty"},
		{write("text", "hello, world"), "not a capture file (it begins with 68 65 6c 6c"},
		{write("short", "ab"), "not a capture file"},
		{write("bz", "BZh91AY&SY"), "bunzip2"},
		{write("snoop", "snoop\x00\x00\x00\x00\x00\x00\x02"), "Solaris"},
	}
	for _, c := range cases {
		_, err := Open(context.Background(), c.path)
		var f *Error
		if !errors.As(err, &f) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.path, err, c.says)
		}
	}
	if keyboard, tty, err := pty.Open(); err == nil {
		defer keyboard.Close()
		defer tty.Close()
		if _, err := Open(context.Background(), tty.Name()); err == nil || !strings.Contains(err.Error(), "is a terminal") {
			t.Errorf("a terminal: %v", err)
		}
	}
	if os.Geteuid() > 0 { // root may read everything
		path := write("secret", "x")
		os.Chmod(path, 0)
		if _, err := Open(context.Background(), path); err == nil || !strings.Contains(err.Error(), "permission") {
			t.Errorf("unreadable file: %v", err)
		}
	}
}

func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	makePipe(t, path)
	dir := t.TempDir()
	s, err := Open(context.Background(), path, capture.Options{SpoolDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if st := s.Status(); !st.Waiting || st.Done || s.Len() != 0 {
		t.Errorf("before the writer came: %+v", st)
	}
	want := capturetest.Samples(3000)
	b := capturetest.Pcapng(capturetest.Orders["little"], want)
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	half := len(b) / 2
	w.Write(b[:3]) // not even the magic number
	w.Write(b[3:half])
	capturetest.WaitFor(t, s, 1000)
	if st := s.Status(); st.Done || st.Waiting || !st.Unsaved {
		t.Errorf("in the middle: %+v", st)
	}
	w.Write(b[half:])
	capturetest.WaitFor(t, s, len(want))
	w.Close()
	s.Wait()
	capturetest.Expect(t, s, want)
	capturetest.NoNotices(t, s)
	spool := s.Status().Spool
	if got, err := os.ReadFile(spool); err != nil || !bytes.Equal(got, b) {
		t.Errorf("the spool is not what came: %d bytes of %d, %v", len(got), len(b), err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left after closing: %v", left)
	}
}

func TestPipeThatNeverSpeaks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	makePipe(t, path)
	s, err := Open(context.Background(), path, capture.Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Close() // must not hang
	if st := s.Status(); !st.Done || st.Err != nil {
		t.Errorf("%+v", st)
	}
}

func TestPipeOfNonsense(t *testing.T) {
	for text, says := range map[string]string{"": "is empty", "nonsense": "not a capture file"} {
		r, w := io.Pipe()
		s, err := OpenReader(context.Background(), "pipe", r, capture.Options{SpoolDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
		w.Close()
		s.Wait()
		if st := s.Status(); st.Err == nil || !strings.Contains(st.Err.Error(), says) {
			t.Errorf("%q: %v", text, st.Err)
		}
		s.Close()
	}
}

func TestCompressedPipe(t *testing.T) {
	want := capturetest.Samples(300)
	r, w := io.Pipe()
	s, err := OpenReader(context.Background(), "pipe", r, capture.Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	go func() {
		w.Write(capturetest.Packed(t, "zstd", capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, want)))
		w.Close()
	}()
	s.Wait()
	capturetest.Expect(t, s, want)
}

func TestFollow(t *testing.T) {
	want := capturetest.Samples(400)
	b := capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, want)
	path := capturetest.WriteTemp(t, "growing", nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, err := Open(ctx, path, capture.Options{Follow: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Write(b[:2])
	f.Write(b[2:5000])
	capturetest.WaitFor(t, s, 20)
	for at := 5000; at < len(b); at += 10_000 {
		f.Write(b[at:min(at+10_000, len(b))])
	}
	capturetest.WaitFor(t, s, len(want))
	if st := s.Status(); st.Done {
		t.Errorf("followed file ended by itself: %+v", st)
	}
	cancel()
	s.Wait()
	capturetest.Expect(t, s, want)
	capturetest.NoNotices(t, s)
}

func TestFollowedFileIsCutShort(t *testing.T) {
	want := capturetest.Samples(100)
	path := capturetest.WriteTemp(t, "shrinking",
		capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, want))
	s, err := Open(context.Background(), path, capture.Options{Follow: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	capturetest.WaitFor(t, s, len(want))
	os.Truncate(path, 1000)
	s.Wait()
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "cut short to 1000 bytes") {
		t.Errorf("notices %q", n)
	}
}

func TestFileShrinksUnderReaders(t *testing.T) {
	want := capturetest.Samples(5000)
	path := capturetest.WriteTemp(t, "shrinking",
		capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, want))
	s := open(t, path, capture.Options{})
	capturetest.Expect(t, s, want)
	os.Truncate(path, 10_000)
	r := s.NewReader()
	if _, err := r.Bytes(4000); !errors.Is(err, capture.ErrGone) || !strings.Contains(err.Error(), "packet 4001") {
		t.Errorf("Bytes: %v", err)
	}
	dst := []byte("keep")
	dst, err := r.ReadAt(4000, 0, 1, dst)
	if !errors.Is(err, capture.ErrGone) || string(dst) != "keep" {
		t.Errorf("ReadAt: %q, %v", dst, err)
	}
	if b, err := r.Bytes(3); err != nil || !bytes.Equal(b, want[3].Data) {
		t.Errorf("what is still there: %x, %v", b, err)
	}
}

func TestFileFilterAndCount(t *testing.T) {
	if _, err := bpf.Compile(1, 0, "udp"); errors.Is(err, bpf.ErrNoLibpcap) {
		t.Skip(err)
	}
	udp, tcp := capturetest.IPPacket(17), capturetest.IPPacket(6)
	var list, want []capturetest.Sample
	for i := range 100 {
		p := capturetest.Sample{Time: int64(i) * 1000, Len: uint32(len(udp)), Data: tcp}
		if i%3 == 0 {
			p.Data = udp
			want = append(want, p)
		}
		list = append(list, p)
	}
	path := capturetest.WriteTemp(t, "x.pcap", capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, list))
	capturetest.Expect(t, open(t, path, capture.Options{Filter: "udp"}), want)
	capturetest.Expect(t, open(t, path, capture.Options{Filter: "udp", Stop: capture.StopRules{Packets: 7}}), want[:7])
	capturetest.Expect(t, open(t, path, capture.Options{Stop: capture.StopRules{Packets: 7}}), list[:7])
	var bad *bpf.Error
	if _, err := Open(context.Background(), path, capture.Options{Filter: "udp ort 3"}); !errors.As(err, &bad) {
		t.Errorf("bad filter: %v", err)
	}
}

func TestFileFilterAndLinkTypes(t *testing.T) {
	if _, err := bpf.Compile(1, 0, "udp"); errors.Is(err, bpf.ErrNoLibpcap) {
		t.Skip(err)
	}
	g := &capturetest.NG{Order: capturetest.Orders["little"]}
	g.Section().Interface(101, 0).Interface(1, 0, g.Option(pcapng.IfTSResol, []byte{9})).
		Packet(0, 1, 40, capturetest.IPPacket(17)[14:]).
		Packet(1, 2, 54, capturetest.IPPacket(17))
	path := capturetest.WriteTemp(t, "x", g.Bytes)
	if s := open(t, path, capture.Options{Filter: "udp"}); s.Len() != 2 {
		t.Errorf("udp: %d packets", s.Len())
	}
	only := open(t, path, capture.Options{Filter: "ether host 00:00:00:00:00:00"})
	capturetest.Expect(t, only, []capturetest.Sample{{Time: 2, Len: 54, Data: capturetest.IPPacket(17), Interface: 1}})
	if n := only.Notices(); len(n) != 1 || !strings.Contains(n[0], "plain IP packets are left out") {
		t.Errorf("notices %q", n)
	}
	if _, err := Open(context.Background(), path, capture.Options{Filter: "type mgt subtype beacon"}); err != nil {
		t.Errorf("a wireless filter: %v", err)
	}
}

func TestDurationEndsAPipe(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	s, err := OpenReader(context.Background(), "pipe", r,
		capture.Options{SpoolDir: t.TempDir(), Stop: capture.StopRules{Duration: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	if st := s.Status(); st.Err != nil {
		t.Error(st.Err)
	}
}

func TestStoppedReaderIsNoFailure(t *testing.T) {
	r, w := io.Pipe()
	s, err := OpenReader(context.Background(), "pipe", r, capture.Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w.Write(capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, capturetest.Samples(3)))
	capturetest.WaitFor(t, s, 3)
	s.Stop()
	if st := s.Status(); st.Err != nil || len(st.Notices) > 0 || s.Len() != 3 {
		t.Errorf("%+v", st)
	}
}

func TestPace(t *testing.T) {
	list := []capturetest.Sample{{Time: 1e9, Len: 1, Data: []byte{1}}, {Time: 1e9 + 50_000_000, Len: 1, Data: []byte{2}},
		{Time: 1e9 + 100_000_000, Len: 1, Data: []byte{3}}}
	begun := time.Now()
	s, err := OpenBytes(context.Background(), "demo",
		capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, list), capture.Options{Pace: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	capturetest.Expect(t, s, list)
	if took := time.Since(begun); took < 100*time.Millisecond {
		t.Errorf("three packets of a tenth of a second came within %v", took)
	}
	far := []capturetest.Sample{{Time: 1e9, Len: 1, Data: []byte{1}}, {Time: 1e18, Len: 1, Data: []byte{2}}}
	if s, err = OpenBytes(context.Background(), "demo",
		capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, far),
		capture.Options{Pace: 1}); err != nil {
		t.Fatal(err)
	}
	capturetest.WaitFor(t, s, 1)
	s.Close() // must not wait for the second packet
}

// TestCertain opens a device and pipes only where they tell that they are a capture, or nothing yet.
func TestCertain(t *testing.T) {
	if s, err := Open(context.Background(), "/dev/zero",
		capture.Options{Certain: true, SpoolDir: t.TempDir()}); err == nil {
		s.Close()
		t.Error("zeros are a capture")
	}
	path := filepath.Join(t.TempDir(), "pipe")
	makePipe(t, path)
	s, err := Open(context.Background(), path, capture.Options{Certain: true, SpoolDir: t.TempDir()}) // nobody writes yet
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}
