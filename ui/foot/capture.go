package foot

import (
	"remora/capture"
	"remora/ui/act"
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

// dropped says how many packets were lost, and where.
func (f *Foot) dropped(l *paint.Line, st capture.Status, w int) {
	s := f.c.Style()
	if st.InKernel > 0 {
		defer func() { l.Put(s.Pens.Dim, "   "+humanize.Group(int(st.InKernel))+" left in the kernel") }()
	}
	all := st.Dropped + st.IfDropped
	if all == 0 {
		l.Put(s.Pens.Dim, "   0 dropped")
		return
	}
	text := "   " + humanize.Group(int(all)) + " dropped"
	for _, by := range []struct {
		n    uint64
		name string
	}{{st.Dropped, "kernel"}, {st.IfDropped, "interface"}} {
		if by.n > 0 && w >= 100 {
			text += " (" + by.name + " " + humanize.Group(int(by.n)) + ")"
		}
	}
	l.Put(s.Pens.Bad, text)
}

// notices is how much of what went wrong with a capture was told.
type notices struct {
	store *capture.Store
	said  int
	lived bool // packets came while somebody watched: it is no file that was damaged from the start
}

// SayNotices says at once what happened to a capture that goes on, or has just ended by itself: an interface that is
// gone, a disk that is full. The line of counts keeps the last of it.
func (f *Foot) SayNotices() {
	st := f.packets.Store.Status()
	h := &f.notices
	if h.store != f.packets.Store {
		*h = notices{store: f.packets.Store, said: len(st.Notices)}
		if st.Live || st.Waiting || !st.Done && st.BytesTotal == 0 {
			h.said = 0
		}
	}
	h.lived = h.lived || st.Live || !st.Done && st.BytesTotal == 0
	if len(st.Notices) <= h.said || !h.lived {
		return
	}
	h.said = len(st.Notices)
	f.Notice = st.Notices[h.said-1] + f.wayOut(st)
}

// wayOut is what to do about packets that would be lost, once no more come.
func (f *Foot) wayOut(st capture.Status) string {
	if !st.Done || !st.Unsaved {
		return ""
	}
	return "; " + f.c.Style().Key(act.Save) + " saves all of them elsewhere"
}
