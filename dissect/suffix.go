package dissect

// A suffix is text behind the label of one node, as "[correct]" behind a checksum, or in its place.
type suffix struct {
	node, off, len uint32
	instead        bool
}

// Suffix writes text behind the label of the layer's last node of the field, for words that depend on more than the
// field's value. It is for people: filters and printed values do not see it. Where making the text costs, ask
// D.Labelling first.
func (d *D) Suffix(f *Field, text string) { relabel(d, d.last(f), text, false) }

// SuffixBytes is Suffix with bytes, which are copied.
func SuffixBytes(d *D, f *Field, text []byte) { relabel(d, d.last(f), text, false) }

// Relabel is Suffix for text in place of the label.
func Relabel(d *D, f *Field, text string) { relabel(d, d.last(f), text, true) }

// last is the layer's last node of a field, or -1, also where nobody reads labels.
func (d *D) last(f *Field) int {
	if !d.want.all {
		return -1
	}
	if d.image != nil {
		f = d.imaged(f)
	}
	for i := len(d.t.Nodes) - 1; i >= 0; i-- {
		if d.t.Nodes[i].Field == f.id {
			return i
		}
		if d.t.Nodes[i].Depth == 0 {
			break
		}
	}
	return -1
}

// relabel keeps text for a node's label.
func relabel[T string | []byte](d *D, node int, text T, instead bool) {
	if node >= 0 && len(text) > 0 {
		d.t.Nodes[node].Flags |= nodeSuffixed
		d.t.suffixes = append(d.t.suffixes,
			suffix{uint32(node), uint32(len(d.t.arena)), uint32(len(text)), instead})
		d.t.arena = append(d.t.arena, text...)
	}
}

// Labelling is true when somebody may read the labels of this tree's nodes.
func (d *D) Labelling() bool { return d.want.all }

// appendSuffixes appends to a label, which begins at start, what Suffix wrote behind it or in its place, escaped.
func (t *Tree) appendSuffixes(dst []byte, start, i int) []byte {
	if t.Nodes[i].Flags&nodeSuffixed == 0 {
		return dst
	}
	for _, s := range t.suffixes {
		if int(s.node) == i {
			if s.instead {
				dst = dst[:start]
			}
			dst = appendEscaped(dst, t.arena[s.off:s.off+s.len])
		}
	}
	return dst
}
