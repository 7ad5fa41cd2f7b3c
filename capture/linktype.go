package capture

import "fmt"

// linkNames are the link types that a sentence about them may have to name.
var linkNames = map[int]string{
	0: "BSD loopback", 1: "Ethernet", 9: "PPP", 101: "plain IP", 105: "802.11", 113: "Linux cooked",
	127: "802.11 with radiotap", 220: "USB", 276: "Linux cooked v2",
}

// LinkTypeName is what a LINKTYPE_ value is called, or its number.
func LinkTypeName(link int) string {
	if n := linkNames[link]; n != "" {
		return n
	}
	return fmt.Sprintf("link type %d", link)
}
