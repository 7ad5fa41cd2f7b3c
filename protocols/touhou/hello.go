package touhou

import "remora/dissect"

// A helloSide is the HELLOs that one side of a link sent.
type helloSide struct {
	index   uint32    // HELLOs so far
	rounds  [4]uint32 // by purpose
	purpose int
	since   int64       // when the round began
	open    []openHello // those that an OLLEH may still answer, oldest first
	trip    int64       // the last round trip, 0 before one is known
	sure    bool        // the trip is that of a HELLO that had no rivals
}

// An openHello is a HELLO that no OLLEH answered yet.
type openHello struct {
	index, round uint32
	frame        dissect.FrameNum
	time         int64
}

// A punchRequest is a HELLO that asks its receiver to let target open its NAT.
type punchRequest struct {
	target, from dissect.Endpoint // from has the predicted port
	frame        dissect.FrameNum
}

// A punchSeen is a PUNCH that makes child send an OLLEH to the peer it is kept at.
type punchSeen struct {
	child dissect.Endpoint
	frame dissect.FrameNum
	time  int64
}

const (
	roundGap    = 60e6  // a round is sent at once, the next about 129 ms later
	likelyTrip  = 300e6 // few play over longer round trips
	longestTrip = 1e9   // what is older has no answer
	maxOpen     = 64
)

func (w *world) hello(d *dissect.D, purpose int, target dissect.Endpoint, predicted uint16) helloNote {
	h := &w.link(d).hellos[d.Dir]
	h.index++
	if h.index == 1 || h.purpose != purpose || d.Time()-h.since > roundGap {
		h.since, h.purpose = d.Time(), purpose
		h.rounds[purpose]++
	}
	from := dissect.Endpoint{Addr: d.Src.Addr, Port: predicted}
	if purpose == purposePunch {
		if predicted != 0 {
			p := w.peer(d.Dst)
			p.punches[p.punchCount%len(p.punches)] = punchRequest{target, from, d.Frame}
			p.punchCount++
		}
	} else {
		h.forget(d.Time())
		h.open = append(h.open, openHello{h.index, h.rounds[purpose], d.Frame, d.Time()})
		// A large hint is the second socket's port; in punch requests a number grows on top of it.
		if predicted >= 11000 && predicted <= 11999 && d.Src.Port != predicted {
			w.pairSockets(d, d.Src, from)
		}
	}
	n := helloNote{index: h.index, round: h.rounds[purpose], main: w.peer(d.Src).main}
	if n.redirect = w.follows(d.Src, target); n.redirect == 0 && n.main != (dissect.Endpoint{}) {
		n.redirect = w.follows(n.main, target)
	}
	return n
}

// pairSockets notes that two sockets are of one program. Its name and role are those of both.
func (w *world) pairSockets(d *dissect.D, main, second dissect.Endpoint) {
	p := w.peer(main)
	w.peer(second).main = main
	if p.second == second {
		return
	}
	p.second = second
	if p.role != "" {
		d.Ends().Role(second, p.role+", second socket")
	}
	if p.name != "" {
		d.Ends().Name(second, p.name)
	}
}

// forget drops HELLOs that are too old for a response.
func (h *helloSide) forget(now int64) {
	n := max(0, len(h.open)-maxOpen+1)
	for n < len(h.open) && now-h.open[n].time > longestTrip {
		n++
	}
	h.open = append(h.open[:0], h.open[n:]...)
}

// follows is the REDIRECT that sent e to target, or 0.
func (w *world) follows(e, target dissect.Endpoint) dissect.FrameNum {
	if p := w.peers.Find(e); p != nil && p.sentTo == target {
		return p.sentIn
	}
	return 0
}

// pick says which open HELLO an OLLEH answers, and how many rounds it may have answered. Rounds follow each other after
// 129 ms, so a longer round trip makes several possible: the one whose trip is like the last is taken; before one is
// known, the first of the rounds if its trip is one that people play with, else the last, the others having been lost
// or sent before anybody listened.
func (h *helloSide) pick(now int64) (i, rounds int) {
	h.forget(now)
	best, last := 0, 0
	for i := range h.open {
		if i > 0 && h.open[i].round == h.open[i-1].round {
			continue
		}
		rounds++
		last = i
		if h.trip != 0 && apart(now-h.open[i].time, h.trip) < apart(now-h.open[best].time, h.trip) {
			best = i
		}
	}
	if h.trip == 0 && rounds > 1 && now-h.open[0].time > likelyTrip {
		best = last
	}
	return best, rounds
}

func apart(a, b int64) int64 { return max(a-b, b-a) }

// take answers an open HELLO. Those before it were not answered.
func (h *helloSide) take(i, rounds int, now int64) {
	h.trip = max(now-h.open[i].time, 1)
	h.sure = h.sure || rounds == 1 && h.open[i].round == 1
	h.open = append(h.open[:0], h.open[i+1:]...)
}

// olleh finds what an OLLEH answers: a HELLO of its receiver, or a PUNCH that told its sender to open the way,
// whichever waits longer.
func (w *world) olleh(d *dissect.D) (n linkNote) {
	l := w.link(d)
	l.opened[d.Dir] = true
	h, now := &l.hellos[1-d.Dir], d.Time()
	at, rounds := h.pick(now)
	asked := w.punchFor(d)
	switch {
	case asked != nil && (rounds == 0 || asked.frame < h.open[at].frame):
		n.frame = asked.frame
		*asked = punchSeen{}
	case rounds > 0:
		n.count = h.open[at].index
		if rounds > 1 && !h.sure {
			n.rivals = uint8(rounds)
		}
		h.take(at, rounds, now)
	default:
		n.flags |= flagUnasked
		h.trip, h.sure = 0, false // the OLLEHs before answered earlier rounds
	}
	return n
}

// punchFor is the oldest PUNCH that tells the sender to answer the receiver.
func (w *world) punchFor(d *dissect.D) (found *punchSeen) {
	p := w.peers.Find(d.Dst)
	if p == nil {
		return nil
	}
	for i := range p.punched {
		s := &p.punched[i]
		if s.frame != 0 && s.child == d.Src && d.Time()-s.time <= longestTrip && (found == nil || s.frame < found.frame) {
			found = s
		}
	}
	return found
}

// punch finds the request behind a PUNCH: same target, same predicted port. The receiver is a child of the sender.
func (w *world) punch(d *dissect.D, address dissect.Endpoint) (n linkNote) {
	p := w.peer(d.Src)
	for i := range p.punches {
		r := &p.punches[i]
		if r.frame != 0 && r.from == address && r.target == d.Dst {
			n.frame, r.frame = r.frame, 0
			break
		}
	}
	a := w.peer(address)
	a.punched[a.punchedN%len(a.punched)] = punchSeen{d.Dst, d.Frame, d.Time()}
	a.punchedN++
	w.adopt(d, d.Src, d.Dst)
	w.place(&n, d.Src, d.Dst)
	return n
}
