package protocols

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"io"
	"testing"

	"github.com/andybalholm/brotli"
	"golang.org/x/net/http2/hpack"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/coding"
)

// Sizes of the bombs: small enough for the standard tests, which look at every packet many times, and large enough that
// each body would be cut and a connection without a bound would cost hundreds of times what came.
const (
	bombBody     = 9 << 20
	bombBodies   = 1
	bombMessage  = 64 << 10
	bombMessages = 24
)

// TestBombs runs the standard tests over connections that are made to unfold, and holds what a look makes of a packet
// to a bound: all sources of bytes together.
func TestBombs(t *testing.T) {
	for _, c := range []struct {
		name    string
		port    uint16
		packets []string
		most    int // bytes that a look at a packet may make
	}{
		{"websocket", 80, bombOverWebSocket(t), 4 * bombMessage},
		{"gzip", 9999, bombOverHTTP2(t, "gzip", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }),
			4 * coding.Limit(16<<10)},
		{"brotli", 9999, bombOverHTTP2(t, "br", func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }),
			4 * coding.Limit(16<<10)},
	} {
		t.Run(c.name, func(t *testing.T) {
			packets := dissecttest.Stream(c.port, c.packets...)
			s := dissecttest.Session(t, All(), 101, packets)
			looks, large := 0, false
			for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
				made := 0
				for _, source := range s.Tree(n).Sources() {
					made += len(source.Data)
				}
				if looks++; made > c.most {
					t.Errorf("a look at frame %d makes %d bytes", n, made)
				}
				large = large || made > bombMessage
			}
			if !large {
				t.Error("nothing unfolds: is this a bomb?")
			}
			if testing.Short() {
				t.Skip("the standard tests take seconds")
			}
			raw := make([][]byte, len(packets))
			for i, p := range packets {
				raw[i] = p.Data
			}
			dissecttest.RunMade(t, All(), 101, raw...)
		})
	}
}

// bombOverWebSocket are messages of zeros, each packed with those before in the window (RFC 7692 section 7.2.3.2).
func bombOverWebSocket(t *testing.T) []string {
	t.Helper()
	out := []string{
		"C:GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: " +
			"permessage-deflate\r\n\r\n",
		"S:HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: " +
			"permessage-deflate\r\n\r\n",
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, bombMessage)
	for range bombMessages {
		b.Reset()
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		p := bytes.TrimSuffix(b.Bytes(), []byte{0, 0, 0xff, 0xff})
		head := binary.BigEndian.AppendUint16([]byte{0xc2, 126}, uint16(len(p)))
		if len(p) < 126 {
			head = []byte{0xc2, byte(len(p))}
		}
		out = append(out, "S:"+string(head)+string(p))
	}
	return out
}

// bombOverHTTP2 are answers that unfold to many million zeros, each in several DATA frames.
func bombOverHTTP2(t *testing.T, encoding string, pack func(io.Writer) io.WriteCloser) []string {
	t.Helper()
	frame := func(typ, flags byte, stream uint32, payload []byte) string {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(typ))
		return string(append(binary.BigEndian.AppendUint32(append(b, flags), stream), payload...))
	}
	var body, block bytes.Buffer
	w := pack(&body)
	if _, err := w.Write(make([]byte, bombBody)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out := []string{"C:PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, nil), "S:" + frame(4, 0, 0, nil)}
	e := hpack.NewEncoder(&block)
	for i := range bombBodies {
		block.Reset()
		for _, f := range []hpack.HeaderField{{Name: ":status", Value: "200"}, {Name: "content-type", Value: "text/plain"},
			{Name: "content-encoding", Value: encoding}} {
			if err := e.WriteField(f); err != nil {
				t.Fatal(err)
			}
		}
		stream := uint32(2*i + 1)
		out = append(out, "S:"+frame(1, 4, stream, block.Bytes()))
		rest := body.Bytes()
		for len(rest) > 0 {
			n, flags := min(len(rest), 4000), byte(0)
			if n == len(rest) {
				flags = 1
			}
			out = append(out, "S:"+frame(0, flags, stream, rest[:n]))
			rest = rest[n:]
		}
	}
	return out
}
