package radius_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/radius.pcap"

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
		{1, "radius.code", "1"},
		{1, "radius.id", "5"},
		{1, "radius.User_Name", "bob"},
		{1, "radius.NAS_IP_Address", "10.0.0.1"},
		{1, "radius.NAS_Port", "3"},
		{1, "radius.Service_Type", "2"},
		{1, "radius.NAS_Port_Type", "15"},
		{1, "radius.Called_Station_Id", "00-11-22-33-44-55:ssid"},
		{1, "radius.Framed_MTU", "1500"},
		{1, "radius.eap_fragment", "0201000801626f62"},
		{1, "radius.avp.vendor_id", "9"},
		{1, "radius.NAS_IPv6_Address", "2001:db8::1"},
		{1, "radius.rspframe", "2"},
		{2, "radius.reqframe", "1"},
		{2, "radius.time", "0.250000000"},
		{1, "radius.Cisco_AVPair", "cisco-avpair=x"},
		{2, "radius.Tunnel_Type", "13"},
		{2, "radius.Tunnel_Type.tag", "0x01"},
		{2, "radius.Tunnel_Private_Group_Id", "H0"},
		{2, "radius.Session_Timeout", "3600"},
		{2, "radius.Class", "636c617373"},
		{3, "radius.CHAP_Password", "11365b80a5caef14395e83a8cdf2173c61"},
		{6, "radius.Acct_Status_Type", "1"},
		{6, "radius.Event_Timestamp", "Nov 14, 2023 22:13:20.000000000 UTC"},
		{6, "radius.Acct_Input_Octets", "1000"},
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
		1: "Access-Request id=5",
		2: "Access-Accept id=5",
		3: "Access-Request id=6",
		4: "Access-Reject id=6",
		5: "Access-Challenge id=7",
		6: "Accounting-Request id=9",
		7: "Accounting-Response id=9",
		8: "Disconnect-Request id=1",
		9: "Disconnect-ACK id=1",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
