package dissect

// Alias declares a protocol that has all fields of p under a name of its own, as DTLS has those of TLS. Whatever a
// layer of the alias records of a field of p is recorded of the alias's; code that reads p's messages serves both. It
// must be called once all fields of p are declared: not for a package variable, but from a function.
func (p *Protocol) Alias(name, title, doc string) *Protocol {
	q := NewProtocol(name, title, doc)
	q.self.Summary(title)
	q.hue, q.little, q.speaks = p.hue, p.little, p.speaks
	q.image = map[FieldID]*Field{p.self.id: q.self}
	for _, f := range p.fields {
		g := newField(q, f.name[len(p.name)+1:], f.label, f.doc, f.typ)
		id, name := g.id, g.name
		*g = *f
		g.id, g.proto, g.name = id, q, name
		q.image[f.id] = g
		q.fields = append(q.fields, g)
	}
	if p.kind != nil {
		q.kind = q.image[p.kind.id]
	}
	for _, g := range q.fields {
		if g.rare != noRareTraits {
			own := *g.rare
			own.flags, own.also, own.members = q.images(own.flags), q.images(own.also), q.images(own.members)
			g.rare = &own
		}
	}
	return q
}

// images are the alias's fields for those of the protocol it stands for; others stay.
func (p *Protocol) images(list []*Field) []*Field {
	out := make([]*Field, len(list))
	for i, f := range list {
		out[i] = f
		if g := p.image[f.id]; g != nil {
			out[i] = g
		}
	}
	return out
}

// seenBy is what of each field a layer of the protocol records: for an alias, of the other's fields what is wanted of
// its own.
func (w *Wants) seenBy(p *Protocol) fieldSet {
	if ids, ok := w.mirrored[p]; ok {
		return ids
	}
	return w.ids
}

// mirror works out seenBy for the protocols of a registry that are aliases.
func (w *Wants) mirror(r *Registry) {
	for _, p := range r.protocols {
		if p.image == nil || !w.protocols[p] && !w.everywhere {
			continue
		}
		ids := append(fieldSet(nil), w.ids...)
		for id, g := range p.image {
			ids[id] = w.ids[g.id]
		}
		if w.mirrored == nil {
			w.mirrored = map[*Protocol]fieldSet{}
		}
		w.mirrored[p] = ids
	}
}

// imaged is the field as this layer records it.
func (d *D) imaged(f *Field) *Field {
	if g := d.image[f.id]; g != nil {
		return g
	}
	return f
}
