package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// choice is the choice of words below the line, or nil.
func (t *typing) choice() *view.Choice {
	if t.edit != editView {
		return nil
	}
	return t.prompt.Choice
}

// chosenWord is what Enter would keep: what is typed where that is a word, else the one under the cursor.
func (t *typing) chosenWord() (word string, err error) {
	typed := strings.ToLower(strings.TrimSpace(t.input.Value()))
	err = t.prompt.Choice.Check(typed)
	if typed != "" && err == nil && t.chosen == 0 {
		return typed, nil
	}
	if t.chosen < len(t.offers) {
		return t.offers[t.chosen].Text, nil
	}
	return typed, err
}

// offerWords lists the words that begin with what is typed.
func (t *typing) offerWords() {
	typed := strings.ToLower(strings.TrimSpace(t.input.Value()))
	t.offers, t.chosen = t.prompt.Choice.Offers(typed), 0
	is := func(o complete.Offer) bool { return o.Text == t.prompt.Choice.Start }
	if i := slices.IndexFunc(t.offers, is); typed == "" && i >= 0 {
		t.chosen = i
	}
	t.try()
}

// try shows what the word under the cursor does.
func (t *typing) try() {
	if c := t.choice(); c != nil {
		word, err := t.chosenWord()
		c.Try(word, err == nil)
	}
}

// overChoice draws the words.
func (m *model) overChoice(lines []string, choice *view.Choice) {
	t := &m.typing
	w := min(m.room.w-6, 50)
	h := min(len(t.offers), max(5, m.room.h/2-4))
	from := widget.Clamp(t.chosen-h/2, 0, len(t.offers)-h)
	var body []string
	for i := from; i < from+h; i++ {
		c := t.offers[i]
		var l paint.Line
		if i == t.chosen {
			l.Base = m.style.Pens.Selected
		}
		l.Put(paint.Pen{}, "  ")
		l.PutOwn(choice.Pen(c.Text), "example")
		l.Put(paint.Pen{}, "   "+paint.Fit(c.Text, 16))
		l.Put(m.style.Pens.Dim, paint.Fit(c.Doc, max(0, w-3-l.Width)))
		body = append(body, paint.Clip(l.End(w-2), w-2))
	}
	m.placed(3, 3, w, len(body), 0, from, h)
	title := strconv.Itoa(t.chosen+1) + " of " + strconv.Itoa(len(t.offers))
	paint.Over(lines, m.style.Box(title, body, w, choice.Foot), 3, 3)
}

// choiceVerdict says what becomes of the word that is typed.
func (m *model) choiceVerdict() (string, paint.Pen) {
	if _, err := m.typing.chosenWord(); err != nil {
		return m.style.Glyph("✗ ", "x ") + err.Error(), m.style.Pens.Bad
	}
	return m.style.Key(act.LineAccept) + " keeps it, " + m.style.Key(act.LineCancel) + " goes back", m.style.Pens.Dim
}
