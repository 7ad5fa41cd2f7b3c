package kerberos_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds MIT's tools with its key distribution centre, and curl that shows a ticket to a web server. The
// values are what tshark 4.0 prints for them.
const file = "../../fixtures/captures/lan/kerberos.pcap"

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 54)
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "AS-REQ"},
		{Frame: 1, Field: "kerberos.CNameString", Want: "alice"},
		{Frame: 1, Field: "kerberos.SNameString", Want: "krbtgt,EXAMPLE.COM"},
		{Frame: 1, Field: "kerberos.realm", Want: "EXAMPLE.COM"},
		{Frame: 1, Field: "kerberos.KDCOptions.renewable.ok", Want: "True"},
		{Frame: 1, Field: "kerberos.response_in", Want: "2"},
		{Frame: 2, Field: "info", Want: "KRB Error: KRB5KDC_ERR_PREAUTH_REQUIRED"},
		{Frame: 2, Field: "kerberos.error_code", Want: "eRR-PREAUTH-REQUIRED (25)"},
		{Frame: 2, Field: "kerberos.info2_salt", Want: "EXAMPLE.COMalice"},
		{Frame: 2, Field: "kerberos.response_to", Want: "1"},
		{Frame: 4, Field: "kerberos.msg_type", Want: "krb-as-rep (11)"},
		{Frame: 4, Field: "kerberos.etype",
			Want: "eTYPE-AES256-CTS-HMAC-SHA1-96 (18),eTYPE-AES256-CTS-HMAC-SHA1-96 (18),eTYPE-AES256-CTS-HMAC-SHA1-96 (18)"},
		{Frame: 5, Field: "kerberos.msg_type", Want: "krb-tgs-req (12),krb-ap-req (14)"},
		{Frame: 8, Field: "info", Want: "KRB Error: KRB5KDC_ERR_S_PRINCIPAL_UNKNOWN"},
		{Frame: 34, Field: "kerberos.rm.length", Want: "833"},
		{Frame: 52, Field: "info", Want: "GET / HTTP/1.1"}, // a ticket within HTTP leaves the columns alone
		{Frame: 52, Field: "kerberos.SNameString", Want: "HTTP,www.example.com"},
		{Frame: 70, Field: "info", Want: `GET / HTTP/1.1 , NTLMSSP_AUTH, User: EXAMPLE\alice`},
	})
}

// tlv is a value in the Basic Encoding Rules.
func tlv(tag byte, parts ...string) string {
	in := strings.Join(parts, "")
	return string([]byte{tag, byte(len(in))}) + in
}

// protected is a KRB-SAFE on a connection: one byte of data, the sender's addresses and a checksum of Windows (RFC 4120
// section 5.6.1), whose number is below zero.
func protected(address string) string {
	body := tlv(0xa2, tlv(0x30, tlv(0xa0, "\x04\x01x"), tlv(0xa3, "\x02\x05\x00\xff\xff\xff\xff"), tlv(0xa4, address)))
	m := tlv(0x74,
		tlv(0x30, tlv(0xa0, "\x02\x01\x05"), tlv(0xa1, "\x02\x01\x14"), body,
			tlv(0xa3, tlv(0x30, tlv(0xa0, "\x02\x02\xff\x76"), tlv(0xa1, "\x04\x01s")))))
	return string([]byte{0, 0, 0, byte(len(m))}) + m
}

func TestNumbers(t *testing.T) {
	four := tlv(0x30, tlv(0xa0, "\x02\x01\x02"), tlv(0xa1, "\x04\x04\xc0\x00\x02\x01"))
	six := tlv(0x30, tlv(0xa0, "\x02\x01\x18"), tlv(0xa1, "\x04\x10\x20\x01\x0d\xb8"+strings.Repeat("\x00", 11)+"\x01"))
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(88, "C:"+protected(four), "C:"+protected(six)))
	dissecttest.Owned(t, s)
	for field, want := range map[string]string{
		"info": "KRB-SAFE", "kerberos.seq_number": "4294967295", "kerberos.cksumtype": "cKSUMTYPE-HMAC-MD5 (-138)",
		"kerberos.addr_ip": "192.0.2.1", "kerberos.addr_ipv6": "2001:db8::1",
	} {
		found := false
		for n := 1; n <= s.Passed(); n++ {
			tree := s.Tree(dissect.FrameNum(n))
			found = found || dissecttest.All(tree, field) == want || field == "info" && tree.InfoLine() == want
		}
		if !found {
			t.Errorf("no frame has %s %q", field, want)
		}
	}
}

// FuzzKerberos changes recorded tickets.
func FuzzKerberos(f *testing.F) { dissecttest.Fuzz(f, protocols.All(), file) }
