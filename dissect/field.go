package dissect

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// A Type says what a field's values are, for the filter language, the tree and the outputs.
type Type uint8

// The types of fields. Integers carry their width in the field (Field.Size).
const (
	TypeNone     Type = iota // presence only: labels, groups, notes
	TypeProtocol             // a protocol: its value is the bytes it spans
	TypeBool
	TypeUint
	TypeInt
	TypeFloat
	TypeIPv4
	TypeIPv6
	TypeEther
	TypeBytes
	TypeString
	TypeTime  // absolute: nanoseconds since 1970 UTC
	TypeSpan  // relative: nanoseconds
	TypeFrame // the number of another frame
	TypeGUID
)

var typeNames = [...]string{"label", "protocol", "boolean", "unsigned", "signed", "float", "IPv4 address",
	"IPv6 address",
	"Ethernet address", "bytes", "string", "date and time", "time span", "frame number", "GUID"}

// String names the type in the words of documentation and error messages.
func (t Type) String() string { return typeNames[t] }

// A Base is how a number is written.
type Base uint8

// The bases. Both writes decimal with hexadecimal behind it.
const (
	Decimal Base = iota
	Hex
	Both
	Octal
	HexThenDecimal
)

// An Encoding is how the bytes of a string field become text.
type Encoding uint8

// The encodings of strings. Bytes that are no text in the encoding become U+FFFD.
const (
	UTF8 Encoding = iota
	ShiftJIS
	Windows1252
	UTF16LE
	UTF16BE
	ShiftJISOrGBK // whichever it looks like: of programs that send the code page of their Windows
)

// Values names the numbers of a field, in the words of its specification. Several numbers may carry one name.
type Values map[uint64]string

// A Flag is one bit (or several neighbouring bits) of a Flags field. It becomes a boolean field of its own.
type Flag struct {
	Name  string // last part of the filter name: "syn" of tcp.flags.syn
	Label string
	Mask  uint64
	Doc   string
}

// role marks what a field is to the engine beyond its value.
type role uint8

const (
	roleField  role = iota
	roleKind        // the packet type: kept in the index
	roleGroup       // a node that only holds others
	roleExpert      // an expert info
)

// A Field is one declared field of a protocol. Fields are declared as package variables with the methods of
// Protocol and never change after the registry is made.
type Field struct {
	// What reading needs stands together, so that it comes from memory together.
	id     FieldID
	typ    Type
	role   role
	size   uint8 // bytes read by D.Uint and D.Int; width of derived numbers
	little bool
	shift  uint8
	base   Base
	mask   uint64
	rare   *rareTraits // never nil

	proto    *Protocol
	name     string
	label    string
	doc      string
	values   Values
	format   func(v uint64) string
	encoding Encoding
	unknown  bool
	derived  bool
	hidden   bool
	null     bool // of a time: 0 is none at all
	late     bool
	severity Severity
	about    ExpertGroup
	named    bool // of a group: Wireshark has such a field
	wordless bool
	side     uint8 // senderSide, receiverSide or 0
}

// rareTraits are what few fields have. There are ten thousand fields in every run of the program, so what is here is
// not in each of them.
type rareTraits struct {
	times   uint64
	flags   []*Field // of a Flags field: its bits
	also    []*Field // aliases: ip.addr for ip.src
	members []*Field // of an alias: the fields it covers
	unit    string
	unitIf  *Preference // the unit stands where that is on; nil: always
	labels  [2]string
	summary string
	ours    bool // Wireshark has no such field
	unnamed bool // Wireshark shows its line as text alone

	sized      bool  // drawn as how many bytes there are
	plain      bool  // drawn without its label
	boxes      uint8 // bits that are drawn of a masked field; 0: all of its bytes, unboxed: none
	wholeBytes bool  // written with all its bytes in spite of its mask
	port       Table // the transport whose ports the field holds

	formatTo   func(dst []byte, v uint64) []byte
	column     string // see InColumn
	columnText func(v uint64) string
}

// noRareTraits is shared by the fields that have none.
var noRareTraits = &rareTraits{labels: [2]string{"Not set", "Set"}}

// own is the field's rareTraits, to be changed.
func (f *Field) own() *rareTraits {
	if f.rare == noRareTraits {
		f.rare = &rareTraits{labels: noRareTraits.labels}
	}
	return f.rare
}

// lastField gives out field numbers. It is a counter, not a registry: what exists is what a Registry was given.
var lastField atomic.Uint32

func newField(p *Protocol, name, label, doc string, t Type) *Field {
	id := p.nextFieldID()
	if id >= 1<<16 {
		panic("dissect: more than 65535 fields declared")
	}
	full := name
	if name != "" {
		full = p.name + "." + name
	}
	f := p.room()
	of := p
	if p.owner != nil && name != "" {
		of = p.owner
	}
	*f = Field{id: FieldID(id), proto: of, name: full, label: label, doc: doc, typ: t, rare: noRareTraits}
	return f
}

// room is memory for one more field. Fields are made some at a time, as so many single ones take longer: 9, 18, 36 and
// 73 of them fill what the allocator gives out.
func (p *Protocol) room() *Field {
	if len(p.rooms) == 0 {
		switch n := len(p.fields); {
		case n < 9:
			p.rooms = make([]Field, 9)
		case n < 36:
			p.rooms = make([]Field, 18)
		case n < 144:
			p.rooms = make([]Field, 36)
		default:
			p.rooms = make([]Field, 73)
		}
	}
	f := &p.rooms[0]
	p.rooms = p.rooms[1:]
	return f
}

// ID is the number of the field in this run of the program. It is never 0.
func (f *Field) ID() FieldID { return f.id }

// Protocol is the protocol that declares the field.
func (f *Field) Protocol() *Protocol { return f.proto }

// Name is the full name in filters, such as "udp.srcport".
func (f *Field) Name() string { return f.name }

// Label is the name in trees, such as "Source Port".
func (f *Field) Label() string { return f.label }

// Doc says in one sentence what the field holds.
func (f *Field) Doc() string { return f.doc }

// Type is the sort of its values.
func (f *Field) Type() Type { return f.typ }

// Size is how many bytes a value has in packets; 0: as many as are read.
func (f *Field) Size() int { return int(f.size) }

// Base is how its numbers are written.
func (f *Field) Base() Base { return f.base }

// Unit is the unit of its numbers, such as "ms"; "" for none.
func (f *Field) Unit() string { return f.rare.unit }

// Mask are the bits of the bytes read that belong to the field; 0: all of them.
func (f *Field) Mask() uint64 { return f.mask }

// Values are the names of its numbers; nil where they have none.
func (f *Field) Values() Values { return f.values }

// IsKind reports whether the field is its protocol's packet type.
func (f *Field) IsKind() bool { return f.role == roleKind }

// IsGroup reports whether the field only holds other fields.
func (f *Field) IsGroup() bool { return f.role == roleGroup }

// IsText reports whether the field is a group that is no more than its text in Wireshark.
func (f *Field) IsText() bool { return f.role == roleGroup && !f.named }

// Unnamed says that the field's line is in Wireshark a text without a field, which the field "text" finds there.
func (f *Field) Unnamed() *Field { f.own().unnamed = true; return f }

// IsLine reports whether the field "text" of Wireshark finds the field's line: a group that is no field, or Unnamed.
func (f *Field) IsLine() bool { return f.IsText() || f.rare.unnamed }

// IsExpert reports whether the field is an expert info.
func (f *Field) IsExpert() bool { return f.role == roleExpert }

// IsUnknown reports whether the field holds bytes whose meaning is not known.
func (f *Field) IsUnknown() bool { return f.unknown }

// IsDerived reports whether values are calculated and not in the packet.
func (f *Field) IsDerived() bool { return f.derived }

// IsHidden reports whether trees leave the field out; filters find it.
func (f *Field) IsHidden() bool { return f.hidden }

// Severity is that of an expert info, and 0 for other fields.
func (f *Field) Severity() Severity { return f.severity }

// About sorts an expert info into another group than AboutProtocol.
//
//go:noinline
func (f *Field) About(g ExpertGroup) *Field { f.about = g; return f }

// Group is what an expert info is about, and 0 for other fields.
func (f *Field) Group() ExpertGroup { return f.about }

// BoolLabels are the words for false and true ("Not set", "Set").
func (f *Field) BoolLabels() (no, yes string) { return f.rare.labels[0], f.rare.labels[1] }

// Members are the fields that f stands for: itself, and for an alias like ip.addr the fields that carry it.
func (f *Field) Members() []*Field {
	if len(f.rare.members) == 0 {
		return []*Field{f}
	}
	return append([]*Field{f}, f.rare.members...)
}

// Aliases are the fields that also stand for f: ip.addr of ip.src.
func (f *Field) Aliases() []*Field { return f.rare.also }

// Bits are the boolean fields of a Flags field.
func (f *Field) Bits() []*Field { return f.rare.flags }

// BE reads the field in network byte order, whatever the protocol's default is.
//
//go:noinline
func (f *Field) BE() *Field { f.little = false; return f }

// LE reads the field in little-endian byte order, whatever the protocol's default is.
//
//go:noinline
func (f *Field) LE() *Field { f.little = true; return f }

// Hex writes the number in hexadecimal.
//
//go:noinline
func (f *Field) Hex() *Field { f.base = Hex; return f }

// HexDec writes the number in decimal, with hexadecimal behind it.
func (f *Field) HexDec() *Field { f.base = Both; return f }

// Oct writes the number in octal.
func (f *Field) Oct() *Field { f.base = Octal; return f }

// Dec writes the number in decimal.
func (f *Field) Dec() *Field { f.base = Decimal; return f }

// HexFirst writes hexadecimal with decimal behind it, as Wireshark writes ip.id.
func (f *Field) HexFirst() *Field { f.base = HexThenDecimal; return f }

// Named gives the field's numbers names.
//
//go:noinline
func (f *Field) Named(v Values) *Field { f.values = v; return f }

// Masked makes the field a part of the bytes it is read from: the bits of mask, shifted down.
//
//go:noinline
func (f *Field) Masked(mask uint64) *Field {
	f.mask, f.shift = mask, trailingZeros(mask)
	return f
}

// Times makes the value a multiple of the bits read: a length in words becomes one in bytes.
func (f *Field) Times(n uint64) *Field { f.own().times = n; return f }

// Wide sets how many bytes the number has (1 to 8).
//
//go:noinline
func (f *Field) Wide(bytes int) *Field {
	if bytes < 1 || bytes > 8 {
		panic(fmt.Sprintf("dissect: %s cannot be %d bytes wide", f.name, bytes))
	}
	f.size = uint8(bytes)
	return f
}

// In names the unit of the values: "ms", "frames", "bytes".
//
//go:noinline
func (f *Field) In(unit string) *Field { f.own().unit = unit; return f }

// InColumn has the field's value stand in a column of summary lines, by its code, as %q. The text of a value is what
// text makes of it; nil: as it is printed.
func (f *Field) InColumn(code string, text func(v uint64) string) *Field {
	r := f.own()
	r.column, r.columnText = code, text
	return f
}

// Column is the code of the column that the field's value stands in, or "", and what makes its text there, or nil.
func (f *Field) Column() (code string, text func(v uint64) string) {
	return f.rare.column, f.rare.columnText
}

// InIf has the unit stand only where a preference is on.
func (f *Field) InIf(p *Preference) *Field { f.own().unitIf = p; return f }

// Derived marks a field that is worked out, not read from the packet.
//
//go:noinline
func (f *Field) Derived() *Field { f.derived = true; return f }

// Underived takes Derived back, for a field of which its packets say themselves whether it is.
func (f *Field) Underived() *Field { f.derived = false; return f }

// Unknown marks a field whose meaning nobody knows; it is shown and filterable like any other.
func (f *Field) Unknown() *Field { f.unknown = true; return f }

// Hidden keeps the field out of the tree; filters and outputs still reach it.
func (f *Field) Hidden() *Field { f.hidden = true; return f }

// Also makes an alias stand for the field too: source and destination port for udp.port.
//
//go:noinline
func (f *Field) Also(alias *Field) *Field {
	own, of := f.own(), alias.own()
	own.also, of.members = append(own.also, alias), append(of.members, f)
	return f
}

// OtherName gives the field a name that is another protocol's: what both have, filters find in both.
//
//go:noinline
func (f *Field) OtherName(full string) *Field { f.name = full; return f }

// Encoded says how the bytes of a string become text.
func (f *Field) Encoded(e Encoding) *Field { f.encoding = e; return f }

// Format writes the value in a way of its own, behind the label. It must be a pure function.
//
//go:noinline
func (f *Field) Format(text func(v uint64) string) *Field { f.format = text; return f }

// FormatTo is Format with a function that appends ASCII.
func (f *Field) FormatTo(text func(dst []byte, v uint64) []byte) *Field {
	f.own().formatTo = text
	return f
}

// TrueFalse changes the words for true and false.
//
//go:noinline
func (f *Field) TrueFalse(yes, no string) *Field { f.own().labels = [2]string{no, yes}; return f }

// Summary is the template for the text of a node that holds others, as in "Src: {src}, Dst: {dst}": a name in
// braces stands for the value of the first field of that name below the node, with or without the protocol's
// name in front. A part in square brackets that names a missing field is left out.
//
//go:noinline
func (f *Field) Summary(template string) *Field { f.own().summary = template; return f }

func trailingZeros(v uint64) (n uint8) {
	for v != 0 && v&1 == 0 {
		v >>= 1
		n++
	}
	return n
}

// Wordless keeps a packet type's name out of the Info column, where the protocol's own words already say it.
func (f *Field) Wordless() *Field { f.wordless = true; return f }

// Null says that the time 0 is none at all, and shown as "NULL".
func (f *Field) Null() *Field { f.null = true; return f }

// Own says that Wireshark has no such field.
func (f *Field) Own() *Field { f.own().ours = true; return f }

// IsOwn tells whether Wireshark has no such field.
func (f *Field) IsOwn() bool { return f.rare.ours || f.proto == ends || f.isOwnType() }

// isOwnType tells whether the field is a packet type that its protocol does not have as a number: Wireshark has none
// then.
func (f *Field) isOwnType() bool {
	return f.role == roleKind && f.derived && strings.HasSuffix(f.name, ".type")
}

// WholeBytes says that what is written of the field's bytes is all of them, although it has a mask: Wireshark declares
// none.
func (f *Field) WholeBytes() *Field { f.own().wholeBytes = true; return f }

// Sized has trees say how many bytes there are in place of them.
//
//go:noinline
func (f *Field) Sized() *Field { f.own().sized = true; return f }

// Plain has trees draw the value alone, without the label.
func (f *Field) Plain() *Field { f.own().plain = true; return f }

// Drawn has trees draw so many bits of a masked field, 0 for none, in place of all bits of its bytes.
func (f *Field) Drawn(bits int) *Field {
	f.own().boxes = unboxed
	if bits > 0 {
		f.rare.boxes = uint8(bits)
	}
	return f
}

// unboxed is what boxes holds of a field whose bits are not drawn.
const unboxed = 255

// IsWhole tells whether WholeBytes was said.
func (f *Field) IsWhole() bool { return f.rare.wholeBytes }

// Late marks a field that is found only after the inner layers were read: a trailer. A search for it reads the whole
// frame.
func (f *Field) Late() *Field { f.late = true; return f }
