package bpf

// libpcap's DLT_ values differ from one system to the next for a few link types; files hold LINKTYPE_ values,
// which do not. The store speaks LINKTYPE_ only. Linux values here; the others agree on all but these.
var dltToLink = map[int]int{
	11: 100, // DLT_ATM_RFC1483
	12: 101, // DLT_RAW
	13: 102, // DLT_SLIP_BSDOS on BSD
	14: 101, // DLT_RAW on OpenBSD
	16: 103, // DLT_PPP_BSDOS on BSD
	19: 106, // DLT_ATM_CLIP on Linux
}

var linkToDLT = map[int]int{100: 11, 101: 12, 106: 19}

// LinkType is the LINKTYPE_ value of a DLT_ value.
func LinkType(dlt int) int {
	if l, ok := dltToLink[dlt]; ok {
		return l
	}
	return dlt
}

// DLT is the DLT_ value of a LINKTYPE_ value.
func DLT(link int) int {
	if d, ok := linkToDLT[link]; ok {
		return d
	}
	return link
}
