package dhcp_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/dhcp.pcap"

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
		{1, "dhcp.type", "1"},
		{1, "dhcp.id", "0x00001234"},
		{1, "dhcp.flags", "0x8000"},
		{1, "dhcp.flags.bc", "1"},
		{1, "dhcp.hw.mac_addr", "02:00:00:00:00:01|02:00:00:00:00:01"},
		{1, "dhcp.option.dhcp", "1"},
		{1, "dhcp.option.request_list_item", "1|3|6|12|15|28|42|121|119|252"},
		{1, "dhcp.option.requested_ip_address", "10.0.0.50"},
		{1, "dhcp.option.hostname", "client"},
		{2, "dhcp.ip.your", "10.0.0.50"},
		{2, "dhcp.server", "server"},
		{2, "dhcp.file", "boot.img"},
		{2, "dhcp.option.router", "10.0.0.1|10.0.0.2"},
		{2, "dhcp.option.domain_name_server", "8.8.8.8|8.8.4.4"},
		{2, "dhcp.option.ip_address_lease_time", "3600"},
		{2, "dhcp.option.time_offset", "-3600"},
		{2, "dhcp.option.ip_forwarding", "1"},
		{2, "dhcp.option.path_mtu_plateau_table_item", "68|296"},
		{2, "dhcp.option.static_route.router", "10.0.0.1"},
		{3, "dhcp.client_id.duid_type", "1"},
		{3, "dhcp.client_id.iaid", "00000001"},
		{3, "dhcp.client_id.link_layer_address", "02:00:00:00:00:01"},
		{4, "dhcp.fqdn.name", "host.example.com"},
		{4, "dhcp.fqdn.s", "1"},
		{4, "dhcp.option.agent_information_option.agent_circuit_id", "000400010002"},
		{4, "dhcp.option.agent_information_option.link_selection", "10.2.0.0"},
		{4, "dhcp.option.dhcp_dns_domain_search_list_fqdn", "example.com|sub.example.com"},
		{4, "dhcp.client_id.uuid", "7f5a3510-c9a4-13ee-385d-82a7ccf1163b"},
		{4, "dhcp.option.client_system_architecture", "7"},
		{4, "dhcp.option.vendor_class_id", "PXEClient:Arch:00007"},
		{4, "dhcp.option.sip_server.address", "10.0.0.120"},
		{4, "dhcp.option.user_class", "0"},
		{4, "dhcp.option.vendor.pxeclient.suboption", "6"},
		{4, "dhcp.option.vendor.pxeclient.discovery_control", "0x08"},
		{4, "dhcp.option.vendor.pxeclient.discovery_control.bstrap", "1"},
		{4, "dhcp.option.vi.tr111.device_manufacturer_oui", "43981"},
		{8, "dhcp.vendor_specific_options", "000000000000000000000000000000000000000000000000000000000000000000000000000000" +
			"00000000000000000000000000000000000000000000000000"},
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
		1: "DHCP Discover - Transaction ID 0x1234",
		2: "DHCP Offer    - Transaction ID 0x1234",
		3: "DHCP Request  - Transaction ID 0x1234",
		4: "DHCP ACK      - Transaction ID 0x1234",
		5: "DHCP Release  - Transaction ID 0x99",
		6: "DHCP Inform   - Transaction ID 0x9a",
		7: "DHCP NAK      - Transaction ID 0x9a",
		8: "Boot Request from 02:00:00:00:00:01 (02:00:00:00:00:01)",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
