package dissect

import "math"

// In records a group (or any field as a parent) around what read reads.
func (d *D) In(f *Field, read func()) {
	i := d.Open(f)
	read()
	d.Close(i)
}

// Open and Close are In in two halves; Close takes what Open returned.
func (d *D) Open(f *Field) int {
	i := -1
	if d.Wanted(f) {
		i = len(d.t.Nodes)
		d.add(f, 0, d.pos, 0)
		if len(d.t.Nodes) == i {
			i = -1 // the tree is full
		}
	}
	d.depth++
	return i
}

// Close ends the node that Open began: it spans what was read since.
func (d *D) Close(node int) {
	d.depth--
	if node >= 0 && !d.short {
		n := &d.t.Nodes[node]
		if n.Src == d.src {
			n.Len = uint32(max(0, d.pos-int(n.Off)))
		}
	} else if node >= 0 {
		n := &d.t.Nodes[node]
		n.Len = uint32(max(0, d.end-int(n.Off)))
	}
}

// Below records the fields that read records one level below the node recorded last.
func (d *D) Below(read func()) {
	d.depth++
	read()
	d.depth--
}

// Beside records what read reads as a tree of another protocol behind the layer's, which ends there, as Wireshark has
// it for what is no layer of its own.
func Beside(d *D, p *Protocol, read func()) {
	depth := d.depth
	d.depth = 0
	d.In(p.self, read)
	d.depth = depth
}

// Set records a derived number, boolean, time or IPv4 address: nothing of it is read from the packet.
func (d *D) Set(f *Field, v uint64) {
	if !d.bare && d.ids[f.id]&wantNode != 0 {
		d.set(f, v)
	}
}

func (d *D) set(f *Field, v uint64) {
	d.add(f, v, d.pos, 0)
	d.derive()
}

// Put records a value for n bytes at off of the current source that were read by other means.
func (d *D) Put(f *Field, v uint64, off, n int) {
	if !d.bare && d.ids[f.id] != 0 {
		d.putUint(f, v, off, n)
	}
}

// SetText records a derived text, which no bytes stand for.
func (d *D) SetText(f *Field, text string) {
	if d.Wanted(f) {
		addText(d, f, text, d.pos, 0)
		d.derive()
	}
}

// PutText records a text for n bytes at off of the current source, such as a name behind compression pointers.
func (d *D) PutText(f *Field, text string, off, n int) {
	if d.Wanted(f) {
		addText(d, f, text, off, n)
	}
}

// SetBytes records derived bytes, which are copied.
func (d *D) SetBytes(f *Field, b []byte) {
	if d.Wanted(f) {
		addText(d, f, b, d.pos, 0)
		d.derive()
	}
}

func (d *D) derive() {
	if n := len(d.t.Nodes); n > 0 {
		d.t.Nodes[n-1].Flags |= nodeDerived
	}
}

// Float64 is the number that Set takes for a float field.
func Float64(x float64) uint64 { return math.Float64bits(x) }

// add appends a node. A full tree takes no more and marks the frame once.
func (d *D) add(f *Field, v uint64, off, n int) {
	if (len(d.t.Nodes) >= MaxNodes || d.depth >= MaxDepth) && d.over == nil { // what is said of a frame given up has room
		if !d.t.full {
			d.t.full = true
			d.raise(fTooMany)
			d.t.Nodes = append(d.t.Nodes, Node{Field: fTooMany.id, Flags: nodeDerived, Off: uint32(off), Depth: 1})
		}
		return
	}
	if d.image != nil {
		f = d.imaged(f)
	}
	flags := uint8(0)
	if d.quoted {
		flags = nodeQuoted
	}
	d.t.Nodes = append(d.t.Nodes,
		Node{Val: v, Off: uint32(off), Len: uint32(n), Field: f.id, Depth: d.depth, Src: d.src, Flags: flags,
			Layer: d.ordinal})
}

func addText[T string | []byte](d *D, f *Field, text T, off, n int) {
	before := len(d.t.Nodes)
	d.add(f, uint64(len(d.t.arena))<<32|uint64(len(text)), off, n)
	if len(d.t.Nodes) > before {
		d.t.arena = append(d.t.arena, text...)
		d.t.Nodes[before].Flags |= nodeArena
	}
}
