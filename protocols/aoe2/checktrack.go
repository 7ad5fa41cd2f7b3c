package aoe2

import (
	"fmt"

	"remora/dissect"
)

// A check is what the players say of the world at one turn.
type check struct {
	turn  uint32
	count int
	by    [maxPlayers]struct {
		id     uint32
		values [7]uint32
		frame  dissect.FrameNum
	}
}

// A checkNote is what a world check leaves behind.
type checkNote struct {
	copy            copyNote
	agrees, differs dissect.FrameNum
	odd             uint32 // network id
	oddNumber, mask uint8
}

func (w *world) check(d *dissect.D, h *head, turn uint32, v [7]uint32) (n checkNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	n.copy = g.again(d, h.whole)
	d.Session().
		Compare(dissect.TickValue{Game: g.id, Round: g.round, Tick: turn, About: aWorld, Side: p.id, Value: worldSum(v)})
	c := &g.checks[turn%maxChecks]
	if c.turn != turn {
		*c = check{turn: turn}
	}
	known := false
	equal, odd, others := 0, 0, 0
	for i := range c.count {
		o := &c.by[i]
		switch {
		case o.id == p.id:
			known = true
		case o.values == v:
			n.agrees = o.frame
			equal++
		default:
			n.differs, n.mask = o.frame, difference(o.values, v)
			odd = i
			others++
		}
	}
	if !known && c.count < len(c.by) {
		c.by[c.count].id, c.by[c.count].values, c.by[c.count].frame = p.id, v, d.Frame
		c.count++
	}
	// Two that agree make the third one odd.
	switch {
	case others == 1 && equal > 0:
		n.odd = c.by[odd].id
	case others > 1 && equal == 0 && c.agree(p.id):
		n.odd = p.id
	}
	for _, q := range g.players {
		if q.id == n.odd {
			n.oddNumber = q.number
		}
	}
	return n
}

// aWorld is what the players must have the same of at every checked turn.
var aWorld = &dissect.Subject{Title: "world", Tick: "turn",
	Text: func(v uint64, _ uint16) string { return fmt.Sprintf("check %08x", uint32(v)) }}

// worldSum makes one number of a check's values.
func worldSum(v [7]uint32) (sum uint64) {
	for _, x := range v {
		sum = (sum ^ uint64(x)) * 0x9e3779b97f4a7c15
		sum ^= sum >> 32
	}
	return sum
}

// agree reports whether all checksums but one are the same.
func (c *check) agree(but uint32) bool {
	first := -1
	for i := range c.count {
		switch {
		case c.by[i].id == but:
		case first < 0:
			first = i
		case c.by[i].values != c.by[first].values:
			return false
		}
	}
	return true
}

// difference is which values differ, as bits.
func difference(a, b [7]uint32) (mask uint8) {
	for i := range a {
		if a[i] != b[i] {
			mask |= 1 << i
		}
	}
	return mask
}

// A dropNote is what a 24BC51 leaves behind.
type dropNote struct {
	copy    copyNote
	id      uint32
	number  uint8
	silence int64
}

// silentFor is how long a player must have sent nothing to be taken for the one who was dropped.
const silentFor = 500e6

// dropped finds the player who was silent longest, or else one who is out of sync.
func (w *world) dropped(d *dissect.D, h *head, turn uint32) (n dropNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	n.copy = g.again(d, h.whole)
	var lost *player
	for _, q := range g.players {
		if q != p && d.Time()-q.lastSeen > silentFor && (lost == nil || q.lastSeen < lost.lastSeen) {
			lost = q
		}
	}
	if lost == nil {
		for _, q := range g.players {
			if q != p && q.outOfSync {
				n.id, n.number = q.id, q.number
			}
		}
	} else {
		n.id, n.number, n.silence = lost.id, lost.number, d.Time()-lost.lastSeen
		if !lost.gone {
			lost.gone = true
			g.enter(d, fmt.Sprintf("%s dropped, on from turn %d", senderNote{number: lost.number, id: lost.id}.name(0), turn))
			if g.furthest == lost {
				g.furthest = nil
			}
			if g.reference == lost {
				g.reference = nil
			}
		}
	}
	return n
}
