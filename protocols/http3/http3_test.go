package http3

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// carrier hands the bytes of a datagram on as QUIC would: what it tells stands in front of them.
var carrier = dissect.NewProtocol("carrier", "Carrier", "Stands in for QUIC.").Quiet()

var carried = carrier.Bytes("head", "Head", "What is told.")

func plugins() []dissect.Plugin {
	return dissecttest.OverUDP(Plugin(),
		dissect.Plugin{Protocol: carrier, UDP: []uint16{4433}, Dissect: func(d *dissect.D) {
			d.SetLayerData(d.Bytes(carried, 29))
			d.Next("tls.alpn", dissect.Word("h3"))
		}})
}

// part is bytes of a stream as the carrier takes them.
func part(stream, offset uint64, head string, server bool, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, 1)
	b = binary.BigEndian.AppendUint64(b, stream)
	b = binary.BigEndian.AppendUint64(b, offset)
	b = append(b, append([]byte(head), make([]byte, 8-len(head))...)...)
	flags := byte(0)
	if server {
		flags = 1
	}
	return append(append(b, flags), data...)
}

type talk struct{ dissecttest.Conversation }

// send adds bytes of a stream of the client's, or of the server's.
func (k *talk) send(server bool, stream, offset uint64, head, data string) dissect.FrameNum {
	alice, bob := dissecttest.Spot{Host: 1, Port: 50000}, dissecttest.Spot{Host: 2, Port: 4433}
	if server {
		alice, bob = bob, alice
	}
	return k.Send(1, alice, bob, part(stream, offset, head, server, dissecttest.Unhex(k.T, data)))
}

func expect(t *testing.T, s *dissect.Session, n dissect.FrameNum, pairs ...string) {
	t.Helper()
	tree := s.Tree(n)
	for i := 0; i < len(pairs); i += 2 {
		if got := dissecttest.All(tree, pairs[i]); got != pairs[i+1] {
			t.Errorf("frame %d: %s is %q, not %q", n, pairs[i], got, pairs[i+1])
		}
	}
}

// The examples of RFC 9204 appendix B, each field section in a HEADERS frame.
func TestQPACK(t *testing.T) {
	k := &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
	const name, value = "http3.headers.header.name", "http3.headers.header.value"
	k.send(true, 3, 0, "\x00", "00 04 03 01 40dc") // the server's table has 220 bytes
	b1 := k.send(false, 4, 0, "\x01", "01 0f 0000 510b 2f69 6e64 6578 2e68 746d 6c")
	e2 := k.send(false, 6, 0, "\x02",
		"02 3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d c10c 2f73 616d 706c 652f 7061 7468")
	b2 := k.send(false, 4, 17, "\x01", "01 04 0381 1011")
	e3 := k.send(false, 6, 34, "\x02", "4a63 7573 746f 6d2d 6b65 790c 6375 7374 6f6d 2d76 616c 7565")
	e4 := k.send(false, 6, 59, "\x02", "02")
	b4 := k.send(false, 8, 0, "\x01", "01 05 0500 80c1 81")
	ack := k.send(true, 7, 0, "\x03", "03 84 01 48")
	missing := k.send(false, 12, 0, "\x01", "01 03 0700 80")
	answer := k.send(true, 4, 0, "\x01", "01 03 0000 d9 00 02 6869 07 01 04")
	s := k.Session()
	expect(t, s, b1, "http3.headers.path", "/index.html", "http3.frame_type", "HEADERS (1)", "http3.type", "HEADERS", name,
		":path")
	expect(t, s, e2, "http3.stream_type", "QPACK Encoder Stream (2)", "http3.qpack.capacity", "220", "http3.qpack.name",
		":authority,:path", "http3.qpack.value", "www.example.com,/sample/path")
	expect(t, s, b2, name, ":authority,:path", value, "www.example.com,/sample/path", "http3.response_in", "10")
	expect(t, s, e3, "http3.qpack.name", "custom-key", "http3.qpack.value", "custom-value")
	expect(t, s, e4, "http3.qpack.name", ":authority", "http3.qpack.value", "www.example.com")
	expect(t, s, b4, name, ":authority,:path,custom-key", value, "www.example.com,/,custom-value", "http3.headers.count",
		"3")
	expect(t, s, ack, "http3.qpack.acknowledgment.type",
		"Section Acknowledgment,Insert Count Increment,Stream Cancellation", "http3.qpack.acknowledgment.value", "4,1,8")
	expect(t, s, answer, "http3.headers.status", "200", "http3.data", "6869", "http3.goaway.id", "4", "http3.request_in",
		"4")
	if _, ok := dissecttest.Find(s.Tree(missing), "http3.headers.blocked"); !ok {
		t.Error("a field that nobody inserted is not missed")
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, k.Plugins, s)
}

// The other frames, and streams that nobody knows.
func TestFrames(t *testing.T) {
	k := &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
	control := k.send(false, 2, 0, "\x00", "00 04 08 01 5000 06 4400 08 01 0d 01 05 800f0700 05 00 753d302c")
	push := k.send(true, 15, 0, "\x01", "01 07")
	promise := k.send(true, 0, 0, "\x05", "05 04 07 0000 d1 03 01 07 21 00")
	grease := k.send(true, 19, 0, "\x21", "21 0102")
	broken := k.send(true, 0, 0, "\x01", "01 05 00")
	s := k.Session()
	expect(t, s, control, "http3.settings.id", "Max Table Capacity (1),Max Field Section Size (6),Extended CONNECT (8)",
		"http3.settings.value", "4096,1024,1",
		"http3.push_id", "5", "http3.priority_update_element_id", "0", "http3.priority_update_field_value", "u=0,")
	expect(t, s, push, "http3.stream_type", "Push Stream (1)", "http3.push_id", "7")
	expect(t, s, promise, "http3.push_id", "7,7", "http3.headers.method", "GET")
	if info := s.Tree(promise).InfoLine(); info != "PUSH_PROMISE, CANCEL_PUSH, Reserved (GREASE)" {
		t.Errorf("the Info column is %q", info)
	}
	expect(t, s, grease, "http3.unknown_stream", "0102")
	if _, ok := dissecttest.Find(s.Tree(broken), "_ws.malformed"); !ok {
		t.Error("a frame that breaks off is not malformed")
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, k.Plugins, s)
}

// Where messages end that QUIC puts together.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		b    string
		want int
	}{{"", 0}, {"01", 0}, {"0140", 0}, {"0102aabb", 4}, {"0102aa", 4}, {"01ffffffffffffffff", 9 + maxFrame}} {
		if got := frameSize(dissecttest.Unhex(t, c.b)); got != c.want {
			t.Errorf("the frame %q has %d bytes, not %d", c.b, got, c.want)
		}
	}
	for _, c := range []struct {
		b    string
		want int
	}{{"3f", 0}, {"3fbd", 0}, {"3fbd01", 3}, {"c0", 0}, {"c003414243", 5}, {"c0034142", 5}, {"4141", 3}, {"414100", 3},
		{"3fffffffffffffffffffffffff", 0}} {
		if got := instructionSize(dissecttest.Unhex(t, c.b)); got != c.want {
			t.Errorf("the instruction %q has %d bytes, not %d", c.b, got, c.want)
		}
	}
}

// A table that is filled without end stays bounded.
func TestFlood(t *testing.T) {
	k := &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
	data := append([]byte("\x02\x43abc\x03def"), make([]byte, 16000)...) // and that duplicated
	alice, bob := dissecttest.Spot{Host: 1, Port: 50000}, dissecttest.Spot{Host: 2, Port: 4433}
	for range 20 {
		k.Send(1, alice, bob, part(6, 0, "\x02", false, data))
	}
	s := k.Session()
	if got, _ := dissecttest.Find(s.Tree(1), "http3.qpack.name"); got != "abc" {
		t.Errorf("the name is %q", got)
	}
}

// Each of many entries is found again, and one that is named over and over costs its text once.
func TestFind(t *testing.T) {
	done := false
	probe := dissect.NewProtocol("probe", "Probe", "Runs a test.")
	all := probe.Bytes("all", "All", "All bytes.")
	k := &talk{dissecttest.Conversation{T: t,
		Plugins: dissecttest.OverUDP(dissect.Plugin{Protocol: probe, UDP: []uint16{4433}, Dissect: func(d *dissect.D) {
			if d.Session().FirstPass() {
				done = true
				tableOfMany(t, d)
			}
			d.Rest(all)
		}})}}
	k.send(false, 0, 0, "", "00")
	if k.Session(); !done {
		t.Fatal("the test did not run")
	}
}

func tableOfMany(t *testing.T, d *dissect.D) {
	var tab table
	for n := range 1000 {
		tab.insert(d, field{"name", strconv.Itoa(n)}, entry{})
	}
	for n := range 1000 {
		if e, ok := tab.find(d, uint64(n)); !ok || e.field(d) != (field{"name", strconv.Itoa(n)}) {
			t.Fatalf("entry %d is %v (%v)", n, e.field(d), ok)
		}
	}
	if _, ok := tab.find(d, 1000); ok {
		t.Error("an entry is found that nobody inserted")
	}
	long := strings.Repeat("x", maxTable/2)
	tab.insert(d, field{"long", long}, entry{})
	e, _ := tab.find(d, 1000)
	for range 1000 {
		tab.insert(d, e.field(d), e)
	}
	if got, ok := tab.find(d, 2000); !ok || got.Value != e.Value || got.Name != e.Name {
		t.Error("the last copy does not share the text of the first")
	}
}

// A few bytes that unfold to very many are read up to a limit.
func TestSectionBounded(t *testing.T) {
	k := &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
	alice, bob := dissecttest.Spot{Host: 1, Port: 50000}, dissecttest.Spot{Host: 2, Port: 4433}
	// 20 000 bytes
	insert := append([]byte("\x02\x3f\xe1\xff\x03\x41a\x7f\xa1\x9b\x01"), bytes.Repeat([]byte("v"), 20000)...)
	k.Send(1, alice, bob, part(6, 0, "\x02", false, insert))
	lines := bytes.Repeat([]byte("\x80"), 1200)
	n := k.Send(1, alice, bob, part(4, 0, "\x01", false, append([]byte("\x01\x44\xb2\x02\x00"), lines...)))
	s := k.Session()
	tree := s.Tree(n)
	if _, ok := dissecttest.Find(tree, "http3.headers.large"); !ok {
		t.Error("nothing is said of a section that is too large")
	}
	count, _ := dissecttest.Find(tree, "http3.headers.count")
	if count != "14" {
		t.Errorf("%s fields are read", count)
	}
	dissecttest.Redissections(t, s)
}

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, plugins()) }

// Random bytes of any stream do no harm.
func FuzzHTTP3(f *testing.F) {
	f.Add(uint64(0), uint64(0), "\x01", true, []byte("\x01\x04\x03\x81\x10\x11"))
	f.Add(uint64(6), uint64(1), "\x02", false, []byte("\x3f\xbd\x01\xc0\x01a\x00"))
	f.Add(uint64(2), uint64(0), "\x00", false, []byte("\x00\x04\x03\x01\x40\xdc"))
	f.Fuzz(func(t *testing.T, stream, offset uint64, head string, server bool, data []byte) {
		if len(data) > 1400 || len(head) > 8 {
			return
		}
		k := &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
		alice, bob := dissecttest.Spot{Host: 1, Port: 50000}, dissecttest.Spot{Host: 2, Port: 4433}
		k.Send(1, alice, bob, part(stream, offset, head, server, data))
		k.Send(1, alice, bob, part(stream, offset, head, server, data))
		s := k.Session()
		dissecttest.Sound(t, s.Tree(2))
		dissecttest.Redissections(t, s)
	})
}
