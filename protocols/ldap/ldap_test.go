package ldap_test

import (
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds OpenLDAP's clients with slapd between two network namespaces. The values are what tshark 4.0
// prints, but for the filter's text.
const file = "testdata/ldap.pcap"

// A search tells at its end how many entries it brought, a refusal why.
func TestRecorded(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/lan/ldap.pcap")
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 26, Field: "info", Want: "searchResDone(2) success [2 results]"},
		{Frame: 41, Field: "info", Want: "searchResDone(2) success [1 result]"},
		{Frame: 70, Field: "info", Want: "searchResDone(2) noSuchObject [0 results]"},
		{Frame: 171, Field: "info", Want: "extendedReq(1) LDAP_START_TLS_OID"},
		{Frame: 173, Field: "info", Want: "extendedResp(1) (unsupported extended operation)"},
	})
}

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 66)
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 4, Field: "info", Want: `bindRequest(1) "<ROOT>" simple`},
		{Frame: 23, Field: "info", Want: `searchRequest(2) "dc=example,dc=com" wholeSubtree`},
		{Frame: 23, Field: "ldap.filter.text",
			Want: "(&(objectClass=inetOrgPerson)(|(cn=ali*)(sn>=Bob)(mail=*))(!(cn~=zed)))"},
		{Frame: 24, Field: "ldap.type", Want: "cn,mail"},
		{Frame: 54, Field: "ldap.resultCode", Want: "success (0)"},
		{Frame: 80, Field: "info", Want: "compareResponse(2) compareTrue"},
		{Frame: 132, Field: "ldap.response_to", Want: "131"},
		{Frame: 155, Field: "info", Want: "bindResponse(1) invalidCredentials"},
	})
}

// TestProtected reads messages that GSS-API proves (RFC 4121 section 4.2.6), with the checksum behind and in front, and
// says of one that is encrypted that it is.
func TestProtected(t *testing.T) {
	const ask, end = "\x30\x0c\x02\x01\x01\x60\x07\x02\x01\x03\x04\x00\x80\x00", "\x30\x05\x02\x01\x02\x42\x00"
	token := func(head, rest string) string {
		b := "\x05\x04" + head + "\x00\x00\x00\x00\x00\x00\x00\x09" + rest
		return "C:\x00\x00\x00" + string([]byte{byte(len(b))}) + b
	}
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(389, "C:"+ask,
		token("\x04\xff\x00\x03\x00\x00", end+"sum"), token("\x04\xff\x00\x03\x00\x03", "sum"+end),
		token("\x06\xff\x00\x00\x00\x00", "encrypted")))
	dissecttest.Redissections(t, s)
	var got []string
	for n := range s.Passed() {
		tree := s.Tree(dissect.FrameNum(n + 1))
		if sum := dissecttest.All(tree, "ldap.sasl_buffer_length"); sum != "" {
			got = append(got, tree.InfoLine()+" "+dissecttest.All(tree, "spnego.krb5.sgn_cksum"))
		}
	}
	want := []string{"unbindRequest(2) 73756d", "unbindRequest(2) 73756d", "SASL GSS-API "}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzLDAP changes recorded requests and answers, and with them how BER is read.
func FuzzLDAP(f *testing.F) { dissecttest.Fuzz(f, protocols.All(), file) }
