package ui

// keepLayout remembers the columns, and the sizes of the panes, once they are other than before, but not while one is
// being dragged.
func (m *model) keepLayout() {
	if m.room.dragging != dragNothing {
		return
	}
	if line, ok := m.room.line(); ok {
		list := m.lists.sizes
		m.jobs.Write(func() { list.Add(line) })
	}
	m.list.Keep()
}
