package column

import (
	"sync"
	"unsafe"
)

const (
	blockRows  = 64
	blockCount = packedSize / blockRows
)

// A tidy is a chunk of rows, packed. What is the same in all of them is kept once. The others of a row's 16 bits lie in
// blocks of 64 rows: first the lowest value and the number of bits of each, two to a word, then for each the 64
// differences to the lowest one. So a row is found without reading others. A tidy does not change.
type tidy struct {
	same    []uint16 // what all rows have; 0 where they differ
	differs []uint8  // which of a row's 16 bits differ between rows, in rising order
	starts  [blockCount]uint32
	bits    []uint64
}

func (t *tidy) bytes() int64 {
	return int64(unsafe.Sizeof(*t)) + int64(len(t.same)*2+len(t.differs)+len(t.bits)*8)
}

// scratches are where chunks are packed. Garbage of each chunk would lie between those that stay.
var scratches = sync.Pool{New: func() any { return new([]uint64) }}

// pack packs a chunk of rows, each of so many times 16 bits.
func pack(rows []uint16, width int) *tidy {
	t := &tidy{same: make([]uint16, width)}
	for k := range width {
		first := rows[k]
		t.same[k] = first
		for at := k + width; at < len(rows); at += width {
			if rows[at] != first {
				t.same[k] = 0
				t.differs = append(t.differs, uint8(k))
				break
			}
		}
	}
	scratch := scratches.Get().(*[]uint64)
	bits := (*scratch)[:0]
	for b := range t.starts {
		t.starts[b] = uint32(len(bits))
		bits = t.packBlock(bits, rows[b*blockRows*width:(b+1)*blockRows*width], width)
	}
	t.bits = append(make([]uint64, 0, len(bits)), bits...)
	*scratch = bits
	scratches.Put(scratch)
	return t
}

func (t *tidy) packBlock(bits []uint64, rows []uint16, width int) []uint64 {
	var values [blockRows]uint16
	head := len(bits)
	for range (len(t.differs) + 1) / 2 {
		bits = append(bits, 0)
	}
	for j, k := range t.differs {
		low, high, at := ^uint16(0), uint16(0), int(k)
		for i := range values {
			v := rows[at]
			values[i] = v
			low, high = min(low, v), max(high, v)
			at += width
		}
		n := 0
		for span := high - low; span>>n != 0; n++ {
		}
		bits[head+j/2] |= (uint64(n)<<16 | uint64(low)) << (j % 2 * 32)
		bits = appendBits(bits, &values, low, n)
	}
	return bits
}

// appendBits appends n bits of each value above the lowest one: n words.
func appendBits(bits []uint64, values *[blockRows]uint16, low uint16, n int) []uint64 {
	if n == 0 {
		return bits
	}
	word, have := uint64(0), 0
	for _, v := range values {
		x := uint64(v - low)
		word |= x << have
		if have += n; have >= 64 {
			bits = append(bits, word)
			have -= 64
			word = x >> (n - have)
		}
	}
	return bits
}

// row unpacks the first values of one row, as many as out takes.
func (t *tidy) row(i int, out []uint16) {
	copy(out, t.same)
	block := t.bits[t.starts[i/blockRows]:]
	at := (len(t.differs) + 1) / 2
	i %= blockRows
	for j, k := range t.differs {
		if int(k) >= len(out) {
			return
		}
		head := uint32(block[j/2] >> (j % 2 * 32))
		v, n := uint16(head), int(head>>16)
		if n > 0 {
			bit := i * n
			from, skip := at+bit/64, bit%64
			x := block[from] >> skip
			if skip+n > 64 {
				x |= block[from+1] << (64 - skip)
			}
			v += uint16(x & (1<<n - 1))
			at += n
		}
		out[k] = v
	}
}

// all unpacks the first n rows.
func (t *tidy) all(out []uint16, n int) {
	for b := 0; b*blockRows < n; b++ {
		t.block(b, out[b*blockRows*len(t.same):], min(blockRows, n-b*blockRows))
	}
}

// block unpacks the first n rows of a block.
func (t *tidy) block(b int, out []uint16, n int) {
	width := len(t.same)
	for at := 0; at < n*width; at += width {
		copy(out[at:], t.same)
	}
	block, at := t.bits[t.starts[b]:], (len(t.differs)+1)/2
	for j, k := range t.differs {
		head := uint32(block[j/2] >> (j % 2 * 32))
		low, bits := uint16(head), int(head>>16)
		unpack(out[k:], width, n, block[at:at+bits], low, bits)
		at += bits
	}
}

// unpack writes n values above the lowest one, of so many bits each, in steps of width.
func unpack(out []uint16, width, n int, words []uint64, low uint16, bits int) {
	if bits == 0 {
		for i := range n {
			out[i*width] = low
		}
		return
	}
	mask := uint64(1)<<bits - 1
	word, have, next := uint64(0), 0, 0
	for i := range n {
		var x uint64
		if have < bits {
			x = word
			word = words[next]
			next++
			x |= word << have
			word >>= bits - have
			have += 64 - bits
		} else {
			x = word
			word >>= bits
			have -= bits
		}
		out[i*width] = low + uint16(x&mask)
	}
}
