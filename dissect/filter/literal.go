package filter

import (
	"encoding/hex"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
)

// literal reads a literal as a value of the operand's class. A value name may give several.
func (c *checker) literal(o *operand, e *Expr) ([]value, error) {
	if e.Op == "call" || e.Op == "slice" {
		return nil, c.fail(e, "", "a value belongs here")
	}
	if e.Op == "word" && len(c.reg.FieldsNamed(e.Text)) > 0 {
		return nil, c.fail(e, "put it in quotes if it is meant as text", "%q is a name here, not a value", e.Text)
	}
	f := o.fields[0]
	switch o.class {
	case classUint, classInt:
		if f.Type() == dissect.TypeTime && o.call == "" {
			return c.time(e)
		}
		if f.Type() == dissect.TypeSpan && o.call == "" {
			return c.seconds(e)
		}
		return c.number(o, f, e)
	case classFloat:
		x, err := strconv.ParseFloat(e.Text, 64)
		if err != nil || e.Op != "word" {
			return nil, c.fail(e, "", "%q is no number", e.Text)
		}
		return []value{{n: math.Float64bits(x)}}, nil
	case classIPv4, classIPv6:
		return c.address(o, e)
	case classString:
		return []value{{b: []byte(e.Text), bits: 128}}, nil
	}
	return c.bytes(o, e)
}

// number reads a number in any base, a character, a truth value or the name of a value.
func (c *checker) number(o *operand, f *dissect.Field, e *Expr) ([]value, error) {
	named := o.call == ""
	switch e.Op {
	case "char":
		return []value{{n: uint64(e.Text[0])}}, nil
	case "word":
		if v, ok := integer(e.Text); ok {
			return c.fits(o, f, v, e)
		}
	}
	if !named {
		return nil, c.fail(e, "", "%q is no number", e.Text)
	}
	if f.Type() == dissect.TypeBool {
		switch no, yes := f.BoolLabels(); {
		case strings.EqualFold(e.Text, yes), e.Text == "True", e.Text == "TRUE", e.Text == "true":
			return []value{{n: 1}}, nil
		case strings.EqualFold(e.Text, no), e.Text == "False", e.Text == "FALSE", e.Text == "false":
			return []value{{n: 0}}, nil
		default:
			return nil, c.fail(e, "1, 0, True, False, \""+yes+"\" or \""+no+"\"", "%q is no truth value", e.Text)
		}
	}
	var out []value
	for _, m := range o.fields {
		for v, name := range m.Values() {
			if strings.EqualFold(name, e.Text) {
				out = append(out, value{n: v})
			}
		}
	}
	if len(out) > 0 {
		slices.SortFunc(out, func(a, b value) int { return classUint.compare(a, b) })
		return slices.CompactFunc(out, func(a, b value) bool { return a.n == b.n }), nil
	}
	return nil, c.fail(e, c.nearestValue(f, e.Text), "%s has no value %q", f.Name(), e.Text)
}

func (c *checker) nearestValue(f *dissect.Field, text string) string {
	best, at := "", 2+len(text)/3
	for _, name := range f.Values() {
		if d := distance(strings.ToLower(text), strings.ToLower(name), at); d < at || d == at && (best == "" || name < best) {
			best, at = name, d
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean \"" + best + "\"?"
}

// integer reads decimal, 0x, 0b and octal numbers, with a sign.
func integer(s string) (uint64, bool) {
	if neg := strings.HasPrefix(s, "-"); neg {
		v, err := strconv.ParseInt(s, 0, 64)
		return uint64(v), err == nil
	}
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "+"), 0, 64)
	return v, err == nil && !strings.Contains(s, "_")
}

// fits refuses numbers that the field cannot hold.
func (c *checker) fits(o *operand, f *dissect.Field, v uint64, e *Expr) ([]value, error) {
	size := f.Size()
	if f.IsKind() {
		size = max(2, 2*size) // the kind may cover a sub-type, too
	}
	if o.call != "" || size == 0 || size >= 8 || f.Type() == dissect.TypeBool {
		return []value{{n: v}}, nil
	}
	limit := uint64(1) << (8 * size)
	if f.Type() == dissect.TypeInt {
		if n := int64(v); n >= int64(limit/2) || n < -int64(limit/2) {
			return nil, c.fail(e, "", "%s does not fit into the %d bits of %s", e.Text, 8*size, f.Name())
		}
	} else if v >= limit {
		return nil, c.fail(e, "", "%s does not fit into the %d bits of %s", e.Text, 8*size, f.Name())
	}
	return []value{{n: v}}, nil
}

// address reads an IP address with an optional prefix length.
func (c *checker) address(o *operand, e *Expr) ([]value, error) {
	text, v6 := e.Text, o.class == classIPv6
	what := "IPv4"
	if v6 {
		what = "IPv6"
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		a, err2 := netip.ParseAddr(text)
		if err2 != nil || a.Is4() == v6 || a.Zone() != "" {
			return nil, c.fail(e, "", "%q is no %s address", text, what)
		}
		prefix = netip.PrefixFrom(a, a.BitLen())
	}
	if prefix.Addr().Is4() == v6 || e.Op != "word" {
		return nil, c.fail(e, "", "%q is no %s address", text, what)
	}
	b := prefix.Addr().AsSlice()
	v := value{b: b, bits: prefix.Bits()}
	if !v6 {
		v.n = uint64(b[0])<<24 | uint64(b[1])<<16 | uint64(b[2])<<8 | uint64(b[3])
	}
	return []value{v}, nil
}

// bytes reads bytes: hex pairs joined by : . or -, a number for one byte, or the bytes of a text.
func (c *checker) bytes(o *operand, e *Expr) ([]value, error) {
	if e.Op == "string" || e.Op == "char" {
		return []value{{b: []byte(e.Text), bits: 128}}, nil
	}
	if v, ok := integer(e.Text); ok && strings.HasPrefix(e.Text, "0") && len(e.Text) > 2 && (e.Text[1] == 'x' || e.Text[1] == 'b') && v < 256 {
		return []value{{b: []byte{byte(v)}, bits: 128}}, nil
	}
	text := strings.TrimPrefix(e.Text, ":")
	digits := strings.NewReplacer(":", "", "-", "", ".", "").Replace(text)
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) == 0 {
		return nil, c.fail(e, "as in 00:0c:29 or \"text\"", "%q is no row of bytes", e.Text)
	}
	if f := o.fields[0]; f.Type() == dissect.TypeEther && len(o.spans) == 0 && len(b) != 6 {
		return nil, c.fail(e, "", "an Ethernet address has six bytes, %q has %d", e.Text, len(b))
	}
	return []value{{b: b, bits: 128}}, nil
}

var timeForms = []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "Jan 2, 2006 15:04:05.999999999 UTC", "Jan 2, 2006 15:04:05.999999999",
	"2006-01-02 15:04:05.999999999 UTC", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04", "2006-01-02 15", "2006-01-02"}

func (c *checker) time(e *Expr) ([]value, error) {
	for _, form := range timeForms {
		zone := time.Local
		if strings.HasSuffix(form, "UTC") {
			zone = time.UTC
		}
		if t, err := time.ParseInLocation(form, e.Text, zone); err == nil {
			return []value{{n: uint64(t.UnixNano())}}, nil
		}
	}
	return nil, c.fail(e, "as in \"2024-02-29 12:00:00\"", "%q is no date and time", e.Text)
}

// seconds reads a duration: seconds with up to nine decimals.
func (c *checker) seconds(e *Expr) ([]value, error) {
	text, negative := strings.CutPrefix(e.Text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	s, err := strconv.ParseInt(whole, 10, 33)
	if err != nil || len(fraction) > 9 || strings.Trim(fraction, "0123456789") != "" || e.Op != "word" {
		return nil, c.fail(e, "as in 0.025", "%q is no duration in seconds", e.Text)
	}
	ns, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	ns += s * 1e9
	if negative {
		ns = -ns
	}
	return []value{{n: uint64(ns)}}, nil
}
