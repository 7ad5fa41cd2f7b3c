package quic

import (
	"slices"
	"sort"

	"remora/dissect"
)

// A piece is a part of a stream or of the handshake: bytes of an opened packet.
type piece struct {
	Off      uint64 // in the stream
	Packet   uint32 // in the list of packets
	Src, Len uint32 // in the packet's payload
}

// A run is whole messages that a frame completes: bytes from Off on, put together from pieces in their list.
type run struct {
	Off          uint64
	First, Count uint32
	Size         uint32
}

var pieces = dissect.NewList[piece]()

// A waiting is a piece whose message is not complete.
type waiting struct {
	piece
	data []byte
}

// A flow is one direction of a stream, or of the handshake under one kind of keys. It holds bytes only as long as their
// message is not complete.
type flow struct {
	waits []waiting // by their offsets
	size  int
	done  uint64 // everything before has been handed on
	edge  uint64 // everything before has come
	need  uint64 // where the message that waits ends, as far as that is known
	last  []span // handed on lately
	head  [headSize]byte
	fin   uint64 // where the stream ends, 0 while nobody said
	shut  bool   // too much came
}

type span struct{ off, size uint64 }

// headSize is how many bytes a stream's beginning is remembered by.
const headSize = 8

// Limits of what waits, and of what is remembered of what was handed on. Pieces are not so many that they are tiny:
// some may be, as handshakes are cut up on purpose.
const (
	maxWaiting = 1 << 20
	maxPieces  = 2048
	tinyPieces = 256
	pieceSize  = 128
	maxSpans   = 64
)

// full tells whether no further piece of so many bytes may wait.
func (f *flow) full(n int) bool {
	return f.size+n > maxWaiting || len(f.waits) >= min(maxPieces, tinyPieces+(f.size+n)/pieceSize)
}

// take adds the bytes of a frame, and returns the messages that are whole now. length tells how long a message is that
// starts at an offset, as dissect.Plugin.Message does. Bytes that came before make the same messages again.
func (f *flow) take(d *dissect.D, p piece, data []byte, length func(off uint64, b []byte) int) (r run, whole []byte,
	again bool) {
	f.begin(p.Off, data)
	end := p.Off + uint64(len(data))
	if end <= f.done {
		if n := f.before(p.Off, data, length); n > 0 {
			return run{p.Off, pieces.Put(d, piece{p.Off, p.Packet, p.Src, uint32(n)}), 1, uint32(n)}, data[:n], true
		}
		return r, nil, true
	}
	if f.shut || len(data) == 0 {
		return r, nil, false
	}
	if f.full(len(data)) {
		f.giveUp()
		return r, nil, false
	}
	at, _ := slices.BinarySearchFunc(f.waits, p.Off, func(w waiting, off uint64) int {
		if w.Off <= off {
			return -1
		}
		return 1
	})
	f.waits = slices.Insert(f.waits, at, waiting{p, data})
	f.size += len(data)
	if !f.grow(p.Off, end) || f.edge < f.need {
		return r, nil, false
	}
	b := f.contiguous()
	n := f.measure(b, length)
	if n == 0 {
		return r, nil, false
	}
	return f.cut(d, n), b[:n], false
}

// begin remembers the first bytes.
func (f *flow) begin(off uint64, data []byte) {
	if off < headSize {
		copy(f.head[off:], data)
	}
}

// giveUp drops what waits, and passes over the message that is too long, if its length is known.
func (f *flow) giveUp() {
	if f.need > f.done {
		f.done = f.need
	} else {
		f.shut = true
	}
	f.waits, f.size, f.need, f.edge = nil, 0, 0, f.done
}

// before is how many bytes at the start of what came before are whole messages, as they were the first time.
func (f *flow) before(off uint64, data []byte, length func(uint64, []byte) int) int {
	if !slices.ContainsFunc(f.last, func(s span) bool { return s.off == off }) {
		return 0
	}
	n, _ := measure(off, data, length)
	return n
}

// grow moves the edge on by a piece that came, and by those behind it that waited for it. It tells whether it moved.
func (f *flow) grow(off, end uint64) bool {
	if off > f.edge || end <= f.edge {
		return false
	}
	at := sort.Search(len(f.waits), func(i int) bool { return f.waits[i].Off > f.edge })
	for f.edge = end; at < len(f.waits) && f.waits[at].Off <= f.edge; at++ {
		f.edge = max(f.edge, f.waits[at].Off+uint64(len(f.waits[at].data)))
	}
	return true
}

// contiguous is what follows what was handed on, up to the edge.
func (f *flow) contiguous() []byte {
	end := f.edge
	b := make([]byte, end-f.done)
	for _, w := range slices.Backward(f.waits) { // the first that came wins
		switch {
		case w.Off >= end:
		case w.Off >= f.done:
			copy(b[w.Off-f.done:], w.data)
		case f.done-w.Off < uint64(len(w.data)):
			copy(b, w.data[f.done-w.Off:])
		}
	}
	return b
}

// measure is how many bytes at the start of b are whole messages.
func (f *flow) measure(b []byte, length func(uint64, []byte) int) int {
	n, next := measure(f.done, b, length)
	f.need = 0
	if next > 0 {
		f.need = f.done + uint64(n) + uint64(next)
	}
	return n
}

// measure counts the bytes of the whole messages at the start of b, and tells the length of the one behind, if it is
// known.
func measure(off uint64, b []byte, length func(uint64, []byte) int) (n, next int) {
	for p := (dissect.Progress{}); n < len(b) && p.Up(n); {
		next = length(off+uint64(n), b[n:])
		if next < 0 {
			next = min(-next, len(b)-n)
		}
		if next == 0 || next > len(b)-n {
			return n, next
		}
		n += next
	}
	return n, 0
}

// cut takes the first n bytes out of what waits.
func (f *flow) cut(d *dissect.D, n int) run {
	r := run{Off: f.done, Size: uint32(n)}
	if f.last = append(f.last, span{f.done, uint64(n)}); len(f.last) > maxSpans {
		f.last = f.last[1:]
	}
	f.done += uint64(n)
	began := 0
	for began < len(f.waits) && f.waits[began].Off < f.done {
		if at := pieces.Put(d, f.waits[began].piece); r.Count == 0 {
			r.First = at
		}
		r.Count++
		began++
	}
	at := began // those of them that go on are moved up to the ones that did not begin, of which there may be many
	for i := began - 1; i >= 0; i-- {
		if w := f.waits[i]; w.Off+uint64(len(w.data)) > f.done {
			at--
			f.waits[at] = w
		} else {
			f.size -= len(w.data)
		}
	}
	clear(f.waits[:at])
	f.waits = f.waits[at:]
	return r
}

// bytes makes the messages of a run again, from the packets that they came in.
func (r run) bytes(d *dissect.D) []byte {
	out := make([]byte, r.Size)
	last, payload := uint32(0), []byte(nil)
	for i := r.Count; i > 0; i-- { // the first that came wins
		p := pieces.At(d, r.First+i-1)
		if p.Packet != last {
			rec := packets.At(d, p.Packet)
			last, payload = p.Packet, rec.open(d)
		}
		data := payload[min(len(payload), int(p.Src)):min(len(payload), int(p.Src+p.Len))]
		switch {
		case p.Off >= r.Off && p.Off-r.Off < uint64(len(out)):
			copy(out[p.Off-r.Off:], data)
		case p.Off < r.Off && r.Off-p.Off < uint64(len(data)):
			copy(out, data[r.Off-p.Off:])
		}
	}
	return out
}
