package icmpv6

import (
	"fmt"

	"remora/dissect"
)

var (
	fDelay = proto.Uint16("mld.maximum_response_delay", "Maximum Response Delay [ms]",
		"How long receivers may wait with the answer.")
	fRespCode = proto.Uint16("mld.maximum_response_code", "Maximum Response Code",
		"How long receivers may wait with the answer, in milliseconds.")
	fMCast    = proto.IPv6("mld.multicast_address", "Multicast Address", "The group.")
	fMLDFlags = proto.Uint8("mld.flag", "Flags", "How the querier works.").Hex().Format(mldFlags)
	fMLDSupp  = proto.Bool("mld.flag.s", "Suppress Router-Side Processing", "Other routers shall not start their timers.").
			Masked(0x08).TrueFalse("True", "False")
	fMLDQRV = proto.Uint8("mld.flag.qrv", "QRV (Querier's Robustness Variable)",
		"How many lost messages are made up for.").Masked(0x07)
	fMLDRes  = proto.Uint8("mld.flag.reserved", "Reserved", "Zero.").Masked(0xf0)
	fQQI     = proto.Uint8("mld.qqi", "QQIC (Querier's Query Interval Code)", "Time between queries, in seconds.")
	fSources = proto.Uint16("mld.nb_sources", "Number of Sources", "How many senders follow.")
	fSource  = proto.IPv6("mld.source_address", "Source Address", "A sender to the group.")

	fRecords = proto.Uint16("mldr.nb_mcast_records", "Number of Multicast Address Records", "How many groups follow.")
	fRecord  = proto.Node("mldr.mar", "Multicast Address Record", "What a host wants of one group.").
			Summary("Multicast Address Record {mldr.mar.record_type:name}: {mldr.mar.multicast_address}")
	fRecType = proto.Uint8("mldr.mar.record_type", "Record Type", "What is wanted, or what has changed.").
			Named(dissect.Values{1: "Include", 2: "Exclude", 3: "Changed to include", 4: "Changed to exclude",
			5: "Allow new sources", 6: "Block old sources"})
	fAuxLen  = proto.Uint8("mldr.mar.aux_data_len", "Aux Data Len", "Length of the bytes at the end in units of 4.")
	fRecSrcs = proto.Uint16("mldr.mar.nb_sources", "Number of Sources", "How many senders follow.")
	fRecAddr = proto.IPv6("mldr.mar.multicast_address", "Multicast Address", "The group.")
	fRecSrc  = proto.IPv6("mldr.mar.source_address", "Source Address", "A sender to the group.")
	fAux     = proto.Bytes("mldr.mar.auxiliary_data", "Auxiliary Data", "Bytes of no meaning.")
)

// mldV1 is the length of the older messages' rest behind the checksum; longer queries are of version 2.
const mldV1 = 20

func mldFlags(v uint64) string {
	text := fmt.Sprintf("0x%02x", v)
	if v&8 != 0 {
		text += ", Suppress Router-Side Processing"
	}
	return text
}

// floating is a number with an exponent (RFC 3810 sections 5.1.3 and 5.1.9) of the given mantissa bits.
func floating(v uint64, bits int) uint64 {
	top := uint64(1) << (bits + 3)
	if v < top {
		return v
	}
	return (v&(1<<bits-1) | 1<<bits) << (v>>bits&7 + 3)
}

// listeners reads queries of both versions and the reports of the older one.
func listeners(d *dissect.D, kind uint64) {
	if kind != typeMLDQuery || d.Left() <= mldV1 {
		d.Uint(fDelay)
		d.Bytes(fReserv, 2)
		d.IPv6(fMCast)
		return
	}
	d.Put(fRespCode, floating(d.PeekUint(0, 2), 12), d.Pos(), 2)
	d.Skip(2)
	d.Bytes(fReserv, 2)
	d.IPv6(fMCast)
	at := d.Pos()
	v := d.Uint(fMLDFlags)
	if d.Short() {
		return
	}
	d.Below(func() {
		d.Put(fMLDSupp, v, at, 1)
		d.Put(fMLDQRV, v, at, 1)
		d.Put(fMLDRes, v, at, 1)
	})
	if !d.More() {
		return
	}
	d.Put(fQQI, floating(d.PeekUint(0, 1), 4), d.Pos(), 1)
	d.Skip(1)
	n := int(d.Uint(fSources))
	for range n {
		if !d.More() {
			return
		}
		d.IPv6(fSource)
	}
}

// groups reads the reports of version 2.
func groups(d *dissect.D, _ uint64) {
	d.Bytes(fReserv, 2)
	n := int(d.Uint(fRecords))
	for range n {
		if !d.More() {
			return
		}
		d.In(fRecord, func() { record(d) })
	}
}

func record(d *dissect.D) {
	d.Uint(fRecType)
	aux := int(d.Uint(fAuxLen)) * 4
	n := int(d.Uint(fRecSrcs))
	d.IPv6(fRecAddr)
	for range n {
		if !d.More() {
			break
		}
		d.IPv6(fRecSrc)
	}
	if aux > 0 {
		d.Bytes(fAux, aux)
	}
}

// Node information (RFC 4620).
var (
	fNIType = proto.Uint16("ni.qtype", "Qtype", "What is asked.").
		Named(dissect.Values{0: "NOOP", 1: "Supported query types (Obsolete)", 2: "Node Name", 3: "Node addresses",
			4: "IPv4 node addresses"})
	fNIFlags = proto.Flags16("ni.flag", "Flags",
		[]dissect.Flag{{Name: "g", Label: "Global-scope addresses", Mask: 0x20, Doc: "Of the whole world."},
			{Name: "s", Label: "Site-local addresses", Mask: 0x10, Doc: "Of the site."},
			{Name: "l", Label: "Link-local addresses", Mask: 0x08, Doc: "Of the link."},
			{Name: "c", Label: "Compression", Mask: 0x04, Doc: "IPv4 addresses in IPv6 form too."},
			{Name: "a", Label: "Unicast Addresses", Mask: 0x02, Doc: "Of all interfaces."},
			{Name: "t", Label: "Truncated", Mask: 0x01, Doc: "Not all of them found a place."}},
		"Which addresses are asked for.")
	fNIRes   = proto.Uint16("ni.flag.rsv", "Reserved", "Zero.").Masked(0xffc0).Hex()
	fNINonce = proto.Uint64("ni.nonce", "Nonce", "Joins the answer with the question.").Hex()
	fNIIPv6  = proto.IPv6("ni.query.subject_ipv6", "IPv6 subject address", "Whom the question is about.")
	fNIIPv4  = proto.IPv4("ni.query.subject_ipv4", "IPv4 subject address", "Whom the question is about.")
	fNITTL   = proto.Uint32("ni.reply.node_ttl", "TTL", "How long the answer holds, in seconds.")
	fNIAddr  = proto.IPv6("ni.reply.node_address", "IPv6 Node address", "An address of the node.")
)

func nodeInformation(d *dissect.D, kind uint64) {
	code := d.PeekUint(-3, 1)
	what := d.Uint(fNIType)
	at := d.Pos()
	v := d.Uint(fNIFlags)
	if !d.Short() {
		d.Below(func() { d.Put(fNIRes, v, at, 2) })
	}
	d.Uint(fNINonce)
	switch {
	case kind == 139 && code == 0 && d.Left() >= 16:
		d.IPv6(fNIIPv6)
	case kind == 139 && code == 2 && d.Left() >= 4:
		d.IPv4(fNIIPv4)
	case kind == 140 && what == 2 && d.Left() >= 4:
		d.Uint(fNITTL)
	case kind == 140 && what == 3:
		for more := d.Elements(); d.Left() >= 20 && more.Next(); {
			d.Uint(fNITTL)
			d.IPv6(fNIAddr)
		}
	}
}
