package ui

import (
	"remora/capture"
	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/source"
)

// A capture that keeps a part only loses its oldest packets. They keep their numbers and places; the list begins at the
// first that is still there.

// seeThemLeave moves the list along when packets have left. The selection moves to the first that is there.
func (m *model) seeThemLeave() {
	first := m.packets.Store.First()
	if first == 0 || m.packets.Rows() == 0 {
		return
	}
	row := m.packets.First()
	m.top = max(m.top, row)
	if was := m.selected.Frame; was > 0 && int(was) <= first && !m.follow && m.packets.Frame(row) != was {
		m.moveTo(row)
	}
}

// sayLeft says that the packet that was selected has left, when another one is selected now. While the selection is moved along
// by more and more that leave, the packet that somebody had chosen is the one that is named.
func (m *model) sayLeft(was dissect.FrameNum) {
	if first := m.packets.Store.First(); was > 0 && int(was) <= first && m.selected.Frame != was && !m.follow {
		if was == m.movedTo {
			was = m.movedFrom
		}
		m.movedFrom, m.movedTo = was, m.selected.Frame
		if m.packets.Store.Status().Keep == 0 {
			m.notice = "packet " + humanize.Group(int(was)) + " was evicted by the retention limit: memory is limited"
			return
		}
		m.notice = "packet " + humanize.Group(int(was)) + " has left: the capture keeps " + source.SizeText(m.packets.Store.Status().Keep) + ", and the oldest leave first"
	}
}

// hasLeft says that a packet is not there any more, if it is so.
func (m *model) hasLeft(n dissect.FrameNum) bool {
	if first := m.packets.Store.First(); n == 0 || int(n) > first {
		return false
	}
	m.notice = "packet " + humanize.Group(int(n)) + " has left; the first one kept is " + humanize.Group(m.packets.Store.First()+1)
	return true
}

// keptText says how much of what may be kept there is, and how many packets have left.
func keptText(st capture.Status) string {
	if st.Keep == 0 || st.Left == 0 && (st.Done || st.Kept == 0) { // of a file that is played nothing is kept but its index
		return ""
	}
	text := "kept " + humanize.Bytes(min(st.Kept, st.Keep)) + " of " + source.SizeText(st.Keep)
	if st.Left > 0 {
		text += ", " + humanize.Group(st.Left) + " left"
	}
	return text
}

// putDropped says how many packets were lost, and where.
func (m *model) putDropped(l *paint.Line, st capture.Status) {
	all := st.Dropped + st.IfDropped
	if all == 0 {
		l.Put(m.style.Pens.Dim, "   0 dropped")
		return
	}
	text := "   " + humanize.Group(int(all)) + " dropped"
	for _, by := range []struct {
		n    uint64
		name string
	}{{st.Dropped, "kernel"}, {st.IfDropped, "card"}} {
		if by.n > 0 && m.w >= 100 {
			text += " (" + by.name + " " + humanize.Group(int(by.n)) + ")"
		}
	}
	l.Put(m.style.Pens.Bad, text)
}
