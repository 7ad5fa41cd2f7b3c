package tcp_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

// The toy protocols of these tests live on port 53, as pkt builds segments for it: lines that end in a newline, and
// records with a length of four bytes in front.
var (
	lineProto = dissect.NewProtocol("toyline", "LINE", "Lines.")
	lineText  = lineProto.String("text", "Text", "The line.")
	sizeProto = dissect.NewProtocol("toysize", "SIZE", "Records.")
	sizeLen   = sizeProto.Uint32("len", "Length", "Length of the record.")
	sizeText  = sizeProto.String("text", "Text", "The record.")
)

func lines() dissect.Plugin {
	return dissect.Plugin{Protocol: lineProto, TCP: []uint16{53}, Dissect: func(d *dissect.D) { d.Rest(lineText) },
		Message: func(b []byte) int {
			if b[0] == '#' { // garbage, a byte at a time
				return -1
			}
			return bytes.IndexByte(b, '\n') + 1
		}}
}

func sizes() dissect.Plugin {
	return dissect.Plugin{Protocol: sizeProto, TCP: []uint16{53},
		Dissect: func(d *dissect.D) { d.Uint(sizeLen); d.Rest(sizeText) },
		Message: func(b []byte) int {
			if len(b) < 4 {
				return 0
			}
			return 4 + int(binary.BigEndian.Uint32(b))
		}}
}

func toy(t testing.TB, p dissect.Plugin, packets ...[]byte) *dissect.Session {
	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin(), data.Plugin(), p}
	return dissecttest.Session(t, plugins, 101, dissecttest.Packets(packets...))
}

// texts are the messages of all frames, "frame:text", with what was noted as lost in angle brackets.
func texts(s *dissect.Session, field string) string {
	var b strings.Builder
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		t := l.Tree(n)
		for i := range t.Nodes {
			switch name := t.Field(i).Name(); name {
			case field:
				b.WriteString(strings.TrimSpace(t.Text(i)) + " ")
			case "_ws.lost", "_ws.stream_left_out":
				b.WriteString("<" + strings.Trim(t.Label(i), "[]") + "> ")
			}
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// stream sends text in segments of n bytes.
func stream(seq uint32, text string, n int) (out [][]byte) {
	for i := 0; i < len(text); i += n {
		out = append(out, pkt(false, seq+uint32(i), 1, PA, []byte(text[i:min(len(text), i+n)])))
	}
	return out
}

func sized(text string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(text)))) + text
}

// TestUnframedTail sends more than the engine keeps of bytes that no message comes out of, then a line.
func TestUnframedTail(t *testing.T) {
	long := strings.Repeat("x", 2<<20)
	s := toy(t, lines(), append(stream(1, long, 60_000), pkt(false, 1+uint32(len(long)), 1, PA, []byte("\nlast\n")))...)
	got := texts(s, "toyline.text")
	if !strings.Contains(got, "bytes of the stream are passed over: no message comes out of them>") ||
		!strings.HasSuffix(got, " last") {
		t.Errorf("got %.200q … %.100q", got, got[max(0, len(got)-100):])
	}
	dissecttest.Redissections(t, s)
}

// TestTinySegments sends a long line byte by byte: that must not cost the square of its length, and the line must come.
func TestTinySegments(t *testing.T) {
	text := strings.Repeat("y", 60_000) + "\n"
	s := toy(t, lines(), append(stream(1, text, 1), pkt(false, 1+uint32(len(text)), 1, F, nil))...)
	if got := texts(s, "toyline.text"); got != strings.TrimSpace(text) {
		t.Errorf("%d bytes came out, want %d: %.60q", len(got), len(text)-1, got)
	}
}

// TestShortLines sends short lines in tiny segments: each must come with the segment that ends it.
func TestShortLines(t *testing.T) {
	s := toy(t, lines(), stream(1, strings.Repeat("one two\n", 500), 3)...)
	l := s.Dissector()
	for i := 1; i <= 500; i++ {
		n := dissect.FrameNum((8*i + 2) / 3)
		if got := dissecttest.All(l.Tree(n), "toyline.text"); got != `one two\n` {
			t.Fatalf("line %d: frame %d has %q", i, n, got)
		}
	}
	dissecttest.Redissections(t, s)
}

// TestClaims sends records that claim more than the engine puts together; what follows them must be in step.
func TestClaims(t *testing.T) {
	huge := binary.BigEndian.AppendUint32(nil, 1<<30)
	s := toy(t, sizes(), pkt(false, 1, 1, PA, append(huge, "begin"...)),
		pkt(false, 10, 1, PA, []byte(strings.Repeat("z", 100))))
	if got, want := texts(s, "toysize.text"),
		"<A message of 1073741828 bytes begins here: it is too long to be put together and passed over>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	dissecttest.Redissections(t, s)

	long := sized(strings.Repeat("z", 17<<20)) + sized("next")
	s = toy(t, sizes(), stream(1, long, 60_000)...)
	if got := texts(s, "toysize.text"); !strings.HasPrefix(got, "<A message of 17825796 bytes") ||
		!strings.HasSuffix(got, "> next") {
		t.Errorf("got %.200q", got)
	}
}

// TestManyMessages sends more messages in one segment than are dissected, then another in the next segment.
func TestManyMessages(t *testing.T) {
	s := toy(t, lines(), pkt(false, 1, 1, PA, bytes.Repeat([]byte{'\n'}, 5000)),
		pkt(false, 5001, 1, PA, []byte("after\n")))
	if got, want := texts(s, "toyline.text"), "<904 further messages of this segment are left out> after"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := dissecttest.All(s.Tree(2), "toyline.text"); got != `after\n` {
		t.Errorf("the next segment has %q", got)
	}
	dissecttest.Redissections(t, s)
}

// TestGarbage drops a long run of bytes that are none of a message, one at a time.
func TestGarbage(t *testing.T) {
	text := strings.Repeat("#", 200_000) + "line\n"
	if got := texts(toy(t, lines(), stream(1, text, 50_000)...), "toyline.text"); got != "line" {
		t.Errorf("got %q", got)
	}
}

// TestGapInMessage loses the middle of a record whose length is known: the record is given up, the next is in step.
func TestGapInMessage(t *testing.T) {
	all := sized(strings.Repeat("a", 96)) + sized("bb")
	s := toy(t, sizes(), pkt(false, 1, 1, PA, []byte(all[:40])), pkt(false, 61, 1, PA, []byte(all[60:80])),
		pkt(true, 1, 107, A, nil),
		pkt(false, 81, 1, PA, []byte(all[80:])))
	if got, want := texts(s, "toysize.text"), "<60 bytes of the stream are missing in front of this> bb"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	dissecttest.Redissections(t, s)
}

// TestLossAtEnd resets a connection whose gap was never filled: what came behind the gap is shown then.
func TestLossAtEnd(t *testing.T) {
	for name, flags := range map[string]byte{"FIN acknowledged": F, "RST": 0x14} {
		s := toy(t, lines(), pkt(false, 1, 1, PA, []byte("one\n")), pkt(false, 9, 1, PA, []byte("three\n")),
			pkt(true, 1, 15, A, nil), pkt(false, 15, 1, flags, nil))
		if got, want := texts(s, "toyline.text"),
			"one <4 bytes of the stream are missing in front of this> three"; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		dissecttest.Redissections(t, s)
	}
}

// TestMidStream begins in the middle of a connection: the half line in front is taken as it comes.
func TestMidStream(t *testing.T) {
	s := toy(t, lines(), pkt(false, 4_000_000_000, 77, PA, []byte("lf\nwhole\n")),
		pkt(false, 4_000_000_009, 77, PA, []byte("more\n")))
	if got, want := texts(s, "toyline.text"), "lf whole more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStray sends a segment far outside any window: it must not hide what follows.
func TestStray(t *testing.T) {
	s := toy(t, lines(), pkt(false, 1, 1, PA, []byte("one\n")), pkt(false, 1<<31-100, 1, PA, []byte("far\n")),
		pkt(true, 1, 5, A, nil), pkt(false, 5, 1, PA, []byte("two\n")))
	if got, want := texts(s, "toyline.text"), "one two"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFlood never fills a gap and sends windows full of segments behind it: memory is bounded and the stream goes on.
func TestFlood(t *testing.T) {
	packets := [][]byte{pkt(false, 0, 0, S, nil)}
	at, n := uint32(100), 0
	for range 5 { // five gaps of one byte
		for range 1500 {
			packets = append(packets, pkt(false, at, 1, PA, []byte("l\n")))
			at += 2
			n++
		}
		at++
	}
	s := toy(t, lines(), packets...)
	got := texts(s, "toyline.text")
	if c := strings.Count(got, "l "); c < n/3 { // one frame shows MaxSources of those that waited for it
		t.Errorf("%d of %d lines came out", c, n)
	}
	if !strings.Contains(got, "<99 bytes of the stream are missing in front of this>") ||
		strings.Count(got, "<1 byte") < 4-1 {
		t.Errorf("the gaps are not told: %.300q", got)
	}
	dissecttest.Redissections(t, s)
}

// BenchmarkStream is the cost of a segment in a stream that is cut into messages.
func BenchmarkStream(b *testing.B) {
	for name, size := range map[string]int{"whole": 32, "halves": 16, "tiny": 1, "many": 1344} {
		b.Run(name, func(b *testing.B) {
			frames := stream(1, strings.Repeat(sized(strings.Repeat("m", 28)), 2000), size)
			plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin(), data.Plugin(), sizes()}
			store, err := pcapfile.OpenBytes(context.Background(), "bench",
				dissecttest.Pcap(101, dissecttest.Packets(frames...)),
				capture.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			reg := dissecttest.Registry(b, plugins)
			b.ReportAllocs()
			for b.Loop() {
				s, err := dissect.NewSession(reg, store)
				if err == nil {
					err = s.Pass(context.Background())
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(frames)), "ns/packet")
		})
	}
}
