package dissect

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A D is a frame under dissection: the cursor that a plugin reads with, what it knows of the frame, and the tree
// that is being recorded. One call reads a field, advances, records it if somebody wants it, and returns the value.
//
// Reading past the end is no error that plugins handle: the first such read marks the frame, records nothing, and
// from then on all reads return zero and More is false. Loops must ask More.
type D struct {
	Frame    FrameNum
	Src, Dst Endpoint // the innermost ends known so far
	Dir      int      // 0 from the conversation's first sender, 1 the other way
	Hops     uint8    // time to live of the innermost network layer, for texts of the layers inside

	s       *Session
	reg     *Registry
	first   bool               // this is the first pass
	image   map[FieldID]*Field // while a layer of a mirror is read
	quoted  bool               // inside a packet that another one quotes
	aside   bool               // inside layers without a say in the summary (see Aside)
	want    *Wants
	ids     fieldSet // of want
	t       *Tree
	conv    *Conversation
	plugin  uint16
	proto   *Protocol
	stop    int // how many layers to dissect
	layer   int // layers entered so far
	ordinal uint8

	data  []byte // the current source, whole
	pos   int
	end   int  // the current range ends here
	cut   bool // the range would go on, but the capture was cut short here
	src   uint8
	depth uint8
	short bool // a read went past the end

	handed    int // where this layer handed on, -1 before
	rejected  bool
	pushed    bool // the segment has its layer
	transport Table
	converses int
	convIDs   []uint32
	path      []step  // in looks the shape's own, which nobody may change
	ordinals  []uint8 // of the path's layers; not in the first pass
	kinds     []KindValue
	top       uint16 // the plugin that the protocol column names
	severity  Severity
	infoLayer int // which layer the Info text is of
	fence     int // bytes at its start that stay
	key       uint32
	via       Table // the table that led here
	turns     []uint32
	refs      []Ref // of the messages being read
	turned    bool  // some of turns are not 0
	hints     []uint32
	message   int   // index in Tree.Messages of the message being read, -1 outside
	joined    []Ref // the bytes of the source joinedSrc, where they came from a stream
	joinedSrc uint8
	behindGap FrameNum // where a message begins in front of which bytes of the stream are missing
	datagram  uint8    // the source that Assemble put together, 0 for none
	reader    reader
	meta      meta
}

// Conv is the frame's conversation, or nil.
func (d *D) Conv() *Conversation { return d.conv }

// Transport is the table of the innermost transport: TableUDP, TableTCP, or "" when there is none.
func (d *D) Transport() Table { return d.transport }

// FirstLook is true in the first pass. Plugins hardly need it: Store.Once asks for them.
func (d *D) FirstLook() bool { return d.first }

// Texting is true when somebody will read the Info text: ask it before work that serves the text alone.
func (d *D) Texting() bool { return d.want.text }

// Wanted is true when the field will be recorded: ask it before work that serves the field alone, such as
// verifying a checksum.
func (d *D) Wanted(f *Field) bool { return d.ids[f.id]&wantNode != 0 }

// WantedOf is true when some field of the protocol may be recorded: ask it before work that serves the protocol's fields
// alone and that no other layer needs.
func (d *D) WantedOf(p *Protocol) bool { return d.ids[p.self.id] != 0 }

// Quoted is true inside a packet that another one quotes.
func (d *D) Quoted() bool { return d.quoted }

// Key is the number under which this layer was found in its table.
func (d *D) Key() uint32 { return d.key }

// Table is the table in which this layer was found. It holds until the layer hands on.
func (d *D) Table() Table { return d.via }

// Pos is the cursor's offset in the current source; Left how many bytes of the range are left; More whether any are.
func (d *D) Pos() int   { return d.pos }
func (d *D) Left() int  { return d.end - d.pos }
func (d *D) More() bool { return d.pos < d.end && !d.short && !d.t.full }

// Data is what is left of the current range. Reading it does not advance.
func (d *D) Data() []byte { return d.data[d.pos:d.end] }

// BehindGap is the frame in which the message begins, where bytes of the stream are missing in front of it, and 0
// elsewhere: such messages wait until the gap is given up. It counts in the first pass.
func (d *D) BehindGap() FrameNum { return d.behindGap }

// Short is true once a read went past the end.
func (d *D) Short() bool { return d.short }

// CutShort is true when the current range was cut off by the capture's snap length.
func (d *D) CutShort() bool { return d.cut }

// Peek is the byte i bytes ahead, or 0 past the end; PeekUint a number there, in network order.
func (d *D) Peek(i int) byte {
	if p := d.pos + i; p < d.end && !d.short {
		return d.data[p]
	}
	return 0
}
func (d *D) PeekUint(i, size int) uint64 {
	if d.pos+i+size > d.end || d.short {
		return 0
	}
	return load(d.data[d.pos+i:d.pos+i+size], false)
}

// take advances over n bytes and returns their offset, or marks the frame short.
func (d *D) take(n int) (int, bool) {
	at := d.pos
	if n < 0 || n > d.end-at || d.short {
		d.fall()
		return 0, false
	}
	d.pos = at + n
	return at, true
}

// fall marks the first read past the end.
func (d *D) fall() {
	if d.short {
		return
	}
	d.short = true
	if d.cut {
		d.Mark(fShort)
	} else {
		d.Mark(fMalformed)
	}
}

func load(b []byte, little bool) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		if little {
			return uint64(binary.LittleEndian.Uint16(b))
		}
		return uint64(binary.BigEndian.Uint16(b))
	case 4:
		if little {
			return uint64(binary.LittleEndian.Uint32(b))
		}
		return uint64(binary.BigEndian.Uint32(b))
	}
	var v uint64
	for i := range b {
		if little {
			v = v<<8 | uint64(b[len(b)-1-i])
		} else {
			v = v<<8 | uint64(b[i])
		}
	}
	return v
}

// Uint reads a number of the field's width and byte order. For a Flags field its bits are recorded below it.
func (d *D) Uint(f *Field) uint64 {
	at, n := d.pos, int(f.size)
	if n > d.end-at || d.short { // take, in place: most of what is read are numbers
		d.fall()
		return 0
	}
	d.pos = at + n
	v := load(d.data[at:at+n], f.little)
	if d.ids[f.id] != 0 {
		d.putUint(f, v, at, n)
	}
	return f.part(v)
}

func (f *Field) part(v uint64) uint64 {
	if f.mask != 0 {
		v = v & f.mask >> f.shift
	}
	if f.times > 1 {
		v *= f.times
	}
	return v
}

func (d *D) putUint(f *Field, v uint64, off, n int) {
	d.add(f, f.part(v), off, n)
	if len(f.flags) == 0 {
		return
	}
	d.depth++
	for _, b := range f.flags {
		if d.Wanted(b) {
			d.add(b, b.part(v), off, n)
		}
	}
	d.depth--
}

// Int reads a signed number of the field's width.
func (d *D) Int(f *Field) int64 {
	at, ok := d.take(int(f.size))
	if !ok {
		return 0
	}
	v := signed(load(d.data[at:d.pos], f.little), int(f.size))
	if d.Wanted(f) {
		d.add(f, uint64(v), at, int(f.size))
	}
	return v
}

func signed(v uint64, size int) int64 {
	shift := 64 - 8*size
	return int64(v<<shift) >> shift
}

// Bool reads a boolean of the field's width.
func (d *D) Bool(f *Field) bool { return d.Uint(f) != 0 }

// Float reads an IEEE 754 number of 4 or 8 bytes.
func (d *D) Float(f *Field) float64 {
	at, ok := d.take(int(f.size))
	if !ok {
		return 0
	}
	v := load(d.data[at:d.pos], f.little)
	x := math.Float64frombits(v)
	if f.size == 4 {
		x = float64(math.Float32frombits(uint32(v)))
	}
	if d.Wanted(f) {
		d.add(f, math.Float64bits(x), at, int(f.size))
	}
	return x
}

// Bits reads one number of the first field's width and records every given field as its Masked part of it.
// It returns the whole number.
func (d *D) Bits(fields ...*Field) uint64 {
	size := int(fields[0].size)
	at, ok := d.take(size)
	if !ok {
		return 0
	}
	v := load(d.data[at:d.pos], fields[0].little)
	for _, f := range fields {
		if d.ids[f.id] != 0 {
			d.putUint(f, v, at, size)
		}
	}
	return v
}

// IPv4, IPv6 and Ether read an address.
func (d *D) IPv4(f *Field) Addr {
	at, ok := d.take(4)
	if !ok {
		return Addr{}
	}
	a := IPv4Addr(d.data[at:d.pos])
	if d.Wanted(f) {
		d.add(f, a.lo, at, 4)
	}
	return a
}
func (d *D) IPv6(f *Field) Addr {
	at, ok := d.take(16)
	if !ok {
		return Addr{}
	}
	if d.Wanted(f) {
		d.add(f, 0, at, 16)
	}
	return IPv6Addr(d.data[at:d.pos])
}
func (d *D) Ether(f *Field) Addr {
	at, ok := d.take(6)
	if !ok {
		return Addr{}
	}
	a := EtherAddr(d.data[at:d.pos])
	if d.Wanted(f) {
		d.add(f, a.lo, at, 6)
	}
	return a
}

// Bytes reads n bytes for a bytes, string or GUID field and returns them. They belong to the frame: copy what is
// kept.
func (d *D) Bytes(f *Field, n int) []byte {
	at, ok := d.take(n)
	if !ok {
		return nil
	}
	if d.Wanted(f) {
		d.add(f, 0, at, n)
	}
	return d.data[at:d.pos]
}

// Rest reads what is left of the range; nothing is recorded when nothing is left.
func (d *D) Rest(f *Field) []byte {
	if d.Left() == 0 || d.short {
		return nil
	}
	return d.Bytes(f, d.Left())
}

// CString reads a string up to a NUL byte, which belongs to the field but not to the value returned. Without a NUL
// the frame is short.
func (d *D) CString(f *Field) []byte {
	for i, c := range d.Data() {
		if c == 0 {
			at, ok := d.take(i + 1)
			if !ok {
				return nil
			}
			if d.Wanted(f) {
				d.add(f, 0, at, i+1)
				d.t.Nodes[len(d.t.Nodes)-1].Flags |= nodeNUL
			}
			return d.data[at : at+i]
		}
	}
	d.take(d.Left() + 1)
	return nil
}

// Padded reads n bytes that hold a string up to the first NUL byte; what follows the NUL is padding or garbage.
func (d *D) Padded(f *Field, n int) []byte {
	b := d.Bytes(f, n)
	if d.Wanted(f) && b != nil {
		d.t.Nodes[len(d.t.Nodes)-1].Flags |= nodeNUL
	}
	for i, c := range b {
		if c == 0 {
			return b[:i]
		}
	}
	return b
}

// Skip advances over n bytes that another field (or a gap) will show.
func (d *D) Skip(n int) { d.take(n) }

// Seek moves the cursor to an offset of the source; outside the range the frame is short.
func (d *D) Seek(pos int) {
	if pos < 0 || pos > d.end {
		d.fall()
		return
	}
	d.pos = pos
}

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

// Within bounds read to the next n bytes and moves behind them, whatever read has read. Reading past the bound
// marks the frame, but what follows the bound is read again. If fewer than n bytes are left, the frame is marked and
// read gets what there is.
func (d *D) Within(n int, read func()) {
	if d.short {
		return
	}
	end, cut := d.end, d.cut
	next := d.pos + n
	switch {
	case n < 0:
		d.fall()
		return
	case n <= end-d.pos:
		d.end, d.cut = next, false
	case cut:
		next = end
	default:
		d.Mark(fMalformed)
		next = end
	}
	read()
	d.end, d.cut = end, cut
	d.short = false
	d.pos = next
}

// Limit shortens the current range to the next n bytes for good: a length field that leaves padding behind.
// It does nothing when fewer are left.
func (d *D) Limit(n int) {
	if n >= 0 && n <= d.Left() {
		d.end, d.cut = d.pos+n, false
	}
}

// Set records a derived number, boolean, time or IPv4 address: nothing of it is read from the packet.
func (d *D) Set(f *Field, v uint64) {
	if d.ids[f.id]&wantNode != 0 {
		d.set(f, v)
	}
}

func (d *D) set(f *Field, v uint64) {
	d.add(f, v, d.pos, 0)
	d.derive()
}

// Put records a value for n bytes at off of the current source that were read by other means.
func (d *D) Put(f *Field, v uint64, off, n int) {
	if d.ids[f.id] != 0 {
		d.putUint(f, v, off, n)
	}
}

// SetText records a derived string; PutText one that stands for n bytes at off (a name behind compression pointers).
func (d *D) SetText(f *Field, text string) {
	if d.Wanted(f) {
		d.addText(f, text, d.pos, 0)
		d.derive()
	}
}
func (d *D) PutText(f *Field, text string, off, n int) {
	if d.Wanted(f) {
		d.addText(f, text, off, n)
	}
}

// SetBytes records derived bytes, which are copied.
func (d *D) SetBytes(f *Field, b []byte) {
	if d.Wanted(f) {
		d.addText(f, string(b), d.pos, 0)
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
	if len(d.t.Nodes) >= MaxNodes || d.depth >= MaxDepth {
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
	d.t.Nodes = append(d.t.Nodes, Node{Val: v, Off: uint32(off), Len: uint32(n), Field: f.id, Depth: d.depth, Src: d.src, Flags: flags, Layer: d.ordinal})
}

func (d *D) addText(f *Field, text string, off, n int) {
	before := len(d.t.Nodes)
	d.add(f, uint64(len(d.t.arena))<<32|uint64(len(text)), off, n)
	if len(d.t.Nodes) > before {
		d.t.arena = append(d.t.arena, text...)
		d.t.Nodes[before].Flags |= nodeArena
	}
}

// Mark records an expert note on the frame, at the cursor.
func (d *D) Mark(note *Field) { d.mark(note, "") }

// MarkText is Mark with words for this packet. They serve the tree alone: where making them costs, ask Wanted.
func (d *D) MarkText(note *Field, text string) { d.mark(note, text) }

func (d *D) mark(note *Field, text string) {
	d.raise(note)
	if d.Wanted(note) {
		if text != "" {
			d.addText(note, text, d.pos, 0)
		} else {
			d.add(note, 0, d.pos, 0)
		}
		d.derive()
	}
	if d.want.all || d.want.everywhere {
		d.depth++
		for _, f := range [...]*Field{fExpert, fSeverity, fMessage} {
			if !d.Wanted(f) {
				continue
			}
			if f == fMessage {
				if text == "" {
					text = note.label
				}
				d.addText(f, text, d.pos, 0)
			} else {
				d.add(f, uint64(note.severity), d.pos, 0)
			}
			d.derive()
		}
		d.depth--
	}
}

// raise keeps the note in the index.
func (d *D) raise(note *Field) {
	if d.image != nil {
		note = d.imaged(note)
	}
	d.severity = max(d.severity, note.severity)
	if d.first {
		d.s.keepMark(Mark{d.Frame, note.id, note.severity})
	}
}

func (d *D) turn(store uint32) uint32 {
	t := d.turns[store]
	d.turns[store]++
	d.turned = true
	return t
}

// onesComplement adds up b as 16-bit numbers in network order with end-around carry, as RFC 1071 has it.
func onesComplement(sum uint32, b []byte) uint32 {
	var s uint64 = uint64(sum)
	for len(b) >= 8 {
		v := binary.BigEndian.Uint64(b)
		var c uint64
		s, c = bits.Add64(s, v, 0)
		s += c
		b = b[8:]
	}
	for len(b) >= 2 {
		s2, c := bits.Add64(s, uint64(binary.BigEndian.Uint16(b)), 0)
		s, b = s2+c, b[2:]
	}
	if len(b) == 1 {
		s2, c := bits.Add64(s, uint64(b[0])<<8, 0)
		s = s2 + c
	}
	for s>>16 != 0 {
		s = s>>16 + s&0xffff
	}
	return uint32(s)
}

// Checksum is the Internet checksum (RFC 1071) over the parts, which all but the last have even lengths. Over data
// that holds a right checksum it is 0.
func Checksum(parts ...[]byte) uint16 {
	var sum uint32
	for _, p := range parts {
		sum = onesComplement(sum, p)
	}
	return ^uint16(sum)
}

// Correct is what a checksum should be that is sum, where Checksum over the data with it is left.
func Correct(sum, left uint16) uint16 {
	v := uint32(sum) + uint32(left)
	return uint16(v + v>>16)
}

// PseudoSum is the checksum over the pseudo header of the innermost IP addresses (RFC 768, RFC 8200 section 8.1) and a
// transport's bytes: 0 when the checksum among them is right.
func (d *D) PseudoSum(protocol byte, segment []byte) uint16 {
	var b [40]byte
	src, dst := d.Src.Addr, d.Dst.Addr
	if src.kind == AddrIPv4 {
		binary.BigEndian.PutUint32(b[:], uint32(src.lo))
		binary.BigEndian.PutUint32(b[4:], uint32(dst.lo))
		b[9] = protocol
		binary.BigEndian.PutUint16(b[10:], uint16(len(segment)))
		return Checksum(b[:12], segment)
	}
	s, t := src.bytes16(), dst.bytes16()
	copy(b[:], s[:])
	copy(b[16:], t[:])
	binary.BigEndian.PutUint32(b[32:], uint32(len(segment)))
	b[39] = protocol
	return Checksum(b[:], segment)
}
