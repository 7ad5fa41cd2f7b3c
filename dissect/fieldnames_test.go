package dissect

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

// TestFieldNames finds every field by its name, those of one name in the order of their declaration, and no other.
func TestFieldNames(t *testing.T) {
	var protocols []*Protocol
	want := map[string][]*Field{}
	for i := range 40 {
		p := NewProtocol(fmt.Sprint("p", i), "P", "A test.")
		for j := range 1 + i*5 {
			p.Uint8(fmt.Sprint("f", j), "F", "A field.")
		}
		p.Uint8("x", "X", "One that all have.").OtherName("shared")
		p.Uint16("x", "X", "It once more.").OtherName("shared")
		protocols = append(protocols, p)
	}
	eachField(protocols, func(f *Field) { want[f.name] = append(want[f.name], f) })
	r := &Registry{}
	for _, p := range protocols {
		r.addProtocol(p)
	}
	for name, fields := range want {
		if got := r.FieldsNamed(name); !slices.Equal(got, fields) {
			t.Errorf("%s: %d fields, not %d", name, len(got), len(fields))
		}
	}
	if len(want["shared"]) != 80 || len(r.FieldNames()) != len(want) {
		t.Errorf("%d of one name, %d names of %d", len(want["shared"]), len(r.FieldNames()), len(want))
	}
	for _, name := range []string{"", "p", "p1.f99", "shared."} {
		if f := r.Field(name); f != nil {
			t.Errorf("%q is %s", name, f.name)
		}
	}
	late := NewProtocol("late", "Late", "Added after a name was asked for.")
	r.addProtocol(late)
	if r.Field("late") != late.self {
		t.Error("a protocol that was added is not found")
	}
}

// TestSizes holds small what there is much of: fields, of which each start of the program makes ten thousand.
func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(Field{}); n > 112 {
		t.Errorf("a field has %d bytes", n)
	}
	if n := unsafe.Sizeof(exchangeRow{}); n > 16 { // of which every question and answer has one
		t.Errorf("a question has %d bytes", n)
	}
}
