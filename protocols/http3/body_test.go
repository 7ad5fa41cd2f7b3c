package http3

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/json"
)

// framed is a frame of a type with a payload, in hexadecimal digits.
func framed(typ byte, payload string) string {
	return hex.EncodeToString(append([]byte{typ, 0x40 | byte(len(payload)>>8), byte(len(payload))}, payload...))
}

// header are header fields with names and values of their own, in pairs.
func header(pairs ...string) string {
	b := []byte{0, 0}
	for i := 0; i < len(pairs); i += 2 {
		name, value := pairs[i], pairs[i+1]
		b = append(b, 0x27, byte(len(name)-7))
		b = append(append(b, name...), byte(len(value)))
		b = append(b, value...)
	}
	return framed(frameHeaders, string(b))
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// last sends the bytes that end a stream of the server's.
func (k *talk) last(stream, offset uint64, data string) dissect.FrameNum {
	b := part(stream, offset, "", true, dissecttest.Unhex(k.T, data))
	b[28] |= 4
	return k.Send(1, dissecttest.Spot{Host: 2, Port: 4433}, dissecttest.Spot{Host: 1, Port: 50000}, b)
}

// Bodies are unpacked, put together, and handed on by their media types; they end where their length says, or with the
// stream.
func TestBodies(t *testing.T) {
	k := &talk{dissecttest.Conversation{T: t, Plugins: append(plugins(), json.Plugin())}}
	text := `{"name": "remora"}`
	whole := k.send(true, 0, 0, "",
		header("content-type", "application/json; charset=utf-8", "content-length", "18")+framed(frameData, text))
	packed := gzipped(t, text)
	first := k.send(true, 4, 0, "",
		header("content-type", "application/json", "content-encoding", "GZIP")+framed(frameData, packed[:9]))
	middle := k.send(true, 4, 90, "", framed(frameData, packed[9:20]))
	end := k.last(4, 120, framed(frameData, packed[20:]))
	empty := k.send(true, 8, 0, "", header("content-type", "application/json")+framed(frameData, text))
	closed := k.last(8, 60, framed(frameData, ""))
	broken := k.send(true, 12, 0, "", header("content-encoding", "gzip", "content-length", "4")+framed(frameData, "nope"))
	bomb := gzipped(t, strings.Repeat("x", 1<<20))
	large := k.send(true, 16, 0, "",
		header("content-encoding", "gzip", "content-length", fmt.Sprint(len(bomb)))+framed(frameData, bomb))
	k.last(20, 40, framed(frameData, "its beginning is not in the capture"))
	s := k.Session()
	expect(t, s, whole, "json.value.string", "remora", "http3.data", hex.EncodeToString([]byte(text)))
	expect(t, s, first, "http3.body.reassembled.in", fmt.Sprint(end), "json.value.string", "")
	expect(t, s, middle, "http3.body.reassembled.in", fmt.Sprint(end))
	expect(t, s, end, "http3.body.fragment", "2,3,4", "http3.body.reassembled.length", fmt.Sprint(len(packed)),
		"json.value.string", "remora", "http3.data.encoded", hex.EncodeToString([]byte(packed)))
	expect(t, s, empty, "http3.body.reassembled.in", fmt.Sprint(closed))
	expect(t, s, closed, "json.value.string", "remora")
	if info := s.Tree(whole).InfoLine(); info != "HEADERS, DATA" {
		t.Errorf("the Info column is %q", info)
	}
	for n, note := range map[dissect.FrameNum]string{broken: "http3.body_decompression_failed",
		large: "http3.body_decompression_large"} {
		if _, ok := dissecttest.Find(s.Tree(n), note); !ok {
			t.Errorf("frame %d does not say %s", n, note)
		}
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, k.Plugins, s)
	dissecttest.Mutations(t, k.Plugins, s, dissecttest.Headers)
}
