// Package edp dissects the Extreme Discovery Protocol, by which Extreme's switches tell each other who they are: the
// header and what a switch says of itself.
package edp

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("edp", "EDP", "Extreme Discovery Protocol: switches that tell who they are.").
	Summary("Extreme Discovery Protocol").Color(dissect.HueYellow)

var (
	fVersion  = proto.Uint8("version", "Version", "Version of the protocol.")
	fReserved = proto.Uint8("reserved", "Reserved", "Zero.")
	fLength   = proto.Uint16("length", "Data length", "Length of the message with this header.")
	fSum      = proto.Uint16("checksum", "EDP checksum", "Checksum of the message.").Hex()
	fSeq      = proto.Uint16("seqno", "Sequence number", "Number of the message.")
	fIDType   = proto.Uint16("midtype", "Machine ID type", "How the sender is named.").Named(dissect.Values{0: "MAC"})
	fMAC      = proto.Ether("midmac", "Machine MAC", "The sender.")
	fTLV      = proto.Group("tlv", "Element", "One thing that is told.").Summary("{edp.tlv.type:name}")
	fMarker   = proto.Uint8("tlv.marker", "TLV Marker", "Always 0x99.").Hex()
	fType     = proto.Kind("tlv.type", "TLV type", types, "What is told.").Dec().Wordless()
	fSize     = proto.Uint16("tlv.length", "TLV length", "Length of the element with its header.")
	fName     = proto.String("display.string", "Name", "The sender's name.")
	fSlot     = proto.Uint16("info.slot", "Slot", "Slot of the port, counted from 1.")
	fPort     = proto.Uint16("info.port", "Port", "The port, counted from 1.")
	fChassis  = proto.Uint16("info.vchassid", "Virt chassis", "Number of the virtual chassis.")
	fSpare    = proto.Bytes("info.reserved", "Reserved", "Zero.")
	fRelease  = proto.Uint32("info.version", "Version", "Version of the sender's program, a byte for each part.").Hex()
	fLinks    = proto.Bytes("info.vchassconn", "Connections", "Connections of the virtual chassis.")
	fData     = proto.Bytes("unknown.data", "Unknown", "What another element tells.")
	fRest     = proto.Bytes("trailing", "Trailing bytes", "Bytes behind the last element.").Unknown()

	fReleases = [...]*dissect.Field{
		proto.Uint8("info.version.major1", "Version (major1)", "The first part."),
		proto.Uint8("info.version.major2", "Version (major2)", "The second part."),
		proto.Uint8("info.version.sustaining", "Version (sustaining)", "The third part."),
		proto.Uint8("info.version.internal", "Version (internal)", "The fourth part."),
	}

	nMarker = proto.Expert("short_tlv", dissect.Error, "The element has no marker or is shorter than its header").
		About(dissect.AboutMalformed)
)

const (
	typeNull    = 0
	typeDisplay = 1
	typeInfo    = 2
	marker      = 0x99
	extreme     = 0x00bb // the number in SNAP, with Extreme's organization code
)

var types = dissect.Values{typeNull: "Null", typeDisplay: "Display", typeInfo: "Info", 5: "VL", 8: "ESRP", 11: "EAPS",
	13: "ELRP", 14: "ESL", 15: "ELSM", 21: "Link"}

// Plugin attaches the protocol to its number in SNAP.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, On: []dissect.Key{{Table: tables.LLCExtreme, Value: extreme}}}
}

func message(d *dissect.D) {
	d.Info().Setf("EDP:")
	for _, f := range []*dissect.Field{fVersion, fReserved, fLength, fSum, fSeq, fIDType} {
		d.Uint(f)
	}
	d.Ether(fMAC)
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		size := int(d.PeekUint(2, 2))
		if d.Peek(0) != marker || size < 4 {
			d.Expert(nMarker)
			break
		}
		last := d.Peek(1) == typeNull
		d.Within(size, func() { d.In(fTLV, func() { element(d) }) })
		if last {
			break
		}
	}
	d.Rest(fRest)
}

// info reads where the sender's port is, and the version of its program.
func info(d *dissect.D) {
	if d.Left() >= 4 {
		for _, f := range []*dissect.Field{fSlot, fPort} {
			d.Put(f, d.PeekUint(0, 2)+1, d.Pos(), 2)
			d.Skip(2)
		}
	}
	d.Uint(fChassis)
	d.Bytes(fSpare, 6)
	v, at := d.PeekUint(0, 4), d.Pos()
	d.Uint(fRelease)
	if d.Short() {
		return
	}
	d.Below(func() {
		for i, f := range fReleases {
			d.Put(f, v>>(24-8*i)&0xff, at+i, 1)
		}
	})
}

func element(d *dissect.D) {
	d.Uint(fMarker)
	kind := d.Kind(fType)
	d.Uint(fSize)
	if kind != typeNull && d.Info().Wanted() && !d.Short() {
		name := types[kind]
		if name == "" {
			name = "Unknown"
		}
		d.Info().Setf("%s", name)
	}
	switch kind {
	case typeDisplay:
		d.Padded(fName, d.Left())
	case typeInfo:
		info(d)
		d.Rest(fLinks)
	}
	d.Rest(fData)
}
