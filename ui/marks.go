package ui

import (
	"context"

	"remora/ui/marks"
)

// setMark puts a letter on the selected packet, or takes it away where it is already.
func (m *model) setMark(letter rune) {
	if n := m.selected.Frame; n > 0 && m.marks.Set(letter, n) {
		m.foot.Notice = "Mark " + string(letter) + " set"
	}
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
		m.list.Step(1)
	}
}

// readMarks asks the comments for marks, beside everything else.
func (m *model) readMarks() {
	m.marks.Asked()
	s := m.packets.Session
	viewContext{m}.Later("reading marks", func(ctx context.Context) func() {
		in, ok := marks.Read(ctx, s)
		if !ok {
			return nil
		}
		return func() { m.marks.Take(in, m.packets.Session) }
	})
}
