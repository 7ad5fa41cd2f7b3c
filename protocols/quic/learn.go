package quic

import (
	"remora/dissect"
	"remora/protocols/internal/varint"
)

// A hello is what the handshake tells of how the connection is encrypted and what it carries (RFC 8446 section 4, RFC
// 9001 section 8).
type hello struct {
	random [32]byte
	suite  uint16
	alpn   string // what the server chose
	asked  string // what the client would like best
	tokens [][16]byte
	moved  []byte // the connection ID at the address that the server prefers
}

// The messages and extensions that are looked into.
const (
	clientHello = 1
	serverHello = 2
	encrypted   = 8
	extALPN     = 16
	extQUIC     = 57
	extDraft    = 0xffa5 // the same in drafts
	// Transport parameters.
	resetToken = 2
	preferred  = 13
)

// A cutter takes numbers and lists off the front of bytes. Past their end everything is zero and empty.
type cutter []byte

func (c *cutter) bytes(n int) cutter {
	n = min(max(n, 0), len(*c))
	b := (*c)[:n]
	*c = (*c)[n:]
	return b
}

func (c *cutter) number(n int) (v int) {
	for _, b := range c.bytes(n) {
		v = v<<8 | int(b)
	}
	return v
}

// list takes bytes with their length in front, in a number of n bytes.
func (c *cutter) list(n int) cutter { return c.bytes(c.number(n)) }

// whole is the length of the handshake message at the start of b, 0 when its header is not there yet.
func whole(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	return 4 + int(b[1])<<16 + int(b[2])<<8 + int(b[3])
}

// learn takes in whole messages.
func (h *hello) learn(b []byte) {
	for p := (dissect.Progress{}); len(b) >= 4 && p.Down(len(b)); {
		n := min(whole(b), len(b))
		h.message(b[0], cutter(b[4:n]))
		b = b[n:]
	}
}

func (h *hello) message(typ byte, c cutter) {
	switch typ {
	case clientHello:
		c.number(2)
		copy(h.random[:], c.bytes(32))
		c.list(1)
		c.list(2)
		c.list(1)
		h.extensions(typ, c)
	case serverHello:
		c.bytes(2 + 32)
		c.list(1)
		h.suite = uint16(c.number(2))
	case encrypted:
		h.extensions(typ, c)
	}
}

func (h *hello) extensions(typ byte, c cutter) {
	for all, p := c.list(2), (dissect.Progress{}); len(all) >= 4 && p.Down(len(all)); {
		kind, body := all.number(2), cutter(nil)
		body = all.list(2)
		switch {
		case kind == extALPN && typ == clientHello:
			names := body.list(2)
			h.asked = string(names.list(1))
		case kind == extALPN:
			names := body.list(2)
			h.alpn = string(names.list(1))
		case (kind == extQUIC || kind == extDraft) && typ == encrypted:
			h.parameters(body)
		}
	}
}

// parameters looks for the tokens of the server's stateless resets, and for the ID at its preferred address (RFC 9000
// section 18.2).
func (h *hello) parameters(c cutter) {
	for p := (dissect.Progress{}); len(c) > 0 && p.Down(len(c)); {
		id, n := varint.Number(c)
		if n == 0 {
			return
		}
		c.bytes(n)
		size, n := varint.Number(c)
		if n == 0 || size > uint64(len(c)-n) {
			return
		}
		c.bytes(n)
		body := c.bytes(int(size))
		if id == preferred {
			body.bytes(4 + 2 + 16 + 2) // addresses and ports
			h.moved = body.list(1)
		}
		if (id == resetToken || id == preferred) && len(body) == 16 {
			h.tokens = append(h.tokens, [16]byte(body))
		}
	}
}
