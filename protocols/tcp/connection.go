package tcp

import "remora/dissect"

// connection is what a connection's two directions did so far.
type connection struct {
	flows    [2]flow
	open     bool // more than SYNs was seen: a SYN from the other side is not the other half of an opening
	reused   bool // its ports had another connection before
	complete uint8
	first    uint8 // parts that only the first segment brought, where it is no SYN
	rtt      int64 // from the last SYN to the acknowledgment that ends the opening
	synTime  int64
	finSide  int8 // which direction sent a FIN first: -1 none yet
	begun    bool
	counted  bool // a segment was seen, for complete
	timing   bool // a SYN waits for the acknowledgment that ends the opening
}

// note is what a segment knows when it is shown. It is kept in parts, since every segment has one.
type note struct {
	opening
	answer
	Flight uint32
	Renew  bool
	Known  bool // how many bytes are in flight is known, be it none
}

// An opening is where a direction and the other started, and its windows' scale: the same for most of a direction's
// segments, which have the number of it.
type opening struct {
	Seq, Ack uint32 // first sequence numbers of this direction and of the other
	Scale    int8
}

// commonNote is what every segment leaves behind. The zero note with Flight 1 is a segment that renews the connection.
type commonNote struct {
	Opening uint32 // its number
	Flight  uint32 // in the lower 31 bits, with flightKnown above
}

const flightKnown = 1 << 31

// An answer is what mostly either acknowledgments or segments that are not pushed have.
type answer struct {
	Acks   dissect.FrameNum // the segment that this one acknowledges
	Pushed uint32           // when kept: in which bits it differs from what expected says
}

var (
	connections = dissect.NewStore[connection, commonNote]()
	openings    = dissect.NewStore[struct{}, opening]()
	answers     = dissect.NewStore[struct{}, answer]()
	verdicts    = dissect.NewStore[struct{}, verdict]()
)

func (n *note) pack(number uint32) commonNote {
	if n.Renew {
		return commonNote{Flight: 1}
	}
	u := commonNote{number, n.Flight}
	if n.Known {
		u.Flight |= flightKnown
	}
	return u
}

func (u commonNote) unpack(d *dissect.D) (n note) {
	if u.Opening == 0 {
		n.Renew = u.Flight != 0
		return n
	}
	n.opening = openings.Kept(d, u.Opening)
	n.Flight, n.Known = u.Flight&^flightKnown, u.Flight&flightKnown != 0
	return n
}

// expected is how many bytes were sent since the last push when each segment is pushed.
func (n *note) expected(h *header) uint32 {
	if n.Flight == 0 {
		return 0
	}
	return uint32(h.payload)
}

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
	factComplete = 0
	factRTT      = dissect.FactRoundTrip
)

// track finds the connection and what the segment must know of it.
func track(d *dissect.D, h *header) (note, verdict) {
	d.Ends().Converse(dissect.TableTCP, h.src, h.dst)
	h.frame, h.time = d.Frame, d.Time()
	var v verdict
	var a answer
	look := func(reused bool) (n note) {
		dir := d.Dir
		kept := connections.FirstPass(d, func(c *connection) commonNote {
			c.reused = c.reused || reused
			n = c.see(dir, h)
			if n.Renew {
				return n.pack(0)
			}
			v = c.analyse(h, dir, &n)
			c.follow(d, dir, h, &v)
			a = answer{n.Acks, n.Pushed ^ n.expected(h)}
			return n.pack(c.flows[dir].number(d, n.opening))
		})
		if d.Session().FirstPass() { // it is at hand
			return n
		}
		return kept.unpack(d)
	}
	n := look(false)
	if n.Renew {
		d.Ends().Renew()
		n = look(true)
	}
	h.previous = d.Ends().Previous(fDelta)
	n.answer = answers.Note(d, a)
	n.Pushed ^= n.expected(h)
	return n, verdicts.Note(d, v)
}

// number is that of the direction's opening.
func (f *flow) number(d *dissect.D, o opening) uint32 {
	if f.opening == 0 || f.opened != o || openings.Renewed(d, f.opening) {
		f.opening, f.opened = openings.Keep(d, o), o
	}
	return f.opening
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
	n := note{opening: opening{Seq: f.base, Ack: r.base, Scale: -1}}
	if n.Scale = c.scale(f); n.Scale < 0 && h.flags&syn != 0 {
		n.Scale = -2
	}
	return n
}

// scale is the shift of a direction's windows: -2 where either end has offered none, and -1 where its SYN was not
// captured. An end whose SYN alone was captured is taken to have what it offered, as in Wireshark: nearly everybody
// agrees to it.
func (c *connection) scale(f *flow) int8 {
	if min(c.flows[0].shift, c.flows[1].shift) == -2 {
		return -2
	}
	return f.shift
}

// follow notes how far the connection has come, and what that says of the segment.
func (c *connection) follow(d *dissect.D, dir int, h *header, v *verdict) {
	if c.reused && h.flags&(syn|ack) == syn && c.complete == 0 {
		v.Marks |= markReused
	}
	c.handshake(d, h)
	c.count(h)
	d.Ends().SetFact(factComplete, int64(c.complete)|int64(c.first)<<8)
	if h.flags&fin != 0 {
		v.Passive = c.finSide >= 0 && int(c.finSide) != dir
		if c.finSide < 0 {
			c.finSide = int8(dir)
		}
	}
}

// count counts which parts of a connection were seen. Where a capture begins in the midst of one, its first segment
// counts for the others only, as in Wireshark.
func (c *connection) count(h *header) {
	if parts := h.parts(); c.counted || parts&sawSYN != 0 {
		c.complete |= parts
	} else {
		c.first = parts
	}
	c.counted = true
}

// parts are those of a whole connection that the segment is.
func (h *header) parts() (p uint8) {
	switch {
	case h.flags&(syn|ack) == syn:
		p = sawSYN
	case h.flags&(syn|ack) == syn|ack:
		p = sawSYNACK
	case h.payload > 0 && h.flags&rst == 0:
		p = sawData
	case h.flags&ack != 0:
		p = sawACK
	}
	if h.flags&(fin|ack) == fin|ack {
		p |= sawFIN
	}
	if h.flags&rst != 0 {
		p |= sawRST
	}
	return p
}

// completeness is which parts of its connection the capture has, as the frame tells it: those in front of it where the
// capture is read but once, as in tshark.
func completeness(d *dissect.D) uint64 {
	v, before := d.Ends().FactBefore(factComplete)
	fact := uint64(v)
	if !before && d.Frame != d.Conversation().First {
		fact |= fact >> 8
	}
	return fact & 0xff
}

// handshake measures the time from the first SYN to the first ACK behind it.
func (c *connection) handshake(d *dissect.D, h *header) {
	switch {
	case h.flags&(syn|ack) == syn:
		c.synTime, c.timing = h.time, true
	case h.flags&(syn|ack) == ack && c.timing && c.synTime != 0: // at 0 it is none for Wireshark
		c.rtt, c.timing = h.time-c.synTime, false
		d.Ends().SetFact(factRTT, c.rtt)
	}
}
