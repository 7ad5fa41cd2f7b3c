package ui

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
)

// A question stands over the screen until it is answered.
type question struct {
	title, text string
	answers     []answer
	at          int // the answer under the cursor
}

// An answer is what a key of the keymap's layer for answers chooses. The last one always goes back.
type answer struct {
	act   act.Action
	label string
	do    func()
}

// ask puts a question.
func (m *model) ask(title, text string, answers ...answer) {
	m.question = &question{title: title, text: text, answers: append(answers, answer{act.AnswerNo, "go back", func() {}})}
}

func (m *model) questionKey(name string) {
	q := m.question
	does := m.keymap.Answer(name)
	if does == act.None {
		does = m.keymap.Answer(strings.ToLower(name)) // with Caps Lock, too
	}
	m.tell(does)
	switch does {
	case act.None:
	case act.AnswerNext:
		q.at = (q.at + 1) % len(q.answers)
	case act.AnswerPrev:
		q.at = (q.at + len(q.answers) - 1) % len(q.answers)
	case act.AnswerTake:
		m.answer(q.at)
	default:
		if i := slices.IndexFunc(q.answers, func(a answer) bool { return a.act == does }); i >= 0 {
			m.answer(i)
		}
	}
}

// answer does what an answer says.
func (m *model) answer(i int) {
	do := m.question.answers[i].do
	m.question = nil
	do()
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
	keys := 1
	for _, a := range q.answers {
		keys = max(keys, paint.Width(m.keyOf(a.act)))
	}
	for i, a := range q.answers {
		var l paint.Line
		if i == q.at {
			l.Base = m.pens.Selected
		}
		l.Put(m.pens.Bold, " "+paint.Fit(m.keyOf(a.act), keys))
		l.Put(paint.Pen{}, "  "+a.label)
		body = append(body, " "+paint.Clip(l.End(w-4), w-4))
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
		answer{act.AnswerYes, "leave and forget them", func() { m.quit = true }},
		answer{act.AnswerSave, "save them first", func() { m.saveThen(func() { m.quit = true }) }})
}

// saveThen asks for a file and goes on once everything is in it.
func (m *model) saveThen(next func()) {
	m.afterSave = next
	m.applyFilter("") // all packets, not only those shown
	m.startEdit(editSave, m.savePlace())
}
