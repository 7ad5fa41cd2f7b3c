package sll_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/sll"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), sll.Plugin(), ip.Plugin(), data.Plugin()}
}

type row = dissecttest.Row

var header = []byte{0x45, 0, 0, 20, 0, 0, 0, 0, 64, 255, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// first are headers of version 1: type, ARPHRD_, address length, address, protocol.
func first() [][]byte {
	return [][]byte{
		join([]byte{0, 4, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0xab, 0xcd, 8, 0}, header),
		join([]byte{0, 0, 3, 0, 0, 4, 10, 0, 0, 1, 0, 0, 0, 0, 8, 0}, header),
		join([]byte{0, 2, 3, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0}, header),
		join([]byte{0, 1, 1, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12}, []byte("can")),
		join([]byte{0, 4, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0xab, 0xcd, 8, 0}, header, []byte{1, 2}),
	}
}

func TestVersion1(t *testing.T) {
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 113, dissecttest.Packets(first()...)), []row{
		{1, "sll.pkttype", "Sent by us (4)"}, {1, "sll.hatype", "Ethernet (1)"}, {1, "sll.src.eth", "02:00:00:00:00:01"},
		{1, "sll.unused", "abcd"}, {1, "sll.etype", "IPv4 (0x0800)"}, {1, "ip.dst", "2.2.2.2"},
		{2, "sll.src.ipv4", "10.0.0.1"}, {3, "sll.gretype", "IP (0x0800)"}, {3, "ip.dst", "2.2.2.2"},
		{4, "sll.ltype", "CAN (0x000c)"}, {4, "data.data", "63616e"}, {4, "info", "Broadcast"}, {5, "sll.trailer", "0102"},
	})
}

func second() []byte {
	return join([]byte{8, 0, 0, 0, 0, 0, 0, 3, 0, 1, 1, 6, 2, 0, 0, 0, 0, 1, 0, 0}, header)
}

func TestVersion2(t *testing.T) {
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 276, dissecttest.Packets(second())), []row{
		{1, "sll.etype", "IPv4 (0x0800)"}, {1, "sll.ifindex", "3"}, {1, "sll.pkttype", "Broadcast (1)"},
		{1, "sll.halen", "6"}, {1, "ip.dst", "2.2.2.2"}, {1, "frame.protocols", "sll:ethertype:ip"},
	})
}

func TestStandard(t *testing.T) {
	t.Run("v1", func(t *testing.T) { dissecttest.RunMade(t, plugins(), 113, first()...) })
	t.Run("v2", func(t *testing.T) { dissecttest.RunMade(t, plugins(), 276, second()) })
}
