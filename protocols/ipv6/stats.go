package ipv6

import (
	"remora/dissect"
	"remora/dissect/tap"
)

var ipHeader = &tap.IPHeader{Name: "IPv6", Dst: fDst, Fragments: fFragMore}

// statistics are those that IPv6 declares; the help of those of IPv4 tells of them.
var statistics = []dissect.Statistic{
	{Name: "ipv6_hosts,tree", New: ipHeader.New("hosts")},
	{Name: "ipv6_srcdst,tree", New: ipHeader.New("srcdst")},
	{Name: "ipv6_dests,tree", New: ipHeader.New("dests")},
	{Name: "ipv6_ptype,tree", New: ipHeader.New("ptype")},
}
