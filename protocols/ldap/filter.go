package ldap

import (
	"strings"

	"remora/dissect"
	"remora/protocols/internal/ber"
)

// Limits of filters that are written as text.
const (
	maxDepth  = 32
	maxFilter = 4096
)

// filter writes a filter as RFC 4515 does: "(&(cn=a*)(!(sn=b)))".
func filter(b []byte, depth int) string {
	tag, n, size := ber.Header(b)
	if size == 0 || size+n > len(b) || depth > maxDepth {
		return "(?)"
	}
	in := b[size : size+n]
	switch tag {
	case 0xa0, 0xa1, 0xa2:
		return "(" + string("&|!"[tag&3]) + filters(in, depth) + ")"
	case 0xa3:
		return compare(in, "=")
	case 0xa4:
		return substrings(in)
	case 0xa5:
		return compare(in, ">=")
	case 0xa6:
		return compare(in, "<=")
	case 0x87:
		return "(" + clean(in) + "=*)"
	case 0xa8:
		return compare(in, "~=")
	case 0xa9:
		return extensible(in)
	}
	return "(?)"
}

func filters(b []byte, depth int) string {
	var all strings.Builder
	for p := (dissect.Progress{}); len(b) > 0 && all.Len() < maxFilter && p.Down(len(b)); {
		all.WriteString(filter(b, depth+1))
		b = ber.After(b)
	}
	return all.String()
}

func compare(b []byte, sign string) string {
	return "(" + clean(ber.Inside(b, ber.Octets)) + sign + clean(ber.Inside(ber.After(b), ber.Octets)) + ")"
}

// substrings writes a value of which parts are known.
func substrings(b []byte) string {
	var all strings.Builder
	all.WriteString("(" + clean(ber.Inside(b, ber.Octets)) + "=")
	last := byte(0)
	for rest, p := ber.Inside(ber.After(b), ber.Sequence),
		(dissect.Progress{}); len(rest) > 0 && all.Len() < maxFilter && p.Down(len(rest)); rest = ber.After(rest) {
		tag, n, size := ber.Header(rest)
		if size == 0 || size+n > len(rest) {
			break
		}
		if tag != ber.Plain {
			all.WriteString("*")
		}
		all.WriteString(clean(rest[size : size+n]))
		last = tag
	}
	if last != ber.Plain|2 {
		all.WriteString("*")
	}
	return all.String() + ")"
}

// extensible writes a comparison by a rule.
func extensible(b []byte) string {
	var rule, kind, value, dn string
	for p := (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); b = ber.After(b) {
		tag, n, size := ber.Header(b)
		if size == 0 || size+n > len(b) {
			break
		}
		switch in := b[size : size+n]; tag {
		case ber.Plain | 1:
			rule = ":" + clean(in)
		case ber.Plain | 2:
			kind = clean(in)
		case ber.Plain | 3:
			value = clean(in)
		case ber.Plain | 4:
			if n > 0 && in[0] != 0 {
				dn = ":dn"
			}
		}
	}
	return "(" + kind + dn + rule + ":=" + value + ")"
}

// clean is a text of a filter, bounded.
func clean(b []byte) string {
	return strings.ToValidUTF8(string(b[:min(len(b), 512)]), "\uFFFD")
}
