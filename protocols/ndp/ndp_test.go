package ndp_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ndp"
)

const packets = "../../fixtures/captures/lan/lldp.pcap" // what lldpd sends

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.LLC(), ndp.Plugin(), data.Plugin()}
}

// TestPackets holds hellos of both sorts against what tshark says of them.
func TestPackets(t *testing.T) {
	s := dissecttest.Load(t, plugins(), packets)
	dissecttest.Check(t, s, []dissecttest.Row{
		{3, "info", "Segment Hello"},
		{3, "ndp.ipaddress", "192.0.2.10"},
		{3, "ndp.chassis", "other (1)"},
		{3, "ndp.numberoflinks", "1"},
		{4, "info", "FlatNet Hello"},
	})
}
