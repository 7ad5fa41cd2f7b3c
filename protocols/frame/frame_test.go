package frame_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), data.Plugin()}
}

type row = dissecttest.Row

func packets() [][]byte { return [][]byte{{1, 2, 3}, {4}, {}} }

func TestFrame(t *testing.T) {
	cut := dissecttest.Packets(packets()...)
	cut[0].Len, cut[1].Gap = 10, 2_500_000
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 1, cut), []row{
		{1, "frame.encap_type", "Ethernet (1)"}, {1, "frame.len", "10 bytes (80 bits)"},
		{1, "frame.cap_len", "3 bytes (24 bits)"},
		{1, "frame.time_delta", "0.000000000"}, {2, "frame.time_delta", "0.002500000"},
		{2, "frame.time_relative", "0.002500000"}, {2, "frame.len", "1 byte (8 bits)"},
		{2, "frame.number", "2"}, {2, "frame.marked", "False"}, {2, "frame.protocols", "data"}, {1, "frame.interface_id", ""},
		{1, "frame.time_epoch", "1704067200.001000000"}, {3, "frame.time", "Jan  1, 2024 00:00:00.004500000 UTC"},
	})
	for link, want := range map[int]string{113: "Linux cooked-mode capture v1 (25)",
		276: "Linux cooked-mode capture v2 (210)", 150: "48", 9999: "Unknown (0)", 101: "Raw IP (7)"} {
		dissecttest.Check(t, dissecttest.Session(t, plugins(), link, cut), []row{{1, "frame.encap_type", want}})
	}
}

func TestTitle(t *testing.T) {
	tree := dissecttest.Session(t, plugins(), 1, dissecttest.Packets([]byte{7})).Tree(1)
	if got, want := tree.Label(0), "Frame 1: 1 byte on wire (8 bits), 1 byte captured (8 bits)"; got != want {
		t.Errorf("the frame is titled %q, want %q", got, want)
	}
}

func TestStandard(t *testing.T) { dissecttest.RunMade(t, plugins(), 1, packets()...) }
