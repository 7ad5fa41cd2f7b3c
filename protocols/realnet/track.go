package realnet

import (
	"encoding/binary"

	"remora/dissect"
)

const (
	ringSize   = 512
	memoryTime = 30e9 // numbers are looked for no further back: they wrap
	resendTime = 10e6 // a sender waits longer than that before it sends again
	lostTime   = 1e9  // what did not come again by then was unreliable: its number is lost for good
	maxMissing = 64
	maxWaiting = 64
)

// A side is what one end of a connection sent. Numbers are compared modulo 65536.
type side struct {
	ring    *[ringSize]sent
	any     bool
	newest  uint16
	missing []missingPacket // below newest, oldest first
	waiting []wait          // ordered packets above a missing number
}

// A sent is the packet that was sent last with a number.
type sent struct {
	seq         uint16
	copies      uint16 // 0 for none
	sum         uint32
	first, last dissect.FrameNum
	lastAt      int64
	acked       dissect.FrameNum
	typ         uint8
	reliable    bool
}

// A missingPacket is a number that did not come yet, though a higher one did.
type missingPacket struct {
	seq  uint16
	time int64
}

// A wait is an ordered packet that its receiver cannot handle yet.
type wait struct {
	seq   uint16
	frame dissect.FrameNum
}

// find is the packet with a number, if one was sent in the last 30 s.
func (s *side) find(seq uint16, now int64) *sent {
	if s.ring == nil {
		return nil
	}
	if e := &s.ring[seq%ringSize]; e.copies != 0 && e.seq == seq && now-e.lastAt <= memoryTime {
		return e
	}
	return nil
}

// sent notes a packet with a number: whether it is a repeat, and whether others wait for it or it for others.
func (s *side) sent(d *dissect.D, v *view, n *packetNote) {
	if s.ring == nil {
		s.ring = new([ringSize]sent)
	}
	now, typ, h := d.Time(), uint8(v.kind), sum(v.whole)
	e := s.find(v.seq, now)
	if e != nil && e.typ == typ && e.sum == h {
		n.first = e.first
		n.flags |= noteDuplicate
		if e.reliable && now-e.lastAt >= resendTime || typ == typeConnection {
			n.flags = n.flags&^noteDuplicate | noteResend
		}
		e.copies = min(e.copies+1, 65535)
		e.last, e.lastAt = d.Frame, now
		n.copies = e.copies
		return
	}
	if e != nil && v.layout == layoutDocumented {
		n.flags |= noteConflict
	}
	if v.layout == layoutDocumented {
		s.order(d, v, n)
	}
	s.ring[v.seq%ringSize] = sent{seq: v.seq, copies: 1, sum: h, first: d.Frame, last: d.Frame, lastAt: now, typ: typ,
		reliable: v.reliable()}
}

// reliable reports whether the packet must be acknowledged: by its flag as documented; as built the client's Accept,
// Reject and Disconnection are.
func (v *view) reliable() bool {
	if v.layout != layoutBuilt {
		return v.flags&flagReliable != 0
	}
	switch v.kind {
	case kindAccept, kindReject, kindDisconnection:
		return v.sentBy() == fromClient
	}
	return false
}

// order finds the numbers that are missing below a packet, and the packets that waited for it.
func (s *side) order(d *dissect.D, v *view, n *packetNote) {
	now, ordered := d.Time(), v.flags&flagOrdered != 0
	s.giveUp(now)
	ahead := int16(v.seq - s.newest)
	switch {
	case !s.any:
		s.any, s.newest = true, v.seq
		return
	case ahead > 0:
		if ahead > 1000 { // the sender began anew, or the capture has a hole
			s.missing, s.waiting = s.missing[:0], s.waiting[:0]
		}
		for seq := v.seq - uint16(min(int(ahead)-1, maxMissing)); seq != v.seq; seq++ {
			if len(s.missing) >= maxMissing {
				s.missing = drop(s.missing)
			}
			s.missing = append(s.missing, missingPacket{seq, now})
		}
		s.newest = v.seq
	case ahead < 0:
		n.flags |= noteLate
		s.arrived(v.seq)
		s.release(d, v)
	}
	if !ordered {
		return
	}
	for _, m := range s.missing {
		if int16(m.seq-v.seq) < 0 {
			if n.missing == 0 {
				n.lack = m.seq
			}
			n.missing++
		}
	}
	if n.missing > 0 {
		n.flags |= noteWaiting
		if len(s.waiting) >= maxWaiting {
			s.waiting = drop(s.waiting)
		}
		s.waiting = append(s.waiting, wait{v.seq, d.Frame})
	}
}

// giveUp forgets numbers that will not come any more, and the packets that waited for nothing else.
func (s *side) giveUp(now int64) {
	if len(s.missing) == 0 || now-s.missing[0].time <= lostTime {
		return
	}
	for p := (dissect.Progress{}); len(s.missing) > 0 && now-s.missing[0].time > lostTime && p.Down(len(s.missing)); {
		s.missing = drop(s.missing)
	}
	kept := s.waiting[:0]
	for _, w := range s.waiting {
		if s.isMissing(w.seq) {
			kept = append(kept, w)
		}
	}
	s.waiting = kept
}

// arrived takes a number out of the missing ones.
func (s *side) arrived(seq uint16) {
	for i := range s.missing {
		if s.missing[i].seq == seq {
			s.missing = append(s.missing[:i], s.missing[i+1:]...)
			return
		}
	}
}

// release finds the packets that waited for numbers which are there now.
func (s *side) release(d *dissect.D, v *view) {
	kept := s.waiting[:0]
	for _, w := range s.waiting {
		if s.isMissing(w.seq) {
			kept = append(kept, w)
			continue
		}
		d.Link(w.frame, fReleasedIn, nil)
		if v.rare.releases == 0 {
			v.rare.releases = w.frame
		}
		v.rare.released++
	}
	s.waiting = kept
}

func (s *side) isMissing(below uint16) bool {
	for _, m := range s.missing {
		if int16(m.seq-below) < 0 {
			return true
		}
	}
	return false
}

// acked finds the packet that an Ack acknowledges: the other side's latest with that number.
func (l *link) acked(d *dissect.D, v *view, n *packetNote) {
	e := l.sides[1-d.Dir].find(le16(v.whole[1:]), d.Time())
	if e == nil {
		n.flags |= noteAckLost
		return
	}
	n.prev, n.copies = e.last, e.copies
	switch {
	case !e.reliable:
		n.flags |= noteAckNone
		return
	case e.acked != 0:
		n.flags |= noteAckAgain
		n.first = e.acked
	default:
		e.acked = d.Frame
	}
	d.Link(e.last, fAckedIn, nil)
	if e.first != e.last {
		d.Link(e.first, fAckedIn, nil)
	}
}

// unacked counts the reliable packets of the last 30 s that nobody acknowledged, but for this one.
func (s *side) unacked(d *dissect.D) (n uint16) {
	if s.ring == nil {
		return 0
	}
	for i := range s.ring {
		if e := &s.ring[i]; e.copies != 0 && e.reliable && e.acked == 0 && e.last != d.Frame &&
			d.Time()-e.lastAt <= memoryTime {
			n++
		}
	}
	return n
}

// drop takes the first element away in place, so that appending needs no new memory.
func drop[T any](list []T) []T { return append(list[:0], list[1:]...) }

// sum is a checksum over a packet, so that two with one number can be told apart.
func sum(b []byte) uint32 {
	h := uint64(len(b)) + 1
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * 0x100000001b3
		h ^= h >> 31
	}
	return uint32(h * 0x9e3779b97f4a7c15 >> 32)
}
