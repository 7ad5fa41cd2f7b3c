package ui

// A rect is a part of the screen, in cells.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// places are the parts of the screen. A part that is not shown has no height.
type places struct {
	header, filter, list, rule, tree, hex, status, keys rect
	divider                                             int // column of the rule between tree and bytes, -1 without
}

// The panes.
const (
	paneList = iota
	paneTree
	paneHex
	panes
)

// The smallest screen that is drawn.
const minWidth, minHeight = 60, 16

// layout works out the parts for the screen's size, the zoomed pane and the list's share.
func (m *model) layout() places {
	p := places{divider: -1}
	p.header = rect{0, 0, m.w, 1}
	p.filter = rect{0, 1, m.w, 1}
	if m.editing != editNone && m.editing != editFilter {
		p.filter.h = 1
	}
	p.status = rect{0, m.h - 2, m.w, 1}
	p.keys = rect{0, m.h - 1, m.w, 1}
	body := m.h - 4
	top := 2
	if m.zoomed {
		p.rule = rect{0, top, m.w, 1}
		whole := rect{0, top + 1, m.w, body - 1}
		switch m.focus {
		case paneList:
			p.list = rect{0, top, m.w, body}
			p.rule.h = 0
		case paneTree:
			p.tree = whole
		default:
			p.hex = whole
		}
		return p
	}
	listHeight := max(4, min(body-5, body*m.share/100))
	p.list = rect{0, top, m.w, listHeight}
	p.rule = rect{0, top + listHeight, m.w, 1}
	below := rect{0, top + listHeight + 1, m.w, body - listHeight - 1}
	if m.w < 100 { // one of tree and bytes at a time
		if m.focus == paneHex {
			p.hex = below
		} else {
			p.tree = below
		}
		return p
	}
	hexWidth := 6 + 16*3 + 1 + 2 + 16 + 2
	p.divider = m.w - hexWidth - 1
	p.tree = rect{0, below.y, p.divider, below.h}
	p.hex = rect{p.divider + 1, below.y, hexWidth, below.h}
	return p
}
