package protobuf

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/protofile"
	"remora/protocols/internal/tables"
)

// A reader shows the message of a layer.
type reader struct {
	d         *dissect.D
	rec       *dissect.Recorder
	src, base int
	b         []byte
	schema    *schema
	asFields  bool
	details   bool
	asText    bool
	info      bool   // what the fields of the outermost message say is wanted
	said      []byte // so far
	json      *jsonText
	deep      int
}

func (r *reader) preferences() {
	d := r.d
	r.schema, _ = pPaths.Loaded(d).(*schema)
	r.asFields, r.details, r.asText = pFields.On(d), pDetails.On(d), pBytes.On(d)
}

// maxDeep bounds messages in messages.
const maxDeep = 60

// A node is what put records beside its place.
type node struct {
	value   uint64
	text    []byte // of strings and bytes that do not stand in the packet
	label   string
	behind  string
	hidden  bool
	derived bool
}

// put records a node for bytes of the message.
func (r *reader) put(f *dissect.Field, depth, from, to int, n node) {
	if !r.d.Wanted(f) {
		return
	}
	r.rec.Record(&dissect.RecordedNode{Field: f, Depth: depth, Source: r.src, Off: r.base + from, Len: to - from,
		Value: n.value, Text: n.text, Label: n.label, Behind: n.behind, Hidden: n.hidden, Derived: n.derived})
}

// message shows a message. Hidden says that what is around it is not shown in trees.
func (r *reader) message(m *protofile.Message, from, to, depth int, hidden bool) {
	if r.deep++; r.deep > maxDeep {
		r.d.Expert(nDeep)
		r.deep--
		return
	}
	defer func() { r.deep-- }()
	label := "Message: " + nameOf(m)
	if f := r.messageField(m); f != nil {
		r.put(f, depth, from, to, node{label: label, hidden: hidden || !r.details})
		if r.details {
			depth++
		} else if r.deep == 1 {
			r.d.Suffix(proto.Self(), " ("+label+")")
		}
	} else {
		r.put(fMessage, depth, from, to, node{label: label, hidden: hidden})
		depth++
	}
	r.put(fMessageName, depth, from, to, node{text: []byte(nameOf(m)), hidden: hidden || !r.details, derived: true})
	top := r.deep == 1
	info := r.info
	r.info = info && top
	r.json.open('{')
	r.fields(m, from, to, depth, hidden)
	r.json.close('}')
	r.info = info
}

// messageField is the field of packets that stands for messages of the type, where such are shown.
func (r *reader) messageField(m *protofile.Message) *dissect.Field {
	if m == nil || !r.asFields {
		return nil
	}
	return r.schema.messages[m]
}

// fields shows the fields of a message, and those that are not sent.
func (r *reader) fields(m *protofile.Message, from, to, depth int, hidden bool) {
	var before *protofile.Field
	seen := map[int]bool{}
	for p := (dissect.Progress{}); from < to && p.Up(from); {
		f := field{r: r, depth: depth, hidden: hidden}
		if note := f.read(m, from, to); note != nil {
			if !r.d.CutShort() {
				r.d.Expert(note)
			}
			break
		}
		if f.f != before && before != nil && before.Repeated {
			r.json.close(']')
		}
		if f.f != nil && f.f != before {
			r.json.name(f.f.Name)
			if f.f.Repeated {
				r.json.open('[')
			}
		}
		f.show()
		seen[int(f.number)], before, from = true, f.f, f.next
	}
	if before != nil && before.Repeated {
		r.json.close(']')
	}
	if m != nil {
		r.defaults(m, seen, to, depth, hidden)
	}
}

// A field is one of a message as it stands in the bytes.
type field struct {
	r              *reader
	f              *protofile.Field // nil where it is not known
	depth          int
	hidden         bool
	number         uint64
	wire           int
	at, tag        int // where it begins, and its tag ends
	from, to, next int // its value
	value          uint64
}

// read finds out what the field is; it returns what is wrong with it.
func (f *field) read(m *protofile.Message, at, limit int) *dissect.Field {
	b := f.r.b
	tag, n := binary.Uvarint(b[at:limit])
	if n <= 0 {
		return nTag
	}
	f.at, f.tag, f.number, f.wire = at, at+n, tag>>3, int(tag&7)
	if m != nil && f.number < 1<<31 {
		f.f = m.Field(int(f.number))
	}
	f.from = f.tag
	switch f.wire {
	case varint:
		if f.value, n = binary.Uvarint(b[f.tag:limit]); n <= 0 {
			return nValue
		}
		f.to = f.tag + n
	case fixed64:
		if f.to = f.tag + 8; f.to > limit {
			return nValue
		}
		f.value = binary.LittleEndian.Uint64(b[f.tag:])
	case fixed32:
		if f.to = f.tag + 4; f.to > limit {
			return nValue
		}
		f.value = uint64(binary.LittleEndian.Uint32(b[f.tag:]))
	case delimited:
		size, n := binary.Uvarint(b[f.tag:limit])
		if n <= 0 || size > uint64(limit-f.tag-n) {
			return nLength
		}
		f.value, f.from = size, f.tag+n
		f.to = f.from + int(size)
	case begin:
		f.to, f.next = groupEnd(b[:limit], f.tag, f.number)
		if f.next == 0 {
			return nWire
		}
		return nil
	default:
		return nWire
	}
	f.next = f.to
	return nil
}

// groupEnd is where the fields of a group end, and where its end tag does; 0 for none.
func groupEnd(b []byte, at int, number uint64) (to, next int) {
	open := []uint64{number}
	for p := (dissect.Progress{}); at < len(b) && p.Up(at); {
		tag, n := binary.Uvarint(b[at:])
		if n <= 0 {
			return 0, 0
		}
		here := at
		at += n
		switch tag & 7 {
		case varint:
			_, n = binary.Uvarint(b[at:])
			if at += n; n <= 0 {
				return 0, 0
			}
		case fixed64:
			at += 8
		case fixed32:
			at += 4
		case delimited:
			size, n := binary.Uvarint(b[at:])
			if n <= 0 || size > uint64(len(b)-at-n) {
				return 0, 0
			}
			at += n + int(size)
		case begin:
			if open = append(open, tag>>3); len(open) > maxDeep {
				return 0, 0
			}
		case end:
			if tag>>3 != open[len(open)-1] {
				return 0, 0
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return here, at
			}
		}
	}
	return 0, 0
}

// show records the field and its value.
func (f *field) show() {
	r := f.r
	v := f.values()
	own := r.fieldOf(f.f)
	shown := f.hidden || own != nil && !r.details
	quiet := shown || f.f != nil && !r.details
	var label string
	if r.d.Labelling() || r.info && f.f != nil {
		label = fmt.Sprintf("Field(%d):", f.number)
	}
	name := "<UNKNOWN>"
	if f.f != nil {
		name = f.f.Name
	}
	if label != "" {
		label += f.label(v)
	}
	r.put(fField, f.depth, f.at, f.next, node{label: label, hidden: shown})
	d := f.depth + 1
	r.put(fFieldName, d, f.at, f.next, node{text: []byte(name), hidden: quiet, derived: true})
	if f.f != nil && f.f.Type != 0 {
		r.put(fFieldType, d, f.at, f.next, node{value: uint64(f.f.Type), hidden: quiet, derived: true})
	}
	r.put(fNumber, d, f.at, f.tag, node{value: f.number, hidden: quiet})
	r.put(fWire, d, f.at, f.at+1, node{value: uint64(f.wire), hidden: quiet})
	if f.wire == delimited {
		r.put(fLength, d, f.tag, f.from, node{value: f.value, hidden: quiet})
	}
	isBytes := f.f != nil && (f.f.Type == protofile.Bytes || f.f.Type == protofile.Group)
	r.put(fValue, d, f.from, f.to, node{hidden: shown || quiet && !isBytes})
	if f.packed() {
		r.put(fRepeated, d, f.from, f.to, node{hidden: shown})
	}
	for i := range v {
		v[i].show(f, d+1, shown || quiet && !f.packed())
	}
	for i := range v {
		v[i].showOwn(f, own)
	}
	f.handOn()
}

// handOn gives the value to a dissector that asks for it by the field's name.
func (f *field) handOn() {
	d := f.r.d
	if f.f == nil || f.f.Type != protofile.Bytes && f.f.Type != protofile.String || f.from == f.to {
		return
	}
	key := dissect.Word(f.f.Full)
	if !d.Inner().Attached(tables.ProtobufField, key) {
		return
	}
	at := d.Pos()
	d.Seek(f.r.base + f.from)
	d.Within(f.to-f.from, func() { d.NextPart(tables.ProtobufField, key) })
	d.Seek(at)
}

// fieldOf is the field of packets for one of messages, where such are shown.
func (r *reader) fieldOf(f *protofile.Field) *dissect.Field {
	if f == nil || !r.asFields {
		return nil
	}
	return r.schema.fields[f]
}
