package soaprun

import "remora/dissect"

// The measures of a room. Rooms overlap by one row and one column.
const (
	roomWidth  = 21
	roomHeight = 16
	roomTiles  = roomWidth * roomHeight
	stepX      = roomWidth - 1
	stepY      = roomHeight - 1
	maxRooms   = 64
)

// A roomAt names a room.
type roomAt struct{ x, y int8 }

// A room is the tiles as the server sent them last, with later changes.
type room struct {
	tiles [roomTiles]uint8
	snap  dissect.FrameNum // the frame whose note has these tiles, 0 when none has them as they are now
}

// origin is the room's upper left corner over all rooms.
func (at roomAt) origin() (x, y int) { return stepX * int(at.x), stepY * int(at.y) }

// inside is where a position is in the room.
func (at roomAt) inside(p point) (col, row int, ok bool) {
	x, y := at.origin()
	col, row = int(p.x)-x, int(p.y)-y
	return col, row, col >= 0 && col < roomWidth && row >= 0 && row < roomHeight
}

// roomOf is the room of a position; one on a shared edge counts to the room that begins there.
func roomOf(p point) (at roomAt, ok bool) {
	x, y := floor(int(p.x), stepX), floor(int(p.y), stepY)
	return roomAt{int8(x), int8(y)}, x >= -128 && x < 128 && y >= -128 && y < 128
}

func floor(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// keepRoom keeps the tiles of a Room answer, and forgets the oldest room when there are too many.
func (c *connection) keepRoom(at roomAt, tiles []byte) {
	if len(tiles) < roomTiles {
		return
	}
	r := c.rooms[at]
	if r == nil {
		if c.rooms == nil {
			c.rooms = map[roomAt]*room{}
		}
		if len(c.roomOrder) >= maxRooms {
			delete(c.rooms, c.roomOrder[0])
			c.roomOrder = append(c.roomOrder[:0], c.roomOrder[1:]...)
		}
		r = &room{}
		c.rooms[at] = r
		c.roomOrder = append(c.roomOrder, at)
	}
	r.snap = 0
	copy(r.tiles[:], tiles)
}

// changeTiles puts the tile records of a Flds into the rooms that they are in: on a shared edge up to four.
func (c *connection) changeTiles(b []byte, at int) {
	if len(c.rooms) == 0 {
		return
	}
	for n, steps := int(b[5]), (dissect.Progress{}); n > 0 && at+tileRecord <= len(b) && steps.Up(at); n, at = n-1,
		at+tileRecord {
		p := place16(b[at:])
		home, ok := roomOf(p)
		if !ok {
			continue
		}
		for dx := int8(0); dx < 2; dx++ {
			for dy := int8(0); dy < 2; dy++ {
				near := roomAt{home.x - dx, home.y - dy}
				col, row, in := near.inside(p)
				if r := c.rooms[near]; r != nil && in && r.tiles[row*roomWidth+col] != b[at+4] {
					r.tiles[row*roomWidth+col] = b[at+4]
					r.snap = 0
				}
			}
		}
	}
}

// A fieldNote is what the drawing of a Flds needs besides the message: where the player is, and which frames have the
// tiles of the room and their attributes.
type fieldNote struct {
	x, y  int16
	room  roomAt
	flags uint8
	snap  dissect.FrameNum
	attrs dissect.FrameNum
}

const (
	ownKnown = 1 << iota
	roomKnown
	freshTiles // this message's own snapshot has them
	lasting    // and later frames may refer to it
)

// A snapshot is the tiles of a room as they were at a frame. It is left only where no earlier one will do.
type snapshot struct{ tiles [roomTiles]uint8 }

// view says what a drawing of the player's room needs.
func (c *connection) view(d *dissect.D, b []byte) (n fieldNote) {
	turn := 0
	if c.fieldFrame == d.Frame {
		turn = c.fields
	}
	c.fieldFrame, c.fields = d.Frame, turn+1
	if !c.own.known || len(b) < fieldHead {
		return n
	}
	n.x, n.y, n.flags, n.attrs = c.own.x, c.own.y, ownKnown, c.attrs
	at, ok := roomOf(point{n.x, n.y})
	r := c.rooms[at]
	if !ok || r == nil {
		return n
	}
	n.room, n.snap = at, r.snap
	n.flags |= roomKnown
	if r.snap == 0 {
		n.flags |= freshTiles
		if turn == 0 {
			n.flags |= lasting
		}
	}
	return n
}

// snapshot is the note for the message's own tiles, nothing where an earlier one will do.
func (c *connection) snapshot(d *dissect.D, n fieldNote) (s snapshot) {
	r := c.rooms[n.room]
	if n.flags&freshTiles == 0 || r == nil {
		return s
	}
	if n.flags&lasting != 0 {
		r.snap = d.Frame
	}
	s.tiles = r.tiles
	return s
}

// An attributeNote is the attributes by tile number, each one more than it is: 0 is not told.
type attributeNote struct{ by [256]uint8 }

func (c *connection) keepAttributes(d *dissect.D, b []byte) (n attributeNote) {
	if len(b) <= 4 {
		return n
	}
	for i, v := range b[4:min(len(b), 4+len(n.by))] {
		n.by[i] = min(v, 254) + 1
	}
	c.attrs = d.Frame
	return n
}

// A unitNote is the units in a room at the time of a Room response.
type unitNote struct {
	attrs dissect.FrameNum
	count uint8
	list  [24]standing
}

// A standing is a unit in a room: its list, index, appearance and place.
type standing struct{ list, index, kind, state, col, row uint8 }

// standings takes a Room answer into account and says who stands in it.
func (c *connection) standings(b []byte) (n unitNote) {
	n.attrs = c.attrs
	if len(b) < roomBody {
		return n
	}
	at := roomAt{int8(b[0]), int8(b[1])}
	c.keepRoom(at, b[2:])
	put := func(list, index int, p point, kind, state uint8) {
		if col, row, in := at.inside(p); in && int(n.count) < len(n.list) {
			n.list[n.count] = standing{uint8(list), uint8(index), kind, state, uint8(col), uint8(row)}
			n.count++
		}
	}
	if c.own.known {
		put(ownPlayer, 0, point{c.own.x, c.own.y}, c.own.colour, c.own.state)
	}
	for list := range c.units {
		for i := range c.units[list] {
			if u := &c.units[list][i]; u.known && u.here && u.placed {
				put(list, i, point{u.x, u.y}, u.kind, u.state)
			}
		}
	}
	return n
}

// ownPlayer stands for the connection's own player where others name a list.
const ownPlayer = 2
