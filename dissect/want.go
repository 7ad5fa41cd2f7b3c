package dissect

// Wants says which fields a look records. It decides what is kept, never what is read.
type Wants struct {
	all        bool
	text       bool     // the Info column
	ids        fieldSet // wantNode, wantInside
	protocols  map[*Protocol]bool
	mirrored   map[*Protocol]fieldSet // for layers of mirrors
	everywhere bool                   // a wanted field may turn up in any protocol
}

const (
	wantNode   = 1 << iota // record the field
	wantInside             // record one of the field's flags
	wantLayer              // of a protocol as a field: one of its fields is wanted
)

// A fieldSet says something of every field, by its FieldID. It is long enough for all fields of the registry that it
// was made for, so that asking it, which happens for each field of each packet, is one load.
type fieldSet []byte

// wantsEverything records every field, wantsNothing none: it is what the first pass records.
var (
	wantsEverything = &Wants{all: true, text: true, everywhere: true, ids: everyField()}
	wantsNothing    = &Wants{ids: make(fieldSet, 1<<16)}
)

func everyField() fieldSet {
	s := make(fieldSet, 1<<16)
	for i := range s {
		s[i] = wantNode | wantLayer
	}
	return s
}

// Wants records the given fields. An alias stands for the fields it covers.
func (r *Registry) Wants(fields ...*Field) *Wants {
	w := &Wants{protocols: map[*Protocol]bool{}, ids: make(fieldSet, lastField.Load()+1)}
	for _, f := range fields {
		for _, m := range f.Members() {
			w.add(m)
		}
	}
	notes := w.ids[fExpert.id]|w.ids[fSeverity.id]|w.ids[fMessage.id] != 0 // of any kind
	for _, f := range r.byID {
		if f == nil {
			continue
		}
		for _, bit := range f.flags {
			if w.ids[bit.id] != 0 {
				w.ids[f.id] |= wantInside
			}
		}
		if f.role == roleExpert && notes {
			w.add(f)
		}
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
