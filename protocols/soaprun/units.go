package soaprun

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
)

// A unit is the last known state of a player or an entity.
type unit struct {
	known      bool
	placed     bool // x and y are known
	here       bool // in the last Flds
	generation uint8
	state      uint8
	kind       uint8 // colour of a player, type of an entity
	extra      uint8 // items of a player, parameter of an entity
	x, y       int16
	first      dissect.FrameNum
}

// What can happen between two Flds.
const (
	evState = iota + 1
	evColour
	evItems
	evWeather
	evJoined
	evLeft
	evPlayerState
	evPlayerItems
	evPlayerJump
	evEntityState
	evEntityJump
	evEntityTurn
	evPlayerColour
)

// An event is one change: of whom, from what, to what.
type event struct{ what, index, from, to, kind uint8 }

// An eventNote is what a Flds changes. Most change nothing.
type eventNote struct {
	count uint8
	more  uint8
	list  [6]event
}

func (n *eventNote) add(e event) {
	if int(n.count) < len(n.list) {
		n.list[n.count] = e
		n.count++
	} else if n.more < 255 {
		n.more++
	}
}

// field applies a Flds to the state and returns what it changes.
func (c *connection) field(d *dissect.D, b []byte) (n eventNote) {
	if len(b) < fieldHead {
		return n
	}
	first := !c.seen
	c.seen = true
	c.themselves(b, first, &n)
	at := fieldHead
	for list := range c.units {
		for i := range c.units[list] {
			c.units[list][i].here = false
		}
		for range b[3+list] {
			if at+6 > len(b) {
				c.partial = c.partial || d.CutShort()
				return n
			}
			end := nodesEnd(b, at+5)
			c.unit(d, list, b[at:min(end, len(b))], first, &n)
			at = end
		}
	}
	for i := range c.units[player] {
		if u := &c.units[player][i]; u.known && !u.here {
			u.known = false
			n.add(event{what: evLeft, index: uint8(i)})
		}
	}
	c.changeTiles(b, at)
	d.Session().InGame(c.game, func(g *dissect.Game) { g.Enter(named(weathers, uint64(b[6]), "weather"), d.Frame) })
	return n
}

// A sinceNote has the frames in which the first players of a Flds were met.
type sinceNote struct{ list [6]dissect.FrameNum }

// since looks up the players of a Flds that was taken into account.
func (c *connection) since(b []byte) (n sinceNote) {
	at := fieldHead
	for i := 0; len(b) > 3 && i < min(int(b[3]), len(n.list)) && at+6 <= len(b); i++ {
		if b[at] < 64 {
			n.list[i] = c.units[player][b[at]].first
		}
		at = nodesEnd(b, at+5)
	}
	return n
}

// themselves compares what the message says of the connection's own player.
func (c *connection) themselves(b []byte, first bool, n *eventNote) {
	if !first {
		for i, was := range [...]uint8{c.own.state, c.own.colour, c.own.items} {
			if b[i] != was {
				n.add(event{what: uint8(evState + i), from: was, to: b[i]})
			}
		}
		if b[6] != c.rain {
			n.add(event{what: evWeather, from: c.rain, to: b[6]})
		}
	}
	c.own.state, c.own.colour, c.own.items, c.rain = b[0], b[1], b[2], b[6]
}

// unit takes one record into account.
func (c *connection) unit(d *dissect.D, list int, b []byte, first bool, n *eventNote) {
	if b[0] >= 64 {
		return
	}
	u := &c.units[list][b[0]]
	was := *u
	u.here, u.known = true, true
	u.generation, u.state, u.kind, u.extra = b[1], b[2], b[3], b[4]
	nodes(b, 5, func(p point) { u.x, u.y, u.placed = p.x, p.y, true })
	if !was.known {
		u.first = d.Frame
		if list == player && !first {
			n.add(event{what: evJoined, index: b[0], to: b[3]})
		}
		return
	}
	e := event{index: b[0], kind: b[3]}
	change := func(what, from, to uint8) {
		if from != to {
			e.what, e.from, e.to = what, from, to
			n.add(e)
		}
	}
	if list == player {
		change(evPlayerState, was.state, u.state)
		change(evPlayerItems, was.extra, u.extra)
		change(evPlayerColour, was.kind, u.kind)
		change(evPlayerJump, was.generation, u.generation)
		return
	}
	change(evEntityState, was.state, u.state)
	if u.kind == typeGate || u.kind == typeCross {
		change(evEntityTurn, was.extra, u.extra)
	}
	change(evEntityJump, was.generation, u.generation)
}

var (
	fEvent2 = proto.String("event", "Event",
		"What this message tells anew: a change of state, items, weather, who comes and who goes.").Derived()
	fEvents = proto.Uint16("events", "Further events", "Events beyond those that are listed.").Derived()

	nKilled = proto.Expert("player.dying", dissect.Chat, "The connection's player dies")
)

func showEvents(d *dissect.D, n eventNote) {
	for _, e := range n.list[:n.count] {
		if d.Wanted(fEvent2) {
			d.SetText(fEvent2, e.String())
		}
		if e.what == evState && e.to == playerDying {
			d.Expert(nKilled)
		}
	}
	if n.more > 0 {
		d.Set(fEvents, uint64(n.more))
	}
}

var becomes = map[uint8]string{0: "falls idle", playerWalking: "walks", playerDying: "dies", playerWon: "wins",
	playerGhost: "becomes a ghost", 5: "is disabled"}

func does(state uint8) string {
	if s := becomes[state]; s != "" {
		return s
	}
	return fmt.Sprintf("gets state %d", state)
}

// String says the event in a few words.
func (e event) String() string {
	who := fmt.Sprintf("player %d", e.index)
	if e.what == evEntityState || e.what == evEntityJump || e.what == evEntityTurn {
		who = fmt.Sprintf("%s %d", named(entityTypes, uint64(e.kind), "type"), e.index)
	}
	switch e.what {
	case evState:
		return "player " + does(e.to)
	case evColour:
		return "player turns " + named(colours, uint64(e.to), "colour")
	case evItems:
		return "player " + itemChange(e.from, e.to)
	case evWeather:
		if e.to == 1 {
			return "rain begins"
		}
		return "the weather is " + named(weathers, uint64(e.to), "weather")
	case evJoined:
		return who + " comes, " + named(colours, uint64(e.to), "colour")
	case evLeft:
		return who + " leaves"
	case evPlayerState:
		return who + " " + does(e.to)
	case evPlayerItems:
		return who + " " + itemChange(e.from, e.to)
	case evPlayerColour:
		return who + " turns " + named(colours, uint64(e.to), "colour")
	case evPlayerJump:
		return who + " appears anew"
	case evEntityState:
		return who + " is " + condition(e.kind, e.to)
	case evEntityTurn:
		return who + " turns to " + parameterText(uint64(e.kind), uint64(e.to))
	}
	return who + " appears anew"
}

// itemChange says what was won and lost.
func itemChange(from, to uint8) string {
	text := ""
	if got := itemText(uint64(to &^ from)); got != "" {
		text = "gets " + got
	}
	if lost := itemText(uint64(from &^ to)); lost != "" {
		if text != "" {
			text += " and "
		}
		text += "loses " + lost
	}
	return text
}

// place16 reads a position.
func place16(b []byte) point {
	return point{int16(binary.LittleEndian.Uint16(b)), int16(binary.LittleEndian.Uint16(b[2:]))}
}
