package http3

import (
	"golang.org/x/net/http2/hpack"

	"remora/dissect"
	"remora/protocols/internal/texts"
)

var (
	fInstr = proto.Group("qpack.instruction", "QPACK instruction", "One change of the dynamic table.").
		Summary("{http3.qpack.instruction.type:name}[ {http3.qpack.name}: {http3.qpack.value}]")
	fInstrTyp = proto.Uint8("qpack.instruction.type", "Type", "What is changed.").Named(instructions).Derived()
	fCapacity = proto.Uint64("qpack.capacity", "Capacity", "Bytes of the table from here on.")
	fName     = proto.String("qpack.name", "Name", "The name of the field that is inserted.")
	fValue    = proto.String("qpack.value", "Value", "Its value.")
	fAck      = proto.Group("qpack.acknowledgment", "QPACK acknowledgment", "What the other side has read.").
			Summary("{http3.qpack.acknowledgment.type:name}: {http3.qpack.acknowledgment.value}")
	fAckType  = proto.Uint8("qpack.acknowledgment.type", "Type", "What was read.").Named(acknowledgments).Derived()
	fAckValue = proto.Uint64("qpack.acknowledgment.value", "Value", "The stream, or how many entries.")
)

// The instructions of encoders (RFC 9204 section 4.3).
const (
	insertNamed = iota
	insertLiteral
	setCapacity
	duplicate
)

var instructions = dissect.Values{insertNamed: "Insert with Name Reference", insertLiteral: "Insert with Literal Name",
	setCapacity: "Set Dynamic Table Capacity", duplicate: "Duplicate"}

// Those of decoders (RFC 9204 section 4.4).
const (
	ackSection = iota
	cancelStream
	insertCount
)

var acknowledgments = dissect.Values{ackSection: "Section Acknowledgment", cancelStream: "Stream Cancellation",
	insertCount: "Insert Count Increment"}

// integer takes a number off the front of b that begins in the last bits of the first byte (RFC 7541 section 5.1). n is
// 0 where b is too short; numbers too large are cut off at 62 bits.
func integer(b []byte, bits int) (v uint64, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	most := uint64(1)<<bits - 1
	if v = uint64(b[0]) & most; v < most {
		return v, 1
	}
	for n, shift, p := 1, 0, (dissect.Progress{}); n < len(b) && p.Up(n); n, shift = n+1, shift+7 {
		if shift < 56 {
			v += uint64(b[n]&0x7f) << shift
		}
		if b[n]&0x80 == 0 {
			return v, n + 1
		}
	}
	return 0, 0
}

// packed takes a string off the front of b whose length begins in the last bits of the first byte, with the bit above
// telling whether it is packed (RFC 9204 section 4.1.2). n is 0 where b is too short.
func packed(b []byte, bits int) (s string, n int) {
	size, n := integer(b, bits)
	if n == 0 || size > uint64(len(b)-n) {
		return "", 0
	}
	raw := b[n : n+int(size)]
	n += int(size)
	if b[0]>>bits&1 == 0 {
		return string(raw), n
	}
	s, err := hpack.HuffmanDecodeToString(raw)
	if err != nil {
		return "?", n
	}
	return s, n
}

// decoderBits is how many bits of the first byte of a decoder's instruction are its number's.
func decoderBits(b []byte) int {
	if len(b) > 0 && b[0]&0x80 != 0 {
		return 7
	}
	return 6
}

// An instruction is one change of the dynamic table.
type instruction struct {
	typ    int
	number uint64 // an entry, or the capacity
	static bool
	field
	from entry // the entry of the table that the name is from, or both
}

// parseInstruction takes one instruction off the front of b; n is 0 where b is too short.
func parseInstruction(b []byte) (i instruction, n int) {
	if len(b) == 0 {
		return i, 0
	}
	m := 0
	switch {
	case b[0]&0x80 != 0:
		i.typ, i.static = insertNamed, b[0]&0x40 != 0
		i.number, n = integer(b, 6)
	case b[0]&0x40 != 0:
		i.typ = insertLiteral
		i.name, n = packed(b, 5)
	case b[0]&0x20 != 0:
		i.typ = setCapacity
		i.number, n = integer(b, 5)
		return i, n
	default:
		i.typ = duplicate
		i.number, n = integer(b, 5)
		return i, n
	}
	if n == 0 || n >= len(b) {
		return i, 0
	}
	if i.value, m = packed(b[n:], 7); m == 0 {
		return i, 0
	}
	return i, n + m
}

// instructionSize is how long the instruction at the start of b is, 0 where that cannot be told yet. It unpacks
// nothing: of a long one it is asked with every part.
func instructionSize(b []byte) int {
	bits := 5
	switch {
	case len(b) == 0:
		return 0
	case b[0]&0x80 != 0:
		bits = 6
	case b[0]&0x40 != 0:
		n := textSize(b, 5)
		if n == 0 || n >= len(b) {
			return n + min(n, 1) // at least one byte follows
		}
		if m := textSize(b[n:], 7); m > 0 {
			return n + m
		}
		return 0
	}
	_, n := integer(b, bits)
	if n == 0 || bits == 5 {
		return n
	}
	if m := textSize(b[n:], 7); m > 0 {
		return n + m
	}
	return 0
}

// textSize is how long the string at the start of b is with its length, 0 where that cannot be told yet.
func textSize(b []byte, bits int) int {
	size, n := integer(b, bits)
	if n == 0 {
		return 0
	}
	return n + int(min(size, maxFrame))
}

// resolve finds the field that an instruction names by its place in the tables.
func (i *instruction) resolve(d *dissect.D, n note) {
	switch {
	case i.typ != insertNamed && i.typ != duplicate:
	case i.static && i.number < uint64(len(static)):
		i.name = static[i.number].name
	case !i.static && i.number < uint64(n.Count):
		i.from, _ = n.find(d, uint64(n.Count)-1-i.number)
		i.name = i.from.Name.String(d)
		if i.typ == duplicate {
			i.value = i.from.Value.String(d)
		} else {
			i.from.Value = texts.Text{}
		}
	}
}

// instructions reads one change of the dynamic table, and makes it.
func (r *reader) instructions() {
	d := r.d
	i, size := parseInstruction(d.Data())
	if size == 0 {
		d.Skip(d.Left() + 1)
		return
	}
	n := states.FirstPassIn(d, func(s *state) (n note) {
		t := s.table(r.link, r.server)
		if t == nil {
			return n
		}
		n = t.now()
		if i.resolve(d, n); !r.again && i.typ != setCapacity {
			t.insert(d, i.field, i.from)
		}
		return n
	})
	i.resolve(d, n)
	d.In(fInstr, func() {
		d.Set(fInstrTyp, uint64(i.typ))
		if i.typ == setCapacity {
			d.Put(fCapacity, i.number, d.Pos(), size)
		} else {
			d.PutText(fName, i.name, d.Pos(), size)
			d.PutText(fValue, i.value, d.Pos(), size)
		}
		d.Skip(size)
	})
}

// acknowledgments reads one instruction of a decoder.
func (r *reader) acknowledgments() {
	d := r.d
	v, n := integer(d.Data(), decoderBits(d.Data()))
	if n == 0 {
		d.Skip(d.Left() + 1)
		return
	}
	typ := uint64(ackSection)
	if first := d.Peek(0); first&0x80 == 0 {
		typ = insertCount - uint64(first>>6&1)
	}
	d.In(fAck, func() {
		d.Set(fAckType, typ)
		d.Put(fAckValue, v, d.Pos(), n)
		d.Skip(n)
	})
}
