package filter

import (
	"strings"

	"remora/dissect"
)

// An operand is one side of a comparison, or a part of one: its type and where its values come from.
type operand struct {
	source
	class  class
	size   int              // of integers, in bytes; 0 where nobody bounds them
	fields []*dissect.Field // whose value names may stand on the other side
	mixed  bool             // the name is declared with several types
	expr   *Expr
}

// constantValues are the operand's values if they are known, and whether they are.
func (o *operand) constantValues() ([]value, bool) {
	c, ok := o.source.(constant)
	return c.values, ok
}

// plain is the operand as a field and nothing around it, or nil.
func (o *operand) plain() *field {
	f, _ := o.source.(*field)
	return f
}

// declared tells whether an expression names a field, so that its type is known without the other side.
func (c *checker) declared(e *Expr) bool {
	switch e.Op {
	case OpWord:
		return e.Layered || len(c.named(e.Text)) > 0 || isColumn(e.Text)
	case OpString, OpChar, OpLiteral:
		return false
	case OpCall:
		if functions[e.Text] == nil {
			return true // an error of its own
		}
		return !functions[e.Text].transparent || len(e.Args) == 0 || c.anyDeclared(e.Args)
	case OpField, OpRef, OpRaw, OpSlice:
		return true
	}
	return c.anyDeclared(e.Args)
}

func (c *checker) anyDeclared(es []*Expr) bool {
	for _, e := range es {
		if c.declared(e) {
			return true
		}
	}
	return false
}

// operand resolves an expression whose type does not depend on anything else.
func (c *checker) operand(e *Expr) (*operand, error) {
	switch e.Op {
	case OpWord, OpField:
		return c.field(e)
	case OpRef:
		return c.reference(e)
	case OpRaw:
		o, err := c.field(e.Args[0])
		if err != nil {
			return nil, err
		}
		if o.plain() == nil {
			return nil, c.fail(e, "", "%s stands nowhere in the packet", c.source(e.Args[0]))
		}
		f := *o.plain()
		f.raw = true
		return &operand{source: &f, class: classBytes, expr: e}, nil
	case OpCall:
		return c.call(e)
	case OpSlice:
		return c.slice(e)
	case OpPos:
		return c.operand(e.Args[0])
	case OpNeg:
		return c.negative(e)
	case "+", "-", "*", "/", "%", "&":
		return c.arithmetic(e)
	}
	return nil, c.fail(e, "", "%s is a value, and a field belongs here", c.source(e))
}

// source is the text of an expression.
func (c *checker) source(e *Expr) string { return c.text[e.Pos:e.End] }

// field looks a name up.
func (c *checker) field(e *Expr) (*operand, error) {
	fields := c.named(e.Text)
	if len(fields) == 0 && isColumn(e.Text) {
		return c.column(e)
	}
	if len(fields) == 0 {
		return nil, c.unknown(e)
	}
	f := &field{}
	if e.Layered {
		f.layers, f.ending = e.Spans, fromEnd(e.Spans)
	}
	o := &operand{source: f, class: classOf(fields[0].Type()), size: sizeOf(fields[0]), expr: e}
	for _, declared := range fields {
		members := declared.Members()
		for i := range members { // what an alias stands for comes first: that is what trees have
			m := members[(i+1)%len(members)]
			f.fields, f.ids = append(f.fields, m), append(f.ids, m.ID())
			o.mixed = o.mixed || classOf(m.Type()) != o.class
		}
	}
	o.fields = f.fields
	if x := fromIndex(fields[0]); x != nil && !e.Layered {
		o.source, c.indexed = x, true
	}
	if old, now := e.Text, fields[0].Name(); old != now && c.warned != e.Pos+1 {
		c.warned = e.Pos + 1
		c.warn(e, "write "+now, "%s is an old name", old)
	}
	return o, nil
}

// searched leaves of a name with several types those that have texts to look into, if one has.
func (o *operand) searched() {
	f := o.plain()
	if f == nil || f.raw || !o.mixed || o.class.searched() {
		return
	}
	texts := *f
	texts.fields, texts.ids = nil, nil
	for i, m := range f.fields {
		cl := classOf(m.Type())
		if cl.searched() && (len(texts.fields) == 0 || cl == o.class) {
			o.class, o.size = cl, sizeOf(m)
			texts.fields, texts.ids = append(texts.fields, m), append(texts.ids, f.ids[i])
		}
	}
	if len(texts.fields) > 0 {
		o.source, o.fields, o.mixed = &texts, texts.fields, false
	}
}

// sizeOf is the width of a number in bytes. A packet type may cover a sub-type, too.
func sizeOf(f *dissect.Field) int {
	if f.IsKind() {
		return max(2, 2*f.Size())
	}
	return f.Size()
}

// named are the declarations of a name, or of what it is called today.
func (c *checker) named(name string) []*dissect.Field {
	if fs := c.reg.FieldsNamed(name); len(fs) > 0 {
		return fs
	}
	head, tail, dotted := strings.Cut(name, ".")
	p := c.reg.Formerly(head)
	switch {
	case p == nil:
		return nil
	case dotted:
		return c.reg.FieldsNamed(p.Name() + "." + tail)
	}
	return c.reg.FieldsNamed(p.Name())
}

func (c *checker) unknown(e *Expr) error {
	hint := ""
	if best := Suggest(c.reg, e.Text); best != "" {
		hint = "did you mean " + best + "?"
	}
	if LooksLikeCapture(c.text) {
		hint = "this looks like a capture filter, which belongs to -f or --bpf"
	}
	return c.fail(e, hint, "%q is neither a field nor a protocol", e.Text)
}

// reference is a field of the selected packet: its values there, or none.
func (c *checker) reference(e *Expr) (*operand, error) {
	o, err := c.operand(e.Args[0])
	if err != nil {
		return nil, err
	}
	c.references = true
	if c.selected == nil {
		o.source = constant{}
	} else {
		o.source = fold(o.source, c.selected)
	}
	o.expr = e
	return o, nil
}

// fold works a source out on one tree and keeps copies of the values.
func fold(s source, t *dissect.Tree) constant {
	var e eval
	s.push(&e, t)
	for i := range e.stack {
		e.stack[i].b = append([]byte(nil), e.stack[i].b...)
	}
	return constant{e.stack}
}

// folded replaces a source by its values if all it is made of is constant.
func folded(s source, parts ...*operand) source {
	for _, p := range parts {
		if _, ok := p.constantValues(); !ok {
			return s
		}
	}
	return fold(s, nil)
}

func (c *checker) slice(e *Expr) (*operand, error) {
	of := e.Args[0]
	if !c.declared(of) {
		if of.Op == OpWord && len(of.Text) > 0 && !isDigit(of.Text[0]) {
			return nil, c.unknown(of)
		}
		return nil, c.fail(of, "", "bytes can be taken of a field, and %s is a value", c.source(of))
	}
	o, err := c.operand(of)
	if err != nil {
		return nil, err
	}
	if !o.class.sliced() {
		return nil, c.fail(e,
			"bytes can be taken of addresses, texts, bytes and protocols; @ in front of a field gives its bytes",
			"%s is %s, which has no parts", c.source(of), o.class)
	}
	return &operand{source: folded(slice{o.source, e.Spans}, o), class: classBytes, expr: e}, nil
}
