package dns

import (
	"encoding/binary"

	"remora/dissect"
)

// guess knows a question on any port: one name of usual letters, a type, the class IN, and nothing behind but the one
// record that extends messages (RFC 6891). On DNS's own ports everything is taken.
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
	case recordTypes[uint64(kind)] == "" || class != 1:
	case !extended && len(rest) == 0:
		return dissect.Strong
	case extended && len(rest) >= 11 && rest[0] == 0 && rest[1] == 0 && rest[2] == typeOPT &&
		11+int(binary.BigEndian.Uint16(rest[9:])) == len(rest):
		return dissect.Strong
	}
	return dissect.Weak
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
// of a class that exists.
func fits(d *dissect.D) bool {
	b := d.Data()
	if d.Ends().Transport() == dissect.TableTCP { // a length stands in front
		b = b[min(2, len(b)):]
	}
	if len(b) < 12 {
		return d.CutShort()
	}
	records := 0
	for i := 4; i < 12; i += 2 {
		records += int(binary.BigEndian.Uint16(b[i:]))
	}
	op := b[2] >> 3 & 15
	return records <= maxFitting && op <= 6 && op != 3 && (b[4] == 0 && b[5] == 0 || asks(b[12:]))
}

// asks tells whether a first question, as far as it is there, is of a class that exists.
func asks(b []byte) bool {
	at := 0
	for p := (dissect.Progress{}); at < len(b) && b[at] != 0 && p.Up(at); {
		if b[at]&0xc0 != 0 { // a reference, or what lies: whoever reads it says so
			return true
		}
		at += 1 + int(b[at])
	}
	if at+5 > len(b) {
		return true
	}
	switch class := binary.BigEndian.Uint16(b[at+3:]) & 0x7fff; class {
	case 1, 3, 4, 254, 255:
		return true
	}
	return false
}

// maxFitting is more records than any message has that is not made to confuse.
const maxFitting = 1024
