package touhou

import (
	"strings"

	"remora/dissect"
)

var (
	fSeq     = proto.Uint32("time.seq", "Sequence id", "Number of the TIME among those of this side, from 1.")
	fStamp   = proto.Uint32("time.stamp", "Time stamp", "Clock of the side that sent the TIME.").In("ms")
	fTimeGap = proto.Uint32("time.missing", "Missing TIMEs",
		"Sequence ids between this and the newest before that never came this way in this capture.").Derived()
	fState   = proto.Uint32("state.frame", "Frame", "Frames since the battle began; states are sent from frame 20 on.")
	fHostX   = proto.Float32("state.host.x", "Host x", "Horizontal place of the host's character.")
	fHostY   = proto.Float32("state.host.y", "Host y", "Height of the host's character; 0 is the ground.")
	fClientX = proto.Float32("state.client.x", "Client x", "Horizontal place of the client's character.")
	fClientY = proto.Float32("state.client.y", "Client y", "Height of the client's character; 0 is the ground.")
	fRandom  = proto.Uint32("state.word", "State word",
		"A word of the game's state that must be equal, most likely its random numbers.").Hex()
	fDiffer = proto.String("state.differs", "Differs in",
		"Values that are not the same on the other side in this frame.").Derived()
	fOther    = proto.FrameRef("state.other", "Other side in", "The other side's state of the same frame.")
	fOtherIn  = proto.FrameRef("state.other_in", "Compared in", "The other side's state of the same frame, later.")
	fRollback = proto.Uint8("settings.rollback", "Maximum rollback", "Highest rollback, 0 to 8; the unit is two frames.").
			Format(doubled)
	fSetDelay = proto.Uint8("settings.delay", "Input delay", "Input delay, 0 to 8; the unit is two frames.").
			Format(doubled)
	fTries = proto.Uint32("settings.try", "Attempt",
		"How often these settings were sent without an ACK, this packet included.").Derived()

	nStamp      = proto.Expert("time.changed", dissect.Warn, "The ACK has another time stamp than the TIME")
	nDesync     = proto.Expert("state.desync", dissect.Error, "First frame in which the two games differ")
	nStillApart = proto.Expert("state.apart", dissect.Warn, "The two games still differ")
	nRange      = proto.Expert("settings.range", dissect.Warn, "Above 8: the receiver ignores it")
	nTries      = proto.Expert("settings.unanswered", dissect.Hint, "Settings repeated: no ACK yet")
)

func doubled(v uint64) string { return number(v) + " (" + number(2*v) + " frames)" }

// stateNames are the five values of a state in the order of the packet.
var stateNames = [5]string{"host x", "host y", "client x", "client y", "state word"}

// sokuroll reads the packets of the Sokuroll mod; players alone send them.
func sokuroll(d *dissect.D, kind uint64) {
	switch kind {
	case sokuTime, sokuTimeAck:
		dissectTime(d, kind)
	case sokuState:
		dissectState(d)
	case sokuSet:
		dissectSettings(d)
	default:
		remember(d, &sokuNotes, func(w *world) sokuNote { return w.settingsAck(d) })
		d.Response(keySettings<<56|uint64(1-d.Dir)<<32, fAnsweredIn, fRequestIn, fTime)
		d.Info().Set("settings accepted")
	}
}

// dissectTime reads a TIME or its ACK (9 bytes): u32 sequence id, u32 milliseconds.
func dissectTime(d *dissect.D, kind uint64) {
	seq := d.Uint(fSeq)
	stamp := d.Uint(fStamp)
	if d.Short() {
		return
	}
	d.Transcript().ID(seq)
	take := (*world).time
	if kind == sokuTimeAck {
		take = (*world).timeAck
	}
	n := remember(d, &sokuNotes, func(w *world) sokuNote { return take(w, d, uint32(seq), uint32(stamp)) })
	if n.first {
		d.Expert(nStamp)
	}
	if kind == sokuTime {
		if n.tries > 0 {
			d.Set(fTimeGap, uint64(n.tries))
		}
		d.Request(keyTime<<56|uint64(d.Dir)<<32|seq, fAnsweredIn)
		d.Info().Set("seq {time.seq}, {time.stamp}")
		return
	}
	d.Response(keyTime<<56|uint64(1-d.Dir)<<32|seq, fAnsweredIn, fRequestIn, fTime)
	d.Info().Set("[{time} s round trip, ]seq {time.seq}")
}

// dissectState reads a STATE (25 bytes): u32 frame, four float32, u32 state word.
func dissectState(d *dissect.D) {
	b := d.Data()
	frame := uint32(d.Uint(fState))
	for _, f := range [...]*dissect.Field{fHostX, fHostY, fClientX, fClientY} {
		d.Float(f)
	}
	d.Uint(fRandom)
	if d.Short() {
		return
	}
	d.Transcript().Tick(uint64(frame))
	var values [5]uint32
	for i := range values {
		values[i] = le32(b[4+4*i:])
	}
	n := remember(d, &sokuNotes, func(w *world) sokuNote { return w.state(d, frame, values) })
	d.Link(n.frame, fOtherIn, fOther)
	d.Links().ShowForward(fOtherIn)
	if n.differs != 0 {
		words := differing(n.differs)
		d.SetText(fDiffer, words)
		if n.first {
			d.ExpertText(nDesync, "Desync: frame "+number(uint64(frame))+" is the first to differ, in "+words)
		} else {
			d.Expert(nStillApart)
		}
	}
	d.Info().Set("f {state.frame}[ DESYNC in {state.differs},] host {state.host.x}, {state.host.y} client " +
		"{state.client.x}, {state.client.y}")
}

func differing(mask uint8) string {
	var names []string
	for i, name := range stateNames {
		if mask>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// dissectSettings reads SETTINGS (3 bytes): maximum rollback and input delay.
func dissectSettings(d *dissect.D) {
	rollback, delay := d.Uint(fRollback), d.Uint(fSetDelay)
	if d.Short() {
		return
	}
	if rollback > 8 || delay > 8 {
		d.Expert(nRange)
	}
	n := remember(d, &sokuNotes, func(w *world) sokuNote { return w.settings(d, uint8(rollback), uint8(delay)) })
	d.Request(keySettings<<56|uint64(d.Dir)<<32, fAnsweredIn)
	d.Set(fTries, uint64(n.tries))
	d.Transcript().Repeats(n.frame)
	if n.tries > 1 {
		d.Expert(nTries)
	}
	d.Info().Set("rollback {settings.rollback}, delay {settings.delay}")
}
