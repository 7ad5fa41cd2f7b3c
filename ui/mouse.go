package ui

import (
	tea "charm.land/bubbletea/v2"
)

// mouse handles clicks, the wheel and dragging the rule.
func (m *model) mouse(msg tea.Msg) {
	if m.cfg.NoMouse { // what was on its way when it was turned off
		return
	}
	if m.overMouse(msg) || m.menuMouse(msg) || m.packets.Session == nil {
		return
	}
	m.profile.watch.touched = m.profile.watch.touched || m.profile.watch.store == m.packets.Store
	p := m.room.layout()
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		n := 3
		if e.Button == tea.MouseWheelUp {
			n = -3
		}
		m.wheel(p, e.X, e.Y, n)
	case tea.MouseClickMsg:
		switch {
		case e.Button == tea.MouseLeft:
			m.click(p, e.X, e.Y)
		case e.Button == tea.MouseRight && m.views.View() == nil:
			m.useUnder(p, e.X, e.Y)
		}
	case tea.MouseMotionMsg:
		if m.room.dragging != dragNothing {
			m.drag(e.X, e.Y)
		} else if e.Button == tea.MouseLeft {
			m.hintShift()
		}
	case tea.MouseReleaseMsg:
		if m.room.dragging == dragRibbon {
			m.ribbon.Drop()
		}
		if m.room.dragging == dragHead {
			m.list.Drop(e.X - p.list.x)
		}
		m.room.dragging = dragNothing
	}
}

// wheel scrolls what is under the pointer and leaves the selection alone.
func (m *model) wheel(p places, x, y, n int) {
	switch {
	case m.views.View() != nil:
		m.views.View().Wheel(n)
	default:
		m.packetPanes.wheel(p, x, y, n)
	}
}

func (m *model) click(p places, x, y int) {
	switch {
	case m.views.Alone():
		m.views.View().Click(x, y)
	case p.header.has(x, y):
		if !m.views.Click(x) { // the name of where the packets come from
			m.control.Choose()
		}
	case p.keys.has(x, y) && !m.line.IsOpen():
		m.help.Open()
	case p.filter.has(x, y) && m.line.IsOpen():
		m.line.Click(x, y)
	case p.filter.has(x, y):
		m.editFilter(m.packets.FilterText())
	case m.views.View() != nil:
		if r := m.room.body(); r.has(x, y) {
			m.views.View().Click(x-r.x, y-r.y)
		}
	case p.list.has(x, y) && y == p.list.y:
		if m.list.Grab(x - p.list.x) {
			m.room.dragging = dragHead
		}
	case p.list.has(x, y):
		m.room.focus = paneList
		m.list.Click(y - p.list.y)
	case p.ribbon.has(x, y):
		m.room.dragging = dragRibbon
		m.ribbon.Grab(x - p.ribbon.x)
	case p.facets.has(x, y):
		m.room.focus = paneFacets
		m.facets.Click(x-p.facets.x, y-p.facets.y)
	case p.rule.has(x, y):
		m.room.dragging = dragRule
	case p.mid.has(x, y):
		m.room.dragging = dragMid
	case p.divider.has(x, y):
		m.room.dragging = dragDivider
	case p.tree.has(x, y) && m.selected.Tree != nil:
		m.room.focus = paneTree
		m.tree.Click(y - p.tree.y)
	case p.hex.has(x, y) && m.selected.Tree != nil:
		m.room.focus = paneHex
		m.hex.Click(x-p.hex.x, y-p.hex.y)
	}
}

// menuMouse handles the mouse while the list of what may follow a key is open.
func (m *model) menuMouse(msg tea.Msg) bool {
	if !m.keying.Shown() {
		return false
	}
	e, ok := msg.(tea.MouseClickMsg)
	return !ok || m.keying.Click(e.X, e.Y, e.Button == tea.MouseRight)
}
