package realnet

import (
	"fmt"
	"unicode/utf8"

	"remora/dissect"
)

var (
	fType = proto.Kind("type", "Packet type", kinds,
		"What the packet is: its first byte, and 256 times its block type where it has one (sheet, sections 1, 3 and 4).").
		Wide(4).Hex().Derived()
	fLayout = proto.Uint8("layout", "Layout",
		"Whether the bytes lie as the library was built, or as its document says (sheet, section 2).").Named(layouts).
		Derived()
	fHow = proto.Uint8("layout.by", "Layout known by",
		"What told the layout: this packet, packets before, decode as, or only the length.").Named(layoutReasons).Derived()
	fFrom = proto.Uint8("from", "Sender", "Who sent the packet, as far as the conversation tells (sheet, section 2).").
		Named(senders).Derived()
	fSure = proto.Label("from.guessed", "The server is a guess: the side with more connections, or else the lower port",
		"Set when no packet told which side is the server.").Derived()
	fPhase = proto.Uint8("phase", "Connection", "How far the connection was after this packet.").Named(phases).Derived()

	fByte = proto.Uint8("packet", "Packet", "Packet type, first byte of every packet (sheet, section 1).").
		Named(packetTypes)
	fFlags = proto.Flags8("flags", "Flags", packetFlags, "Properties of the packet, 1 byte; only as documented, and not "+
		"in Synchronization and Acknowledgement (sheet, section 1).")
	fSeq = proto.Uint16("sequence", "Sequence", "Number of the packet among all of its sender, 2 bytes little-endian; "+
		"it wraps at 65536, and a resent packet keeps it.")

	fText  = proto.UnknownBytes("unknown", "Unknown", "Bytes of a packet or block type that nobody described.")
	fExtra = proto.UnknownBytes("extra", "Bytes behind the packet",
		"Bytes behind the end that the packet's own counts give.")
	fTorn = proto.UnknownBytes("torn", "Incomplete rest",
		"What is left where the next field needs more bytes than there are.")
	fAltern  = proto.Group("other", "If as documented", "The other reading of 4 bytes that fit both layouts.").Derived()
	fAltFlag = proto.Uint8("other.flags", "Flags",
		"Flags, if the packet is a client's Disconnection as documented without size byte.").Hex()
	fAltSeq = proto.Uint16("other.sequence", "Sequence",
		"Sequence, if the packet is a client's Disconnection as documented without size byte.")
	fDecided = proto.FrameRef("layout.decided_in", "Layout decided in",
		"The first packet of the conversation that tells the layout.")
	fDecides = proto.FrameRef("layout.decides", "Decides the layout of",
		"An earlier packet that could be read in both layouts.")

	nShort = proto.Expert("short", dissect.Warn,
		"Shorter than any packet: receivers drop datagrams of less than 3 bytes")
	nEmpty   = proto.Expert("empty", dissect.Chat, "Empty datagram: a server that stops wakes itself by one")
	nUnknown = proto.Expert("type.unknown", dissect.Warn, "Unknown packet type")
	nBlock   = proto.Expert("block.unknown", dissect.Warn, "Unknown block type")
	nTail    = proto.Expert("extra.bad", dissect.Error, "The packet goes on behind the end that its own counts give")
	nLayout  = proto.Expert("layout.other", dissect.Warn,
		"This packet looks as if it had another layout than its conversation")
	nOpen     = proto.Expert("layout.ambiguous", dissect.Chat, "These 4 bytes fit both layouts")
	nFlags    = proto.Expert("flags.bad", dissect.Error, "Ordered without Reliable: nothing would bring a lost one back")
	nReserved = proto.Expert("flags.unused", dissect.Warn, "Flags are set that have no meaning")
	nExpected = proto.Expert("flags.expected", dissect.Warn, "Other flags than this packet type always has")
	nFixed    = proto.Expert("sequence.fixed", dissect.Warn, "This packet always has another sequence number")
	nSender   = proto.Expert("from.wrong", dissect.Warn, "Wrong direction: only the other side sends this")
)

var packetFlags = []dissect.Flag{
	{Name: "reliable", Label: "Reliable", Mask: flagReliable, Doc: "The receiver must acknowledge the packet."},
	{Name: "ordered", Label: "Ordered", Mask: flagOrdered,
		Doc: "The receiver handles the packet in the order of sequence numbers; only together with Reliable."},
	{Name: "reserved", Label: "Unused", Mask: 0xfc, Doc: "Bits without a meaning; must be 0."},
}

const (
	flagReliable = 1
	flagOrdered  = 2
)

// A view is one packet under dissection: what its header says, and what the conversation adds.
type view struct {
	whole    []byte
	start    int // offset of the packet in its source
	kind     uint64
	layout   uint8
	flags    uint8
	hasFlags bool
	hasSeq   bool
	seq      uint16
	n        packetNote
	rare     rareNote
	times    timeNote
	pieces   int // notes that this packet's values may still leave
}

// packet dissects one datagram. said is the layout that decode as fixed, or 0.
func packet(d *dissect.D, said uint8) {
	if d.Left() == 0 && !d.CutShort() {
		d.SetKind(fType, kindEmpty)
		d.Expert(nEmpty)
		d.Info().Setf("datagram without a payload")
		return
	}
	d.Message(func() {
		v := view{whole: d.Data(), start: d.Pos(), pieces: maxPieces}
		v.dissect(d, said)
	})
}

func (v *view) dissect(d *dissect.D, said uint8) {
	v.parse(d, said)
	d.SetKind(fType, v.kind)
	d.Set(fLayout, uint64(v.layout))
	d.Below(func() { d.Set(fHow, uint64(v.n.how)) })
	if v.n.from != fromUnknown {
		d.Set(fFrom, uint64(v.n.from))
		if v.n.flags&noteGuessed != 0 && d.Wanted(fSure) {
			d.Below(func() { d.Set(fSure, 0) })
		}
	}
	if len(v.whole) < 3 && !d.CutShort() {
		d.Expert(nShort)
		d.Rest(fText)
		return
	}
	d.Uint(fByte)
	if v.n.flags&noteLayout != 0 {
		d.Expert(nLayout)
	}
	v.header(d)
	v.body(d)
	switch rest := v.start + len(v.whole) - d.Pos(); {
	case d.Short() && rest > 0:
		d.Put(fTorn, 0, d.Pos(), rest)
	case rest > 0 && !d.Short():
		d.Expert(nTail)
		d.Rest(fExtra)
	}
	v.relations(d)
}

// parse finds the layout, the kind and the number of the packet, and lets the conversation take note of it.
func (v *view) parse(d *dissect.D, said uint8) {
	v.n = packetNotes.FirstPassIn(d, func(*none) (n packetNote) {
		links.FirstPass(d, func(l *link) none {
			known := l.layout
			switch {
			case said != 0:
				known = said
			case guessInit(v.whole) != 0: // it begins a connection, whatever was before
				known = 0
			}
			layout, how, other := layoutOf(known, said != 0, v.whole)
			v.layout = layout
			v.readHead()
			n = l.take(d, v)
			n.layout, n.how = layout, how
			if other {
				n.flags |= noteLayout
			}
			return none{}
		})
		return n
	})
	if v.layout = v.n.layout; v.layout == 0 { // a packet without a conversation
		v.layout, v.n.how, _ = layoutOf(said, said != 0, v.whole)
	}
	v.readHead()
	v.rare = rareNotes.FirstPassIn(d, func(*none) rareNote { return v.rare })
	v.times = timeNotes.FirstPassIn(d, func(*none) timeNote { return v.times })
}

// readHead reads what the bytes say of kind, flags and sequence in the layout.
func (v *view) readHead() {
	b := v.whole
	v.kind, v.flags, v.seq, v.hasFlags, v.hasSeq = uint64(at(b, 0)), 0, 0, false, false
	v.hasFlags = v.layout == layoutDocumented && v.kind <= typeMessage && v.kind != typeSync && v.kind != typeAck
	head := 3
	if v.hasFlags {
		v.flags = at(b, 1)
		head = 4
	}
	if len(b) >= head {
		v.hasSeq = v.kind <= typeMessage && v.kind != typeAck
		v.seq = le16(b[head-2:])
	}
	switch v.kind {
	case typeConnection, typeSync:
		v.kind |= uint64(at(b, head)) << 8
	case typeLinking:
		if v.layout != layoutBuilt {
			v.kind |= uint64(at(b, head))<<8 | uint64(at(b, head+1))<<16
		}
	}
}

// header reads what is between the type byte and the body.
func (v *view) header(d *dissect.D) {
	if v.kind&0xff > typeMessage || v.kind&0xff == typeAck {
		return
	}
	if v.hasFlags {
		d.Uint(fFlags)
		v.checkFlags(d)
	}
	d.Uint(fSeq)
	if v.hasSeq {
		d.Transcript().ID(uint64(v.seq))
	}
	if want, fixed := v.fixedSequence(); fixed && v.hasSeq && v.seq != want {
		if d.Wanted(nFixed) {
			d.ExpertText(nFixed, fmt.Sprintf("Sequence %d; this packet always has %d", v.seq, want))
		} else {
			d.Expert(nFixed)
		}
	}
}

// checkFlags holds the flags against the rules, and against what the packet type always has.
func (v *view) checkFlags(d *dissect.D) {
	if v.flags&(flagReliable|flagOrdered) == flagOrdered {
		d.Expert(nFlags)
	}
	if v.flags&^(flagReliable|flagOrdered) != 0 {
		d.Expert(nReserved)
	}
	switch {
	case v.kind == kindAccept && v.flags&flagReliable == 0:
		d.ExpertText(nExpected, "An Accept is always reliable")
	case v.kind&0xff == typeLinking && v.flags&3 != flagReliable|flagOrdered:
		d.ExpertText(nExpected, "Linking packets are always reliable and ordered")
	case v.kind == kindReplication && v.flags&flagOrdered != 0:
		d.ExpertText(nExpected, "Replication is never ordered")
	case v.flags&flagOrdered != 0 && (v.kind&0xff == typeConnection || v.kind == kindDisconnection):
		d.ExpertText(nExpected, "Only messages and linking packets are ordered")
	}
}

// fixedSequence is the sequence number that a packet always has, if it does.
func (v *view) fixedSequence() (uint16, bool) {
	built := v.layout == layoutBuilt
	switch v.kind {
	case kindInit:
		return 0, true
	case kindAccept:
		if built && v.n.from == fromServer {
			return 0, true
		}
		return 1, !built || v.n.from == fromClient
	case kindReject:
		if built && v.n.from == fromClient {
			return 1, true
		}
		return 0, built && v.n.from == fromServer
	case kindDisconnection:
		return 1, built && len(v.whole) == 4
	}
	return 0, false
}

// body reads what follows the header.
func (v *view) body(d *dissect.D) {
	if v.layout == layoutBuilt && v.kind >= typeLinking && v.kind <= typeMessage { // nobody knows how these were to be
		d.Rest(fText)
		d.Info().Setf("of a type that the library as built never sends")
		return
	}
	switch v.kind & 0xff {
	case typeConnection:
		v.connection(d)
	case typeDisconnection:
		v.disconnection(d)
	case typeSync:
		v.sync(d)
	case typeAck:
		v.ack(d)
	case typeLinking:
		v.linking(d)
	case typeReplication:
		v.replication(d)
	case typeMessage:
		v.message(d)
	default:
		d.Expert(nUnknown)
		d.Rest(fText)
	}
}

// unknownBlock shows the bytes behind a block type that no source describes.
func (v *view) unknownBlock(d *dissect.D) {
	if d.Short() {
		return
	}
	d.Expert(nBlock)
	d.Rest(fText)
	if d.Info().Wanted() {
		d.Info().Setf("unknown block type")
	}
}

// need marks the packet short when n things that its own count promises are missing.
func need(d *dissect.D, n uint64) {
	if n > 0 && !d.Short() && d.Left() == 0 {
		d.Skip(1)
	}
}

func at(b []byte, i int) byte {
	if i < len(b) {
		return b[i]
	}
	return 0
}

func le16(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }

// text is bytes as people read them, escaped and cut to what fits the Info column.
func text(b []byte) string {
	const longest = 40
	if len(b) <= longest {
		return dissect.Escape(string(b))
	}
	end := longest
	for end > longest-4 && !utf8.RuneStart(b[end]) {
		end--
	}
	return dissect.Escape(string(b[:end])) + "…"
}
