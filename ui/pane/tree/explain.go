package tree

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/act"
)

// Explain says what the selected field is: name, type, meaning, and where it comes from.
func (p *Pane) Explain() (title string, lines []string) {
	f := p.packet.Tree.Field(p.packet.Node)
	text := f.Doc()
	if text == "" {
		text = f.Label()
	}
	lines = []string{f.Name() + ", " + f.Type().String(), "", text, "", p.sourceLine(p.packet.Node)}
	if f.Type() == dissect.TypeFrame {
		lines = append(lines, "", p.c.Style().Key(act.Open)+" goes to that packet.")
	}
	return f.Label(), lines
}

// sourceLine says who tells of the field, and where it lies.
func (p *Pane) sourceLine(i int) string {
	f, n := p.packet.Tree.Field(i), p.packet.Tree.Nodes[i]
	text := "From the dissector of " + dissect.Escape(f.Protocol().Title()) + " (" + f.Protocol().Name() + ")"
	if n.Len == 0 || f.IsDerived() {
		return text + "; calculated, not in the packet."
	}
	from, to := int(n.Off), int(n.Off+n.Len)-1
	if text += "; byte " + strconv.Itoa(from); to > from {
		text = strings.Replace(text, "; byte ", "; bytes ", 1) + p.c.Style().Glyph("–", "-") + strconv.Itoa(to)
	}
	if srcs := p.packet.Tree.Sources(); n.Src > 0 && int(n.Src) < len(srcs) {
		text += " of " + dissect.Escape(srcs[n.Src].Name)
	}
	return text + "."
}

// valuesShown is how many names of values are listed.
const valuesShown = 24

// Values list the names that a field has for its values.
func Values(f *dissect.Field) []string {
	values := f.Values()
	if len(values) == 0 {
		return nil
	}
	out := []string{"", "It has names for " + strconv.Itoa(len(values)) + " values:"}
	form := "%d"
	if b := f.Base(); b == dissect.Hex || b == dissect.Both || b == dissect.HexThenDecimal {
		form = "0x%02x"
	}
	for i, v := range slices.Sorted(maps.Keys(values)) {
		if i == valuesShown {
			return append(out, "and "+strconv.Itoa(len(values)-i)+" more; they complete behind "+f.Name()+" == in the filter.")
		}
		out = append(out, fmt.Sprintf(form, v)+"  "+values[v])
	}
	return out
}
