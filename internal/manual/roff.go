package manual

import (
	"fmt"
	"strings"
)

// Roff escapes what groff's own language is made of, and the characters that it would not print from plain bytes.
func Roff(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\\':
			b.WriteString("\\(rs")
		case r == '-':
			b.WriteString("\\-")
		case r == '\'':
			b.WriteString("\\(aq")
		case r == '^':
			b.WriteString("\\(ha")
		case r == '~':
			b.WriteString("\\(ti")
		case r == '`':
			b.WriteString("\\(ga")
		case r > 0x7e:
			fmt.Fprintf(&b, "\\[u%04X]", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// guard keeps a line that begins with a dot from being taken for a request.
func guard(s string) string {
	if strings.HasPrefix(s, ".") {
		return "\\&" + s
	}
	return s
}
