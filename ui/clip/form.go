package clip

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
)

// Forms are the letters that Form knows.
const Forms = "ehcgpb"

// Form writes bytes in a form to be copied, by the letter of its key, and says what that is.
func Form(how rune, b []byte) (text, what string) {
	switch how {
	case 'e':
		return escapedBytes(b), "a text with escapes"
	case 'h':
		return bytesAs(b, "%02x", ""), "hexadecimal"
	case 'c':
		return "{ " + bytesAs(b, "0x%02x", ", ") + " }", "a C array"
	case 'g':
		return "[]byte{" + bytesAs(b, "0x%02x", ", ") + "}", "a Go slice"
	case 'p':
		return "b'" + bytesAs(b, `\x%02x`, "") + "'", "Python bytes"
	case 'b':
		return base64.StdEncoding.EncodeToString(b), "base64"
	}
	return "", ""
}

func bytesAs(b []byte, form, between string) string {
	var s strings.Builder
	for i, c := range b {
		if i > 0 {
			s.WriteString(between)
		}
		fmt.Fprintf(&s, form, c)
	}
	return s.String()
}

// escapedBytes writes bytes as a text with escapes, as C, Go and Python read it.
func escapedBytes(b []byte) string {
	var s bytes.Buffer
	for i, c := range b {
		digit := i+1 < len(b) && strings.IndexByte("0123456789abcdefABCDEF", b[i+1]) >= 0
		switch {
		case c == '"' || c == '\\':
			s.WriteString(`\` + string(rune(c)))
		case c >= 0x20 && c <= 0x7e:
			s.WriteByte(c)
		default:
			fmt.Fprintf(&s, `\x%02x`, c)
			if digit && b[i+1] > ' ' && b[i+1] <= '~' { // C would read on: a new literal ends it
				s.WriteString(`""`)
			}
		}
	}
	return `"` + s.String() + `"`
}
