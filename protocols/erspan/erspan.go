// Package erspan dissects frames that switches copy to a listener elsewhere (Encapsulated Remote SPAN, within GRE;
// draft-foschiano-erspan). Type I has no header of its own, types II and III say where the frame was met.
package erspan

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("erspan", "ERSPAN",
	"Encapsulated Remote Switch Packet Analysis: frames that a switch copies to a listener elsewhere.").
	Summary("Encapsulated Remote Switch Packet ANalysis[ {erspan.version:name}]").Color(dissect.HueBlue)

var (
	fVersion = proto.Uint16("version", "Version", "Form of the header.").Masked(0xf000).
			Named(dissect.Values{1: "Type II", 2: "Type III"})
	fVLAN  = proto.Uint16("vlan", "Vlan", "The frame's VLAN.").Masked(0x0fff)
	fCOS   = proto.Uint16("cos", "COS", "Class of service.").Masked(0xe000)
	fEncap = proto.Uint16("encap", "Encap", "How the VLAN was written in the frame.").Masked(0x1800).
		Named(dissect.Values{
			0: "Originally without VLAN tag", 1: "Originally ISL encapsulated", 2: "Originally 802.1Q encapsulated",
			3: "VLAN tag preserved in frame",
		})
	fSound = proto.Uint16("bso", "Bad/Short/Oversized", "Whether the frame was whole.").Masked(0x1800).
		Named(dissect.Values{
			0: "Good or unknown integrity", 1: "Short frame", 2: "Oversized frame", 3: "CRC or alignment error",
		})
	fCut = proto.Uint16("truncated", "Truncated", "Whether the copy was cut.").Masked(0x0400).
		Named(dissect.Values{0: "Not truncated", 1: "Truncated"})
	fSession  = proto.Uint16("spanid", "SpanID", "Number of the session that copies.").Masked(0x03ff)
	fReserved = proto.Uint32("reserved", "Reserved", "Zero.").Masked(0xfff00000)
	fIndex    = proto.Uint32("index", "Index", "Port and direction, in the switch's own numbers.").Masked(0x000fffff)
	fStamp    = proto.Uint32("timestamp", "Timestamp", "When the frame was met.")
	fGroup    = proto.Uint16("sgt", "Security Group Tag", "Group of the sender.")
	fPDU      = proto.Uint16("p", "Has Ethernet PDU", "Whether this is a frame of Ethernet.").Masked(0x8000)
	fKind     = proto.Uint16("ft", "Frame Type", "What the copy begins with.").Masked(0x7c00).
			Named(dissect.Values{0: "Ethernet", 2: "IP"})
	fHardware = proto.Uint16("hw", "Hardware ID", "Number of the part that copied it.").Masked(0x03f0)
	fOut      = proto.Bool("direction", "Direction", "Which way the frame went.").Wide(2).Masked(0x0008).
			TrueFalse("Egress", "Ingress")
	fGrain = proto.Uint16("gra", "Timestamp granularity", "Unit of the timestamp.").Masked(0x0006).
		Named(dissect.Values{0: "100 microseconds", 1: "100 nanoseconds", 2: "IEEE 1588", 3: "Custom granularity"})
	fMore     = proto.Uint16("o", "Optional Sub headers", "Whether the platform adds something.").Masked(0x0001)
	fPlatform = proto.Uint32("platid", "Platform ID", "Which platform's form it has.").Masked(0xfc000000)
	fOther    = proto.Bytes("platform", "Platform specific", "What the platform adds.")
)

// platforms are the fields behind a platform's number in its first word, and those of the second.
var platforms = map[uint64][2][]*dissect.Field{
	1: {{word("pid1.rsvd1", "Reserved", "Zero.", 0x03fff000),
		word("pid1.vsmid", "VSM Domain ID", "Domain of the switch.", 0xfff)},
		{word("pid1.port_index", "Port ID/Index", "The port.", 0)}},
	3: {{word("pid3.rsvd1", "Reserved", "Zero.", 0x03ffc000),
		word("pid3.port_index", "Port ID/Index", "The port.", 0x3fff)},
		{word("pid3.timestamp", "Upper 32-bit Timestamp", "The timestamp's upper half.", 0)}},
	5: {{word("pid5.switchid", "Switch ID", "The switch.", 0x03ff0000),
		word("pid5.port_index", "Port ID/Index", "The port.", 0xffff)},
		{word("pid5.timestamp", "Timestamp (seconds)", "Seconds of the timestamp.", 0)}},
	7: {{word("pid7.rsvd1", "Reserved", "Zero.", 0x03f00000),
		word("pid7.source_index", "Source Index", "The port.", 0xfffff)},
		{word("pid7.timestamp", "Upper 32-bit Timestamp", "The timestamp's upper half.", 0)}},
}

func word(name, label, doc string, mask uint64) *dissect.Field {
	f := proto.Uint32(name, label, doc)
	if mask != 0 {
		f = f.Masked(mask)
	}
	return f
}

// Plugin attaches ERSPAN to its numbers in GRE. Type I is there where GRE counts no packets, which it does for the
// others.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet,
		On: []dissect.Key{{Table: tables.GRE, Value: plain}, {Table: tables.GRE, Value: second},
			{Table: tables.GRE, Value: third}}}
}

// The keys: a frame without a header, and the protocol numbers of types II and III.
const (
	plain  = 0
	second = 0x88be
	third  = 0x22eb
)

func packet(d *dissect.D) {
	ip := false
	switch d.Inner().Key() {
	case plain:
	case second:
		d.Bits(fVersion, fVLAN)
		d.Bits(fCOS, fEncap, fCut, fSession)
		d.Bits(fReserved, fIndex)
	default:
		ip = header3(d)
	}
	if ip {
		d.Next(dissect.TableEther, 0x0800)
	} else {
		d.Next(dissect.TableLink, 1)
	}
}

// header3 reads the header of type III and tells whether an IP packet follows.
func header3(d *dissect.D) (ip bool) {
	d.Bits(fVersion, fVLAN)
	d.Bits(fCOS, fSound, fCut, fSession)
	d.Uint(fStamp)
	d.Uint(fGroup)
	v := d.PeekUint(0, 2)
	d.Bits(fPDU, fKind, fHardware, fOut, fGrain, fMore)
	if v&1 != 0 && !d.Short() {
		platform(d)
	}
	return v>>10&0x1f == 2
}

// platform reads the eight bytes that some platforms add.
func platform(d *dissect.D) {
	fields, ok := platforms[d.PeekUint(0, 4)>>26]
	if !ok {
		d.Put(fPlatform, d.PeekUint(0, 4), d.Pos(), min(4, d.Left()))
		d.Bytes(fOther, 8)
		return
	}
	d.Bits(fPlatform, fields[0]...)
	d.Bits(fields[1][0], fields[1][1:]...)
}
