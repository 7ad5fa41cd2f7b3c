package prompt

import (
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/view"
)

// choiceOf has the line choose a word.
func (l *Line) choiceOf(c *view.Choice) {
	p := &l.prompt
	p.Forget, p.Cancel = true, c.Cancel
	p.Check = func(text string, _ int) ([]complete.Offer, string) { return c.Offers(word(text)), "" }
	p.Resolve = func(t view.Typed) (string, bool) {
		chosen, err := chosenWord(c, t)
		return chosen, err == nil // else the line says what is wrong
	}
	p.Says = func(t view.Typed) (string, paint.Pen) {
		s := l.c.Style()
		if _, err := chosenWord(c, t); err != nil {
			return s.Glyph("✗ ", "x ") + err.Error(), s.Pens.Bad
		}
		return s.Key(act.LineAccept) + " keeps it, " + s.Key(act.LineCancel) + " goes back", s.Pens.Dim
	}
	p.Rows = func([]complete.Offer) view.Rows { return l.examples(c) }
}

func word(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// chosenWord is what Enter would keep: what is typed where that is right, else the word under the cursor.
func chosenWord(c *view.Choice, t view.Typed) (string, error) {
	typed := word(t.Text)
	err := c.Check(typed)
	if t.Offer == nil || typed != "" && err == nil && !t.Picked {
		return typed, err
	}
	return t.Offer.Text, nil
}

// examples is how the words are listed, each with an example.
func (l *Line) examples(c *view.Choice) view.Rows {
	s := l.c.Style()
	wide, high := l.c.Screen()
	w := min(wide-6, 50)
	return view.Rows{Width: w, Height: max(5, high/2-4), Foot: c.Foot, Draw: func(o complete.Offer, selected bool) string {
		var out paint.Line
		if selected {
			out.Base = s.Pens.Selected
		}
		out.Put(paint.Pen{}, "  ")
		out.PutOwn(c.Pen(o.Text), "example")
		out.Put(paint.Pen{}, "   "+paint.Fit(dissect.Escape(o.Text), 16))
		out.Put(s.Pens.Dim, paint.Fit(dissect.Escape(o.Doc), max(0, w-3-out.Width)))
		return paint.Clip(out.End(w-2), w-2)
	}}
}
