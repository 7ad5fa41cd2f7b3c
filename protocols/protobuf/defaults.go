package protobuf

import (
	"fmt"
	"math"
	"strconv"

	"remora/protocols/internal/protofile"
)

// defaults shows fields that are not sent, with the values that they have then.
func (r *reader) defaults(m *protofile.Message, seen map[int]bool, at, depth int, hidden bool) {
	which := pDefault.Text(r.d)
	if which == "none" {
		return
	}
	for _, f := range m.Fields {
		if seen[f.Number] || f.Repeated {
			continue
		}
		switch {
		case f.Required:
			r.d.ExpertText(nRequired, "missing required field '"+f.Name+"'")
			continue
		case f.HasDefault:
		case which == "decl" || f.Type == protofile.Bytes || f.Type == protofile.String || f.Message != nil || f.Type == 0,
			which == "enbl" && f.Type != protofile.EnumType && f.Type != protofile.Bool:
			continue
		}
		r.missing(f, at, depth, hidden)
	}
}

// missing shows one such field.
func (r *reader) missing(f *protofile.Field, at, depth int, hidden bool) {
	n, text, ok := defaultOf(f)
	if !ok {
		return
	}
	own := r.fieldOf(f)
	shown := hidden || own != nil && !r.details
	quiet := shown || !r.details
	label := fmt.Sprintf("Field(%d): %s = %s (%s)", f.Number, f.Name, text, f.Type)
	put := func(depth int, n node) {
		n.derived = true
		if f.Type == protofile.String || f.Type == protofile.Bytes {
			n.text = []byte(f.Default)
		}
		g := own
		if g == nil || n.label == "" {
			g = generic(f.Type)
			if f.Type == protofile.Bytes && !r.asText {
				g = fValue
			}
		} else {
			n.label = ""
		}
		r.put(g, depth, at, at, n)
	}
	r.put(fField, depth, at, at, node{label: label, hidden: shown, derived: true})
	r.put(fFieldName, depth+1, at, at, node{text: []byte(f.Name), hidden: quiet, derived: true})
	r.put(fFieldType, depth+1, at, at, node{value: uint64(f.Type), hidden: quiet, derived: true})
	r.put(fNumber, depth+1, at, at, node{value: uint64(f.Number), hidden: quiet, derived: true})
	put(depth+1, node{value: n, hidden: quiet})
	if own != nil {
		ownDepth := depth + 1
		if !r.details {
			ownDepth = depth
		}
		put(ownDepth, node{value: n, hidden: hidden, label: "own"})
	}
	r.json.name(f.Name)
	switch f.Type {
	case protofile.String:
		r.json.text(f.Default)
	case protofile.Bytes:
		r.json.bytes([]byte(f.Default))
	default:
		r.json.number(f.Type, text)
	}
}

// defaultOf is the value of a field that is not sent, as nodes have it and as text.
func defaultOf(f *protofile.Field) (n uint64, text string, ok bool) {
	v := value{t: f.Type}
	switch f.Type {
	case protofile.String:
		return 0, f.Default, true
	case protofile.Bytes:
		return 0, fmt.Sprintf("(%d bytes)", len(f.Default)), true
	case protofile.EnumType:
		if len(f.Enum.Values) == 0 {
			return 0, "", false
		}
		first := f.Enum.Values[0]
		for _, e := range f.Enum.Values {
			if f.HasDefault && e.Name == f.Default {
				first = e
			}
		}
		return uint64(int64(first.Number)), first.Name, true
	case protofile.Bool:
		v.raw = 0
		if f.Default == "true" {
			v.raw = 1
		}
	case protofile.Double, protofile.Float:
		x, _ := strconv.ParseFloat(f.Default, 64) // 0 where there is none
		if v.raw = math.Float64bits(x); f.Type == protofile.Float {
			v.raw = uint64(math.Float32bits(float32(x)))
		}
	default:
		if x, err := strconv.ParseInt(f.Default, 0, 64); err == nil {
			v.raw = uint64(x)
		} else if x, err := strconv.ParseUint(f.Default, 0, 64); err == nil {
			v.raw = x
		}
		switch f.Type { // as they stand on the wire
		case protofile.Sint32:
			v.t = protofile.Int32
		case protofile.Sint64:
			v.t = protofile.Int64
		}
	}
	n, text = v.number(f)
	return n, text, true
}
