package touhou

import (
	"fmt"

	"remora/dissect"
)

var (
	fType = proto.Kind("type", "Packet type", types, "What the packet is; for game packets type and sub-type together.")
	fGame = proto.Uint8("game", "Direction",
		"0x0D goes from parent to child, 0x0E from child to parent; it does not tell who is the host.").Hex().Named(gameTypes)
	fSub = proto.Uint8("sub", "Sub-type", "Second byte of a game packet, as it was sent.").Hex().Named(subTypes)

	fUninit  = proto.UnknownBytes("uninitialised", "Uninitialised", "Leftover memory of the sender; it means nothing.")
	fUnknown = proto.UnknownBytes("unknown", "Unknown", "Bytes whose meaning nobody knows.")
	fExtra   = proto.UnknownBytes("extra", "Bytes behind the packet",
		"Bytes behind the end that the packet type's length rule gives.")

	fRequestIn  = proto.FrameRef("request_in", "Request in", "The packet that this one answers.")
	fAnsweredIn = proto.FrameRef("answered_in", "Answered in", "The packet that answers this one.")
	fTime       = proto.Span("time", "Round trip", "Time since the packet that this one answers.").Derived()

	nLength = proto.Expert("length.bad", dissect.Warn, "Length does not match the packet type")
	nWay    = proto.Expert("game.direction", dissect.Warn,
		"This sub-type goes the other way only: replays to the child, requests for them to the parent")
	nUnknown = proto.Expert("type.unknown", dissect.Hint, "Unknown packet type")
)

// packet dissects one datagram.
func packet(d *dissect.D) { d.Message(func() { message(d) }) }

func message(d *dissect.D) {
	whole := d.Data()
	if d.Peek(0) == hostGame && overwritten(whole, d.Missing()) {
		damagedReplay(d)
		return
	}
	want, known := length(whole)
	at := d.Pos()
	kind := d.Kind(fType, hostGame, clientGame)
	if b := d.Short(); b {
		return
	}
	if first := whole[0]; first == hostGame || first == clientGame {
		d.Below(func() {
			d.Put(fGame, uint64(first), at, 1)
			d.Put(fSub, uint64(whole[1]), at+1, 1)
		})
	}
	switch {
	case !known:
		d.Expert(nUnknown)
		d.Rest(fUnknown)
		return
	case want != len(whole) && !d.CutShort():
		d.ExpertText(nLength, fmt.Sprintf("%d bytes; this packet type has %d", len(whole), want))
	}
	body(d, kind, whole)
	if d.Left() > 0 && !d.Short() {
		d.Rest(fExtra)
	}
}

// body reads what follows the packet type.
func body(d *dissect.D, kind uint64, whole []byte) {
	if kind >= hostGame<<8 {
		gamePacket(d, kind, whole)
		return
	}
	switch kind {
	case hello:
		dissectHello(d)
	case punch:
		dissectPunch(d)
	case olleh:
		dissectOlleh(d)
	case chain:
		dissectChain(d)
	case initRequest:
		dissectInitRequest(d, whole)
	case initSuccess:
		dissectInitSuccess(d, whole)
	case initError:
		dissectInitError(d)
	case redirect:
		dissectRedirect(d)
	case quit:
		dissectQuit(d)
	case sokuTime, sokuTimeAck, sokuState, sokuSet, sokuSetAck:
		sokuroll(d, kind)
	default:
		otherMod(d, kind)
	}
}

func gamePacket(d *dissect.D, kind uint64, whole []byte) {
	if kind == clientGame<<8|subReplay || kind == hostGame<<8|subReplayRequest {
		d.Expert(nWay)
	}
	switch kind & 0xff {
	case subLoaded, subLoadedAck:
		dissectLoaded(d, kind)
	case subInput:
		dissectInput(d, whole)
	case subMatch:
		dissectMatch(d, kind, whole)
	case subMatchRequest:
		d.Request(keyMatch<<56|uint64(d.Dir)<<32, fAnsweredIn)
		noteScene(d, kind, 0)
		d.Info().Setf("%s", flow(kind))
	case subMatchAck:
		d.Response(keyMatch<<56|uint64(1-d.Dir)<<32, fAnsweredIn, fRequestIn, fTime)
		noteScene(d, kind, 0)
		d.Info().Setf("%s", flow(kind))
	case subReplay:
		dissectReplay(d, whole, false)
	case subReplayRequest:
		dissectReplayRequest(d)
	}
}

// The kinds of requests, in the upper byte of the keys that join them with their answers. The rest of a key says who
// asked, and for what.
const (
	keyHello = iota + 1
	keyInit
	keyLoaded
	keyMatch
	keyReplay // by match and words received
	keyReplayAny
	keyTime
	keySettings
	keyProbe
)

// flow says in the Info column where a game packet goes: down to a child, or up to the parent.
func flow(kind uint64) string {
	if kind>>8 == hostGame {
		return "to child"
	}
	return "to parent"
}

// length is how long the packet must be by the rule of its type, as far as its own counts tell; known is false for
// types that no source describes.
func length(b []byte) (n int, known bool) {
	if len(b) == 0 {
		return 1, true
	}
	if b[0] == hostGame || b[0] == clientGame {
		if len(b) < 2 {
			return 2, true
		}
		return gameLength(b)
	}
	if n, ok := fixed[b[0]]; ok {
		return n, true
	}
	switch b[0] {
	case initSuccess:
		if len(b) > 10 && le16(b[9:]) == 0 {
			return 13, true
		}
		return 81, true
	case 0x21: // the layout depends on the compiler
		return max(len(b), 2), true
	case 0x6B:
		return 20 + 2*int(at(b, 11)), true
	case 0x78:
		return 2 + 7*int(at(b, 1)), true
	}
	return len(b), false
}

// fixed are the lengths of the types that have one.
var fixed = map[byte]int{
	0x00: 1, hello: 37, punch: 21, olleh: 1, chain: 5, initRequest: 65, initError: 5, redirect: 69, quit: 1,
	sokuTime: 9, sokuTimeAck: 9, sokuState: 25, sokuSet: 3, sokuSetAck: 1,
	0x15: 1, 0x16: 2, 0x17: 69, 0x20: 1, 0x6C: 1, 0x6D: 2, 0x6E: 2, 0xD3: 4,
}

func gameLength(b []byte) (n int, known bool) {
	switch b[1] {
	case subLoaded, subLoadedAck:
		return 3, true
	case subInput:
		return 8 + 2*int(at(b, 7)), true
	case subMatch:
		h := int(at(b, 5))
		c := int(at(b, 10+2*h))
		return 19 + 2*h + 2*c, true
	case subMatchAck, subMatchRequest:
		return 2, true
	case subReplay:
		return 3 + int(at(b, 2)), true
	case subReplayRequest:
		return 7, true
	}
	return len(b), false
}

// need marks the packet short when n things that its own count promises are missing.
func need(d *dissect.D, n int) {
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
func le32(b []byte) uint32 { return uint32(le16(b)) | uint32(le16(b[2:]))<<16 }

func number(v uint64) string { return fmt.Sprint(v) }
