package manual

import (
	"fmt"
	"maps"
	"slices"

	"remora/dissect"
)

// protocol tells what a protocol is and which fields it has.
func protocol(proto *dissect.Protocol, p *sheet) {
	p.line(proto.Title() + " (" + proto.Name() + ")")
	p.entry("", proto.Doc())
	for _, f := range proto.Fields() {
		p.entry(f.Name(), f.Label()+", "+TypeText(f)+". "+f.Doc())
	}
}

// field tells all that is declared of a field.
func field(f *dissect.Field, p *sheet) {
	p.line(f.Name() + ": " + f.Label() + ", " + TypeText(f))
	p.entry("", f.Doc())
	values := f.Values()
	if len(values) == 0 {
		return
	}
	p.line("Values:")
	for _, n := range slices.Sorted(maps.Keys(values)) {
		p.entry(fmt.Sprint(n), values[n])
	}
}

// TypeText is a field's type in the words of people who write filters.
func TypeText(f *dissect.Field) string {
	text := f.Type().String()
	switch {
	case f.IsKind():
		text = "packet type"
	case f.IsExpert():
		text = "note"
	case slices.Contains([]dissect.Type{dissect.TypeUint, dissect.TypeInt}, f.Type()):
		text += fmt.Sprintf(" %d bit", 8*f.Size())
	}
	if u := f.Unit(); u != "" {
		text += ", " + u
	}
	return text
}
