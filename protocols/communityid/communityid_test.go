package communityid_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/communityid"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/icmp"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

// TestCommunityID has the hashes of the specification's baseline for both directions of a flow of UDP, of an echo and
// of a message that nothing answers, and none where nobody asked.
func TestCommunityID(t *testing.T) {
	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), icmp.Plugin(), data.Plugin(),
		communityid.Plugin()}
	packet := func(proto byte, from, to string, b []byte) dissecttest.Packet {
		return dissecttest.Packet{Data: dissecttest.IPv4(proto, from, to, b)}
	}
	packets := []dissecttest.Packet{
		packet(17, "192.168.1.52", "8.8.8.8", dissecttest.UDP(54585, 53, []byte("?"))),
		packet(17, "8.8.8.8", "192.168.1.52", dissecttest.UDP(53, 54585, []byte("!"))),
		packet(1, "192.168.0.89", "192.168.0.1", []byte("\x08\x00\x00\x00\x00\x00\x00\x00")),
		packet(1, "192.168.0.1", "192.168.0.89", []byte("\x00\x00\x00\x00\x00\x00\x00\x00")),
		packet(1, "192.168.0.89", "192.168.0.1", []byte("\x14\x00\x00\x00\x00\x00\x00\x00")),
		packet(46, "10.1.12.1", "10.1.12.2", []byte("rsvp")),
	}
	reg := dissecttest.Registry(t, plugins)
	if !reg.Enable("communityid") {
		t.Fatal("it cannot be enabled")
	}
	s := dissecttest.SessionOf(t, reg, 101, packets)
	dissecttest.Redissections(t, s)
	for i, want := range []string{"1:d/FP5EW3wiY1vCndhwleRRKHowQ=", "1:d/FP5EW3wiY1vCndhwleRRKHowQ=",
		"1:X0snYXpgwiv9TZtqg64sgzUn6Dk=", "1:X0snYXpgwiv9TZtqg64sgzUn6Dk=", "1:3o2RFccXzUgjl7zDpqmY7yJi8rI=",
		"1:KHlLkgoJW7ifUTyTSgyVfkFHzKw="} {
		if got := dissecttest.All(s.Tree(dissect.FrameNum(i+1)), "communityid"); got != want {
			t.Errorf("frame %d: %s, want %s", i+1, got, want)
		}
	}
	s = dissecttest.Session(t, plugins, 101, packets)
	if got := dissecttest.All(s.Tree(1), "communityid"); got != "" {
		t.Errorf("without being enabled it says %s", got)
	}
}
