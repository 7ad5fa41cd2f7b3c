package ripng_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of
// tshark 4.0, but for what only one of the two reads.
var files = []struct {
	path string
	rows []dissecttest.Row
}{
	{"testdata/packets.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Command Request, Version 1"},
		{Frame: 2, Field: "info", Want: "Command Response, Version 1"},
		{Frame: 4, Field: "info", Want: "Command Unknown (7), Version 1"},
		{Frame: 1, Field: "ripng.cmd", Want: "Request (1)"},
		{Frame: 2, Field: "ripng.cmd", Want: "Response (2)"},
		{Frame: 1, Field: "ripng.rte.ipv6_prefix", Want: "::"},
		{Frame: 2, Field: "ripng.rte.ipv6_prefix", Want: "fe80::9,2001:db8:1::,2001:db8:1::"},
		{Frame: 1, Field: "ripng.rte.metric", Want: "16"},
		{Frame: 2, Field: "ripng.rte.metric", Want: "255,2,2"},
	}},
	{"testdata/recorded.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Command Request, Version 1"},
		{Frame: 2, Field: "info", Want: "Command Response, Version 1"},
		{Frame: 1, Field: "ripng.rte.ipv6_prefix", Want: "::"},
		{Frame: 2, Field: "ripng.rte.ipv6_prefix", Want: "2001:db8:1::"},
		{Frame: 1, Field: "ripng.rte.prefix_length", Want: "0"},
		{Frame: 2, Field: "ripng.rte.prefix_length", Want: "64"},
		{Frame: 1, Field: "ripng.rte.metric", Want: "16"},
		{Frame: 2, Field: "ripng.rte.metric", Want: "1"},
	}},
}

func TestPackets(t *testing.T) {
	for _, f := range files {
		link, made := dissecttest.HexFile(t, f.path)
		s := dissecttest.Session(t, protocols.All(), link, made)
		dissecttest.Owned(t, s)
		dissecttest.Check(t, s, f.rows)
	}
}

func TestHostile(t *testing.T) {
	for _, f := range files {
		link, made := dissecttest.HexFile(t, f.path)
		dissecttest.Mutations(t, protocols.All(), dissecttest.Session(t, protocols.All(), link, made), 62)
	}
}
