package dissect

import "slices"

// Kind reads the packet type and keeps it for the index. Types listed in wide carry a sub-type in the next byte:
// for them the kind is both, type<<8 | sub-type.
func (d *D) Kind(f *Field, wide ...uint64) uint64 {
	size := int(f.size)
	v := uint64(0)
	if d.Left() >= size && !d.short {
		v = load(d.data[d.pos:d.pos+size], f.little)
	}
	for _, w := range wide {
		if v == w && size == 1 {
			size = 2
			v = v<<8 | uint64(d.Peek(1))
			break
		}
	}
	at, ok := d.take(size)
	if !ok {
		return 0
	}
	d.keepKind(f, f.part(v))
	if d.Wanted(f) {
		d.putUint(f, v, at, size)
	}
	return f.part(v)
}

// SetKind sets a packet type that is worked out, not read. The place, an offset and a length, is that of bytes that
// say it all the same.
func (d *D) SetKind(f *Field, v uint64, place ...int) {
	if d.keepKind(f, v); len(place) == 2 {
		d.Put(f, v, place[0], place[1])
		return
	}
	d.Set(f, v)
}

func (d *D) keepKind(f *Field, v uint64) {
	if d.quoted {
		return
	}
	if !d.proto.quiet {
		d.top = d.plugin
		d.partMessages(f, v)
		d.typed = true
	}
	if d.image != nil {
		f = d.imaged(f)
	}
	kv := KindValue{f.id, v}
	if d.message >= 0 {
		d.t.Messages[d.message].Kind, d.t.Messages[d.message].HasKind = v, true
	}
	for _, k := range d.kinds {
		if k == kv {
			return
		}
	}
	if len(d.kinds) < maxKinds {
		d.kinds = append(d.kinds, kv)
	}
}

// partMessages writes the type of a message into the Info column where an earlier message of the packet was of the
// protocol, too: the type in front of the column is the first one's.
func (d *D) partMessages(f *Field, v uint64) {
	if d.typed || d.quoted {
		return
	}
	if !f.wordless && d.want.text && d.kindBy == d.plugin && d.kindIn == d.conv {
		d.Info().Separator("| " + f.KindName(v))
	}
	d.kindBy, d.kindIn = d.plugin, d.conv
}

// Next hands the rest of the range to the protocol found under the number, and tells whether there was one. What
// nobody takes goes to the table's fallback or to the plugin "data".
func (d *D) Next(t Table, key uint32) bool {
	d.via = t
	st, ok := d.descend()
	if !ok {
		return false
	}
	if d.first {
		st = d.attached(t, key)
		d.path = append(d.path, st)
	}
	return d.into(st, key)
}

// attached is the step that a number in the packet leads to.
func (d *D) attached(t Table, key uint32) step {
	if len(d.s.decodeAs) > 0 {
		if p, ok := d.s.decodeAs[Key{t, key}]; ok {
			return step{p, ByDecodeAs}
		}
	}
	if ps := d.reg.attached(t, key); len(ps) > 0 {
		return step{ps[0], ByTable}
	}
	if ps := d.reg.fallback[t]; len(ps) > 0 {
		return step{ps[0], ByFallback}
	}
	return step{noPlugin, ByTable}
}

// NextBare is Next for a protocol that is there even when nothing is left for it: a call without arguments.
func (hd *InnerLayers) NextBare(t Table, key uint32) bool {
	d := (*D)(hd)
	d.alive()
	if d.pos != d.end || !d.first || d.short || d.layer >= min(d.stop, MaxLayers) {
		return d.Next(t, key)
	}
	d.via, d.handed = t, d.pos
	st := d.attached(t, key)
	d.path = append(d.path, st)
	return d.into(st, key)
}

// NextPort hands the rest of the range to the protocol of the conversation: what people said (decode as), what the
// conversation is known to be, its ports, or what the payload looks like.
func (hd *InnerLayers) NextPort(t Table, srcPort, dstPort uint16) bool {
	d := (*D)(hd)
	d.via = t
	st, ok := d.descend()
	if !ok {
		return false
	}
	if d.first {
		if d.quoted {
			st = d.chooseQuoted(t, srcPort, dstPort)
		} else {
			st = d.choose(t, srcPort, dstPort)
		}
		d.path = append(d.path, st)
		d.settle()
	}
	if d.quoted {
		return d.into(st, 0)
	}
	cut := d.cut > 0
	payload, missing, at, broken := d.Data(), d.cut, d.layer, d.broken
	taken := d.into(st, uint32(min(srcPort, dstPort)))
	if t == TableUDP && at < len(d.path) && d.broken == broken && d.Inner().Exporting(ExportLayer4) {
		d.exportDatagram(d.path[at], srcPort, dstPort, payload, missing)
	}
	if cut && taken && t == TableUDP && st.plugin != d.s.dataPlugin {
		d.markCut() // what looks no further than the data has not read past its end
	}
	return taken
}

// NextEmpty hands a datagram without a payload to the protocol of its conversation or of one of its ends, if that wants
// such.
func (hd *InnerLayers) NextEmpty() {
	d := (*D)(hd)
	d.alive()
	if d.quoted || d.conv == nil || d.short || d.layer >= min(d.stop, MaxLayers) {
		return
	}
	if d.first {
		st, ok := d.wantsEmpty()
		if !ok {
			st = step{noLayer, ByTable} // a frame may carry more packets, whose steps follow
		}
		d.path = append(d.path, st)
	} else if d.layer >= len(d.path) {
		return
	}
	if d.path[d.layer].plugin == noLayer {
		d.layer++
		return
	}
	d.into(d.path[d.layer], 0)
}

func (d *D) wantsEmpty() (st step, ok bool) {
	if c := d.conv; c.plugin != noPlugin {
		return step{c.plugin, c.reason}, d.reg.plugins[c.plugin].Empty
	}
	for _, e := range [...]Endpoint{d.Src, d.Dst} {
		if owner, known := d.s.claims[e]; known && d.reg.plugins[owner.plugin].Empty {
			return step{owner.plugin, ByEndpoint}, true
		}
	}
	return st, false
}

// dispatch enters the next layer. The first pass asks choose and keeps the answer in the frame's path; re-dissections
// follow the path.
func (d *D) dispatch(choose func() step, key uint32) bool {
	st, ok := d.descend()
	if !ok {
		return false
	}
	if d.first {
		st = choose()
		d.path = append(d.path, st)
		d.settle()
	}
	return d.into(st, key)
}

// descend tells whether there is a next layer to enter; in re-dissections also which.
func (d *D) descend() (st step, ok bool) {
	d.alive()
	if d.handed < 0 {
		d.handed = d.pos
	}
	switch {
	case d.short || d.layer >= d.stop:
		return st, false
	case d.layer >= MaxLayers:
		if d.layer == MaxLayers {
			d.Expert(fTooDeep)
		}
		d.layer++
		return st, false
	case d.first:
		return st, d.pos != d.end
	case d.layer >= len(d.path):
		return st, false
	}
	if st = d.path[d.layer]; st.plugin == noLayer {
		d.layer++
		return st, false
	}
	return st, true
}

// into enters a layer by the last step of the path so far.
func (d *D) into(st step, key uint32) bool {
	at := d.layer
	d.layer++
	if d.run(st, key) {
		return st.plugin != noPlugin
	}
	// The plugin sent the bytes back: they are data, unless somebody said that they be this.
	next := step{noPlugin, ByTable}
	if !d.first {
		d.path = slices.Clone(d.path)
	} else if st.reason == ByDecodeAs && d.via == TableUDP && !d.quoted {
		next = d.insteadOf(st.plugin)
	}
	if d.path[at] = next; next.plugin != noPlugin && d.run(next, key) {
		return true
	}
	d.path[at] = step{noPlugin, ByTable}
	d.run(d.path[at], key)
	return false
}

// insteadOf is what a datagram is by its other port, or looks like, that is not what somebody said it were. What its
// port stood for before is asked too, if it is known by its contents.
func (d *D) insteadOf(refused uint16) step {
	for _, port := range [...]uint16{min(d.Src.Port, d.Dst.Port), max(d.Src.Port, d.Dst.Port)} {
		_, taken := d.s.decodeAs[Key{TableUDP, uint32(port)}]
		for _, id := range d.reg.attached(TableUDP, uint32(port)) {
			if id != refused && !(taken && d.reg.plugins[id].Guess == nil) && d.form(id) != No {
				return step{id, ByPort}
			}
		}
	}
	for _, id := range d.reg.guessUDP {
		if id != refused && d.ask(id) >= Likely {
			return step{id, ByGuess}
		}
	}
	return step{noPlugin, ByTable}
}

// run dissects the rest of the range by one plugin and comes back behind it.
func (d *D) run(st step, key uint32) bool {
	d.step(1)
	id := st.plugin
	if id == noPlugin {
		d.showKnown()
		d.showUnlike()
		if id = d.s.dataPlugin; id == noPlugin {
			return true
		}
	}
	if d.hangs != nil {
		if id = d.permitted(id); id == noPlugin {
			return true
		}
	}
	p := &d.reg.plugins[id]
	proto := p.Protocol
	if d.first && d.flow == nil && d.src == 0 && d.layer <= maxStarts {
		if d.arrival.starts[d.layer-1] = int32(d.pos); p.Transport != nil && d.converses == 0 {
			d.arrive(st, key)
		}
	}
	// What the layer around must find again when this one is done. These are single variables, since a struct of them
	// would be written in parts and copied as a whole, for which the processor has to wait.
	plugin, around, depth, ordinal, handed, found, message := d.plugin, d.proto, d.depth, d.ordinal, d.handed, d.key,
		d.message
	d.plugin, d.proto, d.depth, d.handed, d.key, d.message = id, proto, 0, -1, key, -1
	ids, image := d.ids, d.image
	if image != nil || proto.image != nil {
		d.ids, d.image = d.want.seenBy(proto), proto.image
	}
	if !d.bare {
		d.ordinal = d.occurrence(id, st.plugin)
	}
	top, told := d.top, d.layerData
	if !proto.quiet && !d.quoted {
		if proto.unnamed && (d.want.text || d.want.everywhere) {
			d.t.titled, d.t.titledOf = d.t.ofTop(top), id
		}
		d.top = id
	}
	start, node, before := d.pos, -1, len(d.t.Nodes)
	if !p.OwnNode && d.Wanted(proto.self) {
		node = len(d.t.Nodes)
		d.add(proto.self, 0, start, 0)
		if len(d.t.Nodes) == node {
			node = -1
		}
	}
	d.depth++
	d.found = st.reason
	if st.reason == ByGuess || st.reason == ByRepetition || st.reason == ByEndpoint || st.reason == ByDecodeAs ||
		st.reason == ByAnnouncement {
		if d.Wanted(fReason) {
			d.SetText(fReason, d.because(p, st.reason))
		}
	}
	first, typed, layer := len(d.t.Nodes), d.typed, d.layer
	d.typed = false
	if d.hangs != nil {
		d.stopAtHang()
	}
	p.Dissect(d)
	d.alive()
	if d.typed {
		d.dropCarrierInfo(id, layer)
	}
	d.typed = typed
	taken := !d.rejected
	if !taken {
		d.rejected = false
		d.t.Nodes = d.t.Nodes[:before]
		d.pos = start
	} else if !p.OwnNode && (node >= 0 || d.want.all) {
		d.finish(node, first, start)
	}
	d.plugin, d.proto, d.depth, d.ordinal, d.handed, d.key, d.message = plugin, around, depth, ordinal, handed, found,
		message
	d.ids, d.image, d.layerData = ids, image, told
	if !taken {
		d.pos, d.top = start, top
	}
	return taken
}

// finish gives the protocol's node its length and shows the bytes that no field claimed.
func (d *D) finish(node, first, start int) {
	end := d.pos
	if node >= 0 {
		d.t.Nodes[node].Val = uint64(max(start, d.end))
	}
	if d.handed >= 0 {
		end = d.handed
	}
	if d.short {
		end = d.end
	}
	if d.want.all {
		limit := end
		if d.handed < 0 {
			limit = d.end
		}
		d.fillGaps(first, start, limit)
		end = max(end, limit)
	}
	if d.proto.whole {
		end = len(d.data)
	}
	if node >= 0 { // the tree was not full
		d.t.Nodes[node].Len = uint32(max(0, end-start))
	}
}

// occurrence is which layer of its plugin this one is, counted from 1 at the outside. The layer stack knows it unless
// the path was changed since, or several messages of a segment have layers of their own.
func (d *D) occurrence(id, plugin uint16) uint8 {
	if at := d.layer - 1; at >= 0 && at < len(d.ordinals) && d.path[at].plugin == plugin {
		return d.ordinals[at]
	}
	return ordinal(d.path[:max(0, d.layer-1)], id)
}

// ordinal counts the layers of a plugin in front of the next one, and that one.
func ordinal(path []step, id uint16) uint8 {
	n := uint8(1)
	for _, l := range path {
		if l.plugin == id {
			n++
		}
	}
	return n
}

// Reject says, before anything is read, that the bytes are not this protocol's after all.
func (d *D) Reject() { d.rejected = true }

// Quote dissects a packet that this one only quotes (an ICMP error): its fields are shown, but it counts as no
// traffic, has no state and no conversation.
func (d *D) Quote(read func()) {
	src, dst, dir, conv, tr := d.Src, d.Dst, d.Dir, d.conv, d.transport
	d.quoted = true
	read()
	d.quoted = false
	d.Src, d.Dst, d.Dir, d.conv, d.transport = src, dst, dir, conv, tr
}

// From lets read read other bytes than the frame's own: a reassembled datagram, an inflated replay. They become a data
// source of the tree under the given name and must not change afterwards.
func (d *D) From(name string, b []byte, read func()) {
	if d.t.sourceCount >= MaxSources {
		d.Expert(fTooMany)
		return
	}
	d.Spend(len(b))
	size := len(b)
	if d.reg.Altered != nil {
		b, size = d.reg.Altered(name, b)
	}
	data, pos, end, cut, src, short, handed := d.data, d.pos, d.end, d.cut, d.src, d.short, d.handed
	d.t.addSource(name, b)
	d.data, d.pos, d.end, d.src, d.short, d.handed = b, 0, size, uint8(d.t.sourceCount), false, -1
	first := len(d.t.Nodes)
	read()
	if d.want.all {
		limit := len(b)
		if d.handed >= 0 {
			limit = d.handed
		}
		d.fillGaps(first, 0, limit)
	}
	d.data, d.pos, d.end, d.cut, d.src, d.short, d.handed = data, pos, end, cut, src, short, handed
}

// Behind reads a payload and then what stands behind it: inner hands the payload on, after reads what the inner
// layers left over by Limit. A length of -1 says that only they know where the payload ends.
func (d *D) Behind(length int, inner, after func()) {
	end, cut := d.end, d.cut
	if length >= 0 {
		d.Limit(length)
	}
	inner()
	left := d.end
	d.end, d.cut = end, cut
	if left < end && !d.short && d.src == 0 {
		d.pos = left
		after()
	}
	if !d.short {
		d.pos = end
	}
}
