package kaitai

import "bytes"

// A Source is bytes that stand together: those that the Parser was given, or what a process made of some.
type Source struct {
	Data []byte
	Name string // of what a process made: the field
	From Span   // of what
}

// A Stream is a part of a source, read from front to back. Its first byte is byte Base of the source.
type Stream struct {
	Source *Source
	Base   int
	data   []byte
	pos    int
	bits   uint64 // what is left of a byte of which some bits were read
	left   int    // how many they are
	order  order  // in which order they are read
}

// A Span is bits of a stream: what a value was read from.
type Span struct {
	IO         *Stream
	Start, End int // in bits
}

// Bytes is the offset in the stream's source and the number of bytes that the span touches.
func (s Span) Bytes() (off, n int) {
	if s.IO == nil {
		return 0, 0
	}
	first := s.Start / 8
	return s.IO.Base + first, (s.End+7)/8 - first
}

func (s *Stream) bitPos() int { return s.pos*8 - s.left }

func (s *Stream) eof() bool { return s.left == 0 && s.pos >= len(s.data) }

func (s *Stream) align() { s.bits, s.left = 0, 0 }

func (s *Stream) seek(pos int64) {
	if pos < 0 {
		fail(EndOfStream, "position %d is in front of the stream", pos)
	}
	s.align()
	s.pos = int(min(pos, 1<<40))
}

func (s *Stream) fewer(n int64) {
	panic(&Error{Kind: EndOfStream, Text: "requested " + intValue(n).String() + " bytes, but only " +
		intValue(int64(max(0, len(s.data)-s.pos))).String() + " bytes available", At: s.rest()})
}

// rest is what is left of the stream.
func (s *Stream) rest() Span { return Span{s, min(s.pos, len(s.data)) * 8, len(s.data) * 8} }

func (s *Stream) take(n int64) []byte {
	s.align()
	if n < 0 {
		fail(Expression, "%d is no size", n)
	}
	if n > int64(len(s.data)-s.pos) {
		s.fewer(n)
	}
	b := s.data[s.pos : s.pos+int(n)]
	s.pos += int(n)
	return b
}

// unsigned reads an integer of size bytes.
func (s *Stream) unsigned(size int, little bool) (n uint64) {
	b := s.take(int64(size))
	if little {
		for i := size - 1; i >= 0; i-- {
			n = n<<8 | uint64(b[i])
		}
		return n
	}
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}

// readBits reads n bits, at most 64, from the highest bit of each byte on, or with le from the lowest.
func (s *Stream) readBits(n int, le bool) (v uint64) {
	want := big_
	if le {
		want = little
	}
	if s.left > 0 && s.order != want {
		s.align()
	}
	s.order = want
	if n > s.left {
		if missing := (n - s.left + 7) / 8; missing > len(s.data)-s.pos {
			s.fewer(int64(missing))
		}
	}
	for got := 0; got < n; {
		if s.left == 0 {
			s.bits, s.left = uint64(s.data[s.pos]), 8
			s.pos++
		}
		k := min(n-got, s.left)
		mask := uint64(1)<<k - 1
		if le {
			v |= s.bits & mask << got
			s.bits >>= k
		} else {
			v = v<<k | s.bits>>(s.left-k)&mask
			s.bits &= 1<<(s.left-k) - 1
		}
		s.left -= k
		got += k
	}
	return v
}

// until reads up to a terminator, which stands at a multiple of its length.
func (s *Stream) until(a *Attr) []byte {
	s.align()
	from := min(s.pos, len(s.data))
	rest := s.data[from:]
	i := terminatorAt(rest, a.term)
	if i < 0 {
		if !a.open {
			panic(&Error{Kind: EndOfStream, Text: "end of stream reached, but no terminator " + bytesValue(a.term).String() +
				" found", At: s.rest()})
		}
		s.pos = len(s.data)
		return rest
	}
	end := i
	if a.include {
		end += len(a.term)
	}
	s.pos = from + i
	if !a.keep {
		s.pos += len(a.term)
	}
	return rest[:end]
}

func terminatorAt(b, term []byte) int {
	if len(term) == 1 {
		return bytes.IndexByte(b, term[0])
	}
	for i := 0; i+len(term) <= len(b); i += len(term) {
		if bytes.Equal(b[i:i+len(term)], term) {
			return i
		}
	}
	return -1
}

// trim takes the padding off bytes of a size, and what stands behind their terminator.
func trim(b []byte, a *Attr) []byte {
	if a.pad >= 0 && (len(a.term) != 1 || int(a.term[0]) != a.pad) {
		for len(b) > 0 && int(b[len(b)-1]) == a.pad {
			b = b[:len(b)-1]
		}
	}
	if a.term == nil {
		return b
	}
	if i := terminatorAt(b, a.term); i >= 0 {
		if a.include {
			i += len(a.term)
		}
		b = b[:i]
	}
	return b
}

// Pos is how far the stream was read, in bytes.
func (s *Stream) Pos() int { return s.pos }

// Outermost is where the bytes stand in those that the Parser was given, of bytes that a process made: what it was made
// of. It is false where none are.
func (s Span) Outermost() (Span, bool) {
	for s.IO != nil && s.IO.Source.From.IO != nil {
		s = s.IO.Source.From
	}
	return s, s.IO != nil
}
