package capture

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

func packed(t testing.TB, codec string, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	switch codec {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "zstd":
		w, _ = zstd.NewWriter(&out)
	case "lz4":
		z := lz4.NewWriter(&out)
		if err := z.Apply(lz4.BlockSizeOption(lz4.Block64Kb)); err != nil {
			t.Fatal(err)
		}
		w = z
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestCompressed(t *testing.T) {
	want := samples(20_000) // more than one chunk
	for _, codec := range []string{"gzip", "zstd", "lz4"} {
		for name, b := range map[string][]byte{"pcap": pcapBytes(orders["big"], magicMicro, 1, want),
			"pcapng": ngBytes(orders["little"], want)} {
			t.Run(codec+"/"+name, func(t *testing.T) {
				dir := t.TempDir()
				z := packed(t, codec, b)
				s := open(t, writeTemp(t, "x", z), Options{SpoolDir: dir})
				expect(t, s, want)
				noNotices(t, s)
				st := s.Status()
				if st.BytesRead != int64(len(z)) || st.BytesTotal != int64(len(z)) || st.Unsaved {
					t.Errorf("status %+v of %d bytes", st, len(z))
				}
				if left, _ := os.ReadDir(dir); len(left) > 0 {
					t.Errorf("left in the spool folder: %v", left)
				}
			})
		}
	}
}

func TestCompressedCutShort(t *testing.T) {
	want := samples(8000)
	for _, codec := range []string{"gzip", "zstd", "lz4"} {
		z := packed(t, codec, pcapBytes(orders["little"], magicMicro, 1, want))
		s := open(t, writeTemp(t, "x", z[:len(z)*2/3]), Options{})
		if s.Len() == 0 || s.Len() >= len(want) {
			t.Errorf("%s: %d packets", codec, s.Len())
		}
		expect(t, s, want[:s.Len()])
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], codec+" data is cut short") {
			t.Errorf("%s: notices %q, error %v", codec, n, s.Status().Err)
		}
	}
}

// TestCompressedBomb opens files that unpack to empty records without end: the packets so far are there, and the notice
// says what to do. The same records in a file that is not compressed are all read.
func TestCompressedBomb(t *testing.T) {
	plain := pcapBytes(orders["little"], magicMicro, 1, make([]sample, 3*somePackets/2))
	for _, codec := range []string{"gzip", "zstd"} {
		z := packed(t, codec, plain)
		s := open(t, writeTemp(t, "x", z), Options{})
		if s.Len() <= somePackets || s.Len() > mostPackets(int64(len(z)))+somePackets/8 {
			t.Errorf("%s: %d packets of %d bytes", codec, s.Len(), len(z))
		}
		if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "unpack the file first") {
			t.Errorf("%s: notices %q, error %v", codec, n, s.Status().Err)
		}
	}
	if s := open(t, writeTemp(t, "x", plain), Options{}); s.Len() != 3*somePackets/2 {
		t.Errorf("not compressed: %d packets", s.Len())
	}
}

func TestCompressedNonsense(t *testing.T) {
	for _, codec := range []string{"gzip", "zstd", "lz4"} {
		dir := t.TempDir()
		_, err := Open(context.Background(), writeTemp(t, "x", packed(t, codec, []byte("not a capture at all"))),
			Options{SpoolDir: dir})
		var f *FileError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), "not a capture") {
			t.Errorf("%s: %v", codec, err)
		}
		_, err = Open(context.Background(), writeTemp(t, "x", packed(t, codec, []byte("not a capture at all"))[:6]),
			Options{SpoolDir: dir})
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
		{filepath.Join(dir, "loby.pcapng"), "did you mean " + dir + "/lobby.pcapng?"},
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
		var f *FileError
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
	if os.Geteuid() != 0 { // root may read everything
		path := write("secret", "x")
		os.Chmod(path, 0)
		if _, err := Open(context.Background(), path); err == nil || !strings.Contains(err.Error(), "permission") {
			t.Errorf("unreadable file: %v", err)
		}
	}
}

// waitFor waits until the store has n packets, which a broken store never has: then the test's time limit speaks.
func waitFor(t testing.TB, s *Store, n int) {
	t.Helper()
	changed, cancel := s.Subscribe()
	defer cancel()
	for s.Len() < n {
		if st := s.Status(); st.Done && s.Len() < n {
			t.Fatalf("ended with %d packets instead of %d: notices %q, error %v", s.Len(), n, st.Notices, st.Err)
		}
		<-changed
	}
}

func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s, err := Open(context.Background(), path, Options{SpoolDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if st := s.Status(); !st.Waiting || st.Done || s.Len() != 0 {
		t.Errorf("before the writer came: %+v", st)
	}
	want := samples(3000)
	b := ngBytes(orders["little"], want)
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	half := len(b) / 2
	w.Write(b[:3]) // not even the magic number
	w.Write(b[3:half])
	waitFor(t, s, 1000)
	if st := s.Status(); st.Done || st.Waiting || !st.Unsaved {
		t.Errorf("in the middle: %+v", st)
	}
	w.Write(b[half:])
	waitFor(t, s, len(want))
	w.Close()
	s.Wait()
	expect(t, s, want)
	noNotices(t, s)
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
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(context.Background(), path, Options{SpoolDir: t.TempDir()})
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
		s, err := OpenReader(context.Background(), "pipe", r, Options{SpoolDir: t.TempDir()})
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
	want := samples(300)
	r, w := io.Pipe()
	s, err := OpenReader(context.Background(), "pipe", r, Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	go func() {
		w.Write(packed(t, "zstd", pcapBytes(orders["little"], magicMicro, 1, want)))
		w.Close()
	}()
	s.Wait()
	expect(t, s, want)
}

func TestFollow(t *testing.T) {
	want := samples(400)
	b := pcapBytes(orders["little"], magicMicro, 1, want)
	path := writeTemp(t, "growing", nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, err := Open(ctx, path, Options{Follow: true})
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
	waitFor(t, s, 20)
	for at := 5000; at < len(b); at += 10_000 {
		f.Write(b[at:min(at+10_000, len(b))])
	}
	waitFor(t, s, len(want))
	if st := s.Status(); st.Done {
		t.Errorf("followed file ended by itself: %+v", st)
	}
	cancel()
	s.Wait()
	expect(t, s, want)
	noNotices(t, s)
}

func TestFollowedFileIsCutShort(t *testing.T) {
	want := samples(100)
	path := writeTemp(t, "shrinking", pcapBytes(orders["little"], magicMicro, 1, want))
	s, err := Open(context.Background(), path, Options{Follow: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	waitFor(t, s, len(want))
	os.Truncate(path, 1000)
	s.Wait()
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], "cut short to 1000 bytes") {
		t.Errorf("notices %q", n)
	}
}

func TestFileShrinksUnderReaders(t *testing.T) {
	want := samples(5000)
	path := writeTemp(t, "shrinking", pcapBytes(orders["little"], magicMicro, 1, want))
	s := open(t, path, Options{})
	expect(t, s, want)
	os.Truncate(path, 10_000)
	r := s.NewReader()
	if _, err := r.Bytes(4000); !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "packet 4001") {
		t.Errorf("Bytes: %v", err)
	}
	dst := []byte("keep")
	dst, err := r.ReadAt(4000, 0, 1, dst)
	if !errors.Is(err, ErrGone) || string(dst) != "keep" {
		t.Errorf("ReadAt: %q, %v", dst, err)
	}
	if b, err := r.Bytes(3); err != nil || !bytes.Equal(b, want[3].data) {
		t.Errorf("what is still there: %x, %v", b, err)
	}
}

func TestFileFilterAndCount(t *testing.T) {
	if _, err := CompileFilter(1, 0, "udp"); errors.Is(err, ErrNoCapture) {
		t.Skip(err)
	}
	udp, tcp := ipPacket(17), ipPacket(6)
	var list, want []sample
	for i := range 100 {
		p := sample{time: int64(i) * 1000, len: uint32(len(udp)), data: tcp}
		if i%3 == 0 {
			p.data = udp
			want = append(want, p)
		}
		list = append(list, p)
	}
	path := writeTemp(t, "x.pcap", pcapBytes(orders["little"], magicMicro, 1, list))
	expect(t, open(t, path, Options{Filter: "udp"}), want)
	expect(t, open(t, path, Options{Filter: "udp", Stop: StopRules{Packets: 7}}), want[:7])
	expect(t, open(t, path, Options{Stop: StopRules{Packets: 7}}), list[:7])
	var bad *FilterError
	if _, err := Open(context.Background(), path, Options{Filter: "udp ort 3"}); !errors.As(err, &bad) {
		t.Errorf("bad filter: %v", err)
	}
}

func TestFileFilterAndLinkTypes(t *testing.T) {
	if _, err := CompileFilter(1, 0, "udp"); errors.Is(err, ErrNoCapture) {
		t.Skip(err)
	}
	g := &ng{order: orders["little"]}
	g.section().iface(101, 0).iface(1, 0, g.opt(ifTSResol, []byte{9})).packet(0, 1, 40, ipPacket(17)[14:]).
		packet(1, 2, 54, ipPacket(17))
	path := writeTemp(t, "x", g.b)
	if s := open(t, path, Options{Filter: "udp"}); s.Len() != 2 {
		t.Errorf("udp: %d packets", s.Len())
	}
	only := open(t, path, Options{Filter: "ether host 00:00:00:00:00:00"})
	expect(t, only, []sample{{2, 54, ipPacket(17), 1}})
	if n := only.Notices(); len(n) != 1 || !strings.Contains(n[0], "plain IP packets are left out") {
		t.Errorf("notices %q", n)
	}
	if _, err := Open(context.Background(), path, Options{Filter: "type mgt subtype beacon"}); err != nil {
		t.Errorf("a wireless filter: %v", err)
	}
}

func TestDurationEndsAPipe(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	s, err := OpenReader(context.Background(), "pipe", r,
		Options{SpoolDir: t.TempDir(), Stop: StopRules{Duration: time.Millisecond}})
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
	s, err := OpenReader(context.Background(), "pipe", r, Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w.Write(pcapBytes(orders["little"], magicMicro, 1, samples(3)))
	waitFor(t, s, 3)
	s.Stop()
	if st := s.Status(); st.Err != nil || len(st.Notices) > 0 || s.Len() != 3 {
		t.Errorf("%+v", st)
	}
}

// ipPacket is an Ethernet frame with an empty IPv4 packet.
func ipPacket(proto byte) []byte {
	b := make([]byte, 14+20+20)
	b[12], b[14], b[17], b[23] = 8, 0x45, 40, proto
	return b
}

func TestPace(t *testing.T) {
	list := []sample{{time: 1e9, len: 1, data: []byte{1}}, {time: 1e9 + 50_000_000, len: 1, data: []byte{2}},
		{time: 1e9 + 100_000_000, len: 1, data: []byte{3}}}
	begun := time.Now()
	s, err := OpenBytes(context.Background(), "demo", pcapBytes(orders["little"], magicMicro, 1, list), Options{Pace: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	expect(t, s, list)
	if took := time.Since(begun); took < 100*time.Millisecond {
		t.Errorf("three packets of a tenth of a second came within %v", took)
	}
	far := []sample{{time: 1e9, len: 1, data: []byte{1}}, {time: 1e18, len: 1, data: []byte{2}}}
	if s, err = OpenBytes(context.Background(), "demo", pcapBytes(orders["little"], magicMicro, 1, far),
		Options{Pace: 1}); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, 1)
	s.Close() // must not wait for the second packet
}

// TestCertain opens a device and pipes only where they tell that they are a capture, or nothing yet.
func TestCertain(t *testing.T) {
	if s, err := Open(context.Background(), "/dev/zero", Options{Certain: true, SpoolDir: t.TempDir()}); err == nil {
		s.Close()
		t.Error("zeros are a capture")
	}
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	s, err := Open(context.Background(), path, Options{Certain: true, SpoolDir: t.TempDir()}) // nobody writes yet
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}
