package filter

import (
	"encoding/hex"
	"math"
	"net/netip"
	"sort"
	"strconv"

	"remora/dissect"
)

// A function of the language. most is the largest number of arguments, 0 for any number from least on.
type function struct {
	usage, doc  string
	least, most int
	takes       func(class) bool
	takesWhat   string
	plain       bool // takes a field and nothing else
	transparent bool // of constants it is a constant of whatever type the other side has
	class       class
	same        bool // the result has the class of the arguments
	size        int
	// apply works out the results for one packet from the values of the arguments, in place: it appends nothing and
	// returns how many of the values stand for results.
	apply func(e *eval, f *field, t *dissect.Tree, values []value) int
}

func ordered(c class) bool  { return c != classNone }
func text(c class) bool     { return c == classString }
func integers(c class) bool { return c.integer() || c == classBool }
func address(c class) bool  { return c == classIPv4 || c == classIPv6 }
func address4(c class) bool { return c == classIPv4 }
func countable(c class) bool {
	return c.numeric() || c == classSpan
}
func spelt(c class) bool {
	return c.numeric() || c == classIPv4 || c == classIPv6 || c == classEther || c == classGUID
}

// functions are all of them, by name. The table never changes.
var functions = map[string]*function{
	"len": {usage: "len(field)", doc: "Length of each value in bytes; of a number its width.", least: 1, most: 1,
		takes: func(class) bool { return true },
		class: classUint, size: 4},
	"count": {usage: "count(field)", doc: "How often the field occurs in the packet.", least: 1, most: 1,
		takes: func(class) bool { return true }, plain: true,
		class: classUint, size: 4, apply: func(_ *eval, _ *field, _ *dissect.Tree, v []value) int {
			if len(v) == 0 {
				return 0
			}
			v[0] = value{n: uint64(len(v)), class: classUint}
			return 1
		}},
	"upper": {usage: "upper(text)", doc: "The text with ASCII letters in upper case.", least: 1, most: 1, takes: text,
		takesWhat: "text", class: classString, apply: each(cased('a', 'z'))},
	"lower": {usage: "lower(text)", doc: "The text with ASCII letters in lower case.", least: 1, most: 1, takes: text,
		takesWhat: "text", class: classString, apply: each(cased('A', 'Z'))},
	"string": {usage: "string(field)", doc: "Numbers and addresses as text, for contains and matches.", least: 1, most: 1,
		takes: spelt, takesWhat: "a number or an address",
		class: classString, apply: each(spell)},
	"max": {usage: "max(field, ...)", doc: "The largest of all values of all arguments.", least: 1, takes: ordered,
		transparent: true, same: true, apply: extreme(1)},
	"min": {usage: "min(field, ...)", doc: "The smallest of all values of all arguments.", least: 1, takes: ordered,
		transparent: true, same: true, apply: extreme(-1)},
	"abs": {usage: "abs(number)", doc: "The value without its sign.", least: 1, most: 1, takes: countable,
		takesWhat: "a number", transparent: true, same: true, apply: each(absolute)},
	"vals": {usage: "vals(field)", doc: "The name of each value, for contains and matches.", least: 1, most: 1,
		takes: integers, takesWhat: "a number with names", plain: true,
		class: classString, apply: names},
	"dec": {usage: "dec(field)", doc: "Numbers as decimal text.", least: 1, most: 1, takes: integers,
		takesWhat: "an integer", class: classString, apply: each(spell)},
	"hex": {usage: "hex(field)", doc: "Numbers as hexadecimal text (0x1f), bytes as their digits.", least: 1, most: 1,
		takes:     func(c class) bool { return c.integer() || c.rowOfBytes() },
		takesWhat: "an integer or bytes", class: classString, apply: each(spellHex)},
	"ip_special_name": {usage: "ip_special_name(address)",
		doc: "The name of the special-purpose block that the address is in (RFC 6890).", least: 1, most: 1,
		takes: address, takesWhat: "an IP address", class: classString, apply: each(specialName)},
	"ip_special_mask": {usage: "ip_special_mask(address)",
		doc: "Bits of the address's special block: 1 source, 2 destination, 4 forwardable, 8 global, 16 reserved.", least: 1,
		most:  1,
		takes: address, takesWhat: "an IP address", class: classUint, size: 4, apply: each(specialMask)},
	"ip_linklocal": {usage: "ip_linklocal(address)", doc: "True for link-local addresses.", least: 1, most: 1,
		takes: address, takesWhat: "an IP address", class: classBool,
		apply: each(is(netip.Addr.IsLinkLocalUnicast))},
	"ip_multicast": {usage: "ip_multicast(address)", doc: "True for multicast addresses.", least: 1, most: 1,
		takes: address, takesWhat: "an IP address", class: classBool,
		apply: each(is(netip.Addr.IsMulticast))},
	"ip_rfc1918": {usage: "ip_rfc1918(address)",
		doc: "True for the private IPv4 addresses 10/8, 172.16/12 and 192.168/16.", least: 1, most: 1, takes: address4,
		takesWhat: "an IPv4 address",
		class:     classBool, apply: each(is(netip.Addr.IsPrivate))},
	"ip_ula": {usage: "ip_ula(address)", doc: "True for unique local IPv6 addresses, fc00::/7.", least: 1, most: 1,
		takes:     func(c class) bool { return c == classIPv6 },
		takesWhat: "an IPv6 address", class: classBool, apply: each(is(netip.Addr.IsPrivate))},
}

// functionNames are sorted.
func functionNames() []string {
	var out []string
	for name := range functions {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// each makes an apply of a function of one value. A value for which it reports false is left out.
func each(one func(e *eval, v value) (value, bool)) func(*eval, *field, *dissect.Tree, []value) int {
	return func(e *eval, _ *field, _ *dissect.Tree, values []value) int {
		kept := 0
		for _, v := range values {
			if v, ok := one(e, v); ok {
				values[kept] = v
				kept++
			}
		}
		return kept
	}
}

// cased moves the ASCII letters from..to into the other case.
func cased(from, to byte) func(*eval, value) (value, bool) {
	return func(e *eval, v value) (value, bool) {
		v.b = e.keep(v.b)
		for i, c := range v.b {
			if c >= from && c <= to {
				v.b[i] = c ^ 0x20
			}
		}
		return v, true
	}
}

func extreme(sign int) func(*eval, *field, *dissect.Tree, []value) int {
	return func(_ *eval, _ *field, _ *dissect.Tree, values []value) int {
		if len(values) == 0 {
			return 0
		}
		for _, v := range values[1:] {
			if v.class.comparable(values[0].class) && v.class.compare(v, values[0])*sign > 0 {
				values[0] = v
			}
		}
		return 1
	}
}

func absolute(_ *eval, v value) (value, bool) {
	switch {
	case v.class == classFloat:
		v.n = math.Float64bits(math.Abs(math.Float64frombits(v.n)))
	case v.class != classUint && int64(v.n) < 0:
		v.n = -v.n
		return v, int64(v.n) >= 0
	}
	return v, true
}

// spell writes a value as text: numbers in decimal.
func spell(e *eval, v value) (value, bool) {
	start := len(e.arena)
	switch v.class {
	case classUint, classBool:
		e.arena = strconv.AppendUint(e.arena, v.n, 10)
	case classInt:
		e.arena = strconv.AppendInt(e.arena, int64(v.n), 10)
	case classFloat:
		e.arena = strconv.AppendFloat(e.arena, math.Float64frombits(v.n), 'g', -1, 64)
	case classIPv4, classIPv6:
		e.arena = addrOf(v).AppendTo(e.arena)
	case classGUID:
		if len(v.b) != 16 {
			return v, false
		}
		e.arena = appendGUID(e.arena, v.b)
	default:
		for i, c := range v.b {
			if i > 0 {
				e.arena = append(e.arena, ':')
			}
			e.arena = hex.AppendEncode(e.arena, []byte{c})
		}
	}
	return value{b: e.arena[start:len(e.arena):len(e.arena)], class: classString}, true
}

func appendGUID(dst, b []byte) []byte {
	for i, to := range [...]int{4, 6, 8, 10, 16} {
		from := [...]int{0, 4, 6, 8, 10}[i]
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, b[from:to])
	}
	return dst
}

func spellHex(e *eval, v value) (value, bool) {
	start := len(e.arena)
	if v.class.integer() {
		e.arena = strconv.AppendUint(append(e.arena, "0x"...), v.n, 16)
	} else {
		e.arena = hex.AppendEncode(e.arena, v.b)
	}
	return value{b: e.arena[start:len(e.arena):len(e.arena)], class: classString}, true
}

// names are the words of a field's values. Numbers without a name have none.
func names(e *eval, f *field, t *dissect.Tree, values []value) int {
	kept, at := 0, 0
	for i := range t.Nodes {
		if !f.at(t, i) {
			continue
		}
		if name := nameOf(t.Field(i), t.Nodes[i].Val); name != "" {
			e.arena = append(e.arena, name...)
			values[kept] = value{b: e.arena[len(e.arena)-len(name) : len(e.arena) : len(e.arena)], class: classString}
			kept++
		}
		at++
	}
	return kept
}

func nameOf(f *dissect.Field, v uint64) string {
	if f.Type() == dissect.TypeBool {
		no, yes := f.BoolLabels()
		if v != 0 {
			return yes
		}
		return no
	}
	return f.ValueName(v)
}

// addrOf is an IP address, or the zero address.
func addrOf(v value) netip.Addr {
	if v.class == classIPv4 {
		n := uint32(v.n)
		return netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	}
	if len(v.b) != 16 {
		return netip.Addr{}
	}
	return netip.AddrFrom16([16]byte(v.b))
}

func is(test func(netip.Addr) bool) func(*eval, value) (value, bool) {
	return func(_ *eval, v value) (value, bool) {
		out := value{class: classBool}
		if test(addrOf(v)) {
			out.n = 1
		}
		return out, true
	}
}
