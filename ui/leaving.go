package ui

import (
	"remora/capture"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/source"
)

// A capture that keeps a part only loses its oldest packets. They keep their numbers and places; the list begins at the
// first that is still there.

// keptText says how much of what may be kept there is, and how many packets have left.
func keptText(st capture.Status) string {
	// of a file that is played nothing is kept but its index
	if st.Keep == 0 || st.Left == 0 && (st.Done || st.Kept == 0) {
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
	if st.InKernel > 0 {
		defer func() { l.Put(m.style.Pens.Dim, "   "+humanize.Group(int(st.InKernel))+" left in the kernel") }()
	}
	all := st.Dropped + st.IfDropped
	if all == 0 {
		l.Put(m.style.Pens.Dim, "   0 dropped")
		return
	}
	text := "   " + humanize.Group(int(all)) + " dropped"
	for _, by := range []struct {
		n    uint64
		name string
	}{{st.Dropped, "kernel"}, {st.IfDropped, "interface"}} {
		if by.n > 0 && m.room.w >= 100 {
			text += " (" + by.name + " " + humanize.Group(int(by.n)) + ")"
		}
	}
	l.Put(m.style.Pens.Bad, text)
}
