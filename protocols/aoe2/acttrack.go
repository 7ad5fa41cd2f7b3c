package aoe2

import "remora/dissect"

var (
	fDelay = proto.Int32("delay", "Command delay",
		"Turns between the sender's latest turn and the turn in which this takes effect.").In("turns").Derived()
	fInGame = proto.Span("game.time", "Time in the game",
		"Time since the game's first turn in this capture, pauses not counted.").Derived()
	fActions = proto.Uint32("actions", "Actions so far", "Actions of the sender in this capture, copies not counted.").
			Derived()
	fPace = proto.Uint16("actions.pace", "Actions in the last minute", "Actions of the sender in the last 60 seconds.").
		In("/min").Derived()

	nPast = proto.Expert("delay.past", dissect.Warn, "For a turn that is over: the game drops it")
	nAge  = proto.Expert("age", dissect.Chat, "A player goes for the next age")
	nLeft = proto.Expert("left", dissect.Hint, "A player leaves the game")
	nWar  = proto.Expert("diplomacy", dissect.Chat, "A player changes the diplomacy")
)

// An orderNote is what packets with a turn leave behind.
type orderNote struct {
	copy  copyNote
	at    int64 // ns into the game
	delay int32
	known bool
}

// showDelay shows how many turns ahead a packet takes effect.
func (n orderNote) showDelay(d *dissect.D) {
	if n.at != 0 {
		d.Set(fInGame, uint64(n.at))
	}
	if !n.known {
		return
	}
	d.Set(fDelay, uint64(int64(n.delay)))
	if n.delay < 0 {
		d.Expert(nPast)
	}
}

// ahead takes a packet that takes effect in a turn to come.
func (g *game) ahead(d *dissect.D, p *player, h *head) (n orderNote) {
	n.copy = g.again(d, h.whole)
	if p.turns > 0 {
		n.delay, n.known = int32(h.turn-p.turn), true
	}
	if g.began != 0 {
		n.at = d.Time() - g.began
	}
	return n
}

// An actionNote is what an action leaves behind.
type actionNote struct {
	orderNote
	from    dissect.FrameNum // the command whose objects this one means
	actions uint32
	pace    uint16
}

// A selection is the objects that a command names.
type selection struct {
	n   uint8
	ids [maxUnits]uint32
}

func (w *world) action(d *dissect.D, h *head, o *order) (n actionNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	n.orderNote = g.ahead(d, p, h)
	if !g.started {
		g.started = true
		g.enter(d, "game")
	}
	if o.hasPlayer && human(o.id) {
		g.learn(d, p, uint8(o.v[slotPlayer]), false)
	}
	n.actions, n.pace = p.act(d.Time(), n.copy.first())
	if o.id == actResign {
		if n.copy.first() && n.delay >= 0 {
			g.leave(d, uint8(o.v[slotPlayer]), p)
		}
	}
	n.from = p.choose(d, o, n.copy.first())
	return n
}

// human are the actions that computer players do not do through their host.
func human(id byte) bool {
	return id == actPrimary || id == actMove || id == actWaypoint || id == actFlare
}

// act counts an action and returns how many there were in the last minute.
func (p *player) act(now int64, first bool) (actions uint32, pace uint16) {
	if first {
		p.acts[p.actions%maxActs] = now
		p.actions++
	}
	for i := range min(p.actions, maxActs) {
		if now-p.acts[i] < 60e9 {
			pace++
		}
	}
	return p.actions, pace
}

// leave takes a resignation. A computer player's comes from its host. The game is over when one player is left.
func (g *game) leave(d *dissect.D, number uint8, p *player) {
	var who *player
	for _, q := range g.players {
		if q.number == number {
			who = q
		}
	}
	if who == nil && p.number == 0 {
		who = p
	}
	staying := 0
	for _, q := range g.players {
		if q == who {
			q.left = true
		}
		if !q.left && !q.gone {
			staying++
		}
	}
	d.Session().InGame(g.id, func(e *dissect.Game) {
		e.Enter(playerText(uint64(number))+" left", d.Frame)
		e.Enter("game", d.Frame)
		e.Over = e.Over || staying <= 1
	})
}

// choose remembers the objects of a command, and finds those of a command that means the same as the one before. A
// copy to another player is no command of its own.
func (p *player) choose(d *dissect.D, o *order, first bool) dissect.FrameNum {
	last := &p.selected[o.v[slotPlayer]%uint64(len(p.selected))]
	n := o.v[slotSelected]
	if n == same && o.takesSame() {
		return *last
	}
	if first && n > 0 && o.units[0] != 0 {
		*last = d.Frame
		selections.FirstPassIn(d, func(*nothing) selection { return selection{uint8(min(n, maxUnits)), o.units} })
	}
	return 0
}

// showPace shows how busy the sender is.
func (n actionNote) showPace(d *dissect.D) {
	if n.actions != 0 {
		d.Set(fActions, uint64(n.actions))
		d.Set(fPace, uint64(n.pace))
	}
}

// remark adds expert info for the events that users search for in a game.
func (o *order) remark(d *dissect.D) {
	switch {
	case o.id == actResearch && o.v[slotType] >= 101 && o.v[slotType] <= 103:
		d.Expert(nAge)
	case o.id == actResign:
		d.Expert(nLeft)
	case o.id == actGame && o.v[slotMode] == modeDiplomacy:
		d.Expert(nWar)
	}
}

// A chatNote is what a chat leaves behind.
type chatNote struct {
	order orderNote
	flags uint8
}

const (
	chatInGame = 1 << iota
	chatOther
)

func (w *world) chat(d *dissect.D, h *head, writer uint8) (n chatNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	n.order = g.ahead(d, p, h)
	if p.turns > 0 {
		n.flags |= chatInGame
	}
	if p.sure && p.number != writer {
		n.flags |= chatOther
	}
	for _, q := range g.players {
		if q != p && q.sure && q.number == writer {
			n.flags |= chatOther
		}
	}
	if n.flags&chatOther == 0 {
		g.learn(d, p, writer, true)
	}
	return n
}
