package ksy

import (
	"fmt"
	"strings"
	"unicode"

	"remora/dissect"
	"remora/internal/kaitai"
)

// shown is how the objects of a type are shown.
type shown struct {
	typ   *kaitai.Type
	attrs []*shownAttr
	line  *kaitai.Template
	all   []*dissect.Field // of the type, and of those in it
}

// A shownAttr is how an attribute is shown: by a field for each kind of value that it can have.
type shownAttr struct {
	attr                              *kaitai.Attr
	group, number, real, text, binary *dissect.Field
	inner                             []*shown
	run                               int  // bytes of the number that holds its bits, 0 where it stands alone
	little                            bool // the order of the bytes of that number
	kind                              bool
}

// maxFields bounds the fields of one description.
const maxFields = 5000

type declaring struct {
	*dissector
	used  map[string]bool
	count int
	kind  *kaitai.Attr
	err   error
}

// declare declares the fields of a type and of what is in it, once.
func (d *declaring) declare(t *kaitai.Type) *shown {
	if s := d.types[t]; s != nil {
		return s
	}
	s := &shown{typ: t, line: t.Represent()}
	d.types[t] = s
	prefix := ""
	if t != d.spec.Root {
		prefix = strings.ReplaceAll(t.Path(), "::", ".") + "."
		if t.Top != d.spec.Root && t.Up != nil {
			prefix = t.Top.Name + "." + prefix
		}
	}
	for _, a := range t.Attrs() {
		if a.In == kaitai.InParams || d.err != nil {
			continue
		}
		s.attrs = append(s.attrs, d.attribute(a, prefix))
	}
	joinBits(s)
	return s
}

// attribute declares the fields of an attribute.
func (d *declaring) attribute(a *kaitai.Attr, prefix string) *shownAttr {
	out := &shownAttr{attr: a, kind: a == d.kind}
	name := prefix + fieldName(a)
	shape := a.Shape()
	kinds := shape.Cases
	if len(kinds) == 0 {
		kinds = []kaitai.Shape{shape}
	} else {
		kinds = append(kinds, kaitai.Shape{Kind: kaitai.Bytes}) // of no case
		if shape.Kind == kaitai.Enum {
			kinds = []kaitai.Shape{shape}
		}
	}
	for _, k := range kinds {
		d.field(out, name, a, k, shape.Computed)
	}
	return out
}

// field declares the field for one kind of values.
func (d *declaring) field(out *shownAttr, name string, a *kaitai.Attr, k kaitai.Shape, computed bool) {
	doc, label := docOf(a), labelOf(a)
	add := func(of **dissect.Field, suffix string, make func(name, label, doc string) *dissect.Field) {
		if *of != nil {
			return
		}
		full := name
		if d.used[full] || *of == nil && out.group != nil {
			full += suffix
		}
		for i := 2; d.used[full]; i++ {
			full = fmt.Sprintf("%s_%d", name, i)
		}
		d.used[full] = true
		if d.count++; d.count > maxFields {
			d.err = fmt.Errorf("the description has more than %d fields", maxFields)
			return
		}
		*of = make(full, label, doc)
		if computed {
			(*of).Derived()
		}
		traits(*of, a)
	}
	switch k.Kind {
	case kaitai.Int, kaitai.Uint, kaitai.Enum, kaitai.Bool:
		add(&out.number, ".number", func(name, label, doc string) *dissect.Field {
			return d.number(out, name, label, doc, k)
		})
	case kaitai.Float:
		if k.Size == 4 {
			add(&out.real, ".real", d.proto.Float32)
		} else {
			add(&out.real, ".real", d.proto.Float64)
		}
	case kaitai.Str:
		add(&out.text, ".text", d.proto.String)
	case kaitai.Struct:
		if computed || k.Type == nil {
			return // it is shown where it stands
		}
		add(&out.group, ".group", d.proto.Group)
		out.inner = append(out.inner, d.declare(k.Type))
		if a.Processed() {
			add(&out.binary, ".bytes", func(name, label, doc string) *dissect.Field {
				return d.proto.Bytes(name, label+" as sent", doc)
			})
		}
	case kaitai.Null:
		add(&out.text, ".text", d.proto.String)
	case kaitai.Bytes:
		add(&out.binary, ".bytes", d.proto.Bytes)
	}
}

// number declares a field for integers: the packet type, if it is that.
func (d *declaring) number(out *shownAttr, name, label, doc string, k kaitai.Shape) *dissect.Field {
	size := k.Size
	if k.Bits > 0 {
		size = (k.Bits + 7) / 8
	}
	if size == 0 {
		size = 8
	}
	names := namesOf(k.Enum)
	if out.kind {
		f := d.proto.Kind(name, label, names, doc).Wide(size).Dec()
		out.little = k.Little
		if k.Little {
			f.LE()
		}
		return f
	}
	if k.Kind == kaitai.Bool {
		return d.proto.Bool(name, label, doc)
	}
	make := d.proto.Uint64
	if k.Signed {
		make = d.proto.Int64
	}
	f := make(name, label, doc).Wide(size)
	if len(names) > 0 {
		f.Named(names)
	}
	if k.Little {
		f.LE()
	}
	out.little = k.Little
	return f
}

func namesOf(e *kaitai.EnumDef) dissect.Values {
	if e == nil {
		return nil
	}
	out := dissect.Values{}
	for _, l := range e.Labels {
		out[l.Number().Uint64()] = l.Name
	}
	return out
}

// joinBits has the fields of bits that share bytes show which bits they are.
func joinBits(s *shown) {
	bits := 0
	var row []*shownAttr
	flush := func() {
		if bits%8 == 0 && bits <= 64 {
			maskRow(row)
		}
		row, bits = nil, 0
	}
	for _, a := range s.attrs {
		k := a.attr.Shape()
		plain := k.Bits > 0 && !k.Little && !k.List && a.attr.In == kaitai.InSeq && !a.attr.Optional() && !a.attr.LittleBits()
		if !plain {
			if k.Bits > 0 {
				bits = 1000 // what begins within a byte is not known
			} else {
				flush()
			}
			continue
		}
		row, bits = append(row, a), bits+k.Bits
		if bits%8 == 0 && bits <= 64 {
			flush()
		}
	}
	flush()
}

// maskRow gives each field of a row that fills whole bytes its mask in the bytes that it touches.
func maskRow(row []*shownAttr) {
	at := 0
	for _, a := range row {
		bits := a.attr.Shape().Bits
		first, last := at/8, (at+bits-1)/8
		a.run = last - first + 1
		shift := (last+1)*8 - at - bits
		at += bits
		if a.run > 8 || bits == a.run*8 {
			a.run = 0
			continue
		}
		a.number.Wide(a.run).Masked((1<<bits - 1) << shift)
	}
}

func fieldName(a *kaitai.Attr) string { return strings.TrimPrefix(a.ID, "_") }

// labelOf is the attribute's name for people: "Request id" of request_id.
func labelOf(a *kaitai.Attr) string {
	if text := a.Extra["-remora"].Text("label"); text != "" {
		return text
	}
	words := []rune(strings.ReplaceAll(fieldName(a), "_", " "))
	if len(words) > 0 {
		words[0] = unicode.ToUpper(words[0])
	}
	return string(words)
}

func docOf(a *kaitai.Attr) string {
	if a.Doc == "" {
		return "As the description of the format has it."
	}
	return strings.Join(strings.Fields(a.Doc), " ")
}

// traits reads what stands below -remora at an attribute.
func traits(f *dissect.Field, a *kaitai.Attr) {
	s := a.Extra["-remora"]
	switch s.Text("base") {
	case "hex":
		f.Hex()
	case "oct":
		f.Oct()
	}
	if unit := s.Text("unit"); unit != "" {
		f.In(unit)
	}
	if s.Text("unknown") == "true" {
		f.Unknown()
	}
}
