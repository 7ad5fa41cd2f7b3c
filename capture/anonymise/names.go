package anonymise

// isNames tells whether names are asked for at a port: DNS, multicast DNS and LLMNR.
func isNames(port uint16) bool { return port == 53 || port == 5353 || port == 5355 }

// names anonymises a message of DNS as far as it is understood, and returns how long that is: labels become others of
// the same length, addresses others, and what records hold else becomes zeros.
func (m *Mapper) names(b []byte) int {
	if len(b) < 12 {
		return 0
	}
	at := 12
	for range int(be.Uint16(b[4:])) {
		end := m.name(b, at)
		if end < 0 || len(b) < end+4 {
			return at
		}
		at = end + 4
	}
	for range int(be.Uint16(b[6:])) + int(be.Uint16(b[8:])) + int(be.Uint16(b[10:])) {
		end := m.name(b, at)
		if end < 0 || len(b) < end+10 || len(b) < end+10+int(be.Uint16(b[end+8:])) {
			return at
		}
		data := end + 10
		at = data + int(be.Uint16(b[end+8:]))
		m.record(b, be.Uint16(b[end:]), data, at)
	}
	return at
}

// record anonymises the data of a record.
func (m *Mapper) record(b []byte, kind uint16, data, end int) {
	skip := map[uint16]int{2: 0, 5: 0, 12: 0, 39: 0, 15: 2, 33: 6}
	switch at, known := skip[kind]; {
	case kind == 1 && end-data == 4:
		m.ipv4(b[data:end])
	case kind == 28 && end-data == 16:
		m.ipv6(b[data:end])
	case known && end-data > at:
		if m.name(b, data+at) != end {
			clear(b[data:end])
		}
	case kind == 6:
		if next := m.name(b, data); next < 0 || next > end || m.name(b, next)+20 != end {
			clear(b[data:end])
		}
	default:
		clear(b[data:end])
	}
}

// name anonymises the labels of a name and returns where it ends, or -1. Those it points to are changed where they
// stand.
func (m *Mapper) name(b []byte, at int) int {
	for at < len(b) {
		switch n := int(b[at]); {
		case n == 0:
			return at + 1
		case n >= 0xc0:
			if at+2 > len(b) {
				return -1
			}
			return at + 2
		case n > 63 || at+1+n > len(b):
			return -1
		default:
			m.label(b[at+1 : at+1+n])
			at += 1 + n
		}
	}
	return -1
}
