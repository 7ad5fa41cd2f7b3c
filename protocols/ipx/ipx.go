// Package ipx dissects the Internetwork Packet Exchange, the network layer of Novell's NetWare.
package ipx

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

// tableSocket is empty: what sockets carry is data.
const tableSocket dissect.Table = "ipx.socket"

var proto = dissect.NewProtocol("ipx", "IPX", "Internetwork Packet Exchange, the network layer of NetWare.").
	Traits(dissect.HandsOn | dissect.Underlies).
	Summary("Internetwork Packet eXchange, Src: {src.node}, Dst: {dst.node}")

var sockets = dissect.Values{0x0451: "NCP", 0x0452: "SAP", 0x0453: "RIP", 0x0455: "NetBIOS", 0x0456: "Diagnostic",
	0x0457: "Serialization"}

var (
	fSum    = proto.Uint16("checksum", "Checksum", "Checksum of the packet; 0xffff: none.").Hex()
	fLength = proto.Uint16("len", "Length", "Length of the packet with its header.").In("bytes")
	fHops   = proto.Uint8("hops", "Transport Control", "How many routers it has passed.").In("hops")
	fType   = proto.Uint8("packet_type", "Packet Type", "What the packet carries.").Hex().
		Named(dissect.Values{0: "Unknown", 1: "RIP", 2: "Echo", 3: "Error", 4: "PEP", 5: "SPX", 17: "NCP",
			20: "NetBIOS Broadcast"})
	fNet  = proto.Uint32("net", "Source or Destination Network", "Network of either end.").Hex()
	fNode = proto.Ether("node", "Source or Destination Node", "Node of either end.")
	fPort = proto.Uint16("socket", "Source or Destination Socket", "Socket of either end.").Hex().Named(sockets)

	fDstNet  = proto.Uint32("dst.net", "Destination Network", "Network of the receiver.").Hex().Also(fNet)
	fDstNode = proto.Ether("dst.node", "Destination Node", "The receiver.").Also(fNode)
	fDstPort = proto.Uint16("dst.socket", "Destination Socket", "Socket of the receiver.").Hex().Named(sockets).Also(fPort)
	fSrcNet  = proto.Uint32("src.net", "Source Network", "Network of the sender.").Hex().Also(fNet)
	fSrcNode = proto.Ether("src.node", "Source Node", "The sender.").Also(fNode)
	fSrcPort = proto.Uint16("src.socket", "Source Socket", "Socket of the sender.").Hex().Named(sockets).Also(fPort)
)

// Plugin attaches IPX to what Ethernet and LLC call it.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet,
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x8137}, {Table: tables.LLCPayload, Value: 0xe0},
			{Table: tables.RawEthernet, Value: 0}}}
}

func packet(d *dissect.D) {
	d.Uint(fSum)
	length := int(d.Uint(fLength))
	d.Uint(fHops)
	d.Uint(fType)
	d.Uint(fDstNet)
	d.Ether(fDstNode)
	to := d.Uint(fDstPort)
	d.Uint(fSrcNet)
	d.Ether(fSrcNode)
	from := d.Uint(fSrcPort)
	if d.Info().Wanted() && !d.Short() {
		d.Info().Setf("%s (0x%04x)", sockets[to], to)
	}
	d.Within(min(max(0, length-30), d.Left()), func() {
		if d.More() {
			d.Next(tableSocket, uint32(min(to, from)))
		}
	})
}
