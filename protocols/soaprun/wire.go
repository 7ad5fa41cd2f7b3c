package soaprun

import "encoding/binary"

// The bounds of the Length field: what a message may have, and what one may have that is searched for or unknown.
const (
	maxLength    = 65535
	likelyLength = 10000 // the buffers of the original
	takenLength  = 1026  // what soapdispenser takes from clients
)

// The sizes of bodies that have one.
const (
	testBody = 508
	roomBody = 2 + roomTiles
	nameSize = 8
	gameBody = 2            // of the client's Prtc
	infoBody = nameSize + 2 // of the server's
)

// An answer to a question that may need more bytes.
type answer uint8

const (
	no answer = iota
	yes
	unknown
)

// header reads Length and type. ok is false when there are fewer than eight bytes.
func header(b []byte) (length uint32, kind uint32, ok bool) {
	if len(b) < 8 {
		return 0, 0, false
	}
	return binary.LittleEndian.Uint32(b), binary.BigEndian.Uint32(b[4:]), true
}

func knownType(kind uint32) bool {
	_, ok := types[uint64(kind)]
	return ok && kind > kWebSocket
}

// fits reports whether a body of n bytes has the size that its type demands. body is what is there of it.
func fits(kind uint32, body []byte, n int) answer {
	have := body[:min(n, len(body))]
	switch kind {
	case tWelcome, tOver, tVoid, tBye:
		return sure(n == 0)
	case tProtocol:
		return sure(n == gameBody || n == infoBody)
	case tTest:
		return sure(n == testBody)
	case tCorpse:
		return sure(n == 4)
	case tRoom:
		return sure(n == 2 || n == roomBody)
	case tAttrs:
		if n == 0 {
			return yes
		}
	}
	switch size := bodySize(kind, have); {
	case size >= 0:
		return sure(size == n)
	case len(have) < n:
		return unknown
	}
	return no
}

func sure(b bool) answer {
	if b {
		return yes
	}
	return no
}

// bodySize is the size of a body that says it itself, or -1 while its counts are not all there.
func bodySize(kind uint32, b []byte) int {
	switch kind {
	case tLog:
		if len(b) < 4 {
			return -1
		}
		return 4 + int(min(binary.LittleEndian.Uint32(b), maxLength))
	case tAttrs:
		if len(b) < 4 {
			return -1
		}
		w, h := int(int16(binary.LittleEndian.Uint16(b))), int(int16(binary.LittleEndian.Uint16(b[2:])))
		if w <= 0 || h <= 0 {
			return 4
		}
		return 4 + w*h
	case tMove, tHeaven:
		return nodesEnd(b, 0)
	case tColour, tHit:
		return nodesEnd(b, 1)
	case tDraw:
		return nodesEnd(b, 5)
	case tField:
		return fieldSize(b)
	}
	return -1
}

// nodesEnd is where the movement list ends whose count is at off; -1 when the count is not there.
func nodesEnd(b []byte, off int) int {
	if len(b) <= off {
		return -1
	}
	return off + 1 + 4*int(b[off])
}

// fieldSize is the size of a Flds body by its own counts.
func fieldSize(b []byte) int {
	if len(b) < fieldHead {
		return -1
	}
	at := fieldHead
	for range int(b[3]) + int(b[4]) {
		if at = at + 5; at >= len(b) {
			return -1
		}
		at = nodesEnd(b, at)
	}
	return at + tileRecord*int(b[5])
}

const (
	fieldHead  = 7
	tileRecord = 6
)

// A reading says what the Length of a message counts.
type reading uint8

const (
	readRight   reading = iota // type and body, as it should
	readSelf                   // itself, too
	readBody                   // the body alone
	readVersion                // type alone, though the version follows: Prtc as the first description has it
)

// measure is the size of the message at the start of b, Length included, and what its Length counts. The size is 0
// when the bytes are none of a message, -1 while more are needed to say.
//
// A Length that its own type contradicts is taken for right unless another reading of it fits exactly.
func measure(b []byte) (size int, how reading) {
	length, kind, ok := header(b)
	if !ok {
		return -1, readRight
	}
	if length > maxLength || !knownType(kind) {
		return 0, readRight
	}
	n, body := int(length), b[8:]
	if n >= 4 {
		switch fits(kind, body, n-4) {
		case yes:
			return 4 + n, readRight
		case unknown:
			return 4 + n, readRight // the engine waits for it; then it is asked again
		}
	}
	if n >= 8 && len(body) >= n-8 && fits(kind, body, n-8) == yes && boundary(b[n:]) {
		return n, readSelf
	}
	if len(body) >= n && fits(kind, body, n) == yes && boundary(b[8+n:]) {
		return 8 + n, readBody
	}
	if n < 4 {
		return 0, readRight
	}
	if kind == tProtocol && n == 4 && len(b) >= 10 && !boundaryFull(b[8:]) && boundary(b[10:]) {
		return 10, readVersion
	}
	return 4 + n, readRight
}

// boundary reports whether a message may begin here: nothing follows, or as far as it is there a header does.
func boundary(b []byte) bool { return len(b) == 0 || plausible(b) }

// boundaryFull reports whether a whole header of a message follows.
func boundaryFull(b []byte) bool { return len(b) >= 8 && plausible(b) }

// plausible reports whether b begins as a message does, as far as it goes.
func plausible(b []byte) bool {
	for i, c := range b[:min(len(b), 4)] {
		if i >= 2 && c != 0 {
			return false
		}
	}
	if len(b) >= 4 {
		if n := binary.LittleEndian.Uint32(b); n < 4 || n > maxLength {
			return false
		}
	}
	if length, kind, ok := header(b); ok {
		return length >= 4 && knownType(kind)
	}
	return true
}
