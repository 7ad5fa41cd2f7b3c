package http2_test

import (
	"encoding/base64"
	"encoding/binary"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// framed is a message of gRPC.
func framed(text string) string {
	return string(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(text)))) + text
}

// TestMessages shows messages of gRPC in the frames in which they end, while the stream goes on, in Base64, too.
func TestMessages(t *testing.T) {
	for kind, packed := range map[string]func(string) string{
		"application/grpc": func(s string) string { return s },
		"application/grpc-web-text+proto": func(s string) string {
			return base64.StdEncoding.EncodeToString([]byte(s))
		},
	} {
		ask := newPacker().block(":method", "POST", ":scheme", "http", ":path", "/s/m", "content-type", kind)
		one, two, three := packed(framed(`{"a":"1"}`)), packed(framed(`{"a":"22"}`)), packed(framed(`{"a":"333"}`))
		s := session(t, "C:"+preface+made(4, 0, 0, ""), "S:"+made(4, 0, 0, ""), "C:"+made(1, flagWhole, 1, ask),
			"C:"+made(0, 0, 1, one+two[:3]), "C:"+made(0, 0, 1, two[3:]+three[:9]), "C:"+made(0, 0, 1, three[9:]),
			"C:"+made(0, flagEnd, 1, ""))
		for n, want := range map[dissect.FrameNum]string{6: "1", 7: "22", 8: "333", 9: ""} {
			expect(t, s, n, "json.value.string", want)
		}
		expect(t, s, 6, "http2.body.reassembled.in", "7")
		expect(t, s, 7, "http2.body.reassembled.in", "8", "http2.body.fragment", "6,7")
	}
}

// TestFakeHeaders takes from preferences what a stream is of which no header was captured.
func TestFakeHeaders(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	p := reg.Preference("http2_fake_headers")
	rows, err := p.Parse(`"9999","1","IN","content-type","application/grpc","TRUE"` + "\n" +
		`"9999","0","OUT","content-type","application/json","TRUE"` + "\n" + `"9999","1","IN",":path","/s/m","TRUE"`)
	if err != nil {
		t.Fatal(err)
	}
	reg.SetPreference(p, rows)
	if err := reg.LoadPreferences(); err != nil {
		t.Fatal(err)
	}
	s := dissecttest.SessionOf(t, reg, 101, dissecttest.Stream(9999, "C:"+preface+made(4, 0, 0, ""),
		"C:"+made(0, 0, 1, framed(`{"a":"1"}`)), "S:"+made(4, 0, 0, ""), "S:"+made(0, flagEnd, 1, `{"b":"2"}`)))
	expect(t, s, 4, "json.value.string", "1", "grpc.message_length", "9")
	expect(t, s, 6, "json.value.string", "2")
}
