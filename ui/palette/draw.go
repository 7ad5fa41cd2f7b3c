package palette

import (
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/view"
)

// rows is how the palette is drawn.
func (p *Palette) rows(offers []complete.Offer) view.Rows {
	s := p.c.Style()
	wide, high := p.c.Screen()
	w := min(wide-6, 108)
	names, keys := 12, 0
	for _, o := range offers {
		name, key := nameAndKeys(o)
		names, keys = max(names, paint.Width(name)), max(keys, paint.Width(key))
	}
	names, keys = min(names, w/3), min(keys, max(12, w/8))
	foot := s.Glyph("↑↓ choose · ", "") + s.Key(act.LineTake) + s.Glyph(" complete · ", " complete, ") +
		s.Key(act.LineAccept) + " run"
	return view.Rows{Width: w, Height: max(6, high-8), Foot: foot, Draw: func(o complete.Offer, selected bool) string {
		var l paint.Line
		if selected {
			l.Base = s.Pens.Selected
		}
		name, key := nameAndKeys(o)
		l.Put(paint.Pen{}, " "+paint.Fit(dissect.Escape(name), names)+" ")
		if keys > 0 {
			l.Put(s.Pens.Accent, paint.Fit(dissect.Escape(key), keys)+" ")
		}
		l.Put(s.Pens.Dim, paint.Fit(dissect.Escape(o.Doc), max(0, w-3-l.Width)))
		return paint.Clip(l.End(w-2), w-2)
	}}
}

// nameAndKeys are what a line of the palette is called, and its keys.
func nameAndKeys(o complete.Offer) (name, keys string) {
	switch {
	case strings.HasPrefix(o.Type, ":"): // a command is typed
		name, keys, _ = strings.Cut(o.Type, keysBehind)
		return name, keys
	}
	return o.Text, o.Type
}
