package dissect

import (
	"errors"
	"slices"
)

// A Declarer is what Preference.Loads may make of a value: what declares fields or attaches protocols by it, such as
// those of a description that a person names.
type Declarer interface {
	// Declare does so, in a registry that no session has yet.
	Declare(r *Registry) error
}

// NewDeclared is a set of fields of the protocol's layers that are declared while the program runs, with names that
// begin with prefix. Registry.Declare makes them known.
func (p *Protocol) NewDeclared(prefix string) *Protocol {
	declared := NewRuntimeProtocol(prefix, p.title, p.doc)
	declared.owner = p
	return declared
}

// Declare makes the fields of a set known, in the place of those that had its name before. It serves a Declarer.
func (r *Registry) Declare(p *Protocol) {
	r.protocols = slices.DeleteFunc(r.protocols, func(q *Protocol) bool { return q.name == p.name && q.owner != nil })
	r.addProtocol(p)
}

// FieldsLeft is how many more fields may be declared.
func FieldsLeft() int { return 1<<16 - 1 - int(lastField.Load()) }

// errBegun tells that a preference changes what is declared, which sessions rely on.
var errBegun = errors.New("sessions rely on what is declared")

// declare has what was made of a preference declare its fields.
func (r *Registry) declare(made any) error {
	x, ok := made.(Declarer)
	if !ok {
		return nil
	}
	if r.begun.Load() {
		return errBegun
	}
	return x.Declare(r)
}
