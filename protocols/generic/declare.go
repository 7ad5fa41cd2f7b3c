package generic

import (
	"fmt"
	"net"
	"reflect"
	"strings"

	"remora/dissect"
)

// A plan says how one of gopacket's structs is shown.
type plan struct {
	group *dissect.Field // "gopacket.gre"
	bytes *dissect.Field // "gopacket.gre.header"
	items []item
	all   []*dissect.Field // every field below the group
}

// what is the sort of value an item holds.
type what uint8

const (
	isUint what = iota
	isInt
	isBool
	isFloat
	isText
	isBytes
	isArray
	isIP
	isMAC
	isMap
	isList
	isPointer
	isStruct
)

// An item is one field of a struct, or one element of a list.
type item struct {
	what  what
	index int
	field *dissect.Field
	other *dissect.Field // an address of the other length
	elem  *item
	items []item
}

// maxNested bounds structs inside structs.
const maxNested = 4

var (
	typeIP    = reflect.TypeFor[net.IP]()
	typeMAC   = reflect.TypeFor[net.HardwareAddr]()
	stringers = reflect.TypeFor[fmt.Stringer]()
)

// declare makes a field of everything that the listed layers export.
func declare() map[reflect.Type]*plan {
	out := map[reflect.Type]*plan{}
	for _, l := range listed {
		t := reflect.TypeOf(l)
		title := l.LayerType().String()
		name := fieldName(t.Elem().Name())
		p := &plan{group: proto.Group(name, title, "The layer "+title+" as gopacket decodes it.")}
		p.bytes = proto.Bytes(name+".header", "Header", "The bytes of the layer "+title+" without its payload.")
		m := maker{p, title}
		p.items = m.fields(name, t.Elem(), 0)
		out[t] = p
	}
	return out
}

// layerNames are the names of the listed layers by gopacket's numbers for them.
func layerNames() dissect.Values {
	v := dissect.Values{}
	for _, l := range listed {
		v[uint64(l.LayerType())] = l.LayerType().String()
	}
	return v
}

// fieldName makes the last part of a filter name of a Go name.
func fieldName(s string) string { return strings.ToLower(s) }

// A maker declares the fields of one layer.
type maker struct {
	p     *plan
	title string
}

func (m maker) fields(prefix string, t reflect.Type, depth int) []item {
	var items []item
	for i := range t.NumField() {
		f := t.Field(i)
		switch f.Name {
		case "BaseLayer", "Contents", "Payload":
			continue
		}
		if !f.IsExported() {
			continue
		}
		if it, ok := m.item(prefix+"."+fieldName(f.Name), f.Name, f.Type, depth); ok {
			it.index = i
			items = append(items, it)
		}
	}
	return items
}

// item declares one value. Types that say nothing to people (interfaces, functions) are left out.
func (m maker) item(name, label string, t reflect.Type, depth int) (item, bool) {
	doc := label + " of the layer " + m.title + "."
	keep := func(f *dissect.Field) *dissect.Field { m.p.all = append(m.p.all, f); return f }
	switch {
	case t == typeIP:
		return item{what: isIP, field: keep(proto.IPv4(name, label, doc)), other: keep(proto.IPv6(name, label, doc))}, true
	case t == typeMAC:
		return item{what: isMAC, field: keep(proto.Ether(name, label, doc)), other: keep(proto.Bytes(name, label, doc))}, true
	}
	size := min(max(1, int(t.Size())), 8)
	switch t.Kind() {
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		f := proto.Uint64(name, label, doc).Wide(size)
		return item{what: isUint, field: keep(named(f, t))}, true
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		f := proto.Int64(name, label, doc).Wide(size)
		return item{what: isInt, field: keep(named(f, t))}, true
	case reflect.Bool:
		return item{what: isBool, field: keep(proto.Bool(name, label, doc).TrueFalse("True", "False"))}, true
	case reflect.Float32, reflect.Float64:
		return item{what: isFloat, field: keep(proto.Float64(name, label, doc))}, true
	case reflect.String:
		return item{what: isText, field: keep(proto.String(name, label, doc))}, true
	case reflect.Map:
		return item{what: isMap, field: keep(proto.String(name, label, doc))}, true
	case reflect.Slice, reflect.Array:
		return m.list(name, label, doc, t, depth, keep)
	case reflect.Pointer:
		if depth < maxNested {
			if e, ok := m.item(name, label, t.Elem(), depth+1); ok {
				return item{what: isPointer, elem: &e}, true
			}
		}
	case reflect.Struct:
		if depth < maxNested {
			g := keep(proto.Group(name, label, doc))
			return item{what: isStruct, field: g, items: m.fields(name, t, depth+1)}, true
		}
	}
	return item{}, false
}

func (m maker) list(name, label, doc string, t reflect.Type, depth int, keep func(*dissect.Field) *dissect.Field) (item,
	bool) {
	if t.Elem().Kind() == reflect.Uint8 {
		kind := isBytes
		if t.Kind() == reflect.Array {
			kind = isArray
		}
		return item{what: kind, field: keep(proto.Bytes(name, label, doc))}, true
	}
	if depth >= maxNested {
		return item{}, false
	}
	e, ok := m.item(name, label, t.Elem(), depth+1)
	return item{what: isList, elem: &e}, ok
}

// named writes numbers that have words in gopacket with them.
func named(f *dissect.Field, t reflect.Type) *dissect.Field {
	if !t.Implements(stringers) {
		return f
	}
	return f.Format(func(v uint64) string {
		x := reflect.New(t).Elem()
		if x.CanUint() {
			x.SetUint(v)
			word := fmt.Sprint(x.Interface())
			if word == "" { // the program has forgotten the rows of gopacket's tables that say this
				word = "Unknown" + t.Name()
			}
			return fmt.Sprintf("%s (%d)", word, v)
		}
		x.SetInt(int64(v))
		return fmt.Sprintf("%v (%d)", x.Interface(), int64(v))
	})
}
