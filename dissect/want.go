package dissect

import (
	"maps"
	"slices"
)

// Wants says which fields a re-dissection records. It decides what is kept, never what is read.
type Wants struct {
	all        bool
	text       bool     // the Info column
	ids        fieldSet // wantNode, wantInside
	protocols  map[*Protocol]bool
	asked      map[*Protocol]bool     // those of the fields that are asked for; nil where they may be of any layer
	mirrored   map[*Protocol]fieldSet // for layers of mirrors
	learning   bool                   // a template of the Info column named a field that was not recorded
	everywhere bool                   // a wanted field may turn up in any protocol
	nodes      bool                   // somebody reads what is recorded, or bytes, not the columns alone
}

const (
	wantNode   = 1 << iota // record the field
	wantInside             // record one of the field's flags
	wantLayer              // of a protocol as a field: one of its fields is wanted
)

// A fieldSet says something of every field, by its FieldID. It is long enough for all fields of the registry that it
// was made for, so that asking it, which happens for each field of each packet, is one load.
type fieldSet []byte

// wantsEverything records every field, wantsTree leaves the Info column out, and wantsNothing records none: it is what
// the first pass records.
var (
	wantsEverything = &Wants{all: true, text: true, everywhere: true, ids: everyField()}
	wantsTree       = &Wants{all: true, everywhere: true, nodes: true, ids: wantsEverything.ids}
	wantsNothing    = &Wants{ids: make(fieldSet, 1<<16)}
)

func everyField() fieldSet {
	s := make(fieldSet, 1<<16)
	for i := range s {
		s[i] = wantNode | wantLayer
	}
	return s
}

// TreeWants records every field, and not the Info column.
func TreeWants() *Wants { return wantsTree }

// Wants records the given fields. An alias stands for the fields it covers.
func (r *Registry) Wants(fields ...*Field) *Wants {
	w := &Wants{protocols: map[*Protocol]bool{}, ids: make(fieldSet, lastField.Load()+1), nodes: len(fields) > 0}
	for _, f := range fields {
		for _, m := range f.Members() {
			w.add(m)
		}
	}
	notes := w.ids[fExpert.id]|w.ids[fMessage.id]|w.ids[fSeverity.id]|w.ids[fGroup.id] != 0 // of any kind
	for _, f := range r.byID {
		if f == nil {
			continue
		}
		for _, bit := range f.rare.flags {
			if w.ids[bit.id] != 0 {
				w.ids[f.id] |= wantInside
			}
		}
		if f.role == roleExpert && notes {
			w.add(f)
		}
	}
	if !w.everywhere {
		w.asked = maps.Clone(w.protocols)
	}
	w.mirror(r)
	return w
}

func (w *Wants) add(f *Field) {
	w.ids[f.id] |= wantNode
	w.ids[f.proto.self.id] |= wantLayer
	w.protocols[f.proto] = true
	if f.proto == ws || f.proto == ends || f.late {
		w.everywhere = true
	}
}

// Tree tells whether they are TreeWants.
func (w *Wants) Tree() bool { return w == wantsTree }

// Row tells whether they are those of RowWants.
func (w *Wants) Row() bool { return w.text && !w.all }

// RowWants records the given fields and what the row of a packet list needs: the Info column with the fields that it is
// made of, and the layers. Each Dissector learns those fields from the templates it meets (see learn).
func (r *Registry) RowWants(fields ...*Field) *Wants {
	w := r.Wants(fields...)
	w.text = true
	for _, p := range r.protocols {
		w.add(p.self)
	}
	w.mirror(r)
	return w
}

// WithBytes says of new wants that the frame's bytes are read, too.
func (w *Wants) WithBytes() *Wants {
	w.nodes, w.asked = true, nil
	return w
}

// ColumnWants records the given fields and what the columns of a packet list need but Info and Type: all layers are
// read.
func (r *Registry) ColumnWants(fields ...*Field) *Wants {
	w := r.Wants(fields...)
	w.everywhere = true
	w.mirror(r)
	return w
}

// sourceWants records nothing, and has all layers read for the bytes that they make.
func (r *Registry) sourceWants() *Wants {
	w := r.Wants()
	w.everywhere = true
	w.mirror(r)
	return w
}

// learned is the Dissector's own copy of the wants of a row, to which it adds what templates name.
func (l *Dissector) learned(w *Wants) *Wants {
	if l.rowsOf != w {
		own := *w
		own.ids, own.protocols, own.mirrored = slices.Clone(w.ids), maps.Clone(w.protocols), maps.Clone(w.mirrored)
		l.rowsOf, l.rows = w, &own
	}
	return l.rows
}

// learnNamed is learn for the fields that a template of the protocol may mean by the name.
func (d *D) learnNamed(name string, p *Protocol) {
	for _, f := range d.reg.FieldsNamed(name) {
		d.learn(f)
	}
	for _, f := range d.reg.FieldsNamed(p.name + "." + name) {
		d.learn(f)
	}
}

// learn adds a field to the wants because a template of the Info column names it. The frame must be dissected again.
func (d *D) learn(f *Field) {
	w := d.want
	if w.all || w.ids[f.id]&wantNode != 0 {
		return
	}
	w.add(f)
	for _, g := range d.reg.byID {
		if g != nil && slices.Contains(g.rare.flags, f) {
			w.ids[g.id] |= wantInside
		}
	}
	w.mirror(d.reg)
	w.learning = true
}
