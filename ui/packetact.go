package ui

import (
	"slices"

	"remora/dissect"
)

// packetAction handles what is done to the selected packet, and what goes to packets that something was done to.
func (m *model) packetAction(a action, n int) bool {
	switch a {
	case actComment:
		m.editComment()
	case actIgnore:
		m.ignore()
	case actIgnoreNone:
		m.ignoreNone()
	case actMarkNext, actMarkPrev:
		m.goAmong(m.markedFrames(), direction(a == actMarkNext)*n, "marked packet")
	case actCommentNext, actCommentPrev:
		m.goAmong(m.commentedFrames(), direction(a == actCommentNext)*n, "packet with a comment")
	case actNoteNext, actNotePrev:
		s := m.s
		m.seek(direction(a == actNoteNext), func(n dissect.FrameNum) bool { return s.SeverityOf(n) > dissect.Chat })
	case actByteText:
		m.nextByteText()
	case actByteWidth:
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
