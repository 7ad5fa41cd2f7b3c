package dissect

// A basis is what Refs to the frame under dissection count in: the frame itself, or a packet decrypted from it.
type basis struct {
	src    uint8
	data   []byte
	plugin uint16
	recipe func() uint32
	kept   bool // the recipe is among the session's
	joined bool // the frame completes a datagram around it, and can name but one
}

// A decryptedRow says which plugin makes the packet within a frame again, and from which recipe of its own.
type decryptedRow struct {
	frame  FrameNum
	plugin uint16
	recipe uint32
}

// inDecrypted marks the offset of a Ref as one in the packet that was decrypted from its frame.
const inDecrypted = inDatagram | inMade

// at tells where in the frame, or in what was decrypted from it, the bytes are.
func (r Ref) at() int { return int(r.Off &^ inDecrypted) }

// FromDecrypted is From for a packet that was decrypted, such as one of a tunnel: streams and fragments within it are
// put together like those of the frame itself. The recipe is asked for in the first pass alone, and not for every
// packet; Plugin.Make makes the same bytes from it. A packet within a packet decrypted like this is read by itself.
func (hd *Streams) FromDecrypted(name string, b []byte, recipe func() uint32, read func()) {
	d := (*D)(hd)
	outermost := d.basis.src == 0 && (d.src == 0 || d.src == d.datagram) && len(b) < inMade
	if !outermost || d.quoted || d.reg.plugins[d.plugin].Make == nil || d.t.sourceCount >= MaxSources {
		d.From(name, b, read)
		return
	}
	datagram := d.datagram
	d.datagram = 0
	d.basis = basis{src: uint8(d.t.sourceCount + 1), data: b, plugin: d.plugin, recipe: recipe,
		joined: datagram != 0}
	d.From(name, b, read)
	d.basis, d.datagram = basis{}, datagram
}

// basisBytes are the bytes that Refs to this frame count in.
func (d *D) basisBytes() []byte {
	if d.basis.src != 0 {
		return d.basis.data
	}
	return d.t.frameBytes
}

// mark is what the offsets of Refs to this frame have on top.
func (d *D) mark() uint32 {
	if d.basis.src != 0 {
		return inDecrypted
	}
	return 0
}

// here tells whether a Ref names bytes of the current basis.
func (d *D) here(r Ref) bool { return r.Frame == d.Frame && r.Off&inDecrypted == d.mark() }

// refHere names n bytes of the current basis, which can be found again from then on.
func (d *D) refHere(off, n int) Ref {
	if b := &d.basis; b.src != 0 && !b.kept && d.first {
		b.kept = true
		d.s.decrypted.Append(decryptedRow{d.Frame, b.plugin, b.recipe()})
		d.settle()
	}
	return Ref{d.Frame, uint32(off) | d.mark(), uint32(n)}
}

// decrypted is the packet within a frame, which is made again unless it is the frame under dissection. The last one is
// kept, since the next Ref is mostly of it, too.
func (d *D) decrypted(frame FrameNum) []byte {
	switch {
	case frame == d.Frame && d.basis.src != 0:
		return d.basis.data
	case frame == d.decryptedLast:
		return d.decryptedKept
	}
	rows := &d.s.decrypted
	at := firstFrom(&rows.Rows, frame)
	if at >= rows.Len() {
		return nil
	}
	row := rows.At(at)
	if row.frame != frame || row.recipe == 0 {
		return nil
	}
	b := d.reg.plugins[row.plugin].Make(d, row.recipe)
	d.Spend(2 * len(b))
	d.decryptedLast, d.decryptedKept = frame, b
	return b
}

// recallDecrypted reads bytes of the packet within a frame.
func (d *D) recallDecrypted(dst []byte, r Ref) (b []byte, known bool) {
	whole := d.decrypted(r.Frame)
	if end := r.at() + int(r.Len); end <= len(whole) {
		return append(dst, whole[r.at():end]...), true
	}
	return dst, false
}

// Remade reads bytes of an earlier frame for Plugin.Make, or nil where they were evicted.
func (hd *Streams) Remade(r Ref) []byte {
	if b, known := hd.Recall(r); known {
		return b
	}
	return nil
}
