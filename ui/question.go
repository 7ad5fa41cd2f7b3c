package ui

import (
	"strings"

	"remora/dissect"
	"remora/ui/amount"
	"remora/ui/paint"
)

// A question stands over the screen until it is answered.
type question struct {
	title, text string
	answers     []answer
}

// An answer is what keys choose. Esc, n and q always go back.
type answer struct {
	keys  string // as Bubble Tea names them, with spaces between
	label string
	do    func()
}

// ask puts a question.
func (m *model) ask(title, text string, answers ...answer) {
	m.question = &question{title, text, append(answers, answer{"n N esc q ctrl+c", "n  go back", func() {}})}
}

func (m *model) questionKey(name string) {
	for _, a := range m.question.answers {
		for _, key := range strings.Fields(a.keys) {
			if key == name {
				m.question = nil
				a.do()
				return
			}
		}
	}
}

func (m *model) overQuestion(lines []string) {
	q := m.question
	w := min(m.w-4, 66)
	body := []string{""}
	for _, part := range paint.Wrap(dissect.Escape(q.text), w-6) {
		body = append(body, "  "+part)
	}
	body = append(body, "")
	skip := len(body)
	for _, a := range q.answers {
		key, label, _ := strings.Cut(a.label, " ")
		body = append(body, "  "+m.pens.Bold.Open+key+m.pens.Bold.Close+" "+label)
	}
	body = append(body, "")
	x, y := (m.w-w)/2, max(1, (m.h-len(body))/2-1)
	m.placed(x, y, w, len(body), skip, 0, len(q.answers))
	paint.Over(lines, m.box(dissect.Escape(q.title), body, w, ""), x, y)
}

// unsaved says what would be lost if this capture were closed, or "".
func (m *model) unsaved() string {
	switch {
	case m.store == nil:
	case m.store.Status().Unsaved && m.store.Len() > 0:
		return amount.Group(m.store.Len()) + " captured packets are in no file yet."
	case m.store.CommentsChanged():
		return "Comments were written, and are in no file yet."
	}
	return ""
}

// askQuit leaves, after asking when live packets would be lost.
func (m *model) askQuit() {
	lost := m.unsaved()
	if lost == "" {
		m.quit = true
		return
	}
	m.ask("Leave?", lost,
		answer{"y Y enter", "y  leave and forget them", func() { m.quit = true }},
		answer{"w W", "w  save them first", func() { m.saveThen(func() { m.quit = true }) }})
}

// saveThen asks for a file and goes on once everything is in it.
func (m *model) saveThen(next func()) {
	m.afterSave = next
	m.applyFilter("") // all packets, not only those shown
	m.startEdit(editSave, m.savePlace())
}
