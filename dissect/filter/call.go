package filter

import (
	"fmt"

	"remora/dissect"
	"remora/internal/suggest"
)

// call resolves a function call.
func (c *checker) call(e *Expr) (*operand, error) {
	fn := functions[e.Text]
	if fn == nil {
		hint := "the functions are in remora --help filter"
		if best := suggest.One(e.Text, functionNames()); best != "" {
			hint = "did you mean " + functions[best].usage + "?"
		}
		return nil, c.fail(e, hint, "there is no function %q", e.Text)
	}
	if err := c.arity(e, fn); err != nil {
		return nil, err
	}
	args, err := c.arguments(e, fn)
	if err != nil {
		return nil, err
	}
	o := &operand{class: fn.class, size: fn.size, expr: e}
	if fn.same {
		o.class, o.size = args[0].class, args[0].size
	}
	switch e.Text {
	case "len":
		o.source = folded(length{args[0].source, args[0].size}, args...)
	case "vals":
		if !c.hasNames(args[0]) && args[0].class != classBool {
			return nil, c.fail(e.Args[0], "", "the values of %s have no names", c.source(e.Args[0]))
		}
		fallthrough
	default:
		x := applied{fn: fn, field: args[0].plain()}
		for _, a := range args {
			x.args = append(x.args, a.source)
		}
		o.source = x
		if !fn.plain {
			o.source = folded(x, args...)
		}
	}
	return o, nil
}

func (c *checker) arity(e *Expr, fn *function) error {
	n := len(e.Args)
	if n >= fn.least && (fn.most == 0 || n <= fn.most) {
		return nil
	}
	want := "one argument"
	if fn.most != 1 {
		want = fmt.Sprintf("at least %d", fn.least)
	}
	return c.fail(e, "as in "+fn.usage, "%s takes %s, not %d", e.Text, want, n)
}

// arguments resolves the arguments and holds them against what the function takes.
func (c *checker) arguments(e *Expr, fn *function) ([]*operand, error) {
	args := make([]*operand, len(e.Args))
	var like *operand
	for i, a := range e.Args {
		if !c.declared(a) {
			continue
		}
		o, err := c.operand(a)
		if err != nil {
			return nil, err
		}
		if args[i] = o; like == nil {
			like = o
		}
	}
	for i, a := range e.Args {
		if args[i] == nil {
			if like == nil || !fn.transparent {
				return nil, c.noField(a, e.Text)
			}
			o, err := c.as(a, like, "")
			if err != nil {
				return nil, err
			}
			args[i] = o
		}
		if err := c.argument(e, a, fn, args[i]); err != nil {
			return nil, err
		}
		if fn.same && (args[i].class != args[0].class || args[i].class.integer() && args[i].size != args[0].size) {
			return nil, c.fail(a, "", "all arguments of %s are of one type: %s is %s, %s is %s", e.Text, c.source(e.Args[0]),
				args[0].width(), c.source(a), args[i].width())
		}
	}
	return args, nil
}

// width names a type with its width.
func (o *operand) width() string {
	if !o.class.integer() || o.size == 0 {
		return o.class.String()
	}
	return fmt.Sprintf("%s of %d bits", o.class, 8*o.size)
}

func (c *checker) noField(a *Expr, name string) error {
	if a.Op == OpWord && !isDigit(a.Text[0]) {
		return c.unknown(a)
	}
	return c.fail(a, "as in "+functions[name].usage, "%s takes a field, and %s is a value", name, c.source(a))
}

func (c *checker) argument(e, a *Expr, fn *function, o *operand) error {
	_, isConstant := o.constantValues()
	if fn.plain && (o.plain() == nil || o.plain().raw) && !isConstant {
		return c.fail(a, "as in "+fn.usage, "%s takes a field alone", e.Text)
	}
	if fn.plain && isConstant && a.Op != OpRef {
		return c.fail(a, "as in "+fn.usage, "%s takes a field alone", e.Text)
	}
	if !fn.takes(o.class) {
		what := fn.takesWhat
		if what == "" {
			what = "a field with a value"
		}
		return c.fail(a, "", "%s takes %s, and %s is %s", e.Text, what, c.source(a), o.class)
	}
	return nil
}

// constantCall is a function of constants only, which has the type of the other side.
func (c *checker) constantCall(e *Expr, like *operand) (*operand, error) {
	fn := functions[e.Text]
	if err := c.arity(e, fn); err != nil {
		return nil, err
	}
	x := applied{fn: fn}
	var args []*operand
	inner := *like
	if like.class == classUint && e.Text == "abs" { // what it is taken of may be negative
		inner = operand{class: classInt, size: 8, expr: like.expr}
	}
	for _, a := range e.Args {
		o, err := c.as(a, &inner, "")
		if err != nil {
			return nil, err
		}
		if err := c.argument(e, a, fn, o); err != nil {
			return nil, err
		}
		args, x.args = append(args, o), append(x.args, o.source)
	}
	out := &operand{source: folded(x, args...), class: like.class, size: like.size, expr: e}
	if k, ok := out.source.(constant); ok && inner.class != like.class {
		for i := range k.values {
			k.values[i].class = like.class
		}
	}
	return out, nil
}

// applied is a function and its arguments. Where one of them has no value, it has none.
type applied struct {
	fn    *function
	field *field // the argument, if it is a field alone
	args  []source
}

func (x applied) push(e *eval, t *dissect.Tree) {
	start := len(e.stack)
	for _, a := range x.args {
		a.push(e, t)
	}
	n := x.fn.apply(e, x.field, t, e.stack[start:])
	e.stack = e.stack[:start+n]
}

func (x applied) possible(s *dissect.Session, sh *dissect.LayerStack) bool {
	for _, a := range x.args {
		if a.possible(s, sh) {
			return true
		}
	}
	return false
}

func (x applied) needs(add func(*dissect.Field)) {
	for _, a := range x.args {
		a.needs(add)
	}
}

// length is len(): of fields the bytes they cover, where they stand in the packet, and otherwise their width.
type length struct {
	of   source
	size int
}

func (x length) push(e *eval, t *dissect.Tree) {
	start := len(e.stack)
	if f, ok := x.of.(*field); ok {
		for i := range t.Nodes {
			if f.at(t, i) {
				e.push(value{n: f.length(e, t, i), class: classUint})
			}
		}
		return
	}
	x.of.push(e, t)
	for i, v := range e.stack[start:] {
		e.stack[start+i] = value{n: v.width(x.size), class: classUint}
	}
}

func (f *field) length(e *eval, t *dissect.Tree, i int) uint64 {
	v := f.read(e, t, i)
	switch v.class {
	case classNone:
		return uint64(t.Nodes[i].Len)
	case classIPv6:
		return 16
	}
	return v.width(t.Field(i).Size())
}

// width is how many bytes a value has.
func (v value) width(size int) uint64 {
	switch v.class {
	case classIPv4:
		return 4
	case classTime, classSpan, classBool:
		return 0 // Wireshark 4.0 knows no width of them
	}
	if v.class.inNumber() {
		return uint64(size)
	}
	return uint64(len(v.own()))
}

func (x length) possible(s *dissect.Session, sh *dissect.LayerStack) bool {
	return x.of.possible(s, sh)
}
func (x length) needs(add func(*dissect.Field)) { x.of.needs(add) }
