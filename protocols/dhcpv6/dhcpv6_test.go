package dhcpv6_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/dhcpv6.pcap"

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 62)
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "dhcpv6.msgtype", "1"},
		{1, "dhcpv6.xid", "0x123456"},
		{1, "dhcpv6.duid.bytes", "000100012a2b2c2d020000000001"},
		{1, "dhcpv6.duidllt.time", "Jun  2, 2022 08:07:09.000000000 UTC"},
		{1, "dhcpv6.elapsed_time", "1000"},
		{1, "dhcpv6.requested_option_code", "23|24|39"},
		{1, "dhcpv6.iaid", "00000007|00000008"},
		{1, "dhcpv6.client_domain", "host"},
		{1, "dhcpv6.userclass.opaque_data", "75736572"},
		{1, "dhcpv6.vendorclass.data", "udhc"},
		{2, "dhcpv6.iaaddr.ip", "2001:db8::50"},
		{2, "dhcpv6.iaaddr.valid_lifetime", "4000"},
		{2, "dhcpv6.iaprefix.pref_addr", "2001:db8:1::"},
		{2, "dhcpv6.iaprefix.pref_len", "56"},
		{2, "dhcpv6.dns_server", "2001:db8::53|2001:db8::54"},
		{2, "dhcpv6.search_list_entry", "example.com."},
		{2, "dhcpv6.status_code", "0"},
		{2, "dhcpv6.status_msg", "ok"},
		{2, "dhcpv6.ntpserver.fqdn", "ntp.example.com."},
		{2, "dhcpv6.ntpserver.addr", "2001:db8::7"},
		{2, "dhcpv6.vendoropts.enterprise.option_data", "616263"},
		{2, "dhcpv6.auth.replay_detection", "082d52779cc1e60b"},
		{5, "dhcpv6.linkaddr", "2001:db8::1"},
		{5, "dhcpv6.peeraddr", "fe80::1"},
		{5, "dhcpv6.msgtype", "12|1"},
		{5, "dhcpv6.xid", "0xabcdef"},
		{5, "dhcpv6.remoteid_enterprise_id", "726964"},
		{8, "dhcpv6.reconf_msg", "5"},
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
		1: "Solicit XID: 0x123456 CID: 000100012a2b2c2d020000000001",
		2: "Advertise XID: 0x123456 CID: 000100012a2b2c2d020000000001 IAA: 2001:db8::50",
		3: "Request XID: 0x123457 CID: 000100012a2b2c2d020000000001 IAA: 2001:db8::50",
		4: "Reply XID: 0x123457 CID: 000100012a2b2c2d020000000001 IAA: 2001:db8::50",
		5: "Relay-forw L: 2001:db8::1 Solicit XID: 0xabcdef CID: 000100012a2b2c2d020000000001",
		6: "Relay-reply L: 2001:db8::1 Reply XID: 0xabcdef CID: 000100012a2b2c2d020000000001",
		7: "Information-request XID: 0x000001 CID: 000200000137616263",
		8: "Reconfigure XID: 0x000000 CID: 000410355a7fa4c9ee13385d82a7ccf1163b",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
