package dns

import (
	"fmt"
	"strconv"
	"strings"
)

// described says what the usual sorts of records are.
var described = map[uint64]string{
	1:   "Host Address",
	2:   "authoritative Name Server",
	5:   "Canonical NAME for an alias",
	6:   "Start Of a zone of Authority",
	12:  "domain name PoinTeR",
	13:  "host information",
	15:  "Mail eXchange",
	16:  "Text strings",
	17:  "Responsible Person",
	18:  "AFS Data Base location",
	24:  "security signature",
	25:  "security key",
	28:  "IPv6 Address",
	29:  "Location Information",
	33:  "Server Selection",
	35:  "Naming Authority Pointer",
	36:  "Key Exchanger",
	43:  "Delegation Signer",
	44:  "SSH Key Fingerprint",
	46:  "Resource Record Signature",
	47:  "Next Secure",
	48:  "DNS Public Key",
	55:  "Host Identity Protocol",
	59:  "Child DS",
	60:  "DNSKEY(s) the Child wants reflected in DS",
	61:  "OpenPGP Key",
	62:  "Child-to-Parent Synchronization",
	64:  "General Purpose Service Endpoints",
	65:  "HTTPS Specific Service Endpoints",
	257: "Certification Authority Restriction",
}

// typeText is the sort of a record with its name, what it is and its number.
func typeText(v uint64) string {
	name := recordTypes[v]
	switch what := described[v]; {
	case name == "":
		return fmt.Sprintf("Unknown (%d)", v)
	case what != "":
		name += " (" + what + ")"
	}
	return fmt.Sprintf("%s (%d)", name, v)
}

// ttlText is a number of seconds with the same in days, hours and so on behind it.
func ttlText(v uint64) string {
	text := strconv.FormatUint(v, 10)
	if v == 0 {
		return text + " (0 seconds)"
	}
	var parts []string
	for _, u := range [...]struct {
		n    uint64
		unit string
	}{{v / 86400, "day"}, {v / 3600 % 24, "hour"}, {v / 60 % 60, "minute"}, {v % 60, "second"}} {
		switch {
		case u.n == 1:
			parts = append(parts, "1 "+u.unit)
		case u.n > 1:
			parts = append(parts, strconv.FormatUint(u.n, 10)+" "+u.unit+"s")
		}
	}
	return text + " (" + strings.Join(parts, ", ") + ")"
}
