package ui

import (
	"remora/capture"
	"remora/ui/act"
)

// heardTrouble is how much of what went wrong with a capture was told.
type heardTrouble struct {
	store *capture.Store
	told  int
	lived bool // packets came while somebody watched: it is no file that was damaged from the start
}

// tellTrouble says at once what happened to a capture that goes on, or has just ended by itself: an interface that is
// gone, a disk that is full. The line of counts keeps the last of it.
func (m *model) tellTrouble() {
	st := m.packets.Store.Status()
	h := &m.capture.trouble
	if h.store != m.packets.Store {
		*h = heardTrouble{store: m.packets.Store, told: len(st.Notices)}
		if st.Live || st.Waiting || !st.Done && st.BytesTotal == 0 {
			h.told = 0
		}
	}
	h.lived = h.lived || st.Live || !st.Done && st.BytesTotal == 0
	if len(st.Notices) <= h.told || !h.lived {
		return
	}
	h.told = len(st.Notices)
	m.notice = st.Notices[h.told-1] + m.wayOut(st)
}

// wayOut is what to do about packets that would be lost, once no more come.
func (m *model) wayOut(st capture.Status) string {
	if !st.Done || !st.Unsaved {
		return ""
	}
	return "; " + m.style.Key(act.Save) + " saves all of them elsewhere"
}
