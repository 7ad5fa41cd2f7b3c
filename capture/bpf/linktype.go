package bpf

// libpcap's DLT_ values differ from one system to the next for a few link types; files hold LINKTYPE_ values,
// which do not. The store speaks LINKTYPE_ only. Linux values here; the others agree on all but these, and on those
// that a system has to itself.
var dltToLink = map[int]int{
	11: 100, // DLT_ATM_RFC1483
	12: 101, // DLT_RAW
	13: 102, // DLT_SLIP_BSDOS on BSD
	14: 101, // DLT_RAW on OpenBSD
	16: 103, // DLT_PPP_BSDOS on BSD
	19: 106, // DLT_ATM_CLIP on Linux
}

// What systems have to themselves: macOS calls its packets with names of processes what is anybody's elsewhere, and
// OpenBSD its loopback what is bare IP elsewhere.
var (
	darwinDLT  = map[int]int{149: 258}
	openbsdDLT = map[int]int{12: 108, 14: 101}
)

var linkToDLT = map[int]int{100: 11, 101: 12, 106: 19}

// LinkType is the LINKTYPE_ value of a DLT_ value of this system.
func LinkType(dlt int) int { return linkType(dlt, ownDLT) }

// linkType takes the values that a system has to itself first.
func linkType(dlt int, own map[int]int) int {
	if l, ok := own[dlt]; ok {
		return l
	}
	if l, ok := dltToLink[dlt]; ok {
		return l
	}
	return dlt
}

// DLT is the DLT_ value of a LINKTYPE_ value on this system.
func DLT(link int) int { return dltOf(link, ownDLT) }

func dltOf(link int, own map[int]int) int {
	for d, l := range own {
		if l == link {
			return d
		}
	}
	if d, ok := linkToDLT[link]; ok {
		return d
	}
	return link
}
