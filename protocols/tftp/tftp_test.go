package tftp_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/tftp.pcap"

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
		{1, "tftp.opcode", "1"},
		{1, "tftp.source_file", "boot.img"},
		{1, "tftp.type", "octet"},
		{1, "tftp.option.name", "blksize|tsize|windowsize"},
		{1, "tftp.option.value", "1024|0|2"},
		{2, "tftp.option.value", "1024|1500|2"},
		{2, "tftp.request_frame", "1"},
		{2, "tftp.destination_file", "boot.img"},
		{4, "tftp.block", "1"},
		{5, "tftp.block.full", "2"},
		{7, "tftp.destination_file", "up.txt"},
		{10, "tftp.error.code", "3"},
		{10, "tftp.error.message", "Disk full"},
		{12, "tftp.request_frame", "11"},
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
		1:  "Read Request, File: boot.img, Transfer type: octet, blksize=1024, tsize=0, windowsize=2",
		2:  "Option Acknowledgement, blksize=1024, tsize=1500, windowsize=2",
		3:  "Acknowledgement, Block: 0",
		4:  "Data Packet, Block: 1",
		5:  "Data Packet, Block: 2 (last)",
		6:  "Acknowledgement, Block: 2",
		7:  "Write Request, File: up.txt, Transfer type: netascii",
		8:  "Acknowledgement, Block: 0",
		9:  "Data Packet, Block: 1 (last)",
		10: "Error Code, Code: Disk full or allocation exceeded, Message: Disk full",
		11: "Read Request, File: none, Transfer type: octet",
		12: "Error Code, Code: File not found, Message: File not found",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
