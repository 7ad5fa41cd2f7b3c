// Package mpls dissects the label stack of Multiprotocol Label Switching (RFC 3032, RFC 5462).
package mpls

import (
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// tableLabel is empty: what the first bytes do not tell is data.
const tableLabel dissect.Table = "mpls.label"

var proto = dissect.NewProtocol("mpls", "MPLS", "Multiprotocol Label Switching: labels that say where a packet goes.").
	Summary("MultiProtocol Label Switching Header, Label: {label:raw}[ ({label:name})], Exp: {exp}, S: {bottom}, TTL: " +
		"{ttl}").Color(dissect.HueBlue)

// The labels with a meaning of their own (RFC 3032 section 2.1, RFC 5586, RFC 6790, RFC 7274).
var special = map[uint64]string{0: "IPv4 Explicit-Null", 1: "Router Alert", 2: "IPv6 Explicit-Null", 3: "Implicit-Null",
	7: "Entropy Label Indicator (ELI)", 13: "Generic Associated Channel Label (GAL)", 14: "OAM Alert", 15: "Extension"}

var (
	fLabel = proto.Uint32("label", "MPLS Label", "Number by which routers know the path.").Masked(0xfffff000).
		Format(labelText)
	fExp    = proto.Uint32("exp", "MPLS Experimental Bits", "Traffic class.").Masked(0x00000e00)
	fBottom = proto.Uint32("bottom", "MPLS Bottom Of Label Stack", "This is the last label.").Masked(0x00000100)
	fTTL    = proto.Uint32("ttl", "MPLS TTL", "Routers that the packet may still pass.").Masked(0x000000ff)

	fControl = proto.Uint32("control_word", "PW Ethernet Control Word",
		"Numbers the frames of a wire. Wireshark has it as a protocol of its own.").Hex()

	nLabel = proto.Expert("invalid_label", dissect.Warn, "Invalid Label")
)

const (
	stack = dissect.Table("mpls.stack")

	implicitNull = 3 // never on the wire
)

// Plugin attaches MPLS to its EtherTypes, IP protocol number, PPP's number and UDP port (RFC 7510).
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: label, UDP: []uint16{6635}, Fits: fits,
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x8847}, {Table: dissect.TableEther, Value: 0x8848},
			{Table: dissect.TableIP, Value: 137},
			{Table: tables.PPPProtocol, Value: 0x0281}, {Table: tables.PPPProtocol, Value: 0x0283}, {Table: stack}}}
}

// fits tells whether a datagram can be a stack of labels with what may follow: an IP packet of the length that is left,
// or a frame.
func fits(d *dissect.D) bool {
	for at, p := 0, (dissect.Progress{}); at+4 < d.Left() && d.Peek(at+3) != 0 && p.Up(at+1); at += 4 {
		if d.Peek(at+2)&1 == 0 {
			continue
		}
		left := d.Left() - at - 4
		switch d.Peek(at+4) >> 4 {
		case 4:
			total := int(d.PeekUint(at+6, 2))
			return d.Peek(at+4) == 0x45 && total >= 20 && (total == left || d.CutShort())
		case 6:
			return left >= 40 && (d.CutShort() || 40+int(d.PeekUint(at+8, 2)) == left)
		}
		kind := d.PeekUint(at+20, 2) // of the frame behind a control word
		return d.PeekUint(at+4, 2) == 0 && left >= 18 &&
			(kind <= 1500 || kind == 0x0800 || kind == 0x0806 || kind == 0x8100 || kind == 0x86dd)
	}
	return false
}

func label(d *dissect.D) {
	v := d.Bits(fLabel, fExp, fBottom, fTTL)
	if d.Short() {
		return
	}
	if v>>12 == implicitNull {
		d.Expert(nLabel)
	}
	d.Info().Set("MPLS Label Switched Packet")
	if v>>8&1 == 0 {
		d.Next(stack, 0)
		return
	}
	// Nothing says what follows: routers look at the first four bits, as RFC 4928 says.
	switch d.Peek(0) >> 4 {
	case 4:
		d.Next(dissect.TableEther, 0x0800)
	case 6:
		d.Next(dissect.TableEther, 0x86dd)
	default:
		wire(d, uint32(v>>12))
	}
}

// wire hands on what is no IP packet: an Ethernet frame that the path carries like a wire (RFC 4448), with or without a
// control word in front.
func wire(d *dissect.D, label uint32) {
	switch {
	case d.Peek(0)>>4 == 0 && bridged(d, 4):
		d.Uint(fControl)
		d.Next(dissect.TableLink, 1)
	case bridged(d, 0):
		d.Next(dissect.TableLink, 1)
	default:
		d.Next(tableLabel, label)
	}
}

// bridged tells whether an Ethernet header with a well-known type stands some bytes ahead.
func bridged(d *dissect.D, at int) bool {
	switch d.PeekUint(at+12, 2) {
	case 0x0800, 0x0806, 0x8100, 0x86dd, 0x88a8, 0x88cc, 0x8847:
		return true
	}
	return false
}

func labelText(v uint64) string {
	if name := special[v]; name != "" {
		return fmt.Sprintf("%s (%d)", name, v)
	}
	if v < 16 {
		return fmt.Sprintf("Reserved - Unknown (%d)", v)
	}
	return fmt.Sprintf("%d (0x%05x)", v, v)
}
