package lab

import (
	"bytes"
	"compress/flate"
	"hash/adler32"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// A sum is a way to reckon a checksum.
type sum struct {
	name string
	size int
	of   func(b []byte) uint64
	even bool // bytes and their checksum cancel each other out
}

// crc reckons a cyclic redundancy check of 8 or 16 bits, by its polynomial with the highest bit first.
func crc(width int, poly, start, end uint16, reflected bool) func(b []byte) uint64 {
	table := sync.OnceValue(func() *[256]uint16 {
		var t [256]uint16
		for i := range t {
			v := uint16(i) << (width - 8)
			if reflected {
				v = uint16(bits.Reverse8(byte(i))) << (width - 8)
			}
			for range 8 {
				if v>>(width-1)&1 != 0 {
					v = v<<1 ^ poly
				} else {
					v <<= 1
				}
			}
			if v &= 1<<width - 1; reflected {
				v = bits.Reverse16(v) >> (16 - width)
			}
			t[i] = v
		}
		return &t
	})
	return func(b []byte) uint64 {
		t, v := table(), start
		for _, c := range b {
			if reflected {
				v = v>>8 ^ t[byte(v)^c]
			} else {
				v = v<<8&(1<<width-1) ^ t[byte(v>>(width-8))^c]
			}
		}
		return uint64(v ^ end)
	}
}

func added(b []byte, size int) (v uint64) {
	for _, c := range b {
		v += uint64(c)
	}
	return v & (1<<(8*size) - 1)
}

// internet is the checksum of IP: words are added, and what carries is added again.
func internet(b []byte) uint64 {
	var v uint32
	for i := 0; i < len(b); i += 2 {
		v += uint32(b[i]) << 8
		if i+1 < len(b) {
			v += uint32(b[i+1])
		}
	}
	for v > 0xffff {
		v = v>>16 + v&0xffff
	}
	return uint64(^v & 0xffff)
}

func fletcher(b []byte) uint64 {
	var one, two uint32
	for _, c := range b {
		one = (one + uint32(c)) % 255
		two = (two + one) % 255
	}
	return uint64(two<<8 | one)
}

func crc32With(poly uint32) func(b []byte) uint64 {
	return func(b []byte) uint64 { return uint64(crc32.Checksum(b, crc32.MakeTable(poly))) }
}

// sums are the checksums that are tried.
var sums = []sum{
	{"CRC-32", 4, crc32With(crc32.IEEE), false}, {"CRC-32C", 4, crc32With(crc32.Castagnoli), false},
	{"Adler-32", 4, func(b []byte) uint64 { return uint64(adler32.Checksum(b)) }, false},
	{"sum of 32 bits", 4, func(b []byte) uint64 { return added(b, 4) }, false},
	{"CRC-16/ARC", 2, crc(16, 0x8005, 0, 0, true), false}, {"CRC-16/MODBUS", 2, crc(16, 0x8005, 0xffff, 0, true), false},
	{"CRC-16/CCITT-FALSE", 2, crc(16, 0x1021, 0xffff, 0, false), false},
	{"CRC-16/XMODEM", 2, crc(16, 0x1021, 0, 0, false), false},
	{"CRC-16/KERMIT", 2, crc(16, 0x1021, 0, 0, true), false},
	{"CRC-16/X-25", 2, crc(16, 0x1021, 0xffff, 0xffff, true), false},
	{"Internet checksum", 2, internet, true}, {"Fletcher-16", 2, fletcher, false},
	{"sum of 16 bits", 2, func(b []byte) uint64 { return added(b, 2) }, false},
	{"CRC-8", 1, crc(8, 0x07, 0, 0, false), false}, {"CRC-8/MAXIM", 1, crc(8, 0x31, 0, 0, true), false},
	{"sum of 8 bits", 1, func(b []byte) uint64 { return added(b, 1) }, false},
	{"sum of 8 bits, negative", 1, func(b []byte) uint64 { return -added(b, 1) & 0xff }, true},
	{"exclusive or", 1, func(b []byte) uint64 {
		var v byte
		for _, c := range b {
			v ^= c
		}
		return uint64(v)
	}, true},
}

// covers are what a checksum may be reckoned over, for a field of a size at an offset.
var covers = []struct {
	text string
	of   func(dst, b []byte, off, size int) []byte
}{
	{"of what is in front", func(_, b []byte, off, _ int) []byte { return b[:off] }},
	{"of what follows", func(_, b []byte, off, size int) []byte { return b[off+size:] }},
	{"of the rest",
		func(dst, b []byte, off, size int) []byte { return append(append(dst[:0], b[:off]...), b[off+size:]...) }},
	{"of all with zeros in its place", func(dst, b []byte, off, size int) []byte {
		dst = append(dst[:0], b...)
		clear(dst[off : off+size])
		return dst
	}},
	{"of what is in front, but the first byte", func(_, b []byte, off, _ int) []byte { return b[min(1, off):off] }},
	{"of what is in front, but the first 2 bytes", func(_, b []byte, off, _ int) []byte { return b[min(2, off):off] }},
	{"of what is in front, but the first 4 bytes", func(_, b []byte, off, _ int) []byte { return b[min(4, off):off] }},
}

const (
	frontOffsets  = 24   // of a message are tried, and as many of its end as a checksum has
	longestSummed = 2048 // messages are too long beyond
	mostSummed    = 64   // messages are looked at
)

// checksum finds a number that is reckoned of other bytes of its message.
func (g *Group) checksum(off int) (Field, bool) {
	if g.sums == nil {
		g.checksums()
	}
	i := slices.IndexFunc(g.sums, func(f Field) bool { return f.Off == off })
	if i < 0 {
		return Field{}, false
	}
	return g.sums[i], true
}

// inChecksum tells of a group that is not yet parted whether a byte belongs to a checksum: no type of messages does.
func (g *Group) inChecksum(off int) bool {
	if len(g.Match) > 0 {
		return false
	}
	if g.Max == 0 {
		g.measure()
	}
	g.checksum(0)
	return slices.ContainsFunc(g.sums, func(f Field) bool { return off >= f.Off && off < f.Off+f.Size })
}

// checksums are those of the group's messages at all places that are tried. Where all bytes cancel each other out, any
// of them may be the checksum: it is the one that changes most, or the last.
func (g *Group) checksums() {
	out := []Field{}
	best, most := -1, 0
	defer func() {
		g.sums = slices.DeleteFunc(out, func(f Field) bool { return f.Value != 0 && f.Off != best })
		for i := range g.sums {
			g.sums[i].Value = 0
		}
	}()
	if g.Max > longestSummed || g.Min < 3 || len(g.Messages) < fewest {
		return
	}
	for off := range g.Min {
		if off >= frontOffsets && off < g.Min-4 {
			continue
		}
		for _, size := range []int{4, 2, 1} {
			if off+size > g.Min {
				continue
			}
			if f, ok := g.summed(func([]byte) int { return off }, size); ok {
				f.Off = off
				if n := int(f.Value); n >= most {
					best, most = off, n
				}
				out = append(out, f)
				break
			}
		}
	}
}

// summed tries all checksums of a size at a place of the messages.
func (g *Group) summed(at func(b []byte) int, size int) (Field, bool) {
	seen := map[uint64]bool{}
	for _, m := range g.sample() {
		seen[value(m.Data, at(m.Data), size, false)] = true
	}
	if len(seen) < 2*fewest && len(seen) < len(g.sample()) || len(seen) < fewest {
		return Field{}, false
	}
	for _, s := range sums {
		if s.size != size {
			continue
		}
		for _, c := range covers {
			for _, little := range []bool{true, false} {
				if size == 1 && little {
					continue
				}
				if hold := g.holding(s, c.of, at, little); hold > 0 {
					f := Field{Kind: Checksum, Size: size, Little: little, Confidence: hold, Note: s.name + " " + c.text}
					if s.even {
						f.Value = uint64(len(seen)) // to be compared with others
					}
					return f, true
				}
			}
		}
	}
	return Field{}, false
}

func (g *Group) sample() []Message { return g.Messages[:min(len(g.Messages), mostSummed)] }

// holding is the part of messages whose checksum is right; 0 where too few are.
func (g *Group) holding(s sum, over func(dst, b []byte, off, size int) []byte, at func(b []byte) int,
	little bool) float64 {
	right, all := 0, 0
	for _, m := range g.sample() {
		off := at(m.Data)
		b := over(g.scratch, m.Data, off, s.size)
		if len(b) < 2 {
			return 0
		}
		if cap(b) > cap(g.scratch) && &b[0] != &m.Data[0] && len(b) >= len(m.Data)-s.size {
			g.scratch = make([]byte, 0, 2*cap(b))
		}
		all++
		if s.of(b) == value(m.Data, off, s.size, little) {
			right++
		}
		if (all-right)*20 > max(all, 40) { // some are damaged on purpose
			return 0
		}
	}
	if right*100 < all*93 {
		return 0
	}
	return float64(right) / float64(all)
}

// tail says of what stands behind the bytes that all messages have what it is.
func (g *Group) tail() Field {
	f := Field{Kind: Unknown, Off: g.Min}
	if len(g.Messages) < fewest || g.Max > longestSummed {
		return f
	}
	for _, size := range []int{4, 2, 1} {
		if g.Min < size+2 {
			continue
		}
		if s, ok := g.summed(func(b []byte) int { return len(b) - size }, size); ok {
			f.Note = "ends with a checksum: " + s.Note
			return f
		}
	}
	f.Kind, f.Note = g.dense(g.Min, 0)
	return f
}

// magics are how compressed bytes begin.
var magics = []struct {
	name  string
	bytes string
}{{"gzip", "\x1f\x8b\x08"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"LZ4", "\x04\x22\x4d\x18"}, {"bzip2", "BZh"},
	{"xz", "\xfd7zXZ"}}

// dense tells of bytes from an offset on, size 0 being all that follow, whether they are compressed or random.
func (g *Group) dense(off, size int) (Kind, string) {
	names := map[string]int{}
	var count [256]int
	n, with := 0, 0
	for _, m := range g.Messages {
		b := m.Data[min(off, len(m.Data)):]
		if size > 0 {
			b = b[:min(size, len(b))]
		}
		if len(b) < 4 {
			continue
		}
		with++
		names[packedBy(b)]++
		for _, c := range b {
			count[c]++
			n++
		}
	}
	for name, k := range names {
		if name != "" && with >= fewest && k*10 >= with*8 {
			return Compressed, name
		}
	}
	entropy := 0.0
	for _, c := range count {
		if c > 0 {
			p := float64(c) / float64(n)
			entropy -= p * math.Log2(p)
		}
	}
	if n >= 4096 && entropy > 7.9 {
		return Random, "or encrypted: no byte is more frequent than others"
	}
	return Unknown, ""
}

// packedBy names what bytes are compressed with, or gives "".
func packedBy(b []byte) string {
	if len(b) < 4 {
		return ""
	}
	for _, m := range magics {
		if bytes.HasPrefix(b, []byte(m.bytes)) {
			return m.name
		}
	}
	if b[0]&0x0f == 8 && b[0]>>4 <= 7 && (int(b[0])<<8|int(b[1]))%31 == 0 && b[1]&0x20 == 0 {
		got, _ := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b[2:])), 64)) // it may be cut off
		if len(got) > 0 {
			return "zlib"
		}
	}
	return ""
}
