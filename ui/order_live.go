package ui

import (
	"time"

	"remora/ui/listed"
)

// A live list that is sorted stands still: nothing may move while somebody reads it. Packets that come meanwhile wait below,
// as they came, and a pill says how many. Who follows the list has them sorted in as they come: the selected packet then
// keeps its line on the screen, or, if it is the first one, the first line keeps the cursor.

// keepSorted is whether packets are sorted in as they come, and when that may be done next.
type keepSorted struct {
	on   bool
	next time.Time
}

// A list is sorted again after sortAgain at the earliest, and after so many times what it took the last time.
const (
	sortAgain = time.Second
	sortShare = 8
)

// followSorted has packets sorted in as they come, or no more.
func (m *model) followSorted() {
	m.sorted.keep.on = !m.sorted.keep.on
	m.sorted.keep.next = time.Time{}
	if m.sorted.keep.on {
		m.notice = "kept sorted by " + m.sortTitle() + " as packets come; F again lets it stand still"
	} else {
		m.notice = "the list stands still; new packets wait below"
	}
}

// sortsLater tells whether rows wait to be sorted: until a file has been read and a filter has decided, and in a live list
// that is kept sorted.
func (m *model) sortsLater() bool {
	if m.sorted.by == nil || m.sorted.under != nil || m.packets.Rows() == 0 {
		return false
	}
	if m.packets.Order == nil {
		return true
	}
	return m.packets.Unsorted() > 0 && (!m.packets.Store.Status().Live || m.sorted.keep.on && m.packets.Frozen == 0 && time.Now().After(m.sorted.keep.next))
}

// setOrder puts the list into an order. The selected packet stays in view, and on its line where the list was sorted before.
func (m *model) setOrder(o *listed.Order) {
	again := m.packets.Order != nil && o != nil && m.selected.Frame > 0
	line, h := -1, max(1, m.layout().list.h-1)
	if again {
		line = m.packets.Row(m.selected.Frame) - m.top
	}
	first := again && m.packets.Row(m.selected.Frame) == 0
	m.packets.Order = o
	if m.selected.Frame == 0 || m.packets.Rows() == 0 {
		return
	}
	row := min(m.packets.Row(m.selected.Frame), m.packets.Rows()-1)
	switch {
	case first && m.sorted.keep.on:
		m.moveTo(0)
	case again && (line < 0 || line >= h): // it was not in view
	case again:
		m.top = max(0, row-line)
	default:
		m.top = max(0, min(row-h/2, m.packets.Rows()-h))
	}
}

// sortText says what the list is sorted by.
func (m *model) sortText() string {
	if m.sorted.by == nil {
		return ""
	}
	text := "sorted by " + m.sortTitle() + " " + m.style.Glyph("▴", "^")
	if m.sorted.by.down {
		text = "sorted by " + m.sortTitle() + " " + m.style.Glyph("▾", "v")
	}
	if m.sorted.keep.on {
		text += ", kept so"
	}
	return text
}
