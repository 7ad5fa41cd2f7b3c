package undissected

import (
	"testing"

	"remora/protocols"
	"remora/ui/view/viewtest"
)

func sample(t *testing.T, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenSample(t, protocols.All(), w, h)
}

// TestGroupsLeadToTheirPackets: a group's filter shows just the packets that were counted.
func TestGroupsLeadToTheirPackets(t *testing.T) {
	x := sample(t, 120, 32)
	looked := ""
	v := New(x, func(filter string) { looked = filter })
	x.Show(v).Has("UDP 6000", "40 packets")
	for i := range v.groups {
		if got := x.Matching(x.Scope().Drilldown().Undissected(&v.groups[i])); uint64(got) != v.groups[i].Packets {
			t.Errorf("group %d: %d packets, counted %d", i, got, v.groups[i].Packets)
		}
	}
	if x.Keys("v"); looked != "data && udp.port == 6000" {
		t.Errorf("the lab looks at %q", looked)
	}
	x.Keys("<enter>")
	if got := x.Scope().FilterText(); got != "data && udp.port == 6000" || x.View != nil {
		t.Errorf("the filter is %q", got)
	}
	x.Filter("touhou")
	x.Show(v).Has("every packet shown is of a protocol")
	x.Filter("")
	if x.Show(v).Keys("gf"); x.Followed == nil {
		t.Error("gf follows nothing")
	}
}
