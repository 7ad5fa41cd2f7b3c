package touhou

import (
	"math/bits"

	"remora/dissect"
)

// What a player does, as far as the newest frame of a packet tells.
var (
	hostPace   = newPaceFields("host", "Host")
	clientPace = newPaceFields("client", "Client")
)

type paceFields struct{ held, rate *dissect.Field }

func newPaceFields(name, who string) paceFields {
	return paceFields{
		held: proto.Uint8(name+".held", who+" holds this for",
			"For how many frames the "+name+" has held exactly the newest buttons and directions; 255 is 255 or more.").
			Derived().In("frames"),
		rate: proto.Uint8(name+".rate", who+" inputs per second",
			"How many buttons and directions the "+name+" pressed anew during the last 60 frames, which are one second.").
			Derived().In("/s"),
	}
}

// A pace is what a series tells of its newest frame. held is 0 where it tells nothing.
type pace struct{ held, rate uint8 }

func (f paceFields) show(d *dissect.D, p pace) {
	if p.held > 0 {
		d.Set(f.held, uint64(p.held))
		d.Set(f.rate, uint64(p.rate))
	}
}

// second is the frames of one second.
const second = 60

// A series is one player's inputs, frame by frame in one scene.
type series struct {
	any     bool
	frame   uint32 // newest
	word    uint16
	held    uint8
	rate    uint16
	presses [second]uint8 // by frame, of the last second
}

// feed takes the input of a frame. Frames come in order; older ones change nothing, and of frames left out nothing is
// known but that the second goes on.
func (s *series) feed(frame uint32, word uint16) {
	if s.any && frame <= s.frame {
		return
	}
	if !s.any || frame-s.frame >= second {
		*s = series{any: true, frame: frame, word: word, held: 1}
		return
	}
	if word == s.word && frame == s.frame+1 {
		s.held = min(s.held, 254) + 1
	} else {
		s.held = 1
	}
	for f := s.frame + 1; f < frame; f++ {
		s.put(f, 0)
	}
	s.put(frame, uint8(bits.OnesCount16(word&^s.word)))
	s.frame, s.word = frame, word
}

func (s *series) put(frame uint32, presses uint8) {
	slot := &s.presses[frame%second]
	s.rate += uint16(presses) - uint16(*slot)
	*slot = presses
}

// at is the pace at a frame, which must be the newest.
func (s *series) at(frame uint32) (p pace) {
	if s.any && s.frame == frame {
		p = pace{s.held, uint8(min(s.rate, 255))}
	}
	return p
}
