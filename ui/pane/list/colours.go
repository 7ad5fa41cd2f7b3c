package list

import (
	"strconv"

	"remora/ui/paint"
)

// A conversation may have a colour of its own for now: a number in front of the key of the coloring rules gives it to
// the selected one. Its rows are drawn in that colour, and the number stands in front of them.

// talkColours is how many colours there are.
var talkColours = len(paint.HueOrder)

// ColourConversation gives the selected conversation a colour by its number, or takes it away where it has that one.
func (p *Pane) ColourConversation(n int) {
	switch {
	case p.packet.Conv == 0:
		p.c.Notify("the packet is of no conversation")
		return
	case n > talkColours:
		p.c.Notify("the colours of conversations are 1 to " + strconv.Itoa(talkColours))
		return
	}
	if p.colours == nil {
		p.colours = map[uint32]int{}
	}
	if p.colours[p.packet.Conv] == n {
		delete(p.colours, p.packet.Conv)
		p.c.Notify("the conversation has no colour of its own any more")
		return
	}
	p.colours[p.packet.Conv] = n
	p.c.Notify("the conversation has colour " + strconv.Itoa(n) + "; " + strconv.Itoa(n) + "H again takes it away")
}

// colour is the colour of a row's conversation, or none.
func (p *Pane) colour(conv uint32) (pen paint.Pen, ok bool) {
	n := p.colours[conv]
	if n == 0 || conv == 0 {
		return pen, false
	}
	return p.c.Style().Pens.Hues[paint.HueOrder[n-1]], true
}
