package dissect

// A suffix is text behind the label of one node: "[correct]" behind a checksum.
type suffix struct{ node, off, len uint32 }

// Suffix writes text behind the label of the layer's last node of the field, for words that depend on more than the
// field's value. It is for people: filters and printed values do not see it. Where making the text costs, ask
// D.Labelling first.
func (d *D) Suffix(f *Field, text string) {
	if !d.want.all || text == "" {
		return
	}
	if d.image != nil {
		f = d.imaged(f)
	}
	for i := len(d.t.Nodes) - 1; i >= 0; i-- {
		n := &d.t.Nodes[i]
		if n.Field == f.id {
			d.t.suffixes = append(d.t.suffixes, suffix{uint32(i), uint32(len(d.t.arena)), uint32(len(text))})
			d.t.arena = append(d.t.arena, text...)
			return
		}
		if n.Depth == 0 {
			return
		}
	}
}

// Labelling is true when somebody may read the labels of this look's nodes.
func (d *D) Labelling() bool { return d.want.all }

// appendSuffixes appends to a label what Suffix wrote behind it, escaped.
func (t *Tree) appendSuffixes(dst []byte, i int) []byte {
	for _, s := range t.suffixes {
		if int(s.node) == i {
			dst = appendEscaped(dst, t.arena[s.off:s.off+s.len])
		}
	}
	return dst
}
