package ui

import (
	"slices"

	"remora/dissect"
	"remora/ui/act"
)

// packetAction handles what is done to the selected packet, and what goes to packets that something was done to.
func (m *model) packetAction(a act.Action, n int) bool {
	switch a {
	case act.Comment:
		m.editComment()
	case act.Ignore:
		m.ignore()
	case act.IgnoreNone:
		m.ignoreNone()
	case act.MarkNext, act.MarkPrev:
		m.goAmong(m.markedFrames(), direction(a == act.MarkNext)*n, "marked packet")
	case act.CommentNext, act.CommentPrev:
		m.goAmong(m.commentedFrames(), direction(a == act.CommentNext)*n, "packet with a comment")
	case act.NoteNext, act.NotePrev:
		s := m.s
		m.seek(direction(a == act.NoteNext)*n, func(n dissect.FrameNum) bool { return s.SeverityOf(n) > dissect.Chat })
	case act.ByteText:
		m.nextByteText()
	case act.ByteWidth:
		m.nextByteWidth()
	default:
		return false
	}
	return true
}

// goAmong goes to a packet among some, which are in order: by steps from the selected one.
func (m *model) goAmong(list []dissect.FrameNum, by int, what string) {
	at, found := slices.BinarySearch(list, m.cur)
	if by > 0 && !found {
		by--
	}
	if at += by; at < 0 || at >= len(list) {
		m.notice = "there is no further " + what
		return
	}
	m.jumpTo(list[at])
}

// markedFrames are the packets with a mark and those picked, in order.
func (m *model) markedFrames() []dissect.FrameNum {
	out := m.pickedFrames()
	for _, n := range m.marks.byLetter {
		out = append(out, n)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
