package ui

import (
	"slices"

	"remora/capture"
)

// columnOfSource shows where packets are from when a capture has several sources: the interface of a live one, the file of
// several that are read as one. It goes again with the capture.
func (m *model) columnOfSource(store *capture.Store) {
	defer func() { m.kept = m.columns }() // nobody asked for it: it is not kept for the next run
	m.columns = slices.DeleteFunc(slices.Clone(m.columns), func(c column) bool { return c.auto })
	name, title := "", ""
	switch {
	case len(store.Status().PerInterface) > 1:
		name, title = "frame.interface_name", "Interface"
	case store.Files() > 1:
		name, title = "frame.file", "File"
	}
	f := m.reg.Field(name)
	if f == nil || slices.ContainsFunc(m.columns, func(c column) bool { return c.field == f }) {
		return
	}
	c := column{kind: colField, title: title, field: f, wide: [4]int{10, 8, 7, 0}, auto: true}
	at := slices.IndexFunc(m.columns, func(c column) bool { return c.kind == colSource })
	m.columns = slices.Insert(m.columns, max(0, at), c)
}
