// Package dialog has the boxes that take the keys: a question until it is answered, and a text until it was read.
package dialog

import (
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what a box may ask of the screen.
type Context interface {
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Screen is the size of the whole screen.
	Screen() (w, h int)
	// Tell says that an action is done.
	Tell(a act.Action)
}

// A Dialog is the box that is open, if one is. A question comes before a text.
type Dialog struct {
	c        Context
	question *question
	text     *text
}

// New has no box open.
func New(c Context) *Dialog { return &Dialog{c: c} }

// IsOpen reports whether a box is open.
func (d *Dialog) IsOpen() bool { return d.question != nil || d.text != nil }

// Asking reports whether the open box is a question.
func (d *Dialog) Asking() bool { return d.question != nil }

// Key handles a key while a box is open.
func (d *Dialog) Key(name, _ string) {
	if d.question != nil {
		d.questionKey(name)
	} else if d.text != nil {
		d.textKey(name)
	}
}

// Click answers a question with the answer under the pointer, and closes a text.
func (d *Dialog) Click(x, y int) {
	if q := d.question; q == nil {
		d.text = nil
	} else if i := q.drawn.Line(x, y); i >= 0 && i < len(q.answers) {
		d.answer(i)
	}
}

// Wheel scrolls a text by n lines.
func (d *Dialog) Wheel(n int) {
	if d.question == nil && d.text != nil && d.text.more {
		d.text.top = max(0, d.text.top+n)
	}
}

// Over draws the box over the lines of a screen.
func (d *Dialog) Over(lines []string) {
	if d.question != nil {
		d.overQuestion(lines)
	} else if d.text != nil {
		d.overText(lines)
	}
}

// Ask puts a question. An answer that goes back is the first one, on which the cursor begins unless another says so: a
// key too many changes nothing.
func (d *Dialog) Ask(title, text string, answers ...view.Answer) {
	back := view.Answer{Act: act.AnswerNo, Label: "go back", Do: func() {}}
	d.question = &question{title: title, text: text, answers: append([]view.Answer{back}, answers...)}
	for i, a := range d.question.answers {
		if a.Default {
			d.question.at = i
		}
	}
}

// Show shows lines of text, which are wrapped unless they are laid out already.
func (d *Dialog) Show(title string, lines []string, laidOut bool) {
	d.text = &text{title: title, lines: lines, laidOut: laidOut}
}

// A text is shown until the next key. Where it is longer than the screen, keys that move scroll it.
type text struct {
	title   string
	lines   []string
	laidOut bool
	top     int
	more    bool // than the screen holds
}

func (d *Dialog) textKey(name string) {
	step := map[string]int{"j": 1, "down": 1, "k": -1, "up": -1, "pgdown": 8, "space": 8, "pgup": -8}[name]
	if step == 0 || !d.text.more {
		d.text = nil
		return
	}
	d.text.top = max(0, d.text.top+step)
}

func (d *Dialog) overText(lines []string) {
	t, s := d.text, d.c.Style()
	wide, high := d.c.Screen()
	w := min(wide-4, 72)
	body := []string{""}
	for _, l := range t.lines {
		if t.laidOut {
			body = append(body, "  "+paint.Fit(dissect.Escape(l), w-6))
			continue
		}
		for _, part := range paint.Wrap(l, w-6) {
			body = append(body, "  "+dissect.Escape(part))
		}
	}
	body = append(body, "")
	h, foot := min(len(body), high-6), "any key closes"
	if t.more = len(body) > h; t.more {
		foot = s.Glyph("↓ ↑ more", "j k more") + ", any other key closes"
	}
	t.top = min(t.top, len(body)-h)
	body = body[t.top : t.top+h]
	paint.Over(lines, s.Box(dissect.Escape(t.title), body, w, foot), (wide-w)/2, max(1, (high-len(body))/2-1))
}
