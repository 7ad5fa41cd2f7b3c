// Package dsfield names what the byte of IPv4 and IPv6 says that tells of the class of service and of congestion.
package dsfield

import (
	"cmp"
	"strconv"

	"remora/dissect"
)

// Codepoints are the classes of service, the upper six bits (RFC 2474, 2597, 3246, 5865, 8622).
var Codepoints = dissect.Values{0: "Default", 1: "Lower Effort", 8: "Class Selector 1", 10: "Assured Forwarding 11",
	12: "Assured Forwarding 12", 14: "Assured Forwarding 13", 16: "Class Selector 2", 18: "Assured Forwarding 21",
	20: "Assured Forwarding 22",
	22: "Assured Forwarding 23", 24: "Class Selector 3", 26: "Assured Forwarding 31", 28: "Assured Forwarding 32",
	30: "Assured Forwarding 33", 32: "Class Selector 4", 34: "Assured Forwarding 41", 36: "Assured Forwarding 42",
	38: "Assured Forwarding 43", 40: "Class Selector 5", 44: "Voice Admit", 46: "Expedited Forwarding",
	48: "Class Selector 6", 56: "Class Selector 7"}

// short and shortECN are the names in the RFCs' short forms.
var short = dissect.Values{0: "CS0", 1: "LE", 8: "CS1", 10: "AF11", 12: "AF12", 14: "AF13", 16: "CS2", 18: "AF21",
	20: "AF22", 22: "AF23", 24: "CS3", 26: "AF31", 28: "AF32", 30: "AF33",
	32: "CS4", 34: "AF41", 36: "AF42", 38: "AF43", 40: "CS5", 44: "VOICE-ADMIT", 46: "EF PHB", 48: "CS6", 56: "CS7"}

// ECN are the states of congestion, the lower two bits (RFC 3168).
var ECN = dissect.Values{0: "Not ECN-Capable Transport", 1: "ECN-Capable Transport codepoint '01'",
	2: "ECN-Capable Transport codepoint '10'", 3: "Congestion Experienced"}

var shortECN = [4]string{"Not-ECT", "ECT(1)", "ECT(0)", "CE"}

// Short is the short name of a class of service, or its number.
func Short(v uint64) string { return cmp.Or(short[v], strconv.FormatUint(v, 10)) }

// Suffix writes behind the byte in a tree what it says.
func Suffix(d *dissect.D, f *dissect.Field, v uint64) {
	if !d.Labelling() {
		return
	}
	var room [64]byte
	b := append(append(room[:0], " (DSCP: "...), cmp.Or(short[v>>2], "Unknown")...)
	dissect.SuffixBytes(d, f, append(append(append(b, ", ECN: "...), shortECN[v&3]...), ')'))
}
