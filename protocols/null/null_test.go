package null_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/ipv6"
	"remora/protocols/null"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), null.Plugin(), ip.Plugin(), ipv6.Plugin(), data.Plugin()}
}

type row = dissecttest.Row

var header = []byte{0x45, 0, 0, 20, 0, 0, 0, 0, 64, 255, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}

func packets() [][]byte {
	six := make([]byte, 40)
	six[0], six[6] = 0x60, 59
	return [][]byte{append([]byte{2, 0, 0, 0}, header...), append([]byte{0, 0, 0, 2}, header...),
		append([]byte{30, 0, 0, 0}, six...), append([]byte{0, 0, 8, 0}, header...), {7, 0, 0, 0, 1}, {9}}
}

func TestFamilies(t *testing.T) {
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 0, dissecttest.Packets(packets()...)), []row{
		{1, "null.family", "IP (2)"}, {2, "null.family", "IP (2)"}, {2, "ip.dst", "2.2.2.2"}, {3, "null.family", "IPv6 (30)"},
		{3, "ipv6.version", "6"},
		{4, "null.type", "IPv4 (0x0800)"}, {4, "ip.dst", "2.2.2.2"}, {5, "null.family", "OSI (7)"}, {5, "data.data", "01"},
		{6, "null.family", ""},
	})
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 108, dissecttest.Packets(packets()...)),
		[]row{{1, "null.family", "33554432"}, {2, "null.family", "IP (2)"}})
}

func TestStandard(t *testing.T) { dissecttest.RunMade(t, plugins(), 0, packets()...) }
