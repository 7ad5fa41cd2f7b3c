// Package tree is the pane with the tree of the selected packet.
package tree

import (
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the pane may ask of the screen.
type Context interface {
	// Style is how the screen draws.
	Style() *widget.Style
	// Focused tells whether the keys go to the pane, Height is how many lines it has.
	Focused() bool
	Height() int
	// Chose says that a line was chosen: its node and its bytes are the selected ones.
	Chose()
	// GoTo selects another packet and remembers for the way back where the cursor was.
	GoTo(n dissect.FrameNum)
}

// A Pane is the tree's state, which stays from packet to packet.
type Pane struct {
	c      Context
	packet *selected.Packet

	open  map[dissect.FieldID]bool // opened or closed by hand
	lines []int                    // visible nodes
	cur   int                      // index in lines
	top   int
	field dissect.FieldID // the selected field and which of its kind, so that it stays selected
	nth   int
}

// New is the pane for the selected packet.
func New(c Context, packet *selected.Packet) *Pane {
	return &Pane{c: c, packet: packet, open: map[dissect.FieldID]bool{}}
}

// Clear forgets the lines: another capture is shown.
func (p *Pane) Clear() { p.lines = nil }

// Line is the line of the cursor.
func (p *Pane) Line() int { return p.cur }

// Lines is how many lines there are.
func (p *Pane) Lines() int { return len(p.lines) }

// isOpen tells whether a node shows what is below it: by hand, else the packet's own protocol and its groups.
func (p *Pane) isOpen(i int) bool {
	f := p.packet.Tree.Field(i)
	if p.packet.Ignored() {
		return false
	}
	if open, ok := p.open[f.ID()]; ok {
		return open
	}
	if f.Type() == dissect.TypeProtocol {
		return f.Protocol() == p.packet.Tree.Protocol()
	}
	return (f.IsGroup() || f.IsExpert()) && !p.packet.Repeated(i)
}

// Settle works out the visible lines and finds the selected field again; its bytes are marked.
func (p *Pane) Settle() {
	p.Lay()
	p.packet.Source = 0
	if n := p.packet.Node; n >= 0 {
		p.packet.Source = p.packet.Tree.Nodes[n].Src
		p.packet.Byte = int(p.packet.Tree.Nodes[n].Off)
	}
}

// Lay is Settle, and leaves the bytes as they are.
func (p *Pane) Lay() {
	p.lines, p.packet.Node = p.lines[:0], -1
	if p.packet.Tree == nil {
		return
	}
	for i := 0; i < len(p.packet.Tree.Nodes); {
		if p.packet.Tree.IsHidden(i) {
			i = p.packet.Tree.End(i)
			continue
		}
		p.lines = append(p.lines, i)
		if p.packet.Ignored() {
			break
		}
		if end := p.packet.Tree.End(i); end > i+1 && !p.isOpen(i) {
			p.lines = append(p.lines, p.commentsBelow(i, end)...)
			i = end
		} else {
			i++
		}
	}
	if p.cur = p.findSelected(); p.cur < len(p.lines) {
		p.packet.Node = p.lines[p.cur]
	}
	p.KeepInView()
}

// commentsBelow are the comments below a closed node: they are seen all the same.
func (p *Pane) commentsBelow(from, to int) (nodes []int) {
	for i := from + 1; i < to && p.packet.Tree.Field(from).Name() == "frame"; i++ {
		if p.packet.Tree.Field(i).Name() == view.CommentField {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// findSelected is the line of the field selected before, or of the packet's own protocol.
func (p *Pane) findSelected() int {
	seen, own := 0, 0
	for k, i := range p.lines {
		f := p.packet.Tree.Field(i)
		if f.Type() == dissect.TypeProtocol && f.Protocol() == p.packet.Tree.Protocol() {
			own = k
		}
		if p.field != 0 && f.ID() == p.field {
			if seen == p.nth {
				return k
			}
			seen++
		}
	}
	return own
}

// MoveTo puts the tree's cursor on a line and marks the field's bytes.
func (p *Pane) MoveTo(line int) {
	if len(p.lines) == 0 {
		return
	}
	p.cur = max(0, min(line, len(p.lines)-1))
	i := p.lines[p.cur]
	p.packet.Node = i
	p.field, p.nth = p.packet.Tree.Nodes[i].Field, 0
	for _, j := range p.lines[:p.cur] {
		if p.packet.Tree.Nodes[j].Field == p.field {
			p.nth++
		}
	}
	if n := p.packet.Tree.Nodes[i]; n.Len > 0 {
		p.packet.Source, p.packet.Byte = n.Src, int(n.Off)
	}
	p.KeepInView()
	p.c.Chose()
}

// KeepInView brings the cursor back into view.
func (p *Pane) KeepInView() {
	h := max(1, p.c.Height())
	if p.cur < p.top {
		p.top = p.cur
	}
	if p.cur >= p.top+h {
		p.top = p.cur - h + 1
	}
	p.top = max(0, min(p.top, len(p.lines)-h)) // a short tree is shown from its first line
}

// Select makes a node visible and selects it.
func (p *Pane) Select(node int) {
	for i := p.packet.Tree.Parent(node); i >= 0; i = p.packet.Tree.Parent(i) {
		if !p.isOpen(i) {
			p.open[p.packet.Tree.Nodes[i].Field] = true
		}
	}
	cur := p.packet.Byte
	p.Settle()
	for k, i := range p.lines {
		if i == node {
			p.MoveTo(k)
		}
	}
	p.packet.Byte = cur
}

// Fold opens (1), closes (-1) or turns (0) the selected node. Closing a leaf goes to its parent.
func (p *Pane) Fold(how int) {
	i := p.packet.Node
	if i < 0 {
		return
	}
	parent := p.packet.Tree.End(i) > i+1
	open := parent && p.isOpen(i)
	if how < 0 && !open {
		if up := p.packet.Tree.Parent(i); up >= 0 {
			p.Select(up)
		}
		return
	}
	if !parent {
		return
	}
	p.open[p.packet.Tree.Nodes[i].Field] = how > 0 || how == 0 && !open
	p.Settle()
	p.Select(i)
}

// FoldBelow opens or closes the selected node and all that is below it.
func (p *Pane) FoldBelow(open bool) {
	i := p.packet.Node
	if i < 0 {
		return
	}
	for j := i; j < p.packet.Tree.End(i); j++ {
		if p.packet.Tree.End(j) > j+1 {
			p.open[p.packet.Tree.Nodes[j].Field] = open
		}
	}
	p.Settle()
	p.Select(i)
}

// FoldAll opens or closes all nodes.
func (p *Pane) FoldAll(open bool) {
	if p.packet.Tree == nil {
		return
	}
	i := p.packet.Node
	for j := range p.packet.Tree.Nodes {
		p.open[p.packet.Tree.Nodes[j].Field] = open
	}
	p.Settle()
	for ; i >= 0 && !open; i = p.packet.Tree.Parent(i) {
		if p.packet.Tree.Parent(i) < 0 {
			break
		}
	}
	if i >= 0 {
		p.Select(i)
	}
}

// Draw draws exactly h lines of w cells.
func (p *Pane) Draw(w, h int) []string {
	out := make([]string, 0, h)
	for k := range h {
		at := p.top + k
		switch dim := p.c.Style().Pens.Dim; {
		case p.packet.Ignored() && at == len(p.lines) && p.packet.Tree != nil:
			out = append(out, dim.Open+paint.Fit("   the packet is ignored; i takes it back", w)+dim.Close)
		case at >= len(p.lines) || p.packet.Tree == nil:
			out = append(out, strings.Repeat(" ", w))
		default:
			out = append(out, p.drawNode(p.lines[at], at == p.cur, w))
		}
	}
	return out
}

func (p *Pane) drawNode(i int, selected bool, w int) string {
	t, style := p.packet.Tree, p.c.Style()
	n, f := t.Nodes[i], t.Field(i)
	var l paint.Line
	if selected && p.c.Focused() {
		l.Base = style.Pens.Selected
	}
	sign := "  "
	if t.End(i) > i+1 {
		sign = style.Glyph("▸ ", "+ ")
		if p.isOpen(i) {
			sign = style.Glyph("▾ ", "- ")
		}
	}
	l.Put(paint.Pen{}, " "+strings.Repeat("  ", int(n.Depth)))
	l.Put(style.Pens.Dim, sign)
	pen := paint.Pen{}
	switch {
	case f.Name() == view.CommentField:
		pen = style.Pens.Accent
	case f.IsExpert() && f.Severity() >= dissect.Error:
		pen = style.Pens.Bad
	case f.IsExpert():
		pen = style.Pens.Warn
	case f.Type() == dissect.TypeProtocol:
		pen = style.Pens.Hues[f.Protocol().Hue()]
	case f.Type() == dissect.TypeFrame:
		pen = style.Pens.Accent
	case t.IsDerived(i) || f.IsUnknown() || p.packet.Unchanged(i) || p.packet.Repeated(i):
		pen = style.Pens.Dim
	}
	if selected && !p.c.Focused() {
		pen = style.Pens.Marked
	}
	l.Put(pen, fitLabel(t.Label(i), max(0, w-l.Width)))
	return l.End(w)
}

// fitLabel cuts a node's text. Where there is no room for the bits that a field stands in, its name and value go first.
func fitLabel(text string, n int) string {
	if paint.Width(text) > n {
		if bits, rest, ok := strings.Cut(text, " = "); ok && strings.Trim(bits, "01. ") == "" && bits != "" {
			text = rest
		}
	}
	return paint.Fit(text, n)
}

// Update does what a key stands for in the tree, and tells whether it stands for anything; n is the count before the
// key, or 0.
func (p *Pane) Update(a act.Action, n int) bool {
	if p.packet.Tree == nil {
		return false
	}
	switch a {
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		p.Step(widget.Step(a, max(1, n), max(1, p.c.Height()-1)))
	case act.First, act.Last:
		if n > 0 { // the number of a packet
			return false
		}
		p.Edge(a == act.Last)
	case act.Left:
		p.Fold(-1)
	case act.Right:
		p.Fold(1)
	case act.Open:
		p.Enter()
	default:
		return false
	}
	return true
}

// Enter goes where the selected link leads, or opens and closes the node.
func (p *Pane) Enter() {
	i := p.packet.Node
	if i < 0 {
		return
	}
	if p.packet.Tree.Field(i).Type() == dissect.TypeFrame {
		p.c.GoTo(dissect.FrameNum(p.packet.Tree.Nodes[i].Val))
		return
	}
	p.Fold(0)
}

// Step moves the cursor by some lines.
func (p *Pane) Step(n int) { p.MoveTo(p.cur + n) }

// Edge moves the cursor to the first or the last line.
func (p *Pane) Edge(last bool) {
	if last {
		p.MoveTo(len(p.lines) - 1)
	} else {
		p.MoveTo(0)
	}
}

// Wheel scrolls by n lines and leaves the cursor alone.
func (p *Pane) Wheel(n int) { p.top = max(0, min(p.top+n, max(0, len(p.lines)-p.c.Height()))) }

// Point moves the cursor to a line of what was drawn; it tells whether there is one.
func (p *Pane) Point(y int) bool {
	line := p.top + y
	if line >= len(p.lines) {
		return false
	}
	p.MoveTo(line)
	return true
}

// Click is Point, and on the line of the cursor Enter.
func (p *Pane) Click(y int) {
	again := p.top+y == p.cur
	if p.Point(y) && again {
		p.Enter()
	}
}
