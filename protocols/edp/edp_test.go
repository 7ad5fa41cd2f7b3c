package edp_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/edp"
	"remora/protocols/eth"
	"remora/protocols/frame"
)

const packets = "../../fixtures/captures/lan/lldp.pcap" // what lldpd sends

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.LLC(), edp.Plugin(), data.Plugin()}
}

// TestPackets holds an announcement against what tshark says of it.
func TestPackets(t *testing.T) {
	s := dissecttest.Load(t, plugins(), packets)
	dissecttest.Check(t, s, []dissecttest.Row{
		{5, "info", "EDP: Display Info"},
		{5, "edp.midmac", "00:00:5e:00:53:0a"},
		{5, "edp.display.string", "vm"},
		{5, "edp.info.port", "1"},
		{5, "edp.info.version.internal", "99"},
	})
}
