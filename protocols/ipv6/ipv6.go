// Package ipv6 dissects IPv6 (RFC 8200) with its extension headers and reassembles fragments.
package ipv6

import "remora/dissect"

var proto = dissect.NewProtocol("ipv6", "IPv6", "Internet Protocol version 6.").
	Called("Internet Protocol Version 6, Src: {src}, Dst: {dst}")

var headers = dissect.Values{0: "IPv6 Hop-by-Hop Option", 4: "IPIP", 6: "TCP", 17: "UDP", 41: "IPv6", 43: "Routing Header for IPv6", 44: "Fragment Header for IPv6", 47: "Generic Routing Encapsulation",
	50: "Encap Security Payload", 51: "Authentication Header", 58: "ICMPv6", 59: "IPv6 no next header", 60: "Destination Options for IPv6", 89: "OSPF IGP", 103: "PIM", 112: "VRRP", 132: "SCTP", 135: "Mobile IPv6"}

var (
	fVersion = proto.Uint32("version", "Version", "Always 6.").Masked(0xf0000000)
	fClass   = proto.Uint32("tclass", "Traffic Class", "Class of service and congestion.").Masked(0x0ff00000).Hex()
	fFlow    = proto.Uint32("flow", "Flow Label", "Joins packets that routers should treat alike.").Masked(0x000fffff).Hex()
	fPLen    = proto.Uint16("plen", "Payload Length", "Length of all behind this header.")
	fNext    = proto.Uint8("nxt", "Next Header", "What follows.").Named(headers)
	fHops    = proto.Uint8("hlim", "Hop Limit", "How many routers may still pass the packet on.")
	fAddr    = proto.IPv6("addr", "Source or Destination Address", "Address of either end.")
	fSrc     = proto.IPv6("src", "Source Address", "Address of the sender.").Also(fAddr)
	fDst     = proto.IPv6("dst", "Destination Address", "Address of the receiver.").Also(fAddr)

	fHopOpts = proto.Group("hopopts", "IPv6 Hop-by-Hop Option", "Options for every router on the way.")
	fDstOpts = proto.Group("dstopts", "Destination Options for IPv6", "Options for the receiver.")
	fRouting = proto.Group("routing", "Routing Header for IPv6", "Routers that the packet has to pass.")
	fHopNext = proto.Uint8("hopopts.nxt", "Next Header", "What follows the hop-by-hop options.").Named(headers)
	fHopLen  = proto.Uint8("hopopts.len", "Length", "Length of the header in units of 8 bytes, the first not counted.")
	fDstNext = proto.Uint8("dstopts.nxt", "Next Header", "What follows the destination options.").Named(headers)
	fDstLen  = proto.Uint8("dstopts.len", "Length", "Length of the header in units of 8 bytes, the first not counted.")
	fRtNext  = proto.Uint8("routing.nxt", "Next Header", "What follows the routing header.").Named(headers)
	fRtLen   = proto.Uint8("routing.len", "Length", "Length of the header in units of 8 bytes, the first not counted.")
	fFragNxt = proto.Uint8("fraghdr.nxt", "Next header", "What the datagram carries.").Named(headers)
	fAlert   = proto.Uint16("opt.router_alert", "Router Alert", "Why routers should look at the packet.").Named(dissect.Values{0: "MLD", 1: "RSVP", 2: "Active Networks"})
	fJumbo   = proto.Uint32("opt.jumbo", "Payload Length", "Length of a jumbogram.")
	fOptType = proto.Uint8("opt.type", "Type", "Which option it is.").Hex().Named(dissect.Values{0: "Pad1", 1: "PadN", 5: "Router Alert", 0xc2: "Jumbo Payload", 0xc9: "Home Address", 0x63: "RPL Option"})
	fOptLen  = proto.Uint8("opt.length", "Length", "Length of the option's content.")
	fOptData = proto.Bytes("opt.unknown", "Option data", "Content of the option.")
	fRtType  = proto.Uint8("routing.type", "Type", "Which kind of route it is.").Named(dissect.Values{0: "Source Route", 2: "Mobile IP", 3: "RPL Source Route", 4: "Segment Routing"})
	fRtLeft  = proto.Uint8("routing.segleft", "Segments Left", "How many routers are still to be passed.")
	fRtData  = proto.Bytes("routing.unknown_data", "Routing data", "The route.")

	fFragHdr  = proto.Group("fraghdr", "Fragment Header for IPv6", "Says which part of a datagram this is.")
	fFragRes  = proto.Uint8("fraghdr.reserved_octet", "Reserved octet", "Zero.").Hex()
	fFragOff  = proto.Uint16("fraghdr.offset", "Offset", "Where in the datagram this fragment belongs, in units of 8 bytes.").Masked(0xfff8)
	fFragBits = proto.Uint16("fraghdr.reserved_bits", "Reserved bits", "Zero.").Masked(0x0006)
	fFragMore = proto.Bool("fraghdr.more", "More Fragments", "More of the datagram follows.").Wide(2).Masked(0x0001).TrueFalse("Yes", "No")
	fFragID   = proto.Uint32("fraghdr.ident", "Identification", "Joins the fragments of a datagram.").Hex()
	fFragData = proto.Bytes("fragment.data", "Fragment data", "A part of a datagram that is whole only in another frame.")
	fFrags    = proto.Group("fragments", "IPv6 Fragments", "The frames that the datagram came in.").Summary("IPv6 Fragments ({ipv6.fragment.count} fragments, {ipv6.reassembled.length})")
	fFragment = proto.FrameRef("fragment", "Frame", "A frame with a fragment of this datagram.")
	fCount    = proto.Uint32("fragment.count", "Fragment count", "How many fragments the datagram came in.").Derived()
	fTotal    = proto.Uint32("reassembled.length", "Reassembled IPv6 length", "Length of the whole datagram's payload.").Derived().In("bytes")
	fWhole    = proto.FrameRef("reassembled.in", "Reassembled IPv6 in frame", "The frame that completes the datagram.")

	nLen     = proto.Note("plen.bad", dissect.Error, "IPv6 payload length exceeds packet length")
	nVersion = proto.Note("version.bad", dissect.Error, "The version is not 6")
	nOverlap = proto.Note("fragment.overlap", dissect.Warn, "Fragments overlap: the bytes that came first are shown")
	nMany    = proto.Note("ext.many", dissect.Warn, "More extension headers than any honest packet has: the rest is not read")
)

// Plugin attaches IPv6 to its EtherType and to IPv6 in IP.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: dissect.TableEther, Value: 0x86dd}, {Table: dissect.TableIP, Value: 41}}}
}

func packet(d *dissect.D) {
	first := d.Bits(fVersion, fClass, fFlow)
	if first>>28 != 6 && !d.Short() {
		d.Mark(nVersion)
		return
	}
	n := int(d.Uint(fPLen))
	next := d.Uint(fNext)
	d.Hops = uint8(d.Uint(fHops))
	src, dst := d.IPv6(fSrc), d.IPv6(fDst)
	if d.Short() {
		return
	}
	d.Between(src, dst)
	if n > d.Left() && !d.CutShort() && !d.Quoted() {
		d.Mark(nLen)
	}
	if n > 0 { // 0 is a jumbogram, or a host that leaves segmentation to its hardware
		d.Limit(n)
	}
	if next != 44 {
		d.Info("{nxt:name}")
	}
	extensions(d, next, src, dst)
}

// maxExtensions bounds the chain of extension headers.
const maxExtensions = 16

// extensions reads the chain of extension headers and hands on what follows it.
func extensions(d *dissect.D, next uint64, src, dst dissect.Addr) {
	for range maxExtensions {
		switch next {
		case 0:
			next = header(d, fHopOpts, fHopNext, fHopLen, options)
		case 60:
			next = header(d, fDstOpts, fDstNext, fDstLen, options)
		case 43:
			next = header(d, fRouting, fRtNext, fRtLen, routing)
		case 44:
			if next = fragment(d, src, dst); next == 59 {
				return
			}
		case 59:
			return
		default:
			if !d.Short() {
				d.Next(dissect.TableIP, uint32(next))
			}
			return
		}
	}
	d.Mark(nMany)
}

func header(d *dissect.D, f, fNext, fLen *dissect.Field, content func(*dissect.D)) (next uint64) {
	d.In(f, func() {
		next = d.Uint(fNext)
		n := d.Uint(fLen)
		d.Within(int(n)*8+6, func() { content(d) })
	})
	if d.Short() {
		return 59
	}
	return next
}

func options(d *dissect.D) {
	for d.More() {
		kind := d.Uint(fOptType)
		if kind == 0 {
			continue
		}
		switch n := int(d.Uint(fOptLen)); {
		case kind == 5 && n == 2:
			d.Uint(fAlert)
		case kind == 0xc2 && n == 4:
			d.Uint(fJumbo)
		case n > 0:
			d.Bytes(fOptData, n)
		}
	}
}

func routing(d *dissect.D) {
	d.Uint(fRtType)
	d.Uint(fRtLeft)
	d.Rest(fRtData)
}

// fragment reads a fragment header and, unless the datagram is whole in this frame, what it carries. It returns the
// next header to read, 59 for none.
func fragment(d *dissect.D, src, dst dissect.Addr) (next uint64) {
	var off int
	var more bool
	var id uint64
	d.In(fFragHdr, func() {
		next = d.Uint(fFragNxt)
		d.Uint(fFragRes)
		v := d.Bits(fFragOff, fFragBits, fFragMore)
		off, more = int(v&0xfff8), v&1 != 0
		id = d.Uint(fFragID)
	})
	if d.Short() {
		return 59
	}
	if off == 0 && !more {
		return next // an atomic fragment (RFC 6946) is whole
	}
	if d.CutShort() || d.Quoted() {
		d.Rest(fFragData)
		return 59
	}
	whole, done := d.Assemble(dissect.Piece{Key: dissect.PieceKey{Src: src, Dst: dst, ID: uint32(id), Proto: 44}, Off: off, Last: !more}, d.Left())
	if d.Texting() {
		d.Infof("IPv6 fragment (off=%d more=%v ident=0x%08x nxt=%d)", off, yes(more), id, next)
	}
	d.Rest(fFragData)
	if !done {
		d.ShowForward(fWhole)
		return 59
	}
	for _, r := range whole.Refs {
		if r.Frame != d.Frame {
			d.Link(r.Frame, fWhole, nil)
		}
	}
	if whole.Overlap {
		d.Mark(nOverlap)
	}
	data := d.Gather(whole.Refs)
	d.In(fFrags, func() {
		for _, r := range whole.Refs {
			d.Set(fFragment, uint64(r.Frame))
		}
		d.Set(fCount, uint64(len(whole.Refs)))
		d.Set(fTotal, uint64(len(data)))
	})
	d.From("Reassembled IPv6", data, func() { d.Next(dissect.TableIP, uint32(next)) })
	return 59
}

func yes(b bool) string {
	if b {
		return "y"
	}
	return "n"
}
