package realnet

import (
	"encoding/binary"
	"math"

	"remora/dissect"
)

var (
	fOffset = proto.Span("clock.offset", "Capture's clock minus server's",
		"How far the capture's clock is ahead of the server's, by the times of a request and its answer on both.").Derived()
	fOrigin = proto.Time("clock.origin", "Server's clock was 0",
		"When the server's clock began, where it does not count from 1970.").Derived()
	fDrift = proto.Span("clock.drift", "Changed by",
		"How much the difference of the clocks changed since it was last measured.").Derived()
	fTrip = proto.Span("rtt", "Round trip",
		"Time from a packet to its answer on the network alone: without what the answerer says it took.").Derived()
	fDelay = proto.Span("delay", "On the way",
		"Time from the packet's timestamp to its capture, by the server's clock as far as it is known.").Derived()
	fUp   = proto.Span("sync.up", "Client to server", "Time on the way by the stamps of both sides.").Derived()
	fDown = proto.Span("sync.down", "Server to client",
		"Time on the way of the Init, by the client's stamp and the server's clock as the capture knows it.").Derived()
	fGap      = proto.Span("sync.gap", "Since the last", "Time since the server's last Sync Init.").Derived()
	fPromised = proto.Span("sync.promised", "Promised interval", "The interval that the Accept promised.").Derived()

	fLasted = proto.Span("lasted", "Connected for",
		"Time since the client connected; as built nothing refreshes this clock, and the server ends the connection by it.").
		Derived()

	nInterval = proto.Expert("sync.interval", dissect.Hint,
		"Synchronization comes at another interval than the Accept promised")
	nDelayLie = proto.Expert("delay.bad", dissect.Warn, "The stated delay is longer than the time since the request")
	nOrder    = proto.Expert("time.order", dissect.Warn, "Sent before it was received, by its own stamps")
)

// A clock is what is known of the server's clock against the capture's. Times are ns, stamps µs of the server.
type clock struct {
	known      bool
	asked      int64 // when the sync packet was captured that is answered now
	offset     int64 // capture minus server
	interval   uint32
	acceptAt   int64  // when the server's Accept was captured
	lastSync   int64  // when the last Sync Init was
	clientSent uint64 // stamp of the client's last Sync Acknowledgement
	clientAt   int64  // when it was captured
	replicated uint64 // newest stamp of replication
}

// A timeNote is the clock difference and round trip that handshake and synchronization give, in ns.
type timeNote struct {
	offset, drift, trip, up, down, gap int64
	promised                           uint32 // µs
	flags                              uint8
	lasted                             int64 // from connecting to the Disconnection
}

const (
	timeOffset = 1 << iota
	timeDrift
	timeTrip
	timeUp
	timeDown
	timeGap
	timeBad // a delay longer than what was measured
	timeLasted
)

// maxStamp is the largest stamp that counts: more µs do not fit the numbers that times are kept in.
const maxStamp = 1 << 53

// timing updates the clocks from the timestamps of a packet.
func (l *link) timing(d *dissect.D, v *view, n *packetNote) {
	b, c := v.whole, &l.clock
	if n.first != 0 {
		return
	}
	switch {
	case v.kind == kindAccept && v.layout == layoutBuilt && len(b) == 20:
		l.timeBuilt(d, v, n)
	case v.kind == kindAccept && len(b) == 25:
		c.interval, c.lastSync = binary.LittleEndian.Uint32(b[21:]), 0
		l.measure(&v.times, l.steps[stepInit].time, d.Time(), stamp(b, 5), stamp(b, 13))
	case v.kind == kindSyncInit:
		if c.lastSync != 0 {
			v.times.gap, v.times.promised = d.Time()-c.lastSync, c.interval
			v.times.flags |= timeGap
		}
		c.lastSync = d.Time()
	case v.kind == kindSyncAck && len(b) == 22:
		l.timeSync(d, v, n)
	case v.kind == kindReplication && len(b) >= 12:
		t := stamp(b, 4)
		if t < c.replicated {
			n.flags |= noteStale
		}
		c.replicated = max(c.replicated, t)
		c.oneWayDelay(d.Time(), t, n)
	case v.kind == kindMessage && len(b) >= 12:
		c.oneWayDelay(d.Time(), stamp(b, 4), n)
	}
}

func stamp(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// way works out how long a packet was on its way.
func (c *clock) oneWayDelay(now int64, stamp uint64, n *packetNote) {
	if !c.known || stamp >= maxStamp {
		return
	}
	if us := (now - c.offset - int64(stamp)*1000) / 1000; us > math.MinInt32 && us < math.MaxInt32 {
		n.delay = int32(us)
		n.flags |= noteDelay
	}
}

// measure compares the clocks by a request, captured at asked, that the server received and answered at stamps of its
// own; the answer was captured at told. Without the request only the answer counts, as if it had needed no time.
func (l *link) measure(t *timeNote, asked, told int64, received, sent uint64) {
	if received >= maxStamp || sent >= maxStamp || sent < received {
		return
	}
	c := &l.clock
	r, s := int64(received)*1000, int64(sent)*1000
	offset := told - s
	if asked != 0 {
		t.tripped(told - asked - (s - r))
		offset = asked - r + (told-s-(asked-r))/2
	}
	if c.known {
		t.drift = offset - c.offset
		t.flags |= timeDrift
	}
	t.offset = offset
	t.flags |= timeOffset
	c.offset, c.known = offset, true
}

// timeBuilt takes an Accept as built: the server's has the time when the Init came and the delay until the Accept went,
// the client's the delay between the two Accepts at the client. From that the server works out its latency.
func (l *link) timeBuilt(d *dissect.D, v *view, n *packetNote) {
	time, delay := stamp(v.whole, 4), stamp(v.whole, 12)
	if n.from == fromServer {
		if delay < maxStamp && time < maxStamp {
			l.measure(&v.times, l.steps[stepInit].time, d.Time(), time, time+delay)
		}
		l.clock.acceptAt = d.Time()
		return
	}
	if l.clock.acceptAt == 0 || delay >= maxStamp {
		return
	}
	v.times.tripped(d.Time() - l.clock.acceptAt - int64(delay)*1000)
}

// tripped keeps a round trip. One below zero cannot be: the answerer lied about what it took.
func (t *timeNote) tripped(ns int64) {
	if ns < 0 {
		t.flags |= timeBad
		return
	}
	t.trip = ns
	t.flags |= timeTrip
}

// timeSync takes a Sync Acknowledgement: the client's says when the Init came and when this went, by the server's clock
// as the client knows it; the server's says the same of the client's packet by its own.
func (l *link) timeSync(d *dissect.D, v *view, n *packetNote) {
	sent, received := stamp(v.whole, 6), stamp(v.whole, 14)
	if sent >= maxStamp || received >= maxStamp {
		return
	}
	t, c := &v.times, &l.clock
	asked := int64(0)
	if n.prev != 0 {
		asked = c.asked
	}
	if n.from == fromServer {
		if c.clientAt != 0 && n.prev != 0 {
			t.up = int64(received-c.clientSent) * 1000
			t.flags |= timeUp
		}
		l.measure(t, asked, d.Time(), received, sent)
		return
	}
	c.clientSent, c.clientAt = sent, d.Time()
	if asked == 0 {
		return
	}
	if sent >= received {
		t.tripped(d.Time() - asked - int64(sent-received)*1000)
	}
	if c.known {
		t.down = int64(received)*1000 + c.offset - asked
		t.flags |= timeDown
	}
}

// showTimes records the fields of a timeNote.
func (v *view) showTimes(d *dissect.D) {
	t := &v.times
	for _, x := range [...]struct {
		flag uint8
		f    *dissect.Field
		ns   int64
	}{{timeTrip, fTrip, t.trip}, {timeUp, fUp, t.up}, {timeDown, fDown, t.down}, {timeGap, fGap, t.gap},
		{timeOffset, fOffset, t.offset}, {timeDrift, fDrift, t.drift}, {timeLasted, fLasted, t.lasted}} {
		if t.flags&x.flag != 0 {
			d.Set(x.f, uint64(x.ns))
		}
	}
	switch {
	case t.flags&timeBad == 0:
	case v.kind == kindAccept && v.layout == layoutBuilt && v.n.from == fromClient:
		d.ExpertText(nDelayLie,
			"The client says that answering took longer than the time that passed: the server drops such a client as invalid")
	default:
		d.Expert(nDelayLie)
	}
	if t.flags&timeOffset != 0 && t.offset > longestDay*1000 {
		d.Set(fOrigin, uint64(t.offset))
	}
	if t.flags&timeGap == 0 || t.promised == 0 {
		return
	}
	promised := int64(t.promised) * 1000
	d.Set(fPromised, uint64(promised))
	if t.gap > promised+promised/2+slack || t.gap < promised/2-slack {
		d.Expert(nInterval)
	}
}

// slack is what a synchronization may be late or early on a busy machine, in ns.
const slack = 50e6
