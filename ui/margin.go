package ui

import (
	"context"
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
	case slices.Contains(m.linked, n):
		return m.style.Glyph("├", "+")
	case conv != m.curConv && m.talkColour[conv] > 0:
		return strconv.Itoa(m.talkColour[conv])
	case conv == 0 || conv != m.curConv:
		return " "
	case m.sorted.order != nil: // there is no before and after
	case m.s.Conversation(conv).First == n:
		return m.style.Glyph("┌", ".")
	case m.talkEnd.of == conv && m.talkEnd.last == n:
		return m.style.Glyph("└", "`")
	}
	return m.style.Glyph("│", "|")
}

// findLinks notes the packets that the selected one has links to.
func (m *model) findLinks() {
	m.linked = m.linked[:0]
	for i := range m.tree.Nodes {
		if n := dissect.FrameNum(m.tree.Nodes[i].Val); m.tree.Field(i).Type() == dissect.TypeFrame && n != m.cur && len(m.linked) < 64 {
			m.linked = append(m.linked, n)
		}
	}
}

// A talkEnd is the last packet of a conversation.
type talkEnd struct {
	s    *dissect.Session
	of   uint32
	last dissect.FrameNum

	cancel context.CancelFunc
}

// findTalkEnd looks, beside everything else, for the last packet of the selected conversation. While packets come, no one
// knows it.
func (m *model) findTalkEnd() {
	if m.talkEnd.of == m.curConv && m.talkEnd.s == m.s || m.curConv == 0 || !m.store.Status().Done || m.s.Passed() < m.store.Len() {
		return
	}
	if m.talkEnd.cancel != nil {
		m.talkEnd.cancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	end := talkEnd{s: m.s, of: m.curConv, cancel: cancel}
	m.talkEnd = end
	m.pending = append(m.pending, func() any {
		defer m.guard("looking for the end of a conversation")
		for n := dissect.FrameNum(end.s.Passed()); n > 0 && (n%4096 != 0 || ctx.Err() == nil); n-- {
			if end.s.ConversationOf(n) == end.of {
				end.last = n
				return end
			}
		}
		return nil
	})
}

func (m *model) onTalkEnd(end talkEnd) {
	if end.s == m.talkEnd.s && end.of == m.talkEnd.of {
		m.talkEnd.last = end.last
	}
}
