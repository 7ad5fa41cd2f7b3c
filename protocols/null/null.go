// Package null dissects the four bytes in front of packets on BSD loopback interfaces (LINKTYPE_NULL, LINKTYPE_LOOP,
// www.tcpdump.org/linktypes).
package null

import "remora/dissect"

// tableFamily is empty: what other address families carry is data.
const tableFamily dissect.Table = "null.family"

var proto = dissect.NewProtocol("null", "NULL/Loopback", "The header of BSD loopback interfaces.").
	Traits(dissect.HandsOn | dissect.Underlies).Summary("Null/Loopback")

var families = dissect.Values{2: "IP", 7: "OSI", 16: "Appletalk", 23: "Netware IPX/SPX", 24: "IPv6", 28: "IPv6",
	30: "IPv6"}

var (
	fFamily = proto.Uint32("family", "Family",
		"Address family of the payload, in the byte order of the capturing machine or in network order.").Named(families)
	fType = proto.Uint16("type", "Type", "What the payload is (EtherType), as some machines write instead of a family.").
		Hex().
		Named(dissect.Values{0x0800: "IPv4", 0x0806: "ARP", 0x86dd: "IPv6"})
)

// linkLoop is LINKTYPE_LOOP, whose header is always in network order.
const linkLoop = 108

// Plugin attaches the header to its link types.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: loopback,
		On: []dissect.Key{{Table: dissect.TableLink, Value: 0}, {Table: dissect.TableLink, Value: linkLoop}}}
}

func loopback(d *dissect.D) {
	v := d.PeekUint(0, 4)
	if v >= 1<<16 && d.Inner().Key() != linkLoop { // the other byte order
		v = v>>24 | v>>8&0xff00 | v<<8&0xff0000 | v<<24&0xff000000
	}
	at := d.Pos()
	d.Skip(4)
	if d.Short() {
		return
	}
	if v > 1500 && v < 1<<16 {
		d.Put(fType, v, at, 4)
		d.Next(dissect.TableEther, uint32(v))
		return
	}
	d.Put(fFamily, v, at, 4)
	switch v {
	case 2:
		d.Next(dissect.TableEther, 0x0800)
	case 24, 28, 30:
		d.Next(dissect.TableEther, 0x86dd)
	default:
		d.Next(tableFamily, uint32(v))
	}
}
