package live

import "encoding/binary"

// A countForm is how a BSD system writes what an interface has passed (struct if_msghdr and if_data): which kind of
// message has it, where the counters begin, and how many bytes each takes. Their order is the same in all of them. It
// is known on all systems, so that it is tested on all.
type countForm struct {
	message byte // RTM_ value
	index   int  // where the interface's number is
	first   int  // where the first counter is: packets received
	word    int
}

// each gives the numbers of interfaces and their counters. What does not fit ends them.
func (f countForm) each(b []byte) func(yield func(int, Counters) bool) {
	return func(yield func(int, Counters) bool) {
		for len(b) >= 4 {
			size := int(binary.NativeEndian.Uint16(b))
			if size < 4 || size > len(b) {
				return
			}
			m := b[:size]
			b = b[size:]
			if m[3] != f.message || size < f.first+10*f.word {
				continue
			}
			n := func(i int) uint64 {
				if f.word == 4 {
					return uint64(binary.NativeEndian.Uint32(m[f.first+i*4:]))
				}
				return binary.NativeEndian.Uint64(m[f.first+i*8:])
			}
			// Between them are errors, collisions, and packets for many.
			c := Counters{RxPackets: n(0), TxPackets: n(2), RxBytes: n(5), TxBytes: n(6), RxDropped: n(9)}
			if !yield(int(binary.NativeEndian.Uint16(m[f.index:])), c) {
				return
			}
		}
	}
}
