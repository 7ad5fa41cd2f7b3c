package soaprun

import "remora/dissect"

var (
	fShownIn = proto.FrameRef("tile.shown_in", "Shown in",
		"The first message of the server that shows the tile as this one changes it.")
	fPaintIn = proto.FrameRef("tile.painted_in", "Drawn in",
		"The newest message of any client on this server that asked for this change; told of the first eight tiles.")
)

// A stroke is a change of a tile that a client asked for.
type stroke struct {
	at    point
	tile  uint8 // noTile for a corpse, which lies on any
	frame dissect.FrameNum
}

const noTile = 255

// A paintNote is who asked for the first tile records of a Flds.
type paintNote struct{ list [8]dissect.FrameNum }

// paint remembers what the body of a DrFl or an mCrp asks for.
func (c *connection) paint(d *dissect.D, kind uint32, b []byte) {
	s := stroke{tile: noTile, frame: d.Frame}
	switch {
	case kind == tDraw && len(b) > 4:
		s.tile = b[4] &^ corpseBit
	case kind != tCorpse || len(b) < 4:
		return
	}
	s.at = place16(b)
	servers.FirstPassAt(d, c.at, func(v *server) none {
		v.strokes[v.painted%len(v.strokes)] = s
		v.painted++
		return none{}
	})
}

// painters looks up who asked for the tile records at an offset of a Flds.
func (c *connection) painters(d *dissect.D, b []byte) (n paintNote) {
	if len(b) < fieldHead || b[5] == 0 {
		return n
	}
	at := fieldHead
	for range int(b[3]) + int(b[4]) {
		if at = nodesEnd(b, at+5); at < 0 || at > len(b) {
			return n
		}
	}
	servers.FirstPassAt(d, c.at, func(v *server) none {
		for i := range min(int(b[5]), len(n.list)) {
			if r := at + i*tileRecord; r+5 <= len(b) {
				n.list[i] = v.painter(place16(b[r:]), b[r+4])
			}
		}
		return none{}
	})
	return n
}

// painter is the newest message that asked for a tile to become what it is.
func (v *server) painter(at point, tile uint8) (n dissect.FrameNum) {
	for _, s := range v.strokes {
		if s.at == at && s.frame > n && (s.tile == tile&^corpseBit || s.tile == noTile && tile&corpseBit != 0) {
			n = s.frame
		}
	}
	return n
}
