// Package vxlan dissects Virtual eXtensible Local Area Networks (RFC 7348, with the group policy extension): Ethernet
// frames in datagrams.
package vxlan

import (
	"strings"

	"remora/dissect"
)

var proto = dissect.NewProtocol("vxlan", "VxLAN",
	"Virtual eXtensible Local Area Network: Ethernet frames in datagrams.").
	Summary("Virtual eXtensible Local Area Network").Color(dissect.HueBlue)

var (
	fFlags = proto.Uint16("flags", "Flags", "Which of the fields count.").Hex()
	fGroup = proto.Bool("flag_g", "GBP Extension", "The group policy is there.").Wide(2).Masked(0x8000).
		TrueFalse("Defined", "Not defined")
	fHasVNI = proto.Bool("flag_i", "VXLAN Network ID (VNI)", "The network's number is there.").Wide(2).Masked(0x0800).
		TrueFalse("True", "False")
	fStay = proto.Bool("flag_d", "Don't Learn", "The receiver shall not learn the inner source address.").Wide(2).
		Masked(0x0040).TrueFalse("True", "False")
	fPolicy = proto.Bool("flag_a", "Policy Applied", "The group's policy was applied already.").Wide(2).Masked(0x0008).
		TrueFalse("True", "False")
	fReserv = proto.Uint16("flags_reserved", "Reserved(R)", "Zero.").Hex().Masked(0x77b7)
	fGBP    = proto.Uint16("gbp", "Group Policy ID", "Group of the sender.")
	fVNI    = proto.Uint24("vni", "VXLAN Network Identifier (VNI)", "Number of the virtual network.")
	fZero   = proto.Uint8("reserved8", "Reserved", "Zero.")
)

// Plugin attaches VXLAN to its port, and to the one that Linux took before there was one.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: []uint16{4789, 8472}, Fits: guess}
}

// headerLength is that of the header; an Ethernet header must follow.
const headerLength = 8

// guess holds the second port, and the first, to what a header of the kind looks like.
func guess(d *dissect.D) bool {
	b := d.Data()
	if len(b) < headerLength {
		return d.CutShort()
	}
	return header(b)
}

func packet(d *dissect.D) {
	at := d.Pos()
	v := d.Uint(fFlags)
	if !d.Short() {
		d.Below(func() {
			for _, f := range [...]*dissect.Field{fGroup, fHasVNI, fStay, fPolicy, fReserv} {
				d.Put(f, v, at, 2)
			}
		})
		if d.Labelling() {
			d.Suffix(fFlags, flagText(v))
		}
	}
	d.Uint(fGBP)
	d.Uint(fVNI)
	d.Uint(fZero)
	d.Next(dissect.TableLink, 1)
}

func flagText(v uint64) string {
	var b strings.Builder
	for _, f := range [...]*dissect.Field{fGroup, fHasVNI, fStay, fPolicy} {
		if v&f.Mask() != 0 {
			b.WriteString(", " + f.Label())
		}
	}
	return b.String()
}

// header tells whether the bytes can be one: a network, and zero where nothing is defined, with the group policy or
// without it.
func header(b []byte) bool {
	if b[0]&0x80 != 0 {
		return b[0] == 0x88 && b[1]&^0x48 == 0 && b[7] == 0
	}
	return b[0]&0xf8 == 0x08 && b[1]|b[2] == 0 && b[7] == 0
}
