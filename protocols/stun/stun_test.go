package stun_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/stun.pcap"

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
		{1, "stun.type", "0x0001"},
		{1, "stun.type.class", "0x0000"},
		{1, "stun.type.method", "0x0001"},
		{1, "stun.length", "16"},
		{1, "stun.cookie", "2112a442"},
		{1, "stun.id", "0c31567ba0c5ea0f34597ea3"},
		{1, "stun.response-in", "2"},
		{1, "stun.att.software", "test stun"},
		{2, "stun.att.ipv4", "10.0.0.1|10.0.0.1"},
		{2, "stun.att.port", "50000|50000"},
		{2, "stun.att.ipv4-xord", "2b12a443"},
		{2, "stun.att.port-xord", "e242"},
		{2, "stun.att.crc32", "0xc1fb71ff"},
		{2, "stun.att.crc32.status", "1"},
		{2, "stun.time", "0.250000000"},
		{3, "stun.att.username", "a:b"},
		{3, "stun.att.priority", "1853824767"},
		{3, "stun.att.tie-breaker", "082d52779cc1e60b"},
		{3, "stun.att.hmac", "14395e83a8cdf2173c6186abd0f51a3f6489aed3"},
		{4, "stun.att.ipv6", "2001:db8::1"},
		{4, "stun.att.ipv6-xord", "0113a9fa0c31567ba0c5ea0f34597ea2"},
		{5, "stun.att.transp", "0x11"},
		{5, "stun.att.lifetime", "600"},
		{5, "stun.att.even-port.reserve-next", "1"},
		{6, "stun.att.error.class", "4"},
		{6, "stun.att.error", "1"},
		{6, "stun.att.error.reason", "Unauthorized"},
		{6, "stun.att.realm", "realm"},
		{6, "stun.att.nonce", "nonce"},
		{6, "stun.att.unknown", "0x0020|0x0021"},
		{7, "stun.att.channelnum", "0x4000"},
		{9, "stun.channel", "0x4000"},
		{11, "stun.att.google.network_cost", "10"},
		{11, "stun.att.cache-timeout", "1"},
		{11, "stun.att.change-port", "1"},
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
		1:  "Binding Request",
		2:  "Binding Success Response XOR-MAPPED-ADDRESS: 10.0.0.1:50000 MAPPED-ADDRESS: 10.0.0.1:50000",
		3:  "Binding Request user: a:b",
		4:  "Binding Success Response XOR-MAPPED-ADDRESS: 2001:db8::1:50000",
		5:  "Allocate Request UDP lifetime: 600",
		6:  "Allocate Error Response error-code: 401 (Unauthenticated) Unauthorized realm: realm with nonce",
		7:  "Channel-Bind Request ChannelNumber=0x4000 XOR-PEER-ADDRESS: 10.0.0.1:50000",
		8:  "Send Indication XOR-PEER-ADDRESS: 10.0.0.1:50000",
		9:  "ChannelData TURN Message",
		10: "Binding Indication",
		11: "Binding Request ALTERNATE-SERVER: 10.0.0.1:50000",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}

// The packets were made with scapy 2.5: a client and a server of RFC 3489, on the port of STUN and on others.
func TestClassic(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "testdata/classic.pcap")
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "classicstun.response_in", Want: "2"},
		{Frame: 2, Field: "info", Want: "Message: Binding Response"},
		{Frame: 2, Field: "classicstun.att.ipv4", Want: "1.2.3.4,9.9.9.9,8.8.8.8"},
		{Frame: 3, Field: "classicstun.att.change.ip", Want: "Set"},
		{Frame: 4, Field: "classicstun.att.error.reason", Want: "Unauthorized"},
		{Frame: 4, Field: "classicstun.att.unknown", Want: "0x0006,0x0007"},
		{Frame: 7, Field: "classicstun.att.ipv4", Want: "5.6.7.0"},
		{Frame: 7, Field: "classicstun.att.ipv4-xord", Want: "1.2.3.4"},
		{Frame: 9, Field: "classicstun.type", Want: "Binding Response (0x0101)"},
	})
	dissecttest.Mutations(t, protocols.All(), s, 43)
}

// TestNotClassic sends what looks like it from afar: lengths that do not fit, types and attributes that nobody knows.
func TestNotClassic(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "testdata/notclassic.pcap")
	for n := range s.Passed() {
		if got := s.Tree(dissect.FrameNum(n + 1)).Protocol().Name(); got == "classicstun" {
			t.Errorf("frame %d is taken for %s", n+1, got)
		}
	}
}

// TestVendors holds attributes of Microsoft and methods of Google, made with scapy 2.5, against what tshark 4.0 prints.
func TestVendors(t *testing.T) {
	link, made := dissecttest.HexFile(t, "testdata/vendors.hex")
	s := dissecttest.Session(t, protocols.All(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "GooglePing Request"},
		{Frame: 2, Field: "stun.att.ms.version", Want: "MULTIPLEXED TURN over UDP and TCP (6)"},
		{Frame: 2, Field: "stun.att.ms.service_quality", Want: "Reliable delivery (1)"},
		{Frame: 2, Field: "stun.att.ms.version.ice", Want: "4"},
	})
}

// TestChannelsElsewhere takes channel data on other ports where a channel was bound, and only there.
func TestChannelsElsewhere(t *testing.T) {
	k := dissecttest.Conversation{T: t, Plugins: protocols.All()}
	from, to, other := dissecttest.Spot{Host: 1, Port: 40000}, dissecttest.Spot{Host: 2, Port: 6478},
		dissecttest.Spot{Host: 3, Port: 6478}
	const data = "40010004 61626364"
	k.Say(1, from, to, "0009 0000 2112a442 0c31567ba0c5ea0f34597ea3")
	in := k.Say(1, to, from, data)
	long := k.Say(1, to, from, data+"65")
	not := k.Say(1, other, from, data)
	s := k.Session()
	for n, want := range map[dissect.FrameNum]string{in: "stun", long: "udp", not: "udp"} {
		if got := s.StackTop(s.LayerStackOf(n)).Name(); got != want {
			t.Errorf("frame %d is %s, want %s", n, got, want)
		}
	}
	dissecttest.Redissections(t, s)
}
