package list

import (
	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
)

// Title draws the rule below the list in w cells: the selected packet and, at the right, a text.
func (p *Pane) Title(w int, right string) string {
	s := p.c.Style()
	var l paint.Line
	dash := s.Glyph("─", "-")
	l.Put(s.Pens.Dim, dash+dash+" ")
	if p.packet.Tree != nil {
		title := humanize.Group(int(p.packet.Frame)) + " " + p.packet.Tree.ProtocolText()
		if p.packet.Ignored() {
			title = humanize.Group(int(p.packet.Frame)) + " <Ignored>"
		} else if k := p.packet.Tree.Kind(); k != "" {
			title += s.Glyph(" › ", " > ") + dissect.Escape(k)
		}
		pen := paint.Pen{}
		if !p.c.Focused() {
			pen = s.Pens.Bold
		}
		l.Put(pen, ansi.Truncate(title, max(0, w-6), "…")+" ")
		if r := p.Rule(p.packet.Frame); r != nil && w-l.Width > 30 { // colour is never alone
			l.Put(s.Pens.Dim, dissect.Escape(ansi.Truncate(r.Title(), 24, "…"))+" ")
		}
	}
	if p.packets.Hidden(p.packet.Frame) {
		l.Put(s.Pens.Warn, "hidden by the filter ")
	}
	return s.EndRule(&l, right, w)
}
