package ui

import tea "charm.land/bubbletea/v2"

// A layer lies over the packets and their views: the keys and the pointer are its own.
type layer interface {
	Key(name, text string)
	Click(x, y int)
	Wheel(n int)
}

// over is the topmost layer, or nil.
func (m *model) over() layer {
	switch {
	case m.dialog.IsOpen():
		return m.dialog
	case m.help.IsOpen():
		return m.help
	case m.chooser.IsOpen():
		return m.chooser
	case m.line.IsOpen():
		return m.line
	}
	return nil
}

// drawOver draws the topmost layer, or the keys that may follow.
func (m *model) drawOver(lines []string) {
	if box, ok := m.over().(interface{ Over(lines []string) }); ok {
		box.Over(lines)
	} else if m.keying.Shown() && !m.chooser.IsOpen() {
		m.keying.Over(lines)
	}
}

// overMouse handles the mouse while something lies over the screen; false leaves it to the screen below.
func (m *model) overMouse(msg tea.Msg) bool {
	over := m.over()
	if over == nil || over == m.line && !m.line.Lists() {
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
	if m.room.saidShift {
		return
	}
	m.room.saidShift = true
	m.foot.Notice = "hold Shift to select text, or give the mouse back with :set mouse=off"
}
