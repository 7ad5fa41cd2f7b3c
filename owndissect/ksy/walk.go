package ksy

import (
	"bytes"
	"strconv"

	"remora/dissect"
	"remora/internal/kaitai"
)

// walk records what was read.
type walk struct {
	*dissector
	d      *dissect.D
	p      *kaitai.Parser
	base   int            // where the source begins in the data source of the tree
	source *kaitai.Source // whose bytes the data source has
	typed  bool           // the packet type was recorded
}

func (w *walk) object(s *shown, o *kaitai.Object) {
	for _, a := range s.attrs {
		if a.attr.In == kaitai.InInstances && !w.wanted(a) {
			continue
		}
		v, at, ok, err := w.p.Read(o, a.attr)
		if err != nil {
			w.d.SetText(w.fFailed, err.Error())
		}
		if !ok {
			continue
		}
		if v.Kind == kaitai.List {
			w.list(a, v.Array())
		} else {
			w.value(a, v, at, -1)
		}
	}
}

// wanted tells whether somebody wants an instance, or what is in it.
func (w *walk) wanted(a *shownAttr) bool {
	if w.d.Labelling() {
		return true
	}
	for _, f := range []*dissect.Field{a.group, a.number, a.real, a.text, a.binary} {
		if f != nil && w.d.Wanted(f) {
			return true
		}
	}
	for _, in := range a.inner {
		for _, f := range in.all {
			if w.d.Wanted(f) {
				return true
			}
		}
	}
	return false
}

func (w *walk) list(a *shownAttr, list *kaitai.Array) {
	for i, v := range list.Elems {
		at := kaitai.Span{}
		if i < len(list.Spans) {
			at = list.Spans[i]
		}
		w.value(a, v, at, i)
	}
}

// value records one value: in its bytes where they are in the current source, and as derived where they are not.
func (w *walk) value(a *shownAttr, v kaitai.Value, at kaitai.Span, index int) {
	off, n := at.Bytes()
	here := at.IO != nil && at.IO.Source == w.source
	off += w.base
	if !here {
		off, n = w.d.Pos(), 0
	}
	switch v.Kind {
	case kaitai.Struct:
		w.nested(a, v.Object(), off, n, index)
	case kaitai.Int, kaitai.Uint, kaitai.Enum, kaitai.Bool:
		w.number(a, v, off, n, here)
	case kaitai.Float:
		w.real(a, v, off, n, here)
	case kaitai.Str:
		w.text(a.text, v.Text(), off, n, here)
	case kaitai.Bytes:
		w.binary(a, v.Raw(), off, n, here)
	}
}

func (w *walk) number(a *shownAttr, v kaitai.Value, off, n int, here bool) {
	f := a.number
	switch {
	case f == nil:
		w.text(a.text, v.String(), off, n, here)
	case a.kind && !w.typed:
		w.typed = true
		w.kind(a, v, off, n, here)
	case !w.d.Wanted(f):
	case !here:
		w.d.Set(f, number(v))
	case a.run > 0:
		shift := trailing(f.Mask())
		w.d.Put(f, number(v)<<shift, off, n)
	default:
		w.d.Put(f, number(v), off, n)
	}
}

func trailing(mask uint64) (n int) {
	for mask&1 == 0 && mask != 0 {
		mask >>= 1
		n++
	}
	return n
}

// kind records the packet type where it stands.
func (w *walk) kind(a *shownAttr, v kaitai.Value, off, n int, here bool) {
	d := w.d
	if here && n == a.number.Size() && n > 0 {
		back := d.Pos()
		d.Seek(off)
		read := d.PeekUint(0, n)
		if a.little {
			read = reversed(read, n)
		}
		if m := a.number.Mask(); m != 0 {
			read = read & m >> trailing(m)
		}
		if read == number(v) && !d.Short() {
			if a.number.Mask() != 0 {
				d.Bits(a.number)
			} else {
				d.Kind(a.number)
			}
			d.Seek(back)
			return
		}
		d.Seek(back)
	}
	d.SetKind(a.number, number(v))
}

func reversed(v uint64, n int) (out uint64) {
	for range n {
		out = out<<8 | v&255
		v >>= 8
	}
	return out
}

func (w *walk) real(a *shownAttr, v kaitai.Value, off, n int, here bool) {
	switch {
	case a.real == nil:
		w.text(a.text, v.String(), off, n, here)
	case here:
		w.d.Put(a.real, dissect.Float64(v.Float64()), off, n)
	default:
		w.d.Set(a.real, dissect.Float64(v.Float64()))
	}
}

func (w *walk) text(f *dissect.Field, text string, off, n int, here bool) {
	switch {
	case f == nil || !w.d.Wanted(f):
	case !here:
		w.d.SetText(f, text)
	case len(text) == n && string(w.raw(off, n)) == text:
		w.d.Put(f, 0, off, n)
	default:
		w.d.PutText(f, text, off, n)
	}
}

func (w *walk) binary(a *shownAttr, b []byte, off, n int, here bool) {
	f := a.binary
	switch {
	case f == nil || !w.d.Wanted(f):
	case !here:
		w.d.SetBytes(f, b)
	case bytes.Equal(w.raw(off, n), b):
		w.d.Put(f, 0, off, n)
	default:
		w.d.PutText(f, string(b), off, n)
	}
}

// raw is bytes of the current source.
func (w *walk) raw(off, n int) []byte { return w.source.Data[off-w.base : off-w.base+n] }

// nested records an object below its own node.
func (w *walk) nested(a *shownAttr, o *kaitai.Object, off, n, index int) {
	s := w.types[o.Type]
	if a.group == nil || s == nil {
		return
	}
	w.d.Put(a.group, 0, off, n)
	if w.d.Labelling() {
		w.line(a, s, o, index)
	}
	inside := func() { w.d.Below(func() { w.object(s, o) }) }
	if o.IO.Source == w.source || o.IO.Source.Name == "" {
		inside()
		return
	}
	if a.binary != nil {
		w.d.Below(func() { w.d.Put(a.binary, 0, off, n) })
	}
	base, source := w.base, w.source
	w.base, w.source = 0, o.IO.Source
	w.d.From(labelOf(a.attr), o.IO.Source.Data, inside)
	w.base, w.source = base, source
}

// line writes behind the node of an object which one of an array it is, and what its type says of itself.
func (w *walk) line(a *shownAttr, s *shown, o *kaitai.Object, index int) {
	text := ""
	if index >= 0 {
		text = " [" + strconv.Itoa(index) + "]"
	}
	if s.line != nil {
		text += ": " + w.p.Text(s.line, o)
	}
	w.d.Suffix(a.group, text)
}
