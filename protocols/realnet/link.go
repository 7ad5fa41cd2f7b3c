package realnet

import (
	"remora/dissect"
)

var (
	fTabVars = proto.Uint8("table.variables", "Variables", "Global variables that follow, 1 byte (sheet, sections 4 and 7).")
	fTabEnts = proto.Uint8("table.entities", "Entities", "Entities that follow behind the variables, 1 byte (sheet, sections 4 and 7).")

	fLinkVar = proto.Group("link.variable", "Variable", "A global variable that the table links.").Summary("Variable[ {realnet.variable.id}][: {realnet.variable.type:name}][ {realnet.variable.name}]")
	fLinkEnt = proto.Group("link.entity", "Entity", "An entity that the table links, with its variables.").Summary("Entity[ {realnet.entity.id}][: {realnet.entity.name}][, variables: {realnet.link.members}]")
	fLinkMem = proto.Group("link.member", "Variable", "A variable of an entity.").Summary("Variable[ {realnet.link.member.id}][: {realnet.variable.type:name}][ {realnet.variable.name}]")
	fMemID   = proto.Uint8("link.member.id", "Variable id", "Link id of the entity's variable, 1 byte here and 2 in replication: the numbers are compared (sheet, section 7).")
	fMembers = proto.Uint8("link.members", "Variables", "Variables of the entity that follow, 1 byte (sheet, section 4).")
	fNameLen = proto.Uint8("link.name.size", "Name size", "Size of the name, 1 byte (sheet, section 4).").In("bytes")

	fEntID   = proto.Uint16("entity.id", "Entity id", "Link id of an entity type, 2 bytes, little-endian (sheet, section 4).")
	fEntName = proto.String("entity.name", "Entity name", "Name of an entity type: read in a link table, and looked up there in replication.")
	fVarID   = proto.Uint16("variable.id", "Variable id", "Link id of a variable, 2 bytes, little-endian (sheet, section 4).")
	fVarName = proto.String("variable.name", "Variable name", "Name of a variable: read in a link table, and looked up there in replication.")
	fVarType = proto.Uint8("variable.type", "Data type", "Type of the variable's values, 1 byte: read in a link table, and looked up there in replication (sheet, section 4).").Named(dataTypes)
	fTableIn = proto.FrameRef("table_in", "Named by the link table in", "The link table that gives the names.").Derived()

	nType   = proto.Note("variable.type.bad", dissect.Warn, "Data type that the document does not know")
	nTwice  = proto.Note("link.twice", dissect.Warn, "The table binds an id more than once: the last one counts")
	nPieces = proto.Note("table.pieces", dissect.Hint, "The table came in fragments: its names are not looked up")
)

// maxPieces is how many ids and values of one packet are looked up; what is beyond is shown as numbers. A datagram of
// the usual size has fewer than half as many.
const maxPieces = 1024

// A nameNote is where a link table names an id: frame 0 where none does.
type nameNote struct {
	frame dissect.FrameNum
	off   uint16 // of the name in the frame
	size  uint8
	typ   uint8
}

var nameNotes dissect.Store[none, nameNote]

// A table is the link table in force.
type table struct {
	names map[uint64]nameNote
	twice bool
	bytes uint32 // a checksum: the same table again changes nothing
}

// linking reads the body of a Linking packet.
func (v *view) linking(d *dissect.D) {
	d.Uint(fLinkType)
	if d.Short() {
		return
	}
	switch v.kind {
	case kindLinkInit:
		d.Infof("asks for the link table")
	case kindLinkTable:
		v.table(d)
	case kindLinkAccept:
		d.Infof("the client accepts the link table")
	case kindLinkReject:
		d.Infof("the client rejects the link table")
		d.Mark(nLinkNo)
	default:
		v.unknownBlock(d)
	}
}

// table reads a link table: variables, then entities with their variables.
func (v *view) table(d *dissect.D) {
	state := nameNotes.OnceIn(d, func(*none) (n nameNote) {
		links.Once(d, func(l *link) none { n = l.learn(d, v.whole, v.start); return none{} })
		return n
	})
	variables, entities := d.Uint(fTabVars), d.Uint(fTabEnts)
	n := variables
	for ; n > 0 && d.More(); n-- {
		d.In(fLinkVar, func() {
			d.Uint(fVarID)
			linked(d)
		})
	}
	need(d, n)
	for n = entities; n > 0 && d.More(); n-- {
		d.In(fLinkEnt, func() { linkedEntity(d) })
	}
	need(d, n)
	if state.typ&tableTwice != 0 {
		d.Mark(nTwice)
	}
	if state.typ&tablePieces != 0 {
		d.Mark(nPieces)
	}
	if d.Texting() {
		d.Infof("%s, %s", plural(int(variables), "variable"), several(int(entities), "entity", "entities"))
	}
}

func several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return plural(n, many[:len(many)-1])
}

// linked reads type and name of a variable.
func linked(d *dissect.D) {
	if typ := d.Uint(fVarType); typ >= dataTypeCount && !d.Short() {
		d.Mark(nType)
	}
	d.Bytes(fVarName, int(d.Uint(fNameLen)))
}

func linkedEntity(d *dissect.D) {
	d.Uint(fEntID)
	d.Bytes(fEntName, int(d.Uint(fNameLen)))
	n := d.Uint(fMembers)
	for ; n > 0 && d.More(); n-- {
		d.In(fLinkMem, func() {
			d.Uint(fMemID)
			linked(d)
		})
	}
	need(d, n)
}

// What a table's own note says, in the place of a type.
const (
	tableTwice = 1 << iota
	tablePieces
)

// learn takes a link table in force from this frame on: names are kept as places in the frame.
func (l *link) learn(d *dissect.D, b []byte, start int) (n nameNote) {
	if l.table != nil && l.table.bytes == sum(b) {
		return nameNote{typ: l.table.flags()}
	}
	t := &table{names: map[uint64]nameNote{}, bytes: sum(b)}
	walkTable(b, func(e entry) {
		name := nameNote{d.Frame, 0, e.size, e.typ}
		if ref, ok := d.RefAt(start+e.off, int(e.size)); ok && ref.Off <= 0xffff {
			name.off = uint16(ref.Off)
		} else {
			name.size = 0
			n.typ |= tablePieces
		}
		if _, dup := t.names[e.key()]; dup {
			n.typ |= tableTwice
			t.twice = true
		}
		t.names[e.key()] = name
	})
	l.table = t
	return n
}

func (t *table) flags() uint8 {
	if t.twice {
		return tableTwice
	}
	return 0
}

// lookUp finds what the link table in force says of an id. have tells whether there is a table at all.
func (v *view) lookUp(d *dissect.D, kind uint8, entity, variable uint16) (n nameNote, have bool) {
	if v.pieces--; v.pieces < 0 {
		return n, false
	}
	n = nameNotes.OnceIn(d, func(*none) (n nameNote) {
		links.Once(d, func(l *link) none {
			if l.table == nil {
				return none{}
			}
			var ok bool
			if n, ok = l.table.names[key(kind, entity, variable)]; !ok {
				n = nameNote{typ: notInTable}
			}
			return none{}
		})
		return n
	})
	return n, n != nameNote{}
}

// notInTable stands for the type of an id that the table in force does not have.
const notInTable = 0xff

// text is the name; nothing where it is not wanted.
func (n *nameNote) text(d *dissect.D) []byte {
	if n.frame == 0 || n.size == 0 {
		return nil
	}
	return d.Gather([]dissect.Ref{{Frame: n.frame, Off: uint32(n.off), Len: uint32(n.size)}})
}
