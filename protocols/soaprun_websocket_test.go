package protocols_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestSoaprunOverWebSocket has a server greet over WebSocket as Soaprun's does: from there on the connection is the
// game's, on any port. One that greets otherwise is no game, on the game's port neither.
func TestSoaprunOverWebSocket(t *testing.T) {
	for greeting, want := range map[string]string{
		"WLCM": "HTTP HTTP Soaprun Soaprun Soaprun",
		"helo": "HTTP HTTP WebSocket WebSocket WebSocket",
	} {
		for _, port := range []uint16{1001, 1002, 8080} {
			packets := dissecttest.Stream(port,
				"C:GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
				"S:HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
				"S:\x82\x04"+greeting,
				"C:\x82\x86\x00\x00\x00\x00Prtc\xb0\x01",
				"S:\x82\x0ePrtcSoaprun\x00\x40\x00")
			s := dissecttest.Session(t, protocols.All(), 101, packets)
			var got []string
			for n := dissect.FrameNum(3); n < 8; n++ {
				got = append(got, s.Tree(n).Protocol().Title())
			}
			if text := strings.Join(got, " "); text != want {
				t.Errorf("port %d, %q: %s, want %s", port, greeting, text, want)
			}
			dissecttest.Redissections(t, s)
		}
	}
}
