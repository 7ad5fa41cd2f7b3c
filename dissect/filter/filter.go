// Package filter is the display filter language: Wireshark's, checked against the declared fields before the first
// packet is read, and compiled into tests that ask the index first and dissect only what they must.
//
// The way of a filter: lex (text to tokens with positions), parse (tokens to a tree), check and compile (names and
// literals against the registry), match (one frame), scan (many frames on all cores).
package filter

import (
	"sync"
	"sync/atomic"

	"remora/dissect"
)

// A Filter is a compiled display filter. It may be used by several goroutines at once, each with its own Looker.
type Filter struct {
	text     string
	root     test // nil matches everything
	wants    *dissect.Wants
	warnings []Error

	verdicts atomic.Pointer[verdicts]
	growing  sync.Mutex
}

// verdicts remember for each shape of a session what the shape alone says of its frames.
type verdicts struct {
	session *dissect.Session
	byShape []atomic.Uint32 // 0 not asked yet, else verdict+1
}

// A verdict is an answer that may be left open.
type verdict uint32

const (
	no verdict = iota
	maybe
	yes
)

// Compile checks a filter against the registry and makes it ready. The empty filter matches every packet. Errors are of
// type *Error.
func Compile(reg *dissect.Registry, text string) (*Filter, error) {
	expr, err := Parse(text)
	if err != nil {
		return nil, err
	}
	f := &Filter{text: text}
	if expr == nil {
		return f, nil
	}
	c := checker{reg: reg, text: text}
	f.root, err = c.logical(expr)
	if err != nil {
		return nil, err
	}
	f.warnings = c.warnings
	f.wants = reg.Wants(c.fields...)
	return f, nil
}

// String is the filter as written.
func (f *Filter) String() string { return f.text }

// Wants are the fields that must be looked at for frames whose shape leaves the answer open.
func (f *Filter) Wants() *dissect.Wants { return f.wants }

// Warnings are doubts about a valid filter.
func (f *Filter) Warnings() []Error { return f.warnings }

// Match tells whether a frame that has passed matches. The looker's tree is used for it.
func (f *Filter) Match(l *dissect.Looker, n dissect.FrameNum) bool {
	if f.root == nil {
		return true
	}
	s := l.Session()
	switch f.verdict(s, s.ShapeID(n)) {
	case yes:
		return true
	case no:
		return false
	}
	return f.root.match(l.Look(n, f.wants))
}

// verdict is what the shape alone says, asked once per shape.
func (f *Filter) verdict(s *dissect.Session, shape uint32) verdict {
	v := f.verdicts.Load()
	if v == nil || v.session != s || int(shape) >= len(v.byShape) {
		v = f.grow(s, int(shape))
	}
	if known := v.byShape[shape].Load(); known != 0 {
		return verdict(known - 1)
	}
	answer := f.root.shape(s, s.Shape(shape))
	v.byShape[shape].Store(uint32(answer) + 1)
	return answer
}

func (f *Filter) grow(s *dissect.Session, id int) *verdicts {
	f.growing.Lock()
	defer f.growing.Unlock()
	v := f.verdicts.Load()
	if v != nil && v.session == s && id < len(v.byShape) {
		return v
	}
	v = &verdicts{session: s, byShape: make([]atomic.Uint32, max(64, 2*id+2))}
	f.verdicts.Store(v)
	return v
}
