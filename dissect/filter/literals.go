package filter

import (
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"
)

// address reads an IP address with an optional prefix length, or the name of a host.
func (c *checker) address(e *Expr, cl class) ([]value, error) {
	if e.Op == OpString || e.Op == OpChar {
		return nil, c.fail(e, "addresses go without quotes", "%s is text, and %s belongs here", c.source(e), cl)
	}
	text, bits := e.Text, 32
	if cl == classIPv6 {
		bits = 128
	}
	if plain, length, ok := strings.Cut(text, "/"); ok {
		n, err := strconv.Atoi(length)
		if err != nil || n > bits {
			return nil, c.fail(e, "", "a prefix length of %s has at most %d bits, not %s", cl, bits, length)
		}
		text, bits = plain, n
	}
	a, err := netip.ParseAddr(text)
	if err != nil && c.opt.Resolve != nil && nameLen(text) == len(text) && !isDigit(text[0]) {
		for _, found := range c.opt.Resolve(text) {
			if found = found.Unmap(); found.Is4() == (cl == classIPv4) {
				a, err = found, nil
				break
			}
		}
	}
	if err != nil || a.Is4() != (cl == classIPv4) || a.Zone() != "" {
		return nil, c.fail(e, "", "%q is neither %s nor the name of a host that has one", e.Text, cl)
	}
	b := a.AsSlice()
	if cl == classIPv6 {
		return []value{{b: b, bits: uint8(bits), class: cl}}, nil
	}
	return []value{{n: uint64(b[0])<<24 | uint64(b[1])<<16 | uint64(b[2])<<8 | uint64(b[3]), bits: uint8(bits),
		class: cl}}, nil
}

// bytes reads bytes: hex pairs joined by : . or -, hex digits, one byte as a number, or the bytes of a text.
func (c *checker) bytes(e *Expr, cl class, op Op) ([]value, error) {
	b, err := c.row(e, cl)
	if err != nil {
		return nil, err
	}
	want := map[class]int{classEther: 6, classGUID: 16}[cl]
	if want > 0 && len(b) != want && op != "contains" {
		return nil, c.fail(e, "", "%s has %d bytes, and %s has %d", cl, want, c.source(e), len(b))
	}
	return []value{{b: b, n: uint64(len(b)), bits: 128, class: cl}}, nil
}

func (c *checker) row(e *Expr, cl class) ([]byte, error) {
	if e.Op == OpString || e.Op == OpChar {
		if cl == classEther || cl == classGUID {
			return nil, c.fail(e, "addresses go without quotes", "%s is text, and %s belongs here", c.source(e), cl)
		}
		return []byte(e.Text), nil
	}
	if isByteNumber(e.Text) {
		if v, err := strconv.ParseUint(e.Text, 0, 8); err == nil {
			return []byte{byte(v)}, nil
		}
		return nil, c.fail(e, "as in 00:0c:29 or \"text\"", "%q is no byte", e.Text)
	}
	if b, ok := hexRow(e.Text); ok {
		return b, nil
	}
	return nil, c.fail(e, "as in 00:0c:29 or \"text\"", "%q is no row of bytes", e.Text)
}

// isByteNumber tells 0x45 and 0b01000101 from rows of hexadecimal digits.
func isByteNumber(s string) bool {
	if digits, ok := strings.CutPrefix(s, "0b"); ok {
		return digits != "" && strings.Trim(digits, "01") == ""
	}
	return strings.HasPrefix(s, "0x")
}

// hexRow reads pairs of hexadecimal digits, joined by : . - or nothing. A digit may stand alone in front of a separator
// or at the end.
func hexRow(s string) ([]byte, bool) {
	s = strings.TrimSuffix(strings.TrimPrefix(s, ":"), ":")
	var out []byte
	for len(s) > 0 {
		n := run(s, 2, isHex)
		if n == 0 {
			return nil, false
		}
		pair := s[:n]
		if n == 1 {
			pair = "0" + pair
		}
		b, err := hex.DecodeString(pair)
		if err != nil {
			return nil, false
		}
		out, s = append(out, b...), s[n:]
		if len(s) > 0 && strings.IndexByte(":.-", s[0]) >= 0 {
			if s = s[1:]; s == "" {
				return nil, false
			}
		}
	}
	return out, len(out) > 0
}
