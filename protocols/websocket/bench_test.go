package websocket_test

import (
	"bytes"
	"compress/flate"
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// packedTalk is a connection whose server packs messages that refer to those before.
func packedTalk(tb testing.TB, messages int) []dissecttest.Packet {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	if err != nil {
		tb.Fatal(err)
	}
	texts := []string{ask, grant}
	for i := range messages {
		b.Reset()
		fmt.Fprintf(w, `{"number":%d,"what":"%s"}`, i, said(i))
		_ = w.Flush()
		texts = append(texts, "S:"+made(0xc1, strings.TrimSuffix(b.String(), "\x00\x00\xff\xff"), ""))
	}
	return dissecttest.Stream(80, texts...)
}

// said is text that is hardly shorter when it is packed.
func said(i int) string {
	var s strings.Builder
	for v := uint32(i + 1); s.Len() < 600; v = v*1664525 + 1013904223 {
		fmt.Fprintf(&s, "%08x ", v)
	}
	return s.String()
}

// TestFarInContext looks at a late message of a long talk.
func TestFarInContext(t *testing.T) {
	const messages = 300
	s := dissecttest.Session(t, protocols.All(), 101, packedTalk(t, messages))
	for _, i := range []int{0, 15, 16, 17, 100, 255, 299} {
		want := fmt.Sprintf(`{"number":%d,"what":"%s"}`, i, said(i))
		if got, _ := dissecttest.Find(s.Tree(dissect.FrameNum(5+i)), "websocket.payload.text"); got != want {
			t.Errorf("message %d is %.40q, want %.40q", i, got, want)
		}
	}
}

func BenchmarkInContext(b *testing.B) {
	const messages = 1500
	s := dissecttest.Session(b, protocols.All(), 101, packedTalk(b, messages))
	l := s.Dissector()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.Tree(dissect.FrameNum(5 + messages - 1 - i%100))
	}
}
