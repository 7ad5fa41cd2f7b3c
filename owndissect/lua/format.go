package lua

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// formatText is string.format as Lua 5.2 has it: %s takes any object, %d and %x any integer.
func formatText(l *lua.LState) int {
	form := l.CheckString(1)
	var b []byte
	n := 1
	for i := 0; i < len(form); i++ {
		if form[i] != '%' {
			b = append(b, form[i])
			continue
		}
		i++
		from := i
		for i < len(form) && strings.IndexByte("-+ #0123456789.", form[i]) >= 0 {
			i++
		}
		if i-from > 11 {
			l.RaiseError("invalid format (width or precision too long)")
		}
		if i >= len(form) {
			l.RaiseError("invalid option '%%' to 'format'")
		}
		if form[i] == '%' {
			b = append(b, '%')
			continue
		}
		n++
		if n > l.GetTop() {
			l.ArgError(n, "bad argument: no value")
		}
		b = formatted(l, b, form[from:i], form[i], n)
		if len(b) > maxText {
			l.RaiseError("resulting string too large")
		}
	}
	l.Push(lua.LString(b))
	return 1
}

// formatted appends one value. The flags are those of C, which Go has, too.
func formatted(l *lua.LState, b []byte, flags string, verb byte, n int) []byte {
	switch verb {
	case 'd', 'i':
		return fmt.Appendf(b, "%"+zeroless(flags)+"d", integerArg(l, n))
	case 'u':
		return fmt.Appendf(b, "%"+zeroless(flags)+"d", uint64(integerArg(l, n)))
	case 'x', 'X', 'o':
		return fmt.Appendf(b, "%"+zeroless(flags)+string(rune(verb)), uint64(integerArg(l, n)))
	case 'c':
		return fmt.Appendf(b, "%"+flags+"s", string([]byte{byte(integerArg(l, n))}))
	case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		return appendFloat(b, flags, verb, floatArg(l, n))
	case 's':
		return fmt.Appendf(b, "%"+flags+"s", bytesOf(shownValue(l, l.Get(n))))
	case 'q':
		return append(b, quotedText(l.CheckString(n))...)
	}
	l.RaiseError("invalid option '%%%s' to 'format'", string(rune(verb)))
	return b
}

// bytesOf is text whose width is counted in bytes, as C counts.
type bytesOf string

// Format writes the text.
func (s bytesOf) Format(f fmt.State, _ rune) {
	text := string(s)
	if p, ok := f.Precision(); ok && p < len(text) {
		text = text[:p]
	}
	pad := ""
	if w, ok := f.Width(); ok && w > len(text) {
		pad = strings.Repeat(" ", w-len(text))
	}
	if f.Flag('-') {
		text += pad
	} else {
		text = pad + text
	}
	_, _ = f.Write([]byte(text))
}

// zeroless takes the zero from flags with a precision, where C does not mind it.
func zeroless(flags string) string {
	if !strings.Contains(flags, ".") {
		return flags
	}
	head, tail, _ := strings.Cut(flags, ".")
	lead := strings.TrimLeft(head, "-+ #0")
	return strings.ReplaceAll(head[:len(head)-len(lead)], "0", "") + lead + "." + tail
}

// integerArg is an integer: of a number, of text that is one, or of an object of 64 bits.
func integerArg(l *lua.LState, n int) int64 {
	switch v := l.Get(n).(type) {
	case long:
		return int64(v)
	case *lua.LUserData:
		switch w := v.Value.(type) {
		case int64:
			return w
		case uint64:
			return int64(w)
		}
	case lua.LString:
		if f, ok := numberOf(string(v)); ok {
			return clip(f)
		}
	}
	return clip(float64(l.CheckNumber(n)))
}

// clip makes an integer of a number; what is above the signed ones keeps its bits.
func clip(f float64) int64 {
	if f >= 1<<63 && f < 1<<64 {
		return int64(uint64(f))
	}
	return int64(f)
}

func floatArg(l *lua.LState, n int) float64 {
	switch l.Get(n).(type) {
	case *lua.LUserData, long:
		return float64(integerArg(l, n))
	}
	if s, ok := l.Get(n).(lua.LString); ok {
		if f, ok := numberOf(string(s)); ok {
			return f
		}
	}
	return float64(l.CheckNumber(n))
}

func appendFloat(b []byte, flags string, verb byte, v float64) []byte {
	switch {
	case math.IsInf(v, 0) || math.IsNaN(v):
		text := numberText(v)
		if verb < 'a' {
			text = strings.ToUpper(text)
		}
		return fmt.Appendf(b, "%"+strings.ReplaceAll(flags, "0", "")+"s", text)
	case verb == 'a' || verb == 'A':
		text := strconv.FormatFloat(v, 'x', -1, 64)
		head, exponent, _ := strings.Cut(text, "p")
		text = head + "p" + exponent[:1] + strings.TrimPrefix(exponent[1:], "0")
		if verb == 'A' {
			text = strings.ToUpper(text)
		}
		return fmt.Appendf(b, "%"+flags+"s", text)
	case (verb == 'g' || verb == 'G') && !strings.Contains(flags, "."):
		flags += ".6"
	case verb == 'F':
		verb = 'f'
	}
	return fmt.Appendf(b, "%"+flags+string(rune(verb)), v)
}

// quotedText is text as a script writes it.
func quotedText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n':
			b.WriteString("\\" + string(rune(c)))
		case c == '\r':
			b.WriteString(`\r`)
		case c == 0 && (i+1 == len(s) || !isDigit(s[i+1])):
			b.WriteString(`\0`)
		case c < ' ' || c == 0x7f:
			if i+1 < len(s) && isDigit(s[i+1]) {
				fmt.Fprintf(&b, "\\%03d", c)
			} else {
				fmt.Fprintf(&b, "\\%d", c)
			}
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
