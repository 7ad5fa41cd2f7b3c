package icmp

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// The types with a dissection of their own.
const (
	typeReply         = 0
	typeUnreachable   = 3
	typeQuench        = 4
	typeRedirect      = 5
	typeRequest       = 8
	typeAdvertisement = 9
	typeSolicitation  = 10
	typeExceeded      = 11
	typeParameter     = 12
	typeExtRequest    = 42
	typeExtReply      = 43
)

var types = dissect.Values{typeReply: "Echo (ping) reply", typeUnreachable: "Destination unreachable",
	typeQuench: "Source quench (flow control)", typeRedirect: "Redirect", 6: "Alternate host address",
	typeRequest:       "Echo (ping) request",
	typeAdvertisement: "Mobile IP Advertisement", typeSolicitation: "Router solicitation",
	typeExceeded: "Time-to-live exceeded", typeParameter: "Parameter problem", 13: "Timestamp request",
	14: "Timestamp reply",
	15: "Information request", 16: "Information reply", 17: "Address mask request", 18: "Address mask reply",
	19: "Reserved (for security)", 30: "Traceroute", 31: "Datagram Conversion Error", 32: "Mobile Host Redirect",
	33: "IPv6 Where-Are-You", 34: "IPv6 I-Am-Here", 35: "Mobile Registration Request", 36: "Mobile Registration Reply",
	37: "Domain Name Request", 38: "Domain Name Reply", 39: "SKIP", 40: "Photuris", 41: "Experimental mobility protocols",
	typeExtRequest: "Extended Echo request", typeExtReply: "Extended Echo reply"}

var codes = map[uint64]dissect.Values{
	typeUnreachable: {0: "Network unreachable", 1: "Host unreachable", 2: "Protocol unreachable", 3: "Port unreachable",
		4: "Fragmentation needed", 5: "Source route failed", 6: "Destination network unknown", 7: "Destination host unknown",
		8: "Source host isolated", 9: "Network administratively prohibited", 10: "Host administratively prohibited",
		11: "Network unreachable for TOS", 12: "Host unreachable for TOS", 13: "Communication administratively filtered",
		14: "Host precedence violation", 15: "Precedence cutoff in effect"},
	typeRedirect: {0: "Redirect for network", 1: "Redirect for host", 2: "Redirect for TOS and network",
		3: "Redirect for TOS and host"},
	6:                 {0: "Alternate address for host"},
	typeAdvertisement: {0: "Normal router advertisement", 16: "Does not route common traffic"},
	typeExceeded:      {0: "Time to live exceeded in transit", 1: "Fragment reassembly time exceeded"},
	typeParameter:     {0: "Pointer indicates the error", 1: "Required option missing", 2: "Bad length"},
	40: {0: "Bad SPI", 1: "Authentication failed", 2: "Decompression failed", 3: "Decryption failed",
		4: "Need authentication", 5: "Need authorization"},
	typeExtRequest: {0: "No error"},
	typeExtReply: {0: "No error", 1: "Malformed Query", 2: "No Such Interface", 3: "No Such Table Entry",
		4: "Multiple Interfaces Satisfy Query"},
}

func typeName(kind uint64) string {
	if name := types[kind]; name != "" {
		return name
	}
	return "Unknown ICMP (obsolete or malformed?)"
}

// typeText is the type as Wireshark's tree has it: the number first.
func typeText(kind uint64) string { return fmt.Sprintf("%d (%s)", kind, typeName(kind)) }

// codeText names a code; it is "" for types whose codes mean nothing.
func codeText(kind, code uint64) string {
	names := codes[kind]
	if names == nil {
		return ""
	}
	if name := names[code]; name != "" {
		return name
	}
	return fmt.Sprintf("Unknown code: %d", code)
}

// clock writes milliseconds since midnight with the time of day behind. The top bit says that the time is of another
// sort (RFC 792), which the words leave out.
func clock(v uint64) string {
	return fmt.Sprintf("%d (%s after midnight UTC)", v, duration(v&0x7fffffff))
}

// duration is a time in milliseconds in words: "1 hour, 2 minutes, 3.004 seconds".
func duration(ms uint64) string {
	var parts []string
	for _, u := range []struct {
		name string
		size uint64
	}{{"day", 86400000}, {"hour", 3600000}, {"minute", 60000}} {
		if n := ms / u.size; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s%s", n, u.name, plural(n)))
		}
		ms %= u.size
	}
	switch s, rest := ms/1000, ms%1000; {
	case rest > 0:
		parts = append(parts, fmt.Sprintf("%d.%03d seconds", s, rest))
	case s > 0 || len(parts) == 0:
		parts = append(parts, fmt.Sprintf("%d second%s", s, plural(s)))
	}
	return strings.Join(parts, ", ")
}

func plural(n uint64) string {
	if n == 1 {
		return ""
	}
	return "s"
}
