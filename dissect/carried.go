package dissect

// SetLayerData says of the bytes that are handed on next what the layers inside cannot see in them, such as their media
// type with its parameters. It holds until the layer around is done, and for layers further in unless one of them tells
// something else.
func (d *D) SetLayerData(what []byte) { d.layerData = what }

// LayerData is what the layer around told of the bytes; it is empty where it told nothing.
func (d *D) LayerData() []byte { return d.layerData }

// Carries adds to the Protocol column what the frame's protocol there carries, behind a slash: "HTTP/JSON".
func (hd *InfoColumn) Carries(title string) {
	d := (*D)(hd)
	if !d.quoted && !d.aside && (d.want.text || d.want.everywhere) {
		d.t.titled, d.t.titledOf = d.t.ofTop(d.top)+"/"+title, d.top
	}
}

// ofTop is the text of the Protocol column while a plugin tops the frame.
func (t *Tree) ofTop(top uint16) string {
	switch {
	case t.titled != "" && t.titledOf == top:
		return t.titled
	case top == noPlugin:
		return ws.title
	}
	return t.reg.plugins[top].Protocol.title
}

// Simple tells whether what is found under the number keeps no state and has no packet type, as Lazily asks for.
func (hd *InnerLayers) Simple(t Table, key uint32) bool {
	d := (*D)(hd)
	id := d.attached(t, key).plugin
	return id == noPlugin || !d.reg.plugins[id].Stateful && d.reg.plugins[id].Protocol.KindField() == nil
}

// NextPart is Next for a part of what this layer shows: its node reaches over it.
func (d *D) NextPart(t Table, key uint32) bool {
	handed := d.handed
	defer func() { d.handed = handed }()
	return d.Next(t, key)
}

// Lazily keeps a layer for the protocol under the number, whose bytes take work to make, such as an unpacked body:
// re-dissections make them and call next where they are the current range, in D.From or in place. In the first pass,
// and where nobody looks that deep, wanted is false and next does nothing, so that the bytes need not be made. It
// serves protocols that keep no state, have no packet type and hand nothing on. The node of the layer around reaches
// over what is handed on.
func (hd *InnerLayers) Lazily(t Table, key uint32) (next func(), wanted bool) {
	d := (*D)(hd)
	handed := d.handed
	st, ok := d.descend()
	d.handed = handed
	if !ok || d.pos == d.end {
		return func() {}, false
	}
	d.layer++
	d.unpacks = true
	if d.first {
		d.path = append(d.path, d.attached(t, key))
		return func() {}, false
	}
	return func() {
		handed, lazy := d.handed, d.lazy
		d.lazy = true
		if d.via = t; !d.run(st, key) {
			d.run(step{noPlugin, ByTable}, key)
		}
		d.handed, d.lazy = handed, lazy
	}, true
}
