package ui

import (
	"slices"
	"strconv"

	"remora/dissect"
	"remora/ui/paint"
)

// marginWidth is the room in front of the columns: the cursor or a mark, the bracket that joins a conversation, the worst
// note, and a space.
const marginWidth = 4

// drawMargin draws the cells in front of a row. The row under the cursor needs no bracket to be known as one of its
// conversation: its mark stands there.
func (m *model) drawMargin(l *paint.Line, n dissect.FrameNum, r row, selected bool) {
	mark, p := " ", paint.Pen{}
	if letter := m.markOf(n); letter != 0 {
		mark, p = string(letter), m.style.Pens.Warn
	} else if r.comment {
		mark, p = string(commentSign), m.style.Pens.Accent
	}
	if selected {
		l.Put(m.style.Pens.Accent, m.style.Glyph("▸", ">"))
		l.Put(p, mark)
	} else {
		l.Put(p, mark)
		m.putBracket(l, n, r.conv)
	}
	switch {
	case r.severity >= dissect.Error:
		l.Put(m.style.Pens.Bad, m.style.Glyph("✗", "x"))
	case r.severity >= dissect.Warn:
		l.Put(m.style.Pens.Warn, "!")
	default:
		l.Put(paint.Pen{}, " ")
	}
	l.Put(paint.Pen{}, " ")
}

func (m *model) putBracket(l *paint.Line, n dissect.FrameNum, conv uint32) {
	if sign := m.bracket(n, conv); sign != " " {
		l.Put(m.style.Pens.Accent, sign)
		return
	}
	l.Put(paint.Pen{}, " ")
}

// bracket is the sign that joins a packet to the selected one: where their conversation begins and ends, what lies between,
// and the packets that the selected one has links to, as its answer.
func (m *model) bracket(n dissect.FrameNum, conv uint32) string {
	switch {
	case slices.Contains(m.selected.Linked, n):
		return m.style.Glyph("├", "+")
	case conv != m.selected.Conv && m.talkColour[conv] > 0:
		return strconv.Itoa(m.talkColour[conv])
	case conv == 0 || conv != m.selected.Conv:
		return " "
	case m.packets.Order != nil: // there is no before and after
	case m.packets.Session.Conversation(conv).First == n:
		return m.style.Glyph("┌", ".")
	case m.selected.IsEnd(n):
		return m.style.Glyph("└", "`")
	}
	return m.style.Glyph("│", "|")
}
