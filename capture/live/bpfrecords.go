package live

import "encoding/binary"

// A recordForm is how a BSD system writes packets into the buffer of /dev/bpf (struct bpf_hdr): how many bytes seconds
// and microseconds take, and what records begin at multiples of. It is known on all systems, so that it is tested on
// all.
type recordForm struct {
	word  int
	align int
}

// A record is a packet in such a buffer.
type record struct {
	time   int64 // in nanoseconds
	length uint32
	data   []byte
}

// each gives the records of what was read at once. What does not fit ends them.
func (f recordForm) each(b []byte) func(yield func(record) bool) {
	return func(yield func(record) bool) {
		least := 2*f.word + 10
		for len(b) >= least {
			captured := binary.NativeEndian.Uint32(b[2*f.word:])
			head := int(binary.NativeEndian.Uint16(b[2*f.word+8:]))
			end := head + int(captured)
			if head < least || end < head || end > len(b) {
				return
			}
			r := record{f.at(b, 0)*1e9 + f.at(b, f.word)*1e3, binary.NativeEndian.Uint32(b[2*f.word+4:]), b[head:end]}
			if !yield(r) {
				return
			}
			b = b[min(len(b), (end+f.align-1)/f.align*f.align):]
		}
	}
}

// at is seconds or microseconds.
func (f recordForm) at(b []byte, off int) int64 {
	if f.word == 4 {
		return int64(binary.NativeEndian.Uint32(b[off:]))
	}
	return int64(binary.NativeEndian.Uint64(b[off:]))
}
