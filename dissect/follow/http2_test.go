package follow

import (
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestHTTP2IsPutTogether reads the connections of the LAN's fixture: headers line by line, and bodies in one piece.
func TestHTTP2IsPutTogether(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/http2.pcapng")
	var all []string
	for id := uint32(1); int(id) <= s.Conversations(); id++ {
		if !Carries(s, id, "http") {
			continue
		}
		f := NewOf(s, id, "http")
		f.CollectPassed()
		for i := range f.Len() {
			all = append(all, f.Unit(i).Info+"\n"+string(f.Unit(i).Data))
		}
	}
	for _, want := range []string{"stream 1, header\n:method: GET\r\n:path: /data.txt\r\n",
		"stream 1, body, 24000 bytes\nline 00000: what is lost", "stream 1, body, 24 bytes\nname=Alice&shoe=a%20size",
		"stream 13, header\nx-checksum: 42\r\n\r\n", "stream 2, body, 18 bytes\np { color: teal }\n"} {
		found := false
		for _, text := range all {
			found = found || strings.HasPrefix(text, want)
		}
		if !found {
			t.Errorf("nothing begins with %q", want)
		}
	}
}

// TestOneStream reads streams within a connection alone: headers without compression, other frames as they came.
func TestOneStream(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/http2.pcapng")
	f := NewSub(s, 1, "http2", 1)
	f.CollectPassed()
	if f.Len() < 3 {
		t.Fatalf("%d pieces", f.Len())
	}
	for i, want := range []string{"\x00\x00\x00\x07:method\x00\x00\x00\x03GET\x00\x00\x00\x05:path",
		"\x00\x00\x00\x07:status\x00\x00\x00\x03200", "\x00\x04\xec\x00\x01\x00\x00\x00\x01\x1f\x8b"} {
		if got := string(f.Unit(i).Data); !strings.HasPrefix(got, want) {
			t.Errorf("piece %d is %.60q, want %q", i, got, want)
		}
	}
	all := NewOf(s, 1, "http2")
	all.CollectPassed()
	if all.Len() <= f.Len() {
		t.Errorf("%d pieces of all streams, %d of one", all.Len(), f.Len())
	}
}
