package links

import "remora/dissect"

// tableExported is empty: what names no protocol that is known here is data.
const tableExported dissect.Table = "exported_pdu.prot_name"

var exportedProto = dissect.NewProtocol("exported_pdu", "Exported PDU",
	"What Wireshark writes in front of packets that it took out of others, with what it knows of them.").
	Traits(dissect.HandsOn | dissect.Underlies).Summary("EXPORTED_PDU")

// Tags of the header (wsutil/exported_pdu_tlvs.h of Wireshark).
const (
	tagEnd       = 0
	tagName      = 12
	tagHeuristic = 13
	tagTable     = 14
	tagIPv4Src   = 20
	tagIPv4Dst   = 21
	tagIPv6Src   = 22
	tagIPv6Dst   = 23
	tagPortType  = 24
	tagSrcPort   = 25
	tagDstPort   = 26
	tagFrame     = 30
	tagTableVal  = 32
	tagColumn    = 33
	tagTCP       = 34
	tagDirection = 35
)

// portUDP is UDP among the types of ports.
const portUDP = 3

var (
	feTag = exportedProto.Uint16("tag", "Tag", "What the piece of the header tells.").Named(dissect.Values{
		tagEnd: "End-of-options", 10: "Total length of the options excluding this TLV", 11: "Linktype value",
		tagName: "PDU content dissector name", tagHeuristic: "PDU content heuristic dissector name",
		tagTable: "PDU content dissector table name", tagIPv4Src: "IPv4 Source Address",
		tagIPv4Dst: "IPv4 Destination Address", tagIPv6Src: "IPv6 Source Address",
		tagIPv6Dst: "IPv6 Destination Address", tagPortType: "Port Type", tagSrcPort: "Source Port",
		tagDstPort: "Destination Port", 28: "SS7 OPC", 29: "SS7 DPC", tagFrame: "Original Frame number",
		31: "DVB-CI event", tagTableVal: "Dissector table value", tagColumn: "Column Protocol String",
		tagTCP: "TCP Dissector Data", tagDirection: "P2P direction"})
	feLength    = exportedProto.Uint16("tag_len", "Length", "Bytes of the piece behind this field.")
	feUnknown   = exportedProto.Bytes("unknown_tag.val", "Unknown tags value", "A piece of another sort.")
	feName      = exportedProto.String("prot_name", "Protocol Name", "The protocol of the packet.")
	feHeuristic = exportedProto.String("heur_prot_name", "Heuristic Protocol Name",
		"What recognised the protocol of the packet.")
	feTable    = exportedProto.String("dis_table_name", "Dissector Table Name", "Table of the packet's protocol.")
	feTableVal = exportedProto.Uint32("dis_table_val", "Value to use when calling dissector table",
		"The packet's protocol in that table.")
	feIPv4Src  = exportedProto.IPv4("ipv4_src", "IPv4 Src", "Address of the sender.").Sender()
	feIPv4Dst  = exportedProto.IPv4("ipv4_dst", "IPv4 Dst", "Address of the receiver.").Receiver()
	feIPv6Src  = exportedProto.IPv6("ipv6_src", "IPv6 Src", "Address of the sender.").Sender()
	feIPv6Dst  = exportedProto.IPv6("ipv6_dst", "IPv6 Dst", "Address of the receiver.").Receiver()
	fePortType = exportedProto.Uint32("port_type", "Port Type", "What the ports are ports of.").Named(dissect.Values{
		0: "NONE", 1: "SCTP", 2: "TCP", portUDP: "UDP", 4: "DCCP", 5: "IPX", 6: "NCP", 7: "FC EXCHG", 8: "DDP",
		9: "FICON SBCCS", 10: "IDP", 11: "TIPC", 12: "USB", 13: "I2C", 14: "IBQP", 15: "BLUETOOTH", 16: "TDMOP",
		17: "IWARP_MPA"})
	feSrcPort   = exportedProto.Uint32("src_port", "Src Port", "Port of the sender.").Sender()
	feDstPort   = exportedProto.Uint32("dst_port", "Dst Port", "Port of the receiver.").Receiver()
	feFrame     = exportedProto.Uint32("orig_fno", "Original Frame Number", "The frame that the packet was in.")
	feColumn    = exportedProto.String("col_proto_str", "Column protocol string", "What the protocol's column said.")
	feTCP       = exportedProto.Bytes("dissector_data", "Dissector Data", "Sequence numbers and flags of the segment.")
	feDirection = exportedProto.Int32("p2p_dir", "P2P direction", "Which way the packet went.")
	fePDU       = exportedProto.Bytes("exported_pdu", "Exported PDU", "The packet itself.")
)

// exportedKeys are the protocols that a packet may name, by where they are attached.
var exportedKeys = map[string]dissect.Key{
	"eth":            {Table: dissect.TableLink, Value: 1},
	"eth_maybefcs":   {Table: dissect.TableLink, Value: 1},
	"eth_withoutfcs": {Table: dissect.TableLink, Value: 1},
	"wlan":           {Table: dissect.TableLink, Value: 105},
	"radiotap":       {Table: dissect.TableLink, Value: 127},
	"ip":             {Table: dissect.TableEther, Value: 0x0800},
	"ipv6":           {Table: dissect.TableEther, Value: 0x86dd},
	"arp":            {Table: dissect.TableEther, Value: 0x0806},
	"icmp":           {Table: dissect.TableIP, Value: 1},
	"igmp":           {Table: dissect.TableIP, Value: 2},
	"tcp":            {Table: dissect.TableIP, Value: 6},
	"udp":            {Table: dissect.TableIP, Value: 17},
	"gre":            {Table: dissect.TableIP, Value: 47},
	"icmpv6":         {Table: dissect.TableIP, Value: 58},
	"ospf":           {Table: dissect.TableIP, Value: 89},
	"sctp":           {Table: dissect.TableIP, Value: 132},
}

// Exported attaches the header to its link type (LINKTYPE_WIRESHARK_UPPER_PDU).
func Exported() dissect.Plugin {
	return dissect.Plugin{Protocol: exportedProto, Dissect: exported,
		On: []dissect.Key{{Table: dissect.TableLink, Value: 252}}}
}

// pdu is what the header tells of a packet: its protocol's name, and its ends.
type pdu struct {
	name             []byte
	src, dst         dissect.Addr
	ports            uint64
	srcPort, dstPort uint64
}

func exported(d *dissect.D) {
	var of pdu
	for e := d.Elements(); e.Next(); {
		if of.tag(d) == tagEnd {
			break
		}
	}
	if d.Short() {
		return
	}
	if d.Wanted(fePDU) && d.Left() > 0 {
		d.Put(fePDU, 0, d.Pos(), d.Left())
	}
	if of.src.Kind() != dissect.AddrNone && of.dst.Kind() != dissect.AddrNone {
		d.Ends().Set(of.src, of.dst)
	}
	if key, ok := exportedKeys[string(of.name)]; ok {
		d.Next(key.Table, key.Value)
		return
	}
	// A datagram shows by its port and its bytes what it is; what a stream carried is not told by one piece of it.
	if of.ports == portUDP && of.srcPort < 1<<16 && of.dstPort < 1<<16 && d.Left() > 0 {
		d.Ends().Converse(dissect.TableUDP, uint16(of.srcPort), uint16(of.dstPort))
		d.Inner().NextPort(dissect.TableUDP, uint16(of.srcPort), uint16(of.dstPort))
		return
	}
	d.Next(tableExported, 0)
}

// tag reads a piece of the header and tells which it is.
func (of *pdu) tag(d *dissect.D) (tag uint64) {
	tag = d.Uint(feTag)
	d.Below(func() {
		length := int(d.Uint(feLength))
		d.Within(length, func() {
			if d.Left() > 0 {
				of.value(d, tag)
			}
		})
	})
	return tag
}

func (of *pdu) value(d *dissect.D, tag uint64) {
	switch tag {
	case tagName:
		of.name = d.Padded(feName, d.Left())
	case tagHeuristic:
		d.Padded(feHeuristic, d.Left())
	case tagTable:
		d.Padded(feTable, d.Left())
	case tagColumn:
		d.Padded(feColumn, d.Left())
	case tagTCP:
		d.Rest(feTCP)
	case tagIPv4Src:
		of.src = d.IPv4(feIPv4Src)
	case tagIPv4Dst:
		of.dst = d.IPv4(feIPv4Dst)
	case tagIPv6Src:
		of.src = d.IPv6(feIPv6Src)
	case tagIPv6Dst:
		of.dst = d.IPv6(feIPv6Dst)
	default:
		of.number(d, tag)
	}
}

func (of *pdu) number(d *dissect.D, tag uint64) {
	switch tag {
	case tagPortType:
		of.ports = d.Uint(fePortType)
	case tagSrcPort:
		of.srcPort = d.Uint(feSrcPort)
	case tagDstPort:
		of.dstPort = d.Uint(feDstPort)
	case tagFrame:
		d.Uint(feFrame)
	case tagTableVal:
		d.Uint(feTableVal)
	case tagDirection:
		d.Int(feDirection)
	default:
		d.Rest(feUnknown)
	}
}
