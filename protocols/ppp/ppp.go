// Package ppp dissects the Point-to-Point Protocol (RFC 1661): its header, the control protocols that set up the link
// (LCP) and what runs over it (IPCP, RFC 1332; IPV6CP, RFC 5072; CCP, RFC 1962), and the two old authentications (RFC
// 1334, RFC
// 1994).
package ppp

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("ppp", "PPP", "Point-to-Point Protocol.").Summary("Point-to-Point Protocol").
	Color(dissect.HueYellow)

const (
	kindIPv4   = 0x0021
	kindIPv6   = 0x0057
	kindIPCP   = 0x8021
	kindIPv6CP = 0x8057
	kindCCP    = 0x80fd
	kindLCP    = 0xc021
	kindPAP    = 0xc023
	kindCHAP   = 0xc223
)

var protocols = dissect.Values{kindIPv4: "Internet Protocol version 4", 0x002d: "Van Jacobson Compressed TCP/IP",
	0x002f: "Van Jacobson Uncompressed TCP/IP", 0x0031: "Bridging PDU", 0x003d: "PPP Multi-Link",
	kindIPv6: "Internet Protocol version 6", 0x00fd: "compressed packet", 0x0281: "MPLS Unicast", 0x0283: "MPLS Multicast",
	kindIPCP: "Internet Protocol Control Protocol", kindIPv6CP: "IPv6 Control Protocol",
	kindCCP: "Compression Control Protocol", kindLCP: "Link Control Protocol", kindPAP: "Password Authentication Protocol",
	0xc025: "Link Quality Report", kindCHAP: "Challenge Handshake Authentication Protocol",
	0xc227: "Extensible Authentication Protocol"}

var (
	fAddress = proto.Uint8("address", "Address", "Always 0xff.").Hex()
	fControl = proto.Uint8("control", "Control", "Always 3.").Hex()
	fProto   = proto.Uint16("protocol", "Protocol", "What the payload is.").Hex().Named(protocols)
)

// Plugin attaches PPP to its link types and to what carries it.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: frame,
		On: []dissect.Key{{Table: tables.PPP}, {Table: dissect.TableLink, Value: 9}, {Table: dissect.TableLink, Value: 50}}}
}

func frame(d *dissect.D) {
	if d.PeekUint(0, 2) == 0xff03 {
		d.Uint(fAddress)
		d.Uint(fControl)
	}
	at, kind, n := d.Pos(), d.PeekUint(0, 2), 2
	if d.Peek(0)&1 != 0 { // shortened to a byte (RFC 1661 section 6.5)
		kind, n = uint64(d.Peek(0)), 1
	}
	d.Skip(n)
	if d.Short() {
		return
	}
	d.Put(fProto, kind, at, n)
	if protocols[kind] == "" {
		d.Info().Set("PPP Unknown (0x{protocol:hex})")
	} else {
		d.Info().Set("PPP {protocol:name}")
	}
	switch kind {
	case kindIPv4:
		d.Next(dissect.TableEther, 0x0800)
	case kindIPv6:
		d.Next(dissect.TableEther, 0x86dd)
	case 0xc227:
		d.Next(tables.EAP, 0)
	default:
		d.Next(tables.PPPProtocol, uint32(kind))
	}
}
