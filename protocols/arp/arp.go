// Package arp dissects the Address Resolution Protocol (RFC 826) and its relatives: RARP (RFC 903) and InARP (RFC
// 2390).
package arp

import "remora/dissect"

var proto = dissect.NewProtocol("arp", "ARP",
	"Address Resolution Protocol: who has an IP address on the local network.").
	Color(dissect.HueYellow).Summary("Address Resolution Protocol")

var opcodes = dissect.Values{1: "request", 2: "reply", 3: "reverse request", 4: "reverse reply", 5: "drarp request",
	6: "drarp reply", 7: "drarp error", 8: "inverse request", 9: "inverse reply", 10: "arp nak",
	11: "mars request", 12: "mars multi", 13: "mars mserv", 14: "mars join", 15: "mars leave", 16: "mars nak",
	17: "mars unserv", 18: "mars sjoin", 19: "mars sleave", 20: "mars grouplist request", 21: "mars grouplist reply",
	22: "mars redirect map", 23: "mapos unarp", 24: "Experimental 1", 25: "Experimental 2"}

var hardware = dissect.Values{1: "Ethernet", 2: "Experimental Ethernet", 3: "AX.25", 4: "ProNET", 5: "Chaos",
	6: "IEEE 802", 7: "ARCNET", 15: "Frame Relay DLCI", 16: "ATM", 17: "HDLC", 18: "Fibre Channel", 19: "ATM (RFC 2225)",
	20: "Serial Line", 24: "IEEE 1394.1995", 27: "EUI-64", 31: "IPsec tunnel", 32: "InfiniBand"}

var (
	fHardware = proto.Uint16("hw.type", "Hardware type", "Sort of hardware address.").Named(hardware)
	fProtocol = proto.Uint16("proto.type", "Protocol type", "Sort of protocol address (EtherType).").Hex().
			Named(dissect.Values{0x0800: "IPv4", 0x0806: "ARP", 0x809b: "AppleTalk LLAP bridging", 0x86dd: "IPv6"})
	fHwSize  = proto.Uint8("hw.size", "Hardware size", "Bytes of a hardware address.")
	fPrSize  = proto.Uint8("proto.size", "Protocol size", "Bytes of a protocol address.")
	fOpcode  = proto.Kind("opcode", "Opcode", opcodes, "What the packet asks or says.").Wide(2).Dec().Wordless()
	fGratuit = truth("isgratuitous", "Is gratuitous",
		"Sender and target are the same: the packet tells an address to all.")
	fProbe    = truth("isprobe", "Is probe", "The sender has no address yet and asks whether one is free (RFC 5227).")
	fAnnounce = truth("isannouncement", "Is announcement", "The sender takes an address (RFC 5227).")
	fSeconds  = proto.Uint32("seconds-since-duplicate-address-frame", "Seconds since earlier frame seen",
		"How long ago the other had the address.").Derived()
	fEarlier = proto.FrameRef("duplicate-address-frame", "Frame showing earlier use of IP address",
		"Where another hardware address had it.")
	fSrcMAC   = proto.Ether("src.hw_mac", "Sender MAC address", "Hardware address of the sender.")
	fSrcIP    = proto.IPv4("src.proto_ipv4", "Sender IP address", "IP address of the sender.")
	fDstMAC   = proto.Ether("dst.hw_mac", "Target MAC address", "Hardware address of the target.")
	fDstIP    = proto.IPv4("dst.proto_ipv4", "Target IP address", "IP address of the target.")
	fSrcHw    = proto.Bytes("src.hw", "Sender hardware address", "Hardware address of another sort.")
	fSrcProto = proto.Bytes("src.proto", "Sender protocol address", "Protocol address of another sort.")
	fDstHw    = proto.Bytes("dst.hw", "Target hardware address", "Hardware address of another sort.")
	fError    = proto.Uint16("dst.drarp_error_status", "DRARP error status", "Why there is no address (RFC 1931).")
	fDstProto = proto.Bytes("dst.proto", "Target protocol address", "Protocol address of another sort.")
)

var nDouble = proto.Expert("duplicate-address-detected", dissect.Warn, "Duplicate IP address configured").
	About(dissect.AboutSequence)

func truth(name, label, doc string) *dissect.Field {
	return proto.Bool(name, label, doc).TrueFalse("True", "False").Derived()
}

// Plugin attaches ARP and RARP to their EtherTypes.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet,
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x0806}, {Table: dissect.TableEther, Value: 0x8035}}}
}

func packet(d *dissect.D) {
	kind := d.Uint(fHardware)
	table := d.Uint(fProtocol)
	hw, pr := int(d.Uint(fHwSize)), int(d.Uint(fPrSize))
	op := d.Kind(fOpcode)
	if d.Short() {
		return
	}
	d.Limit(2 * (hw + pr))
	a := addresses{mac: hw == 6 && (kind == 1 || kind == 6), ip: pr == 4 && table == 0x0800}
	if a.ip {
		a.own = d.PeekUint(hw, 4) == d.PeekUint(2*hw+pr, 4)
		a.probe = op == 1 && d.PeekUint(hw, 4) == 0 && !a.own && a.mac && d.PeekUint(hw+pr, 6) == 0
		a.announcement = a.own && op == 1 && a.mac && d.PeekUint(hw+pr, 6) == 0
	}
	a.flags(d)
	if name := relative(op); name != "" {
		d.Info().Protocol(name)
	}
	double := a.duplicates(d, op, hw, pr)
	a.read(d, op, hw, pr)
	if d.Short() {
		return
	}
	if d.Labelling() {
		d.Suffix(proto.Self(), " ("+a.title(op)+")")
	}
	a.info(d, op)
	double.show(d)
}

// relative names the protocols that share the form of the packets.
func relative(op uint64) string {
	switch op {
	case 3, 4:
		return "RARP"
	case 5, 6, 7:
		return "DRARP"
	case 8, 9:
		return "Inverse ARP"
	case 11, 20:
		return "MARS"
	}
	return ""
}

// addresses is what a packet has of them: of the well-known sorts or not, and what they say together.
type addresses struct {
	mac, ip                  bool
	own, probe, announcement bool // sender is target; asking if an address is free; taking it
}

func (a addresses) flags(d *dissect.D) {
	if a.own {
		d.Set(fGratuit, 1)
	}
	if a.probe {
		d.Set(fProbe, 1)
	}
	if a.announcement {
		d.Set(fAnnounce, 1)
	}
}

func (a addresses) read(d *dissect.D, op uint64, hw, pr int) {
	for _, f := range [...][4]*dissect.Field{{fSrcMAC, fSrcHw, fSrcIP, fSrcProto}, {fDstMAC, fDstHw, fDstIP, fDstProto}} {
		switch {
		case a.mac:
			d.Ether(f[0])
		case hw > 0:
			d.Bytes(f[1], hw)
		}
		switch {
		case op == drarpError && f[2] == fDstIP && pr > 0:
			if d.More() {
				d.Put(fError, uint64(d.Peek(0)), d.Pos(), 1)
			}
			d.Skip(pr)
		case a.ip:
			d.IPv4(f[2])
		case pr > 0:
			d.Bytes(f[3], pr)
		}
	}
}

func (a addresses) title(op uint64) string {
	name := opcodes[op]
	switch {
	case a.announcement:
		return "ARP Announcement"
	case a.probe:
		return "ARP Probe"
	case a.own:
		return name + "/gratuitous ARP"
	case name == "":
		return "unknown"
	}
	return name
}

// drarpError has a status in the place of the target's protocol address.
const drarpError = 7

// info writes the Info column, with the addresses of whatever sort they are.
func (a addresses) info(d *dissect.D, op uint64) {
	srcHw, src, dstHw, dst := "[{src.hw_mac}][{src.hw}]", "[{src.proto_ipv4}][{src.proto}]", "[{dst.hw_mac}][{dst.hw}]",
		"[{dst.proto_ipv4}][{dst.proto}]"
	switch {
	case a.announcement:
		d.Info().Set("ARP Announcement for " + src)
	case op == 1 && a.own:
		d.Info().Set("Gratuitous ARP for " + src + " (Request)")
	case op == 1 && a.probe:
		d.Info().Set("Who has " + dst + "? (ARP Probe)")
	case op == 1:
		d.Info().Set("Who has " + dst + "? Tell " + src)
	case op == 2 && a.own:
		d.Info().Set("Gratuitous ARP for " + src + " (Reply)")
	case op == 2:
		d.Info().Set(src + " is at " + srcHw)
	case op == 3 || op == 5 || op == 8:
		d.Info().Set("Who is " + dstHw + "? Tell " + srcHw)
	case op == 4 || op == 6:
		d.Info().Set(dstHw + " is at " + dst)
	case op == 9:
		d.Info().Set(srcHw + " is at " + src)
	case op == drarpError:
		d.Info().Set("DRARP Error")
	case op == 10:
		d.Info().Set("ARP NAK")
	case op == 11 || op == 20:
		d.Info().Set("MARS " + opcodes[op][len("mars "):] + " from " + srcHw + " at " + src)
	case op == 0:
		d.Info().Set("Reserved opcode 0")
	case opcodes[op] != "":
		d.Info().Set("{opcode:name} ( opcode {opcode:raw} )")
	default:
		d.Info().Set("Unknown ARP opcode 0x{opcode:hex}")
	}
}
