package dht_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand after BEP 5 and BEP 32.
const file = "testdata/dht.pcap"

func TestHostile(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Mutations(t, protocols.All(), s, 42)
	dissecttest.Mutations(t, protocols.All(), s, 54) // the beginning stays, so that the packets are known
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "bt-dht.type", "ping"}, {1, "bt-dht.response_in", "2"}, {1, "bt-dht.bencoded.key", "a,id,q,t,y"},
		{2, "bt-dht.type", "response"}, {2, "bt-dht.request_in", "1"}, {2, "bt-dht.time", "0.250000000"},
		{3, "bt-dht.type", "find_node"}, {4, "bt-dht.ip", "10.0.0.1,10.0.0.1,10.0.0.1"}, {4, "bt-dht.port", "6881,6881,6881"},
		{5, "bt-dht.type", "get_peers"}, {5, "bt-dht.bencoded.int", "1"}, {6, "bt-dht.ip", "10.0.0.1,10.0.0.2"},
		{6, "bt-dht.ip6", "1035:5a7f:a4c9:ee13:385d:82a7:ccf1:163b"},
		{7, "bt-dht.type", "announce_peer"}, {8, "bt-dht.type", "error"}, {8, "bt-dht.bencoded.int", "201"},
	} {
		if got := dissecttest.All(s.Tree(c.frame), c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q", c.frame, c.field, got, c.want)
		}
	}
}

// TestNesting sends lists in lists without end.
func TestNesting(t *testing.T) {
	body := "d1:ad2:id20:" + strings.Repeat("x", 20) + strings.Repeat("1:al", 200) + strings.Repeat("l", 600) + "1:y1:qe"
	udp := dissecttest.UDP(6881, 6882, []byte(body))
	packet := dissecttest.IPv4(dissecttest.ProtocolUDP, "10.0.0.1", "10.0.0.2", udp)
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(packet))
	if _, ok := dissecttest.Find(s.Tree(1), "bt-dht.too_deep"); !ok {
		t.Errorf("nothing is said of the depth:\n%s", dissecttest.Dump(s.Tree(1)))
	}
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
}
