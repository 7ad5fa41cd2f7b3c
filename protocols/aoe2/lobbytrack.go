package aoe2

import "remora/dissect"

// A readyNote is what a ready packet leaves behind.
type readyNote struct {
	copy  copyNote
	count uint8
}

func (w *world) ready(d *dissect.D, h *head, number uint8, ready bool) (n readyNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	n.copy = g.again(d, h.whole)
	p.ready = ready
	if ready {
		g.learn(d, p, number, true)
	}
	for _, q := range g.players {
		if q.ready {
			n.count++
		}
	}
	g.inLobby(d)
	return n
}

// inLobby notes that the players are in the lobby, unless they play.
func (g *game) inLobby(d *dissect.D) {
	g.lobby = g.lobby || !g.started
	if !g.started && g.phase == "" {
		g.enter(d, "lobby")
	}
}

// A hostNote is what packets that only the host sends leave behind.
type hostNote struct{ second bool }

// hosts takes a packet that only the host sends.
func (w *world) hosts(d *dissect.D, h *head, sure bool) (n hostNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	n.second = g.host != nil && g.host != p && sure
	if g.host == nil && p.end == d.Src {
		g.host = p
		g.present(d, p)
	}
	g.inLobby(d)
	return n
}

// A settingsNote is what lobby settings leave behind.
type settingsNote struct {
	copy           copyNote
	before         dissect.FrameNum
	changed        uint32
	came, left     uint32 // network ids
	players        uint8
	listed, second bool
}

func (g *game) settingsSlots() int {
	if g.settingsFrame == 0 {
		return 0
	}
	return 8
}

func (g *game) slotID(i int) uint32 { return le32(g.settings[24+4*i:]) }

// settings takes lobby settings: which slot is whose, with which civilisation, and what changed.
func (w *world) settings(d *dissect.D, h *head) (n settingsNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	n.second = w.hosts(d, h, true).second
	b := h.whole[:settingsSize]
	n.copy = g.again(d, h.whole)
	if g.settingsFrame != 0 && n.copy.first() {
		n.before = g.settingsFrame
		n.changed = compare(g.settings[:], b)
		n.came, n.left = moved(b, g.settings[:]), moved(g.settings[:], b)
	}
	for i := range 8 {
		id := le32(b[24+4*i:])
		if id == 0 {
			continue
		}
		n.players++
		n.listed = n.listed || id == h.source
		g.sits(d, p, id, uint8(i+1), b[145+i])
	}
	if n.copy.first() && !n.second {
		copy(g.settings[:], b)
		g.settingsFrame = d.Frame
	}
	return n
}

// sits gives a player that is known a slot and a civilisation. Only the host may say so.
func (g *game) sits(d *dissect.D, host *player, id uint32, slot, civ uint8) {
	if g.host != host || host.end != d.Src {
		return
	}
	for _, q := range g.players {
		if q.id != id {
			continue
		}
		q.slot = slot
		if !q.sure && q.number != slot {
			q.number = slot
			g.present(d, q)
		}
		if q.civ != civ {
			q.civ = civ
			g.civilise(d, q)
		}
	}
}
