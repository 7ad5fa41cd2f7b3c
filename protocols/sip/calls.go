package sip

import (
	"hash/fnv"

	"remora/dissect"
)

var (
	fResend   = proto.Bool("resend", "Resent Packet", "The message was sent before.").Derived().TrueFalse("True", "False")
	fOriginal = proto.FrameRef("resend-original", "Suspected resend of frame", "Where it was sent first.")
	fAsked    = proto.FrameRef("response-request", "Request Frame", "The request that this answers.")
	fAnswered = proto.FrameRef("response-frame", "Response Frame", "The first answer to this request.")
	fRelease  = proto.Uint32("release-time", "Release Time (ms)", "Time from the request to end the call to this answer.").
			Derived()
	fTime = proto.Uint32("response-time", "Response Time (ms)", "Time from the request to this answer.").Derived()
)

// A key names a transaction as both ends see it: the call, the number and method of the request, and who asked whom.
// Ports are left out, since answers may come from others.
type key struct {
	call, request uint64
	from, to      dissect.Addr
}

// A transaction is a request and the answers to it so far.
type transaction struct {
	asked     dissect.FrameNum
	at        int64
	responses map[int]dissect.FrameNum // by status
}

type callState struct{ open map[key]*transaction }

// A callNote is what a message remembers of its transaction.
type callNote struct {
	Asked, Original dissect.FrameNum
	Time            int64 // nanoseconds since the request
}

var calls = dissect.NewStore[callState, callNote]()

// Limits of the transactions of a capture and of the answers to one request that are remembered.
const (
	maxOpen = 1 << 16
	maxSaid = 64
)

func hash(parts ...[]byte) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write(p)
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// transaction joins requests, answers and what is sent again.
func (m *reader) transaction() {
	d, h := m.d, m.h
	note := calls.FirstPassIn(d, func(s *callState) callNote {
		verb := m.b[h.verb.from:h.verb.to]
		if h.callID.to == h.callID.from || len(verb) == 0 {
			return callNote{}
		}
		k := key{call: hash(m.b[h.callID.from:h.callID.to]), request: hash(m.b[h.seq.from:h.seq.to], verb), from: d.Src.Addr,
			to: d.Dst.Addr}
		if h.response {
			k.from, k.to = k.to, k.from
		}
		n := s.step(d, k, h)
		if string(verb) == "ACK" { // it confirms the answer to an INVITE of the same number
			k.request = hash(m.b[h.seq.from:h.seq.to], []byte("INVITE"))
			if t := s.open[k]; t != nil {
				n.Asked, n.Time = t.asked, d.Time()-t.at
			}
		}
		return n
	})
	again := uint64(0)
	if note.Original != 0 {
		again = 1
	}
	d.Set(fResend, again)
	if note.Original != 0 {
		d.Set(fOriginal, uint64(note.Original))
	}
	if h.request {
		if note.Original == 0 && note.Asked == 0 { // not sent again, nor what confirms an answer
			d.Links().IsRequest()
		}
		d.Links().ShowForward(fAnswered)
	}
	if note.Asked != 0 {
		if h.response {
			d.Links().ResponseTo(note.Asked, fAnswered, fAsked)
		} else {
			d.Link(note.Asked, nil, fAsked)
		}
		d.Set(fTime, uint64(max(0, note.Time))/1e6)
		if h.response && string(m.b[h.verb.from:h.verb.to]) == "BYE" {
			d.Set(fRelease, uint64(max(0, note.Time))/1e6)
		}
	}
}

// step takes a message into its transaction.
func (s *callState) step(d *dissect.D, k key, h *head) (n callNote) {
	if s.open == nil || len(s.open) >= maxOpen {
		s.open = map[key]*transaction{}
	}
	t := s.open[k]
	udp := d.Ends().Transport() != dissect.TableTCP
	switch {
	case h.request && t != nil:
		if udp {
			n.Original = t.asked
		}
	case h.request:
		s.open[k] = &transaction{asked: d.Frame, at: d.Time()}
	case t != nil:
		n.Asked, n.Time = t.asked, d.Time()-t.at
		if first := t.responses[h.status]; first != 0 {
			if udp {
				n.Original = first
			}
			return n
		}
		if t.responses == nil {
			t.responses = map[int]dissect.FrameNum{}
		}
		if len(t.responses) < maxSaid {
			t.responses[h.status] = d.Frame
		}
	}
	return n
}
