package ui

import (
	"remora/dissect"
)

// rename draws anew what shows names.
func (m *model) rename() {
	m.list.Redraw()
	if m.packets.Session == nil {
		return
	}
	m.packets.Session.ShowNames(m.naming.on)
	if m.selected.Refresh() {
		m.tree.Lay() // what has left meanwhile has fewer lines
	}
}

// select_ makes a packet the selected one: tree and bytes show it at once.
func (m *model) select_(n dissect.FrameNum) {
	if m.selected.Select(n) {
		m.tree.Settle()
		m.hex.Watch()
	}
}
