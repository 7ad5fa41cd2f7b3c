package ui

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
)

// A question stands over the screen until it is answered. The last answer always goes back.
type question struct {
	title, text string
	answers     []view.Answer
	at          int // the answer under the cursor
}

// ask puts a question.
func (m *model) ask(title, text string, answers ...view.Answer) {
	m.question = &question{title: title, text: text,
		answers: append(answers, view.Answer{Act: act.AnswerNo, Label: "go back", Do: func() {}})}
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
		if i := slices.IndexFunc(q.answers, func(a view.Answer) bool { return a.Act == does }); i >= 0 {
			m.answer(i)
		}
	}
}

// answer does what an answer says.
func (m *model) answer(i int) {
	do := m.question.answers[i].Do
	m.question = nil
	do()
}

func (m *model) overQuestion(lines []string) {
	q := m.question
	w := min(m.room.w-4, 66)
	body := []string{""}
	for _, part := range paint.Wrap(dissect.Escape(q.text), w-6) {
		body = append(body, "  "+part)
	}
	body = append(body, "")
	skip := len(body)
	keys := 1
	for _, a := range q.answers {
		keys = max(keys, paint.Width(m.style.Key(a.Act)))
	}
	for i, a := range q.answers {
		var l paint.Line
		if i == q.at {
			l.Base = m.style.Pens.Selected
		}
		l.Put(m.style.Pens.Bold, " "+paint.Fit(m.style.Key(a.Act), keys))
		l.Put(paint.Pen{}, "  "+a.Label)
		body = append(body, " "+paint.Clip(l.End(w-4), w-4))
	}
	body = append(body, "")
	x, y := (m.room.w-w)/2, max(1, (m.room.h-len(body))/2-1)
	m.placed(x, y, w, len(body), skip, 0, len(q.answers))
	paint.Over(lines, m.style.Box(dissect.Escape(q.title), body, w, ""), x, y)
}

// unsaved says what would be lost if this capture were closed, or "".
func (m *model) unsaved() string {
	switch {
	case m.packets.Store == nil:
	case m.packets.Store.Status().Unsaved && m.packets.Store.Len() > 0:
		return humanize.Group(m.packets.Store.Len()) + " unsaved packets."
	case m.packets.Store.CommentsChanged():
		return "Unsaved comments."
	}
	return ""
}

// askQuit leaves, after asking when live packets would be lost.
func (m *model) askQuit() {
	lost := m.unsaved()
	if lost == "" {
		m.ending.quit = true
		return
	}
	m.ask("Quit?", lost,
		view.Answer{Act: act.AnswerYes, Label: "Quit without saving", Do: func() { m.ending.quit = true }},
		view.Answer{Act: act.AnswerSave, Label: "save them first",
			Do: func() { m.saveThen(func() { m.ending.quit = true }) }})
}

// saveThen asks for a file and goes on once everything is in it.
func (m *model) saveThen(next func()) {
	m.capture.afterSave = next
	m.applyFilter("") // all packets, not only those shown
	m.startEdit(editSave, m.savePlace())
}
