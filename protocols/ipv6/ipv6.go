// Package ipv6 dissects IPv6 (RFC 8200) with its extension headers and reassembles fragments.
package ipv6

import (
	"cmp"
	"fmt"
	"strconv"

	"remora/dissect"
	"remora/protocols/internal/dsfield"
	"remora/protocols/internal/geoip"
)

// tableNoNext is empty: what stands behind No Next Header is data.
const tableNoNext dissect.Table = "ipv6.nonext"

var proto = dissect.NewProtocol("ipv6", "IPv6", "Internet Protocol version 6.").
	Traits(dissect.HandsOn | dissect.Underlies).InfoWords().
	Summary("Internet Protocol Version 6[, Src: {src}, Dst: {dst}]")

// headers are the names of protocol numbers (IANA registry), as Wireshark writes them.
var headers = dissect.Values{hopByHop: "IPv6 Hop-by-Hop Option", 1: "ICMP", 2: "IGMP", 4: "IPIP", 6: "TCP", 8: "EGP",
	17: "UDP", 33: "Datagram Congestion Control Protocol", 41: "IPv6", routingHdr: "Routing Header for IPv6",
	fragmentHdr: "Fragment Header for IPv6", 46: "Reservation Protocol", 47: "Generic Routing Encapsulation",
	50: "Encap Security Payload", 51: "Authentication Header", 58: "ICMPv6", noNext: "No Next Header for IPv6",
	destination: "Destination Options for IPv6", 88: "EIGRP", 89: "OSPF IGP", 97: "Ether in IP",
	99: "any private encryption scheme", 103: "PIM", 108: "IPComp", 112: "VRRP", 115: "Layer 2 Tunneling", 132: "SCTP",
	135: "Mobile IPv6", 136: "UDPLite", 137: "MPLS in IP", 139: "HIP", 140: "Shim6 header", 143: "Ethernet"}

// The numbers of extension headers.
const (
	hopByHop    = 0
	routingHdr  = 43
	fragmentHdr = 44
	noNext      = 59
	destination = 60
)

var (
	fEither = proto.Uint8("either_version", "Version", "Version of the Internet Protocol.").Masked(0xf0).
		OtherName("ip.version")
	fVersion = proto.Uint8("version", "Version", "Always 6.").Masked(0xf0).WholeBytes().Also(fEither)
	fClass   = proto.Uint32("tclass", "Traffic Class", "Class of service and congestion.").Masked(0x0ff00000).Hex()
	fDSCP    = proto.Uint32("tclass.dscp", "Differentiated Services Codepoint", "Class of service (RFC 2474).").
			Masked(0x0fc00000).Named(dsfield.Codepoints).InColumn("%f", dsfield.Short)
	fECN = proto.Uint32("tclass.ecn", "Explicit Congestion Notification", "Congestion on the way (RFC 3168).").
		Masked(0x00300000).Named(dsfield.ECN)
	fFlow = proto.Uint24("flow", "Flow Label", "Joins packets that routers should treat alike.").Masked(0x0fffff).Hex()
	fPLen = proto.Uint16("plen", "Payload Length", "Length of all behind this header in bytes.")
	fNext = proto.Uint8("nxt", "Next Header", "What follows.").Named(headers)
	fHops = proto.Uint8("hlim", "Hop Limit", "How many routers may still pass the packet on.")
	fAddr = proto.IPv6("addr", "Source or Destination Address", "Address of either end.")
	fSrc  = proto.IPv6("src", "Source Address", "Address of the sender.").Sender().Also(fAddr)
	fDst  = proto.IPv6("dst", "Destination Address", "Address of the receiver.").Receiver().Also(fAddr)
	fHost = proto.String("host", "Source or Destination Host",
		"Either end, by its name where one is known and asked for.").Hidden()
	fSrcHost = proto.String("src_host", "Source Host", "The sender, by its name where one is known and asked for.").
			Hidden().Also(fHost)
	fDstHost = proto.String("dst_host", "Destination Host", "The receiver, by its name where one is known and asked for.").
			Hidden().Also(fHost)

	nLen     = proto.Expert("plen_exceeds_framing", dissect.Warn, "The payload length exceeds the packet")
	nZero    = proto.Expert("plen_zero", dissect.Chat, "The payload length is 0, presumably because the hardware segments")
	nVersion = proto.Expert("bogus_ipv6_version", dissect.Error, "The version is not 6").About(dissect.AboutMalformed)
	nShort   = proto.Expert("invalid_header", dissect.Error, "The header is shorter than 40 bytes").
			About(dissect.AboutMalformed)
	nMany = proto.Expert("ext.many", dissect.Warn,
		"More extension headers than any honest packet has: the rest is not read")
	nOrder = proto.Expert("hopopts.not_first", dissect.Error, "Hop-by-hop options must follow the IPv6 header at once")
)

var places = geoip.New(proto)

// headerLen is the length of the header in bytes.
const headerLen = 40

// Plugin attaches IPv6 to its EtherType, to IPv6 in IP, and to LINKTYPE_IPV6.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Statistics: statistics, Ends: &dissect.EndLayer{Title: "IPv6", Source: fSrc, Dest: fDst},
		Dissect: packet,
		// Class of service, the label of the flow, and the length may differ.
		Repeats: &dissect.RepeatedHeader{Size: headerLen, Varies: 7<<1 | 3<<4, Length: 4,
			Ends: &dissect.HeaderEnds{At: 8, Size: 16, Hops: 7}},
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x86dd}, {Table: dissect.TableIP, Value: 41},
			{Table: dissect.TableLink, Value: 229}},
	}
}

func packet(d *dissect.D) {
	version, at, short := d.Peek(0)>>4, d.Pos(), d.Left() < headerLen && !d.CutShort()
	if version != 6 && d.More() {
		d.Bits(fVersion)
		d.Expert(nVersion)
		d.Info().Set("Bogus IPv6 version ({version}, must be 6)")
		return
	}
	if short {
		d.Expert(nShort)
		if d.Info().Wanted() {
			d.Info().Setf("Invalid IPv6 header (%d bytes, need exactly 40)", d.Left())
		}
	}
	classes(d, at)
	n := int(d.Uint(fPLen))
	next := d.Uint(fNext)
	d.Hops = uint8(d.Uint(fHops))
	src := address(d, &source)
	dst := address(d, &target)
	if d.Short() {
		return
	}
	d.Ends().Set(src, dst)
	places.Tell(d, src, dst, at+8, 16)
	size := n
	if n > 0 {
		size += headerLen
	}
	d.Inner().Export(dissect.ExportIP, at, size)
	bound(d, n, next)
	extensions(d, next, src, dst)
}

// classes reads the first four bytes.
func classes(d *dissect.D, at int) {
	first := d.PeekUint(0, 4)
	d.Skip(4)
	if d.Short() {
		return
	}
	d.Put(fVersion, first>>24, at, 1)
	d.Put(fClass, first, at, 4)
	dsfield.Suffix(d, fClass, first>>20&0xff)
	d.Below(func() {
		d.Put(fDSCP, first, at, 4)
		d.Put(fECN, first, at, 4)
	})
	d.Put(fFlow, first, at+1, 3)
}

// bound ends the packet where its length says. 0 is a jumbogram, or a host that leaves segmentation to its hardware.
func bound(d *dissect.D, n int, next uint64) {
	switch {
	case n == 0:
		if next != hopByHop && d.More() {
			d.Expert(nZero)
		}
	case n > d.Left() && !d.CutShort() && !d.Quoted():
		d.ExpertText(nLen, fmt.Sprintf("IPv6 payload length exceeds framing length (%d bytes)", d.Left()))
	default:
		d.Limit(n)
	}
}

// maxExtensions bounds the chain of extension headers.
const maxExtensions = 16

// extensions reads the chain of extension headers and hands on what follows it.
func extensions(d *dissect.D, next uint64, src, dst dissect.Addr) {
	for i := range maxExtensions {
		switch next {
		case hopByHop:
			if i > 0 {
				d.Expert(nOrder)
			}
			next = header(d, &hopHeader, next)
		case destination:
			next = header(d, &dstHeader, next)
		case routingHdr:
			if to, ok := routed(d.Data()); ok { // transports count with the last address
				dst = to
				d.Ends().Reroute(src, dst)
			}
			next = header(d, &rtHeader, next)
		case fragmentHdr:
			if next = fragment(d, src, dst); next == done {
				return
			}
		case noNext:
			d.Info().Set("IPv6 no next header")
			if d.More() {
				d.Next(tableNoNext, 0)
			}
			return
		case done:
			return
		default:
			payload(d, next)
			return
		}
	}
	d.Expert(nMany)
}

// done stands in place of a next header where no more is to be read.
const done = 256

func payload(d *dissect.D, next uint64) {
	if d.Short() {
		return
	}
	if d.Info().Wanted() {
		var text [64]byte
		name := cmp.Or(headers[next], "Unknown IP Protocol: Unknown")
		d.Info().SetText(append(strconv.AppendUint(append(append(text[:0], name...), " ("...), next, 10), ')'))
	}
	d.Ends().SetCarried(uint8(next))
	d.Next(dissect.TableIP, uint32(next))
}
