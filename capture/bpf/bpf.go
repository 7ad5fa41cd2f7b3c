// Package bpf compiles capture filters, in libpcap's language, and applies them to packets of files. A build without
// cgo has no libpcap: there the system's tcpdump compiles them, and without that every filter is an error. On Windows
// it is Npcap that does.
package bpf

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Filter is a compiled capture filter.
type Filter struct {
	Expr  string
	Steps int // instructions of the program
	prog  program
}

// Matches applies the filter to packet bytes; length is how long the packet was on the wire. One goroutine at a
// time may use a Filter.
func (b *Filter) Matches(data []byte, length uint32) bool { return b.prog.matches(data, length) }

// An Instruction is one of a compiled filter, as the kernel takes it.
type Instruction struct {
	Op     uint16
	Jt, Jf uint8
	K      uint32
}

// Error is a capture filter that does not compile.
type Error struct {
	Expr string
	Text string // libpcap's own words
	Hint string // what may have been meant; "" if there is no guess

	Interface string // of the capture that it was for; "" for a file

	NoCompiler bool // the filter may be right: nothing here can tell
}

func (e *Error) Error() string {
	text := fmt.Sprintf("capture filter %q: %s", e.Expr, e.Text)
	switch {
	case e.NoCompiler:
		text = fmt.Sprintf("capture filter %q is not compiled: %s", e.Expr, e.Text)
	case e.Interface != "":
		text = fmt.Sprintf("Invalid capture filter %q for interface %s: %s", e.Expr, e.Interface, e.Text)
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

const (
	dottedField = `(^|[^\w.])[A-Za-z_][A-Za-z_0-9]*\.[a-z_][\w.]*`
	comparison  = `==|!=|>=|<=|&&|\|\||\b(eq|ne|contains|matches|in)\b`
	fieldAlone  = `^[a-z_]+(\.[a-z_]+)+$`
)

// matches compiles the pattern: errors are few, and the program starts often.
func matches(pattern, s string) bool { return regexp.MustCompile(pattern).MatchString(s) }

// NewError adds a hint where the text looks like the other filter language.
func NewError(expr, text string) error {
	e := &Error{Expr: expr, Text: strings.TrimSpace(text)}
	if matches(dottedField, expr) && matches(comparison, expr) || matches(fieldAlone, expr) {
		e.Hint = "this looks like a display filter: give it with -Y; a capture filter reads like \"udp port 53 and host " +
			"10.0.0.1\""
	}
	return e
}

// Check reports mistakes before anything is opened. Some expressions compile for some link types only, wireless
// ones for instance, and the link types of a file show late: one of the usual ones has to do.
func Check(expr string) error {
	var first error
	for _, link := range []int{1, 101, 105, 113, 127, 189, 276} {
		_, err := Compile(link, MaxSnapLen, expr)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// NotCompiled is the error of a filter that may be right, with the reason why nothing here can tell.
func NotCompiled(expr, text string) error { return &Error{Expr: expr, Text: text, NoCompiler: true} }

// CanCompile tells whether an error is about the filter, and not that nothing here compiles any.
func CanCompile(err error) bool {
	var e *Error
	return !errors.Is(err, ErrNoLibpcap) && !(errors.As(err, &e) && e.NoCompiler)
}

// MaxSnapLen is libpcap's "all bytes".
const MaxSnapLen = 262144

// ErrNoLibpcap says that there is nothing to capture with, and what works without. It is Windows alone that lacks it.
var ErrNoLibpcap = errors.New("there is no Npcap, which captures and their filters need: install it from " +
	"https://npcap.com/#download (files, pipes and captures by ssh work without it)")
