package smb

import (
	"encoding/binary"

	"remora/dissect"
)

// How messages are packed (MS-SMB2 section 2.2.42).
const (
	packNone    = 0
	packLZNT1   = 1
	packLZ77    = 2
	packHuffman = 3
	packPattern = 4
)

// maxUnpacked bounds what becomes of a packed message, in bytes.
const maxUnpacked = 1 << 24

// unpack gives the bytes that in was packed from, which must be size in number, or nil.
func unpack(how uint64, in []byte, size int) []byte {
	if size < 0 || size > maxUnpacked {
		return nil
	}
	u := &unpacker{in: in, out: make([]byte, 0, min(size, 64*len(in)+64)), size: size}
	switch how {
	case packLZNT1:
		u.lznt1()
	case packLZ77:
		u.lz77()
	case packHuffman:
		u.huffman()
	default:
		return nil
	}
	if u.bad || len(u.out) != size {
		return nil
	}
	return u.out
}

// An unpacker reads packed bytes from an offset on, as far as there are any.
type unpacker struct {
	in, out  []byte
	at, size int
	bad      bool
}

// number reads a little-endian number of n bytes.
func (u *unpacker) number(n int) int {
	if u.at+n > len(u.in) {
		u.bad = true
		return 0
	}
	v := little(u.in, u.at, n)
	u.at += n
	return int(v)
}

// literal puts a byte as it stands.
func (u *unpacker) literal(b byte) {
	if len(u.out) >= u.size {
		u.bad = true
		return
	}
	u.out = append(u.out, b)
}

// again puts n bytes that were put so far back before, but not before from.
func (u *unpacker) again(back, n, from int) {
	if back > len(u.out)-from || n > u.size-len(u.out) {
		u.bad = true
		return
	}
	for range n {
		u.out = append(u.out, u.out[len(u.out)-back])
	}
}

// lznt1 unpacks chunks of up to 4096 bytes (MS-XCA section 2.5).
func (u *unpacker) lznt1() {
	for p := (dissect.Progress{}); u.at+2 <= len(u.in) && !u.bad && p.Up(u.at); {
		header := u.number(2)
		end := u.at + header&0xfff + 1
		switch {
		case header == 0: // fills up
			return
		case end > len(u.in):
			u.bad = true
		case header&0x8000 == 0:
			for _, b := range u.in[u.at:end] {
				u.literal(b)
			}
			u.at = end
		default:
			u.chunk(end)
		}
	}
}

// chunk unpacks a chunk of LZNT1 that ends there.
func (u *unpacker) chunk(end int) {
	from := len(u.out)
	for p := (dissect.Progress{}); u.at < end && !u.bad && p.Up(u.at); {
		flags := u.number(1)
		for i := 0; i < 8 && u.at < end && !u.bad; i++ {
			if flags>>i&1 == 0 {
				u.literal(byte(u.number(1)))
				continue
			}
			pair, bits := u.number(2), 12
			for n := len(u.out) - from - 1; n >= 0x10; n >>= 1 {
				bits--
			}
			u.again(pair>>bits+1, pair&(1<<bits-1)+3, from)
		}
	}
}

// lz77 unpacks bytes and earlier ones, with a bit for each that tells them apart (MS-XCA section 2.4).
func (u *unpacker) lz77() {
	half := -1 // where a byte stands of which the lower half is used
	for p := (dissect.Progress{}); !u.bad && u.at < len(u.in) && p.Up(u.at); {
		flags := uint32(u.number(4))
		for i := 31; i >= 0 && u.at < len(u.in) && !u.bad; i-- {
			if flags>>i&1 == 0 {
				u.literal(byte(u.number(1)))
				continue
			}
			pair := u.number(2)
			n := pair & 7
			if n == 7 {
				if half < 0 {
					half = u.at
					n += u.number(1) & 15
				} else {
					n += int(u.in[half] >> 4)
					half = -1
				}
				if n == 7+15 {
					n = u.long(n)
				}
			}
			u.again(pair>>3+1, n+3, 0)
		}
	}
}

// long is a length beyond n, in one, two or four bytes more.
func (u *unpacker) long(n int) int {
	more := u.number(1)
	if more < 255 {
		return n + more
	}
	if more = u.number(2); more == 0 {
		more = u.number(4)
	}
	if more < n {
		u.bad = true
	}
	return more
}

// huffmanBlock is how many bytes each table of codes serves.
const huffmanBlock = 1 << 16

// huffman unpacks LZ77 of which the symbols are packed once more (MS-XCA section 2.2).
func (u *unpacker) huffman() {
	for p := (dissect.Progress{}); !u.bad && len(u.out) < u.size && p.Up(len(u.out)); {
		if len(u.in)-u.at < 256 {
			u.bad = true
			return
		}
		t := newCodes(u.in[u.at : u.at+256])
		u.at += 256
		b := bits{u: u}
		b.fill()
		b.fill()
		end := min(u.size, len(u.out)+huffmanBlock)
		for p := (dissect.Progress{}); len(u.out) < end && !u.bad && p.Up(len(u.out)); {
			u.symbol(t, &b)
		}
	}
}

// symbol unpacks one byte, or earlier ones.
func (u *unpacker) symbol(t *codes, b *bits) {
	s := t.next(b)
	switch {
	case s < 0:
		u.bad = true
	case s < 256:
		u.literal(byte(s))
	default:
		n, wide := s&15, (s-256)>>4
		if n == 15 {
			if n += u.number(1); n == 15+255 {
				n = u.number(2)
			}
		}
		back := 1<<wide | int(b.peek(wide))
		b.skip(wide)
		u.again(back, n+3, 0)
	}
}

// bits are read from numbers of 16 bits, the highest first, of which the next is always read.
type bits struct {
	u    *unpacker
	mask uint64 // the next ones, from the highest of 64 on
	n    int
}

// fill takes 16 more; behind the end there are zeros.
func (b *bits) fill() {
	v := uint16(0)
	if b.u.at+2 <= len(b.u.in) {
		v = binary.LittleEndian.Uint16(b.u.in[b.u.at:])
		b.u.at += 2
	}
	b.mask |= uint64(v) << (48 - b.n)
	b.n += 16
}

func (b *bits) peek(n int) uint64 { return b.mask >> (64 - n) }

func (b *bits) skip(n int) {
	b.mask <<= n
	if b.n -= n; b.n < 16 {
		b.fill()
	}
}

// codes are those of 512 symbols: how many there are of each length, and the symbols by their codes.
type codes struct {
	count   [16]int
	symbols []int
}

// newCodes reads the lengths of the codes, four bits each.
func newCodes(lengths []byte) *codes {
	t := &codes{}
	for n := 1; n < 16; n++ {
		for i := range 512 {
			if int(lengths[i/2]>>(i%2*4)&15) == n {
				t.count[n]++
				t.symbols = append(t.symbols, i)
			}
		}
	}
	return t
}

// next is the symbol of the code that comes next, or -1.
func (t *codes) next(b *bits) int {
	code, first, at := int(b.peek(15)), 0, 0
	for n := 1; n < 16; n++ {
		c := code>>(15-n) - first
		if c < t.count[n] {
			b.skip(n)
			return t.symbols[at+c]
		}
		at += t.count[n]
		first = (first + t.count[n]) << 1
	}
	return -1
}
