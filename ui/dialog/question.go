package dialog

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// A question stands over the screen until it is answered. The first answer always goes back.
type question struct {
	title, text string
	answers     []view.Answer
	at          int // the answer under the cursor
	drawn       widget.Popup
}

func (d *Dialog) questionKey(name string) {
	q, keys := d.question, d.c.Style().Keys
	does := keys.Answer(name)
	if does == act.None {
		does = keys.Answer(strings.ToLower(name)) // with Caps Lock, too
	}
	d.c.Tell(does)
	switch does {
	case act.None:
	case act.AnswerNext:
		q.at = (q.at + 1) % len(q.answers)
	case act.AnswerPrev:
		q.at = (q.at + len(q.answers) - 1) % len(q.answers)
	case act.AnswerTake:
		d.answer(q.at)
	default:
		if i := slices.IndexFunc(q.answers, func(a view.Answer) bool { return a.Act == does }); i >= 0 {
			d.answer(i)
		}
	}
}

// answer does what an answer says.
func (d *Dialog) answer(i int) {
	do := d.question.answers[i].Do
	d.question = nil
	do()
}

func (d *Dialog) overQuestion(lines []string) {
	q, s := d.question, d.c.Style()
	wide, high := d.c.Screen()
	w := min(wide-4, 66)
	body := []string{""}
	for _, part := range paint.Wrap(dissect.Escape(q.text), w-6) {
		body = append(body, "  "+part)
	}
	body = append(body, "")
	skip := len(body)
	keys := 1
	for _, a := range q.answers {
		keys = max(keys, paint.Width(s.Key(a.Act)))
	}
	for i, a := range q.answers {
		var l paint.Line
		if i == q.at {
			l.Base = s.Pens.Selected
		}
		l.Put(s.Pens.Bold, " "+paint.Fit(s.Key(a.Act), keys))
		l.Put(paint.Pen{}, "  "+a.Label)
		body = append(body, " "+paint.Clip(l.End(w-4), w-4))
	}
	body = append(body, "")
	x, y := (wide-w)/2, max(1, (high-len(body))/2-1)
	q.drawn = widget.NewPopup(x, y, w, len(body), skip, 0, len(q.answers))
	paint.Over(lines, s.Box(dissect.Escape(q.title), body, w, ""), x, y)
}
