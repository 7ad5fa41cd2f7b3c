package aoe2

import "remora/dissect"

// A copyNote has the frame of which a packet is a copy, sent to another player or to the same again.
type copyNote struct{ of, repeat dissect.FrameNum }

func (c copyNote) first() bool { return c.of == 0 && c.repeat == 0 }

func (c copyNote) show(d *dissect.D) {
	if c.of != 0 {
		d.Set(fCopyOf, uint64(c.of))
	}
	if c.repeat != 0 {
		d.Set(fRepeat, uint64(c.repeat))
	}
}

// again reports whether a packet was sent before, and remembers it.
func (g *game) again(d *dissect.D, whole []byte) (c copyNote) {
	hash := uint64(0xcbf29ce484222325)
	for _, b := range whole {
		hash = (hash ^ uint64(b)) * 0x100000001b3
	}
	for i := range g.recent {
		switch r := &g.recent[i]; {
		case r.first == 0 || r.hash != hash:
		case r.to == d.Dst:
			c.repeat = r.first
		case c.of == 0 || r.first < c.of:
			c.of = r.first
		}
	}
	if c.repeat == 0 {
		g.recent[g.next%maxRecent] = sent{hash, d.Dst, d.Frame}
		g.next++
	}
	return c
}
