package realnet

import (
	"cmp"
	"fmt"
	"sort"

	"remora/dissect"
	"remora/internal/sorting"
)

var (
	fTabVars = proto.Uint8("table.variables", "Variables",
		"Global variables that follow, 1 byte (sheet, sections 4 and 7).")
	fTabEnts = proto.Uint8("table.entities", "Entities",
		"Entities that follow behind the variables, 1 byte (sheet, sections 4 and 7).")

	fLinkVar = proto.Group("link.variable", "Variable", "A global variable that the table links.").
			Summary("Variable[ {realnet.variable.id}][: {realnet.variable.type:name}][ {realnet.variable.name}]")
	fLinkEnt = proto.Group("link.entity", "Entity", "An entity that the table links, with its variables.").
			Summary("Entity[ {realnet.entity.id}][: {realnet.entity.name}][, variables: {realnet.link.members}]")
	fLinkMem = proto.Group("link.member", "Variable", "A variable of an entity.").
			Summary("Variable[ {realnet.link.member.id}][: {realnet.variable.type:name}][ {realnet.variable.name}]")
	fMemID = proto.Uint8("link.member.id", "Variable id",
		"Link id of the entity's variable, 1 byte here and 2 in replication: the numbers are compared (sheet, section 7).")
	fMembers = proto.Uint8("link.members", "Variables", "Variables of the entity that follow, 1 byte (sheet, section 4).")
	fNameLen = proto.Uint8("link.name.size", "Name size", "Size of the name, 1 byte (sheet, section 4).").In("bytes")

	fEntID = proto.Uint16("entity.id", "Entity id",
		"Link id of an entity type, 2 bytes, little-endian (sheet, section 4).")
	fEntName = proto.String("entity.name", "Entity name",
		"Name of an entity type: read in a link table, and looked up there in replication.")
	fVarID = proto.Uint16("variable.id", "Variable id",
		"Link id of a variable, 2 bytes, little-endian (sheet, section 4).")
	fVarName = proto.String("variable.name", "Variable name",
		"Name of a variable: read in a link table, and looked up there in replication.")
	fVarType = proto.Uint8("variable.type", "Data type", "Type of the variable's values, 1 byte: read in a link table, "+
		"and looked up there in replication (sheet, section 4).").Named(dataTypes)
	fTableIn = proto.FrameRef("table_in", "Named by the link table in", "The link table that gives the names.").Derived()

	nType  = proto.Expert("variable.type.bad", dissect.Warn, "Unknown data type")
	nTwice = proto.Expert("link.twice", dissect.Warn, "The table binds an id more than once: the last one counts")
)

// A linked is what a link table says of one id, and where its name is. They are kept in the order of their keys, so
// that an id is found by halving.
type linked struct {
	entity, variable uint16
	kind, typ        uint8
	name             spot
}

// A spot is where bytes stand that later packets refer to, a name or a value: in a frame, or in the datagram that the
// frame completes. Elsewhere there is none, and off is 0.
type spot struct {
	off  uint32
	size uint8
}

func spotAt(d *dissect.D, at, n int) spot {
	ref, _ := d.Stream().RefAt(at, n)
	return spot{ref.Off, uint8(ref.Len)}
}

// read is the name at that place, nil where the frame was evicted.
func (s spot) read(d *dissect.D, frame dissect.FrameNum) []byte {
	b, known := d.Stream().Recall(dissect.Ref{Frame: frame, Off: s.off, Len: uint32(s.size)})
	if !known {
		return nil
	}
	return b
}

// A tableNote is the link table in force at a replication: its frame, and its ids among all that were kept.
type tableNote struct {
	frame dissect.FrameNum
	first uint32
	count uint16
	flags uint8
}

const (
	tableTwice = 1 << iota
	tableCut   // the capture cut off a part of it
)

var (
	linkedIDs  = dissect.NewStore[none, linked]()
	tableNotes = dissect.NewStore[none, tableNote]()
)

// A nameNote is what was found of an id: frame 0 where the table does not have it.
type nameNote struct {
	frame dissect.FrameNum
	name  spot
	typ   uint8
}

// A table is the link table in force, with a checksum: the same table again changes nothing.
type table struct {
	note tableNote
	sum  uint32
}

// linking reads the body of a Linking packet.
func (v *view) linking(d *dissect.D) {
	d.Uint(fLinkType)
	if d.Short() {
		return
	}
	switch v.kind {
	case kindLinkInit:
		d.Info().Setf("asks for the link table")
	case kindLinkTable:
		v.table(d)
	case kindLinkAccept:
		d.Info().Setf("the client accepts the link table")
	case kindLinkReject:
		d.Info().Setf("the client rejects the link table")
		d.Expert(nLinkNo)
	default:
		v.unknownBlock(d)
	}
}

// table reads a link table: variables, then entities with their variables.
func (v *view) table(d *dissect.D) {
	state := tableNotes.FirstPassIn(d, func(*none) (n tableNote) {
		links.FirstPass(d, func(l *link) none { n = l.learn(d, v.whole, v.start); return none{} })
		return n
	})
	variables, entities := d.Uint(fTabVars), d.Uint(fTabEnts)
	n := variables
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fLinkVar, func() {
			d.Uint(fVarID)
			linkedVariable(d)
		})
	}
	need(d, n)
	names := ""
	n = entities
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		var name []byte
		d.In(fLinkEnt, func() { name = linkedEntity(d) })
		if d.Info().Wanted() && entities-n < maxShown {
			names += ", " + text(name)
		}
	}
	need(d, n)
	if state.flags&tableTwice != 0 {
		d.Expert(nTwice)
	}
	if d.Info().Wanted() {
		if names != "" {
			names = ": " + names[2:]
		}
		if entities > maxShown {
			names += ", …"
		}
		d.Info().Setf("%s, %s%s", plural(int(variables), "variable"), several(int(entities), "entity", "entities"), names)
	}
}

func several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// linkedVariable reads type and name of a variable.
func linkedVariable(d *dissect.D) {
	if typ := d.Uint(fVarType); typ >= dataTypeCount && !d.Short() {
		d.Expert(nType)
	}
	d.Counted(fNameLen, fVarName)
}

// linkedEntity reads an entity and its variables, and returns its name.
func linkedEntity(d *dissect.D) []byte {
	d.Uint(fEntID)
	name := d.Counted(fNameLen, fEntName)
	n := d.Uint(fMembers)
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fLinkMem, func() {
			d.Uint(fMemID)
			linkedVariable(d)
		})
	}
	need(d, n)
	return name
}

// learn takes a link table in force from this frame on.
func (l *link) learn(d *dissect.D, b []byte, start int) tableNote {
	if l.table.note.frame != 0 && l.table.sum == sum(b) {
		return l.table.note
	}
	n := tableNote{frame: d.Frame}
	if d.CutShort() {
		n.flags |= tableCut
	}
	var ids []linked
	walkTable(b, func(e entry) {
		ids = append(ids, linked{e.entity, e.variable, e.kind, e.typ, spotAt(d, start+e.off, int(e.size))})
	})
	sorting.Stable(ids, func(a, b linked) int { return cmp.Compare(a.key(), b.key()) })
	for i, id := range ids {
		if i+1 < len(ids) && ids[i+1].key() == id.key() { // the last one counts
			n.flags |= tableTwice
			continue
		}
		if number := linkedIDs.Keep(d, id); n.count == 0 {
			n.first = number
		}
		n.count++
	}
	l.table = table{n, sum(b)}
	return n
}

// key is the id of an entry among all of a table. A member's id has one byte in the table and two in replication: the
// numbers are compared.
func (l *linked) key() uint64 { return key(l.kind, l.entity, l.variable) }

func key(kind uint8, entity, variable uint16) uint64 {
	return uint64(kind)<<32 | uint64(entity)<<16 | uint64(variable)
}

// inForce is the link table in force at a replication.
func inForce(d *dissect.D) tableNote {
	return tableNotes.FirstPassIn(d, func(*none) (n tableNote) {
		links.FirstPass(d, func(l *link) none { n = l.table.note; return none{} })
		return n
	})
}

// find looks an id up in the table.
func (n *tableNote) find(d *dissect.D, kind uint8, entity, variable uint16) nameNote {
	want := key(kind, entity, variable)
	i, ok := sort.Find(int(n.count), func(i int) int {
		id := linkedIDs.Kept(d, n.first+uint32(i))
		return cmp.Compare(want, id.key())
	})
	if !ok {
		return nameNote{}
	}
	id := linkedIDs.Kept(d, n.first+uint32(i))
	return nameNote{n.frame, id.name, id.typ}
}

// text is the name; nothing where it is not wanted.
func (n *nameNote) text(d *dissect.D) []byte {
	if n.frame == 0 || n.name.size == 0 {
		return nil
	}
	return n.name.read(d, n.frame)
}
