package tcp

import "remora/dissect"

// connection is what a connection's two directions did so far.
type connection struct {
	flows    [2]flow
	open     bool // more than SYNs was seen: a SYN from the other side is not the other half of an opening
	reused   bool // its ports had another connection before
	complete uint8
	rtt      int64 // from the last SYN to the acknowledgment that ends the opening
	synTime  int64
	previous dissect.FrameNum
	finSide  int8 // which direction sent a FIN first: -1 none yet
	begun    bool
	followed bool
}

// note is what every segment remembers: where its direction and the other started, its window's scale, and numbers of
// the analysis.
type note struct {
	Seq, Ack uint32 // first sequence numbers of this direction and of the other
	Previous dissect.FrameNum
	Acks     dissect.FrameNum // the segment that this one acknowledges
	Flight   uint32
	Pushed   uint32
	Scale    int8
	Renew    bool
	Passive  bool // a FIN that answers one
	Known    bool // how many bytes are in flight is known, be it none
}

var (
	connections dissect.Store[connection, note]
	verdicts    dissect.Store[struct{}, verdict]
)

// The parts of a complete connection.
const (
	sawSYN = 1 << iota
	sawSYNACK
	sawACK
	sawData
	sawFIN
	sawRST
)

// The numbers of a conversation's facts that TCP uses.
const (
	factComplete = iota
	factRTT
)

// track finds the connection and what the segment must know of it.
func track(d *dissect.D, h *header) (note, verdict) {
	d.Converse(dissect.TableTCP, h.src, h.dst)
	h.frame, h.time = d.Frame, d.Time()
	var v verdict
	look := func(reused bool) note {
		dir := d.Dir
		return connections.Once(d, func(c *connection) note {
			c.reused = c.reused || reused
			n := c.see(dir, h)
			if !n.Renew {
				v = c.analyse(h, dir, &n)
				c.follow(d, dir, h, &n, &v)
			}
			return n
		})
	}
	n := look(false)
	if n.Renew {
		d.Renew()
		n = look(true)
	}
	return n, verdicts.Once(d, func(*struct{}) verdict { return v })
}

// see takes the opening of a connection into account. A SYN with another first number on known ports is a new
// connection.
func (c *connection) see(dir int, h *header) note {
	f, r := &c.flows[dir], &c.flows[1-dir]
	if !c.begun {
		c.begun, c.finSide = true, -1
		f.shift, r.shift = -1, -1
	}
	if h.flags&syn != 0 {
		again := f.sawSYN && f.base != h.seq || !f.sawSYN && c.open
		if h.flags&ack == 0 && again {
			return note{Renew: true}
		}
		f.base, f.known, f.sawSYN = h.seq, true, true
		if f.shift = int8(h.scale); h.scale < 0 && !h.unread {
			f.shift = -2
		}
	}
	c.open = c.open || h.flags&syn == 0
	if !f.known { // the capture began later: the first byte seen is number 1
		f.base, f.known = h.seq-1, true
	}
	if h.flags&ack != 0 && !r.known {
		r.base, r.known = h.ack-1, true
	}
	n := note{Seq: f.base, Ack: r.base, Scale: -1, Previous: c.previous}
	c.previous = h.frame
	if f.sawSYN && r.sawSYN {
		n.Scale = c.scale(f)
	} else if h.flags&syn != 0 {
		n.Scale = -2
	}
	return n
}

// scale is the shift of a direction's windows: both ends must have offered one.
func (c *connection) scale(f *flow) int8 {
	if c.flows[0].shift >= 0 && c.flows[1].shift >= 0 {
		return f.shift
	}
	return min(-1, c.flows[0].shift, c.flows[1].shift)
}

// follow notes how far the connection has come, and what that says of the segment.
func (c *connection) follow(d *dissect.D, dir int, h *header, n *note, v *verdict) {
	if c.reused && h.flags&(syn|ack) == syn && c.complete == 0 {
		v.Marks |= markReused
	}
	first := !c.followed
	c.followed = true
	switch {
	case h.flags&(syn|ack) == syn:
		c.complete |= sawSYN
		c.synTime = h.time
	case first: // of a connection that began before the capture only what follows tells anything
	case h.flags&(syn|ack) == syn|ack:
		c.complete |= sawSYNACK
	case h.payload > 0 && c.complete&sawACK != 0:
		c.complete |= sawData
	case h.flags&ack != 0:
		if c.complete&(sawSYN|sawACK) == sawSYN {
			c.rtt = h.time - c.synTime
			d.Conv().SetFact(factRTT, c.rtt)
		}
		c.complete |= sawACK
	}
	if h.flags&fin != 0 {
		if !first {
			c.complete |= sawFIN
		}
		n.Passive = c.finSide >= 0 && int(c.finSide) != dir
		if c.finSide < 0 {
			c.finSide = int8(dir)
		}
	}
	if h.flags&rst != 0 && !first {
		c.complete |= sawRST
	}
	d.Conv().SetFact(factComplete, int64(c.complete))
}
