package live

import (
	"encoding/binary"

	"remora/capture/internal/pcapng"
)

// A packetBatch is some packets as blocks of pcapng, one behind the other. It is valid until the next one is taken.
type packetBatch struct {
	blocks []byte
	n      int
}

// each gives the blocks of a batch.
func (b packetBatch) each(yield func([]byte) bool) {
	for rest := b.blocks; len(rest) > 0; {
		n := binary.LittleEndian.Uint32(rest[4:])
		if !yield(rest[:n]) {
			return
		}
		rest = rest[n:]
	}
}

// cut is the first n packets of a batch that holds nothing else.
func (b packetBatch) cut(n int) packetBatch {
	left := n
	return b.while(func(int64, int) bool { left--; return left >= 0 })
}

// upTo is the packets up to the one that reaches a number of bytes, within those that are whole in as many.
func (b packetBatch) upTo(bytes int64) packetBatch {
	return b.while(func(n int64, _ int) bool { return n < bytes })
}
func (b packetBatch) within(bytes int64) packetBatch {
	return b.while(func(n int64, more int) bool { return n+int64(more) <= bytes })
}

func (b packetBatch) while(wanted func(n int64, more int) bool) packetBatch {
	out := packetBatch{blocks: b.blocks[:0]}
	for block := range b.each {
		if !wanted(int64(len(out.blocks)), len(block)) {
			break
		}
		if binary.LittleEndian.Uint32(block) == pcapng.BlockPacket {
			out.n++
		}
		out.blocks = b.blocks[:len(out.blocks)+len(block)]
	}
	return out
}
