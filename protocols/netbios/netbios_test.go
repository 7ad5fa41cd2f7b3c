package netbios_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/netbios.pcap"

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
		{1, "nbns.id", "0x0010"},
		{1, "nbns.flags", "0x0110"},
		{1, "nbns.name", "WORKSTATION<20>"},
		{1, "nbns.type", "32"},
		{2, "nbns.addr", "10.0.0.2"},
		{2, "nbns.ttl", "300"},
		{2, "nbns.nb_flags", "0x6000"},
		{2, "nbns.nb_flags.ont", "3"},
		{5, "nbns.number_of_names", "2"},
		{5, "nbns.netbios_name", "WORKSTATION|WORKGROUP"},
		{5, "nbns.name_flags.group", "0|1"},
		{5, "nbns.unit_id", "02:00:00:00:00:01"},
		{7, "nbns.flags.rcode", "3"},
		{9, "nbns.data_length", "2"},
		{10, "nbdgm.type", "17"},
		{10, "nbdgm.src.ip", "10.0.0.1"},
		{10, "nbdgm.src.port", "138"},
		{10, "nbdgm.source_name", "WORKSTATION<00>"},
		{10, "nbdgm.destination_name", "GROUP<1d>"},
		{10, "nbdgm.dgram_len", "140"},
		{11, "nbdgm.node_type", "3"},
		{12, "nbdgm.error_code", "0x82"},
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
		1:  "Name query NB WORKSTATION<20>",
		2:  "Name query response NB 10.0.0.2",
		3:  "Registration NB GROUP<00>",
		4:  "Name query NBSTAT *<00><00><00><00><00><00><00><00><00><00><00><00><00><00><00>",
		5:  "Name query response NBSTAT",
		6:  "Release NB WORKSTATION<20>",
		8:  "Refresh NB WORKSTATION<20>",
		9:  "Wait for acknowledgment response",
		12: "Datagram error",
		13: "Datagram query request",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
