package filter

import "strings"

// nameLen is the length of the name or word at the start of s: letters, digits, _ and -, joined by single dots. It does
// not start with a dash.
func nameLen(s string) int {
	if s == "" || s[0] == '-' {
		return 0
	}
	n := run(s, len(s), isNameByte)
	for n > 0 && n+1 < len(s) && s[n] == '.' && s[n+1] != '-' && isNameByte(s[n+1]) {
		n += 1 + run(s[n+1:], len(s), isNameByte)
	}
	return n
}

// literalLen is the length of the longest literal at the start of s that no field is looked for under: an IP address
// with or without a prefix length, or bytes. It is 0 when there is none.
func literalLen(s string) int {
	return max(ipv4Len(s), ipv6Len(s), quadsLen(s), bytesLen(s))
}

// ipv4Len is for a dotted quad with an optional prefix length.
func ipv4Len(s string) int {
	n := 0
	for part := range 4 {
		if part > 0 {
			if n >= len(s) || s[n] != '.' {
				return 0
			}
			n++
		}
		digits := run(s[n:], 4, isDigit)
		if digits == 0 || digits > 3 {
			return 0
		}
		n += digits
	}
	if n < len(s) && (isNameByte(s[n]) && s[n] != '-' || s[n] == '.' && !strings.HasPrefix(s[n:], "..")) {
		return 0 // the beginning of a longer word
	}
	return n + prefixLen(s[n:], 2)
}

// prefixLen is for /digits.
func prefixLen(s string, most int) int {
	if !strings.HasPrefix(s, "/") {
		return 0
	}
	n := run(s[1:], most, isDigit)
	if n == 0 {
		return 0
	}
	return 1 + n
}

// ipv6Len is for a textual IPv6 address, an embedded dotted quad included, with an optional prefix length. Only what
// has two colons in a row or seven of them is one.
func ipv6Len(s string) int {
	n, colons, double := 0, 0, false
	for n < len(s) {
		switch {
		case strings.HasPrefix(s[n:], "::"):
			if double {
				return 0
			}
			double, colons, n = true, colons+1, n+2
		case s[n] == ':' && n > 0 && s[n-1] != ':' && n+1 < len(s) && isHex(s[n+1]):
			colons, n = colons+1, n+1
		case isHex(s[n]) && (n == 0 || s[n-1] == ':'):
			digits := run(s[n:], 5, isHex)
			if digits > 4 {
				return 0
			}
			if quad := dottedQuad(s[n:]); quad > 0 && colons > 0 {
				return ipv6Whole(s, n+quad, colons+1, double)
			}
			n += digits
		default:
			return ipv6Whole(s, n, colons, double)
		}
	}
	return ipv6Whole(s, n, colons, double)
}

func ipv6Whole(s string, n, colons int, double bool) int {
	if n == 0 || !double && colons != 7 || double && colons > 7 || n < len(s) && isNameByte(s[n]) && s[n] != '-' {
		return 0
	}
	return n + prefixLen(s[n:], 3)
}

func dottedQuad(s string) int {
	n := ipv4Len(s)
	if slash := strings.IndexByte(s[:n], '/'); slash >= 0 {
		n = slash
	}
	return n
}

// quadsLen is for an Ethernet address as aabb.ccdd.eeff.
func quadsLen(s string) int {
	n := 0
	for part := range 3 {
		if part > 0 {
			if n >= len(s) || s[n] != '.' {
				return 0
			}
			n++
		}
		if run(s[n:], 5, isHex) != 4 {
			return 0
		}
		n += 4
	}
	if n < len(s) && isNameByte(s[n]) {
		return 0
	}
	return n
}

// bytesLen is for hex pairs joined by one of : . -, for hex digits behind a colon, and for one pair with a colon behind
// it.
func bytesLen(s string) int {
	start := 0
	if strings.HasPrefix(s, ":") {
		start = 1
	}
	n := start
	if run(s[n:], 2, isHex) == 2 && n+2 < len(s) && strings.IndexByte(":.-", s[n+2]) >= 0 {
		sep := s[n+2]
		for n += 2; n+2 < len(s) && s[n] == sep && run(s[n+1:], 2, isHex) == 2; {
			n += 3
		}
		ends := n == len(s) || !isNameByte(s[n])
		switch {
		case ends && n > start+2:
			return n
		case start == 0 && n == 2 && sep == ':' && (n+1 == len(s) || !isNameByte(s[n+1]) && s[n+1] != ':'):
			return n + 1 // "fc:", one byte
		}
	}
	if start == 1 {
		if n := run(s[1:], len(s), isHex); n > 0 && (1+n == len(s) || !isNameByte(s[1+n])) {
			return 1 + n
		}
	}
	return 0
}
