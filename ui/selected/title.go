package selected

import "strconv"

// FieldTitle names the selected field and its bytes; dash stands between the first and the last.
func (p *Packet) FieldTitle(dash string) string {
	i := p.Node
	if i < 0 || p.Tree == nil { // nil: it is dissected once more and has not passed yet
		return ""
	}
	n := p.Tree.Nodes[i]
	text := " " + p.Tree.Field(i).Name()
	switch first, last := strconv.Itoa(int(n.Off)), strconv.Itoa(int(n.Off+n.Len-1)); {
	case n.Len == 1:
		text += "  byte " + first
	case n.Len > 1:
		text += "  bytes " + first + dash + last + ", " + strconv.Itoa(int(n.Len)) + " B"
	}
	return text + " "
}
