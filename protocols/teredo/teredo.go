// Package teredo dissects Teredo (RFC 4380): packets of IPv6 in datagrams, through NATs.
package teredo

import (
	"encoding/binary"

	"remora/dissect"
)

var proto = dissect.NewProtocol("teredo", "Teredo", "Teredo: packets of IPv6 in datagrams.").
	Summary("Teredo IPv6 over UDP tunneling").Color(dissect.HueBlue)

var (
	fHeader  = proto.Uint16("header", "Header", "What stands in front of the packet.").Hidden().Own()
	gAuth    = proto.Group("auth", "Teredo Authentication header", "Proof of who sent the packet.")
	fIDLen   = proto.Uint8("auth.idlen", "Client identifier length", "Length of the client's name.")
	fAuthLen = proto.Uint8("auth.aulen", "Authentication value length", "Length of the proof.")
	fID      = proto.Bytes("auth.id", "Client identifier", "The client's name.")
	fAuth    = proto.Bytes("auth.value", "Authentication value", "The proof.")
	fNonce   = proto.Bytes("auth.nonce", "Nonce value", "Random bytes, which the server sends back.")
	fConfirm = proto.Bytes("auth.conf", "Confirmation byte", "Zero where the proof is good.")
	gOrigin  = proto.Group("orig", "Teredo Origin Indication header", "Where the server got the packet from.")
	fPort    = proto.Uint16("orig.port", "Origin UDP port", "The client's port outside of its NAT, sent inverted.")
	fAddr    = proto.IPv4("orig.addr", "Origin IPv4 address", "The client's address outside of its NAT, sent inverted.")
)

// Plugin attaches Teredo to its port, and finds it on others by the addresses that belong to it.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: []uint16{3544}, Guess: guess, Evidence: evidence}
}

// What stands in front of the packet, by the first two bytes (RFC 4380 section 5.1.1), and the lengths of it.
const (
	isOrigin   = 0
	isAuth     = 1
	authSize   = 13 // without the name and the proof
	originSize = 8
	ipv6Size   = 40
)

// inner is the packet of IPv6 in a datagram; nil where there is none.
func inner(b []byte) []byte {
	if len(b) >= 4 && binary.BigEndian.Uint16(b) == isAuth {
		b = b[min(len(b), authSize+int(b[2])+int(b[3])):]
	}
	if len(b) >= originSize && binary.BigEndian.Uint16(b) == isOrigin {
		b = b[originSize:]
	}
	if len(b) < ipv6Size || b[0]>>4 != 6 {
		return nil
	}
	return b
}

func guess(d *dissect.D) dissect.Confidence {
	b := inner(d.Data())
	switch {
	case b == nil || int(binary.BigEndian.Uint16(b[4:]))+ipv6Size != len(b)+d.Missing():
		return dissect.No
	case ofTeredo(b[8:]) || ofTeredo(b[24:]):
		return dissect.Strong
	}
	return dissect.Likely
}

func evidence(*dissect.D) string {
	return "the packet of IPv6 inside has the length that it says"
}

// ofTeredo tells whether an address is in the network of Teredo, 2001::/32.
func ofTeredo(b []byte) bool { return binary.BigEndian.Uint32(b) == 0x20010000 }

func packet(d *dissect.D) {
	info := d.Info()
	if d.PeekUint(0, 2) == isAuth {
		info.Setf("Authentication header")
		d.In(gAuth, func() {
			d.Uint(fHeader)
			n, size := d.Uint(fIDLen), d.Uint(fAuthLen)
			if n > 0 {
				d.Bytes(fID, int(n))
			}
			if size > 0 {
				d.Bytes(fAuth, int(size))
			}
			d.Bytes(fNonce, 8)
			d.Bytes(fConfirm, 1)
		})
	}
	if d.Left() >= originSize && d.PeekUint(0, 2) == isOrigin {
		info.Setf("Origin indication")
		d.In(gOrigin, func() {
			d.Uint(fHeader)
			d.Put(fPort, ^d.PeekUint(0, 2)&0xffff, d.Pos(), 2)
			d.Put(fAddr, ^d.PeekUint(2, 4)&0xffffffff, d.Pos()+2, 4)
			d.Skip(6)
		})
	}
	d.Next(dissect.TableEther, 0x86dd)
}
