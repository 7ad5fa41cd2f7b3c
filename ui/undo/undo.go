// Package undo goes back through what was shown and how: the filter, the columns and the order. What was done beside
// them, such as comments that were changed, is undone in its turn.
package undo

import (
	"slices"

	"remora/ui/columns"
	"remora/ui/order"
)

// Context is what going back may ask of the screen.
type Context interface {
	// FilterText is the filter that is on, or ""; Filter applies one.
	FilterText() string
	Filter(text string)
	// Notify says something in the line above the keys.
	Notify(text string)
}

// A List is the packet list.
type List interface {
	// Listed are its columns; SetColumns shows others.
	Listed() []columns.Column
	SetColumns(list []columns.Column)
	// SortedBy is what it is sorted by, nil as captured.
	SortedBy() *order.By
	SortAs(by order.By)
	Unsort()
}

// A shape is what is shown and how.
type shape struct {
	filter  string
	columns []columns.Column
	sorted  bool
	by      order.By
	restore func() // undoes what was done beside all that
}

func (s shape) same(o shape) bool {
	return s.filter == o.filter && slices.Equal(s.columns, o.columns) && s.sorted == o.sorted && s.by == o.by
}

// most bounds how far back one goes.
const most = 200

// A History is what was shown before.
type History struct {
	c      Context
	list   List
	before []shape
	was    shape
}

// New has nothing to go back to.
func New(c Context, list List) *History { return &History{c: c, list: list} }

// now is what is shown now.
func (h *History) now() shape {
	s := shape{filter: h.c.FilterText(), columns: h.list.Listed()}
	if by := h.list.SortedBy(); by != nil {
		s.sorted, s.by = true, *by
	}
	return s
}

// Note remembers what was before, once something is other.
func (h *History) Note() {
	now := h.now()
	if now.same(h.was) {
		return
	}
	if h.was.columns != nil {
		h.push(h.was)
	}
	h.was = now
}

// Did remembers how what was done now is undone.
func (h *History) Did(restore func()) {
	h.Note()
	h.push(shape{restore: restore})
}

// Forget forgets how things are undone that belong to a capture.
func (h *History) Forget() {
	h.before = slices.DeleteFunc(h.before, func(s shape) bool { return s.restore != nil })
}

func (h *History) push(s shape) {
	h.before = append(h.before, s)
	h.before = h.before[max(0, len(h.before)-most):]
}

// Back goes back to what was shown before.
func (h *History) Back() {
	h.Note()
	k := len(h.before)
	if k == 0 {
		h.c.Notify("there is nothing to undo: this is how it began")
		return
	}
	to, now := h.before[k-1], h.now()
	h.before = h.before[:k-1]
	if to.restore != nil {
		to.restore()
		return
	}
	if to.filter != now.filter {
		h.c.Filter(to.filter)
	}
	if !slices.Equal(to.columns, now.columns) {
		h.list.SetColumns(to.columns)
		h.c.Notify("the columns are as before")
	}
	switch {
	case to.sorted && (!now.sorted || to.by != now.by):
		h.list.SortAs(to.by)
	case !to.sorted && now.sorted:
		h.list.Unsort()
	}
	h.was = h.now()
}
