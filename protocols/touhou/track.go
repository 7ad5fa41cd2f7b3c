package touhou

import "remora/dissect"

// ringSize is how many frames of a scene are remembered on each side of a link.
const ringSize = 256

// A track is the inputs of one scene on one link: those that the host sent, and those that the client sent.
type track struct{ sides [2]side }

const (
	sideHost = iota
	sideClient
)

type side struct {
	any     bool
	newest  uint32
	lastNew int64
	ring    [ringSize]sent
	inputs  [2]series // the sender's own, and in the host's pairs the client's
}

// A sent is what was sent for one frame. frame is one more than the frame's number, so that 0 is nothing.
type sent struct {
	frame uint32
	words [2]uint16
	first dissect.FrameNum
}

func (s *side) find(frame uint32) *sent {
	if e := &s.ring[frame%ringSize]; e.frame == frame+1 {
		return e
	}
	return nil
}

// An inputNote is what a GAME_INPUT leaves behind. Bit i of the masks is the frame i before the newest.
// What hardly any packet has is a note of its own: a match sends sixty packets a second and side. What both notes tell
// in fewer bytes stands before them.
type inputNote struct {
	repeats uint64
	first   dissect.FrameNum // where the newest frame was sent first, if not here
	step    dissect.FrameNum // the other player's packet that made this frame possible
	commonInput
	rareInput
}

type commonInput struct {
	firstBack uint16 // frames of the capture back to first, 0 when rareInput has it
	stepBack  uint16 // the same for step
	fresh     uint8
	flags     uint8 // and above them the input delay of Sokuroll's settings and one
	match     uint8 // number of the match, 0 outside of one
	ahead     int8  // frames by which the sender's newest leads the other side's
	pace      [2]pace
}

type rareInput struct {
	unusual           uint64 // where repeats differs from what behind makes of fresh
	conflicts, echoes uint64
	farFirst, farStep dissect.FrameNum
	stall             uint32 // ms
	missing           uint16
}

func (n *inputNote) repeated(age int) bool { return age < 64 && n.repeats>>age&1 != 0 }

// behind is the mask of the frames that a packet of so many carries behind its new ones: usually they are the repeats.
func behind(fresh uint8, frames int) uint64 {
	return ^(^uint64(0) << min(frames, 64)) &^ (1<<fresh - 1)
}

// pack fills the parts that are kept, unpack what they tell.
func (n *inputNote) pack(d *dissect.D, in *inputs) {
	n.unusual = n.repeats ^ behind(n.fresh, in.frames(n.sokuroll(in)))
	n.firstBack, n.farFirst = packBack(d.Frame, n.first)
	n.stepBack, n.farStep = packBack(d.Frame, n.step)
}

func (n *inputNote) unpack(d *dissect.D, in *inputs) {
	n.repeats = n.unusual ^ behind(n.fresh, in.frames(n.sokuroll(in)))
	n.first = unpackBack(d.Frame, n.firstBack, n.farFirst)
	n.step = unpackBack(d.Frame, n.stepBack, n.farStep)
}

func packBack(here, there dissect.FrameNum) (back uint16, far dissect.FrameNum) {
	if n := here - there; there != 0 && n > 0 && n < 1<<16 {
		return uint16(n), 0
	}
	return 0, there
}

func unpackBack(here dissect.FrameNum, back uint16, far dissect.FrameNum) dissect.FrameNum {
	if back != 0 {
		return here - dissect.FrameNum(back)
	}
	return far
}

// sokuroll reports whether the packet's words are read by Sokuroll's rules.
func (n *inputNote) sokuroll(in *inputs) bool {
	return n.flags&inputSokuroll != 0 && in.scene == sceneBattle
}

const (
	inputSokuroll = 1 << iota
	inputDelayDiffers
	inputFirst      // of its side in the scene
	inputWindow     // not as many frames as the settings make Sokuroll send
	inputDelay  = 4 // the bit where the delay begins
)

func trackOf(scene uint8) int {
	if scene == sceneBattle {
		return 1
	}
	return 0
}

// restart is how far a frame id must fall back for the scene to have begun again without being announced.
const restart = 600

// awaits reports whether a side has announced the scene and got no acknowledgement so far.
func (l *link) awaits(scene uint8) bool {
	for _, a := range l.announced {
		if a.key&0xff == uint64(scene) && a.key>>8&0xff == subLoaded {
			return true
		}
	}
	return false
}

// input takes a GAME_INPUT: what in it is new, repeated, missing, contradictory or late.
func (w *world) input(d *dissect.D, in *inputs) (n inputNote) {
	l, p := w.link(d), w.players(d, in.fromHost)
	if !in.fromHost && in.scene == sceneBattle && in.count > 1 {
		l.sokuroll = true
	}
	if l.sokuroll {
		n.flags |= inputSokuroll
	}
	if in.scene != sceneSelect && in.scene != sceneBattle {
		return n
	}
	sokuroll := l.sokuroll && in.scene == sceneBattle
	if p.scene == 0 || p.scene != in.scene && l.awaits(in.scene) { // the acknowledgement was not captured
		w.enter(d, p, in.scene)
	}
	t := l.track(in.scene)
	who := sideClient
	if in.fromHost {
		who = sideHost
	}
	if s := &t.sides[who]; s.any && in.frame < 100 && in.frame+restart < s.newest {
		p.scene = 0
		l.tracks[trackOf(in.scene)] = nil
		w.enter(d, p, in.scene)
		t = l.track(in.scene)
	}
	if sokuroll && in.fromHost && in.count > 0 && l.settings.known && in.words[0] != uint16(l.settings.delay) {
		n.flags |= inputDelayDiffers
	}
	if in.scene == sceneBattle {
		n.match = p.matches
	}
	frames := t.take(d, p, in, who, sokuroll, &n)
	t.pace(d, in, who, frames, &n)
	if sokuroll {
		t.ahead(who, &n)
		l.settings.compare(in, frames, &n)
	} else {
		t.lockstep(in, who, &n)
	}
	return n
}

// ahead notes by how many frames the sender leads.
func (t *track) ahead(who int, n *inputNote) {
	if other := &t.sides[1-who]; other.any {
		n.ahead = int8(max(-128, min(127, int64(t.sides[who].newest)-int64(other.newest))))
	}
}

// compare holds inputs against the settings that the host sent: each packet has the frames of the longest rollback and
// the delay, and four at least.
func (s *settings) compare(in *inputs, frames int, n *inputNote) {
	if !s.known || s.delay > 8 || s.rollback > 8 {
		return
	}
	n.flags |= (s.delay + 1) << inputDelay
	window := max(4, 2*(int(s.rollback)+int(s.delay)))
	if s.accepted && in.frame > 2*uint32(window) && frames != window {
		n.flags |= inputWindow
	}
}

func (l *link) track(scene uint8) *track {
	t := &l.tracks[trackOf(scene)]
	if *t == nil {
		*t = new(track)
	}
	return *t
}

// take compares the words with what is known and keeps them. It returns how many frames they are of.
func (t *track) take(d *dissect.D, p *play, in *inputs, who int, sokuroll bool, n *inputNote) (frames int) {
	s := &t.sides[who]
	i, step := in.layout(sokuroll)
	for all, steps := in.frames(sokuroll), (dissect.Progress{}); frames < all && steps.Up(frames); i, frames = i+step,
		frames+1 {
		frame := in.frame - uint32(frames)
		words := [2]uint16{in.words[i], in.words[i+step-1]}
		bit := uint64(1) << min(frames, 63)
		if e := s.find(frame); e != nil {
			if frames < 64 {
				n.repeats |= bit
			}
			if e.words != words {
				n.conflicts |= bit
				p.compareInputs(d, in, frame, words, who, step)
			}
			if frames == 0 {
				n.first = e.first
			}
			continue
		}
		slot := &s.ring[frame%ringSize]
		if slot.frame > frame+1 {
			continue // older than what is remembered: nothing can be said
		}
		*slot = sent{frame + 1, words, d.Frame}
		n.fresh++
		p.compareInputs(d, in, frame, words, who, step)
		if step == 2 && frame > 0 {
			if own := t.sides[sideClient].find(frame - 1); own != nil && own.words[0] != words[1] {
				n.echoes |= bit
			}
		}
		if in.scene == sceneBattle && p.scene == sceneBattle {
			p.record.live(frame, words, who == sideHost, step == 2)
		}
	}
	s.watch(in, i-step, frames, step, n)
	return frames
}

// watch feeds the words of so many frames to the series, the oldest first: its words are those from at on.
func (s *side) watch(in *inputs, at, frames, step int, n *inputNote) {
	for age := frames - 1; age >= 0; age, at = age-1, at-step {
		for who := range step {
			s.inputs[who].feed(in.frame-uint32(age), in.words[at+who])
		}
	}
	for who := range step {
		n.pace[who] = s.inputs[who].at(in.frame)
	}
}

// stallTime is how long a side may send no new frame before it counts as a stall: six frames.
const stallTime = 100e6

// pace notes gaps and stalls.
func (t *track) pace(d *dissect.D, in *inputs, who, frames int, n *inputNote) {
	s := &t.sides[who]
	if !s.any {
		n.flags |= inputFirst
	} else if in.frame <= s.newest {
		return
	}
	if oldest := int64(in.frame) - int64(max(frames, 1)) + 1; s.any && oldest > int64(s.newest)+1 {
		n.missing = uint16(min(oldest-int64(s.newest)-1, 65535))
	}
	if late := d.Time() - s.lastNew; s.any && late > stallTime {
		n.stall = uint32(min(late/1e6, 1<<32-1))
	}
	s.any, s.newest, s.lastNew = true, in.frame, d.Time()
}

// lockstep finds the packet that the newest frame waited for: the host's frame N for the client's N, the client's frame
// N for the host's N+1.
func (t *track) lockstep(in *inputs, who int, n *inputNote) {
	if n.repeated(0) || n.fresh == 0 {
		return
	}
	frame := in.frame
	if who == sideHost {
		if frame == 0 {
			return
		}
		frame--
	}
	if e := t.sides[1-who].find(frame); e != nil {
		n.step = e.first
	}
}
