package ui

import (
	tea "charm.land/bubbletea/v2"

	"remora/ui/paint"
	"remora/ui/widget"
)

// A popup is where the lines of what lies over the screen were drawn last, so that a click finds them.
type popup struct {
	lines rect // in which a line can be chosen
	first int  // the line that is drawn at the top of them
	frame rect // with the border
}

// line is the line under the pointer, or -1.
func (p popup) line(x, y int) int {
	if !p.lines.has(x, y) {
		return -1
	}
	return p.first + y - p.lines.y
}

// placed remembers where a box of n lines was drawn: h lines that can be chosen, of which the first is the number from,
// below skip others.
func (m *model) placed(x, y, w, n, skip, from, h int) {
	m.pointer.popup = popup{lines: rect{x + 1, y + 1 + skip, w - 2, h}, first: from, frame: rect{x, y, w, n + 2}}
}

// overMouse handles the mouse while something lies over the screen; false leaves it to the screen below.
func (m *model) overMouse(msg tea.Msg) bool {
	over := m.question != nil || m.info != nil || m.help.IsOpen() || len(m.typing.offers) > 0 && m.typing.edit != editNone
	if !over {
		return false
	}
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		n := 3
		if e.Button == tea.MouseWheelUp {
			n = -3
		}
		m.overWheel(n)
	case tea.MouseClickMsg:
		if e.Button == tea.MouseLeft {
			m.overClick(e.X, e.Y)
		}
	}
	return true
}

// overWheel scrolls what lies over the screen. In lists to choose from the cursor goes along where it would leave the
// view.
func (m *model) overWheel(n int) {
	switch {
	case m.question != nil:
	case m.info != nil:
		if m.info.more {
			m.info.top = max(0, m.info.top+n)
		}
	case m.help.IsOpen():
		m.help.Wheel(n)
	default:
		m.typing.chosen = widget.Clamp(m.typing.chosen+n, 0, len(m.typing.offers)-1)
	}
}

// overClick chooses the line under the pointer: it answers a question, runs a key of the help, takes a completion and
// does a line of the palette. A click beside the help, an info or the palette closes it.
func (m *model) overClick(x, y int) {
	i, inside := m.pointer.popup.line(x, y), m.pointer.popup.frame.has(x, y)
	switch {
	case m.question != nil:
		if i >= 0 && i < len(m.question.answers) {
			m.answer(i)
		}
	case m.info != nil:
		m.info = nil
	case m.help.IsOpen():
		m.help.Click(x, y)
	case i >= 0 && i < len(m.typing.offers):
		m.clickOffer(i)
	case !inside && y != m.room.layout().filter.y:
		if m.typing.edit == editCommand {
			m.editKey("esc", "")
		} else {
			m.typing.offers = nil
		}
	case !inside:
		m.clickInput(x)
	}
}

// clickOffer takes a completion, and does what a line of the palette stands for as Enter would.
func (m *model) clickOffer(i int) {
	m.typing.chosen = i
	c := m.typing.offers[i]
	if m.typing.edit != editCommand || c.From > 0 {
		m.editKey("tab", "")
		return
	}
	m.typing.input.Set(c.Text)
	m.typing.offers, m.typing.chosen = m.typing.offers[i:i+1], 0
	if cmd := commandNamed(c.Text); cmd != nil && cmd.must {
		m.typing.input.Set(c.Text + " ")
		m.checkInput()
		return
	}
	m.commitCommand(c.Text)
}

// clickInput puts the cursor of the line that is edited where the pointer is.
func (m *model) clickInput(x int) {
	w := m.inputWidth(m.room.w)
	m.typing.input.Cur = widget.Clamp(max(0, m.typing.input.Cur-max(10, w)+1)+x-paint.Width(m.prompt()), 0,
		len(m.typing.input.Text))
	m.checkInput()
}

// hintShift says once how to select text while the mouse is ours.
func (m *model) hintShift() {
	if m.pointer.saidShift {
		return
	}
	m.pointer.saidShift = true
	m.notice = "hold Shift to select text, or give the mouse back with :set mouse=off"
}
