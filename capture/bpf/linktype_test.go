package bpf

import "testing"

func TestLinkTypesOfSystems(t *testing.T) {
	for _, c := range []struct {
		own       map[int]int
		dlt, link int
	}{
		{nil, 0, 0}, {nil, 1, 1}, {nil, 12, 101}, {nil, 149, 149}, {nil, 108, 108},
		{darwinDLT, 0, 0}, {darwinDLT, 149, 258}, {darwinDLT, 12, 101}, {darwinDLT, 108, 108},
		{openbsdDLT, 12, 108}, {openbsdDLT, 14, 101},
	} {
		if got := linkType(c.dlt, c.own); got != c.link {
			t.Errorf("DLT_ %d is LINKTYPE_ %d, want %d", c.dlt, got, c.link)
		}
		if got := dltOf(c.link, c.own); got != c.dlt {
			t.Errorf("LINKTYPE_ %d is DLT_ %d, want %d", c.link, got, c.dlt)
		}
	}
}
