package filter_test

import (
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
)

// TestHelp holds the help to a screen's width, and its examples to the language.
func TestHelp(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	for _, line := range strings.Split(filter.Help(), "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	for _, expr := range []string{
		"tcp", "ip.addr == 10.0.0.0/8", "udp.port in {10800, 11000..11999}", "touhou.type == GAME_INPUT",
		"kaillera.type in {CHAT, \"Game data\"}", "tcp.flags.syn == 1 && !(udp || arp)", "http.host contains \"game\"",
		"frame contains de:ad:be:ef", "udp contains \"HELLO\"", "dns.qry.name matches \"^www\\\\.\"",
		"eth.src[0:3] == 00:00:83", "@tcp.port[1] == 50", "tcp.flags & 0x12", "frame.len - 14 > 1000", "ip.src == ${ip.dst}",
		"touhou.type in {HELLO, OLLEH, REDIRECT}", "frame.time_delta > 0.1", "role.src == \"host\" && udp.length > 200",
		"ip.addr == 192.168.0.0/16 and not (tcp.port == 22 or arp)",
		"tcp.analysis.retransmission || icmp.type == 3", "frame.time_relative >= ${frame.time_relative} - 5",
	} {
		if !strings.Contains(filter.Help(), expr) {
			t.Errorf("the help does not say %s", expr)
		}
		if _, err := filter.Compile(reg, expr); err != nil {
			t.Errorf("%s: %v", expr, err)
		}
	}
	for _, name := range filter.FunctionNames() {
		if !strings.Contains(filter.Help(), name+"(") {
			t.Errorf("the help does not name %s", name)
		}
	}
}
