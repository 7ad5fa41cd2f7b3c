package hex

import "remora/ui/paint"

// Title draws the rule above the bytes in w cells: the selected field.
func (p *Pane) Title(w int) string {
	s := p.c.Style()
	dash := s.Glyph("─", "-")
	var l paint.Line
	l.Put(s.Pens.Dim, dash+dash)
	return s.EndRule(&l, p.FieldTitle(), w)
}

// FieldTitle names the selected field and its bytes.
func (p *Pane) FieldTitle() string { return p.packet.FieldTitle(p.c.Style().Glyph("–", "-")) }
