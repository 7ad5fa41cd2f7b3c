package dissect

import "remora/internal/column"

// A D is a frame under dissection: the cursor that a plugin reads with, what it knows of the frame, and the tree
// that is being recorded. One call reads a field, advances, records it if somebody wants it, and returns the value.
//
// Reading past the end is no error that plugins handle: the first such read marks the frame, records nothing, and
// from then on all reads return zero and More is false. Loops ask
// More, by way of Elements.
type D struct {
	Frame    FrameNum
	Src, Dst Endpoint // the innermost ends known so far
	Dir      int      // 0 from the conversation's first sender, 1 the other way
	Hops     uint8    // time to live of the innermost network layer, for texts of the layers inside

	s         *Session
	reg       *Registry
	first     bool               // this is the first pass
	recording bool               // which records what a re-dissection would
	game      Game               // that InGame changes
	past      bool               // nothing that a later frame told is known (see Guard.Past)
	image     map[FieldID]*Field // while a layer of an alias is read
	quoted    bool               // inside a packet that another one quotes
	lazy      bool               // inside layers that only re-dissections read (see InnerLayers.Lazily)
	aside     bool               // inside layers without a say in the summary (see Aside)
	joint     bool               // inside layers that go on in the Info column of the one around (see Jointly)
	want      *Wants
	ids       fieldSet // of want
	bare      bool     // nothing is recorded, which is told sooner than by ids
	headers   bool     // what lies in front of the transport is read where it is known, too
	t         *Tree
	conv      *Conversation
	plugin    uint16
	cutting   int // how many protocols deep a stream is being cut
	proto     *Protocol
	stop      int // how many layers to dissect
	layer     int // layers entered so far
	ordinal   uint8

	data   []byte // the current source, whole
	pos    int
	end    int  // the current range ends here
	cut    int  // so many bytes the range would go on, but the capture was cut short here
	single bool // messages are not put together of several segments
	parted bool // they are in other packets, with which nobody wants this one put together
	src    uint8
	depth  uint8
	short  bool // a read went past the end

	handed       int // where this layer handed on, -1 before
	rejected     bool
	pushed       bool // the segment has its layer
	transport    Table
	carried      Carried // of IP
	converses    int
	convIDs      []uint32
	path         []step  // in re-dissections the layer stack's own, which nobody may change
	ordinals     []uint8 // of the path's layers; not in the first pass
	kinds        []KindValue
	top          uint16 // the plugin that the protocol column names
	severity     Severity
	infoLayer    int    // which layer the Info text is of
	infoBy       uint16 // the plugin that wrote it
	carrier      uint16 // TCP or UDP around the layer, where there is one
	carrierLayer int    // which layer that is
	typed        bool   // the layer has a packet type
	found        Reason // how the layer's protocol was found
	kindBy       uint16 // the plugin that read a packet type last, and the conversation it was in
	kindIn       *Conversation
	fence        int    // bytes at its start that stay
	broken       string // what the end of the Info line says of a packet that ends too early
	key          uint32
	via          Table  // the table that led here
	layerData    []byte // of the bytes handed on (see Tell)
	turns        []uint32
	refs         []Ref // of the messages being read
	turned       bool  // some of turns are not 0
	hints        []uint32
	windows      []*column.Window // by store, of its notes; nil where none was asked for yet
	records      column.Window
	pdus         column.Window
	lastPDU      uint32
	message      int   // index in Tree.Messages of the message being read, -1 outside
	joined       []Ref // the bytes of the source joinedSrc, where they came from a stream
	joinedSrc    uint8
	making       making // the source that can be made again (see FromMade)
	madeLast     uint32 // which row madeKept was made from
	madeKept     []byte
	basis        basis // what Refs to this frame count in
	// decryptedKept is the packet within the frame decryptedLast, which was decrypted again.
	decryptedLast FrameNum
	decryptedKept []byte
	apart         bool // the conversation does not know all that it knows of others of its packets
	again         bool // re-dissections record what the first pass does not, or in another order
	stream        streamMark
	factRead      bool // a fact of the conversation was asked for
	endsRead      bool // so was what an end is called
	layersAt      int  // the node of LayersText, or -1
	layersText    func(dst []byte, d *D) []byte
	unpacks       bool          // re-dissections make bytes of the frame's that the first pass does not
	tags          tags          // of the virtual LANs around the packet
	export        *exporter     // takes packets from inside, or nil
	after         func(d *D)    // what is done when a frame is dissected whole; see Dissector.After
	behindGap     FrameNum      // where a message begins in front of which bytes of the stream are missing
	datagram      uint8         // the source that Assemble put together, 0 for none
	arrival       arrival       // at the first transport
	flow          *repeatedFlow // whose headers the frame has; nil where they were read
	reader        reader
	meta          meta
	steps         int    // taken from the frame's budget
	look          int    // steps at which it is looked whether the frame is to end
	over          *Field // why the frame was given up
	asking        uint16 // the plugin that is asked about bytes that are not its own yet
	work          *worker
	hangs         *hangs
	changes       []change // that are being made
	gathered      []byte   // what was put together of earlier frames, as long as the frame lasts
	texts         []byte   // scratch
	glued         int      // how long the Info column is where no blank follows
	templates     map[string][]templatePart
	time          drawnTime
}

// Conversation is the frame's conversation, or nil.
func (d *D) Conversation() *Conversation { return d.conv }

// Carried is what IP carries: the number of the protocol in the outermost header, and of ICMP what the message is.
type Carried struct {
	Protocol   uint8
	Message    bool
	Kind, Code uint8
}

// SetCarried tells the protocol in the header of IP; that of the outermost one stays.
func (hd *Ends) SetCarried(protocol uint8) {
	if hd.carried.Protocol == 0 {
		hd.carried.Protocol = protocol
	}
}

// SetMessage tells what message a protocol without ports sends.
func (hd *Ends) SetMessage(kind, code uint8) {
	if !hd.quoted {
		hd.carried.Message, hd.carried.Kind, hd.carried.Code = true, kind, code
	}
}

// Carried is what SetCarried and SetMessage told.
func (hd *Ends) Carried() Carried { return hd.carried }

// Transport is the table of the innermost transport: TableUDP, TableTCP, or "" when there is none.
func (hd *Ends) Transport() Table {
	d := (*D)(hd)
	return d.transport
}

// Reason is how the protocol that begins to read was found.
func (hd *Ends) Reason() Reason {
	d := (*D)(hd)
	return d.found
}

// FirstPass is true in the first pass. Plugins hardly need it: Store.FirstPass asks for them.
func (hd *SessionState) FirstPass() bool {
	d := (*D)(hd)
	return d.first
}

// Wanted is true when somebody will read the Info text: ask it before work that serves the text alone.
func (hd *InfoColumn) Wanted() bool {
	d := (*D)(hd)
	return d.want.text
}

// Wanted is true when the field will be recorded: ask it before work that serves the field alone, such as
// verifying a checksum.
func (d *D) Wanted(f *Field) bool { return !d.bare && d.ids[f.id]&wantNode != 0 }

// WantedOf is true when some field of the protocol may be recorded: ask it before work that serves the protocol's
// fields alone and that no other layer needs.
func (d *D) WantedOf(p *Protocol) bool { return !d.bare && d.ids[p.self.id] != 0 }

// Quoted is true inside a packet that another one quotes.
func (d *D) Quoted() bool { return d.quoted }

// Key is the number under which this layer was found in its table.
func (hd *InnerLayers) Key() uint32 {
	d := (*D)(hd)
	return d.key
}

// Table is the table in which this layer was found. It holds until the layer hands on.
func (hd *InnerLayers) Table() Table {
	d := (*D)(hd)
	return d.via
}

// Pos is the offset of the cursor in the current data source, in bytes.
func (d *D) Pos() int { return d.pos }

// Left is how many bytes there are from the cursor to the end of the range.
func (d *D) Left() int { return d.end - d.pos }

// More reports whether there is something left to read. It is false once a read went past the end or the tree is full.
func (d *D) More() bool { return d.pos < d.end && !d.short && !d.t.full }

// Data is what is left of the current range. Reading it does not advance.
func (d *D) Data() []byte { return d.data[d.pos:d.end] }

// BehindGap is the frame in which the message begins, where bytes of the stream are missing in front of it, and 0
// elsewhere: such messages wait until the gap is given up. It counts in the first pass.
func (hd *Streams) BehindGap() FrameNum {
	d := (*D)(hd)
	return d.behindGap
}

// Cut tells whether the capture cut off bytes of the connection, either way, so far: what seems to be missing in it may
// have been among them. It counts in the first pass.
func (hd *Streams) Cut() bool {
	d := (*D)(hd)
	return d.conv != nil && d.conv.cut
}

// Short is true once a read went past the end.
func (d *D) Short() bool { return d.short }

// CutShort is true when the current range was cut off by the capture's snap length.
func (d *D) CutShort() bool { return d.cut > 0 }

// Parted says that the range goes on in other packets, with which this one is not put together.
func (hd *Streams) Parted() {
	d := (*D)(hd)
	d.cut, d.parted = maxDatagram, true
}

// maxDatagram is how long a datagram of IP can be.
const maxDatagram = 1 << 16

// Missing is how many bytes of the current range the capture's snap length cut off, as far as lengths tell.
func (d *D) Missing() int { return d.cut }

// Peek is the byte i bytes behind the cursor, or 0 past the end of the range. The cursor stays.
func (d *D) Peek(i int) byte {
	if p := d.pos + i; p < d.end && !d.short {
		return d.data[p]
	}
	return 0
}

// PeekUint is the number of size bytes, at most 8, that begins i bytes behind the cursor, in network byte order; 0
// past the end of the range. The cursor stays.
func (d *D) PeekUint(i, size int) uint64 {
	if d.pos+i+size > d.end || d.short {
		return 0
	}
	return load(d.data[d.pos+i:d.pos+i+size], false)
}

// take advances over n bytes and returns their offset, or marks the frame short.
func (d *D) take(n int) (int, bool) {
	at := d.pos
	if n <= 0 || n > d.end-at || d.short {
		return at, d.stay(n)
	}
	d.pos = at + n
	return at, true
}

// stay takes a step for a read that does not move the cursor on: one of no bytes, or past the end.
func (d *D) stay(n int) bool {
	d.step(1)
	if n != 0 || d.short {
		d.fall()
		return false
	}
	return true
}

// cutText ends the Info column of packets that the capture cut off where somebody wanted to read on.
const cutText = "[Packet size limited during capture]"

// fall marks the first read past the end.
func (d *D) fall() {
	if d.short {
		d.step(1)
		return
	}
	d.short = true
	switch {
	case d.parted:
		d.Expert(fParted)
		d.broken = "[Unreassembled Packet]"
	case d.CutShort():
		d.Expert(fShort)
		d.broken = cutText
	default:
		d.Expert(fMalformed)
		if !d.quoted { // what errors quote is short by rule
			d.broken = "[Malformed Packet]"
		}
	}
}

// Skip advances over n bytes that another field (or a gap) will show.
func (d *D) Skip(n int) { d.take(n) }

// Seek moves the cursor to an offset of the source; outside the range the frame is short.
func (d *D) Seek(pos int) {
	d.step(1 + max(0, d.pos-pos)) // what is read again
	if pos < 0 || pos > d.end {
		d.fall()
		return
	}
	d.pos = pos
}

// Within bounds read to the next n bytes and moves behind them, whatever read has read. Reading past the bound
// marks the frame, but what follows the bound is read again. If fewer than n bytes are left, the frame is marked and
// read gets what there is. A bound where the capture cut the packet off may be what the plugin made of what is left.
func (d *D) Within(n int, read func()) {
	d.step(1)
	if d.short {
		return
	}
	end, cut := d.end, d.cut
	next := d.pos + n
	switch {
	case n < 0:
		d.fall()
		return
	case n < end-d.pos:
		d.end, d.cut = next, 0
	case cut > 0:
		next = end
		if more := n - d.Left(); more > 0 {
			d.cut = min(cut, more)
		}
	case n > end-d.pos:
		d.Expert(fMalformed)
		d.broken = "[Malformed Packet]"
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
	switch left := d.Left(); {
	case n < 0:
	case n <= left:
		d.end, d.cut = d.pos+n, 0
	default:
		d.cut = min(d.cut, n-left)
	}
}

// turn counts the calls of a store in the frame. Each is to take a step.
func (d *D) turn(store uint32) uint32 {
	t := d.turns[store]
	d.turns[store]++
	d.turned = true
	return t
}
