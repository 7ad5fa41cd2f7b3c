package ui

import (
	"slices"
	"strings"

	"remora/internal/userdirs"
	"remora/ui/columns"
)

// What is changed about the columns on the screen is kept between runs beside the lists of files and filters: the file
// of settings is the person's own and never written. A line holds the profile, the columns that the settings asked for
// at that time, and those that were made of them. Who writes others into the settings later gets these.

// keepLayout remembers the columns, and the sizes of the panes, once they are other than before, but not while one is
// being dragged.
func (m *model) keepLayout() {
	if m.pointer.dragging != dragNothing {
		return
	}
	if line, ok := m.room.line(); ok {
		list := m.lists.sizes
		m.later(func() { list.Add(line) })
	}
	if !m.list.Keep() {
		return
	}
	head, text := m.columnsHead(),
		columns.Text(slices.DeleteFunc(slices.Clone(m.list.Columns), func(c columns.Column) bool { return c.Auto }))
	list := m.lists.columns
	m.later(func() {
		forget(list, head)
		list.Add(head + text)
	})
}

// recallColumns takes up the columns of the last run.
func (m *model) recallColumns() {
	for _, line := range m.lists.columns.Lines() {
		if text, ok := strings.CutPrefix(line, m.columnsHead()); ok {
			if list := columns.Read(m.reg, text); len(list) > 0 {
				m.list.Columns = list
			}
		}
	}
	m.list.Keep()
}

// usualColumns goes back to the columns of the settings.
func (m *model) usualColumns() {
	m.list.Columns, _ = columns.Named(m.reg, m.cfg.Columns)
	if m.list.Columns == nil {
		m.list.Columns = columns.Standard()
	}
	m.list.Keep()
	list, head := m.lists.columns, m.columnsHead()
	m.later(func() { forget(list, head) })
	m.list.Redraw()
}

// forget takes the lines that begin with a head off a list.
func forget(list userdirs.List, head string) {
	for _, line := range list.Lines() {
		if strings.HasPrefix(line, head) {
			list.Remove(line)
		}
	}
}

// columnsHead is the part of a line that says what it is for.
func (m *model) columnsHead() string {
	return m.cfg.Profile + "\t" + strings.Join(m.cfg.Columns, ",") + "\t"
}
