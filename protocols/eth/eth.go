// Package eth dissects Ethernet II and IEEE 802.3 frames (IEEE 802.3-2018 clause 3), with the LLC and SNAP headers
// (IEEE 802.2) of the latter, and the tags of virtual LANs (IEEE 802.1Q).
package eth

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

// tableInvalid is empty: what an invalid type or length says is data.
const tableInvalid dissect.Table = "eth.invalid"

var proto = dissect.NewProtocol("eth", "Ethernet", "Ethernet II and IEEE 802.3 frames.").
	Traits(dissect.HandsOn | dissect.Underlies).Summary("[Ethernet II, Src: {src}, Dst: {dst}]").InfoWords()

var (
	fAddr    = proto.Ether("addr", "Address", "Source or destination address.")
	fDst     = proto.Ether("dst", "Destination", "Address of the receiver.").Also(fAddr).InColumn("%hd", nil)
	fSrc     = proto.Ether("src", "Source", "Address of the sender.").Also(fAddr).InColumn("%hs", nil)
	fIG      = ig("ig", "The address is of a group, not of one station.")
	fLG      = lg("lg", "The address was given locally, not by the factory.")
	fDstIG   = ig("dst.ig", "The receiver is a group, not one station.").Also(fIG)
	fDstLG   = lg("dst.lg", "The receiver's address was given locally, not by the factory.").Also(fLG)
	fSrcIG   = ig("src.ig", "The sender's address is of a group, which none may be.").Also(fIG)
	fSrcLG   = lg("src.lg", "The sender's address was given locally, not by the factory.").Also(fLG)
	fAddrRes = proto.String("addr_resolved", "Address (resolved)",
		"Source or destination address, by its name where it has one.").Hidden()
	fDstRes = proto.String("dst_resolved", "Destination (resolved)",
		"Address of the receiver, by its name where it has one.").Hidden().Also(fAddrRes)
	fSrcRes = proto.String("src_resolved", "Source (resolved)", "Address of the sender, by its name where it has one.").
		Hidden().Also(fAddrRes)
	fAddrOUI = proto.Uint24("addr.oui", "Address OUI", "Whose device it is: the first three bytes of either address.").
			Hidden()
	fDstOUI = proto.Uint24("dst.oui", "Destination OUI",
		"Whose device it is: the first three bytes of the receiver's address.").Hidden().Also(fAddrOUI)
	fSrcOUI = proto.Uint24("src.oui", "Source OUI",
		"Whose device it is: the first three bytes of the sender's address.").Hidden().Also(fAddrOUI)
	fAddrMake = proto.String("addr.oui_resolved", "Address OUI (resolved)", "The maker of either device.").Hidden()
	fDstMake  = proto.String("dst.oui_resolved", "Destination OUI (resolved)", "The maker of the receiver.").Hidden().
			Also(fAddrMake)
	fSrcMake = proto.String("src.oui_resolved", "Source OUI (resolved)", "The maker of the sender.").Hidden().
			Also(fAddrMake)
	fType    = proto.Uint16("type", "Type", "What the payload is (EtherType).").Hex().Named(etherTypes)
	fLen     = proto.Uint16("len", "Length", "Length of an 802.3 payload in bytes.")
	fBadType = proto.Uint16("invalid_lentype", "Invalid length/type", "Neither a length nor an EtherType.").HexFirst()
	fPad     = proto.Bytes("padding", "Padding", "Zeros that fill a short frame up to 60 bytes.").Late()
	fTail    = proto.Bytes("trailer", "Trailer", "Bytes behind the payload.").Late()
	fFCS     = proto.Uint32("fcs", "Frame check sequence", "Checksum over the frame (CRC-32), where the capture has it.").
			Hex().Late()
	fFCSStat = proto.Uint8("fcs.status", "FCS Status", "What the check of the checksum says.").
			Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived().Late()

	nGroup = proto.Expert("src_not_group", dissect.Warn,
		"The source is a group address, which no station may have (IEEE 802.3 section 3.2.3)")
	nType = proto.Expert("invalid_lentype.expert", dissect.Warn, "Neither a length nor an EtherType")
	nLen  = proto.Expert("len.past_end", dissect.Error, "The length goes past the end of the frame").
		About(dissect.AboutMalformed)
)

func ig(name, doc string) *dissect.Field {
	return proto.Bool(name, "IG bit", doc).Wide(3).Masked(0x010000).
		TrueFalse("Group address (multicast/broadcast)", "Individual address (unicast)")
}

func lg(name, doc string) *dissect.Field {
	return proto.Bool(name, "LG bit", doc).Wide(3).Masked(0x020000).
		TrueFalse("Locally administered address (this is NOT the factory default)",
			"Globally unique address (factory default)")
}

// Lengths go up to 1500, EtherTypes start at 1536 (IEEE 802.3 section 3.2.6).
const (
	maxLength = 1500
	minType   = 1536
)

// Plugin attaches Ethernet to its link type.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Ends: &dissect.EndLayer{Title: "Ethernet", Source: fSrc, Dest: fDst}, Dissect: frame,
		Repeats: &dissect.RepeatedHeader{Size: 14, Ends: &dissect.HeaderEnds{Size: 6,
			Ordinary: func(b []byte) bool { return b[6]&1 == 0 }}}, // no group sends anything
		On: []dissect.Key{{Table: dissect.TableLink, Value: 1}},
	}
}

func frame(d *dissect.D) {
	d.Inner().Export(dissect.ExportEthernet, d.Pos(), 0)
	dst := address(d, fDst, fDstLG, fDstIG, fDstRes, fDstOUI, fDstMake)
	src := address(d, fSrc, fSrcLG, fSrcIG, fSrcRes, fSrcOUI, fSrcMake)
	if src.Uint64()>>40&1 != 0 {
		d.Expert(nGroup)
	}
	d.Ends().Set(src, dst)
	kind := d.PeekUint(0, 2)
	title(d, kind)
	switch {
	case kind != 0 && kind <= maxLength:
		length := int(d.Uint(fLen))
		if length > d.Left() && !d.CutShort() {
			d.Expert(nLen)
		}
		d.Info().Set("{src} → {dst} 802.3")
		if d.PeekUint(0, 2) == 0xffff { // no LLC header: NetWare's own way
			payload(d, tables.RawEthernet, 0, length)
		} else {
			payload(d, dissect.TableLLC, 0, length)
		}
	case kind > maxLength && kind < minType:
		d.Uint(fBadType)
		d.Expert(nType)
		d.Info().Set("Ethernet Unknown: Invalid length/type: {invalid_lentype}")
		d.Next(tableInvalid, 0)
	default:
		d.Uint(fType)
		if d.Info().Wanted() && !d.Short() {
			d.Info().SetText([]byte(typeName(kind)))
		}
		payload(d, dissect.TableEther, uint32(kind), -1)
	}
}

// typeName is the Info text of a payload that nobody dissects.
func typeName(kind uint64) string {
	if name := etherTypes[kind]; name != "" {
		return name
	}
	return "Ethernet II"
}

// title writes the text of the protocol's node where it is no frame of Ethernet II.
func title(d *dissect.D, kind uint64) {
	switch {
	case d.Short():
		dissect.Relabel(d, proto.Self(), "Ethernet")
	case kind != 0 && kind < minType:
		dissect.Relabel(d, proto.Self(), "IEEE 802.3 Ethernet")
	}
}

// address reads an address and what can be said of it.
func address(d *dissect.D, f, lg, ig, resolved, oui, vendor *dissect.Field) dissect.Addr {
	at := d.Pos()
	a := d.Ether(f)
	if d.Short() || !d.WantedOf(proto) {
		return a
	}
	d.Below(func() {
		d.Names().Put(resolved, a, at, 6)
		d.Put(oui, a.Uint64()>>24, at, 3)
		if d.Wanted(vendor) {
			if name := d.Names().Vendor(a); name != "" {
				d.PutText(vendor, name, at, 6)
			}
		}
		d.Put(lg, a.Uint64()>>24, at, 3)
		d.Put(ig, a.Uint64()>>24, at, 3)
	})
	return a
}
