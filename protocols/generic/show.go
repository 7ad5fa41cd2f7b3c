package generic

import (
	"fmt"
	"net"
	"reflect"
	"slices"
	"strings"

	"github.com/google/gopacket"

	"remora/dissect"
)

// maxItems bounds the items of one list that are shown.
const maxItems = 1024

// show records one layer: its bytes, then its fields. The cursor moves behind the layer's header.
func show(d *dissect.D, l gopacket.Layer) {
	n := min(len(l.LayerContents()), d.Left())
	if !known(l.LayerType()) {
		return // bytes that stay bytes: they are handed on as data
	}
	if link, ok := l.(gopacket.LinkLayer); ok {
		flow := link.LinkFlow()
		if src := dissect.EtherAddr(flow.Src().Raw()); !src.IsZero() {
			d.Ends().Set(src, dissect.EtherAddr(flow.Dst().Raw()))
		}
	}
	d.SetKind(fType, uint64(l.LayerType()))
	p := plans[reflect.TypeOf(l)]
	if p == nil {
		d.Bytes(fOther, n)
		return
	}
	node := d.Open(p.group)
	s := shower{d: d, base: d.Data(), at: d.Pos()}
	d.Bytes(p.bytes, n)
	if d.Wanted(p.bytes) || d.Wanted(p.group) || p.wanted(d) {
		v := reflect.ValueOf(l)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		s.fields(p.items, v)
	}
	d.Close(node)
}

// wanted is true when somebody looks for one of the layer's fields.
func (p *plan) wanted(d *dissect.D) bool {
	return slices.ContainsFunc(p.all, d.Wanted)
}

// A shower records the values of one layer, whose bytes start at offset at of the source.
type shower struct {
	d    *dissect.D
	base []byte
	at   int
}

func (s *shower) fields(items []item, v reflect.Value) {
	for i := range items {
		s.value(&items[i], v.Field(items[i].index))
	}
}

func (s *shower) value(it *item, v reflect.Value) {
	switch it.what {
	case isUint:
		s.d.Put(it.field, v.Uint(), s.at, 0)
	case isInt:
		s.d.Put(it.field, uint64(v.Int()), s.at, 0)
	case isBool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		s.d.Put(it.field, n, s.at, 0)
	case isFloat:
		s.d.Put(it.field, dissect.Float64(v.Float()), s.at, 0)
	case isText:
		s.d.PutText(it.field, v.String(), s.at, 0)
	case isBytes:
		s.bytes(it.field, v.Bytes())
	case isArray:
		b := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(b), v)
		s.bytes(it.field, b)
	case isIP:
		s.address(it, v.Bytes())
	case isMAC:
		if b := v.Bytes(); len(b) == 6 {
			s.put(it.field, dissect.EtherAddr(b).Uint64(), b)
		} else {
			s.bytes(it.other, b)
		}
	case isMap:
		s.pairs(it.field, v)
	case isList:
		for i := range min(v.Len(), maxItems) {
			s.value(it.elem, v.Index(i))
		}
	case isPointer:
		if !v.IsNil() {
			s.value(it.elem, v.Elem())
		}
	case isStruct:
		node := s.d.Open(it.field)
		s.fields(it.items, v)
		s.d.Close(node)
	}
}

// bytes records a byte slice where it stands in the packet, or as a copy when it stands nowhere.
func (s *shower) bytes(f *dissect.Field, b []byte) {
	if len(b) == 0 || !s.d.Wanted(f) {
		return
	}
	if off, ok := offsetOf(s.base, b); ok {
		pos := s.d.Pos()
		s.d.Seek(s.at + off)
		s.d.Bytes(f, len(b))
		s.d.Seek(pos)
		return
	}
	s.d.PutText(f, string(b), s.at, 0)
}

// put records a number where its bytes stand in the packet.
func (s *shower) put(f *dissect.Field, v uint64, b []byte) {
	if off, ok := offsetOf(s.base, b); ok {
		s.d.Put(f, v, s.at+off, len(b))
		return
	}
	s.d.Put(f, v, s.at, 0)
}

func (s *shower) address(it *item, b []byte) {
	switch len(b) {
	case net.IPv4len:
		s.put(it.field, dissect.IPv4Addr(b).Uint64(), b)
	case net.IPv6len:
		s.bytes(it.other, b)
	}
}

// pairs records a map as "key: value", sorted, so that every look says the same.
func (s *shower) pairs(f *dissect.Field, v reflect.Value) {
	if !s.d.Wanted(f) {
		return
	}
	var lines []string
	for it := v.MapRange(); it.Next() && len(lines) < maxItems; {
		text := fmt.Sprint(it.Value())
		if list, ok := it.Value().Interface().([]string); ok {
			text = strings.Join(list, ", ")
		}
		lines = append(lines, fmt.Sprintf("%v: %s", it.Key(), text))
	}
	slices.Sort(lines)
	for _, line := range lines {
		s.d.PutText(f, line, s.at, 0)
	}
}
