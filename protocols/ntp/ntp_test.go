package ntp_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/ntp.pcap"

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
		{2, "ntp.stratum", "2"},
		{2, "ntp.ppoll", "6"},
		{2, "ntp.precision", "236"},
		{2, "ntp.rootdelay", "1310"},
		{2, "ntp.rootdispersion", "6553"},
		{2, "ntp.refid", "7f000001"},
		{2, "ntp.reftime", "Aug  2, 2023 21:19:59.250000000 UTC"},
		{2, "ntp.org", "Aug  2, 2023 21:20:00.500000000 UTC"},
		{2, "ntp.rec", "Aug  2, 2023 21:20:00.625000000 UTC"},
		{2, "ntp.xmt", "Aug  2, 2023 21:20:00.750000000 UTC"},
		{2, "ntp.request_in", "1"},
		{2, "ntp.delta_time", "0.250000000"},
		{1, "ntp.response_in", "2"},
		{3, "ntp.flags.li", "3"},
		{3, "ntp.flags.vn", "3"},
		{3, "ntp.flags.mode", "3"},
		{6, "ntp.keyid", "00000007"},
		{6, "ntp.mac", "10355a7fa4c9ee13385d82a7ccf1163b"},
		{7, "ntp.ext.type", "0x0104|0x0204"},
		{7, "ntp.ext.length", "36|104"},
		{8, "ntp.ctrl.flags2.opcode", "2"},
		{9, "ntp.ctrl.status", "0x0615"},
		{9, "ntp.ctrl.sys_status.clksrc", "6"},
		{9, "ntp.ctrl.sys_status.code", "5"},
		{9, "ntp.ctrl.count", "28"},
		{10, "ntp.priv.reqcode", "42"},
		{10, "ntp.priv.impl", "3"},
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
		1:  "NTP Version 4, client",
		2:  "NTP Version 4, server",
		3:  "NTP Version 3, client",
		5:  "NTP Version 4, broadcast",
		8:  "NTP Version 2, control",
		9:  "NTP Version 2, control",
		10: "NTP Version 2, private, Request, MON_GETLIST_1",
		11: "NTP Version 1, reserved",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}

// The packets were made with scapy 2.5: every operation of control messages, with status words of each sort, and the
// answers of ntpd's own management that tell of who asks and whom the server follows.
func TestManaged(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "testdata/managed.pcap")
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 2, Field: "ntp.ctrl.associd", Want: "0,11,12"},
		{Frame: 2, Field: "ntp.ctrl.peer_status.selection",
			Want: "current synchronization source; max distance okay (6),passed outlier checks (clustering algorithm in " +
				"Section 4.2.2) (4)"},
		{Frame: 15, Field: "ntp.ctrl.nonce", Want: "nonce=abc\\r\\n"},
		{Frame: 23, Field: "ntp.priv.monlist.remote_address", Want: "16.17.18.19,88.89.90.91"},
		{Frame: 23, Field: "ntp.priv.mode7.item", Want: "Monlist Item,Monlist Item"},
		{Frame: 28, Field: "ntp.priv.mode7.srcport", Want: "2314"},
		{Frame: 30, Field: "ntp.priv.mode7.sys.flags.bclient", Want: "Not set"},
		{Frame: 34, Field: "ntp.priv.mode7.mask", Want: "4.5.6.7,60.61.62.63"},
	})
	dissecttest.Mutations(t, protocols.All(), s, 44)
}
