package dissect

import "encoding/binary"

// LookAhead is how many packets behind one may tell what the conversation is that begins with it. Whoever has packets
// pass as they come, and wants them to be recognised as in a file, holds back as many.
const LookAhead = 256

// ahead finds the next datagrams of a conversation in the packets behind the one that passes. They are known by their
// addresses and ports, which stand where they stand in this one: each packet is read once for each size of addresses
// and leaves a number.
type ahead struct {
	place addresses
	upTo  FrameNum // the packets have numbers up to here
	marks [LookAhead]uint32
}

// addresses are where those of a datagram stand in its packet: two of a size, and behind them the ports.
type addresses struct{ at, size int }

// ofDatagram finds the addresses of a datagram whose payload begins at pos, if nothing stands between them and UDP.
func ofDatagram(b []byte, pos int, src, dst *Endpoint) (p addresses, ok bool) {
	read, front := IPv4Addr, 12 // so many bytes of the header are in front of the addresses
	if p.size = 4; src.Addr.Kind() == AddrIPv6 {
		p.size, read, front = 16, IPv6Addr, 8
	}
	if p.at = pos - 8 - 2*p.size; p.at < front || !p.datagram(b) {
		return p, false
	}
	return p, read(b[p.at:]) == src.Addr && read(b[p.at+p.size:]) == dst.Addr &&
		binary.BigEndian.Uint16(b[pos-8:]) == src.Port && binary.BigEndian.Uint16(b[pos-6:]) == dst.Port
}

// payload is where what UDP carries begins.
func (p addresses) payload() int { return p.at + 2*p.size + 8 }

// datagram tells whether a packet has a whole datagram of UDP there.
func (p addresses) datagram(b []byte) bool {
	if len(b) < p.payload() {
		return false
	}
	if p.size == 16 {
		return b[p.at-8]>>4 == 6 && b[p.at-2] == 17
	}
	return b[p.at-12] == 0x45 && b[p.at-3] == 17 && b[p.at-6]&0x3f == 0 && b[p.at-5] == 0
}

// mark is a number for the two ends of a packet's datagram, in either direction, or 0.
func (p addresses) mark(b []byte) uint32 {
	if !p.datagram(b) {
		return 0
	}
	ports := b[p.at+2*p.size:]
	return 1 | (p.end(b[p.at:], ports) + p.end(b[p.at+p.size:], ports[2:]))
}

func (p addresses) end(addr, port []byte) uint32 {
	h := uint64(binary.BigEndian.Uint16(port))
	for i := 0; i < p.size; i += 4 {
		h = (h ^ uint64(binary.BigEndian.Uint32(addr[i:]))) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return uint32(h >> 16)
}

// eachAhead has visit look at the next datagrams of the conversation as if they passed, until it says that it has seen
// enough. What guesses keep for the conversation is kept for these looks alone. It tells false where the addresses are
// not in front of the datagram, as in one of several fragments: then nobody can look.
func (d *D) eachAhead(visit func() (enough bool)) (can bool) {
	place, ok := ofDatagram(d.data, d.pos, &d.Src, &d.Dst)
	if !ok || d.src != 0 {
		return false
	}
	a := &d.s.ahead[place.size/16]
	if a.place != place {
		a.place, a.upTo = place, 0
	}
	last := min(d.Frame+LookAhead, FrameNum(d.s.store.Len()))
	for a.upTo = max(a.upTo, d.Frame); a.upTo < last; a.upTo++ {
		b, err := d.reader.Ahead(int(a.upTo))
		if err != nil {
			b = nil
		}
		a.marks[(a.upTo+1)%LookAhead] = place.mark(b)
	}
	mark := place.mark(d.data)
	c, src, dst, dir, meta, data, pos, end, cut := d.conv, d.Src, d.Dst, d.Dir, d.meta, d.data, d.pos, d.end, d.cut
	d.conv = &Conversation{settled: settled{A: c.A, B: c.B, ID: c.ID, Stream: c.Stream, First: c.First, began: c.began,
		tags: c.tags, plugin: noPlugin}, Transport: c.Transport, likely: noPlugin, looked: true}
	defer func() {
		d.s.retention.states -= int64(d.conv.held)
		d.conv, d.Src, d.Dst, d.Dir, d.meta, d.data, d.pos, d.end, d.cut = c, src, dst, dir, meta, data, pos, end, cut
	}()
	if visit() {
		return true
	}
	for n := d.Frame + 1; n <= last; n++ {
		if a.marks[n%LookAhead] == mark && d.goAhead(n, place, src, dst, dir) && visit() {
			break
		}
	}
	return true
}

// goAhead puts the cursor on the payload of a later datagram, if it is one between the two ends.
func (d *D) goAhead(n FrameNum, place addresses, src, dst Endpoint, dir int) bool {
	size := int(d.s.store.Meta(int(n) - 1).CapLen)
	b, err := d.reader.ReadAt(int(n)-1, 0, size, d.room(size))
	if err != nil || !place.datagram(b) {
		return false
	}
	d.Src, d.Dst, d.Dir = src, dst, dir
	if _, same := ofDatagram(b, place.payload(), &src, &dst); !same {
		d.Src, d.Dst, d.Dir = dst, src, 1-dir
		if _, same = ofDatagram(b, place.payload(), &dst, &src); !same {
			return false
		}
	}
	d.meta = d.s.store.Meta(int(n) - 1)
	d.data, d.pos = b, place.payload()
	d.end = d.pos + int(binary.BigEndian.Uint16(b[d.pos-4:])) - 8
	d.cut = max(0, d.end-len(b))
	d.end = max(d.pos, min(d.end, len(b)))
	return true
}

// foretell asks the next datagrams of the conversation what it surely is: by one of them, or by two in a row.
func (d *D) foretell() (st step) {
	st = step{noPlugin, ByTable}
	likely, looks := uint16(noPlugin), 0
	d.eachAhead(func() bool {
		before := likely
		likely = noPlugin
		for _, g := range d.reg.guessUDP {
			switch conf := d.ask(g); {
			case conf == Strong:
				st = step{g, ByGuess}
				return true
			case conf == Likely && before == g:
				st = step{g, ByRepetition}
				return true
			case conf == Likely && likely == noPlugin:
				likely = g
			}
		}
		looks++
		return looks > maxForetelling
	})
	return st
}

// maxForetelling is how many datagrams of a conversation are asked ahead.
const maxForetelling = 16

// confirmed tells what the next datagrams make of one that may be the plugin's: No when one of them is not, Likely or
// more when one of them says more, Weak as long as nothing tells. seen is how many fit, with the first; where nobody
// can look, the port has the word, but for a datagram that was put together.
func (d *D) confirmed(id uint16) (conf Confidence, seen int) {
	conf = Weak
	can := d.eachAhead(func() bool {
		if conf = d.ask(id); conf == Weak {
			seen++
		}
		return conf != Weak || seen > onTrial
	})
	if !can {
		if d.src != 0 {
			return Weak, 1
		}
		return Weak, onTrial
	}
	return conf, seen
}
