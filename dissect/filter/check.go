package filter

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"remora/dissect"
)

// checker looks names and literals up and makes the tests.
type checker struct {
	reg      *dissect.Registry
	text     string
	fields   []*dissect.Field
	warnings []Error
}

func (c *checker) fail(e *Expr, hint, format string, args ...any) error {
	return &Error{Text: c.text, Pos: e.Pos, End: e.End, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func (c *checker) logical(e *Expr) (test, error) {
	switch e.Op {
	case "&&", "||":
		a, err := c.logical(e.Args[0])
		if err != nil {
			return nil, err
		}
		b, err := c.logical(e.Args[1])
		if err != nil {
			return nil, err
		}
		if e.Op == "&&" {
			return both{a, b}, nil
		}
		return either{a, b}, nil
	case "!":
		a, err := c.logical(e.Args[0])
		return not{a}, err
	case "exists":
		return c.exists(e.Args[0])
	case "in":
		return c.set(e)
	}
	return c.relation(e)
}

func (c *checker) exists(e *Expr) (test, error) {
	if e.Op == "string" || e.Op == "char" {
		return nil, c.fail(e, "", "a text alone is no test")
	}
	if e.Op == "call" {
		return nil, c.fail(e, "compare it, as in len(udp.payload) > 100", "a function alone is no test")
	}
	o, err := c.operand(e)
	if err != nil {
		return nil, err
	}
	return exists{o}, nil
}

// operand resolves a field, with slices and functions around it.
func (c *checker) operand(e *Expr) (*operand, error) {
	switch e.Op {
	case "word":
		return c.field(e)
	case "call":
		return c.call(e)
	case "slice":
		return c.slice(e)
	}
	return nil, c.fail(e, "", "a field belongs here")
}

func (c *checker) field(e *Expr) (*operand, error) {
	fields := c.reg.FieldsNamed(strings.TrimPrefix(e.Text, "."))
	if len(fields) == 0 {
		hint := ""
		if best := nearest(c.reg, e.Text); best != "" {
			hint = "did you mean " + best + "?"
		}
		return nil, c.fail(e, hint, "%q is neither a field nor a protocol", e.Text)
	}
	o := &operand{class: classOf(fields[0].Type()), pos: e.Pos, end: e.End}
	for _, f := range fields {
		for _, m := range f.Members() {
			o.fields = append(o.fields, m)
			o.ids = append(o.ids, m.ID())
		}
	}
	c.fields = append(c.fields, o.fields...)
	return o, nil
}

func (c *checker) call(e *Expr) (*operand, error) {
	switch e.Text {
	case "len", "count", "lower", "upper":
	default:
		return nil, c.fail(e, "the functions are len, count, lower and upper", "there is no function %q", e.Text)
	}
	if len(e.Args) != 1 || e.Args[0].Op != "word" {
		return nil, c.fail(e, "", "%s takes one field", e.Text)
	}
	o, err := c.field(e.Args[0])
	if err != nil {
		return nil, err
	}
	o.call = e.Text
	if e.Text == "len" || e.Text == "count" {
		o.class = classUint
	} else if o.class != classString {
		return nil, c.fail(e, "", "%s takes a text field, and %s is %s", e.Text, e.Args[0].Text, o.fields[0].Type())
	}
	return o, nil
}

func (c *checker) slice(e *Expr) (*operand, error) {
	o, err := c.operand(e.Args[0])
	if err != nil {
		return nil, err
	}
	if o.call == "len" || o.call == "count" || o.class == classUint || o.class == classInt || o.class == classFloat || o.class == classNone {
		return nil, c.fail(e, "", "bytes can be taken of addresses, texts, bytes and protocols; %s is none of them", c.text[o.pos:o.end])
	}
	var spans []span
	for _, text := range e.Slices {
		s, ok := parseSpan(text)
		if !ok {
			return nil, c.fail(e, "as in [0:3], [2-4], [:2], [5:] or [-4:]", "%q names no bytes", text)
		}
		spans = append(spans, s)
	}
	o.spans = append(o.spans, spans)
	o.class, o.end = classBytes, e.End
	return o, nil
}

// parseSpan reads i, i:j, i-j, :j or i:.
func parseSpan(s string) (span, bool) {
	number := func(t string) (int, bool) {
		v, err := strconv.ParseInt(t, 0, 32)
		return int(v), err == nil
	}
	if i := strings.IndexByte(s, ':'); i >= 0 {
		from, ok := 0, true
		if i > 0 {
			from, ok = number(s[:i])
		}
		if i+1 == len(s) {
			return span{from, -1}, ok && i > 0
		}
		n, ok2 := number(s[i+1:])
		return span{from, n}, ok && ok2 && n > 0
	}
	if i := strings.IndexByte(s[min(1, len(s)):], '-'); i >= 0 {
		from, ok := number(s[:i+1])
		to, ok2 := number(s[i+2:])
		return span{from, to - from + 1}, ok && ok2 && to > from && from >= 0
	}
	from, ok := number(s)
	return span{from, 1}, ok
}

func isLiteral(reg *dissect.Registry, e *Expr) bool {
	return e.Op == "string" || e.Op == "char" || e.Op == "word" && len(reg.FieldsNamed(strings.TrimPrefix(e.Text, "."))) == 0
}

var mirrored = map[string]string{"==": "==", "!=": "!=", "===": "===", "!==": "!==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// relation compares a field with a literal or with another field.
func (c *checker) relation(e *Expr) (test, error) {
	left, right, op := e.Args[0], e.Args[1], e.Op
	if isLiteral(c.reg, left) && !isLiteral(c.reg, right) && mirrored[op] != "" && left.Op == "word" && !strings.Contains(left.Text, ".") {
		if _, err := strconv.ParseInt(left.Text, 0, 64); err == nil {
			left, right, op = right, left, mirrored[op] // 6 == ip.proto
		}
	}
	o, err := c.operand(left)
	if err != nil {
		return nil, err
	}
	all := op == "!=" || op == "==="
	if e.Quant != "" {
		all = e.Quant == "all"
	}
	if !isLiteral(c.reg, right) && op != "matches" {
		return c.fieldWithField(e, o, right, op, all)
	}
	pass, err := c.literalTest(o, op, right)
	if err != nil {
		return nil, err
	}
	if o.call == "count" {
		return count{o, pass}, nil
	}
	o.plain = o.numbers()
	return one{o, all, pass}, nil
}

func (c *checker) fieldWithField(e *Expr, a *operand, right *Expr, op string, all bool) (test, error) {
	b, err := c.operand(right)
	if err != nil {
		return nil, err
	}
	if a.class != b.class && !(textual(a.class) && textual(b.class)) || a.class == classNone || a.call == "count" || b.call == "count" {
		return nil, c.fail(e, "", "%s and %s cannot be compared", c.text[a.pos:a.end], c.text[b.pos:b.end])
	}
	return pair{a, b, all, op}, nil
}

func textual(c class) bool { return c == classBytes || c == classString || c == classProtocol }

// literalTest makes the test of one value against a literal.
func (c *checker) literalTest(o *operand, op string, e *Expr) (func(value) bool, error) {
	if o.class == classNone {
		return nil, c.fail(e, "ask for its presence: the name alone", "%s has no value to compare", c.text[o.pos:o.end])
	}
	switch op {
	case "matches":
		return c.regex(o, e)
	case "contains":
		if !textual(o.class) {
			return nil, c.fail(e, "", "contains looks into texts and bytes; %s is %s", c.text[o.pos:o.end], o.fields[0].Type())
		}
		v, err := c.literal(o, e)
		if err != nil {
			return nil, err
		}
		want := v[0].b
		return func(v value) bool { return len(want) > 0 && bytes.Contains(v.b, want) }, nil
	}
	values, err := c.literal(o, e)
	if err != nil {
		return nil, err
	}
	cl := o.class
	if len(values) == 1 {
		return cl.comparison(op, values[0]), nil
	}
	if op != "==" && op != "!=" && op != "===" && op != "!==" {
		return nil, c.fail(e, "", "%q stands for several numbers, so it has no order", e.Text)
	}
	return func(v value) bool { // a name that stands for several numbers means membership
		in := false
		for _, want := range values {
			in = in || cl.compare(v, want) == 0
		}
		return in == (op == "==" || op == "===")
	}, nil
}

func (c *checker) regex(o *operand, e *Expr) (func(value) bool, error) {
	if !textual(o.class) {
		return nil, c.fail(e, "", "matches looks into texts and bytes; %s is %s", c.text[o.pos:o.end], o.fields[0].Type())
	}
	if e.Op != "string" {
		return nil, c.fail(e, "", "matches takes a regular expression in quotes")
	}
	re, err := regexp.Compile("(?is)" + e.Text)
	if err != nil {
		return nil, c.fail(e, "", "the regular expression is wrong: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return matching(re), nil
}

// set is membership in values and ranges.
func (c *checker) set(e *Expr) (test, error) {
	o, err := c.operand(e.Args[0])
	if err != nil {
		return nil, err
	}
	if len(o.spans) > 0 || o.call != "" {
		return nil, c.fail(e.Args[0], "", "in takes a field on its left")
	}
	if o.class == classNone {
		return nil, c.fail(e.Args[0], "", "%s has no value to compare", e.Args[0].Text)
	}
	type bounds struct{ low, high value }
	var ranges []bounds
	for _, r := range e.Set {
		lows, err := c.literal(o, r.From)
		if err != nil {
			return nil, err
		}
		if r.To == nil {
			for _, v := range lows {
				ranges = append(ranges, bounds{v, v})
			}
			continue
		}
		highs, err := c.literal(o, r.To)
		if err != nil {
			return nil, err
		}
		ranges = append(ranges, bounds{lows[0], highs[len(highs)-1]})
	}
	cl := o.class
	pass := func(v value) bool {
		for i := range ranges {
			if cl.compare(v, ranges[i].low) >= 0 && cl.compare(v, ranges[i].high) <= 0 {
				return true
			}
		}
		return false
	}
	o.plain = o.numbers()
	return one{o, e.Quant == "all", pass}, nil
}
