package dissect

// Wants says which fields a look records. It decides what is kept, never what is read.
type Wants struct {
	all        bool
	text       bool   // the Info column
	ids        []byte // by FieldID: wantNode, wantInside
	protocols  map[*Protocol]bool
	everywhere bool // a wanted field may turn up in any protocol
	notes      bool // expert notes of any kind are wanted
}

const (
	wantNode   = 1 << iota // record the field
	wantInside             // record one of the field's flags
)

// wantsEverything records every field; wantsRow what a row of the packet list needs.
var wantsEverything = &Wants{all: true, text: true, everywhere: true}

// Wants records the given fields. An alias stands for the fields it covers.
func (r *Registry) Wants(fields ...*Field) *Wants {
	w := &Wants{protocols: map[*Protocol]bool{}}
	for _, f := range fields {
		for _, m := range f.Members() {
			w.add(m)
		}
	}
	for _, f := range r.byID {
		if f == nil {
			continue
		}
		for _, bit := range f.flags {
			if w.of(bit) != 0 {
				w.set(f, wantInside)
			}
		}
	}
	return w
}

func (w *Wants) add(f *Field) {
	w.set(f, wantNode)
	w.protocols[f.proto] = true
	if f.proto == ws || f.proto == ends || f.late {
		w.everywhere = true
		w.notes = w.notes || f == fExpert || f == fSeverity || f == fMessage
	}
}

func (w *Wants) set(f *Field, bits byte) {
	for int(f.id) >= len(w.ids) {
		w.ids = append(w.ids, make([]byte, int(f.id)+1-len(w.ids))...)
	}
	w.ids[f.id] |= bits
}

func (w *Wants) of(f *Field) byte {
	if int(f.id) < len(w.ids) {
		return w.ids[f.id]
	}
	return 0
}
