package hex

import (
	"cmp"
	"math/bits"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/paint"
)

// The diagram draws a layer of the packet as headers are drawn in RFCs: a row for 32 bits, or for 16 where there is no
// room for more, with the names and the values of its fields.

// mostDiagram bounds the bytes of a layer that are drawn, wideDiagram is the width from which on a row has 32 bits.
const (
	mostDiagram = 2048
	wideDiagram = 32*2 + 3
)

// TurnDiagram draws the diagram in place of the bytes, or the bytes again.
func (p *Pane) TurnDiagram() (on bool) {
	p.diagram = !p.diagram
	return p.diagram
}

// A header is a layer with the node that owns each bit, or -1.
type header struct {
	first, last int // of the layer's nodes, the last one excluded
	off, size   int // in bytes
	owner       []int
}

// headerOf is the layer of the selected node, as far as it lies in the data source that is shown.
func (p *Pane) headerOf() (h header) {
	t, src := p.packet.Tree, p.packet.Source
	i := p.packet.Node
	if i < 0 || t.Nodes[i].Src != src && t.Parent(i) < 0 {
		i = t.At(src, p.packet.Byte)
	}
	for ; i >= 0 && t.Parent(i) >= 0; i = t.Parent(i) {
	}
	if i < 0 {
		return h
	}
	h.first, h.last = i, t.End(i)
	from, to := -1, 0
	for j := h.first; j < h.last; j++ {
		if n := t.Nodes[j]; n.Src == src && n.Len > 0 && !t.IsHidden(j) {
			if from < 0 || int(n.Off) < from {
				from = int(n.Off)
			}
			to = max(to, int(n.Off)+int(n.Len))
		}
	}
	to = min(to, len(t.Source(src)))
	if from < 0 || from >= to {
		return header{}
	}
	h.off, h.size = from, to-from
	h.own(t, src)
	return h
}

// own finds the node of each bit: of those that cover it the one furthest down that says more than what is above it.
func (h *header) own(t *dissect.Tree, src uint8) {
	h.owner = make([]int, 8*min(h.size, mostDiagram))
	for i := range h.owner {
		h.owner[i] = -1
	}
	for i := h.first; i < h.last; i++ {
		n := t.Nodes[i]
		if n.Src != src || n.Len == 0 || t.IsHidden(i) || t.IsDerived(i) || t.Field(i).IsExpert() {
			continue
		}
		if mask := t.Field(i).Mask(); mask != 0 && n.Len <= 8 {
			h.ownBits(t, i, mask)
			continue
		}
		from, to := 8*(int(n.Off)-h.off), 8*(int(n.Off)-h.off+int(n.Len))
		if from >= len(h.owner) {
			continue
		}
		if was := h.owner[from]; was >= 0 && t.Nodes[was].Off == n.Off && t.Nodes[was].Len == n.Len && leaf(t.Field(was)) {
			continue // it says the same again
		}
		for bit := from; bit < min(to, len(h.owner)); bit++ {
			h.owner[bit] = i
		}
	}
}

// leaf tells whether a field has a value of its own.
func leaf(f *dissect.Field) bool {
	return f.Type() != dissect.TypeProtocol && f.Type() != dissect.TypeNone && !f.IsGroup()
}

// ownBits gives a node the bits of its mask.
func (h *header) ownBits(t *dissect.Tree, i int, mask uint64) {
	n := t.Nodes[i]
	little := isLittle(t.Raw(i), mask, n.Val)
	for k := range 8 * int(n.Len) {
		if mask>>k&1 == 0 {
			continue
		}
		at := 8*int(n.Len) - 1 - k
		if little {
			at = k/8*8 + 7 - k%8
		}
		if at += 8 * (int(n.Off) - h.off); at < len(h.owner) {
			h.owner[at] = i
		}
	}
}

// isLittle tells whether bytes have a value in their masked bits with the least byte first, and not the other way.
func isLittle(raw []byte, mask, value uint64) bool {
	var big, little uint64
	for i, b := range raw {
		big = big<<8 | uint64(b)
		little |= uint64(b) << (8 * i)
	}
	shift := bits.TrailingZeros64(mask)
	return (big&mask)>>shift != value && (little&mask)>>shift == value
}

// A diagramRow is what is drawn of a row: the owners of its bits, and the texts of the parts that are named in it.
type diagramRow struct {
	first  int // bit of the header
	owners []int
	names  map[int]int // by the first bit of a part in this row: its last one, the bit behind
	more   int         // bytes of a long part that are left out behind this row
}

// rows parts the header. Of a part that fills several rows only the first full one is drawn.
func (h *header) rows(per int) (out []diagramRow) {
	best := h.namedAt(per)
	for from := 0; from < len(h.owner); from += per {
		r := diagramRow{first: from, owners: make([]int, per), names: map[int]int{}}
		for i := range r.owners {
			if r.owners[i] = -2; from+i < len(h.owner) { // behind the end
				r.owners[i] = h.owner[from+i]
			}
		}
		if k := len(out); k > 0 && same(r.owners) && same(out[k-1].owners) && r.owners[0] == out[k-1].owners[0] {
			out[k-1].more += per / 8
			continue
		}
		for at := 0; at < per; {
			to := at + 1
			for to < per && r.owners[to] == r.owners[at] {
				to++
			}
			if best[h.part(from+at)] == from+at {
				r.names[at] = to
			}
			at = to
		}
		out = append(out, r)
	}
	return out
}

func same(list []int) bool {
	for _, x := range list {
		if x != list[0] || x < -1 {
			return false
		}
	}
	return true
}

// part is the first bit of the part that a bit belongs to, or -1.
func (h *header) part(bit int) int {
	if bit >= len(h.owner) {
		return -1
	}
	for bit > 0 && h.owner[bit-1] == h.owner[bit] {
		bit--
	}
	return bit
}

// namedAt is for each part the bit at which the widest of its pieces begins: there is the room for its name.
func (h *header) namedAt(per int) map[int]int {
	at, wide := map[int]int{}, map[int]int{}
	part := 0
	for from := 0; from < len(h.owner); {
		to := from + 1
		for to < len(h.owner) && to%per != 0 && h.owner[to] == h.owner[from] {
			to++
		}
		if from == 0 || h.owner[from-1] != h.owner[from] {
			part = from
		}
		if to-from > wide[part] {
			at[part], wide[part] = from, to-from
		}
		from = to
	}
	return at
}

// drawDiagram draws the layer of the selected field.
func (p *Pane) drawDiagram(w, h int, out []string) []string {
	head := p.headerOf()
	if len(head.owner) == 0 {
		return blank(append(out, paint.Fit("  nothing of this layer stands in the packet's bytes", w)), w, h)
	}
	per := p.diagramBits(w)
	cell := min(6, (w-2)/per)
	rows := head.rows(per)
	texts := 2 // lines of text in each row
	if len(out)+2+3*len(rows) > h {
		texts = 1
	}
	lines, at := p.diagramLines(head, rows, cell, texts)
	room := max(1, h-len(out)-1)
	if cur := p.packet.Byte + 1; p.seen != cur || p.size != [2]int{w, h} {
		p.seen, p.size = cur, [2]int{w, h}
		if at < p.top || at+texts+1 > p.top+room {
			p.top = at - max(0, room-texts-2)/2
		}
	}
	p.top = max(0, min(p.top, len(lines)-room))
	out = append(out, p.ruler(per, cell, w))
	p.diagramAt, p.drawn = len(out), lines
	for _, l := range lines[p.top:min(len(lines), p.top+room)] {
		out = append(out, paint.Clip(paint.Pad(l.text, w), w))
	}
	return blank(out, w, h)
}

// diagramBits is how many bits stand in a row.
func (p *Pane) diagramBits(w int) int {
	if w >= wideDiagram {
		return 32
	}
	return 16
}

// ruler numbers the bits.
func (p *Pane) ruler(per, cell, w int) string {
	text := []byte(strings.Repeat(" ", per*cell+2))
	for bit := 0; bit < per; bit += 4 {
		copy(text[1+bit*cell+cell/2:], strconv.Itoa(bit))
	}
	dim := p.c.Style().Pens.Dim
	return dim.Open + paint.Fit(string(text), w) + dim.Close
}

// A diagramLine is a line of the diagram, and the row of bits that a click on it is in.
type diagramLine struct {
	text string
	row  diagramRow
	cell int
}

// diagramLines draws all rows; at is the line in which the selected byte is.
func (p *Pane) diagramLines(h header, rows []diagramRow, cell, texts int) (lines []diagramLine, at int) {
	var above []int
	for _, r := range rows {
		if sel := 8 * (p.packet.Byte - h.off); sel >= r.first {
			at = len(lines)
		}
		lines = append(lines, diagramLine{p.border(above, r.owners, cell), r, cell})
		for k := range texts {
			lines = append(lines, diagramLine{p.cells(h, r, cell, k, texts), r, cell})
		}
		above = r.owners
	}
	return append(lines, diagramLine{p.border(above, nil, cell), rows[len(rows)-1], cell}), at
}

// corners are the signs at which lines meet, by the directions that they come from: up 1, down 2, left 4, right 8.
var corners = [2][]string{
	{" ", "│", "│", "│", "─", "┘", "┐", "┤", "─", "└", "┌", "├", "─", "┴", "┬", "┼"},
	{" ", "|", "|", "|", "-", "+", "+", "+", "-", "+", "+", "+", "-", "+", "+", "+"},
}

// border draws the line between two rows: where the part above is the one below there is none.
func (p *Pane) border(above, below []int, cell int) string {
	per := max(len(above), len(below))
	at := func(row []int, i int) int {
		if i < 0 || i >= len(row) {
			return -2
		}
		return row[i]
	}
	signs := corners[0]
	if p.c.Style().ASCII {
		signs = corners[1]
	}
	parts := func(i int) bool { return at(above, i) != at(below, i) }
	var b strings.Builder
	b.WriteByte(' ')
	for i := range per + 1 {
		meet := 0
		for k, on := range []bool{at(above, i-1) != at(above, i), at(below, i-1) != at(below, i), parts(i - 1),
			parts(i)} {
			if on {
				meet |= 1 << k
			}
		}
		b.WriteString(signs[meet])
		if i < per {
			b.WriteString(strings.Repeat(signs[map[bool]int{true: 12}[parts(i)]], cell-1))
		}
	}
	dim := p.c.Style().Pens.Dim
	return dim.Open + b.String() + dim.Close
}

// cells draws a line of text of a row.
func (p *Pane) cells(h header, r diagramRow, cell, line, texts int) string {
	style := p.c.Style()
	var l paint.Line
	l.Put(paint.Pen{}, " ")
	for at := 0; at < len(r.owners); {
		to := at + 1
		for to < len(r.owners) && r.owners[to] == r.owners[at] {
			to++
		}
		node, pen, side := r.owners[at], paint.Pen{}, style.Glyph("│", "|")
		if node == -2 && at > 0 {
			l.Put(style.Pens.Dim, side)
			return l.End(l.Width)
		}
		if sel := p.packet.Node; node >= sel && sel > h.first && node < p.packet.Tree.End(sel) {
			if pen = style.Pens.Marked; p.c.Focused() {
				pen = style.Pens.Selected
			}
		} else if line == 0 && texts == 2 {
			pen = style.Pens.Dim
		}
		text := ""
		if r.names[at] == to {
			text = p.cellText(node, (to-at)*cell-1, line, texts, r.more)
		}
		l.Put(style.Pens.Dim, side)
		l.Put(pen, paint.Fit(text, (to-at)*cell-1))
		at = to
	}
	l.Put(style.Pens.Dim, style.Glyph("│", "|"))
	return l.End(l.Width)
}

// cellText is what stands in w cells of a part: its name in the first line and its value in the second one, or both in
// the only one.
func (p *Pane) cellText(node, w, line, texts, more int) string {
	if node < 0 {
		return ""
	}
	name, short, value := p.nameAndValue(node)
	if more > 0 {
		value = strings.TrimSpace(value + "  (" + strconv.Itoa(int(p.packet.Tree.Nodes[node].Len)) + " bytes)")
	}
	title := first(w, name, short, strings.ToUpper(short[:min(w, len(short))]))
	switch {
	case texts == 2 && line == 0:
		return title
	case texts == 2:
		return value
	case value == "":
		return title
	case w < 4 && p.packet.Tree.Field(node).Type() == dissect.TypeBool: // a flag: its letter where it is set
		if value == "0" {
			return p.c.Style().Glyph("·", ".")
		}
		return title
	case w < 4:
		return first(w, value, title)
	}
	raw := p.packet.Tree.Show(node)
	return first(w, name+": "+value, short+": "+value, name+": "+raw, short+": "+raw, value, title)
}

// first is the first text that fits in w cells, or else the last one.
func first(w int, texts ...string) string {
	for _, text := range texts {
		if paint.Width(text) <= w {
			return text
		}
	}
	return texts[len(texts)-1]
}

// nameAndValue are those of a node; short is the last word of the field's name in filters.
func (p *Pane) nameAndValue(i int) (name, short, value string) {
	t := p.packet.Tree
	f, text := t.Field(i), t.Label(i)
	if f.Mask() != 0 {
		_, text, _ = strings.Cut(text, " = ")
	}
	name, value, _ = strings.Cut(text, ": ")
	short = f.Name()[strings.LastIndexByte(f.Name(), '.')+1:]
	if f.Type() == dissect.TypeBool && f.Mask() != 0 {
		value = strconv.FormatUint(min(1, t.Nodes[i].Val), 10)
	}
	return cmp.Or(name, short), short, value
}

// clickDiagram selects the part at a cell of what was drawn.
func (p *Pane) clickDiagram(x, y int) {
	y += p.top - p.diagramAt
	if y < 0 || y >= len(p.drawn) {
		return
	}
	l := p.drawn[y]
	if bit := (x - 1) / max(1, l.cell); x > 0 && bit < len(l.row.owners) && l.row.owners[bit] >= 0 {
		n := p.packet.Tree.Nodes[l.row.owners[bit]]
		p.packet.Byte = int(n.Off)
		p.c.Select(l.row.owners[bit])
		p.packet.Byte = int(n.Off)
	}
}
