package dns

import "remora/dissect"

var (
	fUDPSize = proto.Uint16("rr.udp_payload_size", "UDP payload size", "Longest datagram that the sender takes.")
	fExtRc   = proto.Uint8("resp.ext_rcode", "Higher bits in extended RCODE", "Upper bits of the reply code.").Hex()
	fVersion = proto.Uint8("resp.edns0_version", "EDNS0 version", "Version of the extension.")
	fEFlags  = proto.Uint16("resp.z", "Z", "Flags of the extension.").Hex()
	fDO      = proto.Bool("resp.z.do", "DO bit", "Security records are welcome.").Wide(2).Masked(0x8000).
			TrueFalse("Accepts DNSSEC security RRs", "Cannot handle DNSSEC security RRs")
	fERest   = proto.Uint16("resp.z.reserved", "Reserved", "Must be zero.").Hex().Masked(0x7fff)
	fOption  = proto.Node("opt", "Option", "One option of the extension.").Summary("Option: {dns.opt.code:name}")
	fOptCode = proto.Uint16("opt.code", "Option Code", "Which option it is.").Named(optionCodes)
	fOptLen  = proto.Uint16("opt.len", "Option Length", "Length of the option.")
	fOptData = proto.Bytes("opt.data", "Option Data", "Content of the option.")
	fDAU     = proto.Uint8("opt.dau", "DAU", "A signature algorithm that the sender knows.").Named(algorithms)
	fDHU     = proto.Uint8("opt.dhu", "DHU", "A digest that the sender knows.").Named(digests)
	fN3U     = proto.Uint8("opt.n3u", "N3U", "A hash that the sender knows.")
	fFamily  = proto.Uint16("opt.client.family", "Family", "Sort of the address.").
			Named(dissect.Values{1: "IPv4", 2: "IPv6"})
	fSource  = proto.Uint8("opt.client.netmask", "Source Netmask", "Bits of the address that are told.")
	fScope   = proto.Uint8("opt.client.scope", "Scope Netmask", "Bits of the address for which the answer holds.")
	fSubnet  = proto.Bytes("opt.client.addr", "Client Subnet", "Where the question comes from.")
	fSubnet4 = proto.IPv4("opt.client.addr4", "Client Subnet", "Where the question comes from.")
	fSubnet6 = proto.String("opt.client.addr6", "Client Subnet", "Where the question comes from.")
	fCookieC = proto.Bytes("opt.cookie.client", "Client Cookie", "What the client knows itself by.")
	fCookieS = proto.Bytes("opt.cookie.server", "Server Cookie", "What the server knows the client by.")
	fKeep    = proto.Uint16("opt.edns_tcp_keepalive.timeout", "Timeout",
		"How long the connection is kept, in tenths of a second.")
	fPadding = proto.Bytes("opt.padding", "Padding", "Bytes that hide the length.")
	fErrCode = proto.Uint16("opt.ext_error.info_code", "Info Code", "What went wrong.").Named(extendedErrors)
	fErrText = proto.String("opt.ext_error.extra_text", "Extra Text", "What went wrong, in words.")
	fChain   = proto.String("opt.chain.fqdn", "Closest Trust Point", "From where signatures are needed.")
)

// extension reads the OPT pseudo record (RFC 6891), whose class and time to live mean other things.
func (m *reader) extension() {
	d := m.d
	d.Uint(fUDPSize)
	d.Uint(fExtRc)
	d.Uint(fVersion)
	word, at := d.PeekUint(0, 2), d.Pos()
	d.Uint(fEFlags)
	if !d.Short() {
		d.Below(func() {
			d.Put(fDO, word, at, 2)
			d.Put(fERest, word, at, 2)
		})
	}
	n := int(d.Uint(fRLen))
	if d.Info().Wanted() {
		d.Info().Setf("OPT")
	}
	d.Within(n, func() {
		for more := d.Elements(); more.Next(); {
			d.In(fOption, func() {
				code := d.Uint(fOptCode)
				size := int(d.Uint(fOptLen))
				d.Within(size, func() { m.option(code) })
			})
		}
	})
}

// option reads the content of one option: RFC 6975, 7871 (client subnet), 7873 (cookies), 7828, 7830, 7901, 8914.
func (m *reader) option(code uint64) {
	d := m.d
	if d.Left() > 0 {
		d.Put(fOptData, 0, d.Pos(), d.Left())
	}
	for _, list := range [...]struct {
		code  uint64
		field *dissect.Field
	}{{5, fDAU}, {6, fDHU}, {7, fN3U}} {
		for more := d.Elements(); code == list.code && more.Next(); {
			d.Uint(list.field)
		}
	}
	switch code {
	case 8:
		subnet(d)
	case 10:
		if d.Left() >= 8 {
			d.Bytes(fCookieC, 8)
		}
		d.Rest(fCookieS)
	case 11:
		if d.Left() == 2 {
			d.Uint(fKeep)
		}
	case 12:
		d.Rest(fPadding)
	case 13:
		if d.Left() > 0 {
			m.name(fChain)
		}
	case 15:
		if d.Left() >= 2 {
			d.Uint(fErrCode)
		}
		d.Rest(fErrText)
	}
	d.Skip(d.Left())
}

// subnet reads an address of which only the first bytes are there; the rest are zeros.
func subnet(d *dissect.D) {
	if d.Left() < 4 {
		return
	}
	family := d.Uint(fFamily)
	d.Uint(fSource)
	d.Uint(fScope)
	at, n := d.Pos(), d.Left()
	var b [16]byte
	copy(b[:], d.Data())
	switch {
	case family == 1 && n <= 4:
		d.Put(fSubnet4, dissect.IPv4Addr(b[:]).Uint64(), at, n)
		d.Skip(n)
	case family == 2 && n <= 16:
		d.PutText(fSubnet6, dissect.IPv6Addr(b[:]).String(), at, n)
		d.Skip(n)
	default:
		d.Rest(fSubnet)
	}
}
