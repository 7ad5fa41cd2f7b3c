package realnet

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"remora/dissect"
)

const valueDoc = "A replicated value, read as the type that the link table gives its variable, little-endian (sheet, " +
	"section 4)."

// A value is one field of several types: filters compare it as what it is, and look into those that are text.
var (
	fValueText = proto.String("value.text", "Value", "A replicated value that is text.")

	fValues = [dataTypeCount]*dissect.Field{
		dataChar:   proto.Int8("value", "Value", valueDoc).Format(charText),
		dataUchar:  proto.Uint8("value", "Value", valueDoc),
		dataShort:  proto.Int16("value", "Value", valueDoc),
		dataUshort: proto.Uint16("value", "Value", valueDoc),
		dataInt:    proto.Int32("value", "Value", valueDoc),
		dataUint:   proto.Uint32("value", "Value", valueDoc),
		dataInt64:  proto.Int64("value", "Value", valueDoc),
		dataUint64: proto.Uint64("value", "Value", valueDoc),
		dataFloat:  proto.Float32("value", "Value", valueDoc),
		dataDouble: proto.Float64("value", "Value", valueDoc),
		dataText:   proto.String("value", "Value", valueDoc).Also(fValueText),
	}
	fSize = proto.Uint8("value.size", "Size", "Size of the value, 1 byte (sheet, section 4).").In("bytes")
	fRaw  = proto.UnknownBytes("value.raw", "Bytes",
		"A value whose type no link table tells, or whose size does not fit it.")

	fBefore = proto.FrameRef("value.before", "Changed since",
		"Of a value that changed: the replication before, which had the old one.").Derived()
	fWas  = proto.String("value.was", "Was", "The value before, where it was another.").Derived()
	fNext = proto.FrameRef("value.changed_in", "Changes in",
		"A later replication in which a value of this packet is another.").Derived()
	fChanges = proto.Uint32("value.changes", "Changes", "How often the value has changed so far, this packet included.").
			Derived()

	nSize = proto.Expert("value.size.bad", dissect.Warn, "Size does not match the variable's type")
)

func charText(v uint64) string {
	n := int8(v)
	if n >= 0x20 && n < 0x7f {
		return fmt.Sprintf("%d '%c'", n, n)
	}
	return strconv.Itoa(int(n))
}

// A place is where a value belongs: a variable, and of an entity's variables the entity.
type place struct {
	entity, variable uint16
	number           uint8
	of, name         *nameNote // what the table says of entity and variable; of is nil for global variables
}

func (p *place) key() uint64 {
	k := uint64(p.variable)
	if p.of != nil {
		k |= 1<<48 | uint64(p.entity)<<16 | uint64(p.number)<<32
	}
	return k
}

// A valueNote is what a value was before this packet changed it.
type valueNote struct {
	before  dissect.FrameNum
	changes uint32
	was     spot
}

// maxPieces is how many values of one packet are followed. A datagram of the usual size has fewer than half as many.
const maxPieces = 1024

var valueNotes = dissect.NewStore[none, valueNote]()

// maxValues is how many values of a connection are followed. Beyond it all are forgotten and followed anew.
const maxValues = 4096

// values are the last values of a connection.
type values struct {
	last map[uint64]*lastValue
}

type lastValue struct {
	frame   dissect.FrameNum
	changes uint32
	sum     uint32
	is      spot
}

// value reads size and data of a value.
func (v *view) value(d *dissect.D, s *shown, p place) {
	size := int(d.Uint(fSize))
	at, b := d.Pos(), d.Data()
	s.count++
	if d.Short() {
		return
	}
	if size > len(b) {
		d.Skip(size)
		return
	}
	b = b[:size]
	n := v.follow(d, &p, b, at)
	known := p.name.frame != 0 && p.name.typ < dataTypeCount
	switch {
	case known && fitsType(p.name.typ, size):
		show(d, p.name.typ, size)
	case size > 0 || known:
		d.Bytes(fRaw, size)
	}
	if known && !fitsType(p.name.typ, size) {
		if d.Wanted(nSize) {
			d.ExpertText(nSize, fmt.Sprintf("%d bytes; a %s has %d", size, dataTypes[uint64(p.name.typ)], dataSizes[p.name.typ]))
		} else {
			d.Expert(nSize)
		}
	}
	v.history(d, &p, &n)
	if s.wants(d) {
		s.parts = append(s.parts, p.title(d)+" = "+valueText(p.name, b))
	}
}

func fitsType(typ uint8, size int) bool { return dataSizes[typ] < 0 || dataSizes[typ] == size }

// show reads a value of a type.
func show(d *dissect.D, typ uint8, size int) {
	f := fValues[typ]
	switch typ {
	case dataChar, dataShort, dataInt, dataInt64:
		d.Int(f)
	case dataFloat, dataDouble:
		d.Float(f)
	case dataText:
		d.Bytes(f, size)
	default:
		d.Uint(f)
	}
}

// valueText writes a value as people read it, short and escaped; bytes where no type is known.
func valueText(name *nameNote, b []byte) string {
	if name.frame == 0 || name.typ >= dataTypeCount || !fitsType(name.typ, len(b)) {
		if len(b) > 8 {
			return fmt.Sprintf("%x…", b[:8])
		}
		return fmt.Sprintf("%x", b)
	}
	bits := load(b)
	switch name.typ {
	case dataChar:
		return charText(bits)
	case dataShort:
		return strconv.Itoa(int(int16(bits)))
	case dataInt:
		return strconv.Itoa(int(int32(bits)))
	case dataInt64:
		return strconv.FormatInt(int64(bits), 10)
	case dataFloat:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
	case dataDouble:
		return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
	case dataText:
		return "\"" + text(b) + "\""
	}
	return strconv.FormatUint(bits, 10)
}

// load is up to 8 bytes as a number, little-endian.
func load(b []byte) uint64 {
	var x [8]byte
	copy(x[:], b)
	return binary.LittleEndian.Uint64(x[:])
}

// title is "Car#4.v", with ids where no table names them.
func (p *place) title(d *dissect.D) string {
	name := nameOr(d, p.name, p.variable)
	if p.of == nil {
		return name
	}
	return fmt.Sprintf("%s#%d.%s", nameOr(d, p.of, p.entity), p.number, name)
}

func nameOr(d *dissect.D, n *nameNote, id uint16) string {
	if b := n.text(d); b != nil {
		return text(b)
	}
	return fmt.Sprintf("id %d", id)
}

// follow notes a value, and what it was before. Repeats and outdated replication change nothing.
func (v *view) follow(d *dissect.D, p *place, b []byte, at int) (n valueNote) {
	if v.pieces--; v.pieces < 0 || v.n.first != 0 || v.n.flags&noteStale != 0 {
		return n
	}
	return valueNotes.FirstPassIn(d, func(*none) (n valueNote) {
		links.FirstPass(d, func(l *link) none { n = l.values.put(d, p.key(), b, at); return none{} })
		return n
	})
}

func (s *values) put(d *dissect.D, key uint64, b []byte, at int) (n valueNote) {
	e := s.last[key]
	if e == nil {
		if s.last == nil {
			s.last = map[uint64]*lastValue{}
		} else if len(s.last) >= maxValues {
			clear(s.last)
		}
		e = &lastValue{}
		s.last[key] = e
	}
	now := lastValue{frame: d.Frame, changes: e.changes, sum: sum(b), is: spotAt(d, at, len(b))}
	if e.frame != 0 && e.sum != now.sum {
		now.changes++
		n = valueNote{e.frame, now.changes, e.is}
		if e.frame != d.Frame {
			d.Link(e.frame, fNext, nil)
		}
	}
	*e = now
	return n
}

// history shows what a value was before it changed.
func (v *view) history(d *dissect.D, p *place, n *valueNote) {
	if n.before == 0 {
		return
	}
	d.Set(fBefore, uint64(n.before))
	if n.was.off != 0 && d.Wanted(fWas) {
		if was := n.was.read(d, n.before); was != nil {
			d.SetText(fWas, valueText(p.name, was))
		}
	}
	d.Set(fChanges, uint64(n.changes))
}
