package icmp

import (
	"fmt"

	"remora/dissect"
)

// Interface information (RFC 5837) and identification (RFC 8335).
var (
	fRole = proto.Uint8("int_info.role", "Interface Role", "What the interface has to do with the datagram.").
		Masked(0xc0).
		Named(dissect.Values{0: "IP interface upon which datagram arrived",
			1: "sub-IP component of an IP interface upon which datagram arrived",
			2: "IP interface through which datagram would be forwarded", 3: "IP next-hop to which datagram would be forwarded"})
	fRoleRes  = proto.Uint8("int_info.reserved", "Reserved", "Zero.").Masked(0x30)
	fHasIndex = proto.Bool("int_info.ifindex", "ifIndex", "The interface's number follows.").Masked(0x08).
			TrueFalse("True", "False")
	fHasAddr = proto.Bool("int_info.ipaddr", "IP Address", "Its address follows.").Masked(0x04).
			TrueFalse("Present", "Not present")
	fHasName = proto.Bool("int_info.name_present", "Interface Name", "Its name follows.").Masked(0x02).
			TrueFalse("Present", "Not present")
	fHasMTU = proto.Bool("int_info.mtu_present", "MTU", "How long its packets may be follows.").Masked(0x01).
		TrueFalse("Present", "Not present")
	fIndex   = proto.Uint32("int_info.index", "Interface Index", "Number of the interface.")
	fFamily  = proto.Uint16("int_info.afi", "Address Family Identifier", "Sort of address.")
	fInfo4   = proto.IPv4("int_info.ipv4", "Source", "Address of the interface.")
	fInfo6   = proto.IPv6("int_info.ipv6", "Source", "Address of the interface.")
	fInfoAny = proto.Bytes("int_info.ipunknown", "Source", "Address of another sort.")
	fNameLen = proto.Uint8("int_info.name_length", "Name Length", "Length of the name with this byte.")
	fName    = proto.String("int_info.name", "Name", "Name of the interface.")
	fInfoMTU = proto.Uint32("int_info.mtu", "Maximum Transmission Unit", "How long packets of the interface may be.")

	fIDName  = proto.String("int_ident.name", "Name", "Name of the interface asked about.")
	fIDIndex = proto.Uint32("int_ident.index", "Interface Index", "Number of the interface asked about.")
	fIDFam   = proto.Uint16("int_ident.afi", "Address Family Identifier", "Sort of address.").
			Named(dissect.Values{1: "IPv4", 2: "IPv6"})
	fIDLen = proto.Uint8("int_ident.addr_length", "Address Length", "Length of the address in bytes.")
	fIDRes = proto.Bytes("int_ident.reserved", "Reserved", "Zero.")
	fID4   = proto.IPv4("int_ident.ipv4", "Address", "Address of the interface asked about.")
	fID6   = proto.IPv6("int_ident.ipv6", "Address", "Address of the interface asked about.")
	fIDAny = proto.Bytes("int_ident.address", "Address", "Address of another sort.")

	fExtSeq  = proto.Uint8("ext.echo.seq", "Sequence Number", "Which question of the asker's this is.").HexDec()
	fReqRes  = proto.Uint8("ext.echo.req.res", "Reserved", "Zero.").Masked(0xfe).Hex()
	fReqLoc  = proto.Bool("ext.echo.req.local", "Local bit", "The interface is the receiver's own.").Masked(0x01)
	fRspStat = proto.Uint8("ext.echo.rsp.state", "State", "What the receiver knows of its neighbour.").Masked(0xe0).
			Named(dissect.Values{0: "Reserved", 1: "Incomplete", 2: "Reachable", 3: "Stale", 4: "Delay", 5: "Probe",
			6: "Failed"})
	fRspRes = proto.Uint8("ext.echo.rsp.res", "Reserved", "Zero.").Masked(0x18).Hex()
	fRspAct = proto.Bool("ext.echo.rsp.active", "Active bit", "The interface works.").Masked(0x04)
	fRsp4   = proto.Bool("ext.echo.rsp.ipv4", "IPv4 bit", "IPv4 runs on it.").Masked(0x02)
	fRsp6   = proto.Bool("ext.echo.rsp.ipv6", "IPv6 bit", "IPv6 runs on it.").Masked(0x01)
)

// The numbers of address families (IANA registry).
const (
	familyIPv4 = 1
	familyIPv6 = 2
)

// interfaceInfo reads what a router tells of one of its interfaces; kind says which parts follow.
func interfaceInfo(d *dissect.D, kind uint64) {
	at := d.Pos() - 1
	text := ", Interface Role: " + fRole.ValueName(kind>>6)
	for i, name := range [...]string{", ifIndex", ", IP Address", ", Interface Name", ", MTU"} {
		if kind&(8>>i) != 0 {
			text += name
		}
	}
	d.Suffix(fObjType, text)
	d.Below(func() {
		for _, f := range []*dissect.Field{fRole, fRoleRes, fHasIndex, fHasAddr, fHasName, fHasMTU} {
			d.Put(f, kind, at, 1)
		}
	})
	if kind&8 != 0 {
		d.Uint(fIndex)
	}
	if kind&4 != 0 {
		family := d.Uint(fFamily)
		d.Bytes(fReserv, 2)
		anyAddress(d, family, d.Left(), fInfo4, fInfo6, fInfoAny)
	}
	if kind&2 != 0 {
		if n := int(d.Uint(fNameLen)) - 1; n > 0 {
			d.Padded(fName, n)
		}
	}
	if kind&1 != 0 {
		d.Uint(fInfoMTU)
	}
}

// anyAddress reads an address of a family; of one that is not known the n bytes.
func anyAddress(d *dissect.D, family uint64, n int, v4, v6, other *dissect.Field) {
	switch {
	case family == familyIPv4:
		d.IPv4(v4)
	case family == familyIPv6:
		d.IPv6(v6)
	case n > 0 && n <= d.Left():
		d.Bytes(other, n)
	}
}

// identity reads which interface an extended echo asks about.
func identity(d *dissect.D, kind uint64) {
	switch kind {
	case 1:
		d.Suffix(fObjType, " (Identifies Interface By Name)")
		d.Padded(fIDName, d.Left())
	case 2:
		d.Suffix(fObjType, " (Identifies Interface By Index)")
		d.Uint(fIDIndex)
	case 3:
		d.Suffix(fObjType, " (Identifies Interface By Address)")
		family := d.Uint(fIDFam)
		n := int(d.Uint(fIDLen))
		d.Bytes(fIDRes, 1)
		anyAddress(d, family, n, fID4, fID6, fIDAny)
	}
}

// extendedEcho reads the questions and answers of RFC 8335.
func extendedEcho(d *dissect.D, kind uint64) {
	at, id := d.Pos(), d.PeekUint(0, 2)
	d.Skip(2)
	if d.Short() {
		return
	}
	d.Put(fIdent, id, at, 2)
	d.Put(fIdentLE, swap(id), at, 2)
	d.Uint(fExtSeq)
	if kind == typeExtReply {
		d.Bits(fRspStat, fRspRes, fRspAct, fRsp4, fRsp6)
		return
	}
	d.Bits(fReqRes, fReqLoc)
	if d.Left() >= 4 {
		parts(d)
	}
}

// Router discovery (RFC 1256) and the extensions of mobile IP (RFC 5944 section 2.1).
var (
	fAddrs   = proto.Uint8("num_addrs", "Number of addresses", "How many routers follow.")
	fEntry32 = proto.Uint8("addr_entry_size", "Address entry size", "Length of an entry in units of 4 bytes.")
	fLife    = proto.Uint16("lifetime", "Lifetime", "How long the routers may be used, in seconds.").
			Format(func(v uint64) string { return fmt.Sprintf("%d (%s)", v, duration(v*1000)) })
	fRouter = proto.IPv4("router_address", "Router address", "A router.")
	fPrefer = proto.Int32("pref_level", "Preference level", "The router with the highest is to be used.")

	fMIP = proto.Group("mip", "Extension", "An extension of mobile IP. Wireshark has no name for it.").
		Summary("Ext: {mip.type:name}")
	fMIPType = proto.Uint8("mip.type", "Extension Type", "Which extension it is.").
			Named(dissect.Values{0: "One byte padding extension", 16: "Mobility Agent Advertisement Extension",
			19: "Prefix Lengths Extension", 24: "Challenge Extension"})
	fMIPLen  = proto.Uint8("mip.length", "Length", "Length of the extension.")
	fMIPSeq  = proto.Uint16("mip.seq", "Sequence Number", "How many advertisements were sent.")
	fMIPLife = proto.Uint16("mip.life", "Registration Lifetime", "How long a registration holds, in seconds.")
	fMIPFlag = proto.Uint16("mip.flags", "Flags", "What the agent can do.").Hex()
	fMIPBits = []*dissect.Field{mip("r", "Registration Required", 0x8000), mip("b", "Busy", 0x4000),
		mip("h", "Home Agent", 0x2000), mip("f", "Foreign Agent", 0x1000), mip("m", "Minimal Encapsulation", 0x0800),
		mip("g", "GRE", 0x0400), mip("v", "VJ Comp", 0x0200), mip("rt", "Reverse tunneling", 0x0100),
		mip("u", "UDP tunneling", 0x0080), mip("x", "Revocation support", 0x0040)}
	fMIPRes  = proto.Uint16("mip.reserved", "Reserved", "Zero.").Masked(0x003f).Hex()
	fMIPAddr = proto.IPv4("mip.coa", "Care-Of-Address", "An address that the foreign agent gives.")
	fMIPPfx  = proto.Uint8("mip.prefixlength", "Prefix Length", "Bits of a router's network.")
	fMIPChal = proto.Bytes("mip.challenge", "Challenge", "A number that a registration must hold.")
	fMIPData = proto.Bytes("mip.content", "Content", "Content of an extension that is not known.")
)

func mip(name, label string, mask uint64) *dissect.Field {
	return proto.Bool("mip."+name, label, label+": what the agent asks for or can do.").Wide(2).Masked(mask).
		TrueFalse("True", "False")
}

func routers(d *dissect.D) {
	n := int(d.Uint(fAddrs))
	size := int(d.Uint(fEntry32))
	d.Uint(fLife)
	for range n {
		if size != 2 || !d.More() {
			break
		}
		d.IPv4(fRouter)
		d.Int(fPrefer)
	}
	for more := d.Elements(); size == 2 && more.Next(); {
		d.In(fMIP, func() { extension(d) })
	}
}

func extension(d *dissect.D) {
	kind := d.Uint(fMIPType)
	if kind == 0 {
		return
	}
	n := int(d.Uint(fMIPLen))
	d.Within(n, func() {
		switch kind {
		case 16:
			agent(d)
		case 19:
			for more := d.Elements(); more.Next(); {
				d.Uint(fMIPPfx)
			}
		case 24:
			d.Rest(fMIPChal)
		}
		d.Rest(fMIPData)
	})
}

func agent(d *dissect.D) {
	d.Uint(fMIPSeq)
	d.Uint(fMIPLife)
	at := d.Pos()
	v := d.Uint(fMIPFlag)
	if d.Short() {
		return
	}
	text := ""
	for _, f := range fMIPBits {
		if v&f.Mask() != 0 {
			text += ", " + f.Label()
		}
	}
	d.Suffix(fMIPFlag, text)
	d.Below(func() {
		for _, f := range fMIPBits {
			d.Put(f, v, at, 2)
		}
		d.Put(fMIPRes, v, at, 2)
	})
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		d.IPv4(fMIPAddr)
	}
}
