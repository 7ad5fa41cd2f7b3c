// Package ip dissects IPv4 (RFC 791) with its options and reassembles fragments (RFC 815).
package ip

import "remora/dissect"

var proto = dissect.NewProtocol("ip", "IPv4", "Internet Protocol version 4.").
	Called("Internet Protocol Version 4, Src: {src}, Dst: {dst}")

// Protocols are the names of the common protocol numbers (IANA registry).
var protocols = dissect.Values{0: "IPv6 Hop-by-Hop Option", 1: "ICMP", 2: "IGMP", 4: "IPIP", 6: "TCP", 8: "EGP", 17: "UDP", 33: "DCCP", 41: "IPv6", 43: "Routing Header for IPv6",
	44: "Fragment Header for IPv6", 46: "RSVP", 47: "Generic Routing Encapsulation", 50: "Encap Security Payload", 51: "Authentication Header", 58: "ICMPv6", 59: "IPv6 no next header",
	60: "Destination options for IPv6", 88: "EIGRP", 89: "OSPF IGP", 94: "IPIP", 103: "PIM", 112: "VRRP", 115: "L2TP", 132: "SCTP", 136: "UDPLite"}

var dscp = dissect.Values{0: "Default", 8: "Class Selector 1", 10: "Assured Forwarding 11", 12: "Assured Forwarding 12", 14: "Assured Forwarding 13", 16: "Class Selector 2", 18: "Assured Forwarding 21", 20: "Assured Forwarding 22",
	22: "Assured Forwarding 23", 24: "Class Selector 3", 26: "Assured Forwarding 31", 28: "Assured Forwarding 32", 30: "Assured Forwarding 33", 32: "Class Selector 4", 34: "Assured Forwarding 41", 36: "Assured Forwarding 42",
	38: "Assured Forwarding 43", 40: "Class Selector 5", 44: "Voice Admit", 46: "Expedited Forwarding", 48: "Class Selector 6", 56: "Class Selector 7"}

var ecn = dissect.Values{0: "Not ECN-Capable Transport", 1: "ECN-Capable Transport codepoint '01'", 2: "ECN-Capable Transport codepoint '10'", 3: "Congestion Experienced"}

var statuses = dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}

var (
	fVersion = proto.Uint8("version", "Version", "Always 4.").Masked(0xf0)
	fHdrLen  = proto.Uint8("hdr_len", "Header Length", "Length of the header with its options.").In("bytes")
	fDSField = proto.Uint8("dsfield", "Differentiated Services Field", "Class of service (RFC 2474) and congestion (RFC 3168).").Hex().Summary(" (DSCP: {ip.dsfield.dscp:name}, ECN: {ip.dsfield.ecn:name})")
	fDSCP    = proto.Uint8("dsfield.dscp", "Differentiated Services Codepoint", "Class of service.").Masked(0xfc).Named(dscp)
	fECN     = proto.Uint8("dsfield.ecn", "Explicit Congestion Notification", "Congestion on the way.").Masked(0x03).Named(ecn)
	fLen     = proto.Uint16("len", "Total Length", "Length of header and payload.")
	fID      = proto.Uint16("id", "Identification", "Joins the fragments of a datagram.").HexFirst()
	fFlags   = proto.Flags8("flags", "Flags", []dissect.Flag{
		{Name: "rb", Label: "Reserved bit", Mask: 0x80, Doc: "Must not be set."},
		{Name: "df", Label: "Don't fragment", Mask: 0x40, Doc: "Routers must not cut the datagram."},
		{Name: "mf", Label: "More fragments", Mask: 0x20, Doc: "More of the datagram follows."}}, "What may be and was done to the datagram.").Masked(0xe0)
	fOffset   = proto.Uint16("frag_offset", "Fragment Offset", "Where in the datagram this fragment belongs.").In("bytes")
	fTTL      = proto.Uint8("ttl", "Time to Live", "How many routers may still pass the packet on.")
	fProto    = proto.Uint8("proto", "Protocol", "What the payload is.").Named(protocols)
	fSum      = proto.Uint16("checksum", "Header Checksum", "Checksum over the header.").Hex()
	fStatus   = proto.Uint8("checksum.status", "Header checksum status", "What the check of the checksum says.").Named(statuses).Derived()
	fAddr     = proto.IPv4("addr", "Source or Destination Address", "Address of either end.")
	fSrc      = proto.IPv4("src", "Source Address", "Address of the sender.").Also(fAddr)
	fDst      = proto.IPv4("dst", "Destination Address", "Address of the receiver.").Also(fAddr)
	fFragData = proto.Bytes("fragment.data", "Fragment data", "A part of a datagram that is whole only in another frame.")
	fFrags    = proto.Group("fragments", "IPv4 Fragments", "The frames that the datagram came in.").Summary("IPv4 Fragments ({ip.fragment.count} fragments, {ip.reassembled.length})")
	fFragment = proto.FrameRef("fragment", "Frame", "A frame with a fragment of this datagram.")
	fCount    = proto.Uint32("fragment.count", "Fragment count", "How many fragments the datagram came in.").Derived()
	fTotal    = proto.Uint32("reassembled.length", "Reassembled IPv4 length", "Length of the whole datagram's payload.").Derived().In("bytes")
	fWhole    = proto.FrameRef("reassembled_in", "Reassembled IPv4 in frame", "The frame that completes the datagram.")

	nHdr     = proto.Note("bogus_header_length", dissect.Error, "Bogus IPv4 header length: it is below 20 bytes or beyond the packet")
	nLen     = proto.Note("bogus_ip_length", dissect.Error, "IPv4 total length exceeds packet length or is shorter than the header")
	nSum     = proto.Note("checksum_bad.expert", dissect.Error, "Bad header checksum (may be caused by \"IP checksum offload\")")
	nOverlap = proto.Note("fragment.overlap", dissect.Warn, "Fragments overlap: the bytes that came first are shown")
)

// Plugin attaches IPv4 to its EtherType, to IP in IP, and to PPP's number for it.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: dissect.TableEther, Value: 0x0800}, {Table: dissect.TableIP, Value: 4}}}
}

func packet(d *dissect.D) {
	start, whole := d.Pos(), d.Data()
	if first := d.Peek(0); first>>4 != 4 && d.More() {
		d.Bits(fVersion)
		d.Mark(nHdr)
		return
	}
	header := int(d.Peek(0)&15) * 4
	d.Bits(fVersion)
	d.Put(fHdrLen, uint64(header), start, 1)
	services(d)
	total := int(d.Uint(fLen))
	id := d.Uint(fID)
	flags := uint64(d.Peek(0))
	offset := int(d.PeekUint(0, 2)&0x1fff) * 8
	at := d.Pos()
	d.Skip(2)
	if d.Short() {
		return
	}
	d.Put(fFlags, flags, at, 1)
	d.Put(fOffset, uint64(offset), at, 2)
	d.Hops = uint8(d.Uint(fTTL))
	next := uint32(d.Uint(fProto))
	sum := d.Uint(fSum)
	src, dst := d.IPv4(fSrc), d.IPv4(fDst)
	if d.Short() {
		return
	}
	d.Between(src, dst)
	if header < 20 || header > len(whole) {
		d.Mark(nHdr)
		return
	}
	checksum(d, whole[:header], sum)
	if header > 20 {
		d.Within(header-20, func() { options(d) })
	}
	payload := length(d, total, header)
	if flags&0x20 != 0 || offset > 0 {
		fragment(d, dissect.Piece{Key: dissect.PieceKey{Src: src, Dst: dst, ID: uint32(id), Proto: next}, Off: offset, Last: flags&0x20 == 0}, next, payload)
		return
	}
	d.Info("{proto:name} ({proto:raw})")
	d.Next(dissect.TableIP, next)
}

func services(d *dissect.D) {
	at := d.Pos()
	v := d.Uint(fDSField)
	if !d.Short() {
		d.Below(func() {
			d.Put(fDSCP, v, at, 1)
			d.Put(fECN, v, at, 1)
		})
	}
}

// length bounds the range to the datagram and returns its payload's length. A total length of 0 is what hosts show
// that leave segmentation to the hardware.
func length(d *dissect.D, total, header int) int {
	payload := total - header
	switch {
	case total == 0:
		payload = d.Left()
	case total < header:
		d.Mark(nLen)
		payload = d.Left()
	case payload > d.Left() && !d.CutShort() && !d.Quoted():
		d.Mark(nLen)
		payload = d.Left()
	}
	d.Limit(payload)
	return payload
}

func checksum(d *dissect.D, header []byte, sum uint64) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) {
		return
	}
	switch {
	case d.Quoted() || sum == 0:
		d.Set(fStatus, 2)
	case dissect.Checksum(header) == 0:
		d.Set(fStatus, 1)
	default:
		d.Set(fStatus, 0)
		d.Mark(nSum)
	}
}

// fragment shows a fragment's bytes, and the datagram in the frame that completes it.
func fragment(d *dissect.D, p dissect.Piece, next uint32, payload int) {
	if d.CutShort() && d.Left() < payload || d.Quoted() {
		d.Rest(fFragData)
		return
	}
	whole, done := d.Assemble(p, d.Left())
	if d.Texting() {
		d.Infof("Fragmented IP protocol (proto=%s %d, off=%d, ID=%04x)", protocols[uint64(next)], next, p.Off, p.Key.ID)
	}
	d.Rest(fFragData)
	if !done {
		d.ShowForward(fWhole)
		return
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
	d.From("Reassembled IPv4", data, func() { d.Next(dissect.TableIP, next) })
}
