package realnet

import "encoding/binary"

// An entry is what a link table says of one id: of a global variable (entity 0 of kind entryVariable), an entity, or a
// variable of an entity. off and size are where the name stands in the datagram.
type entry struct {
	kind     uint8
	typ      uint8
	size     uint8
	off      int
	entity   uint16
	variable uint16
}

const (
	entryVariable = iota + 1
	entryEntity
	entryMember
)

// walkTable tells the entries of a Linking Table datagram as far as its bytes go, and returns where it ends by its own
// counts, or more than there is.
func walkTable(b []byte, each func(entry)) int {
	if len(b) < 8 {
		return 8
	}
	at, over := 8, len(b)+1
	for range b[6] {
		if at+4 > len(b) || at+4+int(b[at+3]) > len(b) {
			return over
		}
		each(entry{kind: entryVariable, variable: binary.LittleEndian.Uint16(b[at:]), typ: b[at+2], size: b[at+3],
			off: at + 4})
		at += 4 + int(b[at+3])
	}
	for range b[7] {
		if at+3 > len(b) || at+4+int(b[at+2]) > len(b) {
			return over
		}
		entity := binary.LittleEndian.Uint16(b[at:])
		each(entry{kind: entryEntity, entity: entity, size: b[at+2], off: at + 3})
		at += 3 + int(b[at+2])
		members := b[at]
		at++
		for range members {
			if at+3 > len(b) || at+3+int(b[at+2]) > len(b) {
				return over
			}
			each(entry{kind: entryMember, entity: entity, variable: uint16(b[at]), typ: b[at+1], size: b[at+2], off: at + 3})
			at += 3 + int(b[at+2])
		}
	}
	return at
}
