package dns

import (
	"fmt"

	"remora/dissect"
)

var (
	fRecord = proto.Group("resp", "Record", "One resource record.").
		Summary("{dns.resp.name}: type {dns.resp.type:name}[, class {dns.resp.class:name}][, addr {dns.a}][, addr " +
			"{dns.aaaa}][, cname {dns.cname}][, ns {dns.ns}][, mname {dns.soa.mname}][, {dns.ptr.domain_name}][, dname " +
			"{dns.dname}][, CPU {dns.hinfo.cpu}, OS {dns.hinfo.os}][, addr {dns.wks.address}][, preference " +
			"{dns.kx.preference}, kx {dns.kx.key_exchange}][, order {dns.naptr.order}, preference {dns.naptr.preference}, " +
			"flags {dns.naptr.flags}][, next domain name {dns.nsec.next_domain_name}][, next domain name " +
			"{dns.nxt.next_domain_name}][, preference {dns.mx.preference}, mx {dns.mx.mail_exchange}][, priority " +
			"{dns.srv.priority}, weight {dns.srv.weight}, port {dns.srv.port}, target {dns.srv.target}]")
	fRName   = proto.String("resp.name", "Name", "The name that the record belongs to.")
	fRType   = proto.Uint16("resp.type", "Type", "The sort of record.").Named(recordTypes).Format(typeText)
	fRClass  = proto.Uint16("resp.class", "Class", "The class.").Hex().Named(classes)
	fRClass7 = proto.Uint16("resp.class", "Class", "The class, without the bit above it.").Hex().Named(classes).
			Masked(0x7fff)
	fFlush = proto.Bool("resp.cache_flush", "Cache flush", "Older records of the name are void.").Wide(2).
		Masked(0x8000).TrueFalse("True", "False")
	fTTL     = proto.Uint32("resp.ttl", "Time to live", "How long the record may be remembered.").Format(ttlText)
	fRLen    = proto.Uint16("resp.len", "Data length", "Length of the record's data.")
	fA       = proto.IPv4("a", "Address", "IPv4 address.")
	fAAAA    = proto.IPv6("aaaa", "AAAA Address", "IPv6 address.")
	fCNAME   = proto.String("cname", "CNAME", "The name that is really meant.")
	fNS      = proto.String("ns", "Name Server", "A server that knows the zone.")
	fPTR     = proto.String("ptr.domain_name", "Domain Name", "The name that belongs to an address.")
	fDNAME   = proto.String("dname", "Dname", "The zone that is really meant.")
	fMXPref  = proto.Uint16("mx.preference", "Preference", "Lower ones are tried first.")
	fMX      = proto.String("mx.mail_exchange", "Mail Exchange", "A server that takes mail.")
	fTXTLen  = proto.Uint8("txt.length", "TXT Length", "Length of the text.")
	fTXT     = proto.String("txt", "TXT", "Text.")
	fSPFLen  = proto.Uint8("spf.length", "SPF Length", "Length of the text.")
	fSPF     = proto.String("spf", "SPF", "Who may send mail for the name.")
	fSOAName = proto.String("soa.mname", "Primary name server", "The zone's own server.")
	fSOAMail = proto.String("soa.rname", "Responsible authority's mailbox", "Mail address, with a dot for the at sign.")
	fSerial  = proto.Uint32("soa.serial_number", "Serial Number", "Version of the zone.")
	fRefresh = proto.Uint32("soa.refresh_interval", "Refresh Interval", "How often copies ask for changes.").In("s")
	fRetry   = proto.Uint32("soa.retry_interval", "Retry Interval", "How soon they ask again after a failure.").In("s")
	fExpire  = proto.Uint32("soa.expire_limit", "Expire limit", "How long a copy counts without an answer.").In("s")
	fMinTTL  = proto.Uint32("soa.minimum_ttl", "Minimum TTL",
		"How long it may be remembered that a name does not exist.").In("s")
	fService  = proto.String("srv.service", "Service", "The service that the name asks for.").Derived()
	fSrvProto = proto.String("srv.proto", "Protocol", "The transport that the name asks for.").Derived()
	fSrvName  = proto.String("srv.name", "Name", "The domain of the service.").Derived()
	fPrio     = proto.Uint16("srv.priority", "Priority", "Lower ones are tried first.")
	fWeight   = proto.Uint16("srv.weight", "Weight", "Share among those of one priority.")
	fSrvPort  = proto.Uint16("srv.port", "Port", "Port of the service.")
	fTarget   = proto.String("srv.target", "Target", "Host of the service.")
	fNOrder   = proto.Uint16("naptr.order", "Order", "Lower ones come first.")
	fNPref    = proto.Uint16("naptr.preference", "Preference", "Lower ones of one order come first.")
	fNFlagLen = proto.Uint8("naptr.flags_length", "Flags Length", "Length of the flags.")
	fNFlags   = proto.String("naptr.flags", "Flags", "What is to be done with the result.")
	fNSvcLen  = proto.Uint8("naptr.service_length", "Service Length", "Length of the service.")
	fNSvc     = proto.String("naptr.service", "Service", "The service that the rule leads to.")
	fNReLen   = proto.Uint8("naptr.regex_length", "Regex Length", "Length of the expression.")
	fNRe      = proto.String("naptr.regex", "Regex", "How the name is rewritten.")
	fNReplLen = proto.Uint8("naptr.replacement_length", "Replacement Length", "Length of the replacement as text.").
			Derived()
	fNRepl   = proto.String("naptr.replacement", "Replacement", "The name that comes next.")
	fCAAFlag = proto.Flags8("caa.flags", "CAA Flags",
		[]dissect.Flag{{Name: "issuer_critical", Label: "Issuer Critical", Mask: 0x80,
			Doc: "Who does not know the tag must not issue."}}, "Whether unknown tags forbid certificates.")
	fCAALen = proto.Uint8("caa.tag_length", "Tag length", "Length of the tag.")
	fCAATag = proto.String("caa.tag", "Tag", "What is restricted.")
	fCAAVal = proto.String("caa.value", "Value", "Who may.")
	fCAA    = map[string]*dissect.Field{
		"issue":     proto.String("caa.issue", "Issue", "Who may issue certificates."),
		"issuewild": proto.String("caa.issuewild", "Issue Wildcard", "Who may issue certificates for all names below."),
		"iodef":     proto.String("caa.iodef", "Report URL", "Where violations are told."),
	}
	fCAAElse = proto.String("caa.unknown", "Unknown tag", "Something else is restricted.")
	fCPULen  = proto.Uint8("hinfo.cpu_length", "CPU Length", "Length of the text.")
	fCPU     = proto.String("hinfo.cpu", "CPU", "The host's processor.")
	fOSLen   = proto.Uint8("hinfo.os_length", "OS Length", "Length of the text.")
	fOS      = proto.String("hinfo.os", "OS", "The host's system.")
	fMailbox = proto.String("rp.mailbox", "Mailbox", "Who is responsible.")
	fRPText  = proto.String("rp.txt_rr", "TXT RR", "Where to read more.")
	fAFSSub  = proto.Uint16("afsdb.subtype", "Subtype", "Sort of server.").
			Named(dissect.Values{1: "AFS Volume Location Server", 2: "DCE Authentication Server"})
	fAFSHost = proto.String("afsdb.hostname", "Hostname", "The server.")
	fEUI48   = proto.Ether("eui48", "EUI48 Address", "Ethernet address.")
	fNull    = proto.Bytes("null", "Null (data)", "Anything.")
	fPGP     = proto.String("openpgpkey", "OpenPGP Key", "A public key.")
	fData    = proto.Bytes("data", "Data", "Content of another sort of record.")
)

// record reads one resource record and names it in the Info column.
func (m *reader) record() {
	d := m.d
	d.In(fRecord, func() {
		parts := d.Wanted(fService) || d.Wanted(fSrvProto) || d.Wanted(fSrvName)
		m.owner = m.nameAnd(fRName, parts || d.Names().Wanted())
		if m.bad {
			return
		}
		kind := d.PeekUint(0, 2)
		if parts && kind == typeSRV {
			m.service(m.owner)
		}
		d.Uint(fRType)
		if kind == typeOPT {
			m.extension()
			return
		}
		flush := d.Peek(0)&0x80 != 0
		if m.mdns {
			d.Bits(fRClass7, fFlush)
		} else {
			d.Uint(fRClass)
		}
		if d.Uint(fTTL) >= 1<<31 {
			d.Expert(nTTL)
		}
		n := int(d.Uint(fRLen))
		if d.Short() {
			return
		}
		if d.Info().Wanted() {
			name := typeName(kind)
			if m.mdns && flush {
				name += ", cache flush"
			}
			d.Info().Setf("%s", name)
		}
		d.Within(n, func() {
			if text := m.content(kind); d.Info().Wanted() && text != "" {
				d.Info().Setf("%s", text)
			} else if _, odd := namesOwner[kind]; odd && d.Info().Wanted() {
				d.Info().Setf("%s", m.owner)
			}
			d.Rest(fData)
		})
	})
}

// namesOwner are the types for which the Info column has the record's name: what they hold is too long.
var namesOwner = map[uint64]struct{}{typeNULL: {}, typeRP: {}, typeAFSDB: {}, typeTLSA: {}, typeSMIMEA: {},
	typeNSEC3PARAM: {}}

// address has the record's name shown for the address that it holds.
func (m *reader) address(a dissect.Addr) string {
	m.d.Names().SetHost(a, m.owner)
	if !m.d.Info().Wanted() {
		return ""
	}
	return a.String()
}

// content reads a record's data and returns what the Info column says of it. Names in it may point anywhere back in the
// message.
func (m *reader) content(kind uint64) string {
	d := m.d
	switch kind {
	case typeA:
		return m.address(d.IPv4(fA))
	case typeAAAA:
		return m.address(d.IPv6(fAAAA))
	case typeNS:
		return m.name(fNS)
	case typeCNAME:
		return m.name(fCNAME)
	case typePTR:
		return m.name(fPTR)
	case typeDNAME:
		return m.name(fDNAME)
	case typeMX:
		n := d.Uint(fMXPref)
		return fmt.Sprintf("%d %s", n, m.name(fMX))
	case typeTXT:
		texts(d, fTXTLen, fTXT)
	case typeSPF:
		texts(d, fSPFLen, fSPF)
	case typeSOA:
		text := m.name(fSOAName)
		m.name(fSOAMail)
		for _, f := range []*dissect.Field{fSerial, fRefresh, fRetry, fExpire, fMinTTL} {
			d.Uint(f)
		}
		return text
	case typeSRV:
		a, b, c := d.Uint(fPrio), d.Uint(fWeight), d.Uint(fSrvPort)
		return fmt.Sprintf("%d %d %d %s", a, b, c, m.name(fTarget))
	case typeNAPTR:
		return m.naptr()
	case typeCAA:
		caa(d)
	default:
		return m.rarer(kind)
	}
	return ""
}

// rarer reads the data of types that carry no everyday traffic.
func (m *reader) rarer(kind uint64) string {
	d := m.d
	switch kind {
	case typeHINFO:
		cpu := d.Counted(fCPULen, fCPU)
		os := d.Counted(fOSLen, fOS)
		return string(cpu) + " " + string(os)
	case typeRP:
		m.name(fMailbox)
		m.name(fRPText)
	case typeAFSDB:
		d.Uint(fAFSSub)
		m.name(fAFSHost)
	case typeEUI48:
		d.Ether(fEUI48)
	case typeNULL:
		d.Rest(fNull)
	case typeOPENPGPKEY:
		d.Rest(fPGP)
	case typeLOC:
		location(d)
	case typeTSIG:
		m.tsig()
	case typeSVCB, typeHTTPS:
		m.serviceBinding()
	default:
		return m.secured(kind)
	}
	return ""
}

// texts reads strings with a byte of length in front.
func texts(d *dissect.D, length, text *dissect.Field) {
	for more := d.Elements(); more.Next(); {
		d.Counted(length, text)
	}
}

// service takes the name of a service record apart as Wireshark does, by its first two labels: "_sip._tcp.example.com".
// In front of those of DNS-SD stands the name of the instance, which counts as the service, then.
func (m *reader) service(owner string) {
	d := m.d
	service, rest, ok := cut(owner)
	transport, name, ok2 := cut(rest)
	if ok && ok2 {
		d.SetText(fService, service)
		d.SetText(fSrvProto, transport)
		d.SetText(fSrvName, name)
	}
}

func cut(name string) (first, rest string, ok bool) {
	for i := range len(name) {
		if name[i] == '.' {
			return name[:i], name[i+1:], i > 0
		}
	}
	return name, "", false
}

func (m *reader) naptr() string {
	d := m.d
	order, pref := d.Uint(fNOrder), d.Uint(fNPref)
	flags := d.Counted(fNFlagLen, fNFlags)
	d.Counted(fNSvcLen, fNSvc)
	d.Counted(fNReLen, fNRe)
	name := m.nameAnd(fNRepl, d.Wanted(fNReplLen))
	d.Set(fNReplLen, uint64(len(name)))
	return fmt.Sprintf("%d %d %s", order, pref, flags)
}

func caa(d *dissect.D) {
	d.Uint(fCAAFlag)
	n := int(d.Peek(0))
	group := fCAAElse
	if data := d.Data(); len(data) > n {
		if g := fCAA[string(data[1:1+n])]; g != nil {
			group = g
		}
	}
	if at := d.Pos() + 1 + n; d.Left() >= 1+n {
		d.Put(group, 0, at, d.Left()-1-n)
	}
	d.Below(func() {
		d.Counted(fCAALen, fCAATag)
		d.Rest(fCAAVal)
	})
}
