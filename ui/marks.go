package ui

import "remora/dissect"

// setMark puts a letter on the selected packet, or takes it away where it is already.
func (m *model) setMark(letter rune) {
	if n := m.selected.Frame; n > 0 && m.marks.Set(letter, n) {
		m.foot.Notice = "Mark " + string(letter) + " set"
	}
	keepMarks(m)
}

func (m *model) goToMark(letter rune) {
	if n := m.marks.Frame(letter); n > 0 {
		m.list.Jump(n)
		return
	}
	m.foot.Notice = "there is no mark " + string(letter) + "; m" + string(letter) + " sets one"
}

// pick picks the selected packet, or lets it go, and goes on to the next.
func (m *model) pick() {
	if m.selected.Frame > 0 {
		m.marks.Pick(m.selected.Frame)
		keepMarks(m)
		m.list.Step(1)
	}
}

// keepMarks keeps the marks of a file that has been read whole.
func keepMarks(m *model) {
	if m.packets.Store.Status().Done {
		m.marks.Keep(m.capture.file, m.packets.Store.Len(), func(n dissect.FrameNum) dissect.FrameNum { return n })
	}
}

// readMarks takes up the marks that were kept with the file.
func (m *model) readMarks() {
	m.marks.Read(m.capture.file, m.packets.Store.Len())
	m.look.stale = true
}
