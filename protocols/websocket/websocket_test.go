package websocket_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

const (
	ask   = "C:GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n"
	grant = "S:HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
	mask  = "\x37\xfa\x21\x3d" // of RFC 6455 section 5.7
)

// made is a frame around text; first is its first byte. With key the text is masked.
func made(first byte, text, key string) string {
	b := []byte{first, 0}
	switch n := len(text); {
	case n < 126:
		b[1] = byte(n)
	case n < 1<<16:
		b[1] = 126
		b = binary.BigEndian.AppendUint16(b, uint16(n))
	default:
		b[1] = 127
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	if key != "" {
		b[1] |= 0x80
		b = append(b, key...)
	}
	for i := range len(text) {
		c := text[i]
		if key != "" {
			c ^= key[i&3]
		}
		b = append(b, c)
	}
	return string(b)
}

func session(t *testing.T, texts ...string) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(80, append([]string{ask, grant}, texts...)...))
}

func TestFrames(t *testing.T) {
	s := session(t,
		"C:"+made(0x81, "Hello", mask), "S:"+made(0x81, `{"a":1}`, ""), "C:"+made(0x82, "\x00\x01", mask),
		"S:"+made(0x89, "ping", ""), "C:"+made(0x8a, "ping", mask),
		"C:"+made(0x01, "Hel", mask), "S:"+made(0x01, "Wor", ""), "C:"+made(0x80, "lo", mask), "S:"+made(0x80, "ld", ""),
		"S:"+made(0x81, strings.Repeat("x", 300), ""), "C:"+made(0x88, "\x03\xe8bye", mask), "S:"+made(0x83, "odd", ""),
		"S:"+made(0x81, "", ""))
	dissecttest.Check(t, s, []dissecttest.Row{
		{5, "websocket.opcode", "Text (1)"}, {5, "websocket.fin", "True"}, {5, "websocket.mask", "True"},
		{5, "websocket.payload_length", "5"},
		{5, "websocket.masking_key", "37fa213d"}, {5, "websocket.masked_payload", "7f9f4d5158"},
		{5, "websocket.payload.text", "Hello"}, {5, "data-text-lines.line", "Hello"},
		{6, "websocket.payload.text", `{"a":1}`}, {6, "json.path_with_value", "/a:1"},
		{7, "data.data", "0001"}, {8, "websocket.payload.ping", "70696e67"}, {9, "websocket.payload.pong", "70696e67"},
		{10, "websocket.payload.continue", "48656c"}, {12, "websocket.payload.text", "Hello"},
		{12, "websocket.fragment", "10,12"}, {12, "websocket.fragment.count", "2"}, {12, "websocket.reassembled.length", "5"},
		{13, "websocket.payload.text", "World"}, {13, "data-text-lines.line", "World"},
		{14, "websocket.payload_length_ext_16", "300"},
		{15, "websocket.payload.close.status_code", "Normal Closure (1000)"}, {15, "websocket.payload.close.reason", "bye"},
		{16, "websocket.payload.unknown", "6f6464"}, {17, "websocket.payload_length", "0"},
	})
	for n, want := range map[dissect.FrameNum]string{5: "WebSocket Text [FIN] [MASKED]",
		10: "WebSocket Text[FRAGMENT] [MASKED]", 12: "WebSocket Continuation [FIN] [MASKED]",
		15: "WebSocket Connection Close [FIN] [MASKED]", 16: "WebSocket Unknown Opcode [FIN]"} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
	if got := s.Tree(6).ProtocolText(); got != "WebSocket" {
		t.Errorf("the Protocol column has %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, protocols.All(), s)
	dissecttest.Mutations(t, protocols.All(), s, 40)
}

// TestPacked unpacks messages that refer to those before, and says where one cannot be unpacked.
func TestPacked(t *testing.T) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	if err != nil {
		t.Fatal(err)
	}
	pack := func(text string) string {
		b.Reset()
		_, _ = w.Write([]byte(text))
		_ = w.Flush()
		return strings.TrimSuffix(b.String(), "\x00\x00\xff\xff")
	}
	one, two := pack("hello hello hello"), pack("hello hello hello")
	s := session(t, "S:"+made(0xc1, one, ""), "C:"+made(0x81, "between", mask), "S:"+made(0x41, two[:2], ""),
		"S:"+made(0x89, "", ""), "S:"+made(0x80, two[2:], ""), "C:"+made(0xc1, two, mask))
	dissecttest.Check(t, s, []dissecttest.Row{
		{5, "websocket.payload.text", "hello hello hello"}, {5, "websocket.pmc", "True"},
		{9, "websocket.payload.text", "hello hello hello"}, {10, "websocket.payload.text", ""},
	})
	if _, ok := dissecttest.Find(s.Tree(10), "websocket.decompression.failed.expert"); !ok {
		t.Error("nothing says that the last cannot be unpacked")
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
}

// FuzzWebSocket changes recorded frames, some of them packed.
func FuzzWebSocket(f *testing.F) {
	dissecttest.Fuzz(f, protocols.All(), "../../fixtures/captures/lan/websocket.pcapng")
}
