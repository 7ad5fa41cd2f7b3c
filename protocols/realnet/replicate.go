package realnet

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var (
	fRepTime = proto.Uint64("replication.time", "Timestamp",
		"When the server sent this, 8 bytes, little-endian, µs by its clock (sheet, section 4).").In("µs").Also(fStamp)
	fRepEnts = proto.Uint8("replication.entities", "Entity blocks",
		"Entity blocks that follow, 1 byte (sheet, sections 4 and 7).")
	fRepVars = proto.Uint8("replication.variables", "Variable blocks",
		"Variable blocks that follow behind the entities, 1 byte (sheet, sections 4 and 7).")

	fRepEnt = proto.Group("entity", "Entity block", "Values of the entities of one type.").
		Summary("Entity[ {realnet.entity.name}][ (id {realnet.entity.id})]")
	fEntVars = proto.Uint8("entity.variables", "Variables",
		"Variables of the entity that follow, 1 byte (sheet, section 4).")
	fRepVar = proto.Group("variable", "Variable", "Values of one variable, for one or more entities.").
		Summary("Variable[ {realnet.variable.name}][ (id {realnet.variable.id}][, {realnet.variable.type:name})]")
	fCount = proto.Uint8("variable.count", "Entities", "Entities that a value follows for, 1 byte (sheet, section 4).")
	fOne   = proto.Group("instance", "Value", "The value of one entity.").
		Summary("Entity[ #{realnet.entity.number}][: {realnet.value}]")
	fNumber = proto.Uint8("entity.number", "Entity number",
		"Which entity of the type, 1 byte; the document calls it entity id (sheet, sections 4 and 7).")
	fGlobal = proto.Group("global", "Variable block", "The value of one global variable.").
		Summary("Variable[ {realnet.variable.name}][ (id {realnet.variable.id}][, {realnet.variable.type:name})][: " +
			"{realnet.value}]")

	nUnlinked  = proto.Expert("unlinked", dissect.Warn, "Unlinked id: the link table in force does not have it")
	nNoTable   = proto.Expert("table.none", dissect.Hint, "No link table was seen so far: ids have no names")
	nNotLinked = proto.Expert("replication.early", dissect.Warn, "Replication before the client accepted a link table")
	nStale     = proto.Expert("replication.stale", dissect.Hint,
		"Older than replication that came before: its values are outdated")
	nMany = proto.Expert("replication.many", dissect.Hint,
		"More values than are followed: of the rest nothing says what was before")
)

// replication reads the body of a Replication: entity blocks, then variable blocks.
func (v *view) replication(d *dissect.D) {
	d.Uint(fRepTime)
	entities, variables := d.Uint(fRepEnts), d.Uint(fRepVars)
	s := shown{table: inForce(d)}
	n := entities
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fRepEnt, func() { v.entityBlock(d, &s) })
	}
	need(d, n)
	n = variables
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fGlobal, func() { v.globalBlock(d, &s) })
	}
	need(d, n)
	if v.pieces < 0 {
		d.Expert(nMany)
	}
	if s.unknown {
		d.Expert(nNoTable)
	}
	d.Links().ShowForward(fNext)
	if v.n.flags&noteNotLinked != 0 {
		d.Expert(nNotLinked)
	}
	if v.n.flags&noteStale != 0 {
		d.Expert(nStale)
	}
	if d.Info().Wanted() && !d.Short() {
		d.Info().Setf("%s", s.summary())
	}
}

// shown is the Info text of a replication: the first values, and how many there are.
type shown struct {
	parts             []string
	count             int
	unlinked, unknown bool
	table             tableNote
}

const maxShown = 3

// wants reports whether one more value fits into the Info column.
func (s *shown) wants(d *dissect.D) bool { return d.Info().Wanted() && len(s.parts) < maxShown }

func (s *shown) summary() string {
	text := strings.Join(s.parts, ", ")
	if more := s.count - len(s.parts); more > 0 && text != "" {
		text += fmt.Sprintf(", %d more", more)
	}
	if text == "" {
		return plural(s.count, "value")
	}
	return text
}

// found looks an id up and records what the link table says of it: its name, and a variable's type.
func (s *shown) found(d *dissect.D, kind uint8, entity, variable uint16) nameNote {
	if s.table.frame == 0 {
		s.unknown = true
		return nameNote{}
	}
	n := s.table.find(d, kind, entity, variable)
	if n.frame == 0 {
		if !s.unlinked && s.table.flags&tableCut == 0 { // the first of a packet is enough
			s.unlinked = true
			if d.Wanted(nUnlinked) {
				d.ExpertText(nUnlinked,
					fmt.Sprintf("Unlinked id %d: the link table in force does not have it", unlinkedID(kind, entity, variable)))
			} else {
				d.Expert(nUnlinked)
			}
		}
		return n
	}
	name := fVarName
	if kind == entryEntity {
		name = fEntName
	}
	if d.Wanted(name) {
		if b := n.text(d); b != nil || n.name.size == 0 {
			d.SetText(name, string(b))
		}
	}
	if kind != entryEntity {
		d.Set(fVarType, uint64(n.typ))
	}
	if kind != entryMember {
		d.Set(fTableIn, uint64(n.frame))
	}
	return n
}

func unlinkedID(kind uint8, entity, variable uint16) uint16 {
	if kind == entryEntity {
		return entity
	}
	return variable
}

// entityBlock reads the values of one entity type.
func (v *view) entityBlock(d *dissect.D, s *shown) {
	id := uint16(d.Uint(fEntID))
	if d.Short() {
		return
	}
	name := s.found(d, entryEntity, id, 0)
	n := d.Uint(fEntVars)
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fRepVar, func() { v.entityVariable(d, s, id, &name) })
	}
	need(d, n)
}

func (v *view) entityVariable(d *dissect.D, s *shown, id uint16, of *nameNote) {
	variable := uint16(d.Uint(fVarID))
	if d.Short() {
		return
	}
	name := s.found(d, entryMember, id, variable)
	n := d.Uint(fCount)
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fOne, func() {
			number := d.Uint(fNumber)
			if d.Short() {
				return
			}
			v.value(d, s, place{entity: id, variable: variable, number: uint8(number), of: of, name: &name})
		})
	}
	need(d, n)
}

// globalBlock reads the value of one global variable.
func (v *view) globalBlock(d *dissect.D, s *shown) {
	variable := uint16(d.Uint(fVarID))
	if d.Short() {
		return
	}
	name := s.found(d, entryVariable, 0, variable)
	v.value(d, s, place{variable: variable, name: &name})
}
