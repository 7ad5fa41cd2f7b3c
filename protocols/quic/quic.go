// Package quic dissects QUIC, versions 1 and 2 and the drafts of 1 from 22 on (RFC 8999, 9000, 9001, 9221, 9369): the
// headers of its packets, and with the secrets of a key log (the format of NSS) all that is in them. Initial packets
// need none: everybody can make their keys. Connections are known by their IDs, wherever they move. The handshake is
// handed to TLS by the table tls.handshake, what streams carry by the table tls.alpn.
package quic

import (
	"encoding/binary"

	"remora/dissect"
	"remora/protocols/internal/keylog"
	"remora/protocols/internal/varint"
)

var proto = dissect.NewProtocol("quic", "QUIC", "QUIC: streams over UDP, encrypted from the start.").
	Summary("QUIC IETF").Color(dissect.HueMagenta)

var (
	fKind   = proto.Kind("type", "Packet type", types, "What the packet is.").Dec().Derived().Wordless()
	fPacket = proto.Group("packet", "Packet", "One of the packets of a datagram.").
		Summary("QUIC packet: {quic.type:name}")
	fConn = proto.Uint32("connection.number", "Connection Number", "Counts the capture's connections from 0.").
		Derived()
	fPktLen = proto.Uint32("packet_length", "Packet Length", "Bytes of the packet.").Derived()
	fForm   = proto.Uint8("header_form", "Header Form", "Whether the header is a long one.").Masked(0x80).
		Named(dissect.Values{0: "Short Header", 1: "Long Header"})
	fFixed = proto.Bool("fixed_bit", "Fixed Bit", "It is set in all packets but those of version negotiation.").
		Masked(0x40).TrueFalse("True", "False")
	fLong1 = proto.Uint8("long.packet_type", "Packet Type", "What the packet is.").Masked(0x30).Named(longTypes)
	fLong2 = proto.Uint8("long.packet_type_v2", "Packet Type", "What the packet is, in version 2.").Masked(0x30).
		Named(longTypes2)
	fFixed0 = proto.Uint8("short.reserved", "Reserved", "Zero, when nothing hides it.").Masked(0x18)
	fPhase  = proto.Bool("key_phase", "Key Phase Bit", "It changes with the keys.").Masked(0x04).
		TrueFalse("True", "False")
	fReserved = proto.Uint8("long.reserved", "Reserved", "Zero, when nothing hides it.").Masked(0x0c)
	fNumLen   = proto.Uint8("packet_number_length", "Packet Number Length", "Bytes of the packet number, less one.").
			Masked(0x03).
			Named(dissect.Values{0: "1 bytes", 1: "2 bytes", 2: "3 bytes", 3: "4 bytes"})
	fUnused    = proto.Uint8("vn.unused", "Unused", "Bits without meaning.").Hex().Masked(0x7f)
	fVersion   = proto.Uint32("version", "Version", "The version of QUIC.").Hex().Named(versions)
	fSupported = proto.Uint32("supported_version", "Supported Version", "A version that the server speaks.").Hex().
			Named(versions)
	fDCIL      = proto.Uint8("dcil", "Destination Connection ID Length", "Bytes of the ID.")
	fDCID      = proto.Bytes("dcid", "Destination Connection ID", "The receiver's ID for the connection.")
	fSCIL      = proto.Uint8("scil", "Source Connection ID Length", "Bytes of the ID.")
	fSCID      = proto.Bytes("scid", "Source Connection ID", "The sender's ID for the connection.")
	fTokenLen  = proto.Uint64("token_length", "Token Length", "Bytes of the token.")
	fToken     = proto.Bytes("token", "Token", "Proof that the client is where it says it is.")
	fLength    = proto.Uint64("length", "Length", "Bytes of the packet behind this.")
	fNumber    = proto.Uint64("packet_number", "Packet Number", "The packet's number, of which the last bytes are sent.")
	fPayload   = proto.Bytes("payload", "Payload", "What the packet carries, encrypted.")
	fProtected = proto.Bytes("protected_payload", "Protected Payload", "What the packet carries, encrypted.")
	fODCIL     = proto.Uint8("odcil", "Original Destination Connection ID Length", "Bytes of the ID, in drafts up to 24.")
	fODCID     = proto.Bytes("odcid", "Original Destination Connection ID",
		"The ID that the client began with, in drafts up to 24.")
	fRetry = proto.Bytes("retry_token", "Retry Token", "What the client must send back.")
	fTag   = proto.Bytes("retry_integrity_tag", "Retry Integrity Tag", "What proves that nobody changed the packet.")
	fShort = proto.Node("short", "QUIC Short Header", "The header of packets once the handshake is over.").
		Summary("QUIC Short Header[ DCID={quic.dcid}][ PKN={quic.packet_number}]")
	fSpin = proto.Bool("spin_bit", "Spin Bit", "It changes once in a round trip, for those who measure.").Masked(0x20).
		TrueFalse("True", "False")
	fRest   = proto.Bytes("remaining_payload", "Remaining Payload", "What the packet carries, encrypted.")
	fRandom = proto.Bytes("unpredictable_bits", "Unpredictable Bits",
		"Random bytes that make the packet look like others.")
	fReset = proto.Bytes("stateless_reset_token", "Stateless Reset Token",
		"What tells that the sender forgot the connection.")
	fPad     = proto.Bytes("coalesced_padding_data", "Coalesced Padding Data", "Bytes behind the last packet.")
	nUnknown = proto.Expert("connection.unknown", dissect.Chat,
		"Unknown QUIC connection. Missing Initial Packet or migrated connection?")
	nClosed = proto.Expert("decryption_failed", dissect.Hint,
		"Failed to decrypt handshake: the first packet or the secrets of the connection are missing").
		About(dissect.AboutDecryption)
	nFailed = proto.Expert("decryption_failed", dissect.Warn,
		"Decryption failed (checktag): the packet is damaged, or the secrets are others").About(dissect.AboutDecryption)
	nForged   = proto.Expert("bad_retry", dissect.Warn, "Retry Integrity Tag verification failure")
	nUnproved = proto.Expert("bad_retry", dissect.Warn, "Cannot verify Retry Packet due to unknown ODCID")
)

// The types of packets.
const (
	typeInitial = iota
	typeEarly
	typeHandshake
	typeRetry
	typeNegotiation
	typeShort
	typeUnknown
	typeReset
)

var types = dissect.Values{typeInitial: "Initial", typeEarly: "0-RTT", typeHandshake: "Handshake", typeRetry: "Retry",
	typeNegotiation: "Version Negotiation", typeShort: "Protected Payload", typeUnknown: "Unknown version",
	typeReset: "Stateless Reset"}

// Plugin attaches QUIC to its port, and knows it by the first packet of a connection on others.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Follow: followModes, Keys: keylog.TLS, Dissect: datagram,
		UDP: []uint16{443}, Guess: guess,
		Make: func(d *dissect.D, hand uint32) []byte { return hands.At(d, hand).bytes(d) }}
}

// minInitial is how long a datagram with a client's first packet is at least (RFC 9000 section 14.1).
const minInitial = 1200

// guess knows a connection by its first packet; on its own port, by its header; after a move, by its ID.
func guess(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 8 {
		return dissect.No
	}
	if b[0]&0x80 == 0 {
		return guessShort(d, b)
	}
	version := uint32(d.PeekUint(1, 4))
	dcil := int(b[5])
	switch {
	case dcil > maxID || 6+dcil >= len(b) || int(b[6+dcil]) > maxID || 7+dcil+int(b[6+dcil]) > len(b):
		return dissect.No
	case version == 0:
		return negotiates(b[7+dcil+int(b[6+dcil]):])
	case !spoken(version):
		return dissect.No
	case len(b)+d.Missing() >= minInitial && b[0]&0x40 != 0 && longType(b[0], version) == typeInitial &&
		(!greased(version) || fills(b[7+dcil+int(b[6+dcil]):])):
		return dissect.Strong
	}
	return dissect.Weak
}

// fills tells whether a token and a packet with their lengths in front, as in an Initial packet behind its IDs, take
// all bytes: what a version says that nobody speaks must have that.
func fills(b []byte) bool {
	for range 2 {
		size, n := varint.Number(b)
		if n == 0 || size > uint64(len(b)-n) {
			return false
		}
		b = b[n+int(size):]
	}
	return len(b) == 0
}

// negotiates tells whether bytes are versions, among them one that is spoken.
func negotiates(b []byte) dissect.Confidence {
	for at := 0; len(b)%4 == 0 && at < len(b); at += 4 {
		if v := binary.BigEndian.Uint32(b[at:]); spoken(v) && !greased(v) {
			return dissect.Strong
		}
	}
	return dissect.Weak
}

func guessShort(d *dissect.D, b []byte) dissect.Confidence {
	if w := worlds.PeekIn(d); w != nil {
		for n := maxID; n >= minGuess; n-- {
			if w.sizes&(1<<n) != 0 && 1+n < len(b) {
				if _, ok := w.ids[idOf(b[1:1+n])]; ok {
					return dissect.Strong
				}
			}
		}
	}
	if b[0]&0x40 == 0 {
		return dissect.No
	}
	return dissect.Weak
}

// minGuess is how long an ID is by which a connection is known at a new address: shorter ones are met by chance.
const minGuess = 4

// A reader reads one datagram.
type reader struct {
	d     *dissect.D
	head  head
	note  note
	link  *link // in the first pass alone
	from  int
	space int
	items []item // what to say and to hand on
	early int    // how many of them are of earlier packets
	first []byte // the ID in the first packet
	count int    // packets
	hands int    // frames that completed something
}

// datagram reads the packets of a datagram, then hands on what streams and handshakes they complete.
func datagram(d *dissect.D) {
	if d.Left() == 0 {
		return
	}
	r := reader{d: d}
	for more := d.Elements(); !d.Short() && more.Next(); {
		if r.count > 0 && !r.goesOn() {
			d.Rest(fPad)
			break
		}
		d.In(fPacket, r.packet)
		r.count++
	}
	r.conclude()
}

// goesOn tells whether what follows is one more packet of the same connection (RFC 9000 section 12.2).
func (r *reader) goesOn() bool {
	b := r.d.Data()
	if b[0]&0x80 == 0 {
		return (b[0] != 0 || len(r.first) > 0) && len(b) > len(r.first) && string(b[1:1+len(r.first)]) == string(r.first)
	}
	return len(b) > 6 && len(b) >= 6+int(b[5]) && string(b[6:6+int(b[5])]) == string(r.first)
}

// packet reads one packet.
func (r *reader) packet() {
	d := r.d
	r.drop()
	r.head = head{start: d.Pos()}
	if d.Peek(0)&0x80 == 0 {
		r.short()
		return
	}
	r.head.version = uint32(d.PeekUint(1, 4))
	switch {
	case r.head.version == 0:
		r.negotiation()
	case !spoken(r.head.version):
		d.SetKind(fKind, typeUnknown)
		r.ids(fForm, fFixed)
		d.Rest(fPayload)
	default:
		r.long()
	}
}

// pass lets the packet move the state on. Its payload is at hand in the first pass alone.
func (r *reader) pass(size int) (payload []byte) {
	d, h := r.d, &r.head
	h.size = size
	r.link = nil
	r.note = worlds.FirstPassIn(d, func(w *world) (n note) {
		if d.Conversation() == nil {
			return n
		}
		refs, ok := d.Stream().RefsAt(h.start, size)
		if !ok || len(refs) != 1 {
			return n
		}
		n, r.link, r.from, payload = w.pass(d, h, d.Stream().Gather(refs))
		return n
	})
	if r.count == 0 && r.note.Link != 0 {
		d.Set(fConn, uint64(r.note.Link-1))
	}
	return payload
}
