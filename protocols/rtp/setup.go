package rtp

import (
	"strings"

	"remora/dissect"
)

// A setup is what a description said last of an end: where, and which forms payload types stand for.
type setup struct {
	frame  dissect.FrameNum
	by     uint8 // the protocol of the description
	secure bool
	forms  map[uint8]form
}

// A form is what a payload type stands for by a description: its name, and where that stands.
type form struct {
	name dissect.Ref
	text string // in lower case
	word uint32 // the name as a number, see dissect.Word
	rate uint32
}

// A setupNote is what a packet remembers of the description of its stream.
type setupNote struct {
	Frame  dissect.FrameNum
	Name   dissect.Ref
	Form   uint32
	Rate   uint32
	Known  bool // Form is set
	Secure bool
	By     uint8
}

var setups = dissect.NewStore[setup, setupNote]()

// described finds what was said of the first of two ends, and in its place what of the second. An end says in which
// forms it wants to be sent media: the first is the one that a packet goes to.
func described(d *dissect.D, kind uint64, first, second dissect.Endpoint) setupNote {
	if d.Conversation() == nil {
		return setupNote{}
	}
	look := func(s *setup) setupNote {
		if s.frame == 0 {
			return setupNote{}
		}
		n := setupNote{Frame: s.frame, Secure: s.secure, By: s.by}
		if f, ok := s.forms[uint8(kind)]; ok {
			n.Name, n.Form, n.Rate, n.Known = f.name, f.word, f.rate, true
		}
		return n
	}
	n, other := setups.FirstPassAt(d, first, look), setups.FirstPassAt(d, second, look)
	switch {
	case n.Frame == 0:
		return other
	case other.Frame == 0:
		return n
	}
	if !n.Known {
		n.Name, n.Form, n.Rate, n.Known = other.Name, other.Form, other.Rate, other.Known
	}
	n.Frame = min(n.Frame, other.Frame) // the offer, of which the other is the answer
	return n
}

// The protocols of descriptions.
const (
	bySDP = iota
	byRTSP
)

var setupWords = [...]string{"SDP", "RTSP"}

// describe keeps a description of an end.
func describe(d *dissect.D, e dissect.Endpoint, by uint8, secure bool, forms map[uint8]form) {
	setups.FirstPassAt(d, e, func(s *setup) setupNote {
		*s = setup{frame: d.Frame, by: by, secure: secure, forms: forms}
		return setupNote{}
	})
}

// show records where the stream was described.
func (n setupNote) show(d *dissect.D, group, in, by *dissect.Field) {
	if n.Frame == 0 {
		return
	}
	d.In(group, func() {
		d.Set(in, uint64(n.Frame))
		d.SetText(by, setupWords[n.By])
	})
}

// word is the number of a form's name, which is the same in upper and lower case.
func word(name string) uint32 { return dissect.Word(strings.ToLower(name)) }
