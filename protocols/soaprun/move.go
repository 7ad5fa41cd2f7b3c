package soaprun

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
)

var (
	fColourAsk = proto.Uint8("colour.wanted", "Colour", "Colour that the player wants to have. u8.").Named(colours)
	fDrawX     = proto.Int16("draw.x", "X", "Column of the tile that is drawn on, over all rooms. i16, little-endian.")
	fDrawY     = proto.Int16("draw.y", "Y", "Row of the tile that is drawn on, over all rooms. i16, little-endian.")
	fDrawTile  = proto.Uint8("draw.tile", "Tile", "Tile that the player draws; the drawing tiles are 12 to 15. u8.").
			Format(tileText)
	fHit     = proto.Uint8("hit.entity", "Entity", "Index of the entity that the player touched. u8.")
	fHitWhat = proto.Uint8("hit.type", "Entity type", "Type of that entity, as the server last told it.").
			Named(entityTypes).Derived()
	fCorpseX = proto.Int16("corpse.x", "X", "Column where the player died, over all rooms. i16, little-endian.")
	fCorpseY = proto.Int16("corpse.y", "Y", "Row where the player died, over all rooms. i16, little-endian.")

	fCount = proto.Uint8("move.count", "Nodes", "How many positions follow: those passed since the last message. u8.")
	fNode  = proto.Group("move.node", "Node", "One position on the way.").
		Summary("Node: ({move.x}, {move.y})[, {move.steps}]")
	fX     = proto.Int16("move.x", "X", "Column of the position, over all rooms. i16, little-endian.")
	fY     = proto.Int16("move.y", "Y", "Row of the position, over all rooms. i16, little-endian.")
	fSteps = proto.Uint16("move.steps", "Steps", "Tiles from the node before, or from where the player was.").Derived().
		In("tiles")

	fOwnX  = proto.Int16("own.x", "Own X", "Column of the connection's player: the last node that it sent.").Derived()
	fOwnY  = proto.Int16("own.y", "Own Y", "Row of the connection's player: the last node that it sent.").Derived()
	fMoved = proto.Uint32("moved", "Way of this message", "Tiles walked with this message.").Derived().In("tiles")
	fTotal = proto.Uint32("moved.total", "Way so far", "Tiles walked since the capture began.").Derived().In("tiles")

	nIllegal = proto.Expert("move.illegal", dissect.Warn,
		"A step that no honest client makes: across, or more than 20 tiles")
	nPaint = proto.Expert("draw.illegal", dissect.Warn, "The original client draws with the tiles 12 to 15 only")
	nDye   = proto.Expert("colour.illegal", dissect.Warn,
		"The game has no such colour; the original server takes it all the same")
	nNoUnit = proto.Expert("hit.unknown", dissect.Hint, "The server has shown no such entity before")
)

// longStep is the longest way between two nodes of an honest client.
const longStep = 20

// A point is a position in tiles over all rooms.
type point struct{ x, y int16 }

// A moveNote is where the player was before a message, and how far it has come with it.
type moveNote struct {
	known  bool
	hit    uint8 // type of the entity touched, and one
	unsure bool  // the capture may have cut off what the server showed of it
	before point
	total  uint32
}

// nodes are the positions of a movement list whose count is at off.
func nodes(b []byte, off int, each func(p point)) (n int) {
	if len(b) <= off {
		return 0
	}
	for at := off + 1; n < int(b[off]) && at+4 <= len(b); at += 4 {
		each(point{int16(binary.LittleEndian.Uint16(b[at:])), int16(binary.LittleEndian.Uint16(b[at+2:]))})
		n++
	}
	return n
}

// step is the way between two nodes, and whether an honest client can go it: along one axis, and not too far.
func (p point) step(to point) (tiles uint32, honest bool) {
	dx, dy := distance(p.x, to.x), distance(p.y, to.y)
	return dx + dy, (dx == 0 || dy == 0) && dx+dy <= longStep
}

func distance(a, b int16) uint32 {
	n := int32(a) - int32(b)
	return uint32(max(n, -n))
}

// walk moves the player of the connection along a list.
func (c *connection) walk(d *dissect.D, kind uint32, b []byte, off int) (n moveNote) {
	c.paint(d, kind, b)
	n.known, n.before = c.own.known, point{c.own.x, c.own.y}
	nodes(b, off, func(p point) {
		if c.own.known {
			tiles, _ := point{c.own.x, c.own.y}.step(p)
			c.own.moved += tiles
		}
		c.own.known, c.own.x, c.own.y = true, p.x, p.y
	})
	n.total = c.own.moved
	if kind == tHit && len(b) > 0 && b[0] < 64 {
		if u := &c.units[entity][b[0]]; u.known {
			n.hit = u.kind + 1
		}
		n.unsure = c.partial
	}
	return n
}

// dissectMove reads the messages that end with a movement list: myPo and HVen (the list alone), ChCl (u8 colour), DrFl
// (i16 x, i16 y, u8 tile) and HNPU (u8 entity).
func dissectMove(d *dissect.D, kind uint32, b []byte) {
	off := listAt(kind)
	n := remember(d, &moveNotes, func(c *connection) moveNote { return c.walk(d, kind, b, off) })
	var what string
	switch kind {
	case tColour:
		colour := d.Uint(fColourAsk)
		if colour > 3 {
			d.Expert(nDye)
		}
		if d.Info().Wanted() {
			what = "wants to be " + named(colours, colour, "colour")
		}
	case tDraw:
		x, y := d.Int(fDrawX), d.Int(fDrawY)
		tile := d.Uint(fDrawTile)
		d.Links().ShowForward(fShownIn)
		if !d.Short() && (tile < firstDrawing || tile > lastDrawing) {
			d.Expert(nPaint)
		}
		if d.Info().Wanted() {
			what = fmt.Sprintf("draws tile %d at (%d, %d)", tile, x, y)
		}
	case tHit:
		what = touched(d, n)
	case tHeaven:
		what = "met a ghost and becomes one"
	}
	way, last := readNodes(d, n)
	d.Set(fMoved, uint64(way))
	d.Set(fTotal, uint64(n.total))
	if d.Info().Wanted() {
		d.Info().Setf("%s", moveLine(what, way, last, len(b) > off && b[off] == 0))
	}
}

// moveLine is the Info text of a message with a movement list.
func moveLine(what string, way uint32, last self, stays bool) string {
	at := fmt.Sprintf("(%d, %d)", last.x, last.y)
	switch {
	case !last.known:
		return what
	case what != "":
		return what + ", at " + at
	case stays:
		return "stays at " + at
	case way > 0:
		return "to " + at + ", " + plural(uint64(way), "tile")
	}
	return "at " + at
}

// listAt is where the movement list begins in a message of the client.
func listAt(kind uint32) int {
	switch kind {
	case tColour, tHit:
		return 1
	case tDraw:
		return 5
	}
	return 0
}

// touched reads the entity of HNPU.
func touched(d *dissect.D, n moveNote) string {
	e := d.Uint(fHit)
	if d.Short() {
		return ""
	}
	if n.hit == 0 {
		if !n.unsure {
			d.Expert(nNoUnit)
		}
		if !d.Info().Wanted() {
			return ""
		}
		return fmt.Sprintf("touched entity %d", e)
	}
	d.Below(func() { d.Set(fHitWhat, uint64(n.hit-1)) })
	if !d.Info().Wanted() {
		return ""
	}
	return fmt.Sprintf("touched %s (entity %d)", named(entityTypes, uint64(n.hit-1), "type"), e)
}

// readNodes reads the movement list of the client's own player. It returns the way in tiles and where the player is
// then.
func readNodes(d *dissect.D, n moveNote) (way uint32, at self) {
	at = self{known: n.known, x: n.before.x, y: n.before.y}
	illegal := false
	count := d.Uint(fCount)
	for more := d.Elements(); count > 0 && more.Next(); count-- {
		node := d.Open(fNode)
		x, y := int16(d.Int(fX)), int16(d.Int(fY))
		if d.Short() {
			d.Close(node)
			return way, at
		}
		if at.known {
			tiles, honest := point{at.x, at.y}.step(point{x, y})
			way += tiles
			illegal = illegal || !honest
			d.Set(fSteps, uint64(tiles))
			if !honest {
				d.Expert(nIllegal)
			}
		}
		d.Close(node)
		at.known, at.x, at.y = true, x, y
	}
	missing(d, count)
	if at.known {
		d.Set(fOwnX, uint64(int64(at.x)))
		d.Set(fOwnY, uint64(int64(at.y)))
	}
	return way, at
}

// missing marks the message when things that its own count promises are not there.
func missing(d *dissect.D, count uint64) {
	if count > 0 && !d.Short() && d.Left() == 0 {
		d.Skip(1)
	}
}

// dissectCorpse reads mCrp: i16 x, i16 y.
func dissectCorpse(d *dissect.D, b []byte) {
	remember(d, &restNotes, func(c *connection) restNote {
		c.paint(d, tCorpse, b)
		return restNote{}
	})
	d.Int(fCorpseX)
	d.Int(fCorpseY)
	d.Links().ShowForward(fShownIn)
	d.Info().Set("leaves a corpse at ({corpse.x}, {corpse.y})")
}
