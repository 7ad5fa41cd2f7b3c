package widget

import (
	"strings"

	"remora/ui/act"
	"remora/ui/paint"
)

// HintWidth is how many cells a key with what it does takes.
func HintWidth(h [2]string) int {
	if h[0] == "" {
		return 0
	}
	return paint.Width(h[0]) + paint.Width(h[1]) + 3
}

// PutHint puts a key with what it does on a line.
func (s *Style) PutHint(l *paint.Line, h [2]string) {
	if h[0] != "" {
		l.Put(paint.Pen{}, " "+h[0]+" ")
		l.Put(s.Pens.Dim, h[1]+" ")
	}
}

// LineKeys are words about a line that is typed in, with the keys as they are now.
func (s *Style) LineKeys(text string) string {
	return strings.NewReplacer("Tab ", s.Key(act.LineTake)+" ", "Enter ", s.Key(act.LineAccept)+" ",
		"Esc ", s.Key(act.LineCancel)+" ").Replace(text)
}
