package ntp

import (
	"remora/dissect"
)

var (
	fFlags2 = proto.Uint8("ctrl.flags2", "Flags 2",
		"Whether this is a response, an error, not the last one; and the operation.").Hex().
		Summary(", Response bit: {ctrl.flags2.r:name}, Opcode: {ctrl.flags2.opcode:name}")
	fResponse = proto.Uint8("ctrl.flags2.r", "Response bit", "Whether this is a response.").Masked(0x80).
			Named(dissect.Values{0: "Request", 1: "Response"})
	fError    = proto.Uint8("ctrl.flags2.error", "Error bit", "Whether the request failed.").Masked(0x40)
	fMore     = proto.Uint8("ctrl.flags2.more", "More bit", "Whether more of the response follows.").Masked(0x20)
	fOpcode   = proto.Uint8("ctrl.flags2.opcode", "Opcode", "What is asked for.").Masked(0x1f).Named(opcodes)
	fSequence = proto.Uint16("ctrl.sequence", "Sequence", "Joins request and response.")
	fStatus   = proto.Uint16("ctrl.status", "Status", "State of what was asked about.").Hex()
	fErrWord  = proto.Uint16("ctrl.err_status", "Error Status Word", "Why the request failed.").Masked(0xff00).
			Named(controlErrors)
	fSysLeap = proto.Uint16("ctrl.sys_status.li", "Leap Indicator",
		"Whether a second is added to or left out of the day.").Masked(0xc000).Named(leaps)
	fSysClock = proto.Uint16("ctrl.sys_status.clksrc", "Clock Source", "What the clock follows.").Masked(0x3f00).
			Named(clockSources)
	fSysCount = proto.Uint16("ctrl.sys_status.count", "System Event Counter", "Events since they were last asked for.").
			Masked(0xf0)
	fSysEvent = proto.Uint16("ctrl.sys_status.code", "System Event Code", "The last event.").Masked(0x0f).
			Named(systemEvents)
	fPeerConf = proto.Bool("ctrl.peer_status.config", "Peer Status", "The peer is configured.").Wide(2).Masked(0x8000)
	fPeerAuth = proto.Bool("ctrl.peer_status.authenable", "Peer Status", "The peer must prove itself.").Wide(2).
			Masked(0x4000)
	fPeerOK = proto.Bool("ctrl.peer_status.authentic", "Peer Status", "The peer has proved itself.").Wide(2).
		Masked(0x2000)
	fPeerUp   = proto.Bool("ctrl.peer_status.reach", "Peer Status", "The peer is reached.").Wide(2).Masked(0x1000)
	fPeerCast = proto.Bool("ctrl.peer_status.bcast", "Peer Status broadcast association", "The peer broadcasts.").Wide(2).
			Masked(0x0800)
	fPeerSel = proto.Uint16("ctrl.peer_status.selection", "Peer Selection", "What the clock makes of the peer.").
			Masked(0x0700).Named(peerSelections)
	fPeerCnt = proto.Uint16("ctrl.peer_status.count", "Peer Event Counter", "Events since they were last asked for.").
			Masked(0xf0)
	fPeerEv   = proto.Uint16("ctrl.peer_status.code", "Peer Event Code", "The last event.").Masked(0x0f).Named(peerEvents)
	fClkState = proto.Uint16("ctrl.clock_status.status", "Clock Status", "State of the clock.").Masked(0xff00).
			Named(clockStates)
	fClkEvent = proto.Uint16("ctrl.clock_status.code", "Clock Event Code", "The last event.").Masked(0xff)
	fAssoc    = proto.Uint16("ctrl.associd", "AssociationID", "The peer that is meant; 0 is the system.")
	fOffset   = proto.Uint16("ctrl.offset", "Offset", "Where the data belong in the whole response.")
	fCount    = proto.Uint16("ctrl.count", "Count", "Length of the data.")
	fData     = proto.Node("ctrl.data", "Data", "The data.")
	fPeer     = proto.Group("ctrl.association", "Item", "A peer, and what the clock makes of it.").
			Summary("Item: {ctrl.associd}")
	fItem = proto.String("ctrl.item", "Item", "A variable, with its value in responses.")

	fPrivFlags = proto.Uint8("flags", "Flags", "Response, more, version and mode.").Hex().
			Summary(", Response bit: {priv.flags.r:name}, Version number: {flags.vn:name}, Mode: {flags.mode:name}")
	fPrivResp = proto.Uint8("priv.flags.r", "Response bit", "Whether this is a response.").Masked(0x80).
			Named(dissect.Values{0: "Request", 1: "Response"})
	fPrivMore = proto.Uint8("priv.flags.more", "More bit", "Whether more of the response follows.").Masked(0x40)
	fAuthSeq  = proto.Uint8("priv.auth_seq", "Auth, sequence", "Whether the message is signed, and its number.").Dec()
	fAuth     = proto.Uint8("priv.auth", "Auth bit", "Whether the message is signed.").Masked(0x80)
	fSeq      = proto.Uint8("priv.seq", "Sequence number", "Number of this part of the response.").Masked(0x7f)
	fImpl     = proto.Uint8("priv.impl", "Implementation", "Whose requests these are.").Named(implementations)
	fRequest  = proto.Uint8("priv.reqcode", "Request code", "What is asked for.").Named(privateRequests)
	fErrCode  = proto.Uint8("priv.err", "Err", "Why the request failed.").Hex().Masked(0xf0).Named(privateErrors)
	fNumber   = proto.Uint16("priv.numitems", "Number of data items", "How many items follow.").Masked(0x0fff)
	fReserved = proto.Uint8("priv.reserved", "Reserved", "Always 0.").Hex().Masked(0xf0)
	fSize     = proto.Uint16("priv.itemsize", "Size of data item", "Length of one item.").Masked(0x0fff)
	fPrivData = proto.Bytes("priv.data", "Data", "The items, and what may follow them.")
)

// Operations whose responses carry a status word of their own meaning.
const (
	opStatus    = 1
	opVariables = 2
	opWrite     = 3
	opClock     = 4
	opClockSet  = 5
)

// control reads a control message behind its first byte.
func control(d *dissect.D) {
	at, v := d.Pos(), uint64(d.Peek(0))
	d.Put(fFlags2, v, at, min(1, d.Left()))
	d.Below(func() { d.Bits(fResponse, fError, fMore, fOpcode) })
	key := d.Uint(fSequence) | v&0x1f<<16 | 1<<63
	if v&0x80 == 0 {
		d.Request(key, fRespIn)
	} else {
		d.Response(key, fRespIn, fReqIn, fTime)
	}
	word := d.PeekUint(0, 2)
	assoc := d.PeekUint(2, 2)
	d.Uint(fStatus)
	if v&0x80 != 0 && !d.Short() {
		d.Below(func() { status(d, v, word, assoc) })
	}
	d.Uint(fAssoc)
	d.Uint(fOffset)
	n := int(d.Uint(fCount))
	if n > 0 && d.Left() > 0 {
		d.In(fData, func() { d.Within(n, func() { contents(d, v) }) })
	}
	if n := d.Left(); n >= 8 { // the data are padded to a multiple of four, and of eight when they are signed
		if n%4 != 0 {
			d.Bytes(fRest, n%4)
		}
		d.Bytes(fKeyID, 4)
		d.Rest(fMAC)
	}
	d.Rest(fRest)
}

// status shows what the status word of a response says: of the system, a peer, a clock or an error.
func status(d *dissect.D, flags, word, assoc uint64) {
	var fields []*dissect.Field
	switch op := flags & 0x1f; {
	case flags&0x40 != 0:
		fields = []*dissect.Field{fErrWord}
	case op == opClock || op == opClockSet:
		fields = []*dissect.Field{fClkState, fClkEvent}
	case op < opStatus || op > opWrite:
		return
	case assoc == 0:
		fields = []*dissect.Field{fSysLeap, fSysClock, fSysCount, fSysEvent}
	default:
		fields = peerWord
	}
	words(d, fields, word)
}

// peerWord are the parts of a status word that is about a peer.
var peerWord = []*dissect.Field{fPeerConf, fPeerAuth, fPeerOK, fPeerUp, fPeerCast, fPeerSel, fPeerCnt, fPeerEv}

// words shows the parts of the status word that was read last.
func words(d *dissect.D, fields []*dissect.Field, word uint64) {
	for _, f := range fields {
		d.Put(f, word, d.Pos()-2, 2)
	}
}

// texts are the operations whose data are one text.
var texts = map[uint64]*dissect.Field{
	6:  proto.String("ctrl.trapmsg", "Trap message", "What has happened."),
	8:  proto.String("ctrl.configuration", "Configuration", "Lines for the server's configuration."),
	9:  proto.String("ctrl.configuration", "Configuration", "The server's configuration."),
	10: proto.String("ctrl.mru", "MRU", "Who has asked lately."),
	11: proto.String("ctrl.ordlist", "Ordered List", "What is listed, in order."),
	12: proto.String("ctrl.nonce", "Nonce", "A text that proves that the asker has its address."),
}

// contents reads the data of a control message.
func contents(d *dissect.D, flags uint64) {
	switch op := flags & 0x1f; {
	case texts[op] != nil:
		d.Rest(texts[op])
	case op == opStatus && flags&0x80 != 0:
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			d.In(fPeer, func() {
				d.Uint(fAssoc)
				word := d.Uint(fStatus)
				d.Below(func() { words(d, peerWord, word) })
			})
		}
		d.Rest(fRest)
	default:
		items(d)
	}
}

// items shows the variables of a control message: text parted by commas that stand outside quotes.
func items(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		b, quoted, n := d.Data(), false, 0
		for n < len(b) && (quoted || b[n] != ',') {
			quoted = quoted != (b[n] == '"')
			n++
		}
		d.Bytes(fItem, min(n+1, len(b)))
	}
}

// private reads a message of ntpd's own management (mode 7).
func private(d *dissect.D) {
	v := uint64(d.Peek(0))
	d.Put(fPrivFlags, v, d.Pos(), 1)
	d.Below(func() { d.Bits(fPrivResp, fPrivMore, fVersion, fMode) })
	auth := uint64(d.Peek(0))
	d.Put(fAuthSeq, auth, d.Pos(), min(1, d.Left()))
	d.Below(func() { d.Bits(fAuth, fSeq) })
	d.Uint(fImpl)
	request := d.Uint(fRequest)
	d.Info().Set("{flags.vn:name}, private, {priv.flags.r:name}, {priv.reqcode:name}")
	d.Put(fErrCode, uint64(d.Peek(0)), d.Pos(), min(1, d.Left()))
	number := int(d.Uint(fNumber))
	d.Put(fReserved, uint64(d.Peek(0)), d.Pos(), min(1, d.Left()))
	size := int(d.Uint(fSize))
	if key := request | 3<<62; v&0x80 == 0 {
		d.Request(key, fRespIn)
	} else {
		d.Response(key, fRespIn, fReqIn, fTime)
	}
	if v&0x80 != 0 && !d.Short() {
		privateAnswer(d, request, number, size)
	}
	d.Rest(fPrivData)
}
