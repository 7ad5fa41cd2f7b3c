package touhou

import (
	"fmt"

	"remora/dissect"
)

// The mod giuroll: battle inputs with rollback.
var (
	fGFrom    = proto.Uint8("giuroll.from", "From", "Who sends the inputs.").Named(dissect.Values{1: "host", 2: "client"})
	fGZero    = proto.UnknownBytes("giuroll.zero", "Unknown", "Zero.")
	fGWeather = proto.Uint8("giuroll.weather", "Weather", "Weather of the frame 20 frames before, to find desyncs.")
	fGDelay   = proto.Uint8("giuroll.delay", "Delay", "Input delay.").In("frames")
	fGMax     = proto.Uint8("giuroll.rollback", "Maximum rollback", "Highest rollback.").In("frames")
	fGKeys    = proto.Flags16("giuroll.keys", "Keys", battleKeys,
		"Own inputs, newest first; the first is of the packet's frame.").Also(fKeys)
	fGFrame = proto.Uint32("giuroll.confirmed", "Confirmed frame", "Last frame of the other side that is confirmed.")
	fGTime  = proto.Int32("giuroll.time", "Time difference", "Clock difference in microseconds; 2147483647 is none.").
		In("µs")
	fGOther = proto.FrameRef("giuroll.other_in", "Other side's weather in",
		"The packet in which the other side said which weather it had in the same frame.")
	fGSent = proto.FrameRef("giuroll.confirmed_of", "Confirms", "The packet that first had the confirmed frame.")
	fGTrip = proto.Span("giuroll.trip", "Confirmed after", "Time since that packet.").Derived()

	nGDesync = proto.Expert("giuroll.desync", dissect.Error, "The two games had another weather in the same frame")
)

// giurollLag is by how many frames the weather in a packet is older than its newest input.
const (
	giurollLag  = 20
	giurollRing = 256
)

// A giurollSide is what a side sent: its inputs and weathers by frames, and the packets that had them first.
type giurollSide struct {
	any    bool
	newest uint32
	seen   [giurollRing]struct {
		frame   uint32 // one more than the frame's number
		keys    uint16
		packet  dissect.FrameNum
		weather uint16 // one more than it; of the frame itself
		told    dissect.FrameNum
	}
}

// A rollNote is what a giuroll packet leaves behind.
type rollNote struct {
	sent, other       dissect.FrameNum
	fresh             uint8
	missing           uint16
	differs, conflict bool
}

// roll takes a side's inputs, newest first, the weather of an earlier frame, and the other's frame that it confirms.
func (w *world) roll(d *dissect.D, fromHost bool, frame, confirmed uint32, weather uint8, keys []uint16) (n rollNote) {
	p, l := w.players(d, fromHost), w.link(d)
	for i := range l.giuroll {
		if l.giuroll[i] == nil {
			l.giuroll[i] = &giurollSide{}
		}
	}
	own, other := l.giuroll[d.Dir], l.giuroll[1-d.Dir]
	if own.any && frame+giurollRing < own.newest { // another match
		*own = giurollSide{}
	}
	if first := frame + 1 - uint32(len(keys)); own.any && len(keys) > 0 && first > own.newest+1 {
		n.missing = uint16(min(first-own.newest-1, 65535))
	}
	for i, k := range keys {
		f := frame - uint32(i)
		s := &own.seen[f%giurollRing]
		switch {
		case f > frame:
		case s.frame != f+1:
			s.frame, s.keys, s.packet, s.weather = f+1, k, d.Frame, 0
			n.fresh++
		case s.keys != k:
			n.conflict = true
		}
	}
	if !own.any || frame > own.newest {
		own.any, own.newest = true, frame
	}
	if s := &other.seen[confirmed%giurollRing]; s.frame == confirmed+1 {
		n.sent = s.packet
	}
	if frame < giurollLag {
		return n
	}
	of := frame - giurollLag
	side := uint32(clientTells)
	if fromHost {
		side = hostTells
	}
	d.Session().
		Compare(dissect.TickValue{Game: p.game, Round: p.round(sceneBattle), Tick: of, About: weatherOf, Side: side,
			Value: uint64(weather)})
	if s := &own.seen[of%giurollRing]; s.frame == of+1 {
		s.weather, s.told = uint16(weather)+1, d.Frame
	}
	if s := &other.seen[of%giurollRing]; s.frame == of+1 && s.weather != 0 {
		n.other, n.differs = s.told, s.weather != uint16(weather)+1 && !l.desynced
		l.desynced = l.desynced || n.differs
	}
	return n
}

// leaveGiuroll ends the match of the two players.
func (w *world) leaveGiuroll(d *dissect.D) {
	if p := w.link(d).play; p != nil {
		d.Session().InGame(p.game, func(g *dissect.Game) { g.Enter("match left", d.Frame) })
	}
}

// giuroll reads 0x6B (20 + 2n bytes): sender, 2 zeros, frame, weather, delay, rollback, n, n inputs, confirmed
// frame, clock difference.
func giuroll(d *dissect.D) {
	from := d.Uint(fGFrom)
	d.Bytes(fGZero, 2)
	frame := uint32(d.Uint(fFrame))
	d.Transcript().Tick(uint64(frame))
	weather := uint8(d.Uint(fGWeather))
	d.Uint(fGDelay)
	d.Uint(fGMax)
	var words [255]uint16
	count, more := 0, d.Elements()
	for n := int(d.Uint(fCount)); count < n && more.Next(); count++ {
		words[count] = uint16(d.Uint(fGKeys))
		if d.Labelling() {
			d.Suffix(fGKeys, fmt.Sprintf(" in frame %d", int64(frame)-int64(count)))
		}
	}
	confirmed := uint32(d.Uint(fGFrame))
	d.Int(fGTime)
	if d.Short() || from != 1 && from != 2 {
		return
	}
	n := remember(d, &rollNotes, func(w *world) rollNote {
		return w.roll(d, from == 1, frame, confirmed, weather, words[:count])
	})
	showGiuroll(d, n, count)
	d.Info().Set("f {input.frame} from {giuroll.from:name}, confirmed {giuroll.confirmed}")
}

func showGiuroll(d *dissect.D, n rollNote, count int) {
	d.Set(fFrames, uint64(count))
	d.Set(fNew, uint64(n.fresh))
	if n.fresh > 1 {
		d.Set(fSaved, uint64(n.fresh-1))
	}
	if n.missing > 0 {
		d.Set(fMiss, uint64(n.missing))
		d.Expert(nMissing)
	}
	if n.conflict {
		d.Expert(nConflict)
	}
	if n.sent != 0 {
		d.Set(fGSent, uint64(n.sent))
		d.Packet().SetSince(fGTrip, n.sent)
	}
	if n.other != 0 {
		d.Set(fGOther, uint64(n.other))
	}
	if n.differs {
		d.Expert(nGDesync)
	}
}
