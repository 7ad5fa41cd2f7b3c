package protobuf

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"remora/dissect"
	"remora/protocols/internal/protofile"
)

// A value is one of a field: several in a row where it is packed, or where it is shown as all that it may be.
type value struct {
	t        protofile.Type
	from, to int
	raw      uint64
}

// packed tells whether the field holds several values.
func (f *field) packed() bool {
	return f.f != nil && f.f.Repeated && f.f.Type.Packs() && f.wire == delimited
}

// values are those that the field has.
func (f *field) values() []value {
	whole := value{from: f.from, to: f.to, raw: f.value}
	switch {
	case f.packed():
		return f.unpack()
	case f.f != nil:
		if whole.t = f.f.Type; whole.t != 0 && wireOf(whole.t) != f.wire {
			f.r.d.Expert(nValue)
			return nil
		}
		return []value{whole}
	case f.wire == begin:
		whole.t = protofile.Group
		return []value{whole}
	case pAll.On(f.r.d):
		var all []value
		for _, whole.t = range candidates[f.wire] {
			all = append(all, whole)
		}
		return all
	case f.wire == delimited:
		if !pStrings.On(f.r.d) {
			return nil
		}
		whole.t = protofile.String
	case f.value <= math.MaxUint32:
		whole.t = protofile.Uint32
	default:
		whole.t = protofile.Uint64
	}
	return []value{whole}
}

// candidates are what the value of a wire type may be.
var candidates = map[int][]protofile.Type{
	varint: {protofile.Int32, protofile.Int64, protofile.Uint32, protofile.Uint64, protofile.Sint32, protofile.Sint64,
		protofile.Bool, protofile.EnumType},
	fixed64:   {protofile.Fixed64, protofile.Sfixed64, protofile.Double},
	fixed32:   {protofile.Fixed32, protofile.Sfixed32, protofile.Float},
	delimited: {protofile.String, protofile.Bytes},
}

// wireOf is the wire type that values of a type have.
func wireOf(t protofile.Type) int {
	switch t {
	case protofile.Double, protofile.Fixed64, protofile.Sfixed64:
		return fixed64
	case protofile.Float, protofile.Fixed32, protofile.Sfixed32:
		return fixed32
	case protofile.String, protofile.Bytes, protofile.MessageType:
		return delimited
	case protofile.Group:
		return begin
	}
	return varint
}

// unpack reads values that stand behind each other.
func (f *field) unpack() (list []value) {
	b, wire := f.r.b, wireOf(f.f.Type)
	for at, p := f.from, (dissect.Progress{}); at < f.to && p.Up(at); {
		v := value{t: f.f.Type, from: at}
		n := 0
		switch {
		case wire == varint:
			v.raw, n = binary.Uvarint(b[at:f.to])
		case wire == fixed64 && f.to-at >= 8:
			v.raw, n = binary.LittleEndian.Uint64(b[at:]), 8
		case wire == fixed32 && f.to-at >= 4:
			v.raw, n = uint64(binary.LittleEndian.Uint32(b[at:])), 4
		}
		if n <= 0 {
			f.r.d.Expert(nPacked)
			return nil
		}
		at += n
		v.to = at
		list = append(list, v)
	}
	return list
}

// number is the value of a numeric type as nodes have it, and as text.
func (v *value) number(f *protofile.Field) (n uint64, text string) {
	switch v.t {
	case protofile.Double:
		return v.raw, fmt.Sprintf("%f", math.Float64frombits(v.raw))
	case protofile.Float:
		x := float64(math.Float32frombits(uint32(v.raw)))
		return math.Float64bits(x), fmt.Sprintf("%f", x)
	case protofile.Int64, protofile.Sfixed64:
		return v.raw, fmt.Sprint(int64(v.raw))
	case protofile.Sint64:
		x := int64(v.raw>>1) ^ -int64(v.raw&1)
		return uint64(x), fmt.Sprint(x)
	case protofile.Int32, protofile.Sfixed32:
		return uint64(int64(int32(v.raw))), fmt.Sprint(int32(v.raw))
	case protofile.Sint32:
		x := int32(uint32(v.raw)>>1) ^ -int32(v.raw&1)
		return uint64(int64(x)), fmt.Sprint(x)
	case protofile.EnumType:
		text = fmt.Sprint(int32(v.raw))
		if f != nil && f.Enum != nil {
			if name := f.Enum.Name(int32(v.raw)); name != "" {
				text = name
			}
		}
		return uint64(int64(int32(v.raw))), text
	case protofile.Bool:
		if v.raw != 0 {
			return 1, "true"
		}
		return 0, "false"
	case protofile.Uint32, protofile.Fixed32:
		return uint64(uint32(v.raw)), fmt.Sprint(uint32(v.raw))
	}
	return v.raw, fmt.Sprint(v.raw)
}

// generic is the field that shows values of a type.
func generic(t protofile.Type) *dissect.Field {
	switch t {
	case protofile.Double:
		return fDouble
	case protofile.Float:
		return fFloat
	case protofile.Int64, protofile.Sfixed64, protofile.Sint64:
		return fInt64
	case protofile.Uint64, protofile.Fixed64:
		return fUint64
	case protofile.Uint32, protofile.Fixed32:
		return fUint32
	case protofile.Bool:
		return fBool
	case protofile.String:
		return fString
	}
	return fInt32
}

// label is what the node of the field says behind its number, and what the Info column does.
func (f *field) label(v []value) string {
	r := f.r
	var b strings.Builder
	if f.f != nil {
		b.WriteString(" " + f.f.Name + " ")
		if r.info {
			r.said = append(r.said, " "+f.f.Name...)
		}
		if t := f.f.Type; t != protofile.MessageType && t != protofile.Group && t != protofile.Bytes {
			b.WriteByte('=')
		}
	}
	if f.packed() {
		b.WriteString(" [")
	}
	for i := range v {
		if i > 0 {
			b.WriteByte(',')
		}
		switch v[i].t {
		case protofile.MessageType, protofile.Group, 0:
			if at, ok := f.time(); ok {
				b.WriteString("= " + r.rfc3339(at))
			}
			continue
		case protofile.Bytes:
			if !r.asText {
				continue
			}
			b.WriteString(" =")
		}
		text := v[i].text(f)
		b.WriteString(" " + text)
		if r.info && f.f != nil && !f.packed() {
			r.said = append(r.said, "="+text...)
		}
		if v[i].t == protofile.EnumType {
			fmt.Fprintf(&b, "(%d)", int32(v[i].raw))
		}
	}
	if f.packed() {
		b.WriteByte(']')
	}
	if len(v) > 0 && v[0].t != 0 {
		b.WriteString(" (" + v[0].t.String() + ")")
	}
	return b.String()
}

// text is the value as labels have it.
func (v *value) text(f *field) string {
	if v.t == protofile.String || v.t == protofile.Bytes {
		return strings.ToValidUTF8(string(f.r.b[v.from:v.to]), "\ufffd")
	}
	_, text := v.number(f.f)
	return text
}

// show records a value under the field for its type.
func (v *value) show(f *field, depth int, quiet bool) {
	r := f.r
	switch v.t {
	case protofile.MessageType, protofile.Group, 0:
	case protofile.String, protofile.Bytes:
		if v.t == protofile.String || r.asText {
			r.put(fString, depth, v.from, v.to, node{hidden: quiet})
		}
	default:
		n, text := v.number(f.f)
		at := node{value: n, hidden: quiet}
		if v.t == protofile.EnumType && f.f != nil {
			at.behind = " (" + text + ")"
		}
		r.put(generic(v.t), depth, v.from, v.to, at)
	}
}

// showOwn records a value under the field of its own name, where there is one, and a message in any case.
func (v *value) showOwn(f *field, own *dissect.Field) {
	r, depth := f.r, f.depth
	if r.details {
		depth++
	}
	n := node{hidden: f.hidden}
	switch {
	case v.t == protofile.MessageType || v.t == protofile.Group || v.t == 0:
		v.message(f, depth, own)
		return
	case f.f == nil:
		return
	case v.t == protofile.String:
		r.json.text(string(r.b[v.from:v.to]))
	case v.t == protofile.Bytes:
		r.json.bytes(r.b[v.from:v.to])
		if own != nil && own.Type() == dissect.TypeBytes {
			n.label = fmt.Sprintf("%s: (%d bytes)", f.f.Name, v.to-v.from)
		}
	default:
		var text string
		n.value, text = v.number(f.f)
		r.json.number(v.t, text)
	}
	if own != nil {
		r.put(own, depth, v.from, v.to, n)
	}
}

// message shows a value that is a message: at the depth of the field of its own name, or below its field.
func (v *value) message(f *field, depth int, own *dissect.Field) {
	r := f.r
	var m *protofile.Message
	if f.f != nil {
		if m = f.f.Message; m == nil {
			r.d.Expert(nType)
		}
	}
	hidden := f.hidden
	if own == nil {
		depth = f.depth + 1
	} else {
		n := node{hidden: hidden}
		if at, ok := f.time(); ok {
			n.value, n.label = uint64(at.UnixNano()), f.f.Name+": "+r.rfc3339(at)
		} else if own.Type() == dissect.TypeTime {
			r.d.Expert(nValue)
			return
		} else {
			n.label = fmt.Sprintf("%s: (%d bytes)", f.f.Name, v.to-v.from)
		}
		if m != nil && !r.details {
			n.behind = " (Message: " + m.Full + ")"
		}
		r.put(own, depth, v.from, v.to, n)
		depth++
	}
	if m == nil && v.t != protofile.Group {
		return
	}
	if at, ok := f.time(); ok {
		r.json.text(r.rfc3339(at))
		json := r.json
		r.json = nil
		defer func() { r.json = json }()
	}
	r.message(m, v.from, v.to, depth, hidden)
}

// time is the value of a field that is a point in time.
func (f *field) time() (time.Time, bool) {
	if f.f == nil || f.f.Message == nil || f.f.Message.Full != timestamp || f.wire != delimited {
		return time.Time{}, false
	}
	var seconds, nanos int64
	b := f.r.b[f.from:f.to]
	for p := (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); {
		tag, n := binary.Uvarint(b)
		v, m := binary.Uvarint(b[max(0, n):])
		if n <= 0 || m <= 0 || tag&7 != varint {
			break
		}
		switch b = b[n+m:]; tag >> 3 {
		case 1:
			seconds = int64(v)
		case 2:
			nanos = int64(int32(v))
		}
	}
	return time.Unix(seconds, nanos), true
}

// rfc3339 is a point in time as JSON has it.
func (r *reader) rfc3339(t time.Time) string {
	if pUTC.On(r.d) {
		return t.UTC().Format("2006-01-02T15:04:05.999999999Z")
	}
	return t.In(r.d.Packet().Zone()).Format("2006-01-02T15:04:05.999999999-0700")
}
