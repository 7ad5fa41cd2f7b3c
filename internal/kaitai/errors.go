package kaitai

import (
	"errors"
	"fmt"
)

// The kinds of errors, by the names that Kaitai's libraries give them where they have one.
const (
	EndOfStream     = "EndOfStreamError"
	Undecided       = "UndecidedEndiannessError"
	NotEqual        = "ValidationNotEqualError"
	LessThan        = "ValidationLessThanError"
	GreaterThan     = "ValidationGreaterThanError"
	NotAnyOf        = "ValidationNotAnyOfError"
	NotInEnum       = "ValidationNotInEnumError"
	NotExpr         = "ValidationExprError"
	Expression      = "ExpressionError" // what an expression asks for cannot be
	Conversion      = "ConversionError" // a string that is no number
	ProcessFailed   = "ProcessError"
	NeedsHostCode   = "HostCodeError" // an opaque type or a process of one's own
	LimitReached    = "LimitError"
	DescriptionKind = "DescriptionError"
)

// An Error is what ended the reading of bytes.
type Error struct {
	Kind string
	Of   string // the type of the value that was not valid, as the language writes it
	Path string // which field: "header.names[2]"
	Text string
	At   Span // where the bytes stand that are wrong; its stream is nil where none are

	valid bool // the field was read, and is not valid
}

// Error says which field, and what is wrong.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Text
	}
	return e.Path + ": " + e.Text
}

// fail ends the reading; Parser catches it.
func fail(kind, format string, args ...any) {
	panic(&Error{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// A Mistake is something wrong in a description.
type Mistake struct {
	File         string
	Line, Column int
	Text         string
}

// Error says where, and what is wrong.
func (m Mistake) Error() string { return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Text) }

// Mistakes are all that is wrong in a description.
type Mistakes []Mistake

// Error has a line for each.
func (m Mistakes) Error() string {
	text := ""
	for i, one := range m {
		if i > 0 {
			text += "\n"
		}
		text += one.Error()
	}
	return text
}

// AtEnd tells of an error that more bytes behind those of the object might mend.
func AtEnd(err error, o *Object) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == EndOfStream && e.At.IO == o.IO
}
