package kaillera

import (
	"bytes"
	"encoding/binary"
)

// A scan reads a message body without recording anything: for recognition, for the check of a body's structure, and for
// what the state needs to know. Reading past the end makes it bad; from then on it reads zeros.
type scan struct {
	b     []byte
	at    int
	bad   bool
	heard *guess // gets the strings that walk passes, if not nil
}

func (s *scan) take(n int) []byte {
	if s.bad || n < 0 || n > len(s.b)-s.at {
		s.bad = true
		return nil
	}
	s.at += n
	return s.b[s.at-n : s.at]
}

func (s *scan) u8() uint8 {
	if b := s.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (s *scan) u16() uint16 {
	if b := s.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (s *scan) u32() uint32 {
	if b := s.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// A span is a part of a body: its bytes and where they begin in it.
type span struct {
	off  int
	text []byte
}

// str reads a string and its NUL, which is not part of what it returns.
func (s *scan) str() span {
	if s.bad {
		return span{}
	}
	n := bytes.IndexByte(s.b[s.at:], 0)
	if n < 0 {
		s.bad = true
		return span{}
	}
	at := s.at
	s.at += n + 1
	return span{at, s.b[at : at+n]}
}

// The shortest entries of lists: what bounds a count that promises more than there are bytes.
const (
	userEntry   = 9 // of SERVER_STATUS
	gameEntry   = 9 // of SERVER_STATUS
	playerEntry = 8 // of PLAYER_INFORMATION
	statusHead  = 8 // both counts
	maxEntries  = 1 << 16
)

// walk follows a grammar and tells whether the body has all of it; what is left over is behind s.at.
func (s *scan) walk(grammar string) bool {
	for i := 0; i < len(grammar) && !s.bad; i++ {
		switch grammar[i] {
		case 's':
			if text := s.str().text; s.heard != nil {
				s.heard.feed(text)
			}
		case '1', '2', '4':
			s.take(int(grammar[i] - '0'))
		case 'd':
			s.take(int(s.u16()))
		case 'r':
			s.at = len(s.b)
		case 'U':
			users, games := s.u32(), s.u32()
			s.list(users, "s4121", userEntry)
			s.list(games, "s4sss1", gameEntry)
		case 'P':
			s.list(s.u32(), "s421", playerEntry)
		}
	}
	return !s.bad
}

func (s *scan) list(count uint32, entry string, least int) {
	if uint64(count)*uint64(least) > uint64(len(s.b)-s.at) {
		s.bad = true
	}
	for ; count > 0 && !s.bad; count-- {
		s.walk(entry)
	}
}

// A piece is one message of a bundle as it stands in the datagram: offsets count from the datagram's start.
type piece struct {
	number uint16
	typ    uint8
	off    int    // where the message number stands
	length int    // what it says of itself: type and body
	body   []byte // as much of the body as there is
}

// whole reports whether the datagram has all of the message, a type at least.
func (p *piece) whole() bool { return p.length >= 1 && len(p.body) == p.length-1 }

// maxPieces is how many messages of a bundle count: receivers take up to 32.
const maxPieces = 32

// A bundle is a datagram's messages before they are shown.
type bundle struct {
	declared int // the count in the datagram
	pieces   [maxPieces]piece
	count    int // how many of them there are
	end      int // where they end
	broken   bool
}

// parse finds the messages of a datagram. It stops where one does not fit.
func (u *bundle) parse(b []byte) {
	if len(b) == 0 {
		return
	}
	u.declared, u.end, u.count, u.broken = int(b[0]), 1, 0, false
	for u.count < min(u.declared, maxPieces) {
		if !u.pieces[u.count].parse(b, u.end) {
			u.broken = true
			return
		}
		p := &u.pieces[u.count]
		u.count++
		u.end += 4 + p.length
		if p.length == 0 || u.end > len(b) {
			u.broken, u.end = true, min(u.end, len(b))
		}
		if u.end == len(b) && u.count < u.declared {
			u.broken = true
			return
		}
	}
}

// parse reads the head of a message; it fails when there is not even that.
func (p *piece) parse(b []byte, at int) bool {
	if at+4 > len(b) {
		return false
	}
	p.number, p.off, p.length = binary.LittleEndian.Uint16(b[at:]), at, int(binary.LittleEndian.Uint16(b[at+2:]))
	p.typ, p.body = 0, nil
	if p.length > 0 && at+5 <= len(b) {
		p.typ, p.body = b[at+4], b[at+5:min(len(b), at+4+p.length)]
	}
	return true
}
