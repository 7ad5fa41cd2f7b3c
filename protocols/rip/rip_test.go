package rip_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of
// tshark 4.0, but for what only one of the two reads.
var files = []dissecttest.HexRows{
	{"testdata/packets.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Request"},
		{Frame: 2, Field: "info", Want: "Response"},
		{Frame: 7, Field: "info", Want: "Traceon"},
		{Frame: 9, Field: "info", Want: "Unknown command (9)"},
		{Frame: 1, Field: "rip.version", Want: "RIPv1 (1)"},
		{Frame: 3, Field: "rip.version", Want: "RIPv2 (2)"},
		{Frame: 1, Field: "rip.family", Want: "Unspecified (0)"},
		{Frame: 2, Field: "rip.family", Want: "IP (2),IP (2)"},
		{Frame: 2, Field: "rip.ip", Want: "10.1.0.0,10.1.0.0"},
		{Frame: 3, Field: "rip.ip", Want: "10.2.0.0"},
		{Frame: 3, Field: "rip.netmask", Want: "255.255.0.0"},
		{Frame: 6, Field: "rip.netmask", Want: "0.0.0.0"},
		{Frame: 3, Field: "rip.next_hop", Want: "10.0.0.9"},
		{Frame: 6, Field: "rip.next_hop", Want: "0.0.0.0"},
		{Frame: 1, Field: "rip.metric", Want: "16"},
		{Frame: 2, Field: "rip.metric", Want: "3,3"},
		{Frame: 4, Field: "rip.auth.type", Want: "Simple Password (2)"},
		{Frame: 5, Field: "rip.auth.type", Want: "Keyed Message Digest (3),IP Route (1)"},
		{Frame: 4, Field: "rip.auth.passwd", Want: "secret"},
		{Frame: 5, Field: "rip.seq_num", Want: "1234"},
		{Frame: 5, Field: "rip.authentication_data", Want: "44444444444444444444444444444444"},
	}},
	{"testdata/recorded.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Request"},
		{Frame: 2, Field: "info", Want: "Response"},
		{Frame: 2, Field: "rip.ip", Want: "10.78.1.0"},
		{Frame: 1, Field: "rip.metric", Want: "16"},
		{Frame: 2, Field: "rip.metric", Want: "1"},
		{Frame: 1, Field: "rip.netmask", Want: "0.0.0.0"},
		{Frame: 2, Field: "rip.netmask", Want: "255.255.255.0"},
	}},
}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), files, 42) }
