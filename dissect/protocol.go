package dissect

import "slices"

// A Protocol is the declaration of one protocol: its names and its fields. Declare it as a package variable.
type Protocol struct {
	name, title, doc string
	little           bool
	self             *Field // the protocol as a field: `tcp` in a filter
	fields           []*Field
	rooms            []Field // for fields to come
	kind             *Field  // the first that is a packet type
	hue              Hue
	quiet, whole     bool
	unnamed          bool
	infoWords        []string // see InfoWords
	fewWords         bool     // InfoWords was said
	infoCopies       bool     // see InfoCopies
	post             bool     // it looks at packets that are dissected whole
	traits           Trait
	former           string
	speaks           []*Protocol
	runtime          bool      // declared while the program runs (see NewRuntimeProtocol)
	owner            *Protocol // whose layers have the fields, where they are not its own (see NewDeclared)
	declared         int       // so many fields, with itself; where it is runtime
	preferences      []*Preference
	image            map[FieldID]*Field // of an alias: its fields, by those of the protocol it stands for
}

// A Hue is the family of colours in which a protocol's name and types are drawn.
type Hue uint8

// The hues. Plain is for protocols that need not stand out.
const (
	HuePlain Hue = iota
	HueBlue
	HueGreen
	HueCyan
	HueMagenta
	HueYellow
	HueRed
)

// NewProtocol declares a protocol: the name used in filters ("udp"), the short title shown in the protocol column
// and the tree ("UDP"), and what it is in one sentence.
func NewProtocol(name, title, doc string) *Protocol {
	p := &Protocol{name: name, title: title, doc: doc}
	p.self = newField(p, "", title, doc, TypeProtocol)
	p.self.name = name
	return p
}

// LittleEndian makes little-endian the default of the fields declared after it.
func (p *Protocol) LittleEndian() *Protocol { p.little = true; return p }

// Color gives the protocol its colour.
func (p *Protocol) Color(h Hue) *Protocol { p.hue = h; return p }

// Summary changes the text of the protocol's own tree node, which is otherwise its title:
// "User Datagram Protocol, Src Port: {srcport}, Dst Port: {dstport}".
func (p *Protocol) Summary(template string) *Protocol { p.self.Summary(template); return p }

// SharesFields says that the protocol's packets have the fields of other protocols too, as multicast DNS has those of
// DNS and TLS those of certificates.
func (p *Protocol) SharesFields(others ...*Protocol) *Protocol { p.speaks = others; return p }

// has tells whether the protocol's layers may record fields of the other.
func (p *Protocol) has(other *Protocol) bool { return p == other || slices.Contains(p.speaks, other) }

// Name is the name in filters, such as "udp".
func (p *Protocol) Name() string { return p.name }

// Title is the name in trees and columns, such as "UDP".
func (p *Protocol) Title() string { return p.title }

// Doc says in one sentence what the protocol is.
func (p *Protocol) Doc() string { return p.doc }

// Hue is the color of the protocol's name.
func (p *Protocol) Hue() Hue { return p.hue }

// Fields are the declared fields, in the order of their declaration.
func (p *Protocol) Fields() []*Field { return p.fields }

// Self is the field of the protocol itself, which is the node of its layer.
func (p *Protocol) Self() *Field { return p.self }

// KindField is the protocol's packet type: its own, or that of the protocol whose packets it has too (see Speaking), as
// multicast DNS has the types of DNS. It is nil if there is none.
func (p *Protocol) KindField() *Field {
	if p.kind != nil {
		return p.kind
	}
	for _, other := range p.speaks {
		if other.kind != nil {
			return other.kind
		}
	}
	return nil
}

func (p *Protocol) add(name, label, doc string, t Type, size uint8) *Field {
	f := newField(p, name, label, doc, t)
	f.size, f.little = size, p.little
	p.fields = append(p.fields, f)
	return f
}

// Uint8 declares an unsigned number of one byte. Masked fields share their bytes with their neighbours.
//
// What declares fields is called thousands of times, once each, when the program starts. Where it is marked noinline,
// that makes the program smaller, and nothing slower.
//
//go:noinline
func (p *Protocol) Uint8(name, label, doc string) *Field { return p.add(name, label, doc, TypeUint, 1) }

// Uint16 declares an unsigned number of two bytes.
//
//go:noinline
func (p *Protocol) Uint16(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeUint, 2)
}

// Uint24 declares an unsigned number of three bytes.
func (p *Protocol) Uint24(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeUint, 3)
}

// Uint32 declares an unsigned number of four bytes.
//
//go:noinline
func (p *Protocol) Uint32(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeUint, 4)
}

// Uint64 declares an unsigned number of eight bytes.
func (p *Protocol) Uint64(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeUint, 8)
}

// Int8 declares a signed number of one byte, in two's complement.
func (p *Protocol) Int8(name, label, doc string) *Field { return p.add(name, label, doc, TypeInt, 1) }

// Int16 declares a signed number of two bytes, in two's complement.
func (p *Protocol) Int16(name, label, doc string) *Field { return p.add(name, label, doc, TypeInt, 2) }

// Int32 declares a signed number of four bytes, in two's complement.
func (p *Protocol) Int32(name, label, doc string) *Field { return p.add(name, label, doc, TypeInt, 4) }

// Int64 declares a signed number of eight bytes, in two's complement.
func (p *Protocol) Int64(name, label, doc string) *Field { return p.add(name, label, doc, TypeInt, 8) }

// Float32 declares an IEEE 754 number of four bytes.
func (p *Protocol) Float32(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeFloat, 4)
}

// Float64 declares an IEEE 754 number of eight bytes.
func (p *Protocol) Float64(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeFloat, 8)
}

// Bool is one byte, or with Masked some bits of one; any bit set is true.
//
//go:noinline
func (p *Protocol) Bool(name, label, doc string) *Field { return p.add(name, label, doc, TypeBool, 1) }

// IPv4 declares an IPv4 address of four bytes in network byte order.
//
//go:noinline
func (p *Protocol) IPv4(name, label, doc string) *Field { return p.add(name, label, doc, TypeIPv4, 4) }

// IPv6 declares an IPv6 address of 16 bytes in network byte order.
func (p *Protocol) IPv6(name, label, doc string) *Field { return p.add(name, label, doc, TypeIPv6, 16) }

// Ether declares an Ethernet address of six bytes in network byte order.
//
//go:noinline
func (p *Protocol) Ether(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeEther, 6)
}

// GUID declares a GUID of 16 bytes (RFC 9562).
func (p *Protocol) GUID(name, label, doc string) *Field { return p.add(name, label, doc, TypeGUID, 16) }

// Bytes declares bytes, as many as are read.
//
//go:noinline
func (p *Protocol) Bytes(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeBytes, 0)
}

// String declares a text of as many bytes as are read.
//
//go:noinline
func (p *Protocol) String(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeString, 0)
}

// Time declares a point in time: nanoseconds since 1970-01-01 UTC, an int64, set with D.Set or D.Put.
func (p *Protocol) Time(name, label, doc string) *Field { return p.add(name, label, doc, TypeTime, 8) }

// Span declares a duration: nanoseconds, an int64, set with D.Set or D.Put.
func (p *Protocol) Span(name, label, doc string) *Field { return p.add(name, label, doc, TypeSpan, 8) }

// FrameRef is the number of another frame: a link that people can follow.
func (p *Protocol) FrameRef(name, label, doc string) *Field {
	return p.add(name, label, doc, TypeFrame, 4).Derived()
}

// Label is a node without a value; only its presence can be asked for.
//
//go:noinline
func (p *Protocol) Label(name, label, doc string) *Field { return p.add(name, label, doc, TypeNone, 0) }

// Group is a node that holds other fields; it spans what is read inside it.
func (p *Protocol) Group(name, label, doc string) *Field {
	f := p.add(name, label, doc, TypeNone, 0)
	f.role = roleGroup
	return f
}

// Node is a Group that Wireshark has as a field, too: JSON and the like write it under its name, and other groups as
// the text that stands in the tree.
func (p *Protocol) Node(name, label, doc string) *Field {
	f := p.Group(name, label, doc)
	f.named = true
	return f
}

// BytesNode is a Node that Wireshark has as bytes: those that are read inside it.
func (p *Protocol) BytesNode(name, label, doc string) *Field {
	f := p.Node(name, label, doc)
	f.typ = TypeBytes
	return f
}

// Kind is the packet type: a number of one byte (or Wide) with names. It is kept in the index, starts the Info
// column and is what people filter by. A protocol has one.
func (p *Protocol) Kind(name, label string, values Values, doc string) *Field {
	f := p.add(name, label, doc, TypeUint, 1)
	f.role, f.values, f.base = roleKind, values, Hex
	if p.kind == nil {
		p.kind = f
	}
	return f
}

// Flags8 declares a bit set of one byte: the number itself and one boolean field for each flag, named below it
// ("tcp.flags" and "tcp.flags.syn").
func (p *Protocol) Flags8(name, label string, flags []Flag, doc string) *Field {
	return p.flagSet(name, label, flags, doc, 1)
}

// Flags16 declares a bit set of two bytes, as Flags8 does.
func (p *Protocol) Flags16(name, label string, flags []Flag, doc string) *Field {
	return p.flagSet(name, label, flags, doc, 2)
}

// Flags32 declares a bit set of four bytes, as Flags8 does.
func (p *Protocol) Flags32(name, label string, flags []Flag, doc string) *Field {
	return p.flagSet(name, label, flags, doc, 4)
}

// FlagsUnder is a bit set of size bytes whose flags have names under another prefix than its own: "smb.access.read" of
// "smb.access_mask". A prefix of "" puts them right under the protocol.
func (p *Protocol) FlagsUnder(prefix, name, label string, size int, flags []Flag, doc string) *Field {
	return p.flagsUnder(prefix, name, label, flags, doc, uint8(size))
}

func (p *Protocol) flagSet(name, label string, flags []Flag, doc string, size uint8) *Field {
	return p.flagsUnder(name, name, label, flags, doc, size)
}

func (p *Protocol) flagsUnder(prefix, name, label string, flags []Flag, doc string, size uint8) *Field {
	f := p.add(name, label, doc, TypeUint, size)
	f.base = Hex
	if prefix != "" {
		prefix += "."
	}
	own := f.own()
	for _, flag := range flags {
		b := p.add(prefix+flag.Name, flag.Label, flag.Doc, TypeBool, size)
		own.flags = append(own.flags, b.Masked(flag.Mask))
	}
	return f
}

// UnknownBytes is a field whose meaning nobody knows.
//
//go:noinline
func (p *Protocol) UnknownBytes(name, label, doc string) *Field {
	return p.Bytes(name, label, doc).Unknown()
}

// Expert declares an expert info: something a person should know about a packet. Its name is filterable, its text is
// shown with the severity.
func (p *Protocol) Expert(name string, s Severity, text string) *Field {
	f := p.add(name, text, text, TypeNone, 0)
	f.role, f.severity, f.about, f.derived = roleExpert, s, AboutProtocol, true
	return f
}

// Quiet keeps the protocol out of the Protocol column: the one below it stays there, as for plain data.
func (p *Protocol) Quiet() *Protocol { p.quiet = true; return p }

// Unnamed leaves the Protocol column as the layer around has it until the protocol says something there.
func (p *Protocol) Unnamed() *Protocol { p.unnamed = true; return p }

// IsPost tells whether the protocol is that of a post-dissector, which looks at packets that are dissected whole.
func (p *Protocol) IsPost() bool { return p.post }

// Whole makes the protocol's node span all that it carries, not its header alone.
func (p *Protocol) Whole() *Protocol { p.whole = true; return p }
