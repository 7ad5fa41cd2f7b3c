package ui

import (
	"strings"

	"remora/dissect"
	"remora/ui/paint"
)

// treePane is the state of the tree that stays from packet to packet.
type treePane struct {
	open  map[dissect.FieldID]bool // opened or closed by hand
	lines []int                    // visible nodes
	cur   int                      // index in lines
	top   int
	field dissect.FieldID // the selected field and which of its kind, so that it stays selected
	nth   int
}

// isOpen tells whether a node shows what is below it: by hand, else the packet's own protocol and its groups.
func (m *model) isOpen(i int) bool {
	f := m.tree.Field(i)
	if m.ignored[m.cur] {
		return false
	}
	if open, ok := m.treePane.open[f.ID()]; ok {
		return open
	}
	if f.Type() == dissect.TypeProtocol {
		return f.Protocol() == m.tree.Protocol()
	}
	return (f.IsGroup() || f.IsExpert()) && !m.repeated(i)
}

// repeated tells whether a node is a message that came before: it is dim, and closed until it is opened by hand.
func (m *model) repeated(i int) bool {
	for k := range m.tree.Messages {
		if msg := &m.tree.Messages[k]; msg.Node == i && msg.RepeatOf != 0 {
			return true
		}
	}
	return false
}

// settleTree works out the visible lines and finds the selected field again.
func (m *model) settleTree() {
	p := &m.treePane
	p.lines = p.lines[:0]
	if m.tree == nil {
		return
	}
	for i := 0; i < len(m.tree.Nodes); {
		if m.tree.Field(i).IsHidden() {
			i = m.tree.End(i)
			continue
		}
		p.lines = append(p.lines, i)
		if m.ignored[m.cur] {
			break
		}
		if end := m.tree.End(i); end > i+1 && !m.isOpen(i) {
			p.lines = append(p.lines, m.commentsBelow(i, end)...)
			i = end
		} else {
			i++
		}
	}
	p.cur = m.findSelected()
	m.hex.src = 0
	if n := m.selectedNode(); n >= 0 {
		m.hex.src = m.tree.Nodes[n].Src
		m.hex.cur = int(m.tree.Nodes[n].Off)
	}
	m.keepTreeInView()
}

// commentsBelow are the comments below a closed node: they are seen all the same.
func (m *model) commentsBelow(from, to int) (nodes []int) {
	for i := from + 1; i < to && m.tree.Field(from).Name() == "frame"; i++ {
		if m.tree.Field(i).Name() == commentField {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// findSelected is the line of the field selected before, or of the packet's own protocol.
func (m *model) findSelected() int {
	p := &m.treePane
	seen, own := 0, 0
	for k, i := range p.lines {
		f := m.tree.Field(i)
		if f.Type() == dissect.TypeProtocol && f.Protocol() == m.tree.Protocol() {
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

// selectedNode is the selected node of the tree, or -1.
func (m *model) selectedNode() int {
	p := &m.treePane
	if m.tree == nil || p.cur < 0 || p.cur >= len(p.lines) {
		return -1
	}
	return p.lines[p.cur]
}

// moveTree puts the tree's cursor on a line and marks the field's bytes.
func (m *model) moveTree(line int) {
	p := &m.treePane
	if len(p.lines) == 0 {
		return
	}
	p.cur = max(0, min(line, len(p.lines)-1))
	i := p.lines[p.cur]
	p.field, p.nth = m.tree.Nodes[i].Field, 0
	for _, j := range p.lines[:p.cur] {
		if m.tree.Nodes[j].Field == p.field {
			p.nth++
		}
	}
	if n := m.tree.Nodes[i]; n.Len > 0 {
		m.hex.src, m.hex.cur = n.Src, int(n.Off)
	}
	m.keepTreeInView()
	m.watch()
}

func (m *model) keepTreeInView() {
	p := &m.treePane
	h := max(1, m.layout().tree.h)
	if p.cur < p.top {
		p.top = p.cur
	}
	if p.cur >= p.top+h {
		p.top = p.cur - h + 1
	}
	p.top = max(0, min(p.top, len(p.lines)-h)) // a short tree is shown from its first line
}

// selectNode makes a node visible and selects it.
func (m *model) selectNode(node int) {
	for i := m.tree.Parent(node); i >= 0; i = m.tree.Parent(i) {
		if !m.isOpen(i) {
			m.treePane.open[m.tree.Nodes[i].Field] = true
		}
	}
	cur := m.hex.cur
	m.settleTree()
	for k, i := range m.treePane.lines {
		if i == node {
			m.moveTree(k)
		}
	}
	m.hex.cur = cur
}

// fold opens (1), closes (-1) or turns (0) the selected node. Closing a leaf goes to its parent.
func (m *model) fold(how int) {
	i := m.selectedNode()
	if i < 0 {
		return
	}
	parent := m.tree.End(i) > i+1
	open := parent && m.isOpen(i)
	if how < 0 && !open {
		if up := m.tree.Parent(i); up >= 0 {
			m.selectNode(up)
		}
		return
	}
	if !parent {
		return
	}
	m.treePane.open[m.tree.Nodes[i].Field] = how > 0 || how == 0 && !open
	m.settleTree()
	m.selectNode(i)
}

// foldBelow opens or closes the selected node and all that is below it.
func (m *model) foldBelow(open bool) {
	i := m.selectedNode()
	if i < 0 {
		return
	}
	for j := i; j < m.tree.End(i); j++ {
		if m.tree.End(j) > j+1 {
			m.treePane.open[m.tree.Nodes[j].Field] = open
		}
	}
	m.settleTree()
	m.selectNode(i)
}

func (m *model) foldAll(open bool) {
	if m.tree == nil {
		return
	}
	i := m.selectedNode()
	for j := range m.tree.Nodes {
		m.treePane.open[m.tree.Nodes[j].Field] = open
	}
	m.settleTree()
	for ; i >= 0 && !open; i = m.tree.Parent(i) {
		if m.tree.Parent(i) < 0 {
			break
		}
	}
	if i >= 0 {
		m.selectNode(i)
	}
}

func (m *model) drawTree(r rect) []string {
	out := make([]string, 0, r.h)
	p := &m.treePane
	for k := range r.h {
		at := p.top + k
		if m.ignored[m.cur] && at == len(p.lines) && m.tree != nil {
			out = append(out, m.style.Pens.Dim.Open+paint.Fit("   the packet is ignored; i takes it back", r.w)+m.style.Pens.Dim.Close)
			continue
		}
		if at >= len(p.lines) || m.tree == nil {
			out = append(out, strings.Repeat(" ", r.w))
			continue
		}
		out = append(out, m.drawNode(p.lines[at], at == p.cur, r.w))
	}
	return out
}

func (m *model) drawNode(i int, selected bool, w int) string {
	n, f := m.tree.Nodes[i], m.tree.Field(i)
	var l paint.Line
	if selected && m.focus == paneTree {
		l.Base = m.style.Pens.Selected
	}
	sign := "  "
	if m.tree.End(i) > i+1 {
		sign = m.style.Glyph("▸ ", "+ ")
		if m.isOpen(i) {
			sign = m.style.Glyph("▾ ", "- ")
		}
	}
	l.Put(paint.Pen{}, " "+strings.Repeat("  ", int(n.Depth)))
	l.Put(m.style.Pens.Dim, sign)
	p := paint.Pen{}
	switch {
	case f.Name() == commentField:
		p = m.style.Pens.Accent
	case f.IsExpert() && f.Severity() >= dissect.Error:
		p = m.style.Pens.Bad
	case f.IsExpert():
		p = m.style.Pens.Warn
	case f.Type() == dissect.TypeProtocol:
		p = m.style.Pens.Hues[f.Protocol().Hue()]
	case f.Type() == dissect.TypeFrame:
		p = m.style.Pens.Accent
	case m.tree.IsDerived(i) || f.IsUnknown() || m.unchanged(i) || m.repeated(i):
		p = m.style.Pens.Dim
	}
	if selected && m.focus != paneTree {
		p = m.style.Pens.Marked
	}
	l.Put(p, fitLabel(m.tree.Label(i), max(0, w-l.Width)))
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

// follow goes where the selected link leads, or opens and closes the node.
func (m *model) enterNode() {
	i := m.selectedNode()
	if i < 0 {
		return
	}
	if m.tree.Field(i).Type() == dissect.TypeFrame {
		m.jumpTo(dissect.FrameNum(m.tree.Nodes[i].Val))
		return
	}
	m.fold(0)
}

// partner goes along the packet's first link.
func (m *model) partner() {
	if m.tree == nil {
		return
	}
	for i := range m.tree.Nodes {
		if f := m.tree.Field(i); f.Type() == dissect.TypeFrame && dissect.FrameNum(m.tree.Nodes[i].Val) != m.cur {
			m.jumpTo(dissect.FrameNum(m.tree.Nodes[i].Val))
			return
		}
	}
	m.notice = "this packet has no link to another"
}
