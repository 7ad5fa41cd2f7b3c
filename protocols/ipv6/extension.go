package ipv6

import (
	"fmt"

	"remora/dissect"
)

// An extHeader is how one sort of extension header is shown.
type extHeader struct {
	group, next, length, octets *dissect.Field
	content                     func(d *dissect.D, header uint64)
}

var (
	fRouting  = proto.Group("routing", "Routing Header for IPv6", "Routers that the packet has to pass.")
	hopHeader = extension(proto.Group("hopopts", "IPv6 Hop-by-Hop Option", "Options for every router on the way."),
		"hopopts", options)
	dstHeader = extension(proto.Group("dstopts", "Destination Options for IPv6", "Options for the receiver."), "dstopts",
		options)
	rtHeader = extension(fRouting, "routing", routing)
)

func extension(group *dissect.Field, name string, content func(*dissect.D, uint64)) extHeader {
	return extHeader{
		group:   group,
		next:    proto.Uint8(name+".nxt", "Next Header", "What follows the header.").Named(headers),
		length:  proto.Uint8(name+".len", "Length", "Length of the header in units of 8 bytes, the first not counted."),
		octets:  proto.Uint16(name+".len_oct", "Length", "Length of the header.").Derived().In("bytes"),
		content: content,
	}
}

// header reads an extension header and returns what follows it.
func header(d *dissect.D, h *extHeader, kind uint64) (next uint64) {
	d.In(h.group, func() {
		next = d.Uint(h.next)
		n := int(d.Uint(h.length))
		d.Set(h.octets, uint64(n+1)*8)
		d.Within(n*8+6, func() { h.content(d, kind) })
	})
	if d.Short() {
		return done
	}
	return next
}

var (
	fRtType = proto.Uint8("routing.type", "Type", "Which kind of route it is.").
		Named(dissect.Values{0: "Source Route", 1: "Nimrod", 2: "Type 2 Routing", 3: "RPL Source Route", 4: "Segment Routing",
			5: "Compact Routing Header 16", 6: "Compact Routing Header 32", 253: "Experiment 1", 254: "Experiment 2"})
	fRtLeft  = proto.Uint8("routing.segleft", "Segments Left", "How many routers are still to be passed.")
	fRtData  = proto.Bytes("routing.unknown_data", "Type-Specific Data", "The route, of a kind that is not known.")
	fSrcRes  = proto.Bytes("routing.src.reserved", "Reserved", "Zero.")
	fSrcAddr = proto.IPv6("routing.src.addr", "Address", "A router that the packet passed or has still to pass.")
	fMobRes  = proto.Bytes("routing.mipv6.reserved", "Reserved", "Zero.")
	fMobHome = proto.IPv6("routing.mipv6.home_address", "Home Address",
		"The address that a mobile host has at home (RFC 6275).")
	fRPLI = rpl("cmprI", "Compressed Internal Octets (CmprI)", "Bytes left out of all addresses but the last.",
		0xf0000000)
	fRPLE    = rpl("cmprE", "Compressed Final Octets (CmprE)", "Bytes left out of the last address.", 0x0f000000)
	fRPLPad  = rpl("pad", "Padding Bytes", "Bytes behind the last address.", 0x00f00000)
	fRPLRes  = rpl("reserved", "Reserved", "Zero.", 0x000fffff)
	fRPLAddr = proto.Bytes("routing.rpl.address", "Address",
		"A router, without the bytes that it shares with the destination.")
	fSRHLast = proto.Uint8("routing.srh.last_entry", "Last Entry", "Number of the last address, counted from 0.")
	fSRHFlag = proto.Uint8("routing.srh.flags", "Flags", "None are in use.").Hex()
	fSRHTag  = proto.Bytes("routing.srh.tag", "Tag", "Marks packets of a group.")
	fSRHAddr = proto.IPv6("routing.srh.addr", "Address", "A segment of the route, the last one first.")

	nOldRoute = proto.Expert("routing.deprecated", dissect.Hint,
		"This type of routing header is no longer in use (RFC 5095)").About(dissect.AboutDeprecated)
	nSegLeft = proto.Expert("routing.invalid_segleft", dissect.Warn, "More segments are left than there are addresses")
)

func rpl(name, label, doc string, mask uint64) *dissect.Field {
	return proto.Uint32("routing.rpl."+name, label, doc).Masked(mask)
}

// routing reads the content of a routing header: source routes (RFC 2460), mobile hosts (RFC 6275), RPL (RFC 6554) and
// segments (RFC 8754).
func routing(d *dissect.D, _ uint64) {
	kind := d.Uint(fRtType)
	left := int(d.Uint(fRtLeft))
	if d.Labelling() {
		d.Suffix(fRouting, " ("+routeName(kind)+")")
	}
	switch kind {
	case 0:
		d.Expert(nOldRoute)
		d.Bytes(fSrcRes, 4)
		list(d, fSrcAddr, left, 1)
	case 2:
		d.Bytes(fMobRes, 4)
		list(d, fMobHome, left, 1)
	case 3:
		compressed(d)
	case 4:
		d.Uint(fSRHLast)
		d.Uint(fSRHFlag)
		d.Bytes(fSRHTag, 2)
		list(d, fSRHAddr, left, 0)
	}
	d.Rest(fRtData)
}

// routed is the last address of a routing header whose segments are not all passed: the packet's true destination.
func routed(b []byte) (dissect.Addr, bool) {
	if len(b) < 8 || b[3] == 0 {
		return dissect.Addr{}, false
	}
	at := 8 // segment routing has the last one first (RFC 8754)
	switch n := 8 + 8*int(b[1]); {
	case b[2] == 0 || b[2] == 2:
		at = n - 16
	case b[2] != 4:
		return dissect.Addr{}, false
	}
	if at < 8 || at+16 > len(b) || b[1] < 2 {
		return dissect.Addr{}, false
	}
	return dissect.IPv6Addr(b[at:]), true
}

func routeName(kind uint64) string {
	if name := fRtType.ValueName(kind); name != "" {
		return name
	}
	return fmt.Sprintf("Unknown type %d", kind)
}

// list reads addresses as long as there are any, counted from first.
func list(d *dissect.D, f *dissect.Field, left, first int) {
	n := 0
	for more := d.Elements(); d.Left() >= 16 && more.Next(); n++ {
		d.IPv6(f)
		if d.Labelling() {
			d.Suffix(f, fmt.Sprintf(" [%d]", first+n))
		}
	}
	if left > n && !d.CutShort() {
		d.Expert(nSegLeft)
	}
}

// compressed reads addresses that lack their first bytes.
func compressed(d *dissect.D) {
	v := d.Bits(fRPLI, fRPLE, fRPLPad, fRPLRes)
	inner, last, pad := 16-int(v>>28), 16-int(v>>24&15), int(v>>20&15)
	for more := d.Elements(); d.Left() >= inner+last+pad && more.Next(); {
		d.Bytes(fRPLAddr, inner)
	}
	if d.Left() >= last {
		d.Bytes(fRPLAddr, last)
	}
}
