package dns

import (
	"encoding/binary"

	"remora/dissect"
)

// guess knows a question on any port: one name of usual letters, a type, the class IN or a text of CH, and nothing
// behind but the one record that extends messages (RFC 6891). On DNS's own ports everything is taken.
func guess(d *dissect.D) dissect.Confidence {
	b := d.Data()
	// No answer, a standard query with no other flags than those for recursion, authentication and checking.
	if len(b) < 12+5 || b[2]&^0x01 != 0 || b[3]&^0x30 != 0 || binary.BigEndian.Uint64(b[4:])&^1 != 1<<48 {
		return dissect.Weak
	}
	at := 12
	for labels, p := 0, (dissect.Progress{}); p.Up(at); labels++ {
		n := int(b[at])
		if at++; n == 0 && labels > 0 {
			break
		}
		if n == 0 || n > 63 || at+n+5 > len(b) || !isHostname(b[at:at+n]) {
			return dissect.Weak
		}
		at += n
	}
	kind, class := binary.BigEndian.Uint16(b[at:]), binary.BigEndian.Uint16(b[at+2:])
	rest := b[at+4:]
	extended := b[11] == 1
	switch {
	case recordTypes[uint64(kind)] == "" || !(class == 1 || class == 3 && kind == 16) || isNetBIOS(b[12:]):
	case !extended && len(rest) == 0:
		return dissect.Strong
	case extended && len(rest) >= 11 && rest[0] == 0 && rest[1] == 0 && rest[2] == typeOPT &&
		11+int(binary.BigEndian.Uint16(rest[9:])) == len(rest):
		return dissect.Strong
	}
	return dissect.Weak
}

// isNetBIOS tells whether a name is as NetBIOS encodes its own, whose messages begin as DNS's do.
func isNetBIOS(name []byte) bool {
	if len(name) < 33 || name[0] != 32 {
		return false
	}
	for _, c := range name[1:33] {
		if c < 'A' || c > 'P' {
			return false
		}
	}
	return true
}

// isHostname tells whether a label is of the letters that names of hosts and services have.
func isHostname(label []byte) bool {
	for _, c := range label {
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			continue
		}
		return false
	}
	return true
}

// fits tells whether a header can be one of DNS: an operation that there is, not thousands of records, and a question
// or, without one, a record of a class that exists.
func fits(d *dissect.D) bool {
	b, missing := d.Data(), d.Missing()
	if d.Ends().Transport() == dissect.TableTCP { // a length stands in front, and the rest may come later
		missing += max(0, 2+int(d.PeekUint(0, 2))-len(b))
		b = b[min(2, len(b)):]
	}
	if len(b) < 12 {
		return missing > 0
	}
	records := 0
	for i := 6; i < 12; i += 2 {
		records += int(binary.BigEndian.Uint16(b[i:]))
	}
	op, questions := b[2]>>3&15, int(binary.BigEndian.Uint16(b[4:]))
	if questions+records > maxFitting || op > opDSO || op == 3 {
		return false
	}
	at, ok := skipName(b)
	switch {
	case questions+records == 0:
		return len(b) == 12 || op == opDSO
	case !ok:
		return false
	case at > 0 && at+5 <= len(b) && questions == 0:
		return isClass(b[at+3:]) || recordTypes[uint64(binary.BigEndian.Uint16(b[at+1:]))] == "OPT"
	case at > 0 && at+5 <= len(b):
		return isClass(b[at+3:])
	}
	return at < 0 || missing > 0
}

// opDSO is the operation without questions and records (RFC 8490).
const opDSO = 6

// skipName finds the end of the first name: its last byte, or -1 where it refers to another place, about which whoever
// reads it says more.
func skipName(b []byte) (at int, ok bool) {
	at = 12
	for p := (dissect.Progress{}); at < len(b) && b[at] != 0 && p.Up(at); {
		switch b[at] & 0xc0 {
		case 0xc0:
			return -1, true
		case 0x40, 0x80:
			return 0, false
		}
		at += 1 + int(b[at])
	}
	return at, at-12 < maxNameBytes
}

// isClass tells whether b begins with a class that exists, whatever mDNS says in its highest bit.
func isClass(b []byte) bool {
	switch binary.BigEndian.Uint16(b) & 0x7fff {
	case 1, 3, 4, 254, 255:
		return true
	}
	return false
}

// maxNameBytes is the longest name (RFC 1035 section 3.1).
const maxNameBytes = 255

// maxFitting is more records than any message has that is not made to confuse.
const maxFitting = 1024
