package soaprun

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// frame is a binary WebSocket frame around a message without its Length, masked as the client's are.
func wsFrameOf(message []byte, mask ...byte) []byte {
	b := []byte{0x82, byte(len(message) - 4)}
	if n := len(message) - 4; n > 125 {
		b = []byte{0x82, 126, byte(n >> 8), byte(n)}
	}
	if len(mask) == 4 {
		b[1] |= 0x80
		b = append(b, mask...)
	}
	for i, c := range message[4:] {
		if len(mask) == 4 {
			c ^= mask[i&3]
		}
		b = append(b, c)
	}
	return b
}

// TestWebSocket plays over WebSocket where nobody knows HTTP: from the greeting on.
func TestWebSocket(t *testing.T) {
	for _, port := range []uint16{livePort, 40000} {
		for _, size := range []int{1, 5, 1000} {
			k := newTalk(t, port)
			k.pieces(client, []byte("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
				max(size, 100))
			k.pieces(host, []byte("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"), max(size, 100))
			k.pieces(host, wsFrameOf(dissecttest.Unhex(t, s1)), max(size, 6))
			k.pieces(client, wsFrameOf(dissecttest.Unhex(t, s2), 1, 2, 3, 4), size)
			k.pieces(host, wsFrameOf(dissecttest.Unhex(t, s2host)), size)
			room := roomBytes(1, 1, 0, nil)
			k.pieces(client, wsFrameOf(dissecttest.Unhex(t, "06 00 00 00 52 6f 6f 6d 01 01"), 9, 8, 7, 6), size)
			answer := k.pieces(host, wsFrameOf(room), size)
			k.say(client, []byte{0x88, 0x82, 1, 1, 1, 1, 2, 0xe9})
			s := k.session()
			// what comes before the client's first message is read with the server's next
			const want = "Prtc WEBSOCKET WLCM Prtc Room Room WEBSOCKET"
			if size < 1000 {
				continue
			}
			if got := kinds(s); got != want {
				t.Errorf("port %d, segments of %d: %s", port, size, got)
			}
			if got := value(s, answer, "soaprun.room.row"); got != "   15  ?????????????????????" {
				t.Errorf("the room is %q", got)
			}
			for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
				if got := marked(s, n); strings.Contains(got, "malformed") || strings.Contains(got, "length") {
					t.Errorf("frame %d: %s", n, got)
				}
			}
			dissecttest.Redissections(t, s)
			dissecttest.Owned(t, s)
			dissecttest.Fields(t, s)
		}
	}
}

// TestMaskedMessage reads what a mask hides, from a data source of its own.
func TestMaskedMessage(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	n := k.say(client, wsFrameOf(dissecttest.Unhex(t, s6), 0xaa, 0xbb, 0xcc, 0xdd))
	tree := k.session().Tree(n)
	if got := tree.InfoLine(); got != "myPo to (-5, 300), 313 tiles" {
		t.Errorf("info %q", got)
	}
	for name, want := range map[string]string{"ws.opcode": "binary (2)", "ws.length": "13", "ws.mask": "aabbccdd",
		"ws.masked": "yes", "move.x": "30,-5", "type": "myPo (own position)"} {
		if got := dissecttest.All(tree, "soaprun."+name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if len(tree.Sources()) != 2 {
		t.Errorf("%d data sources", len(tree.Sources()))
	}
}

// TestControlFrames sends a ping in front of a message in one segment, and a close that stands alone.
func TestControlFrames(t *testing.T) {
	k := newTalk(t, livePort)
	k.hex(host, s1)
	ping := []byte{0x89, 0x00}
	k.say(client, append([]byte{0x8a, 0x80, 1, 2, 3, 4}, wsFrameOf(dissecttest.Unhex(t, s2), 1, 2, 3, 4)...))
	k.say(host, append(append([]byte{0x89, 0x01, 'x'}, ping...), wsFrameOf(dissecttest.Unhex(t, s2host))...))
	k.say(host, ping)
	k.say(host, wsFrameOf(dissecttest.Unhex(t, s10void)))
	k.say(host, []byte{0x88, 0x00})
	k.end(host)
	s := k.session()
	if got := kinds(s); got != "WLCM WEBSOCKET Prtc WEBSOCKET WEBSOCKET Prtc WEBSOCKET Void WEBSOCKET" {
		t.Error(got)
	}
	dissecttest.Redissections(t, s)
}

// TestLengthsLikeFrames sends messages whose Length begins as a WebSocket frame does, in segments of any size.
func TestLengthsLikeFrames(t *testing.T) {
	for _, size := range []int{1, 2, 3, 5, 7, 1000} {
		for _, n := range []int{0x81, 0x82, 0x88, 0x89, 0x8a, 0x588, 0x58a, 0x82 + 0x7e00, 0x88 + 0x100} {
			k := newTalk(t, livePort)
			k.hex(host, s1)
			text := strings.Repeat("a", n-8)
			k.pieces(client, logBytes(text), size)
			k.hex(host, s10void)
			s := k.session()
			if got := kinds(s); got != "WLCM Dlog Void" {
				t.Errorf("Length %#x in segments of %d: %s", n, size, got)
			}
		}
	}
}

func logBytes(text string) []byte {
	n := len(text)
	return append([]byte{byte(n + 8), byte((n + 8) >> 8), 0, 0, 'D', 'l', 'o', 'g', byte(n), byte(n >> 8), 0, 0}, text...)
}

// TestParts sends a message in three frames with a ping between them, in segments of any size.
func TestParts(t *testing.T) {
	for _, size := range []int{1, 3, 1000} {
		k := newTalk(t, livePort)
		k.hex(host, s1)
		whole := dissecttest.Unhex(t, s6)[4:]
		parts := append([]byte{0x02, 0x05}, whole[:5]...)
		parts = append(parts, 0x89, 0x01, 'x', 0x00, 0x82, 1, 2, 3, 4, whole[5]^1, whole[6]^2, 0x80, byte(len(whole)-7))
		n := k.pieces(client, append(parts, whole[7:]...), size)
		s := k.session()
		if got := kinds(s); got != "WLCM myPo" {
			t.Errorf("segments of %d: %s", size, got)
		}
		tree := s.Tree(n)
		if got := dissecttest.All(tree, "soaprun.move.x"); got != "30,-5" {
			t.Errorf("segments of %d: columns %s", size, got)
		}
		dissecttest.Redissections(t, s)
		dissecttest.Owned(t, s)
		dissecttest.Fields(t, s)
	}
}
