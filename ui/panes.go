package ui

import (
	"remora/ui/listed"
	facetspane "remora/ui/pane/facets"
	hexpane "remora/ui/pane/hex"
	listpane "remora/ui/pane/list"
	"remora/ui/pane/ribbon"
	treepane "remora/ui/pane/tree"
	"remora/ui/selected"
	"remora/ui/widget"
)

// packetPanes are the packets that are listed and the selected one, the panes that show them, and the room that these
// share.
type packetPanes struct {
	packets  *listed.Packets // that the list shows
	selected *selected.Packet

	facets *facetspane.Pane
	ribbon *ribbon.Pane
	list   *listpane.Pane
	tree   *treepane.Pane
	hex    *hexpane.Pane
	room   room
}

// focused is the pane that the keys go to.
func (pp *packetPanes) focused() target {
	switch pp.room.focus {
	case paneFacets:
		return pp.facets
	case paneTree:
		return pp.tree
	case paneHex:
		return pp.hex
	}
	return pp.list
}

// drawBody draws the panes and the rules between them.
func (pp *packetPanes) drawBody(s *widget.Style, p places) []string {
	var list, right []string
	if p.list.h > 0 {
		list = pp.list.Draw(p.list.w, p.list.h)
	}
	if p.facets.h > 0 {
		facets := pp.facets.Draw(p.facets.w, p.facets.h)
		if list == nil {
			list = facets
		} else {
			list = s.Beside(facets, list)
		}
	}
	if p.rule.h > 0 {
		title := "" // unless a rule of its own names the field
		if p.mid.h == 0 {
			title = pp.hex.FieldTitle()
		}
		right = append(right, pp.list.Title(p.rule.w, title))
	}
	switch {
	case p.mid.h > 0:
		right = append(right, pp.tree.Draw(p.tree.w, p.tree.h)...)
		right = append(right, pp.hex.Title(p.mid.w))
		right = append(right, pp.hex.Draw(p.hex.w, p.hex.h)...)
	case p.divider.h > 0:
		right = append(right, s.Beside(pp.tree.Draw(p.tree.w, p.tree.h), pp.hex.Draw(p.hex.w, p.hex.h))...)
	case p.tree.h > 0:
		right = append(right, pp.tree.Draw(p.tree.w, p.tree.h)...)
	case p.hex.h > 0:
		right = append(right, pp.hex.Draw(p.hex.w, p.hex.h)...)
	}
	if p.divider.h > 0 && p.mid.h > 0 {
		return s.Beside(list, right)
	}
	return append(list, right...)
}

// wheel scrolls the pane under the pointer.
func (pp *packetPanes) wheel(p places, x, y, n int) {
	switch {
	case p.list.has(x, y):
		pp.list.Wheel(n)
	case p.facets.has(x, y):
		pp.facets.Wheel(n)
	case p.tree.has(x, y):
		pp.tree.Wheel(n)
	case p.hex.has(x, y):
		pp.hex.Wheel(n)
	}
}

// drag goes on with what the pointer took hold of.
func (pp *packetPanes) drag(x, y int) {
	switch p := pp.room.layout(); pp.room.dragging {
	case dragRibbon:
		pp.ribbon.Drag(x - p.ribbon.x)
	case dragHead:
		pp.list.Drag(x - p.list.x)
	default:
		pp.room.drag(pp.room.dragging, x, y)
	}
}
