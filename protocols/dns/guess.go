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

// fits tells whether a header can be one of DNS: an operation that there is, and not thousands of records.
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
	return records <= maxFitting && op <= 6 && op != 3
}

// maxFitting is more records than any message has that is not made to confuse.
const maxFitting = 1024
