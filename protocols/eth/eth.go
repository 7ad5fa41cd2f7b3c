// Package eth dissects Ethernet II and IEEE 802.3 frames (IEEE 802.3-2018 clause 3), with the LLC and SNAP headers
// (IEEE 802.2) of the latter.
package eth

import "remora/dissect"

var proto = dissect.NewProtocol("eth", "Ethernet", "Ethernet II and IEEE 802.3 frames.").Called("Ethernet II, Src: {src}, Dst: {dst}")

var (
	fAddr = proto.Ether("addr", "Address", "Source or destination address.")
	fDst  = proto.Ether("dst", "Destination", "Address of the receiver.").Also(fAddr)
	fSrc  = proto.Ether("src", "Source", "Address of the sender.").Also(fAddr)
	fIG   = proto.Bool("ig", "IG bit", "The address is of a group, not of one station.").Wide(3).Masked(0x010000).TrueFalse("Group address (multicast/broadcast)", "Individual address (unicast)")
	fLG   = proto.Bool("lg", "LG bit", "The address was given locally, not by the factory.").Wide(3).Masked(0x020000).TrueFalse("Locally administered address", "Globally unique address (factory default)")
	fType = proto.Uint16("type", "Type", "What the payload is (EtherType).").Hex().Named(etherTypes)
	fLen  = proto.Uint16("len", "Length", "Length of an 802.3 payload.").In("bytes")
	fPad  = proto.Bytes("padding", "Padding", "Zeros that fill a short frame up to 60 bytes.").Late()
	fTail = proto.Bytes("trailer", "Trailer", "Bytes behind the payload.").Late()
)

// etherTypes are the names of the common types (IEEE registry).
var etherTypes = dissect.Values{
	0x0800: "IPv4", 0x0806: "ARP", 0x0842: "Wake on LAN", 0x22f3: "TRILL", 0x8035: "RARP", 0x809b: "AppleTalk", 0x80f3: "AARP",
	0x8100: "802.1Q Virtual LAN", 0x8137: "IPX", 0x86dd: "IPv6", 0x8808: "MAC Control", 0x8809: "Slow Protocols", 0x8847: "MPLS label switched packet",
	0x8848: "MPLS multicast", 0x8863: "PPPoE Discovery", 0x8864: "PPPoE Session", 0x888e: "802.1X Authentication", 0x88a8: "802.1ad Provider Bridge (Q-in-Q)",
	0x88cc: "802.1 Link Layer Discovery Protocol (LLDP)", 0x88e5: "802.1AE (MACsec)", 0x88f7: "PTPv2 over Ethernet", 0x8906: "FCoE", 0x9000: "Configuration Test Protocol (loop)", 0x9100: "802.1QinQ (old)",
}

// Plugin attaches Ethernet to its link type.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: frame, On: []dissect.Key{{Table: dissect.TableLink, Value: 1}}}
}

func frame(d *dissect.D) {
	dst := address(d, fDst)
	src := address(d, fSrc)
	d.Between(src, dst)
	kind := d.PeekUint(0, 2)
	if kind < 0x600 {
		length := d.Uint(fLen)
		d.Info("{src} → {dst} 802.3")
		payload(d, dissect.TableLLC, 0, int(length))
		return
	}
	d.Uint(fType)
	if d.Texting() {
		d.Infof("%s", etherTypes[kind])
	}
	payload(d, dissect.TableEther, uint32(kind), -1)
}

func address(d *dissect.D, f *dissect.Field) dissect.Addr {
	at := d.Pos()
	a := d.Ether(f)
	if d.Wanted(fIG) || d.Wanted(fLG) {
		if !d.Short() {
			d.Below(func() {
				d.Put(fLG, a.Uint64()>>24, at, 3)
				d.Put(fIG, a.Uint64()>>24, at, 3)
			})
		}
	}
	return a
}

// payload hands on the payload; what it leaves is the frame's padding and trailer. A length of -1 is not known here.
func payload(d *dissect.D, t dissect.Table, key uint32, length int) {
	d.Behind(length, func() { d.Next(t, key) }, func() {
		if allZero(d.Data()) && d.FrameLen() <= 64 {
			d.Rest(fPad)
		} else {
			d.Rest(fTail)
		}
	})
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
