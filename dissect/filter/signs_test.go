package filter_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
)

// TestSigns compares signed with unsigned numbers, and takes the sign off constants.
func TestSigns(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 1,
		dissecttest.Packets(udp(1, 2, 5000, 6000, "hello"), tcp(1, 2, 4000, 80, 0x10)))
	for expr, want := range map[string]bool{
		"udp.dstport == abs(-6000)": true, "udp.dstport == abs(-6001)": false,
		"tcp.window_size_scalefactor == -tcp.dstport": false,
		"udp.srcport - 6000 == -1000":                 true, "udp.srcport - 6000 > 0": false, "-udp.srcport == -5000": true,
		"{udp.srcport - 6000} * 2 == -2000": true, "udp.srcport + {udp.srcport - 6000} == 4000": true,
		"udp.srcport > -1":                          false,
		"tcp.window_size_scalefactor < tcp.dstport": true, "tcp.dstport > tcp.window_size_scalefactor": true,
		"tcp.window_size_scalefactor >= tcp.dstport": false,
	} {
		if got := countMatches(t, s, compile(t, s.Registry(), expr, filter.Options{})) > 0; got != want {
			t.Errorf("%s: %v", expr, got)
		}
	}
}
