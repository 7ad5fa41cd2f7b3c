package ospf

import "remora/dissect"

var (
	fOpt2 = proto.Uint8("v2.options", "Options", "What the router can do.").Hex()
	o2DN  = proto.Bool("v2.options.dn", "DN", "The route came from a provider and must not go back.").Masked(0x80)
	o2O   = proto.Bool("v2.options.o", "O", "Opaque advertisements are understood.").Masked(0x40)
	o2DC  = proto.Bool("v2.options.dc", "(DC) Demand Circuits", "Links are used on demand only.").Masked(0x20).
		TrueFalse("Supported", "Not supported")
	o2L = proto.Bool("v2.options.l", "(L) LLS Data block", "A block of local signalling follows the packet.").
		Masked(0x10).TrueFalse("Present", "Not Present")
	o2N = proto.Bool("v2.options.n", "(N) NSSA", "Advertisements of not so stubby areas are understood.").
		Masked(0x08).TrueFalse("Supported", "Not supported")
	o2P = proto.Bool("v2.options.p", "(P) Propagate", "The advertisement shall be passed on to other areas.").
		Masked(0x08)
	o2MC = proto.Bool("v2.options.mc", "(MC) Multicast", "Multicast is forwarded.").Masked(0x04).
		TrueFalse("Capable", "Not capable")
	o2E = proto.Bool("v2.options.e", "(E) External Routing", "External routes are understood.").Masked(0x02).
		TrueFalse("Capable", "Not capable")
	o2MT = proto.Bool("v2.options.mt", "(MT) Multi-Topology Routing", "Several topologies are understood.").
		Masked(0x01).TrueFalse("Yes", "No")
	fOpt3 = proto.Uint24("v3.options", "Options", "What the router can do.").Hex()
	o3AT  = proto.Bool("v3.options.at", "AT", "An authentication trailer follows the packet.").Wide(3).Masked(0x400)
	o3L   = proto.Bool("v3.options.l", "L", "A block of local signalling follows the packet.").Wide(3).Masked(0x200)
	o3AF  = proto.Bool("v3.options.af", "AF", "Several address families are understood.").Wide(3).Masked(0x100)
	o3DC  = proto.Bool("v3.options.dc", "DC", "Links are used on demand only.").Wide(3).Masked(0x20)
	o3R   = proto.Bool("v3.options.r", "R", "The router forwards packets.").Wide(3).Masked(0x10)
	o3N   = proto.Bool("v3.options.n", "N", "Advertisements of not so stubby areas are understood.").Wide(3).
		Masked(0x08)
	o3MC      = proto.Bool("v3.options.mc", "MC", "Multicast is forwarded.").Wide(3).Masked(0x04)
	o3E       = proto.Bool("v3.options.e", "E", "External routes are understood.").Wide(3).Masked(0x02)
	o3V6      = proto.Bool("v3.options.v6", "V6", "The router is part of IPv6 routing.").Wide(3).Masked(0x01)
	fMTU      = proto.Uint16("db.interface_mtu", "Interface MTU", "Longest packet that the interface takes.")
	fDBD      = proto.Uint8("dbd", "DB Description", "Where in the exchange the packet stands.").Hex()
	dR        = proto.Bool("dbd.r", "(R) OOBResync", "The databases are compared again.").Masked(0x08)
	dI        = proto.Bool("dbd.i", "(I) Init", "The first packet.").Masked(0x04)
	dM        = proto.Bool("dbd.m", "(M) More", "More packets follow.").Masked(0x02)
	dMS       = proto.Bool("dbd.ms", "(MS) Master", "The sender leads the exchange.").Masked(0x01).TrueFalse("Yes", "No")
	fSequence = proto.Uint32("db.dd_sequence", "DD Sequence", "Number of the packet in the exchange.")
	fAge      = proto.Uint16("lsa.age", "LS Age (seconds)", "How old the advertisement is.").Masked(0x7fff)
	fNoAge    = proto.Uint16("lsa.donotage", "Do Not Age Flag", "The advertisement does not grow old.").Masked(0x8000)
	fNoAge3   = proto.Bool("v3.lsa.do_not_age", "Do Not Age", "The advertisement does not grow old.").Wide(2).
			Masked(0x8000).TrueFalse("True", "False")
	fLSA = proto.Uint8("lsa", "LS Type", "What the advertisement describes.").
		Named(dissect.Values{1: "Router-LSA", 2: "Network-LSA", 3: "Summary-LSA (IP network)", 4: "Summary-LSA (ASBR)",
			5: "AS-External-LSA (ASBR)", 6: "Group Membership LSA", 7: "NSSA AS-External-LSA", 8: "External Attributes LSA",
			9: "Opaque LSA, Link-local scope", 10: "Opaque LSA, Area-local scope", 11: "Opaque LSA, AS-local scope"})
	fLSID      = proto.IPv4("lsa.id", "Link State ID", "Which part of the network the advertisement describes.")
	fLinkID    = proto.IPv4("link_state_id", "Link State ID", "Which part of the network is asked for.")
	fAdvRouter = proto.IPv4("advrouter", "Advertising Router", "The router that made the advertisement.")
	fLSSeq     = proto.Uint32("lsa.seqnum", "Sequence Number", "Counts the versions of the advertisement.").Hex()
	fLSSum     = proto.Uint16("lsa.chksum", "Checksum", "Checksum over the advertisement (Fletcher).").Hex()
	fLSLen     = proto.Uint16("lsa.length", "Length", "Length of the advertisement in bytes.")
	fOpaque    = proto.Uint8("lsid_opaque_type", "Link State ID Opaque Type", "What the opaque advertisement holds.").
			Named(dissect.Values{1: "Traffic Engineering LSA", 2: "Sycamore Optical Topology Descriptions", 3: "grace-LSA",
			4: "Router Information (RI)", 5: "L1VPN LSA", 6: "Inter-AS-TE-v2 LSA", 7: "OSPFv2 Extended Prefix Opaque LSA",
			8: "OSPFv2 Extended Link Opaque LSA", 9: "TTZ LSA"})
	fOpaqueID = proto.Uint24("lsid.opaque_id", "Link State ID Opaque ID", "Which of the router's.")
	fTERes    = proto.Uint8("lsid_te_lsa.reserved", "Link State ID TE-LSA Reserved", "Zero.")
	fTEInst   = proto.Uint16("lsid_te_lsa.instance", "Link State ID TE-LSA Instance", "Which of the router's.")
	fCount    = proto.Uint32("ls.number_of_lsas", "Number of LSAs", "How many advertisements follow.")
	fLSA3     = proto.Uint16("v3.lsa", "LS Type", "What the advertisement describes, and how far it goes.").Hex()
	l3U       = proto.Bool("v3.lsa.u", "LSA Handling", "What routers do with it that do not know the type.").Wide(2).
			Masked(0x8000).
			TrueFalse("Treat the LSA as if it had link-local flooding scope",
			"Store and flood the LSA as if the type is understood")
	l3S = proto.Uint16("v3.lsa.s12", "Flooding Scope", "How far the advertisement goes.").Hex().Masked(0x6000).
		Named(dissect.Values{0x0: "Link-Local Scoping - Flooded only on originating link",
			0x1: "Area Scoping - Flooded only in originating area", 0x2: "AS Scoping - Flooded throughout AS", 0x3: "Reserved"})
	l3FC = proto.Uint16("v3.lsa.fc", "Function Code", "What the advertisement describes.").Masked(0x1fff).
		Named(functions)
)

var functions = dissect.Values{
	1: "Router-LSA", 2: "Network-LSA", 3: "Inter-Area-Prefix-LSA", 4: "Inter-Area-Router-LSA", 5: "AS-External-LSA",
	6: "Group-Membership-LSA", 7: "NSSA-LSA", 8: "Link-LSA",
	9: "Intra-Area-Prefix-LSA", 12: "Router Information Opaque-LSA",
}

const (
	option2L  = 0x10
	option3L  = 0x000200
	kindNSSA  = 7
	linkLocal = 9
)

func options2(d *dissect.D, nssa bool) uint64 {
	area := o2N
	if nssa { // of the advertisement alone
		area = o2P
	}
	return d.Bits(fOpt2, o2DN, o2O, o2DC, o2L, area, o2MC, o2E, o2MT)
}

func options3(d *dissect.D) uint64 {
	return d.Bits(fOpt3, o3AT, o3L, o3AF, o3DC, o3R, o3N, o3MC, o3E, o3V6)
}

// hello says that a router is there (RFC 2328 section A.3.2, RFC 5340 section A.3.2).
func hello(d *dissect.D, version uint64) (signals bool) {
	if version == 2 {
		d.IPv4(fMask)
		d.Uint(fInterval)
		signals = options2(d, false)&option2L != 0
		d.Uint(fPriority)
		d.Uint(fDead)
	} else {
		d.Uint(fIfID)
		d.Uint(fPriority)
		signals = options3(d)&option3L != 0
		d.Uint(fInterval)
		d.Uint(fDead3)
	}
	d.IPv4(fDR)
	d.IPv4(fBDR)
	for more := d.Elements(); more.Next(); {
		d.IPv4(fNeighbor)
	}
	return signals
}

// describe is the head of a description (RFC 2328 section A.3.3, RFC 5340 section A.3.3).
func describe(d *dissect.D, version uint64) (signals bool) {
	if version == 2 {
		d.Uint(fMTU)
		signals = options2(d, false)&option2L != 0
	} else {
		d.Bytes(fReserved, 1)
		signals = options3(d)&option3L != 0
		d.Uint(fMTU)
		d.Bytes(fReserved, 1)
	}
	d.Bits(fDBD, dR, dI, dM, dMS)
	d.Uint(fSequence)
	return signals
}

func request(d *dissect.D, version uint64) {
	if version == 2 {
		d.Bytes(fReserved, 3)
		d.Uint(fLSA)
		d.IPv4(fLinkID)
	} else {
		d.Bytes(fReserved, 2)
		d.Bits(fLSA3, l3U, l3S, l3FC)
		d.IPv4(fLinkID)
	}
	d.IPv4(fAdvRouter)
}

// headers are headers of advertisements alone.
func headers(d *dissect.D, version uint64) {
	for more := d.Elements(); more.Next(); {
		d.In(fEntry, func() { entry(d, version) })
	}
}

func update(d *dissect.D, version uint64) {
	for n, more := d.Uint(fCount), d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fEntry, func() { advertisement(d, version) })
	}
}

func advertisement(d *dissect.D, version uint64) {
	length := int(d.PeekUint(18, 2))
	kind, id := entry(d, version)
	if d.Short() {
		return
	}
	if length < lsaHead {
		d.Expert(nLen)
		d.Rest(fData)
		return
	}
	d.Within(length-lsaHead, func() {
		if version == 2 {
			content2(d, kind, id)
		} else {
			content3(d, kind)
		}
		d.Rest(fData)
	})
}

// entry is the header of an advertisement (RFC 2328 section A.4.1, RFC 5340 section A.4.2). It returns its type, and
// for opaque ones the sort of what they hold.
func entry(d *dissect.D, version uint64) (kind, opaque uint64) {
	if version == 2 {
		d.Bits(fAge, fNoAge)
		kind = uint64(d.Peek(1))
		options2(d, kind == kindNSSA)
		d.Uint(fLSA)
		flag(d, kind,
			[]*dissect.Field{1: fIsRouter, fIsNetwork, fIsSummary, fIsASBR, fIsExt, fIsMember, fIsNSSA, fIsAttr, fIsOpaque,
				fIsOpaque, fIsOpaque})
		if kind >= linkLocal && kind <= linkLocal+2 {
			opaque = uint64(d.Peek(0))
			opaqueID(d)
		} else {
			d.IPv4(fLSID)
		}
	} else {
		d.Bits(fAge, fNoAge3)
		kind = d.Bits(fLSA3, l3U, l3S, l3FC) & 0x1fff
		flag(d, kind,
			[]*dissect.Field{1: fIsRouter3, fIsNetwork3, fIsPrefix3, fIsInter3, fIsExt3, fIsMember3, fIsNSSA3, fIsLink3,
				fIsIntra3, 12: fIsOpaque3})
		d.IPv4(fLinkID)
	}
	d.IPv4(fAdvRouter)
	d.Uint(fLSSeq)
	d.Uint(fLSSum)
	d.Uint(fLSLen)
	return kind, opaque
}

func flag(d *dissect.D, kind uint64, fields []*dissect.Field) {
	if kind < uint64(len(fields)) && fields[kind] != nil && !d.Short() {
		d.Set(fields[kind], 1)
	}
}

// opaqueID is the number of an opaque advertisement: what it holds, and which one it is (RFC 5250 section 3).
func opaqueID(d *dissect.D) {
	if d.Uint(fOpaque) == opaqueTE {
		d.Uint(fTERes)
		d.Uint(fTEInst)
		return
	}
	d.Uint(fOpaqueID)
}
