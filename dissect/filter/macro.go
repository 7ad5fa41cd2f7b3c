package filter

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Macros are texts with names. $name(a,b), ${name:a;b} and ${name;a;b} in a filter stand for the text, in which $1, $2
// and so on stand for the arguments.
type Macros map[string]string

// ReadMacros reads one macro a line: its name, in quotes or not, blanks or a comma, and its text, in quotes or not.
// Lines that start with # are remarks. It is the format of Wireshark's dmacros and dfilter_macros. An error names the
// line.
func ReadMacros(r io.Reader) (Macros, error) {
	m := Macros{}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, text, ok := macroLine(line)
		if !ok {
			return m, fmt.Errorf("line %d is no macro: it has a name, and behind it the text", n)
		}
		m[name] = text
	}
	return m, sc.Err()
}

func macroLine(line string) (name, text string, ok bool) {
	if line[0] == '"' {
		end := strings.IndexByte(line[1:], '"')
		if end < 0 {
			return "", "", false
		}
		name, text = line[1:1+end], line[end+2:]
	} else if i := strings.IndexAny(line, " \t,"); i > 0 {
		name, text = line[:i], line[i:]
	}
	text = strings.TrimSpace(text)
	if after, commas := strings.CutPrefix(text, ","); commas {
		text = strings.TrimSpace(after)
		if unquoted, err := strconv.Unquote(text); err == nil {
			text = unquoted
		}
	}
	return name, text, name != "" && text != "" && run(name, len(name), isNameByte) == len(name)
}

// maxExpanded bounds what macros of macros can grow to, in bytes; maxMacros how many calls are followed.
const (
	maxExpanded = 1 << 16
	maxMacros   = 256
)

// An expansion is a filter with its macros replaced, and the way back from its places to those of the filter as
// written.
type expansion struct {
	text, written string
	parts         []part
}

// A part is a stretch of the expanded text: as it was written, or in place of a macro's call.
type part struct {
	at, end     int // in the expanded text
	from, until int // as written
	macro       bool
}

// expand replaces the macros in a filter.
func (m Macros) expand(text string) (*expansion, error) {
	x := &expansion{written: text}
	if len(m) == 0 || !strings.Contains(text, "$") {
		x.text = text
		x.parts = []part{{0, len(text), 0, len(text), false}}
		return x, nil
	}
	var b strings.Builder
	budget := maxMacros
	for i := 0; i < len(text); {
		end := nextCall(text, i)
		if end > i {
			x.parts = append(x.parts, part{b.Len(), b.Len() + end - i, i, end, false})
			b.WriteString(text[i:end])
			if i = end; i >= len(text) {
				break
			}
		}
		body, n, err := m.call(text, i, &budget)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			x.parts = append(x.parts, part{b.Len(), b.Len() + 1, i, i + 1, false})
			b.WriteByte(text[i])
			i++
			continue
		}
		x.parts = append(x.parts, part{b.Len(), b.Len() + len(body), i, i + n, true})
		b.WriteString(body)
		i += n
	}
	x.text = b.String()
	return x, nil
}

// nextCall is the place of the next $ outside quotes at or behind i.
func nextCall(text string, i int) int {
	for ; i < len(text) && text[i] != '$'; i++ {
		if text[i] == '"' {
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return min(i, len(text))
}

// call reads a macro's call at i and returns what it stands for, and its length as written: 0 where no macro is called.
func (m Macros) call(text string, i int, budget *int) (string, int, error) {
	rest := text[i+1:]
	name, args, n, ok := readCall(rest)
	if !ok || m[name] == "" {
		return "", 0, nil
	}
	fail := func(format string, args ...any) error {
		return &Error{Text: text, Pos: i, End: i + 1 + n, Msg: fmt.Sprintf(format, args...)}
	}
	if *budget--; *budget < 0 {
		return "", 0, fail("the macro %q leads to too many others", name)
	}
	body, err := substitute(m[name], args)
	if err != nil {
		return "", 0, fail("the macro %q %s", name, err)
	}
	var out strings.Builder
	for j := 0; j < len(body); { // macros in macros
		end := nextCall(body, j)
		out.WriteString(body[j:end])
		if j = end; j >= len(body) {
			break
		}
		inner, n, err := m.call(body, j, budget)
		if err != nil {
			return "", 0, fail("%s", err.(*Error).Msg)
		}
		if n == 0 {
			inner, n = "$", 1
		}
		out.WriteString(inner)
		if j += n; out.Len() > maxExpanded {
			return "", 0, fail("the macro %q grows too long", name)
		}
	}
	return out.String(), 1 + n, nil
}

// readCall reads name(a,b), {name:a;b}, {name;a;b} or {name}, and returns its length.
func readCall(s string) (name string, args []string, n int, ok bool) {
	open, sep, shut := "(", byte(','), byte(')')
	at := 0
	if strings.HasPrefix(s, "{") {
		open, sep, shut, at = ":;", ';', '}', 1
	}
	size := run(s[at:], len(s), isNameByte)
	name, at = s[at:at+size], at+size
	switch {
	case size == 0 || at >= len(s):
		return "", nil, 0, false
	case shut == '}' && s[at] == '}':
		return name, nil, at + 1, true
	case strings.IndexByte(open, s[at]) < 0:
		return "", nil, 0, false
	}
	start, depth := at+1, 0
	for i := start; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case c == shut && depth == 0:
			return name, append(args, strings.TrimSpace(s[start:i])), i + 1, true
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == sep && depth == 0:
			args, start = append(args, strings.TrimSpace(s[start:i])), i+1
		}
	}
	return "", nil, 0, false
}

// substitute puts the arguments in the places of $1, $2 and so on.
func substitute(body string, args []string) (string, error) {
	if len(args) == 1 && args[0] == "" {
		args = nil // name()
	}
	for i, a := range args {
		if a == "" {
			return "", fmt.Errorf("has nothing for its argument %d", i+1)
		}
	}
	var b strings.Builder
	most := 0
	for i := 0; i < len(body); i++ {
		digits := 0
		if body[i] == '$' {
			digits = run(body[i+1:], 3, isDigit)
		}
		if digits == 0 {
			b.WriteByte(body[i])
			continue
		}
		n, _ := strconv.Atoi(body[i+1 : i+1+digits])
		if n > 0 && n <= len(args) {
			b.WriteString(args[n-1])
		}
		most = max(most, n)
		i += digits
	}
	if most != len(args) {
		return "", fmt.Errorf("takes %d arguments, not %d", most, len(args))
	}
	return b.String(), nil
}

// back tells an error's place in the filter as written.
func (x *expansion) back(err error) error {
	e, ok := err.(*Error)
	if !ok || x.text == x.written {
		return err
	}
	out := *e
	out.More = nil
	for _, m := range e.More {
		out.More = append(out.More, x.back(m).(*Error))
	}
	out.Text, out.Pos, out.End = x.written, len(x.written), len(x.written)
	for _, p := range x.parts {
		if e.Pos >= p.at && (e.Pos < p.end || p.at == p.end && e.Pos == p.at) {
			out.Pos, out.End = p.from, p.until
			if !p.macro {
				out.Pos = p.from + e.Pos - p.at
				out.End = min(max(out.Pos, p.from+e.End-p.at), len(x.written))
			} else {
				out.Msg = fmt.Sprintf("in the macro's text %q: %s", x.text[p.at:p.end], e.Msg)
			}
			break
		}
	}
	return &out
}
