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
