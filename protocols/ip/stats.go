package ip

import (
	"remora/dissect"
	"remora/dissect/tap"
)

var ipHeader = &tap.IPHeader{Name: "IPv4", Dst: fDst}

// statistics are those that IPv4 declares.
var statistics = []dissect.Statistic{
	{Name: "ip_hosts,tree", Args: "[,FILTER]", Help: "addresses of IPv4; ipv6_hosts,tree those of IPv6",
		New: ipHeader.New("hosts")},
	{Name: "ip_srcdst,tree", Args: "[,FILTER]", Help: "sources and destinations; ipv6_srcdst,tree",
		New: ipHeader.New("srcdst")},
	{Name: "dests,tree", Args: "[,FILTER]", Help: "destinations with their ports; ipv6_dests,tree",
		New: ipHeader.New("dests")},
	{Name: "ptype,tree", Args: "[,FILTER]", Help: "TCP, UDP and others; ipv6_ptype,tree", New: ipHeader.New("ptype")},
}
