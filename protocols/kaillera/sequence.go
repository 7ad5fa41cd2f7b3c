package kaillera

import (
	"encoding/binary"

	"remora/dissect"
)

// sort tells the new messages of a bundle from the repeats. A message is new when its number is ahead of the last one
// that was taken, modulo 65536: that is how receivers have it.
func (y *direction) sort(d *dissect.D, u *bundle, o *outcome) {
	n := &o.bundle
	if y.strays >= maxStrays {
		y.startOver()
	}
	before, any := y.last, y.any
	if !any {
		n.flags |= flagFirst
	}
	for i := u.count - 1; i >= 0; i-- {
		p := &u.pieces[i]
		s, h := &y.ring[p.number%ringSize], uint32(0)
		if p.whole() {
			h = sum(p.typ, p.body)
		}
		if s.frame != 0 && s.number == p.number && y.any {
			if s.sum == 0 {
				s.sum = h
			} else if h != 0 && s.sum != h {
				o.many.conflicts, o.rare = o.many.conflicts|1<<i, true
			}
			if i >= 1 && i <= len(n.firsts) {
				n.firsts[i-1] = s.frame
			} else {
				o.many.firsts[i], o.rare = s.frame, true
			}
			continue
		}
		ahead := p.number - y.last
		if y.any && (ahead == 0 || ahead >= 0x8000) {
			o.many.outdated, o.rare = o.many.outdated|1<<i, true
			if y.last-p.number < ringSize {
				*s = seen{p.number, h, d.Frame}
			}
			continue
		}
		if y.any && ahead > 1 {
			n.gap += ahead - 1
		}
		*s = seen{p.number, h, d.Frame}
		y.any, y.last = true, p.number
		n.fresh |= 1 << i
	}
	if y.strays++; n.fresh != 0 || o.many.outdated == 0 {
		y.strays = 0
	}
	if u.count == 0 || !any {
		return
	}
	newest := u.pieces[0].number
	switch {
	case n.fresh != 0:
		if n.gap > 0 && y.cache != nil {
			y.cache.lost()
		}
		if d.CutShort() { // the datagram had more than the capture has of it
			n.gap -= min(n.gap, uint16(max(0, u.declared-u.count)))
		}
		if y.last-before >= tooFar {
			n.flags |= flagFatal
		}
	case newest == before:
		n.flags |= flagResend
	default:
		n.flags |= flagLate
	}
}

// maxStrays is after how many datagrams in a row, all of whose messages are late and were never seen, the sender must
// have begun to count anew, or half the numbers were lost.
const maxStrays = 4

func (y *direction) startOver() {
	y.any, y.strays, y.ring = false, 0, [ringSize]seen{}
	if y.cache != nil {
		y.cache.lost()
	}
}

// tooFar is by how many numbers a datagram may not be ahead for clients of the n02 family: they drop it, and with it
// all that follow.
const tooFar = 10

// sum is a checksum over a message, so that two of the same number can be told apart. It is never 0, which stands for
// messages of which the capture has a part only.
func sum(typ uint8, b []byte) uint32 {
	h := uint64(typ) ^ uint64(len(b))<<8
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	h *= 0x9e3779b97f4a7c15
	return max(1, uint32(h>>32))
}

// A window is the game cache of one direction: the newest 256 pieces of data that were sent whole, numbered from the
// oldest kept. When a new one comes to a full window the oldest goes, and all positions drop by one.
type window struct {
	entries [windowSize]ref
	lengths [windowSize]uint16
	sums    [windowSize]uint32 // of the client's own input in the entry
	kept    [][]byte           // the entries' bytes, where they are compared
	start   int
	held    int
	whole   bool // all that the sender has is here: it began empty, or is full of what was seen
	doubt   int  // how many more have to come until a gap is outlived; 0 for no gap
}

const windowSize = 256

// put appends an entry of n bytes and returns its position.
func (c *window) put(r ref, n int) int {
	if c.held == windowSize {
		c.start = (c.start + 1) % windowSize
		c.held--
	}
	at := (c.start + c.held) % windowSize
	c.entries[at], c.lengths[at] = r, uint16(min(n, 65535))
	c.held++
	if c.held == windowSize {
		c.whole = true
	}
	if c.doubt > 0 {
		c.doubt--
	}
	return c.held - 1
}

// setSum keeps the checksum of the newest entry; sum is that of an entry that find found.
func (c *window) setSum(v uint32)         { c.sums[c.newest()] = v }
func (c *window) sum(position int) uint32 { return c.sums[c.place(position)] }

// lost says that messages are missing: any of them may have been an entry.
func (c *window) lost() { c.doubt = windowSize }

func (c *window) clear() { c.start, c.held, c.whole, c.doubt = 0, 0, true, 0 }

// The outcomes of looking for a position.
const (
	hitNone     = iota
	hitFound    // these are the bytes
	hitDoubtful // these are the bytes unless an entry was among messages that were lost
	hitEarly    // the capture began after the cache was filled
	hitBeyond   // the sender cannot have it
	hitPieces   // the capture does not have the entry whole, or not in one piece
	hitLost     // the entry is among messages that were lost
)

func (c *window) find(position int) (r ref, n int, how uint8) {
	switch {
	case !c.whole:
		return ref{}, 0, hitEarly
	case position >= c.held && c.doubt > 0:
		return ref{}, 0, hitLost
	case position >= c.held:
		return ref{}, 0, hitBeyond
	}
	at := (c.start + position) % windowSize
	r, n = c.entries[at], int(c.lengths[at])
	switch {
	case r.frame == 0 && n > 0:
		how = hitPieces
	case c.doubt > 0:
		how = hitDoubtful
	default:
		how = hitFound
	}
	return r, n, how
}
