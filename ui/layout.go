package ui

import (
	"fmt"

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

var arrangementNames = [arrangements]string{"tree and bytes below the list", "all three below each other",
	"tree and bytes beside the list"}

// The smallest screen that is drawn, and the widths from which on panes stand side by side.
const (
	minWidth, minHeight = 60, 16
	minBelow            = 100
	minBeside           = 120
	minFacetsBeside     = 88  // of the list and the facets, from which on they stand side by side
	minListBeside       = 110 // of the list, from which on tree and bytes stand beside it by themselves
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
	return s.arrangement >= arrangeByWidth && s.arrangement < arrangements && s.share >= 15 && s.share <= 80 &&
		(s.side == 0 || s.side >= 20 && s.side <= 80) &&
		s.bytes >= 10 && s.bytes <= 80 && s.split > -1000 && s.split < 1000
}

// A room is the screen and how it is shared out among the panes.
type room struct {
	w, h   int
	focus  int // the pane that the keys go to
	zoomed bool
	sizes  sizes
	kept   sizes // as they are kept between runs
	facets *facetspane.Pane

	dragging  int  // what the pointer drags
	saidShift bool // how to select text beside it
}

// arranged is the arrangement that the screen has room for.
func (r *room) arranged() int {
	switch {
	case r.sizes.arrangement == arrangeByWidth && r.listBeside() >= minListBeside:
		return arrangeBeside
	case r.sizes.arrangement == arrangeByWidth, r.sizes.arrangement == arrangeBeside && r.w < minBeside,
		r.sizes.arrangement == arrangeRows && r.h < minRows:
		return arrangeBelow
	}
	return r.sizes.arrangement
}

// listBeside is how wide the list is when tree and bytes stand beside it, without the facets.
func (r *room) listBeside() int {
	w := r.w * r.side() / 100
	if r.facets.Open {
		w -= r.facetsWidth(w) + 1
	}
	return w
}

// layout works out the parts for the screen's size, the zoomed pane and the shares.
func (r *room) layout() (p places) {
	p.header = rect{0, 0, r.w, 1}
	p.filter = rect{0, 1, r.w, 1}
	p.status = rect{0, r.h - 2, r.w, 1}
	p.keys = rect{0, r.h - 1, r.w, 1}
	body := rect{0, 2, r.w, r.h - 4}
	if r.h >= minRibbon {
		p.ribbon = rect{0, 2, r.w, 1}
		body.y, body.h = 3, body.h-1
	}
	defer r.layFacets(&p)
	switch {
	case r.zoomed:
		r.layZoomed(&p, body)
	case r.arranged() == arrangeBeside:
		left := widget.Clamp(body.w*r.side()/100, 50, body.w-minHexWidth-1)
		p.list = rect{0, body.y, left, body.h}
		p.divider = rect{left, body.y, 1, body.h}
		p.rule = rect{left + 1, body.y, body.w - left - 1, 1}
		r.layStacked(&p, rect{left + 1, body.y + 1, body.w - left - 1, body.h - 1})
	default:
		listHeight := max(4, min(body.h-5, body.h*r.sizes.share/100))
		p.list = rect{0, body.y, r.w, listHeight}
		p.rule = rect{0, body.y + listHeight, r.w, 1}
		below := rect{0, body.y + listHeight + 1, r.w, body.h - listHeight - 1}
		if r.arranged() == arrangeRows {
			r.layStacked(&p, below)
		} else {
			r.layBelow(&p, below)
		}
	}
	return p
}

// side is how much of the width the list has beside the other panes, in percent: by itself all but what the bytes need.
func (r *room) side() int {
	if r.sizes.side > 0 {
		return r.sizes.side
	}
	return widget.Clamp((r.w-hexWidth-1)*100/max(1, r.w), 50, 60) // no width is told yet at the very start
}

// keepInView brings what is selected into view where the panes have changed their sizes.
func keepInView(m *model) {
	if m.packets.Session != nil && m.selected.Frame > 0 {
		m.list.KeepInView(min(m.packets.Row(m.selected.Frame), max(0, m.packets.Rows()-1)))
		m.tree.KeepInView()
	}
}

// layFacets puts the facets beside the list, or in its place where there is no room for both.
func (r *room) layFacets(p *places) {
	if !r.facets.Open || p.list.h == 0 {
		return
	}
	p.facets = p.list
	if p.list.w < minFacetsBeside {
		p.list.h = 0
		return
	}
	p.facets.w = r.facetsWidth(p.list.w)
	p.list.x += p.facets.w + 1
	p.list.w -= p.facets.w + 1
}

// facetsWidth is how wide the facets are beside a list, out of what both have.
func (r *room) facetsWidth(w int) int {
	return widget.Clamp(w*37/100, facetspane.Width, r.facets.Wide())
}

func (r *room) layZoomed(p *places, body rect) {
	if r.focus == paneList {
		p.list = body
		return
	}
	p.rule = rect{0, body.y, r.w, 1}
	whole := rect{0, body.y + 1, r.w, body.h - 1}
	if r.focus == paneTree {
		p.tree = whole
	} else {
		p.hex = whole
	}
}

// layBelow puts the tree beside the bytes, or shows one of them where there is no room for both.
func (r *room) layBelow(p *places, in rect) {
	if r.w < minBelow {
		if r.focus == paneHex {
			p.hex = in
		} else {
			p.tree = in
		}
		return
	}
	at := widget.Clamp(in.w-hexWidth-1+r.sizes.split, minTreeWidth, in.w-minHexWidth-1)
	p.tree = rect{in.x, in.y, at, in.h}
	p.divider = rect{in.x + at, in.y, 1, in.h}
	p.hex = rect{in.x + at + 1, in.y, in.w - at - 1, in.h}
}

// layStacked puts the tree above the bytes.
func (r *room) layStacked(p *places, in rect) {
	h := widget.Clamp(in.h*r.sizes.bytes/100, 2, max(2, in.h-3))
	p.tree = rect{in.x, in.y, in.w, in.h - h - 1}
	p.mid = rect{in.x, in.y + in.h - h - 1, in.w, 1}
	p.hex = rect{in.x, in.y + in.h - h, in.w, h}
}

// widen moves the rule between panes that stand side by side, or says why it cannot.
func (r *room) widen(step int) (problem string) {
	if r.arranged() == arrangeBeside {
		r.sizes.side = widget.Clamp(r.side()+step*3, 20, 80)
		return ""
	}
	p := r.layout()
	if p.divider.h == 0 {
		return "the panes stand below each other: + and - change their sizes"
	}
	at := widget.Clamp(p.tree.w+step*3, minTreeWidth, r.w-minHexWidth-1)
	r.sizes.split = at - (r.w - hexWidth - 1)
	return ""
}

// heighten moves the rule below the focused pane.
func (r *room) heighten(step int) {
	if r.focus == paneHex && r.layout().mid.h > 0 {
		r.sizes.bytes = widget.Clamp(r.sizes.bytes+step*5, 10, 80)
		return
	}
	if r.arranged() == arrangeBeside {
		r.sizes.bytes = widget.Clamp(r.sizes.bytes-step*5, 10, 80)
		return
	}
	r.sizes.share = widget.Clamp(r.sizes.share+step*5, 15, 80)
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

// drag moves a rule that the pointer took hold of.
func (r *room) drag(what, x, y int) {
	p := r.layout()
	switch what {
	case dragRule:
		if r.arranged() != arrangeBeside {
			top := p.header.h + p.filter.h + p.ribbon.h
			r.sizes.share = widget.Clamp((y-top)*100/max(1, r.h-2-top), 15, 80)
		}
	case dragMid:
		whole := p.tree.h + 1 + p.hex.h
		r.sizes.bytes = widget.Clamp((p.tree.y+whole-y-1)*100/max(1, whole), 10, 80)
	case dragDivider:
		if r.arranged() == arrangeBeside {
			r.sizes.side = widget.Clamp(x*100/max(1, r.w), 20, 80)
		} else {
			r.sizes.split = widget.Clamp(x, minTreeWidth, r.w-minHexWidth-1) - (r.w - hexWidth - 1)
		}
	}
}

// body is the room for a view.
func (r *room) body() rect { return rect{0, 2, r.w, r.h - 4} }

// forChoices is the part below the filter that completions may cover: the list, never the detail; panes tells whether
// the panes are shown.
func (r *room) forChoices(panes bool) (w, h int) {
	const x, y, least = 3, 3, 5
	p := r.layout()
	w, h = r.w-2*x, p.status.y-y
	if list := max(p.list.y+p.list.h, p.facets.y+p.facets.h); panes && list > y {
		h = max(least, list-y)
		if p.list.h > 0 && p.list.x+p.list.w < r.w {
			w = p.list.x + p.list.w - 2*x
		}
	}
	return w, h
}

// next goes to the next arrangement of the panes, and names it.
func (r *room) next() string {
	r.sizes.arrangement = (r.arranged() + 1) % arrangements
	text := arrangementNames[r.sizes.arrangement]
	if r.arranged() != r.sizes.arrangement {
		text += ": this screen has no room for it"
	}
	return text
}

// turn has the keys go to another pane.
func (r *room) turn(by int) {
	all := panes
	if r.facets.Open {
		all++
	}
	r.focus = (r.focus + by + all) % all
}

// line writes the sizes for the next run; ok is false where they are kept already.
func (r *room) line() (text string, ok bool) {
	s := r.sizes
	if s == r.kept {
		return "", false
	}
	r.kept = s
	return fmt.Sprintf("%d %d %d %d %d", s.arrangement, s.share, s.side, s.bytes, s.split), true
}

// recall takes up the sizes of the last run. What no key could have made of them is left alone.
func (r *room) recall(lines []string) {
	for _, line := range lines {
		var s sizes
		if n, err := fmt.Sscan(line, &s.arrangement, &s.share, &s.side, &s.bytes, &s.split); n == 5 && err == nil &&
			s.possible() {
			r.sizes = s
		}
	}
	r.kept = r.sizes
}
