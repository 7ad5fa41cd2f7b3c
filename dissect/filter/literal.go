package filter

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/internal/sorting"
	"remora/internal/suggest"
)

// as resolves a constant expression as a value of the other side's type. op is what stands between them.
func (c *checker) as(e *Expr, like *operand, op Op) (*operand, error) {
	o := &operand{class: like.class, size: like.size, expr: e}
	switch e.Op {
	case OpPos:
		return c.as(e.Args[0], like, op)
	case OpNeg:
		return c.negativeLiteral(e, like, op)
	case "+", "-", "*", "/", "%", "&":
		if !like.class.takes(e.Op) || like.class == classTime || like.class == classSpan && (e.Op == "*" || e.Op == "/") {
			return nil, c.fail(e, "", "%s is %s, which does not take %s", c.source(like.expr), like.class, e.Op)
		}
		a, err := c.as(e.Args[0], like, e.Op)
		if err != nil {
			return nil, err
		}
		b, err := c.as(e.Args[1], like, e.Op)
		if err != nil {
			return nil, err
		}
		return c.combined(e, a, b)
	case OpCall:
		return c.constantCall(e, like)
	}
	if (e.Op == OpString || e.Op == OpChar) && op.arithmetic() {
		return nil, c.fail(e, "", "%s cannot be counted with", c.source(e))
	}
	values, err := c.literal(e, like, op)
	if err != nil {
		return nil, err
	}
	o.source = constant{values}
	return o, nil
}

// arithmetic tells whether the operator makes a value of two.
func (op Op) arithmetic() bool {
	return len(op) == 1 && strings.Contains("+-*/%&", string(op))
}

// negativeLiteral is -5. An unsigned number has no such value: comparisons with it are false.
func (c *checker) negativeLiteral(e *Expr, like *operand, op Op) (*operand, error) {
	inner := e.Args[0]
	switch {
	case !like.class.takes(OpNeg):
		return nil, c.fail(e, "", "%s is %s, which has no negative", c.source(like.expr), like.class)
	case inner.Op == OpWord && like.class != classUint:
		signed := *e
		signed.Op, signed.Text = OpWord, "-"+inner.Text
		values, err := c.literal(&signed, like, op)
		return &operand{source: constant{values}, class: like.class, size: like.size, expr: e}, err
	}
	o, err := c.as(inner, like, op)
	if err != nil {
		return nil, err
	}
	if like.class == classUint {
		c.warn(e, "", "%s is never negative, so this is never true", c.source(like.expr))
		o.source, o.expr = constant{}, e
		return o, nil
	}
	o.source, o.expr = folded(negated{o.source, o.size}, o), e
	return o, nil
}

// literal reads a literal as values of the other side's type. It is one value, but for names that stand for several.
func (c *checker) literal(e *Expr, like *operand, op Op) ([]value, error) {
	if e.Op == OpWord && len(c.named(e.Text)) > 0 {
		return nil, c.fail(e, "put it in quotes if it is meant as text", "%q is a name here, not a value", e.Text)
	}
	if !like.mixed {
		return c.literalOf(like.class, e, like, op)
	}
	var all []value
	var first error
	seen := map[class]bool{}
	for _, f := range like.fields {
		cl := classOf(f.Type())
		if seen[cl] {
			continue
		}
		seen[cl] = true
		values, err := c.literalOf(cl, e, &operand{class: cl, size: sizeOf(f), fields: []*dissect.Field{f}, expr: like.expr},
			op)
		if err != nil && first == nil {
			first = err
		}
		all = append(all, values...)
	}
	if len(all) > 0 {
		return all, nil
	}
	return nil, first
}

func (c *checker) literalOf(cl class, e *Expr, like *operand, op Op) ([]value, error) {
	switch cl {
	case classUint, classInt:
		return c.number(e, like)
	case classBool:
		return c.truth(e, like)
	case classFloat:
		x, err := strconv.ParseFloat(e.Text, 64)
		if err != nil || e.Op == OpString || e.Op == OpChar || strings.ContainsAny(e.Text, "_nN") {
			return nil, c.fail(e, "", "%q is not a number", e.Text)
		}
		return one64(math.Float64bits(x), cl), nil
	case classIPv4, classIPv6:
		return c.address(e, cl)
	case classString:
		if e.Op == OpWord || e.Op == OpLiteral {
			c.warn(e, "", "put text in quotes")
		}
		return []value{{b: []byte(e.Text), class: cl}}, nil
	case classTime:
		return c.time(e)
	case classSpan:
		return c.seconds(e)
	case classNone:
		return nil, c.fail(like.expr, "ask for its presence: the name alone", "%s has no value to compare",
			c.source(like.expr))
	}
	return c.bytes(e, cl, op)
}

func one64(n uint64, c class) []value { return []value{{n: n, class: c}} }

// number reads a number in any base, a character, or the name of a value.
func (c *checker) number(e *Expr, like *operand) ([]value, error) {
	switch e.Op {
	case OpChar:
		return one64(uint64(e.Text[0]), like.class), nil
	case OpWord, OpLiteral:
		v, negative, err := integer(e.Text)
		if err == nil {
			return c.fits(e, v, negative, like)
		}
		if err == strconv.ErrRange && !c.hasNames(like) {
			return c.fits(e, math.MaxUint64, negative, like)
		}
	}
	if !c.hasNames(like) {
		if e.Op == OpString {
			return nil, c.fail(e, "numbers go without quotes", "%s is %s, and %s is text", c.source(like.expr), like.class,
				c.source(e))
		}
		return nil, c.fail(e, "", "%q is not a number", e.Text)
	}
	return c.valueName(e, like)
}

func (c *checker) hasNames(o *operand) bool {
	for _, f := range o.fields {
		if len(f.Values()) > 0 {
			return true
		}
	}
	return false
}

// valueName looks the name of a value up, without regard to case. A name may stand for several numbers.
func (c *checker) valueName(e *Expr, like *operand) ([]value, error) {
	out := valuesNamed(like, func(_ *dissect.Field, name string) bool { return strings.EqualFold(name, e.Text) })
	if len(out) == 0 { // packet types are called by less, too
		want := typeWords(e.Text)
		out = valuesNamed(like, func(f *dissect.Field, name string) bool { return f.IsKind() && typeWords(name) == want })
		if len(out) == 0 && strings.Trim(want, " ") != "" {
			out = valuesNamed(like, func(f *dissect.Field, name string) bool {
				return f.IsKind() && strings.HasSuffix(typeWords(name), want)
			})
		}
	}
	if len(out) == 0 {
		return nil, c.fail(e, suggestValue(like.fields, e.Text), "%s has no value %q", c.source(like.expr), e.Text)
	}
	sorting.Func(out, like.class.compare)
	return slices.CompactFunc(out, func(a, b value) bool { return a.n == b.n }), nil
}

// valuesNamed are the numbers of all names that are meant.
func valuesNamed(like *operand, meant func(f *dissect.Field, name string) bool) []value {
	var out []value
	for _, f := range like.fields {
		for v, name := range f.Values() {
			if meant(f, name) {
				out = append(out, value{n: v, class: like.class})
			}
		}
	}
	return out
}

// typeWords is the name of a packet type as words in lower case, with a blank in front of each: GAME_DATA and "Game
// data" are the same, and CHAT is the last word of GLOBAL_CHAT and GAME_CHAT.
func typeWords(name string) string {
	return " " + strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(name))
}

func suggestValue(fields []*dissect.Field, text string) string {
	var names []string
	for _, f := range fields {
		for _, name := range f.Values() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if best := suggest.One(text, names); best != "" {
		return "did you mean \"" + best + "\"?"
	}
	return ""
}

// integer reads decimal, hexadecimal (0x), binary (0b) and octal (0) numbers, with a minus in front.
func integer(s string) (v uint64, negative bool, err error) {
	s, negative = strings.CutPrefix(s, "-")
	if strings.ContainsAny(s, "_oO") {
		return 0, negative, strconv.ErrSyntax
	}
	v, err = strconv.ParseUint(s, 0, 64)
	if e, ok := err.(*strconv.NumError); ok {
		err = e.Err
	}
	return v, negative, err
}

// fits refuses numbers that the other side cannot hold.
func (c *checker) fits(e *Expr, v uint64, negative bool, like *operand) ([]value, error) {
	width := 8 * like.size
	if width == 0 || width > 64 {
		width = 64
	}
	limit := uint64(math.MaxUint64) >> (64 - width)
	if like.class == classInt {
		limit >>= 1
		if negative {
			limit++
		}
	}
	if v > limit {
		return nil, c.fail(e, "", "%s does not fit into the %d bits of %s", e.Text, width, c.source(like.expr))
	}
	if negative {
		v = -v
	}
	return one64(v, like.class), nil
}

// truth reads a truth value: a number, True or False, or the field's own words.
func (c *checker) truth(e *Expr, like *operand) ([]value, error) {
	if e.Op == OpChar {
		return one64(min(1, uint64(e.Text[0])), classBool), nil
	}
	if e.Op != OpString {
		if v, negative, err := integer(e.Text); err == nil && !negative {
			return one64(min(1, v), classBool), nil
		}
	}
	no, yes := "", ""
	if len(like.fields) > 0 {
		no, yes = like.fields[0].BoolLabels()
	}
	switch {
	case strings.EqualFold(e.Text, yes),
		e.Op != OpString && strings.EqualFold(e.Text, "true") && !strings.EqualFold(no, "true"):
		return one64(1, classBool), nil
	case strings.EqualFold(e.Text, no), e.Op != OpString && strings.EqualFold(e.Text, "false"):
		return one64(0, classBool), nil
	}
	return nil, c.fail(e, "1, 0, True, False, \""+yes+"\" or \""+no+"\"", "%q is not a truth value", e.Text)
}
