package http2

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/httpbody"
)

// messages finds where the messages of a call of gRPC end, whose bodies may last as long as the connection: each is
// shown in the frame that it ends in.
type messages struct {
	head [8]byte // of the message that has begun: five bytes, or eight digits of Base64
	got  int
	left int  // bytes of the message behind its head
	lost bool // what comes is no message
}

// maxMessage bounds messages that are waited for.
const maxMessage = 16 << 20

// feed takes bytes of the body, and tells how many of them belong to messages that end in them.
func (m *messages) feed(b []byte, inText bool) (used int) {
	size := 5
	if inText {
		size = 8
	}
	for at, p := 0, (dissect.Progress{}); at < len(b) && !m.lost && p.Up(at); {
		if m.got < size {
			n := copy(m.head[m.got:size], b[at:])
			m.got, at = m.got+n, at+n
			if m.got < size {
				break
			}
			m.left, m.lost = m.behind(inText)
		}
		n := min(m.left, len(b)-at)
		m.left, at = m.left-n, at+n
		if m.left == 0 {
			used, m.got = at, 0
		}
	}
	return used
}

// behind is how many bytes of the message follow its head.
func (m *messages) behind(inText bool) (n int, lost bool) {
	if !inText {
		size := binary.BigEndian.Uint32(m.head[1:])
		return int(size), size > maxMessage
	}
	var plain [6]byte
	if n, err := base64.StdEncoding.Decode(plain[:], m.head[:]); err != nil || n < 5 {
		return 0, true
	}
	size := binary.BigEndian.Uint32(plain[1:])
	if size > maxMessage {
		return 0, true
	}
	return base64.StdEncoding.EncodedLen(5+int(size)) - len(m.head), false
}

// messages takes a part of a body of gRPC, which is at an offset in the range's source.
func (t *stream) messages(d *dissect.D, n *note, at int, b []byte) {
	f := &t.flows[d.Dir&1]
	used := f.cut.feed(b, strings.HasPrefix(f.media, "application/grpc-web-text"))
	if used == 0 {
		f.body.Add(d, &pieces, at, len(b), false)
		return
	}
	f.body.Add(d, &pieces, at, used, f.body.Size == 0)
	t.whole(d, n)
	n.Rest = uint32(len(b) - used)
	f.body = httpbody.Body{}
	if used < len(b) {
		f.body.Add(d, &pieces, at+used, len(b)-used, false)
	}
}

// asks tells whether a direction is that of requests.
func (t *stream) asks(dir int) bool { return t.flows[dir&1].asked }
