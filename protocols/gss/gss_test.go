package gss_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// tlv is a value in the Basic Encoding Rules.
func tlv(tag byte, parts ...string) string {
	in := ""
	for _, p := range parts {
		in += p
	}
	return string([]byte{tag, byte(len(in))}) + in
}

const (
	kerberosOID = "\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02"
	spnegoOID   = "\x06\x06\x2b\x06\x01\x05\x05\x02"
)

// binds are requests of LDAP that carry tokens: SPNEGO with a token of Kerberos, that token alone, and a second step.
func binds() []dissecttest.Packet {
	krb := tlv(0x60, kerberosOID, "\x01\x00", "made up")
	first := tlv(0x60, spnegoOID, tlv(0xa0, tlv(0x30, tlv(0xa0, tlv(0x30, kerberosOID)), tlv(0xa2, tlv(0x04, krb)))))
	second := tlv(0xa1, tlv(0x30, tlv(0xa0, "\x0a\x01\x02"), tlv(0xa3, tlv(0x04, "mic"))))
	bind := func(token string) string {
		return "C:" +
			tlv(0x30, "\x02\x01\x01",
				tlv(0x60, "\x02\x01\x03", "\x04\x00", tlv(0xa3, tlv(0x04, "GSS-SPNEGO"), tlv(0x04, token))))
	}
	return dissecttest.Stream(389, bind(first), bind(krb), bind(second))
}

func TestTokens(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 101, binds())
	dissecttest.Owned(t, s)
	var rows []dissecttest.Row
	for n := 1; n <= s.Passed(); n++ {
		tree := s.Tree(dissect.FrameNum(n))
		if v := dissecttest.All(tree, "gss-api.OID"); v != "" {
			rows = append(rows,
				dissecttest.Row{Frame: dissect.FrameNum(n), Field: "spnego.krb5.tok_id", Want: "KRB5_AP_REQ (0x0001)"})
		}
		if v := dissecttest.All(tree, "spnego.negResult"); v != "" {
			rows = append(rows, dissecttest.Row{Frame: dissect.FrameNum(n), Field: "spnego.mechListMIC", Want: "6d6963"})
		}
	}
	if len(rows) != 3 {
		t.Fatalf("%d frames with tokens, want 3", len(rows))
	}
	dissecttest.Check(t, s, rows)
}

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Session(t, protocols.All(), 101, binds()), 40)
}
