package ui

import (
	"slices"

	"remora/ui/columns"
	"remora/ui/order"
)

// A shape is what is shown and how: the filter, the columns and the order. Undo goes back through them.
type shape struct {
	filter  string
	columns []columns.Column
	sorted  bool
	sortBy  order.By
}

// mostUndone bounds how far back undo goes.
const mostUndone = 200

func (m *model) shape() shape {
	s := shape{filter: m.packets.FilterText(), columns: m.list.Columns}
	if by := m.list.SortedBy(); by != nil {
		s.sorted, s.sortBy = true, *by
	}
	return s
}

func (s shape) same(o shape) bool {
	return s.filter == o.filter && slices.Equal(s.columns, o.columns) && s.sorted == o.sorted && s.sortBy == o.sortBy
}

// noteShape remembers what was before, once something is other. What is being dragged is one change.
func (m *model) noteShape() {
	if m.packets.Session == nil || m.room.dragging != dragNothing {
		return
	}
	now := m.shape()
	if now.same(m.history.was) {
		return
	}
	if m.history.was.columns != nil {
		m.history.undo = append(m.history.undo, m.history.was)
		m.history.undo = m.history.undo[max(0, len(m.history.undo)-mostUndone):]
	}
	m.history.was = now
}

// undoShape goes back to what was shown before.
func (m *model) undoShape() {
	m.noteShape()
	k := len(m.history.undo)
	if k == 0 {
		m.notice = "there is nothing to undo: this is how it began"
		return
	}
	to, now := m.history.undo[k-1], m.shape()
	m.history.undo = m.history.undo[:k-1]
	if to.filter != now.filter {
		m.applyFilter(to.filter)
	}
	if !slices.Equal(to.columns, now.columns) {
		m.list.Columns = to.columns
		m.list.Redraw()
		m.notice = "the columns are as before"
	}
	switch {
	case to.sorted && (!now.sorted || to.sortBy != now.sortBy):
		m.list.SortAs(to.sortBy)
	case !to.sorted && now.sorted:
		m.list.Unsort()
	}
	m.history.was = m.shape()
}
