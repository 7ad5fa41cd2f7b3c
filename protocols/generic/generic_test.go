package generic_test

import (
	"strings"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/arp"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/generic"
	"remora/protocols/ip"
	"remora/protocols/udp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), udp.Plugin(),
		generic.Plugin(), data.Plugin()}
}

// The parts of packets. Ethernet and IP headers as people write them, checksums filled in by gopacket.
var (
	mac1 = []byte{2, 0, 0, 0, 0, 1}
	mac2 = []byte{2, 0, 0, 0, 0, 2}
)

func ether(t layers.EthernetType) *layers.Ethernet {
	return &layers.Ethernet{SrcMAC: mac1, DstMAC: mac2, EthernetType: t}
}

func ipv4(p layers.IPProtocol) *layers.IPv4 {
	return &layers.IPv4{Version: 4, TTL: 64, Protocol: p, SrcIP: []byte{192, 0, 2, 1}, DstIP: []byte{192, 0, 2, 2}}
}

func build(t testing.TB, parts ...gopacket.SerializableLayer) []byte {
	t.Helper()
	for i, p := range parts {
		if u, ok := p.(*layers.UDP); ok {
			for j := i; j >= 0; j-- {
				if n, ok := parts[j].(*layers.IPv4); ok {
					_ = u.SetNetworkLayerForChecksum(n)
					break
				}
			}
		}
	}
	b := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		parts...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// greKey is a GRE header with a key (RFC 2890) around IPv4.
var greKey = gopacket.Payload([]byte{0x20, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x2a})

// lldp is a frame with chassis, port, TTL, system name and end (IEEE 802.1AB).
var lldp = append([]byte{1, 0x80, 0xc2, 0, 0, 0x0e, 2, 0, 0, 0, 0, 1, 0x88, 0xcc},
	0x02, 7, 4, 2, 0, 0, 0, 0, 1, 0x04, 3, 7, '4', '2', 0x06, 2, 0, 120, 0x0a, 4, 's', 'w', '0', '1', 0, 0)

// stp is a configuration BPDU (IEEE 802.1D) in 802.3 with LLC.
var stp = []byte{1, 0x80, 0xc2, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 38, 0x42, 0x42, 3,
	0, 0, 0, 0, 0, 0x80, 1, 2, 0, 0, 0, 0, 9, 0, 0, 0, 4, 0x80, 1, 2, 0, 0, 0, 0, 1, 0x80, 2, 0, 0, 20, 0, 2, 0, 15, 0}

func packets(t testing.TB) [][]byte {
	payload := gopacket.Payload("hello")
	return [][]byte{
		build(t, ether(layers.EthernetTypeIPv4), ipv4(layers.IPProtocolGRE), greKey, ipv4(layers.IPProtocolUDP),
			&layers.UDP{SrcPort: 1000, DstPort: 2000}, payload),
		build(t, ether(layers.EthernetTypeMPLSUnicast), &layers.MPLS{Label: 16, TTL: 9},
			&layers.MPLS{Label: 17, TTL: 8, StackBottom: true}, ipv4(layers.IPProtocolUDP),
			&layers.UDP{SrcPort: 1000, DstPort: 2000}, payload),
		build(t, ether(layers.EthernetTypePPPoESession), &layers.PPPoE{Version: 1, Type: 1, SessionId: 7},
			&layers.PPP{PPPType: layers.PPPTypeIPv4}, ipv4(layers.IPProtocolUDP), &layers.UDP{SrcPort: 1000, DstPort: 2000},
			payload),
		build(t, ether(layers.EthernetTypeIPv4), ipv4(layers.IPProtocolUDP), &layers.UDP{SrcPort: 5000, DstPort: 4789},
			&layers.VXLAN{ValidIDFlag: true, VNI: 99}, ether(layers.EthernetTypeARP),
			&layers.ARP{AddrType: 1, Protocol: 0x800, HwAddressSize: 6, ProtAddressSize: 4, Operation: 1, SourceHwAddress: mac1,
				SourceProtAddress: []byte{192, 0, 2, 1}, DstHwAddress: make([]byte, 6), DstProtAddress: []byte{192, 0, 2, 9}}),
		lldp,
		stp,
		build(t, ether(layers.EthernetTypeIPv4), ipv4(layers.IPProtocolUDP), &layers.UDP{SrcPort: 68, DstPort: 67},
			&layers.DHCPv4{Operation: 1, HardwareType: 1, HardwareLen: 6, Xid: 0x1234, ClientHWAddr: mac1,
				Options: layers.DHCPOptions{layers.NewDHCPOption(layers.DHCPOptHostname, []byte("remora"))}}),
		build(t, ether(0x9999), gopacket.Payload(strings.Repeat("x", 46))),
		append(build(t, ether(layers.EthernetTypeMPLSUnicast), gopacket.Payload(nil))[:14], 1, 2),
		build(t, ether(layers.EthernetTypeIPv4), ipv4(layers.IPProtocolUDP), &layers.UDP{SrcPort: 5060, DstPort: 5060},
			gopacket.Payload("OPTIONS sip:a@b SIP/2.0\r\nB: 2\r\nA: 1\r\n\r\n")),
	}
}

func TestLayers(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(packets(t)...))
	l := s.Dissector()
	for _, c := range []struct {
		frame             dissect.FrameNum
		field, want, info string
	}{
		{1, "gopacket.gre.key", "42", "1000 → 2000 Len=5"}, {1, "data.data", "68656c6c6f", ""},
		{1, "gopacket.type", "GRE (18)", ""},
		{2, "gopacket.mpls.label", "16,17", "1000 → 2000 Len=5"}, {2, "udp.dstport", "2000", ""},
		{3, "gopacket.pppoe.sessionid", "7", "1000 → 2000 Len=5"}, {3, "udp.srcport", "1000", ""},
		{4, "gopacket.vxlan.vni", "99", ""}, {4, "arp.dst.proto_ipv4", "192.0.2.9", "Who has 192.0.2.9? Tell 192.0.2.1"},
		{5, "gopacket.linklayerdiscovery.ttl", "120", "LinkLayerDiscovery / LinkLayerDiscoveryInfo"},
		{5, "gopacket.linklayerdiscoveryinfo.sysname", "sw01", ""},
		{6, "llc.dsap", "Spanning Tree BPDU (0x42)", "STP"}, {6, "gopacket.type", "STP (121)", ""},
		{7, "gopacket.dhcpv4.clienthwaddr", "02:00:00:00:00:01", "DHCPv4"},
		{7, "gopacket.dhcpv4.options.data", "72656d6f7261", ""},
		{8, "data.data", strings.Repeat("78", 46), ""},
		{9, "data.data", "0102", ""}, {9, "gopacket.failed", "", ""},
		{10, "gopacket.sip.headers", "a: 1,b: 2", "SIP"},
	} {
		tree := l.Tree(c.frame)
		if got := dissecttest.All(tree, c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q\n%s", c.frame, c.field, got, c.want, dissecttest.Dump(tree))
		}
		if c.info != "" && tree.InfoLine() != c.info {
			t.Errorf("frame %d: Info is %q, want %q", c.frame, tree.InfoLine(), c.info)
		}
	}
	if _, ok := dissecttest.Find(l.Tree(9), "gopacket.failed"); !ok {
		t.Error("a layer that gopacket cannot decode has no note")
	}
	if got, ok := dissecttest.Find(l.Tree(8), "gopacket"); ok {
		t.Errorf("an unknown EtherType became %q", got)
	}
}

func TestStandard(t *testing.T) {
	dissecttest.Declarations(t, plugins())
	// A plain packet stands in front: looks at it must not allocate.
	plain := build(t, ether(layers.EthernetTypeIPv4), ipv4(layers.IPProtocolUDP), &layers.UDP{SrcPort: 1, DstPort: 2},
		gopacket.Payload("x"))
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(append([][]byte{plain}, packets(t)...)...))
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, plugins(), s)
}

// TestEveryNumber gives every EtherType, IP protocol and link type that gopacket knows some hostile bytes.
func TestEveryNumber(t *testing.T) {
	hostile := [][]byte{[]byte(strings.Repeat("\x00", 64)), []byte(strings.Repeat("\xff", 300)),
		[]byte(strings.Repeat("\x01\x02\x00\x04", 40)), {}, {0x45}}
	var frames [][]byte
	for i := range 0x10000 {
		if layers.EthernetType(i).LayerType() != gopacket.LayerTypeZero {
			for _, h := range hostile {
				frames = append(frames, build(t, ether(layers.EthernetType(i)), gopacket.Payload(h)))
			}
		}
	}
	for i := range 256 {
		for _, h := range hostile {
			frames = append(frames, build(t, ether(layers.EthernetTypeIPv4), ipv4(layers.IPProtocol(i)), gopacket.Payload(h)))
		}
	}
	dissecttest.Redissections(t, dissecttest.Session(t, plugins(), 1, dissecttest.Packets(frames...)))
	for link := range 256 {
		dissecttest.Redissections(t, dissecttest.Session(t, plugins(), link, dissecttest.Packets(hostile...)))
	}
}

func FuzzGeneric(f *testing.F) {
	for _, p := range packets(f) {
		f.Add(uint8(1), p)
	}
	for _, link := range []uint8{9, 10, 51, 105, 108, 113, 117, 119, 127, 220} {
		f.Add(link, make([]byte, 80))
	}
	f.Fuzz(func(t *testing.T, link uint8, b []byte) {
		if len(b) < 1<<12 {
			dissecttest.Redissections(t, dissecttest.Session(t, plugins(), int(link), dissecttest.Packets(b, b)))
		}
	})
}
