package ui

import (
	"strings"

	"remora/ui/amount"
	"remora/ui/paint"
)

// rawHeight is the room below the messages for the bytes of the one that is selected. It depends on the screen's height alone,
// so that nothing moves with the cursor.
func (v *followView) rawHeight(h int) int {
	switch {
	case !v.messages() || h < 18:
		return 0
	case h < 28:
		return 4
	}
	return 7
}

// raw draws the bytes that carried the selected message, or the first of a run, below a rule.
func (v *followView) raw(m *model, w, h int) []string {
	if h == 0 {
		return nil
	}
	if v.table.cur >= len(v.lines) {
		return append([]string{m.rule(w, "", "")}, m.blankLines(w, h-1)...)
	}
	u := v.talk.Unit(v.lines[v.table.cur])
	shown := min(len(u.Data), 16*(h-1))
	size := amount.Group(len(u.Data)) + " B"
	if shown < len(u.Data) {
		size = amount.Group(shown) + " of " + size
	}
	out := []string{m.rule(w, "packet "+amount.Group(int(u.Frame)), size)}
	p := v.wayPen(m, u.Dir)
	for i := 0; len(out) < h; i += 16 {
		var l paint.Line
		if i < shown {
			l.Put(p, "  ")
			l.Put(paint.Pen{}, hexLine(m, i, u.Data[i:min(shown, i+16)]))
		}
		out = append(out, paint.Clip(l.End(w)+strings.Repeat(" ", max(0, w-l.Width)), w))
	}
	return out
}
