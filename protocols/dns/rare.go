package dns

import (
	"fmt"

	"remora/dissect"
)

// A part reads one field of a record's data.
type part func(m *reader)

func number(name, label, doc string, size int, dress ...func(*dissect.Field)) part {
	f := [...]func(name, label, doc string) *dissect.Field{1: proto.Uint8, 2: proto.Uint16, 4: proto.Uint32}[size](name,
		label, doc)
	for _, put := range dress {
		put(f)
	}
	return func(m *reader) { m.d.Uint(f) }
}

func named(v dissect.Values) func(*dissect.Field) { return func(f *dissect.Field) { f.Named(v) } }

// owner reads the name of a host or of a zone.
func owner(name, label, doc string) part {
	f := proto.String(name, label, doc)
	return func(m *reader) { m.name(f) }
}

// counted reads a text with a byte of length in front; where the data ends before it, there is none.
func counted(lengthName, lengthLabel, name, label, doc string) part {
	length, text := proto.Uint8(lengthName, lengthLabel, "Length of the text."), proto.String(name, label, doc)
	return func(m *reader) {
		if m.d.More() {
			m.d.Counted(length, text)
		}
	}
}

func rest(name, label, doc string) part {
	f := proto.Bytes(name, label, doc)
	return func(m *reader) { m.d.Rest(f) }
}

func ipv4(name, label, doc string) part {
	f := proto.IPv4(name, label, doc)
	return func(m *reader) { m.d.IPv4(f) }
}

// repeated reads a part for as long as there is data.
func repeated(p part) part {
	return func(m *reader) {
		for more := m.d.Elements(); !m.bad && more.Next(); {
			p(m)
		}
	}
}

func hexadecimal(f *dissect.Field) { f.Hex() }

// rare are the types of records that are seldom seen, each with the parts of its data: RFC 1035 (MD to WKS), 1183 (X25,
// ISDN, RT), 1348 (NSAP), 1712 (GPOS), 2163 (PX), 2230 (KX), 2535 (KEY, NXT), 2874 (A6), 2930 (TKEY), 3123 (APL), 4025
// (IPSECKEY), 4398 (CERT), 4701 (DHCID), 6742 (NID to LP), 7043 (EUI64), 7477 (CSYNC), 8005 (HIP), 8976 (ZONEMD).
var rare = map[uint64][]part{
	3:  {owner("md", "Mail Destination", "A host that takes mail, as of old.")},
	4:  {owner("mf", "Mail Forwarder", "A host that hands mail on, as of old.")},
	7:  {owner("mb", "MailBox Domaine", "The host of a mailbox.")},
	8:  {owner("mg", "Mail Group member", "A mailbox of a group.")},
	9:  {owner("mr", "Mail Rename domaine", "The new name of a mailbox.")},
	11: {wellKnown},
	14: {owner("minfo.r", "Responsible Mailbox", "Who answers for a list."),
		owner("minfo.e", "Error Mailbox", "Who gets a list's errors.")},
	19: {counted("x25.length", "Length", "x25.psdn_address", "PSDN-Address", "Address in an X.25 network.")},
	20: {counted("idsn.length", "Length", "idsn.address", "ISDN Address", "Telephone number."),
		counted("idsn.sa.length", "Length", "idsn.sa.address", "Sub Address", "What is behind the number.")},
	21: {number("rt.subtype", "Preference", "Lower ones are tried first.", 2),
		owner("rt.intermediate_host", "Intermediate Hostname", "A host that hands on what is for the name.")},
	22: {rest("nsap.rdata", "NSAP Data", "Address in an OSI network.")},
	25: {key},
	26: {number("px.preference", "Preference", "Lower ones are tried first.", 2),
		owner("px.map822", "MAP822", "The domain."), owner("px.map400", "MAPX400", "The domain as X.400 has it.")},
	27: {counted("gpos.longitude_length", "Longitude length", "gpos.longitude", "Longitude", "Degrees, as text."),
		counted("gpos.latitude_length", "Latitude length", "gpos.latitude", "Latitude", "Degrees, as text."),
		counted("gpos.altitude_length", "Altitude length", "gpos.altitude", "Altitude", "Metres, as text.")},
	30: {owner("nxt.next_domain_name", "Next Domain Name", "The next name that there is."), plainBitmap},
	36: {number("kx.preference", "Preference", "Lower ones are tried first.", 2),
		owner("kx.key_exchange", "Key Exchange", "A host that gives keys for the name.")},
	37: {number("cert.type", "Type", "Sort of certificate.", 2, named(certificates)),
		number("cert.key_tag", "Key Tag", "The number of the key.", 2, hexadecimal),
		number("cert.algorithm", "Algorithm", "Algorithm of the key.", 1, named(algorithms)),
		rest("cert.certificate", "Certificate (or CRL)", "The certificate.")},
	38: {chained},
	42: {repeated(prefix)},
	45: {ipsecKey},
	49: {rest("dhcid.rdata", "DHCID Data", "Digest of the client that DHCP gave the name.")},
	55: {identity, repeated(owner("hip.rendezvous_server", "Rendezvous Server", "A host that knows where it is."))},
	62: {number("csync.soa", "SOA", "Serial number of the zone.", 4), syncFlags, newTypes},
	63: {number("zonemd.serial", "Serial", "Serial number of the zone.", 4),
		number("zonemd.scheme", "Scheme", "What is digested.", 1, named(dissect.Values{1: "SIMPLE"})),
		number("zonemd.hash_algo", "Hash Algorithm", "How.", 1, named(dissect.Values{1: "SHA-384", 2: "SHA-512"})),
		rest("zonemd.digest", "Digest", "The digest.")},
	104: {number("ilnp.nid.preference", "Preference", "Lower ones come first.", 2),
		rest("ilnp.nid", "NodeID", "Which node it is.")},
	105: {number("ilnp.l32.preference", "Preference", "Lower ones come first.", 2),
		ipv4("ilnp.l32", "Locator32", "Where the node is.")},
	106: {number("ilnp.l64.preference", "Preference", "Lower ones come first.", 2),
		rest("ilnp.l64", "Locator64", "Where the node is.")},
	107: {number("ilnp.lp.preference", "Preference", "Lower ones come first.", 2),
		owner("ilnp.lp", "Locator FQDN", "The name that says where.")},
	109:   {eui64},
	249:   {agreement},
	65281: {wins},
	65282: {winsBack},
}

var certificates = dissect.Values{1: "PKIX", 2: "SPKI", 3: "PGP", 4: "IPKIX", 5: "ISPKI", 6: "IPGP", 7: "ACPKIX",
	8: "IACPKIX", 253: "Private, URI", 254: "Private, OID"}

// rarest reads a record's data by rare and returns what the Info column says of it, as Wireshark has it: the owner for
// most.
func (m *reader) rarest(kind uint64) string {
	at := m.d.Pos()
	for _, p := range rare[kind] {
		p(m)
	}
	if !m.d.Info().Wanted() || m.bad || m.d.Short() {
		return ""
	}
	switch kind {
	case 11:
		return m.textAt(at, 4, func(b []byte) string { return dissect.IPv4Addr(b).String() })
	case 30:
		name, _ := m.decode(at-m.start, true)
		return name
	case 36:
		name, _ := m.decode(at+2-m.start, true)
		return m.textAt(at, 2, func(b []byte) string { return fmt.Sprintf("%d %s", int(b[0])<<8|int(b[1]), name) })
	case 3, 4, 7, 8, 9, 14, 19, 20, 21, 22, 26, 27, 42, 49, 55:
		return m.owner
	}
	return ""
}

// textAt makes a text of n bytes of the message, where it has them.
func (m *reader) textAt(at, n int, text func([]byte) string) string {
	if at -= m.start; at < 0 || at+n > len(m.data) {
		return ""
	}
	return text(m.data[at : at+n])
}
