// Package arp dissects the Address Resolution Protocol (RFC 826).
package arp

import "remora/dissect"

var proto = dissect.NewProtocol("arp", "ARP", "Address Resolution Protocol: who has an IP address on the local network.").
	Hued(dissect.HueYellow).Called("Address Resolution Protocol ({opcode:name})")

var opcodes = dissect.Values{1: "request", 2: "reply", 3: "RARP request", 4: "RARP reply", 8: "InARP request", 9: "InARP reply"}

var (
	fHardware = proto.Uint16("hw.type", "Hardware type", "Sort of hardware address.").Named(dissect.Values{1: "Ethernet", 6: "IEEE 802", 32: "InfiniBand"})
	fProtocol = proto.Uint16("proto.type", "Protocol type", "Sort of protocol address (EtherType).").Hex().Named(dissect.Values{0x0800: "IPv4"})
	fHwSize   = proto.Uint8("hw.size", "Hardware size", "Bytes of a hardware address.")
	fPrSize   = proto.Uint8("proto.size", "Protocol size", "Bytes of a protocol address.")
	fOpcode   = proto.Kind("opcode", "Opcode", opcodes, "What the packet asks or says.").Wide(2).Dec().Wordless()
	fGratuit  = proto.Label("isgratuitous", "Is gratuitous", "Sender and target are the same: the packet announces an address.").Derived()
	fSrcMAC   = proto.Ether("src.hw_mac", "Sender MAC address", "Hardware address of the sender.")
	fSrcIP    = proto.IPv4("src.proto_ipv4", "Sender IP address", "IP address of the sender.")
	fDstMAC   = proto.Ether("dst.hw_mac", "Target MAC address", "Hardware address of the target.")
	fDstIP    = proto.IPv4("dst.proto_ipv4", "Target IP address", "IP address of the target.")
	fSrcHw    = proto.Bytes("src.hw", "Sender hardware address", "Hardware address of another sort.")
	fSrcProto = proto.Bytes("src.proto", "Sender protocol address", "Protocol address of another sort.")
	fDstHw    = proto.Bytes("dst.hw", "Target hardware address", "Hardware address of another sort.")
	fDstProto = proto.Bytes("dst.proto", "Target protocol address", "Protocol address of another sort.")
)

// Plugin attaches ARP and RARP to their EtherTypes.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: dissect.TableEther, Value: 0x0806}, {Table: dissect.TableEther, Value: 0x8035}}}
}

func packet(d *dissect.D) {
	d.Uint(fHardware)
	kind := d.Uint(fProtocol)
	hw, pr := int(d.Uint(fHwSize)), int(d.Uint(fPrSize))
	op := d.Kind(fOpcode)
	if hw != 6 || pr != 4 || kind != 0x0800 {
		d.Limit(2 * (hw + pr))
		for _, f := range []struct {
			field *dissect.Field
			n     int
		}{{fSrcHw, hw}, {fSrcProto, pr}, {fDstHw, hw}, {fDstProto, pr}} {
			if f.n > 0 {
				d.Bytes(f.field, f.n)
			}
		}
		d.Info("{opcode:name}")
		return
	}
	d.Limit(20)
	d.Ether(fSrcMAC)
	src := d.IPv4(fSrcIP)
	d.Ether(fDstMAC)
	dst := d.IPv4(fDstIP)
	own := src == dst && !d.Short()
	if own {
		d.Set(fGratuit, 1)
	}
	switch {
	case op == 1 && own:
		d.Info("ARP Announcement for {src.proto_ipv4}")
	case op == 1 && src.Uint64() == 0:
		d.Info("Who has {dst.proto_ipv4}? (ARP Probe)")
	case op == 1:
		d.Info("Who has {dst.proto_ipv4}? Tell {src.proto_ipv4}")
	case op == 2 && own:
		d.Info("Gratuitous ARP for {src.proto_ipv4} (Reply)")
	case op == 2:
		d.Info("{src.proto_ipv4} is at {src.hw_mac}")
	default:
		d.Info("{opcode:name}")
	}
}
