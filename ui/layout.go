package ui

import (
	facetspane "remora/ui/pane/facets"
	"remora/ui/widget"
)

// A rect is a part of the screen, in cells.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// places are the parts of the screen. A part that is not shown has no height.
type places struct {
	header, filter, ribbon, facets, list, rule, tree, mid, hex, status, keys rect

	divider rect // the column between two panes side by side
}

// The panes.
const (
	paneList = iota
	paneTree
	paneHex
	paneFacets // only while they are open
	panes      = paneFacets
)

// The arrangements of the panes, in the order in which a key goes through them.
const (
	arrangeByWidth = iota - 1 // what the width has room for, until somebody chooses
	arrangeBelow              // tree and bytes side by side below the list, one of them at a time on narrow screens
	arrangeRows               // list, tree and bytes below each other
	arrangeBeside             // tree and bytes to the right of the list
	arrangements
)

var arrangementNames = [arrangements]string{"tree and bytes below the list", "all three below each other", "tree and bytes beside the list"}

// The smallest screen that is drawn, and the widths from which on panes stand side by side.
const (
	minWidth, minHeight = 60, 16
	minBelow            = 100
	minBeside           = 120
	minSideBySide       = 160 // from which on tree and bytes stand beside the list by themselves
	minRows             = 20
	minRibbon           = 30 // lines
	hexWidth            = 6 + 16*3 + 1 + 2 + 16 + 2
	minHexWidth         = 6 + 8*3 + 2 + 8 + 1
	minTreeWidth        = 30
)

// sizes are how the room is shared out, as the user has set it.
type sizes struct {
	arrangement int
	share       int // of the list's height, in percent
	side        int // of the list's width where the panes stand beside it, in percent; 0: all that the bytes leave it
	bytes       int // of the bytes' height below the tree, in percent
	split       int // columns that the bytes give to the tree
}

var usualSizes = sizes{arrangement: arrangeByWidth, share: 45, bytes: 45}

// possible tells whether keys and the pointer lead to these sizes.
func (s sizes) possible() bool {
	return s.arrangement >= arrangeByWidth && s.arrangement < arrangements && s.share >= 15 && s.share <= 80 && (s.side == 0 || s.side >= 20 && s.side <= 80) &&
		s.bytes >= 10 && s.bytes <= 80 && s.split > -1000 && s.split < 1000
}

// arranged is the arrangement that the screen has room for.
func (m *model) arranged() int {
	switch {
	case m.sizes.arrangement == arrangeByWidth && m.w >= minSideBySide:
		return arrangeBeside
	case m.sizes.arrangement == arrangeByWidth, m.sizes.arrangement == arrangeBeside && m.w < minBeside, m.sizes.arrangement == arrangeRows && m.h < minRows:
		return arrangeBelow
	}
	return m.sizes.arrangement
}

// layout works out the parts for the screen's size, the zoomed pane and the shares.
func (m *model) layout() (p places) {
	p.header = rect{0, 0, m.w, 1}
	p.filter = rect{0, 1, m.w, 1}
	p.status = rect{0, m.h - 2, m.w, 1}
	p.keys = rect{0, m.h - 1, m.w, 1}
	body := rect{0, 2, m.w, m.h - 4}
	if m.h >= minRibbon {
		p.ribbon = rect{0, 2, m.w, 1}
		body.y, body.h = 3, body.h-1
	}
	defer m.layFacets(&p)
	switch {
	case m.zoomed:
		m.layZoomed(&p, body)
	case m.arranged() == arrangeBeside:
		left := widget.Clamp(body.w*m.side()/100, 50, body.w-minHexWidth-1)
		p.list = rect{0, body.y, left, body.h}
		p.divider = rect{left, body.y, 1, body.h}
		p.rule = rect{left + 1, body.y, body.w - left - 1, 1}
		m.layStacked(&p, rect{left + 1, body.y + 1, body.w - left - 1, body.h - 1})
	default:
		listHeight := max(4, min(body.h-5, body.h*m.sizes.share/100))
		p.list = rect{0, body.y, m.w, listHeight}
		p.rule = rect{0, body.y + listHeight, m.w, 1}
		below := rect{0, body.y + listHeight + 1, m.w, body.h - listHeight - 1}
		if m.arranged() == arrangeRows {
			m.layStacked(&p, below)
		} else {
			m.layBelow(&p, below)
		}
	}
	return p
}

// side is how much of the width the list has beside the other panes, in percent: by itself all but what the bytes need.
func (m *model) side() int {
	if m.sizes.side > 0 {
		return m.sizes.side
	}
	return widget.Clamp((m.w-hexWidth-1)*100/m.w, 50, 60)
}

// layFacets puts the facets beside the list, or in its place where there is no room for both.
func (m *model) layFacets(p *places) {
	if !m.facets.Open || p.list.h == 0 {
		return
	}
	p.facets = p.list
	if p.list.w < facetspane.Width+50 {
		p.list.h = 0
		return
	}
	p.facets.w = widget.Clamp(p.list.w*37/100, facetspane.Width, m.facets.Wide()+14)
	p.list.x += p.facets.w + 1
	p.list.w -= p.facets.w + 1
}

func (m *model) layZoomed(p *places, body rect) {
	if m.focus == paneList {
		p.list = body
		return
	}
	p.rule = rect{0, body.y, m.w, 1}
	whole := rect{0, body.y + 1, m.w, body.h - 1}
	if m.focus == paneTree {
		p.tree = whole
	} else {
		p.hex = whole
	}
}

// layBelow puts the tree beside the bytes, or shows one of them where there is no room for both.
func (m *model) layBelow(p *places, r rect) {
	if m.w < minBelow {
		if m.focus == paneHex {
			p.hex = r
		} else {
			p.tree = r
		}
		return
	}
	at := widget.Clamp(r.w-hexWidth-1+m.sizes.split, minTreeWidth, r.w-minHexWidth-1)
	p.tree = rect{r.x, r.y, at, r.h}
	p.divider = rect{r.x + at, r.y, 1, r.h}
	p.hex = rect{r.x + at + 1, r.y, r.w - at - 1, r.h}
}

// layStacked puts the tree above the bytes.
func (m *model) layStacked(p *places, r rect) {
	h := widget.Clamp(r.h*m.sizes.bytes/100, 2, max(2, r.h-3))
	p.tree = rect{r.x, r.y, r.w, r.h - h - 1}
	p.mid = rect{r.x, r.y + r.h - h - 1, r.w, 1}
	p.hex = rect{r.x, r.y + r.h - h, r.w, h}
}

// widen moves the rule between panes that stand side by side.
func (m *model) widen(step int) {
	if m.arranged() == arrangeBeside {
		m.sizes.side = widget.Clamp(m.side()+step*3, 20, 80)
		return
	}
	p := m.layout()
	if p.divider.h == 0 {
		m.notice = "the panes stand below each other: + and - change their sizes"
		return
	}
	at := widget.Clamp(p.tree.w+step*3, minTreeWidth, m.w-minHexWidth-1)
	m.sizes.split = at - (m.w - hexWidth - 1)
}

// heighten moves the rule below the focused pane.
func (m *model) heighten(step int) {
	if m.focus == paneHex && m.layout().mid.h > 0 {
		m.sizes.bytes = widget.Clamp(m.sizes.bytes+step*5, 10, 80)
		return
	}
	if m.arranged() == arrangeBeside {
		m.sizes.bytes = widget.Clamp(m.sizes.bytes-step*5, 10, 80)
		return
	}
	m.sizes.share = widget.Clamp(m.sizes.share+step*5, 15, 80)
}

// drag moves the rule that the pointer took hold of.
func (m *model) drag(x, y int) {
	p := m.layout()
	switch m.pointer.dragging {
	case dragRule:
		if m.arranged() != arrangeBeside {
			top := p.header.h + p.filter.h + p.ribbon.h
			m.sizes.share = widget.Clamp((y-top)*100/max(1, m.h-2-top), 15, 80)
		}
	case dragMid:
		whole := p.tree.h + 1 + p.hex.h
		m.sizes.bytes = widget.Clamp((p.tree.y+whole-y-1)*100/max(1, whole), 10, 80)
	case dragDivider:
		if m.arranged() == arrangeBeside {
			m.sizes.side = widget.Clamp(x*100/max(1, m.w), 20, 80)
		} else {
			m.sizes.split = widget.Clamp(x, minTreeWidth, m.w-minHexWidth-1) - (m.w - hexWidth - 1)
		}
	case dragRibbon:
		m.ribbon.Drag(x - p.ribbon.x)
	case dragHead:
		m.list.Drag(x - p.list.x)
	}
}

// What the pointer drags.
const (
	dragNothing = iota
	dragRule
	dragMid
	dragDivider
	dragRibbon
	dragHead // a column's title or its edge
)
