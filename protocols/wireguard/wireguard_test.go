package wireguard_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/wireguard.pcap"

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
		{1, "wg.type", "1"},
		{1, "wg.sender", "0x00000011"},
		{1, "wg.ephemeral", "IEVqj7TZ/iNIbZK33AEmS3CVut8EKU5zmL3iByxRdps="},
		{1, "wg.mac1", "10355a7fa4c9ee13385d82a7ccf1163b"},
		{1, "wg.mac2", "00000000000000000000000000000000"},
		{1, "wg.stream", "0"},
		{1, "wg.response_in", "2"},
		{2, "wg.sender", "0x00000022"},
		{2, "wg.receiver", "0x00000011"},
		{2, "wg.response_to", "1"},
		{2, "wg.stream", "0"},
		{3, "wg.counter", "0"},
		{3, "wg.receiver", "0x00000022"},
		{3, "wg.stream", "0"},
		{6, "wg.nonce", "183d6287acd1f61b40658aafd4f91e43688db2d7fc21466b"},
		{6, "wg.encrypted_cookie", "20456a8fb4d9fe23486d92b7dc01264b7095badf04294e7398bde2072c51769b"},
		{6, "wg.response_to", "5"},
		{7, "wg.sender", "0x00000044"},
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
		1: "Handshake Initiation, sender=0x00000011",
		2: "Handshake Response, sender=0x00000022, receiver=0x00000011",
		3: "Transport Data, receiver=0x00000022, counter=0, datalen=80",
		4: "Keepalive, receiver=0x00000011, counter=0",
		5: "Handshake Initiation, sender=0x00000033",
		6: "Cookie Reply, receiver=0x00000033",
		7: "Handshake Initiation, sender=0x00000044",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
