package list

import (
	"slices"
	"strconv"

	"remora/dissect"
	"remora/ui/paint"
	"remora/ui/view"
)

// Margin is the room in front of the columns: the cursor or a mark, the bracket that joins a conversation, the worst
// note, and a space.
const Margin = 4

// drawMargin draws the cells in front of a row. The row under the cursor needs no bracket to be known as one of its
// conversation: its mark stands there.
func (p *Pane) drawMargin(l *paint.Line, n dissect.FrameNum, r row, selected bool) {
	style := p.c.Style()
	mark, pen := " ", paint.Pen{}
	if letter := p.c.Mark(n); letter != 0 {
		mark, pen = string(letter), style.Pens.Warn
	} else if r.comment {
		mark, pen = string(view.CommentSign), style.Pens.Accent
	}
	if selected {
		l.Put(style.Pens.Accent, style.Glyph("▸", ">"))
		l.Put(pen, mark)
	} else {
		l.Put(pen, mark)
		p.putBracket(l, n, r.conv)
	}
	switch {
	case r.severity >= dissect.Error:
		l.Put(style.Pens.Bad, style.Glyph("✗", "x"))
	case r.severity >= dissect.Warn:
		l.Put(style.Pens.Warn, "!")
	default:
		l.Put(paint.Pen{}, " ")
	}
	l.Put(paint.Pen{}, " ")
}

func (p *Pane) putBracket(l *paint.Line, n dissect.FrameNum, conv uint32) {
	if sign := p.bracket(n, conv); sign != " " {
		l.Put(p.c.Style().Pens.Accent, sign)
		return
	}
	l.Put(paint.Pen{}, " ")
}

// bracket is the sign that joins a packet to the selected one: where their conversation begins and ends, what lies
// between, and the packets that the selected one has links to, as its answer.
func (p *Pane) bracket(n dissect.FrameNum, conv uint32) string {
	switch {
	case slices.Contains(p.packet.Linked, n):
		return p.c.Style().Glyph("├", "+")
	case conv != p.packet.Conv && p.colours[conv] > 0:
		return strconv.Itoa(p.colours[conv])
	case conv == 0 || conv != p.packet.Conv:
		return " "
	case p.packets.Order != nil: // there is no before and after
	case p.packets.Session.Conversation(conv).First == n:
		return p.c.Style().Glyph("┌", ".")
	case p.packet.IsEnd(n):
		return p.c.Style().Glyph("└", "`")
	}
	return p.c.Style().Glyph("│", "|")
}
