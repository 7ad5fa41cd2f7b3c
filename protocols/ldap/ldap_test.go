package ldap_test

import (
	"testing"

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

// FuzzLDAP changes recorded requests and answers, and with them how BER is read.
func FuzzLDAP(f *testing.F) { dissecttest.Fuzz(f, protocols.All(), file) }
