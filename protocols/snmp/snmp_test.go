package snmp_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/snmp.pcap"

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 42)
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "snmp.version", "1"},
		{1, "snmp.community", "public"},
		{1, "snmp.data", "0"},
		{1, "snmp.request_id", "12345"},
		{1, "snmp.name", "1.3.6.1.2.1.1.1.0|1.3.6.1.2.1.1.3.0"},
		{1, "snmp.response_in", "2"},
		{2, "snmp.value.octets", "4c696e757820626f78"},
		{2, "snmp.var-bind_str", "Linux box"},
		{2, "snmp.value.timeticks", "66051"},
		{2, "snmp.time", "0.250000000"},
		{3, "snmp.max_repetitions", "10"},
		{4, "snmp.value.counter", "4294967295|4294967296"},
		{4, "snmp.value.g32", "100000000"},
		{4, "snmp.value.ipv4", "10.0.0.1"},
		{4, "snmp.value.oid", "1.3.6.1.4.1.8072.3.2.10"},
		{4, "snmp.value.int", "-5"},
		{4, "snmp.value.opaque", "9f780400000000"},
		{4, "snmp.variable_bindings", "10"},
		{6, "snmp.error_status", "2"},
		{6, "snmp.error_index", "1"},
		{7, "snmp.enterprise", "1.3.6.1.4.1.8072.3.2.10"},
		{7, "snmp.agent_addr", "10.0.0.1"},
		{7, "snmp.generic_trap", "6"},
		{7, "snmp.specific_trap", "17"},
		{7, "snmp.time_stamp", "258"},
		{12, "snmp.msgID", "77"},
		{12, "snmp.msgMaxSize", "65507"},
		{12, "snmp.engineid.mac", "02:00:00:00:00:01|02:00:00:00:00:01"},
		{12, "snmp.engineid.enterprise", "8072|8072"},
		{13, "snmp.msgUserName", "user"},
		{13, "snmp.v3.flags.crypt", "1"},
		{13, "snmp.engineid.text", "text"},
		{13, "snmp.encryptedPDU",
			"30557a9fc4e90e33587da2c7ec11365b80a5caef14395e83a8cdf2173c6186abd0f51a3f6489aed3f81d42678cb1d6fb"},
	} {
		tree := s.Tree(c.frame)
		var all []string
		for i := range tree.Nodes {
			if tree.Field(i).Name() == c.field {
				all = append(all, tree.Show(i))
			}
		}
		if got := strings.Join(all, "|"); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q", c.frame, c.field, got, c.want)
		}
	}
}

func TestInfo(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	for n, want := range map[dissect.FrameNum]string{
		1: "get-request 1.3.6.1.2.1.1.1.0 1.3.6.1.2.1.1.3.0",
		2: "get-response 1.3.6.1.2.1.1.1.0 1.3.6.1.2.1.1.3.0",
		3: "getBulkRequest 1.3.6.1.2.1.2.2.1.2",
		4: "get-response 1.3.6.1.2.1.2.2.1.10.1 1.3.6.1.2.1.31.1.1.1.6.1 1.3.6.1.2.1.2.2.1.5.1 " +
			"1.3.6.1.2.1.4.20.1.1.10.0.0.1 1.3.6.1.2.1.1.2.0 1.3.6.1.2.1.9.9 1.3.6.1.2.1.9.10 1.3.6.1.2.1.9.11 " +
			"1.3.6.1.2.1.2.2.1.1.1 1.3.6.1.2.1.2.2.1.1.2",
		5:  "get-next-request 1.3.6.1.2.1.1.5",
		6:  "get-response 1.3.6.1.2.1.1.5",
		7:  "trap iso.3.6.1.4.1.8072.3.2.10 1.3.6.1.2.1.1.5.0",
		8:  "snmpV2-trap 1.3.6.1.2.1.1.3.0 1.3.6.1.6.3.1.1.4.1.0",
		9:  "informRequest 1.3.6.1.2.1.1.3.0",
		10: "set-request 1.3.6.1.2.1.1.4.0",
		11: "get-request",
		12: "report 1.3.6.1.6.3.15.1.1.4.0",
		13: "encryptedPDU: privKey Unknown",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
