// Package ip dissects IPv4 (RFC 791) with its options and reassembles fragments (RFC 815).
package ip

import (
	"fmt"
	"strconv"

	"remora/dissect"
	"remora/protocols/internal/geoip"
)

// tableFragment is empty: a fragment is data.
const tableFragment dissect.Table = "ip.fragment"

var proto = dissect.NewProtocol("ip", "IPv4", "Internet Protocol version 4.").
	Traits(dissect.HandsOn | dissect.Underlies).InfoWords().
	Summary("Internet Protocol Version 4[, Src: {src}, Dst: {dst}]")

var (
	fVersion = proto.Uint8("version", "Version", "Always 4.").Masked(0xf0).WholeBytes()
	fHdrLen  = proto.Uint8("hdr_len", "Header Length", "Length of the header with its options in bytes.").Masked(0x0f).
			WholeBytes().
			Times(4).Format(func(v uint64) string { return fmt.Sprintf("%d bytes (%d)", v, v/4) })
	fLen    = proto.Uint16("len", "Total Length", "Length of header and payload in bytes.")
	fID     = proto.Uint16("id", "Identification", "Joins the fragments of a datagram.").HexFirst()
	fFlags  = flags("Reserved bit", dissect.Flag{Name: "rb", Mask: 0x80, Doc: "Must not be set."})
	fEvil   = flags("Security flag", dissect.Flag{Name: "sf", Mask: 0x80, Doc: "The packet has evil intent (RFC 3514)."})
	_       = fEvil.Bits()[0].TrueFalse("Evil", "Not evil")
	fOffset = proto.Uint16("frag_offset", "Fragment Offset",
		"Where in the datagram this fragment belongs, in units of 8 bytes.").Masked(0x1fff).
		Format(func(v uint64) string { return strconv.FormatUint(8*v, 10) })
	fTTL    = proto.Uint8("ttl", "Time to Live", "How many routers may still pass the packet on.")
	fProto  = proto.Uint8("proto", "Protocol", "What the payload is.").Named(protocols)
	fSum    = proto.Uint16("checksum", "Header Checksum", "Checksum over the header.").Hex()
	fStatus = proto.Uint8("checksum.status", "Header checksum status", "What the check of the checksum says.").
		Named(statuses).Derived()
	fRight = proto.Uint16("checksum_calculated", "Calculated Checksum", "What the checksum should be.").Hex().Derived()
	fAddr  = proto.IPv4("addr", "Source or Destination Address", "Address of either end.")
	fSrc   = proto.IPv4("src", "Source Address", "Address of the sender.").Sender().Also(fAddr)
	fDst   = proto.IPv4("dst", "Destination Address", "Address of the receiver, the last one of a source route.").
		Receiver().Also(fAddr)
	fHost = proto.String("host", "Source or Destination Host",
		"Either end, by its name where one is known and asked for.").Hidden()
	fSrcHost = proto.String("src_host", "Source Host", "The sender, by its name where one is known and asked for.").
			Hidden().Also(fHost)
	fDstHost = proto.String("dst_host", "Destination Host",
		"The receiver, by its name where one is known and asked for.").Hidden().Also(fHost)
	fFragData = proto.Bytes("fragment.data", "Fragment data",
		"The last part to come of a datagram. Wireshark has no name for it.")
	fFrags = proto.BytesNode("fragments", "IPv4 Fragments", "The frames that the datagram came in.").
		Summary("\\[[{fragment.count} ]IPv4 Fragments")
	fFragment = proto.FrameRef("fragment", "Frame", "A frame with a fragment of this datagram.")
	fFragErr  = proto.FrameRef("fragment.error", "Defragmentation error",
		"A frame with a fragment that contradicts the others.")
	fOverlap = odd("overlap", "Fragment overlap",
		"Some of the fragment's bytes came before: those that came first are shown.")
	fConflict = odd("overlap.conflict", "Conflicting data in fragment overlap", "The bytes that came before were others.")
	fTails    = odd("multipletails", "Multiple tail fragments found",
		"The fragment ends the datagram at another place than the first that did so.")
	fTooLong = odd("toolongfragment", "Fragment too long", "The fragment goes past the end of the datagram.")
	fCount   = proto.Uint32("fragment.count", "Fragment count", "How many fragments the datagram came in.").Derived()
	fTotal   = proto.Uint32("reassembled.length", "Reassembled IPv4 length",
		"Length of the whole datagram's payload in bytes.").Derived()
	fData  = proto.Bytes("reassembled.data", "Reassembled IPv4 data", "The whole datagram's payload.").Derived()
	fWhole = proto.FrameRef("reassembled_in", "Reassembled IPv4 in frame", "The frame that completes the datagram.")

	nVersion = proto.Expert("bogus_ip_version", dissect.Error, "The version is not 4")
	nHdr     = proto.Expert("bogus_header_length", dissect.Error,
		"Bogus header length: it is below 20 bytes or beyond the packet")
	nLen = proto.Expert("bogus_ip_length", dissect.Error,
		"Bogus IP length: it exceeds the packet or is shorter than the header")
	nEvil  = proto.Expert("evil_packet", dissect.Warn, "Packet has evil intent")
	nSum   = proto.Expert("checksum_bad.expert", dissect.Error, "Bad checksum").About(dissect.AboutChecksum)
	nLow   = proto.Expert("ttl.too_small", dissect.Hint, "The time to live is nearly used up").About(dissect.AboutSequence)
	nLocal = proto.Expert("ttl.lncb", dissect.Hint,
		"The time to live is not 1 for a group that no router passes on (RFC 3171)").About(dissect.AboutSequence)

	pieces = dissect.Pieces{Group: fFrags, Frame: fFragment, Error: fFragErr, Overlap: fOverlap, Conflict: fConflict,
		Tails: fTails, TooLong: fTooLong, Count: fCount, Length: fTotal, Data: fData}
)

// flags declares the flags with one meaning of the first, which RFC 791 reserves.
func flags(first string, f dissect.Flag) *dissect.Field {
	f.Label = first
	return proto.Flags8("flags", "Flags", []dissect.Flag{f,
		{Name: "df", Label: "Don't fragment", Mask: 0x40, Doc: "Routers must not cut the datagram."},
		{Name: "mf", Label: "More fragments", Mask: 0x20, Doc: "More of the datagram follows."}},
		"What may be and was done to the datagram.").Masked(0xe0).Format(func(v uint64) string { return flagText(first, v) })
}

// odd declares a mark of a fragment that does not fit the others.
func odd(name, label, doc string) *dissect.Field {
	return proto.Bool("fragment."+name, label, doc).TrueFalse("True", "False").Derived()
}

var (
	places = geoip.New(proto)
	_      = geoip.Paths(proto)
)

// Plugin attaches IPv4 to its EtherType, to IP in IP, and to LINKTYPE_IPV4.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Statistics: statistics, Ends: &dissect.EndLayer{Title: "IPv4", Source: fSrc, Dest: fDst},
		Dissect: packet,
		// Class of service, length, identification and checksum may differ.
		Repeats: &dissect.RepeatedHeader{Size: 20, Varies: 1<<1 | 3<<2 | 3<<4 | 3<<10, Length: 2, Whole: true,
			Ends: &dissect.HeaderEnds{At: 12, Size: 4, Hops: 8, Ordinary: ordinary}},
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x0800}, {Table: dissect.TableIP, Value: 4},
			{Table: dissect.TableLink, Value: 228}},
	}
}

func packet(d *dissect.D) {
	start, whole := d.Pos(), d.Data()
	if first := d.Peek(0); first>>4 != 4 && d.More() {
		d.Bits(fVersion)
		d.Expert(nVersion)
		d.Info().Set("Bogus IPv4 version ({version}, must be 4)")
		return
	}
	header := int(d.Peek(0)&15) * 4
	d.Bits(fVersion, fHdrLen)
	if header < 20 && !d.Short() {
		d.Expert(nHdr)
		if d.Info().Wanted() {
			d.Info().Setf("Bogus IP header length (%d, must be at least 20)", header)
		}
		return
	}
	services(d)
	total := totalLength(d, len(whole))
	if total > 0 && total < header {
		d.Expert(nLen)
		if d.Info().Wanted() {
			d.Info().Setf("Bogus IP length (%d, less than header length %d)", total, header)
		}
		return
	}
	d.Inner().Export(dissect.ExportIP, start, total)
	id := d.Uint(fID)
	flags, offset := fragmentation(d)
	d.Hops = uint8(d.Uint(fTTL))
	next := uint32(d.Uint(fProto))
	d.Ends().SetCarried(uint8(next))
	sum := d.Uint(fSum)
	if !d.Short() {
		checksum(d, whole[:min(header, len(whole))], start+10, sum)
	}
	src := address(d, fSrc, fSrcHost)
	last, routed := ahead(whole, header)
	to, toHost := fDst, fDstHost
	if routed {
		to, toHost = fCurrent, fCurrentH
	}
	dst := address(d, to, toHost)
	if d.Short() {
		return
	}
	if routed {
		if d.Labelling() {
			d.Suffix(proto.Self(), ", Via: "+d.Names().Addr(dst))
		}
		d.Ends().Reroute(src, last)
		dst = last
	} else {
		d.Ends().Set(src, dst)
	}
	if header > len(whole) && !d.CutShort() {
		d.Expert(nHdr)
		return
	}
	places.Tell(d, src, dst, start+12, 4)
	if header > 20 {
		d.Within(header-20, func() { options(d, header-20) })
	}
	lifetime(d, dst)
	payload := length(d, total, header)
	if flags&0x20 != 0 || offset > 0 {
		fragment(d, dissect.Piece{Key: dissect.PieceKey{Src: src, Dst: dst, ID: uint32(id), Proto: next}, Off: offset,
			Last: flags&0x20 == 0}, next, payload)
		return
	}
	d.Info().Set("{proto}")
	d.Next(dissect.TableIP, next)
}

// fragmentation reads the flags and the offset in bytes, which share two bytes.
func fragmentation(d *dissect.D) (flags uint64, offset int) {
	flags, both := uint64(d.Peek(0)), d.PeekUint(0, 2)
	at := d.Pos()
	d.Skip(2)
	if d.Short() {
		return 0, 0
	}
	if !evil.On(d) {
		d.Put(fFlags, flags, at, 1)
	} else if d.Put(fEvil, flags, at, 1); flags&0x80 != 0 {
		d.Below(func() { d.Expert(nEvil) })
	}
	d.Put(fOffset, both, at, 2)
	return flags, int(both&0x1fff) * 8
}

// address reads an address and, hidden, the same as a host without a name.
func address(d *dissect.D, f, host *dissect.Field) dissect.Addr {
	at := d.Pos()
	a := d.IPv4(f)
	if !d.Short() {
		d.Names().Put(host, a, at, 4)
	}
	return a
}

// totalLength reads the total length. 0 is what hosts show that leave segmentation to the hardware: the value is then
// what is there.
func totalLength(d *dissect.D, here int) int {
	at, total := d.Pos(), int(d.PeekUint(0, 2))
	d.Skip(2)
	switch {
	case d.Short():
		return 0
	case total > 0:
		d.Put(fLen, uint64(total), at, 2)
	default:
		d.Put(fLen, uint64(here), at, 2)
		d.Suffix(fLen, " bytes (reported as 0, presumably because the hardware segments)")
	}
	return total
}

// length bounds the range to the datagram and returns its payload's length.
func length(d *dissect.D, total, header int) int {
	payload := total - header
	switch {
	case total == 0:
		payload = d.Left() + d.Missing()
	case payload > d.Left() && !d.CutShort() && !d.Quoted():
		d.Expert(nLen)
		payload = d.Left()
	}
	d.Limit(payload)
	return payload
}

var evil = proto.Switch("security_flag", "Interpret Reserved flag as Security flag (RFC 3514)",
	"Whether the first of the flags tells of evil intent, as RFC 3514 of 1 April 2003 has it.", false)

var joins = proto.Switch("defragment", "Reassemble fragmented IPv4 datagrams",
	"Whether datagrams are put together of their fragments.", true)

var verify = proto.Switch("check_checksum", "Validate the IPv4 checksum if possible",
	"Whether to validate the IPv4 checksum; network cards that make it leave a wrong one in what is captured on the "+
		"sender.",
	false)

// checksum verifies the header's checksum, which was read at an offset.
func checksum(d *dissect.D, header []byte, at int, sum uint64) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) && !d.Wanted(fRight) {
		return
	}
	if int(header[0]&15)*4 > len(header) {
		d.Suffix(fSum, " [unverified]")
		d.Put(fStatus, 2, at, 0)
		return
	}
	if !verify.On(d) {
		d.Suffix(fSum, " [validation disabled]")
		d.Put(fStatus, 2, at, 0)
		return
	}
	right := uint64(dissect.Checksum(header[:10], header[12:]))
	switch {
	case right == sum:
		d.Suffix(fSum, " [correct]")
		d.Put(fStatus, 1, at, 0)
	default:
		d.Suffix(fSum, fmt.Sprintf(" [incorrect, should be 0x%04x]", right))
		d.Put(fStatus, 0, at, 0)
		if !d.Quoted() { // routers change what they quote
			d.ExpertText(nSum, fmt.Sprintf("Bad checksum [should be 0x%04x]", right))
		}
	}
	if d.Wanted(fRight) {
		d.Put(fRight, right, at, 2)
	}
}

// lifetime marks times to live that look wrong, by the rules that Wireshark has for them.
func lifetime(d *dissect.D, dst dissect.Addr) {
	v, ttl := dst.Uint64(), d.Hops
	switch {
	case v>>8 == 0xe00000: // 224.0.0.0/24 stays on the link
		if want := linkTTL(v); want != 0 && ttl != want {
			d.ExpertText(nLocal,
				fmt.Sprintf("\"Time To Live\" != %d for a packet sent to the Local Network Control Block (see RFC 3171)", want))
		}
	case v>>28 == 0xe, v == 0xffffffff, ttl >= lowTTL:
	default:
		d.ExpertText(nLow, fmt.Sprintf("\"Time To Live\" only %d", ttl))
	}
}

// lowTTL is the time to live below which packets hardly arrive.
const lowTTL = 5

// ordinary tells of a header that there is nothing to say of its lifetime: it is long, and the packet goes to no group.
func ordinary(header []byte) bool { return header[8] >= lowTTL && header[16] < 0xe0 }

// linkTTL is the time to live that packets to a group of the link have, 0 where any will do.
func linkTTL(group uint64) uint8 {
	switch group {
	case 0xe0000012, 0xe0000066, 0xe00000fb: // VRRP, GLBP, mDNS
		return 255
	case 0xe00000fc: // LLMNR
		return 0
	}
	return 1
}

// fragment shows a fragment's bytes, and the datagram in the frame that completes it.
func fragment(d *dissect.D, p dissect.Piece, next uint32, payload int) {
	if d.Info().Wanted() {
		d.Info().Setf("Fragmented IP protocol (proto=%s %d, off=%d, ID=%04x)", protocols[uint64(next)], next, p.Off, p.Key.ID)
	}
	if whole := joins.On(d); !whole && p.Off == 0 {
		d.Stream().Parted()
		d.Next(dissect.TableIP, next)
		return
	} else if !whole || d.CutShort() && d.Left() < payload || d.Quoted() {
		d.Next(tableFragment, 0)
		return
	}
	whole, done := d.Stream().Assemble(p, d.Left())
	if !done {
		d.Links().ShowForward(fWhole)
		if d.Info().Has(fWhole) {
			d.Info().Set("\\[Reassembled in #{reassembled_in}\\]")
		}
		d.Next(tableFragment, 0) // nobody takes it: it is data
		return
	}
	d.Rest(fFragData)
	for _, part := range whole.Parts {
		if part.Frame != d.Frame {
			d.Link(part.Frame, fWhole, nil)
		}
	}
	data := d.Stream().Gather(whole.Refs)
	d.Stream().ShowPieces(&pieces, whole, data)
	d.Stream().FromFragments("Reassembled IPv4", data, func() { d.Next(dissect.TableIP, next) })
}

// flagText is the flags as Wireshark's tree has them: "0x2, Don't fragment". The first has the name that is given.
func flagText(first string, v uint64) string {
	text := fmt.Sprintf("0x%x", v)
	for i, word := range [...]string{", " + first, ", Don't fragment", ", More fragments"} {
		if v&(4>>i) != 0 {
			text += word
		}
	}
	return text
}
