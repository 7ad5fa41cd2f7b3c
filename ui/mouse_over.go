package ui

import tea "charm.land/bubbletea/v2"

// A layer lies over the screen and takes the mouse.
type layer interface {
	Click(x, y int)
	Wheel(n int)
}

// over is what lies over the screen, or nil.
func (m *model) over() layer {
	switch {
	case m.dialog.IsOpen():
		return m.dialog
	case m.help.IsOpen():
		return m.help
	case m.line.Lists():
		return m.line
	}
	return nil
}

// overMouse handles the mouse while something lies over the screen; false leaves it to the screen below.
func (m *model) overMouse(msg tea.Msg) bool {
	over := m.over()
	if over == nil {
		return false
	}
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		n := 3
		if e.Button == tea.MouseWheelUp {
			n = -3
		}
		over.Wheel(n)
	case tea.MouseClickMsg:
		if e.Button == tea.MouseLeft {
			over.Click(e.X, e.Y)
		}
	}
	return true
}

// hintShift says once how to select text while the mouse is ours.
func (m *model) hintShift() {
	if m.pointer.saidShift {
		return
	}
	m.pointer.saidShift = true
	m.notice = "hold Shift to select text, or give the mouse back with :set mouse=off"
}
