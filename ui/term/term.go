// Package term writes the terms of display filters: texts in quotes, values of fields, and filters joined to larger
// ones.
package term

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"remora/dissect"
)

// Quote writes a string as the filter language reads it.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Bracketed brackets a filter that consists of several parts.
func Bracketed(s string) string {
	if joins(s, "||", "&&", "^^", "or", "and", "xor") {
		return "(" + s + ")"
	}
	return s
}

// joins tells whether an operator may be in a filter. Words count wherever they stand alone, whatever the space around
// them is: brackets that nobody needs are better than another meaning.
func joins(s string, ops ...string) bool {
	words := strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) })
	return slices.ContainsFunc(ops, func(op string) bool {
		if unicode.IsLetter(rune(op[0])) {
			return slices.Contains(words, op)
		}
		return strings.Contains(s, op)
	})
}

// Join joins two filters by an operator, with brackets where they are needed.
func Join(a, op, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return Bracketed(a) + " " + op + " " + Bracketed(b)
}

// And joins two filters by "and" without brackets that nobody needs.
func And(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return orBracketed(a) + " && " + orBracketed(b)
}

// orBracketed brackets a filter with an "or" in it.
func orBracketed(s string) string {
	if joins(s, "||", "^^", "or", "xor") {
		return "(" + s + ")"
	}
	return s
}

// Plain tells whether a name can stand in a filter without quotes: a word in capitals, as packet types are. Others
// might be the name of a field or a protocol.
func Plain(s string) bool {
	for i, c := range s {
		if !(c >= 'A' && c <= 'Z' || c == '_' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// Value is a node's value as the filter language writes it, or "".
func Value(t *dissect.Tree, i int) string {
	f := t.Field(i)
	switch f.Type() {
	case dissect.TypeNone, dissect.TypeProtocol, dissect.TypeBytes, dissect.TypeGUID:
		return ""
	case dissect.TypeString:
		return Quote(t.Text(i))
	case dissect.TypeTime:
		return `"` + t.Show(i) + `"`
	}
	if name := f.ValueName(t.Nodes[i].Val); name != "" {
		if Plain(name) {
			return name
		}
		return Quote(name)
	}
	return t.Show(i)
}
