package dns_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// wire writes a name without compression.
func wire(name string) string {
	var b strings.Builder
	for _, label := range strings.Split(name, ".") {
		if label != "" {
			b.WriteByte(byte(len(label)))
			b.WriteString(label)
		}
	}
	b.WriteByte(0)
	return b.String()
}

// told is an answer with one record of example.com.
func told(id byte, kind uint16, data string) []byte {
	b := append([]byte{0, id, 0x81, 0x80, 0, 0, 0, 1, 0, 0, 0, 0}, wire("example.com")...)
	b = append(binary.BigEndian.AppendUint16(b, kind), 0, 1, 0, 0, 1, 44)
	return append(binary.BigEndian.AppendUint16(b, uint16(len(data))), data...)
}

func TestRecords(t *testing.T) {
	hash := strings.Repeat("\x07", 32)
	cases := []struct {
		kind                    uint16
		data, field, want, info string
	}{
		{6, wire("m.x") + wire("r.x") + "\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00\x05",
			"dns.soa.expire_limit", "4 s", "SOA m.x"},
		{15, "\x00\x0a" + wire("mx.x"), "dns.mx.mail_exchange", "mx.x", "MX 10 mx.x"},
		{16, "\x02hi\x00\x01!", "dns.txt", "hi,,!", "TXT"},
		{33, "\x00\x01\x00\x02\x13\xc4" + wire("sip.x"), "dns.srv.port", "5060", "SRV 1 2 5060 sip.x"},
		{35, "\x00\x64\x00\x0a\x01u\x07E2U+sip\x00" + wire("r.x"), "dns.naptr.service", "E2U+sip", "NAPTR 100 10 u"},
		{257, "\x80\x05issueca.x", "dns.caa.issue", "ca.x", "CAA"},
		{43, "\x30\x39\x08\x02" + hash, "dns.ds.digest_type", "SHA-256 (2)", "DS"},
		{48, "\x01\x01\x03\x08" + hash, "dns.dnskey.key_id", "29817", "DNSKEY"},
		{46, "\x00\x01\x08\x02\x00\x00\x01\x2c\x65\x53\xf1\x00\x65\x53\xf1\x00\x10\x92" + wire("example.com") + "sig",
			"dns.rrsig.signature_expiration", "Nov 14, 2023 22:13:20.000000000 UTC", "RRSIG"},
		{47, wire("a.x") + "\x00\x02\x40\x01\x01\x01\x40", "dns.nsec.type", "A (1),MX (15),CAA (257)", "NSEC a.x"},
		{50, "\x01\x01\x00\x0a\x02ab\x02\xff\xff\x00\x01\x40", "dns.nsec3.hash_value", "vvvg", "NSEC3"},
		{52, "\x03\x01\x01" + hash, "dns.tlsa.selector", "SubjectPublicKeyInfo (1)", "TLSA example.com"},
		{65, "\x00\x01\x00\x00\x01\x00\x06\x02h2\x02h3\x00\x04\x00\x04\x01\x02\x03\x04\x00\x03\x00\x02\x01\xbb",
			"dns.svcb.svcparam.alpn", "h2,h3", "HTTPS"},
		{13, "\x03cpu\x02os", "dns.hinfo.os", "os", "HINFO cpu os"},
		{44, "\x01\x02" + hash, "dns.sshfp.algorithm", "RSA (1)", "SSHFP"},
		{29, "\x00\x12\x16\x13\x80\x00\x00\x00\x80\x00\x00\x00\x00\x98\x96\x80", "dns.loc.altitude", "10000000", "LOC"},
		{250, wire("hmac-sha256") + "\x00\x00\x65\x53\xf1\x00\x01\x2c\x00\x04macs\x00\x07\x00\x00\x00\x00",
			"dns.tsig.time_signed", "Nov 14, 2023 22:13:20.000000000 UTC", "TSIG"},
		{11, "\x0a\x00\x00\x01\x06\x00\x00\x04\x40", "dns.wks.bits", "0x04,0x40", "WKS 10.0.0.1"},
		{20, "\x03150\x02ab", "dns.idsn.sa.address", "ab", "ISDN example.com"},
		{25, "\x02\x00\x03\x01\xaa\xbb\xcc", "dns.key.key_id", "43707", "KEY"},
		{26, "\x00\x0a" + wire("a.x") + wire("b.x"), "dns.px.map400", "b.x", "PX example.com"},
		{27, "\x02-3\x0212\x019", "dns.gpos.altitude", "9", "GPOS example.com"},
		{30, wire("a.x") + "\x40\x01", "dns.nsec.type", "A (1),MX (15)", "NXT a.x"},
		{36, "\x00\x0a" + wire("k.x"), "dns.kx.key_exchange", "k.x", "KX 10 k.x"},
		{37, "\x00\x03\x30\x39\x05cert", "dns.cert.type", "PGP (3)", "CERT"},
		{38, "\x40\x00\x00\x00\x00\x00\x00\x00\x01" + wire("p.x"), "dns.a6.address_suffix", "::1", "A6"},
		{42, "\x00\x01\x15\x03\xc0\xa8\x20\x00\x02\x20\x84\x20\x01\x0d\xb8", "dns.apl.afdpart.ipv4", "192.168.32.0",
			"APL example.com"},
		{42, "\x00\x02\x20\x84\x20\x01\x0d\xb8", "dns.apl.afdpart.ipv6", "2001:db8::", "APL example.com"},
		{45, "\x0a\x01\x02\xc0\x00\x02\x26key", "dns.ipseckey.gateway_ipv4", "192.0.2.38", "IPSECKEY"},
		{45, "\x0a\x03\x02" + wire("g.x") + "key", "dns.ipseckey.gateway_dns", "g.x", "IPSECKEY"},
		{55, "\x02\x02\x00\x03hhkkk" + wire("r.x") + wire("s.x"), "dns.hip.rendezvous_server", "r.x,s.x", "HIP example.com"},
		{62, "\x00\x00\x00\x42\x00\x03\x00\x01\x60", "dns.nsec.type", "A (1),NS (2)", "CSYNC"},
		{63, "\x00\x00\x00\x42\x01\x02digest", "dns.zonemd.hash_algo", "SHA-512 (2)", "ZONEMD"},
		{105, "\x00\x0a\x0a\x01\x02\x00", "dns.ilnp.l32", "10.1.2.0", "L32"},
		{109, "\x00\x00\x5e\xef\x10\x00\x00\x2a", "dns.eui64", "00:00:5e:ef:10:00:00:2a", "EUI64"},
		{249, wire("gss") + "\x65\x53\xf1\x00\x65\x53\xf1\x00\x00\x03\x00\x00\x00\x02ab\x00\x00", "dns.tkey.mode",
			"GSSAPI (3)", "TKEY"},
		{65281, "\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x01\x0a\x00\x00\x01", "dns.wins.wins_server",
			"10.0.0.1", "WINS"},
		{1234, "abc", "dns.data", "616263", "Unknown (1234)"},
	}
	var packets [][]byte
	for i, c := range cases {
		packets = append(packets, udp(false, told(byte(i), c.kind, c.data)))
	}
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(packets...))
	for i, c := range cases {
		tree := s.Tree(dissect.FrameNum(i + 1))
		if got := dissecttest.All(tree, c.field); got != c.want {
			t.Errorf("type %d: %s is %q, want %q", c.kind, c.field, got, c.want)
		}
		if got := tree.InfoLine(); !strings.HasSuffix(got, " "+c.info) {
			t.Errorf("type %d: Info is %q, want …%q", c.kind, got, c.info)
		}
		if _, bad := dissecttest.Find(tree, "_ws.malformed"); bad {
			t.Errorf("type %d counts as malformed:\n%s", c.kind, dissecttest.Dump(tree))
		}
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, protocols.All(), s)
}

func TestOptions(t *testing.T) {
	options := "\x00\x0a\x00\x10clientidserverid" + "\x00\x08\x00\x07\x00\x01\x18\x00\x01\x02\x03" +
		"\x00\x0c\x00\x02\x00\x00" + "\x00\x0f\x00\x05\x00\x12why" + "\x00\x05\x00\x02\x08\x0d" + "\x00\x4d\x00\x01x"
	m := append(append([]byte{}, header...),
		wire("example.com")+"\x00\x01\x00\x01"+"\x00\x00\x29\x10\x00\x00\x00\x80\x00"...)
	m[11] = 1
	m = append(binary.BigEndian.AppendUint16(m, uint16(len(options))), options...)
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(udp(true, m)))
	for field, want := range map[string]string{"dns.opt.cookie.server": "7365727665726964",
		"dns.opt.client.addr4": "1.2.3.0", "dns.opt.ext_error.extra_text": "why",
		"dns.resp.z.do": "Accepts DNSSEC security RRs",
		"dns.opt.dau":   "RSA/SHA-256 (8),ECDSA Curve P-256 with SHA-256 (13)"} {
		if got := dissecttest.All(s.Tree(1), field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, protocols.All(), s)
}

// TestRetransmissions asks twice, answers twice, asks anew under the same number, and answers what nobody asked.
func TestRetransmissions(t *testing.T) {
	other := append([]byte{}, answer...)
	other[0] = 0x77
	s := dissecttest.Session(t, protocols.All(), 101,
		dissecttest.Packets(udp(true, query), udp(true, query), udp(false, answer), udp(false, answer), udp(true, query),
			udp(false, answer), udp(false, other)))
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "dns.response_in", "3"}, {2, "dns.retransmit_request_in", "1"}, {2, "dns.retransmission", "True"},
		{3, "dns.response_to", "1"}, {3, "dns.time", "0.002000000"},
		{4, "dns.retransmit_response_in", "3"}, {4, "dns.response_to", ""}, {5, "dns.retransmission", ""},
		{5, "dns.response_in", "6"}, {6, "dns.response_to", "5"}, {7, "dns.unsolicited", "True"},
	} {
		if got := dissecttest.All(s.Tree(c.frame), c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q", c.frame, c.field, got, c.want)
		}
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestMulticast looks at the same bytes on the port of multicast DNS: a protocol of its own with the fields of DNS.
func TestMulticast(t *testing.T) {
	m := append([]byte{0, 0, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0},
		wire("a.local")+"\x00\x01\x80\x01"+wire("a.local")+"\x00\x01\x80\x01\x00\x00\x00\x78\x00\x04\x0a\x00\x00\x01"...)
	b := udp(true, m)
	binary.BigEndian.PutUint16(b[20:], 5353)
	binary.BigEndian.PutUint16(b[22:], 5353)
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(b))
	tree := s.Tree(1)
	if got := tree.Protocol().Name(); got != "mdns" {
		t.Errorf("protocol is %s", got)
	}
	if got, want := tree.InfoLine(),
		`Standard query response 0x0000 A a.local, "QU" question A, cache flush 10.0.0.1`; got != want {
		t.Errorf("Info is %q, want %q", got, want)
	}
	for field, want := range map[string]string{"dns.qry.class": "IN (0x0001)", "dns.qry.qu": "True",
		"dns.resp.cache_flush": "True", "dns.a": "10.0.0.1", "dns": ""} {
		if got := dissecttest.All(tree, field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
}
