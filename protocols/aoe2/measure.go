package aoe2

import "math"

// measure is how long an action is by its own counts, and whether it looks as one does: players from 1 to 8, ones where
// they belong. sure tells that it has such ones. b begins with the action's id.
func measure(b []byte) (size int, fits, sure bool) {
	l := layouts[b[0]]
	at, selected, directions := 1, uint32(0), 0
	if l == nil {
		return 0, false, false
	}
	for i := range l {
		p := &l[i]
		n := p.size(b[0], selected, directions)
		if p.role == roleFile {
			return saveSize, true, false
		}
		if n > len(b)-at {
			return at + n, false, false
		}
		switch v := b[at : at+n]; p.role {
		case rolePlayer:
			if v[0] < 1 || v[0] > 8 {
				return 0, false, false
			}
		case roleOnes:
			if le32(v) != math.MaxUint32 {
				return 0, false, false
			}
			sure = true
		case roleSelected:
			if selected = uint32(v[0]); n == 4 {
				selected = le32(v)
			}
			if selected > same {
				return 0, false, false
			}
		case roleNumber:
			if p.slot == slotWays {
				directions = int(v[0])
			}
		}
		at += n
	}
	return at, true, sure
}

// saveSize is the length of a saved game's action in every sample.
const saveSize = 268

// size is how many bytes a part has.
func (p *part) size(id byte, selected uint32, directions int) int {
	switch p.role {
	case roleZero:
		return p.n
	case roleUnits:
		return 4 * ids(id, selected)
	case roleMore:
		if selected > 1 {
			return 4 * int(selected)
		}
		return 0
	case roleMany, roleFloats:
		return p.n * p.f.Size()
	case roleTiles:
		return directions
	case roleFile:
		return saveSize - 3
	}
	return p.f.Size()
}
