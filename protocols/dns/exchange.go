package dns

import "remora/dissect"

// exchangeState is what was asked in a conversation, by the number of the question. The first question, mostly the only
// one since programs take a new port for each, needs no map.
type exchangeState struct {
	firstID uint64
	first   asked
	others  map[uint64]asked
}
type asked struct{ question, answer dissect.FrameNum }

func (s *exchangeState) get(id uint64) (a asked, known bool) {
	if s.first.question != 0 && s.firstID == id {
		return s.first, true
	}
	a, known = s.others[id]
	return a, known
}

func (s *exchangeState) put(id uint64, a asked) {
	switch {
	case s.first.question == 0 || s.firstID == id:
		s.firstID, s.first = id, a
		return
	case s.others == nil:
		s.others = map[uint64]asked{}
	}
	s.others[id] = a
}

// exchange is how a message stands to earlier ones of its number.
type exchange struct {
	Question dissect.FrameNum // that this answer is for
	Before   dissect.FrameNum // where the same was sent before
	Unasked  bool
}

var exchanges = dissect.NewStore[exchangeState, exchange]()

// maxAsked bounds the questions remembered in one conversation.
const maxAsked = 4096

// exchange joins question and answer. Multicast DNS has no such pairs: its numbers are zero.
func (m *reader) exchange(id uint64, response bool) exchange {
	d := m.d
	if m.mdns {
		return exchange{}
	}
	return exchanges.FirstPass(d, func(s *exchangeState) (e exchange) {
		if len(s.others) >= maxAsked {
			*s = exchangeState{}
		}
		a, known := s.get(id)
		switch {
		case !response && (!known || a.answer != 0):
			s.put(id, asked{question: d.Frame})
		case !response && a.question != d.Frame:
			e.Before = a.question
		case !response:
		case !known:
			e.Unasked = d.Conversation() != nil
		case a.answer == 0:
			s.put(id, asked{a.question, d.Frame})
			e.Question = a.question
		default:
			e.Before = a.answer
		}
		return e
	})
}

// links shows what exchange found.
func (m *reader) links(e exchange, response bool) {
	d := m.d
	if e.Before != 0 {
		d.Set(fAgain, 1)
		if response {
			d.Set(fToldIn, uint64(e.Before))
			d.Expert(nToldA)
		} else {
			d.Set(fAskedIn, uint64(e.Before))
			d.Expert(nAskedA)
		}
	}
	switch {
	case e.Unasked:
		d.Set(fUnasked, 1)
	case e.Question != 0:
		d.Links().ResponseTo(e.Question, fRespIn, nil)
		d.Set(fRespTo, uint64(e.Question))
		d.Packet().SetSince(fInTime, e.Question)
	case !response:
		if !m.mdns {
			d.Links().IsRequest()
		}
		d.Links().ShowForward(fRespIn)
	}
}
