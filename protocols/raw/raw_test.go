package raw_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/ipv6"
	"remora/protocols/raw"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), ipv6.Plugin(), data.Plugin()}
}

type row = dissecttest.Row

// Headers of IPv4 and IPv6 without a payload: RFC 791 section 3.1, RFC 8200 section 3.
func packets() [][]byte {
	six := make([]byte, 40)
	six[0], six[6], six[39] = 0x60, 59, 1
	return [][]byte{{0x45, 0, 0, 20, 0, 0, 0, 0, 64, 255, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, six, {0xff, 1}, nil}
}

func TestPackets(t *testing.T) {
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 101, dissecttest.Packets(packets()...)), []row{
		{1, "ip.dst", "2.2.2.2"}, {2, "ipv6.dst", "::1"}, {3, "data.data", "ff01"}, {2, "frame.protocols", "raw:ipv6"},
		{2, "info", "IPv6 no next header"},
	})
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 228, dissecttest.Packets(packets()...)),
		[]row{{1, "ip.dst", "2.2.2.2"}, {1, "frame.protocols", "ip"}})
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 229, dissecttest.Packets(packets()...)),
		[]row{{2, "ipv6.dst", "::1"}})
}

func TestStandard(t *testing.T) { dissecttest.RunMade(t, plugins(), 101, packets()...) }
