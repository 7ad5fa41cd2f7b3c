// Package gre dissects Generic Routing Encapsulation (RFC 2784 with the keys and numbers of RFC 2890, the routing of
// RFC 1701, and the enhanced header of PPTP, RFC 2637).
package gre

import (
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("gre", "GRE", "Generic Routing Encapsulation: packets of any protocol in IP packets.").
	Summary("Generic Routing Encapsulation[ ({proto:name})]").Color(dissect.HueBlue)

var protocols = dissect.Values{0x0000: "Possible GRE keepalive packet", 0x0800: "IP", 0x0806: "ARP",
	0x2001: "Frame Relay ARP", 0x00fe: "OSI", 0x6558: "Transparent Ethernet bridging", 0x6559: "Frame Relay",
	0x8100: "802.1Q Virtual LAN",
	0x86dd: "IPv6", 0x8847: "MPLS label switched packet", 0x8848: "MPLS multicast label switched packet", 0x880b: "PPP",
	0x883e: "WCCP", 0x88be: "ERSPAN", 0x22eb: "ERSPAN III", 0x894f: "NSH", 0x9000: "Cisco loopback"}

var (
	fFlags  = proto.Uint16("flags_and_version", "Flags and Version", "Which parts the header has, and its version.").Hex()
	fProto  = proto.Uint16("proto", "Protocol Type", "What the payload is (EtherType).").Hex().Named(protocols)
	fSum    = proto.Uint16("checksum", "Checksum", "Checksum over header and payload.").Hex()
	fStatus = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").
		Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fOffset  = proto.Uint16("offset", "Offset", "Place of the active route in bytes.")
	fKey     = proto.Uint32("key", "Key", "Which of several tunnels the packet belongs to.").Hex()
	fPayload = proto.Uint16("key.payload_length", "Payload Length", "Length of the payload in bytes (PPTP).")
	fCall    = proto.Uint16("key.call_id", "Call ID", "The receiver's number of the call (PPTP).")
	fSeq     = proto.Uint32("sequence_number", "Sequence Number", "Number of the packet.")
	fAck     = proto.Uint32("ack_number", "Acknowledgment Number", "Number of the highest packet received (PPTP).")
	fRouting = proto.Node("routing", "Routing", "Routes that the packet shall take.")
	fFamily  = proto.Uint16("routing.address_family", "Address Family", "Sort of route; 0 ends the list.")
	fSREOff  = proto.Uint8("routing.sre_offset", "SRE Offset", "Place of the active address in bytes.")
	fSRELen  = proto.Uint8("routing.src_length", "SRE Length", "Length of the route in bytes.")
	fRoute   = proto.Bytes("routing.information", "Routing Information", "The route.")

	nSum = proto.Expert("checksum.incorrect", dissect.Warn, "Incorrect GRE Checksum")
)

var (
	bSum     = bit("checksum", "Checksum Bit", 0x8000, "There is a checksum.")
	bRouting = bit("routing", "Routing Bit", 0x4000, "There are routes.")
	bKey     = bit("key", "Key Bit", 0x2000, "There is a key.")
	bSeq     = bit("sequence_number", "Sequence Number Bit", 0x1000, "There is a sequence number.")
	bStrict  = bit("strict_source_route", "Strict Source Route Bit", 0x0800, "The routes must be followed.")
	bRecurse = proto.Uint16("flags.recursion_control", "Recursion control", "Further encapsulations allowed.").
			Masked(0x0700)
	bAck     = bit("ack", "Acknowledgment", 0x0080, "There is an acknowledgment (PPTP).")
	bReserv  = proto.Uint16("flags.reserved", "Flags (Reserved)", "Zero.").Masked(0x00f8)
	bReserv1 = proto.Uint16("flags.reserved", "Flags (Reserved)", "Zero, in the header of PPTP.").Masked(0x0078)
	bVersion = proto.Uint16("flags.version", "Version", "0, or 1 for PPTP.").Masked(0x0007).
			Named(dissect.Values{0: "GRE", 1: "Enhanced GRE"}).Format(func(v uint64) string { return versionText(v) })
)

func bit(name, label string, mask uint64, doc string) *dissect.Field {
	return proto.Bool("flags."+name, label, doc).Wide(2).Masked(mask).TrueFalse("Yes", "No")
}

func versionText(v uint64) string {
	switch v {
	case 0:
		return "GRE (0)"
	case 1:
		return "Enhanced GRE (1)"
	}
	return fmt.Sprintf("Unknown (%d)", v)
}

// Plugin attaches GRE to its IP protocol number and, in datagrams, to its port (RFC 8086).
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: dissect.TableIP, Value: 47}},
		UDP: []uint16{4754}, Fits: fits}
}

// fits tells whether a header can be one of GRE in UDP: with no flags but those of RFC 8086 section 3.3, and an
// EtherType.
func fits(d *dissect.D) bool {
	return d.PeekUint(0, 2)&^0xb000 == 0 && d.PeekUint(2, 2) >= 0x600
}

const (
	kindPPP    = 0x880b
	kindBridge = 0x6558
	kindERSPAN = 0x88be

	kindERSPAN3 = 0x22eb
)

func packet(d *dissect.D) {
	whole := d.Data()
	flags := header(d)
	kind := d.Uint(fProto)
	if d.Short() {
		return
	}
	if d.Info().Wanted() {
		name := protocols[kind]
		if name == "" {
			name = fmt.Sprintf("0x%04x (unknown)", kind)
		}
		d.Info().Setf("Encapsulated %s", name)
	}
	if flags&0xc000 != 0 {
		checksum(d, whole, flags&0x8000 != 0)
	}
	length := key(d, flags, kind)
	if flags&0x1000 != 0 {
		d.Uint(fSeq)
	}
	if flags&7 == 1 && flags&0x80 != 0 {
		d.Uint(fAck)
	}
	if flags&0x4000 != 0 {
		routes(d)
	}
	if length >= 0 {
		d.Limit(length)
	}
	hand(d, kind, flags)
}

// hand gives the payload to the protocol that the header names.
func hand(d *dissect.D, kind, flags uint64) {
	switch kind {
	case kindPPP:
		d.Next(tables.PPP, 0)
	case kindBridge:
		d.Next(dissect.TableLink, 1)
	case kindERSPAN, kindERSPAN3:
		if kind == kindERSPAN && flags&0x1000 == 0 {
			kind = 0 // type I has no header, and GRE no sequence number
		}
		d.Next(tables.GRE, uint32(kind))
	default:
		d.Next(dissect.TableEther, uint32(kind))
	}
}

func header(d *dissect.D) uint64 {
	at := d.Pos()
	v := d.Uint(fFlags)
	if d.Short() {
		return 0
	}
	fields := []*dissect.Field{bSum, bRouting, bKey, bSeq, bStrict, bRecurse, bReserv, bVersion}
	if v&7 == 1 {
		fields = []*dissect.Field{bSum, bRouting, bKey, bSeq, bStrict, bRecurse, bAck, bReserv1, bVersion}
	}
	d.Below(func() {
		for _, f := range fields {
			d.Put(f, v, at, 2)
		}
	})
	return v
}

// key reads the key; in PPTP it holds the payload's length, which comes back, else -1.
func key(d *dissect.D, flags, kind uint64) int {
	if flags&0x2000 == 0 {
		return -1
	}
	if flags&7 != 1 || kind != kindPPP {
		d.Uint(fKey)
		return -1
	}
	n := int(d.Uint(fPayload))
	d.Uint(fCall)
	return n
}

// checksum verifies the checksum, which is there with the offset even if only one of them counts.
func checksum(d *dissect.D, whole []byte, counts bool) {
	sum := d.Uint(fSum)
	if !counts && !d.Short() {
		d.Set(fStatus, 2)
	}
	if counts && !d.Short() && (d.Wanted(fStatus) || d.Wanted(nSum)) {
		right := uint64(dissect.Checksum(whole[:4], whole[6:]))
		switch {
		case d.CutShort() || d.Quoted():
			d.Suffix(fSum, " [unverified]")
			d.Set(fStatus, 2)
		case right == sum:
			d.Suffix(fSum, " [correct]")
			d.Set(fStatus, 1)
		default:
			d.Suffix(fSum, fmt.Sprintf(" incorrect, should be 0x%04x", right))
			d.Set(fStatus, 0)
			d.ExpertText(nSum, fmt.Sprintf("Incorrect GRE Checksum [should be 0x%04x]", right))
		}
	}
	d.Uint(fOffset)
}

// routes reads the list of routes up to the one of family 0 (RFC 1701).
func routes(d *dissect.D) {
	d.In(fRouting, func() {
		for more := d.Elements(); more.Next(); {
			family := d.Uint(fFamily)
			d.Uint(fSREOff)
			n := int(d.Uint(fSRELen))
			if family == 0 && n == 0 {
				return
			}
			if n > 0 {
				d.Bytes(fRoute, n)
			}
		}
	})
}
