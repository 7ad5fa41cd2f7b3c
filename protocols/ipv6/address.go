package ipv6

import "remora/dissect"

// What addresses hold besides themselves: an Ethernet address (RFC 4291 appendix A), IPv4 addresses of tunnels (6to4:
// RFC 3056; Teredo: RFC 4380; ISATAP: RFC 5214), or of translators (RFC 6052).
var (
	fMAC     = proto.Ether("slaac_mac", "SLAAC MAC", "The Ethernet address that either address was made of.").Hidden()
	fGate    = proto.IPv4("6to4_gw_ipv4", "6to4 Gateway IPv4", "Router of a 6to4 network.").Hidden()
	fSLA     = proto.Uint16("6to4_sla_id", "6to4 SLA ID", "Number of a subnet behind a 6to4 router.").Hidden()
	fTServer = proto.IPv4("ts_ipv4", "Teredo Server IPv4", "Server of a Teredo tunnel.").Hidden()
	fTPort   = proto.Uint16("tc_port", "Teredo Port", "Port of a Teredo client.").Hidden()
	fTClient = proto.IPv4("tc_ipv4", "Teredo Client IPv4", "Address of a Teredo client.").Hidden()
	fISATAP  = proto.IPv4("isatap_ipv4", "ISATAP IPv4", "End of an ISATAP tunnel.").Hidden()
	fEmbed   = proto.IPv4("embed_ipv4", "Embedded IPv4", "An IPv4 host behind a translator.").Hidden()
)

// An end is the fields of one address.
type end struct {
	addr, host, mac, gate, sla, server, port, client, isatap, embed *dissect.Field
}

var (
	source = ends("src", "Source", fSrc, fSrcHost)
	target = ends("dst", "Destination", fDst, fDstHost)
)

func ends(name, label string, addr, host *dissect.Field) end {
	ip := func(n, l string, also *dissect.Field) *dissect.Field {
		return proto.IPv4(name+"_"+n, label+" "+l, also.Doc()).Also(also).Derived()
	}
	return end{addr: addr, host: host,
		mac: proto.Ether(name+"_slaac_mac", label+" SLAAC MAC", "The Ethernet address that the address was made of.").
			Also(fMAC).Derived(),
		gate:   ip("6to4_gw_ipv4", "6to4 Gateway IPv4", fGate),
		sla:    proto.Uint16(name+"_6to4_sla_id", label+" 6to4 SLA ID", fSLA.Doc()).Also(fSLA).Derived(),
		server: ip("ts_ipv4", "Teredo Server IPv4", fTServer),
		port:   proto.Uint16(name+"_tc_port", label+" Teredo Port", fTPort.Doc()).Also(fTPort).Derived(),
		client: ip("tc_ipv4", "Teredo Client IPv4", fTClient),
		isatap: ip("isatap_ipv4", "ISATAP IPv4", fISATAP),
		embed:  ip("embed_ipv4", "Embedded IPv4", fEmbed),
	}
}

// address reads an address and what it holds.
func address(d *dissect.D, e *end) dissect.Addr {
	at := d.Pos()
	high, mid, low := d.PeekUint(0, 8), d.PeekUint(8, 4), d.PeekUint(12, 4)
	a := d.IPv6(e.addr)
	if d.Short() {
		return a
	}
	d.Names().Put(e.host, a, at, 16)
	switch {
	case mid&0x020000ff == 0x020000ff && low>>24 == 0xfe:
		mac := (mid>>8^0x020000)<<24 | low&0xffffff
		d.Put(e.mac, mac, at+8, 8)
	case mid&0xfcffffff == 0x00005efe:
		d.Put(e.isatap, low, at+12, 4)
	}
	switch {
	case high>>48 == 0x2002:
		d.Put(e.gate, high>>16&0xffffffff, at+2, 4)
		d.Put(e.sla, high&0xffff, at+6, 2)
	case high>>32 == 0x20010000:
		d.Put(e.server, high&0xffffffff, at+4, 4)
		d.Put(e.port, mid&0xffff^0xffff, at+10, 2)
		d.Put(e.client, low^0xffffffff, at+12, 4)
	case high == 0x0064ff9b00000000 && mid == 0:
		d.Put(e.embed, low, at+12, 4)
	}
	return a
}
