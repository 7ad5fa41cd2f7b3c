package dns

import (
	"fmt"

	"remora/dissect"
)

var (
	fRecord = proto.Group("resp", "Record", "One resource record.").
		Summary("{dns.resp.name}: type {dns.resp.type:name}[, class {dns.resp.class:name}][, addr {dns.a}][, addr {dns.aaaa}][, cname {dns.cname}][, ns {dns.ns}][, {dns.ptr.domain_name}][, mx {dns.mx.mail_exchange}][, {dns.txt}]")
	fRName   = proto.String("resp.name", "Name", "The name that the record belongs to.")
	fRType   = proto.Uint16("resp.type", "Type", "The sort of record.").Named(recordTypes)
	fRClass  = proto.Uint16("resp.class", "Class", "The class; multicast DNS sets the top bit when older records are void.").Hex().Named(classes)
	fTTL     = proto.Uint32("resp.ttl", "Time to live", "How long the record may be remembered.").In("s")
	fRLen    = proto.Uint16("resp.len", "Data length", "Length of the record's data.")
	fA       = proto.IPv4("a", "Address", "IPv4 address.")
	fAAAA    = proto.IPv6("aaaa", "AAAA Address", "IPv6 address.")
	fCNAME   = proto.String("cname", "CNAME", "The name that is really meant.")
	fNS      = proto.String("ns", "Name Server", "A server that knows the zone.")
	fPTR     = proto.String("ptr.domain_name", "Domain Name", "The name that belongs to an address.")
	fDNAME   = proto.String("dname", "DNAME", "The zone that is really meant.")
	fMXPref  = proto.Uint16("mx.preference", "Preference", "Lower ones are tried first.")
	fMX      = proto.String("mx.mail_exchange", "Mail Exchange", "A server that takes mail.")
	fTXTLen  = proto.Uint8("txt.length", "TXT Length", "Length of the text.")
	fTXT     = proto.String("txt", "TXT", "Text.")
	fSOAName = proto.String("soa.mname", "Primary name server", "The zone's own server.")
	fSOAMail = proto.String("soa.rname", "Responsible authority's mailbox", "Mail address, with a dot for the at sign.")
	fSerial  = proto.Uint32("soa.serial_number", "Serial Number", "Version of the zone.")
	fRefresh = proto.Uint32("soa.refresh_interval", "Refresh Interval", "How often copies ask for changes.").In("s")
	fRetry   = proto.Uint32("soa.retry_interval", "Retry Interval", "How soon they ask again after a failure.").In("s")
	fExpire  = proto.Uint32("soa.expire_limit", "Expire limit", "How long a copy counts without an answer.").In("s")
	fMinTTL  = proto.Uint32("soa.minimum_ttl", "Minimum TTL", "How long it may be remembered that a name does not exist.").In("s")
	fPrio    = proto.Uint16("srv.priority", "Priority", "Lower ones are tried first.")
	fWeight  = proto.Uint16("srv.weight", "Weight", "Share among those of one priority.")
	fSrvPort = proto.Uint16("srv.port", "Port", "Port of the service.")
	fTarget  = proto.String("srv.target", "Target", "Host of the service.")
	fCAAFlag = proto.Uint8("caa.flags", "CAA Flags", "Whether unknown tags forbid certificates.").Hex()
	fCAALen  = proto.Uint8("caa.tag_length", "Tag length", "Length of the tag.")
	fCAATag  = proto.String("caa.tag", "Tag", "What is restricted.")
	fCAAVal  = proto.String("caa.value", "Value", "Who may.")
	fUDPSize = proto.Uint16("rr.udp_payload_size", "UDP payload size", "Longest datagram that the sender takes.")
	fExtRc   = proto.Uint8("resp.ext_rcode", "Higher bits in extended RCODE", "Upper bits of the reply code.").Hex()
	fVersion = proto.Uint8("resp.edns0_version", "EDNS0 version", "Version of the extension.")
	fEFlags  = proto.Flags16("resp.z", "Z", []dissect.Flag{{Name: "do", Label: "DO bit", Mask: 0x8000, Doc: "Security records are welcome."}}, "Flags of the extension.")
	fOption  = proto.Group("opt", "Option", "One option of the extension.").Summary("Option: {dns.opt.code:name}")
	fOptCode = proto.Uint16("opt.code", "Option Code", "Which option it is.").Named(dissect.Values{3: "NSID - Name Server Identifier", 8: "CSUBNET - Client subnet", 9: "EDNS EXPIRE", 10: "COOKIE", 11: "EDNS TCP Keepalive", 12: "PADDING", 15: "Extended DNS Error"})
	fOptLen  = proto.Uint16("opt.len", "Option Length", "Length of the option.")
	fOptData = proto.Bytes("opt.data", "Option Data", "Content of the option.")
	fData    = proto.Bytes("data", "Data", "Content of another sort of record.")
)

// record reads one resource record. Those of the answer section are listed in the Info column.
func (m *reader) record(listed bool) {
	d := m.d
	d.In(fRecord, func() {
		m.name(fRName)
		if m.bad {
			return
		}
		kind := d.Uint(fRType)
		if kind == 41 {
			m.extension()
			return
		}
		d.Uint(fRClass)
		d.Uint(fTTL)
		n := int(d.Uint(fRLen))
		if d.Short() {
			return
		}
		if d.Texting() && listed {
			d.Infof("%s", typeName(kind))
		}
		d.Within(n, func() { m.content(kind, listed) })
	})
}

// content reads a record's data. Names in it may point anywhere back in the message.
func (m *reader) content(kind uint64, listed bool) {
	d := m.d
	text := ""
	switch kind {
	case 1:
		text = d.IPv4(fA).String()
	case 28:
		text = d.IPv6(fAAAA).String()
	case 2:
		text = m.name(fNS)
	case 5:
		text = m.name(fCNAME)
	case 12:
		text = m.name(fPTR)
	case 39:
		text = m.name(fDNAME)
	case 15:
		n := d.Uint(fMXPref)
		text = fmt.Sprintf("%d %s", n, m.name(fMX))
	case 16, 99:
		for d.More() {
			d.Bytes(fTXT, int(d.Uint(fTXTLen)))
		}
	case 6:
		text = m.name(fSOAName)
		m.name(fSOAMail)
		for _, f := range []*dissect.Field{fSerial, fRefresh, fRetry, fExpire, fMinTTL} {
			d.Uint(f)
		}
	case 33:
		a, b, c := d.Uint(fPrio), d.Uint(fWeight), d.Uint(fSrvPort)
		text = fmt.Sprintf("%d %d %d %s", a, b, c, m.name(fTarget))
	case 257:
		d.Uint(fCAAFlag)
		d.Bytes(fCAATag, int(d.Uint(fCAALen)))
		d.Rest(fCAAVal)
	}
	d.Rest(fData)
	if listed && text != "" && d.Texting() {
		d.Infof("%s", text)
	}
}

// extension reads the OPT pseudo record (RFC 6891), whose class and time to live mean other things.
func (m *reader) extension() {
	d := m.d
	d.Uint(fUDPSize)
	d.Uint(fExtRc)
	d.Uint(fVersion)
	d.Uint(fEFlags)
	n := int(d.Uint(fRLen))
	if d.Texting() {
		d.Infof("OPT")
	}
	d.Within(n, func() {
		for d.More() {
			d.In(fOption, func() {
				d.Uint(fOptCode)
				size := int(d.Uint(fOptLen))
				d.Within(size, func() { d.Rest(fOptData) })
			})
		}
	})
}
