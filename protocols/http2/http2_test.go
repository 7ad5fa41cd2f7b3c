package http2_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/http2/hpack"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// made is a frame.
func made(typ, flags byte, stream uint32, payload string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(typ))
	b = append(b, flags)
	b = binary.BigEndian.AppendUint32(b, stream)
	return string(b) + payload
}

// A packer makes header blocks of one direction.
type packer struct {
	b bytes.Buffer
	e *hpack.Encoder
}

func newPacker() *packer {
	p := &packer{}
	p.e = hpack.NewEncoder(&p.b)
	return p
}

func (p *packer) block(lines ...string) string {
	p.b.Reset()
	for i := 0; i < len(lines); i += 2 {
		_ = p.e.WriteField(hpack.HeaderField{Name: lines[i], Value: lines[i+1]})
	}
	return p.b.String()
}

func session(t *testing.T, texts ...string) *dissect.Session {
	t.Helper()
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(9999, texts...))
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	return s
}

func expect(t *testing.T, s *dissect.Session, n dissect.FrameNum, wants ...string) {
	t.Helper()
	tree := s.Tree(n)
	for i := 0; i < len(wants); i += 2 {
		got := dissecttest.All(tree, wants[i])
		if wants[i] == "info" {
			got = tree.Info()
		}
		if got != wants[i+1] {
			t.Errorf("frame %d: %s is %q, want %q", n, wants[i], got, wants[i+1])
		}
	}
}

const (
	flagEnd   = 1
	flagWhole = 4
)

func TestFrames(t *testing.T) {
	c, s := newPacker(), newPacker()
	ask := c.block(":method", "POST", ":scheme", "http", ":path", "/a%20b", ":authority", "example.com", "content-type",
		"application/json", "x-own", "1")
	again := c.block(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "example.com", "x-own", "1")
	answer := s.block(":status", "200", "content-type", "text/plain; charset=utf-8", "content-length", "11")
	ses := session(t,
		"C:"+preface+made(4, 0, 0, "\x00\x03\x00\x00\x00\x64\x00\x09\x00\x00\x00\x01"),
		"S:"+made(4, 1, 0, "")+made(8, 0, 0, "\x00\x00\x10\x00"),
		"C:"+made(1, flagWhole, 1, ask)+made(0, flagEnd, 1, `{"a":1}`),
		"C:"+made(1, 0x20|8|flagEnd, 3, "\x02\x80\x00\x00\x01\x0f"+again[:3]+"\x00\x00")+made(9, flagWhole, 3, again[3:]),
		"S:"+made(1, flagWhole, 1, answer)+made(0, 0, 1, "hello "), "S:"+made(0, 8, 1, "\x01wor\x00"),
		"S:"+made(0, 0, 1, "ld"), "S:"+made(1, flagWhole|flagEnd, 1, s.block("x-sum", "7")),
		"S:"+made(5, flagWhole, 3,
			"\x00\x00\x00\x02"+s.block(":method", "GET", ":scheme", "http", ":path", "/style.css", ":authority", "example.com")),
		"S:"+made(1, flagWhole, 2, s.block(":status", "404"))+made(0, flagEnd, 2, ""),
		"C:"+made(6, 0, 0, "12345678")+made(2, 0, 5, "\x00\x00\x00\x03\xff")+made(3, 0, 3, "\x00\x00\x00\x08"),
		"S:"+made(6, 1, 0, "12345678")+made(7, 0, 0, "\x00\x00\x00\x03\x00\x00\x00\x0bslow down"),
		"S:"+made(10, 0, 0, "\x00\x00h3=\":443\"")+made(12, 0, 0, "\x00\x0bhttps://a.b")+made(0x42, 3, 0, "grease")+
			made(16, 0, 0, "\x00\x00\x00\x03u=1"))
	for _, c := range []struct {
		n     dissect.FrameNum
		wants []string
	}{
		{3, []string{"info", "Magic, SETTINGS[0]", "http2.magic", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
			"http2.settings.max_concurrent_streams", "100", "http2.settings.unknown", "1"}},
		{4, []string{"info", "SETTINGS[0], WINDOW_UPDATE[0]", "http2.flags.ack.settings", "True",
			"http2.window_update.window_size_increment", "4096"}},
		{5, []string{"info", "HEADERS[1]: POST /a%20b, DATA[1], JavaScript Object Notation (application/json)",
			"http2.header.index", "3,6,5,1,31",
			"http2.headers.authority", "example.com", "http2.header.unescaped", "POST,http,/a b,example.com,application/json,1",
			"json.path_with_value", "/a:1",
			"http2.request.full_uri", "http://example.com/a%20b", "http2.response_in", "7"}},
		{6, []string{"info", "HEADERS[3], CONTINUATION[3]: GET /", "http2.padding", "0x02", "http2.stream_dependency", "1",
			"http2.exclusive", "True", "http2.headers.weight_real", "16",
			"http2.headers.path", "/", "http2.header.index", "2,6,4,64,62"}},
		{7, []string{"info", "HEADERS[1]: 200 OK, DATA[1]", "http2.headers.status", "200", "http2.headers.content_length",
			"11", "http2.request_in", "5", "http2.body.reassembled.in", "10"}},
		{8, []string{"http2.data.data", "776f72", "http2.data.padding", "00", "http2.body.reassembled.in", "10"}},
		{10, []string{"info", "HEADERS[1] (text/plain)", "http2.header.name", "x-sum", "http2.body.fragment", "7,8,9",
			"http2.body.reassembled.length", "11", "data-text-lines.line", "hello world"}},
		{11, []string{"info", "PUSH_PROMISE[3]: GET /style.css", "http2.push_promise.promised_stream_id", "2",
			"http2.response_in", "12"}},
		{12, []string{"info", "HEADERS[2]: 404 Not Found, DATA[2]", "http2.request_in", "11"}},
		{13, []string{"info", "PING[0], PRIORITY[5], RST_STREAM[3]", "http2.ping", "3132333435363738", "http2.headers.weight",
			"255", "http2.rst_stream.error", "CANCEL (8)"}},
		{14, []string{"info", "PING[0], GOAWAY[0]", "http2.pong", "3132333435363738", "http2.goaway.last_stream_id", "3",
			"http2.goaway.error", "ENHANCE_YOUR_CALM (11)", "http2.goaway.addata", "736c6f7720646f776e"}},
		{15, []string{"http2.altsvc.field_value", `h3=":443"`, "http2.origin.origin", "https://a.b", "http2.unknown",
			"677265617365", "http2.priority_update_field_value", "u=1"}},
	} {
		expect(t, ses, c.n, c.wants...)
	}
	dissecttest.Truncations(t, protocols.All(), ses)
	dissecttest.Mutations(t, protocols.All(), ses, 40)
}

// TestUnknownLines begins in the middle of a connection: what the headers refer to is not there.
func TestUnknownLines(t *testing.T) {
	p := newPacker()
	p.block("x-first", "1")
	s := session(t, "C:"+preface+made(4, 0, 0, ""),
		"C:"+made(1, flagWhole|flagEnd, 7, p.block(":method", "GET", "x-first", "1", "x-next", "2")),
		"C:"+made(1, flagWhole|flagEnd, 9, p.block("x-first", "1", "x-next", "2")))
	expect(t, s, 4, "http2.header.name", ":method,,x-next", "http2.header.value", "GET,,2", "http2.header.index", "2,62")
	expect(t, s, 5, "http2.header.name", ",x-next", "http2.header.index", "63,62")
	if _, ok := dissecttest.Find(s.Tree(4), "http2.header.unknown"); !ok {
		t.Error("nothing says that a line is not known")
	}
}

// TestBounded sends headers that never end, are too long, unfold too far or are broken.
func TestBounded(t *testing.T) {
	flood := []string{"C:" + preface + made(4, 0, 0, ""), "C:" + made(1, 0, 1, "\x82")}
	for range 40 {
		flood = append(flood, "C:"+made(9, 0, 1, strings.Repeat("\x00\x01a\x01b", 3200)))
	}
	s := session(t, append(flood, "C:"+made(9, flagWhole, 1, ""), "C:"+made(1, flagWhole, 3, "\x82\x84"))...)
	expect(t, s, dissect.FrameNum(len(flood)+3), "http2.header.count", "", "http2.header_size_exceeded", "")
	if _, ok := dissecttest.Find(s.Tree(dissect.FrameNum(len(flood)+3)), "http2.header_size_exceeded"); !ok {
		t.Error("nothing says that the header is too long")
	}
	expect(t, s, dissect.FrameNum(len(flood)+4), "info", "HEADERS[3]: GET /")

	long := newPacker().block("x-long", strings.Repeat("0", 3000))
	s = session(t, "C:"+preface+made(4, 0, 0, ""), "C:"+made(1, flagWhole, 1, long+strings.Repeat("\xbe", 9000)),
		"C:"+made(1, flagWhole, 3, strings.Repeat("\x82", 300)),
		"C:"+made(1, flagWhole, 5, "\x82\x40\x7f\xff\xff\xff\xff\xff\xff"), "C:"+made(1, 8|flagWhole, 7, "\x09\x82"),
		"C:"+made(9, flagWhole, 11, "\x82"))
	for n, note := range map[dissect.FrameNum]string{4: "http2.header_size_exceeded", 5: "http2.header_lines_exceeded",
		6: "http2.header.broken", 7: "http2.padding.bad"} {
		if _, ok := dissecttest.Find(s.Tree(n), note); !ok {
			t.Errorf("frame %d does not say %s", n, note)
		}
	}
	expect(t, s, 5, "http2.header.count", "200")
	expect(t, s, 8, "info", "CONTINUATION[11]")
}

// TestPackedBody unpacks a body, and says where that fails.
func TestPackedBody(t *testing.T) {
	const gzipped = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xcaH\xcd\xc9\xc9\x07\x04\x00\x00\xff\xff\x86\xa6\x106\x05" +
		"\x00\x00\x00"
	p := newPacker()
	lines := []string{":status", "200", "content-type", "text/plain", "content-encoding", "gzip"}
	s := session(t, "C:"+preface, "S:"+made(1, flagWhole, 1, p.block(lines...))+made(0, 0, 1, gzipped[:9]),
		"S:"+made(0, flagEnd, 1, gzipped[9:]),
		"S:"+made(1, flagWhole, 3, p.block(lines...))+made(0, flagEnd, 3, "no such thing"))
	expect(t, s, 5, "data-text-lines.line", "hello", "http2.data.encoded", fmt.Sprintf("%x", gzipped))
	if _, ok := dissecttest.Find(s.Tree(6), "http2.body_decompression_failed"); !ok {
		t.Error("nothing says that a body cannot be unpacked")
	}
}

// TestUpgrade changes from HTTP/1.1.
func TestUpgrade(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(80,
		"C:GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: "+
			"AAMAAABkAAQAAP__\r\n\r\n",
		"S:HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"+made(4, 0, 0, ""),
		"C:"+preface+made(4, 0, 0, ""),
		"S:"+made(1, flagWhole|flagEnd, 1, newPacker().block(":status", "204"))))
	expect(t, s, 5, "info", "Magic, SETTINGS[0]")
	expect(t, s, 6, "info", "SETTINGS[0], HEADERS[1]: 204 No Content")
}
