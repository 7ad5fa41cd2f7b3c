package ui

import (
	"context"

	"remora/dissect"
)

// keepLast writes into the settings what was decoded as another protocol, or set, last.
func keepLast(m *model, _ string) {
	write := m.profile.keep
	if write == nil {
		m.foot.Notice = "there is nothing to keep: :decode-as and :set change what :keep writes into the settings"
		return
	}
	m.profile.keep = nil
	m.jobs.Later("keeping", func(context.Context) func() {
		file, err := write()
		return func() {
			m.foot.Notice = "kept in " + dissect.Escape(file)
			if err != nil {
				m.foot.Notice = "not kept: " + dissect.Escape(err.Error())
			}
		}
	})
}

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
