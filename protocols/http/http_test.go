package http_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// A talk is a TCP connection to port 80 whose segments a test says one by one.
type talk struct {
	packets []dissecttest.Packet
	seq     [2]uint32
	port    uint16
}

func (k *talk) say(dir int, text string, flags ...byte) dissect.FrameNum {
	port := k.port
	if port == 0 {
		port = 80
	}
	ports := [2]uint16{40000, port}
	ends := [2]string{"10.0.0.1", "10.0.0.2"}
	bits := byte(0x18)
	for _, f := range flags {
		bits |= f
	}
	tcp := dissecttest.TCP(ports[dir], ports[1-dir], k.seq[dir]+1000, k.seq[1-dir]+1000, bits, []byte(text))
	k.seq[dir] += uint32(len(text))
	packet := dissecttest.IPv4(dissecttest.ProtocolTCP, ends[dir], ends[1-dir], tcp)
	k.packets = append(k.packets, dissecttest.Packet{Data: packet})
	return dissect.FrameNum(len(k.packets))
}

func (k *talk) session(t *testing.T) *dissect.Session {
	s := dissecttest.Session(t, protocols.All(), 101, k.packets)
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, protocols.All(), s)
	return s
}

func expect(t *testing.T, s *dissect.Session, n dissect.FrameNum, wants ...string) {
	t.Helper()
	tree := s.Tree(n)
	for i := 0; i < len(wants); i += 2 {
		if got := dissecttest.All(tree, wants[i]); got != wants[i+1] {
			t.Errorf("frame %d: %s is %q, want %q", n, wants[i], got, wants[i+1])
		}
	}
}

func packed(t *testing.T, coding, text string) string {
	var b bytes.Buffer
	switch coding {
	case "gzip":
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
	case "deflate":
		w := zlib.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
	case "br":
		w := brotli.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
	case "zstd":
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(text))
		_ = w.Close()
	}
	return b.String()
}

func TestRequestsAndResponses(t *testing.T) {
	k := &talk{}
	q1 := k.say(0, "GET /a?x=1&y=2 HTTP/1.1\r\nHost: example.com\r\nUser-Agent: test\r\nAuthorization: Basic "+
		"Ym9iOnNlY3JldA==\r\nCookie: k=v; l=w\r\nX-Own: 1\r\n\r\n")
	r1 := k.say(1, "HTTP/1.1 404 Not Found\r\nContent-Type: text/html; charset=x\r\nContent-Length: 5\r\n\r\nhello")
	q2 := k.say(0, "HEAD /b HTTP/1.1\r\nHost: example.com\r\n\r\nGET /c HTTP/1.1\r\nHost: example.com\r\n\r\n")
	r2 := k.say(1, "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
	r3 := k.say(1, "HTTP/1.1 304 Not Modified\r\nContent-Length: 5000\r\n\r\n")
	s := k.session(t)
	expect(t, s, q1, "http.request.method", "GET", "http.request.uri", "/a?x=1&y=2", "http.request.uri.path", "/a",
		"http.request.uri.query", "x=1&y=2", "http.request.uri.query.parameter", "x=1,y=2",
		"http.request.version", "HTTP/1.1", "http.host", "example.com", "http.user_agent", "test", "http.authbasic",
		"bob:secret", "http.cookie_pair", "k=v,l=w", "http.request.full_uri", "http://example.com/a?x=1&y=2",
		"http.request_number", "1", "http.response_in", "2", "http.next_request_in", "3", "http.type", "GET")
	expect(t, s, r1, "http.response.code", "404", "http.response.phrase", "Not Found", "http.content_length", "5",
		"http.file_data", "hello", "http.request_in", "1", "http.time", "0.001000000",
		"http.next_response_in", "4", "http.response_for.uri", "http://example.com/a?x=1&y=2", "http.type", "404 Not Found")
	expect(t, s, q2, "http.type", "HEAD,GET")
	expect(t, s, r2, "http.request_in", "3", "http.file_data", "", "http.content_length", "5000", "http.response_number",
		"2")
	expect(t, s, r3, "http.response.code", "304", "http.response_number", "3")
	for n, want := range map[dissect.FrameNum]string{q1: "GET /a?x=1&y=2 HTTP/1.1",
		r1: "HTTP/1.1 404 Not Found  (text/html)", r3: "HTTP/1.1 304 Not Modified"} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
	if all := dissecttest.All(s.Tree(q1), "http.request.line"); !strings.Contains(all, "X-Own: 1\\r\\n") {
		t.Errorf("the lines are %q", all)
	}
}

func TestBodies(t *testing.T) {
	text := strings.Repeat("a line of the body\n", 60)
	for _, coding := range []string{"", "gzip", "deflate", "br", "zstd"} {
		body := text
		if coding != "" {
			body = packed(t, coding, text)
		}
		k := &talk{}
		k.say(0, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		plain := k.say(1,
			fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s", coding, len(body), body))
		k.say(0, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		half := len(body) / 2
		k.say(1, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x;e=1\r\n%s\r\n",
			coding, half, body[:half]))
		k.say(1, fmt.Sprintf("%X\r\n%s\r\n0\r\nX-End: yes", len(body)-half, body[half:]))
		pieces := k.say(1, "\r\n\r\n")
		k.say(0, "GET / HTTP/1.0\r\nHost: a\r\n\r\n")
		k.say(1, fmt.Sprintf("HTTP/1.0 200 OK\r\nContent-Encoding: %s\r\n\r\n%s", coding, body[:half]))
		k.say(1, body[half:])
		end := k.say(1, "", 1)
		s := k.session(t)
		for _, n := range []dissect.FrameNum{plain, pieces, end} {
			tree := s.Tree(n)
			at := -1
			for i := range tree.Nodes {
				if tree.Field(i).Name() == "http.file_data" {
					at = i
				}
			}
			if at < 0 || tree.Text(at) != text {
				t.Errorf("%q, frame %d: the body is not there whole:\n%.2000s", coding, n, dissecttest.Dump(tree))
			}
		}
		expect(t, s, pieces, "http.chunk_size", fmt.Sprintf("%d octets,%d octets,0 octets", half, len(body)-half),
			"http.chunked_trailer_part", `X-End: yes\r\n`)
	}
}

// TestUpgrade lets the connection become another protocol's.
func TestUpgrade(t *testing.T) {
	k := &talk{}
	k.say(0, "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")
	at := k.say(1, "HTTP/1.1 200 OK\r\n\r\n")
	n := k.say(0, "\x17\x03\x01\x00\x05he")
	end := k.say(0, "llo")
	s := k.session(t)
	expect(t, s, end, "http.tunnel_in", fmt.Sprint(at), "http.proxy_connect_host", "a", "http.proxy_connect_port", "443",
		"tls.record.length", "5")
	expect(t, s, n, "tls.record.length", "")
	expect(t, s, 1, "http.request.full_uri", "a:443")

	k = &talk{}
	k.say(0, "CONNECT a:9443 HTTP/1.1\r\nHost: a:9443\r\n\r\n")
	k.say(1, "HTTP/1.1 200 OK\r\n\r\n")
	n = k.say(0, "nobody knows")
	expect(t, k.session(t), n, "data.data", "6e6f626f6479206b6e6f7773", "http.proxy_connect_port", "9443")
}

// TestTunnelsWithinTunnels leads to HTTP again, which must not cut its own stream without end.
func TestTunnelsWithinTunnels(t *testing.T) {
	k := &talk{}
	for range 40 {
		k.say(0, "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n")
		k.say(1, "HTTP/1.1 200 OK\r\n\r\n")
	}
	n := k.say(0, "GET /within HTTP/1.1\r\nHost: a\r\n\r\n")
	end := k.say(1, "HTTP/1.1 204 Done\r\n\r\n")
	s := k.session(t)
	expect(t, s, n, "http.request.uri", "/within", "http.request_number", "41")
	expect(t, s, end, "http.response.code", "204", "http.request_in", fmt.Sprint(n))
}

// TestHostile sends what is no HTTP, or broken: nothing may be lost and nothing may hang.
func TestHostile(t *testing.T) {
	k := &talk{}
	k.say(0, "\r\n\r\nPOST / HTTP/1.1\r\nno colon\r\nbad name: x\r\nContent-Length: "+
		"99999999999999999999\r\nTransfer-Encoding: gzip\r\n\r\n")
	k.say(0, "\x00\x01\x02")
	k.say(0, "\nGET / HTTP/1.1\r\n\r\n")
	k.say(1, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
	k.say(1, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx")
	k.say(1, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", 1)
	k.say(0, "HTTP/1.1 2xx\r\n\r\n", 1)
	s := k.session(t)
	for n, want := range map[dissect.FrameNum]string{1: "http.leading_crlf", 2: "http.file_data"} {
		if _, ok := dissecttest.Find(s.Tree(n), want); !ok {
			t.Errorf("frame %d has no %s:\n%s", n, want, dissecttest.Dump(s.Tree(n)))
		}
	}
}

// TestBomb sends a body that unpacks to far more than it may.
func TestBomb(t *testing.T) {
	body := packed(t, "gzip", strings.Repeat("\x00", 20<<20))
	k := &talk{}
	k.say(0, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	k.say(1, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	s := dissecttest.Session(t, protocols.All(), 101, k.packets)
	if _, ok := dissecttest.Find(s.Tree(2), "http.decompression.large"); !ok {
		t.Error("the body is not said to be too large")
	}
}

// TestOtherPort knows a stream by its first line, also in small segments, and leaves other text alone.
func TestOtherPort(t *testing.T) {
	k := &talk{port: 9876}
	k.say(0, "GET / HT")
	n := k.say(0, "TP/1.1\r\nHost: a\r\n\r\n")
	expect(t, k.session(t), n, "http.host", "a")
	k = &talk{port: 9877}
	n = k.say(0, "GET out of here, HTTP fan\r\n\r\n")
	expect(t, k.session(t), n, "http.request.method", "")
}

func TestSSDP(t *testing.T) {
	text := "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"
	udp := dissecttest.UDP(40000, 1900, []byte(text))
	packet := dissecttest.IPv4(dissecttest.ProtocolUDP, "10.0.0.1", "239.255.255.250", udp)
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(packet))
	expect(t, s, 1, "http.host", "239.255.255.250:1900", "http.request.method", "M-SEARCH", "http.type", "M-SEARCH")
	if p := s.Tree(1).Protocol(); p.Name() != "ssdp" || s.Tree(1).InfoLine() != "M-SEARCH * HTTP/1.1" {
		t.Errorf("%s: %s", p.Name(), s.Tree(1).InfoLine())
	}
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, protocols.All(), s)
}

// Segments whose message waits say so, and those that were asked for their message's length say which it is.
func TestSegmentsOfAMessage(t *testing.T) {
	const waits = "[TCP segment of a reassembled PDU]"
	k := &talk{}
	want := map[dissect.FrameNum]string{}
	say := func(dir int, text, info string) { want[k.say(dir, text)] = info }
	say(0, "PUT /a HTTP/1.1\r\nContent-", "PUT /a HTTP/1.1  "+waits)
	say(0, "Length: 6\r\n\r\nab", "PUT /a HTTP/1.1  "+waits)
	say(0, "cd", "40000 → 80 [PSH, ACK] Seq=41 Ack=1 Win=64000 Len=2 "+waits)
	say(0, "ef", "PUT /a HTTP/1.1")
	say(1, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nab", "HTTP/1.1 200 OK  "+waits)
	say(1, "cdef", "HTTP/1.1 200 OK  "+waits)
	say(1, "gh\r\n0\r\n\r\n", "HTTP/1.1 200 OK")
	s := k.session(t)
	l, row := s.Dissector(), s.Registry().RowWants()
	for n, info := range want {
		if got := strings.TrimRight(l.Redissect(n, row).Info(), " "); got != info {
			t.Errorf("frame %d: %q, want %q", n, got, info)
		}
	}
}
