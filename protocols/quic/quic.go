// Package quic dissects QUIC, versions 1 and 2 and the last drafts of 1 (RFC 8999, 9000, 9001, 9369): the headers of its packets,
// and what is in Initial packets, whose keys everybody can make. The handshake in them is handed to TLS by the table
// tls.handshake.
package quic

import (
	"encoding/hex"
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("quic", "QUIC", "QUIC: streams over UDP, encrypted from the start.").
	Called("QUIC IETF").Hued(dissect.HueMagenta)

// tableHandshake takes handshake messages of TLS.
const tableHandshake dissect.Table = "tls.handshake"

var (
	fKind     = proto.Kind("type", "Packet type", types, "What the packet is.").Dec().Derived().Wordless()
	fPacket   = proto.Group("packet", "Packet", "One of the packets of a datagram.").Summary("QUIC packet: {quic.type:name}")
	fPktLen   = proto.Uint32("packet_length", "Packet Length", "Bytes of the packet.").Derived()
	fForm     = proto.Uint8("header_form", "Header Form", "Whether the header is a long one.").Masked(0x80).Named(dissect.Values{0: "Short Header", 1: "Long Header"})
	fFixed    = proto.Bool("fixed_bit", "Fixed Bit", "It is set in all packets but those of version negotiation.").Masked(0x40).TrueFalse("True", "False")
	fLong1    = proto.Uint8("long.packet_type", "Packet Type", "What the packet is.").Masked(0x30).Named(longTypes)
	fLong2    = proto.Uint8("long.packet_type_v2", "Packet Type", "What the packet is, in version 2.").Masked(0x30).Named(longTypes2)
	fReserved = proto.Uint8("long.reserved", "Reserved", "Zero, when nothing hides it.").Masked(0x0c)
	fNumLen   = proto.Uint8("packet_number_length", "Packet Number Length", "Bytes of the packet number, less one.").Masked(0x03).
			Named(dissect.Values{0: "1 bytes", 1: "2 bytes", 2: "3 bytes", 3: "4 bytes"})
	fUnused    = proto.Uint8("vn.unused", "Unused", "Bits without meaning.").Hex().Masked(0x7f)
	fVersion   = proto.Uint32("version", "Version", "The version of QUIC.").Hex().Named(versions)
	fSupported = proto.Uint32("supported_version", "Supported Version", "A version that the server speaks.").Hex().Named(versions)
	fDCIL      = proto.Uint8("dcil", "Destination Connection ID Length", "Bytes of the ID.")
	fDCID      = proto.Bytes("dcid", "Destination Connection ID", "The receiver's ID for the connection.")
	fSCIL      = proto.Uint8("scil", "Source Connection ID Length", "Bytes of the ID.")
	fSCID      = proto.Bytes("scid", "Source Connection ID", "The sender's ID for the connection.")
	fTokenLen  = proto.Uint64("token_length", "Token Length", "Bytes of the token.")
	fToken     = proto.Bytes("token", "Token", "Proof that the client is where it says it is.")
	fLength    = proto.Uint64("length", "Length", "Bytes of the packet behind this.")
	fNumber    = proto.Uint64("packet_number", "Packet Number", "The packet's number, as far as it is sent.")
	fPayload   = proto.Bytes("payload", "Payload", "What the packet carries, encrypted.")
	fRetry     = proto.Bytes("retry_token", "Retry Token", "What the client must send back.")
	fTag       = proto.Bytes("retry_integrity_tag", "Retry Integrity Tag", "What proves that nobody changed the packet.")
	fShort     = proto.Group("short", "QUIC Short Header", "The header of packets once the handshake is over.")
	fSpin      = proto.Bool("spin_bit", "Spin Bit", "It changes once in a round trip, for those who measure.").Masked(0x20).TrueFalse("True", "False")
	fRest      = proto.Bytes("remaining_payload", "Remaining Payload", "What the packet carries, encrypted.")
	fPad       = proto.Bytes("coalesced_padding_data", "Coalesced Padding Data", "Bytes behind the last packet.")
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
)

var types = dissect.Values{typeInitial: "Initial", typeEarly: "0-RTT", typeHandshake: "Handshake", typeRetry: "Retry",
	typeNegotiation: "Version Negotiation", typeShort: "Protected Payload", typeUnknown: "Unknown version"}

// Plugin attaches QUIC to its port, and knows it by the first packet of a connection on others.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: datagram, UDP: []uint16{443}, Guess: guess,
		Stores: []dissect.AnyStore{&connections, &packets, &pieces}}
}

// minInitial is how long a datagram with a client's first packet is at least (RFC 9000 section 14.1).
const minInitial = 1200

// guess knows a connection by its first packet; on its own port, by the fixed bit.
func guess(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 8 || b[0]&0x40 == 0 && b[0]&0x80 == 0 {
		return dissect.No
	}
	if b[0]&0x80 == 0 {
		return dissect.Weak
	}
	version := uint32(d.PeekUint(1, 4))
	dcil := int(b[5])
	switch {
	case dcil > maxID || 6+dcil >= len(b) || int(b[6+dcil]) > maxID:
		return dissect.No
	case version == 0:
		return dissect.Weak
	case !spoken(version):
		return dissect.No
	case len(b) >= minInitial && b[0]&0x40 != 0 && longType(b[0], version) == typeInitial:
		return dissect.Strong
	}
	return dissect.Weak
}

// maxID is the length of connection IDs at most (RFC 9000 section 17.2).
const maxID = 20

// datagram reads the packets of a datagram, then hands on what handshakes they complete.
func datagram(d *dissect.D) {
	if d.Left() == 0 {
		return
	}
	var done []unit
	for d.More() && !d.Short() {
		if d.Peek(0)&0xc0 == 0 {
			d.Rest(fPad)
			break
		}
		d.In(fPacket, func() { done = packet(d, done) })
	}
	for _, u := range done {
		d.From("QUIC CRYPTO", u.bytes(d), func() { d.Next(tableHandshake, 0) })
	}
	if len(done) > 0 {
		d.Front()
	}
}

// packet reads one packet, and adds the handshake messages that it completes.
func packet(d *dissect.D, done []unit) []unit {
	if d.Peek(0)&0x80 == 0 {
		short(d)
		return done
	}
	version := uint32(d.PeekUint(1, 4))
	switch {
	case version == 0:
		negotiation(d)
		return done
	case !spoken(version):
		d.SetKind(fKind, typeUnknown)
		ids(d, fForm, fFixed)
		d.Rest(fPayload)
		return done
	}
	return long(d, version, done)
}

// ids reads what all long headers begin with (RFC 8999 section 5.1), and returns the IDs.
func ids(d *dissect.D, first ...*dissect.Field) (dcid, scid []byte) {
	d.Bits(first...)
	d.Uint(fVersion)
	if n := d.Uint(fDCIL); n > 0 {
		dcid = d.Bytes(fDCID, int(n))
	}
	if n := d.Uint(fSCIL); n > 0 {
		scid = d.Bytes(fSCID, int(n))
	}
	return dcid, scid
}

// say adds a packet to the Info column.
func say(d *dissect.D, kind uint64, dcid, scid []byte) {
	if !d.Texting() {
		return
	}
	text := types[kind]
	if len(dcid) > 0 {
		text += ", DCID=" + hex.EncodeToString(dcid)
	}
	if len(scid) > 0 {
		text += ", SCID=" + hex.EncodeToString(scid)
	}
	d.Listed(text)
}

// negotiation reads the versions that a server speaks (RFC 9000 section 17.2.1).
func negotiation(d *dissect.D) {
	d.SetKind(fKind, typeNegotiation)
	d.Set(fPktLen, uint64(d.Left()))
	dcid, scid := ids(d, fForm, fUnused)
	say(d, typeNegotiation, dcid, scid)
	for d.More() {
		d.Uint(fSupported)
	}
}

// long reads a packet with a long header (RFC 9000 section 17.2).
func long(d *dissect.D, version uint32, done []unit) []unit {
	start := d.Pos()
	kind := longType(d.Peek(0), version)
	d.SetKind(fKind, kind)
	f := fLong1
	if version == version2 {
		f = fLong2
	}
	dcid, scid := ids(d, fForm, fFixed, f)
	say(d, kind, dcid, scid)
	switch kind {
	case typeRetry:
		if d.Left() > 16 {
			d.Bytes(fRetry, d.Left()-16)
		}
		d.Rest(fTag)
		return done
	case typeInitial:
		n, ok := varint(d, fTokenLen)
		if !ok || n > uint64(d.Left()) {
			d.Skip(d.Left() + 1)
			return done
		}
		if n > 0 {
			d.Bytes(fToken, int(n))
		}
	}
	n, ok := varint(d, fLength)
	if !ok || n > uint64(d.Left()) {
		d.Skip(d.Left() + 1)
		return done
	}
	d.Set(fPktLen, uint64(d.Pos()-start)+n)
	if kind != typeInitial {
		d.Bytes(fRest, int(n))
		return done
	}
	return initial(d, start, int(n), version, dcid, done)
}

// short reads a packet of a connection whose handshake is over. The length of its ID is known from the handshake.
func short(d *dissect.D) {
	d.SetKind(fKind, typeShort)
	n := connections.Once(d, func(c *connection) note { return note{IDLen: c.idLen[1-d.Dir&1]} })
	d.Set(fPktLen, uint64(d.Left()))
	d.In(fShort, func() {
		d.Bits(fForm, fFixed, fSpin)
		if n.IDLen > 0 && d.Left() > int(n.IDLen) {
			id := d.Bytes(fDCID, int(n.IDLen))
			if d.Texting() {
				d.Listed(fmt.Sprintf("Protected Payload (KP0), DCID=%x", id))
			}
		} else if d.Texting() {
			d.Listed("Protected Payload (KP0)")
		}
	})
	d.Rest(fRest)
}

// varint reads a number of one, two, four or eight bytes (RFC 9000 section 16).
func varint(d *dissect.D, f *dissect.Field) (uint64, bool) {
	n := 1 << (d.Peek(0) >> 6)
	if n > d.Left() {
		d.Skip(n)
		return 0, false
	}
	v := d.PeekUint(0, n) & (1<<(8*n-2) - 1)
	d.Put(f, v, d.Pos(), n)
	d.Skip(n)
	return v, true
}
