package aoe2

import (
	"fmt"

	"remora/dissect"
)

// A timeNote is what a time sync leaves behind.
type timeNote struct {
	open  dissect.FrameNum // the request before, if nobody answered it
	apart int32            // ms
	flags uint8
}

const (
	timeKnown = 1 << iota
	timeRestart
)

func (w *world) timeAsk(d *dissect.D, h *head, passed uint32) (n timeNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	l := w.link(d)
	f := &l.flows[d.Dir]
	if f.ask != 0 && f.asked != passed && !f.answered && l.flows[1-d.Dir].any() {
		n.open = f.ask
	}
	if f.asked != passed || f.ask == 0 {
		f.ask, f.asked, f.answered = d.Frame, passed, false
	}
	if p.clocked && passed < p.clock {
		n.flags |= timeRestart
	}
	p.clock, p.clockAt, p.clocked = passed, d.Time(), true
	g.lastTime = d.Time()
	if other := l.who[1-d.Dir]; other != nil && other.clocked && other != p {
		apart := int64(passed) - int64(other.clock) - (d.Time()-other.clockAt)/1e6
		n.apart, n.flags = int32(max(-1<<31, min(1<<31-1, apart))), n.flags|timeKnown
	}
	return n
}

// any reports whether the flow has a packet that shows the sender to be alive: without one, none can be missing.
func (f *flow) any() bool { return f.ask != 0 || f.counterFrame != 0 || f.turnFrame != 0 }

func (w *world) timeAnswer(d *dissect.D) {
	l := w.link(d)
	l.flows[1-d.Dir].answered = true
	if l.game != nil {
		l.game.lastTime = d.Time()
	}
}

// A counterNote is what a counter sync leaves behind.
type counterNote struct {
	repeat     dissect.FrameNum
	missing    uint32
	difference int32
	of         uint32
	spacing    uint16
	flags      uint16
}

const counterDrifted = 1

// drift is how far the difference is from the nearest multiple of the spacing.
func (n counterNote) drift() int32 {
	s := int32(n.spacing)
	rest := n.difference % s
	switch {
	case rest > s/2:
		rest -= s
	case rest < -s/2:
		rest += s
	}
	return rest
}

func (n counterNote) drifted() bool { return n.drift() > driftAllowed || n.drift() < -driftAllowed }

// The counters of two players are compared while both run: what one has sent in the time that packets take does not
// count, nor does what comes before both have counted for a while.
const (
	driftAllowed = 25 // three seconds
	countedFirst = 8
)

func (w *world) counter(d *dissect.D, h *head) (n counterNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	f := &w.link(d).flows[d.Dir]
	gap := h.counter - f.counter
	switch {
	case f.counterFrame == 0 || gap > 1<<31: // the first, or back: the game began anew or the packet is late
	case gap == 0:
		n.repeat = f.counterFrame
	case gap > 1:
		n.missing = gap - 1
	}
	if n.repeat == 0 {
		f.counter, f.counterFrame = h.counter, d.Frame
		if h.counter != p.counter {
			p.counter = h.counter
			p.counted++
		}
	}
	if g.reference == nil || g.reference != g.host && (p == g.host || g.reference.id > p.id && g.host == nil) {
		g.reference = p
	}
	if r := g.reference; r != p && r.counted > 0 {
		n.of, n.difference, n.spacing = r.id, int32(p.counter-r.counter), 2000
		// Two players may be two of three of whom the capture lacks the third: either spacing will do.
		if len(g.players) <= 2 && n.drifted() {
			n.spacing = 1200
		}
		if n.drifted() && p.counted >= countedFirst && r.counted >= countedFirst && d.Time()-r.lastSeen < 1e9 && !r.gone &&
			!p.gone {
			n.flags |= counterDrifted
		}
	}
	return n
}

// A turnNote is what a turn sync leaves behind.
type turnNote struct {
	repeat          dissect.FrameNum
	since           int64 // ns
	missing, behind uint32
	leader          uint32 // network id
	rate            uint32 // turns in 100 s
	flags           uint32
}

const (
	turnFirst = 1 << iota
	turnPause
	turnResumed // the first after the pause
	turnStall
	turnBegins // the first packet behind the lobby, with other values than any first one
	turnOdd1   // unknown 1 is not the player's
	turnOdd2
)

const (
	stallTime = 1e9
	lagTurns  = 8 // a second
)

func (w *world) turn(d *dissect.D, h *head, offset uint32, lobbyHost bool, pair [2]byte) (n turnNote) {
	g, p := w.sender(d, h)
	if p == nil {
		return n
	}
	f := &w.link(d).flows[d.Dir]
	if p.turns > 0 && int64(p.turn)-int64(h.turn) > restartTurns {
		g.restart(d)
		g.firstTurn = h.turn
	}
	if p.turns == 0 {
		n.flags |= turnFirst
	}
	if lobbyHost && p.end == d.Src && g.host == nil {
		g.host = p
		g.present(d, p)
	}
	if g.began == 0 {
		g.began, g.firstTurn = d.Time(), h.turn
	}
	n.flags |= p.constant(pair, g.lobby && h.turn == g.firstTurn)
	if !g.started {
		g.started = true
		g.enter(d, "game")
	}
	if offset < h.turn && !p.outOfSync {
		p.outOfSync = true
		g.enter(d, fmt.Sprintf("%s out of sync since turn %d", senderNote{number: p.number, id: p.id}.name(0), offset))
	}
	switch gap := h.turn - f.turn; {
	case f.turnFrame == 0 || gap > 1<<31 || p.turns == 0:
	case gap == 0:
		n.repeat = f.turnFrame
	default:
		n.missing, n.since = gap-1, d.Time()-f.turnTime
	}
	if n.repeat != 0 {
		return n
	}
	if n.since > stallTime {
		n.flags |= g.silence(d, f.turnTime)
	}
	f.turn, f.turnFrame, f.turnTime = h.turn, d.Frame, d.Time()
	p.advance(d, h.turn)
	n.rate = p.rate()
	g.lastTurn = d.Time()
	g.lead(p, &n)
	return n
}

// constant holds unknown 1 and 2 against what the notes report: in the first turn of a game whose lobby was seen two
// pairs, and later the same for a player. Zeros say nothing.
func (p *player) constant(pair [2]byte, first bool) (flags uint32) {
	switch {
	case pair == firstOfHost || pair == firstOfOthers || pair == [2]byte{}:
	case first:
		return turnBegins
	case p.pair == [2]byte{}:
		p.pair = pair
	default:
		if pair[0] != p.pair[0] {
			flags |= turnOdd1
		}
		if pair[1] != p.pair[1] {
			flags |= turnOdd2
		}
	}
	return flags
}

// restartTurns is how far a turn must fall back for a new game between the same players.
const restartTurns = 64

// restart forgets what was of the game before, but not who the players are.
func (g *game) restart(d *dissect.D) {
	for _, p := range g.players {
		p.turns, p.turn, p.gone, p.left, p.outOfSync, p.selected, p.pair = 0, 0, false, false, false, [9]dissect.FrameNum{},
			[2]byte{}
	}
	g.round++
	g.furthest, g.pausedAt, g.began, g.checks = nil, 0, d.Time(), [maxChecks]check{}
	g.enter(d, "another game")
}

// silence tells why a player sent no turn since a time: the game was paused, for which everybody stopped while the
// clocks went on, or it is this player alone.
func (g *game) silence(d *dissect.D, since int64) uint32 {
	if d.Time()-g.lastTurn > stallTime && g.lastTime > g.lastTurn {
		g.pausedAt = g.lastTurn
		g.began += d.Time() - g.lastTurn
		g.enter(d, "paused")
		g.enter(d, "game")
		return turnPause | turnResumed
	}
	if g.pausedAt != 0 && since <= g.pausedAt+stallTime/2 && since+stallTime/2 >= g.pausedAt {
		return turnPause
	}
	return turnStall
}

// advance takes a new turn of a player, once for all receivers.
func (p *player) advance(d *dissect.D, turn uint32) {
	if p.turns > 0 && (turn == p.turn || p.turn-turn < 1<<31) {
		return
	}
	p.turn = turn
	p.times[p.turns%uint32(len(p.times))] = d.Time()
	p.turns++
}

// rate is the turns in 100 seconds over the last 16.
func (p *player) rate() uint32 {
	n := min(p.turns, uint32(len(p.times)))
	if n < 2 {
		return 0
	}
	span := p.times[(p.turns-1)%uint32(len(p.times))] - p.times[(p.turns-n)%uint32(len(p.times))]
	if span <= 0 {
		return 0
	}
	return uint32(min(int64(n-1)*100e9/span, 1<<31))
}

// lead finds out who is furthest.
func (g *game) lead(p *player, n *turnNote) {
	if g.furthest == nil || g.furthest.gone || p.turn > g.furthest.turn {
		g.furthest = p
	}
	if g.furthest != p {
		n.leader, n.behind = g.furthest.id, g.furthest.turn-min(p.turn, g.furthest.turn)
	}
}

func (g *game) enter(d *dissect.D, phase string) {
	g.phase = phase
	d.Session().InGame(g.id, func(e *dissect.Game) { e.Enter(phase, d.Frame) })
}

func rateText(v uint64) string { return trim(v) + " /s" }
