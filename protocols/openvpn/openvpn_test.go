package openvpn_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/openvpn.pcap"

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
		{1, "openvpn.opcode", "0x07"},
		{1, "openvpn.keyid", "0"},
		{1, "openvpn.sessionid", "589217799939941899"},
		{1, "openvpn.mpid", "0"},
		{2, "openvpn.mpidarraylength", "1"},
		{2, "openvpn.mpidarrayelement", "0"},
		{2, "openvpn.rsessionid", "589217799939941899"},
		{3, "openvpn.opcode", "0x05"},
		{4, "openvpn.fragment_bytes", "6489aed3f81d42678cb1d6fb20456a8fb4d9fe23486d92b7dc01264b7095badf04294e7398bde2072c51" +
			"769bc0e50a2f54799ec3e80d32577ca1c6eb10355a7fa4c9ee13385d82a7ccf1163b6085aacff4193e6388add2f71c41668bb0d5fa1f44698" +
			"eb3"},
		{6, "openvpn.data", "3c6186abd0f51a3f6489aed3f81d42678cb1d6fb20456a8fb4d9fe23486d92b7dc01264b7095badf04294e7398bde2" +
			"072c51769bc0e50a2f54799ec3"},
		{7, "openvpn.peerid", "5"},
		{8, "openvpn.hmac", "14395e83a8cdf2173c6186abd0f51a3f6489aed3"},
		{8, "openvpn.pid", "1"},
		{8, "openvpn.net_time", "Nov 14, 2023 22:13:20.000000000 UTC"},
		{9, "openvpn.hmac", "14395e83a8cdf2173c6186abd0f51a3f6489aed3"},
		{9, "openvpn.rsessionid", "589217799939941899"},
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
		1: "MessageType: P_CONTROL_HARD_RESET_CLIENT_V2",
		2: "MessageType: P_CONTROL_HARD_RESET_SERVER_V2",
		3: "MessageType: P_ACK_V1",
		4: "MessageType: P_CONTROL_V1",
		6: "MessageType: P_DATA_V1",
		7: "MessageType: P_DATA_V2",
		8: "MessageType: P_CONTROL_HARD_RESET_CLIENT_V2",
		9: "MessageType: P_CONTROL_HARD_RESET_SERVER_V2",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
