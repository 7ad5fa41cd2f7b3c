package touhou

import "remora/dissect"

// settings are what the host sent last in SOKUROLL_SETTINGS.
type settings struct {
	known, accepted bool
	rollback, delay uint8
	tries           uint32
	first           dissect.FrameNum
}

// stateRing is how many SOKUROLL_STATEs of each side wait for the other's.
const stateRing = 64

type stateSeen struct {
	frame  uint32 // one more than the frame's number
	values [5]uint32
	packet dissect.FrameNum
}

// A sokuNote is what Sokuroll's packets leave behind.
type sokuNote struct {
	frame   dissect.FrameNum
	tries   uint32
	differs uint8 // bit i: value i of the state
	first   bool
}

// A clock is the TIMEs that a side sent last.
type clock struct {
	newest uint32
	sent   [16]struct{ seq, stamp uint32 }
}

// time takes a TIME: which of its side's were not captured.
func (w *world) time(d *dissect.D, seq, stamp uint32) (n sokuNote) {
	c := &w.activate(d).clocks[d.Dir]
	if c.newest != 0 && seq > c.newest {
		n.tries = seq - c.newest - 1
	}
	c.newest = max(c.newest, seq)
	c.sent[seq%16] = struct{ seq, stamp uint32 }{seq, stamp}
	return n
}

// timeAck takes an ACK, which must be the TIME but for its type.
func (w *world) timeAck(d *dissect.D, seq, stamp uint32) (n sokuNote) {
	was := w.activate(d).clocks[1-d.Dir].sent[seq%16]
	n.first = was.seq == seq && was.seq != 0 && was.stamp != stamp
	return n
}

// activate notes that Sokuroll speaks on the link: battle inputs are read by its rules from here on.
func (w *world) activate(d *dissect.D) *link {
	l := w.link(d)
	l.sokuroll = true
	if l.play != nil {
		d.Session().InGame(l.play.game, nil)
	}
	return l
}

// settings takes what the host wants; the host alone sends it.
func (w *world) settings(d *dissect.D, rollback, delay uint8) sokuNote {
	w.players(d, true)
	l := w.activate(d)
	s := &l.settings
	if !s.known || s.accepted || s.rollback != rollback || s.delay != delay {
		*s = settings{known: true, rollback: rollback, delay: delay, first: d.Frame}
	}
	n := sokuNote{frame: s.first}
	if s.tries++; s.tries == 1 {
		n.frame = 0
	}
	n.tries = s.tries
	return n
}

func (w *world) settingsAck(d *dissect.D) sokuNote {
	w.activate(d).settings.accepted = true
	return sokuNote{}
}

// state compares both sides' states of one frame; all five values must be equal.
func (w *world) state(d *dissect.D, frame uint32, values [5]uint32) (n sokuNote) {
	l := w.activate(d)
	for i := range l.states {
		if l.states[i] == nil {
			l.states[i] = new([stateRing]stateSeen)
		}
	}
	if frame == 1<<32-1 {
		return n
	}
	for i, v := range values[:4] {
		if v == 1<<31 { // as numbers, -0 and 0 are equal
			values[i] = 0
		}
	}
	l.play.compareState(d, frame, &values)
	l.states[d.Dir][frame%stateRing] = stateSeen{frame + 1, values, d.Frame}
	other := &l.states[1-d.Dir][frame%stateRing]
	if other.frame != frame+1 {
		return n
	}
	n.frame = other.packet
	for i := range values {
		if values[i] != other.values[i] {
			n.differs |= 1 << i
		}
	}
	if n.differs != 0 && !l.desynced {
		l.desynced, n.first = true, true
	}
	return n
}
