package grpc

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/http"
	"remora/protocols/ip"
	"remora/protocols/json"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

func framed(flags byte, text string) string {
	return string(binary.BigEndian.AppendUint32([]byte{flags}, uint32(len(text)))) + text
}

func request(kind, body string) string {
	return fmt.Sprintf("C:POST /a.B/C HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind,
		len(body), body)
}

// TestGRPC reads messages as they come, packed, and in Base64 in two parts.
func TestGRPC(t *testing.T) {
	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin(), data.Plugin(), http.Plugin(),
		json.Plugin(), Plugin()}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, `{"a":"packed"}`)
	w.Close()
	half := base64.StdEncoding.EncodeToString
	packets := dissecttest.Stream(80, request("application/grpc", framed(0, `{"a":"plain"}`)+framed(1, packed.String())),
		request(webText+"+proto", half([]byte(framed(0, "\x0a\x01x")))+half([]byte(framed(0x80, "grpc-status:0\r\n")))))
	s := dissecttest.Session(t, plugins, 101, packets)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 3, Field: "json.value.string", Want: "plain,packed"},
		{Frame: 3, Field: "grpc.message_length", Want: fmt.Sprintf("13,%d", packed.Len())},
		{Frame: 4, Field: "grpc.message_data", Want: "0a0178"},
		{Frame: 4, Field: "grpc.trailer", Want: `grpc-status:0\r\n`},
	})
	var frames [][]byte
	for _, p := range packets {
		frames = append(frames, p.Data)
	}
	dissecttest.RunMade(t, plugins, 101, frames...)
}
