// Package wireguard dissects WireGuard's messages (the protocol's paper, section 5.4): the handshake and the header of
// what is encrypted. Numbers are little-endian.
package wireguard

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"

	"remora/dissect"
)

var proto = dissect.NewProtocol("wg", "WireGuard", "WireGuard: an encrypted tunnel over UDP.").LittleEndian().
	Summary("WireGuard Protocol").Color(dissect.HueMagenta)

var (
	fType      = proto.Kind("type", "Type", types, "What the message is.").Dec().Wordless()
	fReserved  = proto.Bytes("reserved", "Reserved", "Always zero.")
	fSender    = proto.Uint32("sender", "Sender", "The index by which the sender wants to be addressed.").Hex()
	fReceiver  = proto.Uint32("receiver", "Receiver", "The index that the receiver gave itself.").Hex()
	fEphemeral = proto.String("ephemeral", "Ephemeral", "The sender's public key for this handshake, in Base64.")
	fStatic    = proto.Node("encrypted_static", "Encrypted Static", "The sender's lasting public key, encrypted.")
	fStamp     = proto.Node("encrypted_timestamp", "Encrypted Timestamp", "When the handshake began, encrypted.")
	fEmpty     = proto.Node("encrypted_empty", "Encrypted Empty", "Nothing, encrypted: proof of the key.")
	fPayload   = proto.Node("encrypted_packet", "Encrypted Packet", "An IP packet, encrypted.")
	fCipher    = proto.Bytes("encrypted", "Encrypted bytes", "Bytes that only the receiver can read.").Hidden()
	fMAC1      = proto.Bytes("mac1", "mac1", "Proof that the sender knows the receiver's public key.")
	fMAC2      = proto.Bytes("mac2", "mac2", "Proof that the sender got the receiver's cookie.")
	fNonce     = proto.Bytes("nonce", "Nonce", "A number used once.")
	fCookie    = proto.Bytes("encrypted_cookie", "Encrypted Cookie", "The cookie, encrypted.")
	fCounter   = proto.Uint64("counter", "Counter", "Number of the packet.")
	fStream    = proto.Uint32("stream", "Stream index", "Number of the session, counted from 0.").Derived()
	fRespIn    = proto.FrameRef("response_in", "Response in Frame", "The answer to this initiation.")
	fRespTo    = proto.FrameRef("response_to", "Response to Frame", "The initiation that this answers.")
	fRest      = proto.Bytes("trailing", "Trailing bytes", "Bytes behind the message.").Unknown()

	nShort = proto.Expert("bad_packet_length", dissect.Error, "Packet length is too small").About(dissect.AboutMalformed)
	nAlive = proto.Expert("keepalive", dissect.Chat, "This is a Keepalive message").About(dissect.AboutSequence)
)

const (
	initiation = iota + 1
	response
	cookie
	data
)

var types = dissect.Values{initiation: "Handshake Initiation", response: "Handshake Response", cookie: "Cookie Reply",
	data: "Transport Data"}

// Lengths of the messages; of data, the least.
var lengths = [...]int{initiation: 148, response: 92, cookie: 64, data: 32}

// A handshake joins initiation and response by the index that the first gave itself.
type handshakes struct {
	count   uint32
	indices int                                       // among streams
	streams map[[2]dissect.Endpoint]map[uint32]uint32 // the session of an index

	exchanges map[uint32]*exchange // of sessions that may be decrypted
}

// maxSessions bounds the indices remembered.
const maxSessions = 1 << 16

// A streamNote is the number of a session, plus one, and what opens the message: in the list of keys, or what was
// opened.
type streamNote struct {
	Stream, Key, Opened uint32
	Why                 uint8 // what keeps it closed, where there are keys
}

var sessions = dissect.NewStore[handshakes, streamNote]()

// Plugin attaches WireGuard to its port. On others it is known by the form of its handshake and by its ends.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Keys: secrets, Dissect: message, UDP: []uint16{51820}, Guess: recognise,
		Make: remake}
}

// recognise goes by the type, the three zero bytes behind it and the length that goes with it.
func recognise(d *dissect.D) dissect.Confidence {
	b, size := d.Data(), d.Left()+d.Missing()
	if len(b) < 4 || b[0] < initiation || b[0] > data || b[1]|b[2]|b[3] != 0 {
		return dissect.No
	}
	if b[0] == data {
		if size >= lengths[data] && size%16 == 0 {
			return dissect.Weak
		}
		return dissect.No
	}
	switch {
	case size != lengths[b[0]]:
		return dissect.No
	case b[0] == initiation && size == len(b) && bytes.Count(b[132:], []byte{0}) == 16: // no cookie yet
		return dissect.Strong
	}
	return dissect.Weak
}

func message(d *dissect.D) {
	whole := d.Data()
	kind := d.Kind(fType)
	d.Bytes(fReserved, 3)
	if kind >= initiation && kind <= data && d.Left()+4 < lengths[kind] && !d.CutShort() {
		d.Expert(nShort)
	}
	n := session(d, kind, whole)
	var o opened
	if n.Opened != 0 {
		o = openings.At(d, n.Opened)
	}
	switch kind {
	case initiation:
		sender := d.Uint(fSender)
		key(d, fEphemeral)
		private(d, n, fEphemeralPrivate, o.EphemeralPrivate)
		sealed(d, fStatic, 48)
		o.showStatic(d)
		sealed(d, fStamp, 28)
		o.showStamp(d)
		o.macs(d)
		d.Info().Setf("%s, sender=0x%08X", types[kind], sender)
		d.Request(sender, fRespIn)
	case response:
		sender := d.Uint(fSender)
		receiver := d.Uint(fReceiver)
		key(d, fEphemeral)
		private(d, n, fEphemeralPrivate, o.EphemeralPrivate)
		sealed(d, fEmpty, 16)
		if o.Tried {
			d.Set(fOK, truth(o.OK))
		}
		o.macs(d)
		d.Info().Setf("%s, sender=0x%08X, receiver=0x%08X", types[kind], sender, receiver)
		d.Response(receiver, fRespIn, fRespTo, nil)
	case cookie:
		receiver := d.Uint(fReceiver)
		d.Bytes(fNonce, 24)
		d.Bytes(fCookie, 32)
		d.Info().Setf("%s, receiver=0x%08X", types[kind], receiver)
		d.Response(receiver, fRespIn, fRespTo, nil)
	case data:
		packet(d, n, whole)
	default:
		d.Info().Set("{type:name}")
	}
	if n.Stream != 0 {
		d.Set(fStream, uint64(n.Stream-1))
	}
	d.Rest(fRest)
}

func packet(d *dissect.D, n streamNote, whole []byte) {
	at := d.Pos() - (len(whole) - d.Left())
	receiver, counter := d.Uint(fReceiver), d.Uint(fCounter)
	size := d.Left() - 16
	if size > 0 {
		d.Info().Setf("Transport Data, receiver=0x%08X, counter=%d, datalen=%d", receiver, counter, size)
	} else {
		d.Info().Setf("Keepalive, receiver=0x%08X, counter=%d", receiver, counter)
	}
	if size == 0 {
		d.Expert(nAlive)
	}
	sealed(d, fPayload, d.Left())
	if n.Key == 0 || len(whole) < lengths[data] {
		if why := whys[n.Why]; why != nil {
			d.Expert(why)
		}
		return
	}
	d.Spend(len(whole))
	plain := unseal(d, n.Key, whole)
	switch {
	case plain == nil:
		d.Expert(nSealed)
	case len(plain) > 0:
		ref, _ := d.Stream().RefAt(at, len(whole))
		recipe := func() uint32 { return packets.Put(d, sealedPacket{ref, n.Key}) }
		d.Stream().FromDecrypted("Decrypted Packet", plain, recipe, func() { inside(d, plain) })
	}
}

// A sealedPacket is a message with data, and the number of its key.
type sealedPacket struct {
	At  dissect.Ref
	Key uint32
}

var packets = dissect.NewList[sealedPacket]()

// remake opens a message again.
func remake(d *dissect.D, n uint32) []byte {
	p := packets.At(d, n)
	return unseal(d, p.Key, d.Stream().Remade(p.At))
}

// unseal opens a message with data, or gives nil.
func unseal(d *dissect.D, number uint32, whole []byte) []byte {
	if len(whole) < lengths[data] {
		return nil
	}
	key := transport.At(d, number)
	return open(key[:], binary.LittleEndian.Uint64(whole[8:]), whole[16:], nil)
}

// inside hands on the packet; what stands behind its length is padding.
func inside(d *dissect.D, plain []byte) {
	switch {
	case plain[0]>>4 == 4:
		d.Next(dissect.TableEther, 0x0800)
	case plain[0]>>4 == 6:
		d.Next(dissect.TableEther, 0x86dd)
	default:
		d.Rest(fRest)
	}
}

// session finds the number of the message's session by the indices in it.
func session(d *dissect.D, kind uint64, whole []byte) streamNote {
	first, second := uint32(d.PeekUint(0, 4)), uint32(d.PeekUint(4, 4))
	return sessions.FirstPassIn(d, func(s *handshakes) streamNote {
		n := streamNote{Stream: s.find(d.Src, d.Dst, kind, first, second)}
		s.unlock(d, kind, whole, first, &n)
		return n
	})
}

// find keeps the indices by their owners. The number is that of the initiation, plus one; 0 is unknown.
func (s *handshakes) find(src, dst dissect.Endpoint, kind uint64, first, second uint32) uint32 {
	if s.streams == nil || s.indices > maxSessions {
		s.indices, s.streams = 0, map[[2]dissect.Endpoint]map[uint32]uint32{}
	}
	set := func(owner [2]dissect.Endpoint, index, stream uint32) {
		if s.streams[owner] == nil {
			s.streams[owner] = map[uint32]uint32{}
		}
		s.streams[owner][index] = stream
		s.indices++
	}
	mine, theirs := [2]dissect.Endpoint{src, dst}, [2]dissect.Endpoint{dst, src}
	switch kind {
	case initiation:
		s.count++
		set(mine, first, s.count)
		return s.count
	case response:
		n := s.streams[theirs][second]
		if n != 0 {
			set(mine, first, n)
		}
		return n
	case cookie, data:
		return s.streams[theirs][first]
	}
	return 0
}

// key reads a public key.
func key(d *dissect.D, f *dissect.Field) {
	at, b := d.Pos(), d.Data()
	d.Skip(32)
	if !d.Short() && d.Wanted(f) {
		d.PutText(f, base64.StdEncoding.EncodeToString(b[:32]), at, 32)
	}
}

// sealed reads n encrypted bytes.
func sealed(d *dissect.D, f *dissect.Field, n int) {
	d.In(f, func() { d.Bytes(fCipher, n) })
}

// unlock goes through handshakes with the keys there are, and finds the key of data.
func (s *handshakes) unlock(d *dissect.D, kind uint64, whole []byte, index uint32, n *streamNote) {
	if tableKeys.Loaded(d) == nil && secret(d, byNumber, numbered(nil, 0)) == nil || len(whole) < 32 ||
		kind < initiation || kind > data || len(whole) < lengths[kind] {
		return
	}
	if n.Stream == 0 {
		n.Why = whyStart
		return
	}
	if s.exchanges == nil || len(s.exchanges) >= maxSessions {
		s.exchanges = map[uint32]*exchange{}
	}
	e := s.exchanges[n.Stream]
	switch kind {
	case initiation:
		made, o := initiate(d, whole)
		s.exchanges[n.Stream] = made
		n.Opened = openings.Put(d, o)
	case response:
		n.Opened = openings.Put(d, e.respond(d, whole))
		if e != nil {
			e.answer = index
		}
	case data:
		if e != nil {
			n.Key = e.keys[1]
			if index == e.answer { // the responder's: the initiator sends
				n.Key = e.keys[0]
			}
		}
		if n.Key == 0 {
			n.Why = whyMissing
		}
	}
}
