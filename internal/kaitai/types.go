package kaitai

import (
	"fmt"
	"strings"
	"sync"
)

// typeKeys are the keys of a type.
var typeKeys = sync.OnceValue(func() map[string]bool {
	return words("meta seq types instances enums params doc doc-ref to-string")
})

// attrKeys are the keys of an attribute.
var attrKeys = sync.OnceValue(func() map[string]bool {
	return words("id doc doc-ref contents type repeat repeat-expr repeat-until if size size-eos process enum " +
		"encoding terminator consume include eos-error pad-right valid pos io value parent")
})

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// unknownKeys tells of keys that the language does not have; those that begin with "-" are anybody's.
func (f *file) unknownKeys(s *Setting, known map[string]bool) (extra map[string]*Setting) {
	for _, k := range s.Names {
		switch {
		case strings.HasPrefix(k, "-"):
			if extra == nil {
				extra = map[string]*Setting{}
			}
			extra[k] = s.Of[k]
		case !known[k]:
			f.mistake(s.Of[k], "unknown key %q", k)
		}
	}
	return extra
}

// later does something when all types are known.
func (f *file) later(do func()) { f.l.pending = append(f.l.pending, do) }

func (f *file) typeBody(t *Type, s *Setting) {
	t.Extra = f.unknownKeys(s, typeKeys())
	t.Doc = strings.TrimSpace(s.Text("doc"))
	t.members, t.types, t.enums = map[string]*Attr{}, map[string]*Type{}, map[string]*EnumDef{}
	f.meta(t, s.Get("meta"))
	if e := s.Get("enums"); e != nil {
		for _, name := range e.Names {
			f.enum(t, name, e.Of[name])
		}
	}
	if k := s.Get("types"); k != nil {
		for _, name := range k.Names {
			child := &Type{Name: name, Up: t, Top: t.Top, file: f, endian: t.endian, bitEndian: t.bitEndian,
				encoding: t.encoding}
			t.types[name] = child
			t.Types = append(t.Types, child)
			f.typeBody(child, k.Of[name])
		}
	}
	f.attributes(t, s)
	if x := s.Get("to-string"); x != nil {
		f.later(func() {
			t.text = f.expr(t, x)
			if t.represent == nil {
				t.represent = &Template{parts: []templatePart{{of: t.text}}}
			}
		})
	}
	if x := t.Extra["-webide-representation"]; x != nil {
		f.later(func() { t.represent = f.template(t, x) })
	}
}

func (f *file) attributes(t *Type, s *Setting) {
	if p := s.Get("params"); p != nil {
		for i, one := range p.List {
			t.Params = append(t.Params, f.attr(t, InParams, fmt.Sprintf("_unnamed%d", i), one))
		}
	}
	if q := s.Get("seq"); q != nil {
		for i, one := range q.List {
			t.Seq = append(t.Seq, f.attr(t, InSeq, fmt.Sprintf("_unnamed%d", i), one))
		}
	}
	if i := s.Get("instances"); i != nil {
		for _, name := range i.Names {
			t.Instances = append(t.Instances, f.attr(t, InInstances, name, i.Of[name]))
		}
	}
}

func (f *file) meta(t *Type, s *Setting) {
	if s == nil {
		return
	}
	if e := s.Get("encoding"); e != nil {
		t.encoding = f.encoding(e)
	}
	switch b := s.Text("bit-endian"); b {
	case "":
	case "le":
		t.bitEndian = little
	case "be":
		t.bitEndian = big_
	default:
		f.mistake(s.Get("bit-endian"), "bit-endian is le or be")
	}
	e := s.Get("endian")
	switch {
	case e == nil:
	case e.Get("switch-on") != nil:
		t.endian = switched
		f.later(func() { f.endianSwitch(t, e) })
	default:
		t.endian = f.endian(e)
	}
}

func (f *file) endian(s *Setting) order {
	switch s.Word {
	case "le":
		return little
	case "be":
		return big_
	}
	f.mistake(s, "endian is le or be, or switches")
	return undecided
}

func (f *file) endianSwitch(t *Type, s *Setting) {
	t.endianOn = f.expr(t, s.Get("switch-on"))
	cases := s.Get("cases")
	if cases == nil {
		f.mistake(s, "the switch has no cases")
		return
	}
	var other *endianCase
	for _, k := range cases.Names {
		c := endianCase{to: f.endian(cases.Of[k])}
		if k == "_" {
			other = &c
			continue
		}
		c.on = f.expr(t, &Setting{Word: k, Line: cases.Of[k].Line, Column: 1})
		t.endianBy = append(t.endianBy, c)
	}
	if other != nil {
		t.endianBy = append(t.endianBy, *other)
	}
}

func (f *file) encoding(s *Setting) string {
	if s.Word == "" {
		f.mistake(s, "an encoding is a name")
	}
	return s.Word
}

func (f *file) enum(t *Type, name string, s *Setting) {
	e := &EnumDef{Name: name, byName: map[string]*Label{}, byNum: map[Value]*Label{}}
	t.enums[name] = e
	t.Enums = append(t.Enums, e)
	for _, k := range s.Names {
		n, err := parseExpr(k)
		if err != nil || n.op != opConst || !n.val.isInteger() {
			f.mistake(s.Of[k], "%q is no integer", k)
			continue
		}
		l := &Label{Of: e, Name: s.Of[k].Word, num: n.val}
		if s.Of[k].Of != nil {
			l.Name, l.Doc = s.Of[k].Text("id"), s.Of[k].Text("doc")
		}
		if e.byNum[n.val] != nil {
			f.mistake(s.Of[k], "%s has a name already", k)
			continue
		}
		e.Labels = append(e.Labels, l)
		e.byName[l.Name], e.byNum[n.val] = l, l
	}
}
