package soaprun

import (
	"bytes"
	"fmt"

	"remora/dissect"
)

var (
	fRoomX  = proto.Int8("room.x", "Room X", "Column of the room; rooms overlap by one column of tiles. i8.")
	fRoomY  = proto.Int8("room.y", "Room Y", "Row of the room; rooms overlap by one row of tiles. i8.")
	fAskedX = proto.Int8("room.asked.x", "Asked room X", "Column of the room that was asked for.").Derived()
	fAskedY = proto.Int8("room.asked.y", "Asked room Y", "Row of the room that was asked for.").Derived()
	fMap    = proto.Bytes("room.tiles", "Tiles", "The numbers of the room's tiles, row by row: 16 rows of 21.")
	fRow    = proto.String("room.row", "Row",
		"A row of the room as a drawing, behind its number over all rooms; the legend says what the signs mean.")
	fFilled = proto.Uint8("room.filled", "All of tile",
		"The one tile that the whole room is of: servers send such a room for one outside the map.").Derived()
	fLegend = proto.String("room.legend", "Legend", "What the signs of the drawing mean, or a unit that stands in it.").
		Derived()
	fView = proto.Group("view", "Room view",
		"The room of the connection's player as it is now: tiles by their attributes, and who stands where.").
		Summary("Room view: room ({view.room.x}, {view.room.y}), columns {view.from} to {view.to}")
	fViewX  = proto.Int8("view.room.x", "Room X", "Column of the room that is drawn.").Derived().Hidden()
	fViewY  = proto.Int8("view.room.y", "Room Y", "Row of the room that is drawn.").Derived().Hidden()
	fViewA  = proto.Int16("view.from", "First column", "First column of the drawing, over all rooms.").Derived().Hidden()
	fViewB  = proto.Int16("view.to", "Last column", "Last column of the drawing, over all rooms.").Derived().Hidden()
	fWidth  = proto.Int16("attributes.width", "Width", "Tiles in a row of the tile set. i16, little-endian.")
	fHeight = proto.Int16("attributes.height", "Height", "Rows of the tile set. i16, little-endian.")
	fAttr   = proto.Uint8("attribute", "Attribute", "Who may walk on a tile, by the tile's number. u8.").Named(attributes)

	nRoom = proto.Expert("room.other", dissect.Warn, "This is not the room that was asked for")
	nArea = proto.Expert("attributes.size", dissect.Warn, "Width and height of the tile set must be above 0")
)

// dissectAttributes reads the server's mAtt: i16 width, i16 height, and an attribute for each tile number.
func dissectAttributes(d *dissect.D, b []byte) {
	remember(d, &attributeNotes, func(c *connection) attributeNote { return c.keepAttributes(d, b) })
	w, h := d.Int(fWidth), d.Int(fHeight)
	if d.Short() {
		return
	}
	if w <= 0 || h <= 0 {
		d.Expert(nArea)
	}
	n := max(0, w) * max(0, h)
	for i, more := int64(0), d.Elements(); i < n && more.Next(); i++ {
		d.Uint(fAttr)
		if d.Labelling() {
			d.Suffix(fAttr, fmt.Sprintf(" of tile %d", i))
		}
		if i == n-1 {
			n = 0
		}
	}
	missing(d, uint64(n))
	d.Info().Set("{attributes.width} x {attributes.height} tiles")
}

// dissectRoom reads Room: i8 x, i8 y, and in the answer 336 tiles.
func dissectRoom(d *dissect.D, m messageNote, b []byte) {
	if m.from() == fromClient {
		d.Int(fRoomX)
		d.Int(fRoomY)
		d.Info().Set("asks for room ({room.x}, {room.y})")
		return
	}
	n := remember(d, &unitNotes, func(c *connection) unitNote { return c.standings(b) })
	x, y := int8(d.Int(fRoomX)), int8(d.Int(fRoomY))
	if m.turn != 0 {
		d.Set(fAskedX, uint64(int64(m.x)))
		d.Set(fAskedY, uint64(int64(m.y)))
		if m.flags&otherRoom != 0 {
			d.Expert(nRoom)
		}
	}
	at := d.Pos()
	tiles := d.Bytes(fMap, roomTiles)
	if len(tiles) == roomTiles && bytes.Count(tiles, tiles[:1]) == roomTiles {
		d.Set(fFilled, uint64(tiles[0]))
	}
	if len(tiles) == roomTiles && (d.Wanted(fRow) || d.Wanted(fLegend)) {
		v := drawing{at: roomAt{x, y}, attrs: attributeNotes.DataOf(d, n.attrs)}
		copy(v.tiles[:], tiles)
		for _, s := range n.list[:n.count] {
			v.stand(s)
		}
		d.Below(func() { v.show(d, func(row int) (off, n int) { return at + row*roomWidth, roomWidth }) })
	}
	d.Info().Set("room ({room.x}, {room.y})[, all of tile {room.filled}]")
}

// showView draws the room of the connection's player at a Flds: the tiles as they are after it, and its units.
func showView(d *dissect.D, n fieldNote, fresh snapshot, b []byte) {
	if n.flags&roomKnown == 0 || !d.WantedOf(proto) {
		return
	}
	d.In(fView, func() {
		x, _ := n.room.origin()
		d.Set(fViewX, uint64(int64(n.room.x)))
		d.Set(fViewY, uint64(int64(n.room.y)))
		d.Set(fViewA, uint64(int64(x)))
		d.Set(fViewB, uint64(int64(x+stepX)))
		if !d.Wanted(fRow) && !d.Wanted(fLegend) {
			return
		}
		v := drawing{at: n.room, attrs: attributeNotes.DataOf(d, n.attrs), tiles: fresh.tiles}
		if n.flags&freshTiles == 0 {
			v.tiles = snapshots.DataOf(d, n.snap).tiles
		}
		v.people(n, b)
		v.show(d, func(int) (off, n int) { return d.Pos(), 0 })
	})
}

// A drawing is a room with units in it.
type drawing struct {
	at     roomAt
	tiles  [roomTiles]uint8
	attrs  attributeNote
	signs  [roomTiles]byte // of units, 0 where there is none
	legend []string
	others int
}

// people puts the units of a Flds into the drawing, the connection's own player last, so that it is on top.
func (v *drawing) people(n fieldNote, b []byte) {
	at := fieldHead
	for list := range 2 {
		for range b[3+list] {
			if at+6 > len(b) {
				return
			}
			end := min(nodesEnd(b, at+5), len(b))
			s := standing{list: uint8(list), index: b[at], state: b[at+2], kind: b[at+3]}
			var last point
			if nodes(b[:end], at+5, func(p point) { last = p }) > 0 {
				v.put(s, last)
			}
			at = end
		}
	}
	v.put(standing{list: ownPlayer, kind: b[1], state: b[0]}, point{n.x, n.y})
}

func (v *drawing) put(s standing, p point) {
	if col, row, in := v.at.inside(p); in {
		s.col, s.row = uint8(col), uint8(row)
		v.stand(s)
	}
}

// entitySigns are the signs of the entity types.
const entitySigns = "GCSWHRUATDXN"

// stand draws a unit and explains its sign.
func (v *drawing) stand(s standing) {
	x, y := v.at.origin()
	where := fmt.Sprintf("at (%d, %d)", x+int(s.col), y+int(s.row))
	var sign byte
	var what string
	switch s.list {
	case ownPlayer:
		sign = '@'
		what = fmt.Sprintf("this player, %s, %s", named(playerStates, uint64(s.state), "state"),
			named(colours, uint64(s.kind), "colour"))
	case player:
		v.others++
		if sign = '*'; v.others < 10 {
			sign = '0' + byte(v.others)
		}
		what = fmt.Sprintf("player %d, %s, %s", s.index, named(playerStates, uint64(s.state), "state"),
			named(colours, uint64(s.kind), "colour"))
	default:
		if sign = '!'; int(s.kind) < len(entitySigns) {
			sign = entitySigns[s.kind]
		}
		what = fmt.Sprintf("%s (entity %d), %s", named(entityTypes, uint64(s.kind), "type"), s.index,
			condition(s.kind, s.state))
	}
	v.signs[int(s.row)*roomWidth+int(s.col)] = sign
	v.legend = append(v.legend, fmt.Sprintf("%c  %s, %s", sign, what, where))
}

// attributeSigns are the signs of the attributes, by the attribute and one; the first is that of tiles nobody
// described.
const attributeSigns = "?.#+-"

func (v *drawing) sign(i int) byte {
	tile := v.tiles[i]
	switch attr := v.attrs.by[tile]; {
	case v.signs[i] != 0:
		return v.signs[i]
	case tile < 32 && tile&corpseBit != 0:
		return 'x'
	case int(attr) < len(attributeSigns):
		return attributeSigns[attr]
	}
	return '?'
}

const legendText = ".  ground   #  wall   +  players only   -  NPCs only   x  corpse   ?  not known"

// show records the drawing: a line for each row, which covers the bytes that where names, and the legend.
func (v *drawing) show(d *dissect.D, where func(row int) (off, n int)) {
	_, y := v.at.origin()
	var line [roomWidth]byte
	for row := range roomHeight {
		for col := range line {
			line[col] = v.sign(row*roomWidth + col)
		}
		off, n := where(row)
		d.PutText(fRow, fmt.Sprintf("%5d  %s", y+row, line[:]), off, n)
	}
	d.SetText(fLegend, legendText)
	for _, l := range v.legend {
		d.SetText(fLegend, l)
	}
}
