package ui

import (
	"strconv"

	"remora/ui/paint"
)

// A conversation may have a colour of its own for now: a number in front of the key of the coloring rules gives it to the
// selected one. Its rows are drawn in that colour, and the number stands in front of them.

// talkColours is how many colours there are.
var talkColours = len(paint.HueOrder)

// colourTalk gives the selected conversation a colour by its number, or takes it away where it has that one.
func (m *model) colourTalk(n int) {
	switch {
	case m.selected.Conv == 0:
		m.notice = "the packet is of no conversation"
		return
	case n > talkColours:
		m.notice = "the colours of conversations are 1 to " + strconv.Itoa(talkColours)
		return
	}
	if m.talkColour == nil {
		m.talkColour = map[uint32]int{}
	}
	if m.talkColour[m.selected.Conv] == n {
		delete(m.talkColour, m.selected.Conv)
		m.notice = "the conversation has no colour of its own any more"
		return
	}
	m.talkColour[m.selected.Conv] = n
	m.notice = "the conversation has colour " + strconv.Itoa(n) + "; " + strconv.Itoa(n) + "H again takes it away"
}

// talkPen is the colour of a row's conversation, or none.
func (m *model) talkPen(conv uint32) (p paint.Pen, ok bool) {
	n := m.talkColour[conv]
	if n == 0 || conv == 0 {
		return p, false
	}
	return m.style.Pens.Hues[paint.HueOrder[n-1]], true
}
