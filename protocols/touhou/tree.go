package touhou

import (
	"slices"
	"strings"

	"remora/dissect"
)

// adopt makes child a child of parent in the spectator tree.
func (w *world) adopt(d *dissect.D, parent, child dissect.Endpoint) {
	c := w.peer(child)
	if c.parent == parent || parent == child || w.below(child, parent) {
		return
	}
	w.detach(d, child)
	p := w.peer(parent)
	if len(p.children) >= maxChildren {
		return
	}
	p.children = append(p.children, child)
	c.parent = parent
	w.changed = d.Time()
}

func (w *world) detach(d *dissect.D, child dissect.Endpoint) {
	c := w.peer(child)
	if c.parent == (dissect.Endpoint{}) {
		return
	}
	if p := w.peers.Find(c.parent); p != nil {
		p.children = slices.DeleteFunc(p.children, func(e dissect.Endpoint) bool { return e == child })
	}
	c.parent, c.lastChain = dissect.Endpoint{}, 0
	w.changed = d.Time()
}

// maxDepth bounds walks in the tree, in case a hostile capture ties it into a ring.
const maxDepth = 32

// below reports whether e stands somewhere below top.
func (w *world) below(top, e dissect.Endpoint) bool {
	for range maxDepth {
		p := w.peers.Find(e)
		if p == nil || p.parent == (dissect.Endpoint{}) {
			return false
		}
		if e = p.parent; e == top {
			return true
		}
	}
	return true
}

// depth is how many steps e stands below the root that is known.
func (w *world) depth(e dissect.Endpoint) (n uint8) {
	for n < maxDepth {
		p := w.peers.Find(e)
		if p == nil || p.parent == (dissect.Endpoint{}) {
			return n
		}
		e = p.parent
		n++
	}
	return n
}

// spectators counts those in the subtree of e, itself included; budget bounds the walk.
func (w *world) spectators(e dissect.Endpoint, budget *int) (n int) {
	p := w.peers.Find(e)
	if p == nil || *budget <= 0 {
		return 0
	}
	*budget--
	if strings.HasPrefix(p.role, "spectator") {
		n = 1
	}
	for _, c := range p.children {
		n += w.spectators(c, budget)
	}
	return n
}

// place notes where a packet's child stands.
func (w *world) place(n *linkNote, parent, child dissect.Endpoint) {
	n.parent = parent
	n.children = uint8(len(w.peer(parent).children))
	n.depth = w.depth(child)
	if n.children > childLimit(w.peer(parent).role) {
		n.flags |= flagCrowded
	}
}

// childLimit is how many children the game gives a program: the host its client, the client one spectator.
func childLimit(role string) uint8 {
	if role == "host" || role == "client" {
		return 1
	}
	return 4
}

// settled is how long after a change the tree and the CHAIN values may disagree: they are sent twice a second.
const settled = 2e9

// silenceTime is after how long without a CHAIN, sent twice a second, a link looks dead.
const silenceTime = 3e9

func (w *world) chain(d *dissect.D, count uint32, ok bool) (n chainNote) {
	l := w.link(d)
	if l.play != nil {
		d.Session().InGame(l.play.game, nil)
	}
	if late := d.Time() - l.chains[d.Dir]; l.chains[d.Dir] != 0 && late > silenceTime {
		n.silence = uint32(min(late/1e6, 1<<32-1))
	}
	l.chains[d.Dir] = d.Time()
	p := w.peers.Find(d.Src)
	if p != nil && p.parent == d.Dst {
		p.lastChain = d.Time()
	}
	if p == nil || p.parent == (dissect.Endpoint{}) && len(p.children) == 0 {
		return n
	}
	budget := 255
	known := w.spectators(d.Src, &budget)
	n.inTree, n.known = true, uint8(min(known, 255))
	n.disagrees = ok && int(count) != known && d.Time()-w.changed > settled
	return n
}

// deadTime is after how long without a CHAIN a child that sent some is taken for lost.
const deadTime = 5e9

// A lostNote names a child that a CHAIN of its parent found to be lost.
type lostNote struct{ child dissect.Endpoint }

// lose takes a child that fell silent out of the sender's children.
func (w *world) lose(d *dissect.D) (n lostNote) {
	p := w.peers.Find(d.Src)
	if p == nil {
		return n
	}
	for _, e := range p.children {
		if c := w.peers.Find(e); c != nil && c.lastChain != 0 && d.Time()-c.lastChain > deadTime {
			w.detach(d, e)
			return lostNote{e}
		}
	}
	return n
}

// role says what an endpoint is; its second socket belongs to the same machine.
func (w *world) role(d *dissect.D, e dissect.Endpoint, role string) {
	p := w.peer(e)
	if p.role == role {
		return
	}
	p.role = role
	d.Ends().Role(e, role)
	if p.second != (dissect.Endpoint{}) {
		d.Ends().Role(p.second, role+", second socket")
	}
}

func (w *world) name(d *dissect.D, e dissect.Endpoint, name string) {
	p := w.peer(e)
	if name == "" || p.name == name {
		return
	}
	p.name = name
	d.Ends().Name(e, name)
	if p.second != (dissect.Endpoint{}) {
		d.Ends().Name(p.second, name)
	}
}
