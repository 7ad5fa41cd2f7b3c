package kaitai

import (
	"strings"
)

// A Template is a line of text about an object, as -webide-representation has it: text, and fields in braces.
type Template struct {
	parts []templatePart
}

type templatePart struct {
	text string
	of   *node
	as   string // "dec", "hex", "str" …
}

// Represent is the template of the type's objects, or nil.
func (t *Type) Represent() *Template { return t.represent }

// Template compiles a text with fields in braces for a type, "{id} of {name:str}".
func (s *Spec) Template(t *Type, at *Setting) (*Template, error) {
	l := &loader{spec: s}
	f := &file{name: t.file.name, root: t.file.root, opaque: t.file.opaque, visible: t.file.visible, l: l}
	out := f.template(t, at)
	l.finish()
	if len(l.mistakes) > 0 {
		return nil, l.mistakes
	}
	return out, nil
}

// Compile compiles an expression for a type.
func (s *Spec) Compile(t *Type, at *Setting) (*Expr, error) {
	l := &loader{spec: s}
	f := &file{name: t.file.name, root: t.file.root, visible: t.file.visible, l: l}
	n := f.expr(t, at)
	l.finish()
	if len(l.mistakes) > 0 {
		return nil, l.mistakes
	}
	return &Expr{n}, nil
}

func (f *file) template(t *Type, s *Setting) *Template {
	out := &Template{}
	for rest := s.Word; rest != ""; {
		text, after, open := strings.Cut(rest, "{")
		if text != "" {
			out.parts = append(out.parts, templatePart{text: text})
		}
		if !open {
			break
		}
		field, behind, closed := strings.Cut(after, "}")
		if !closed {
			f.mistake(s, "a brace is not closed")
			break
		}
		rest = behind
		part := templatePart{}
		if at := strings.LastIndexByte(field, ':'); at > 0 && field[at-1] != ':' && isWord(field[at+1:]) {
			field, part.as = field[:at], field[at+1:]
		}
		part.of = f.expr(t, &Setting{Word: field, Line: s.Line, Column: s.Column})
		out.parts = append(out.parts, part)
	}
	return out
}

func isWord(s string) bool {
	switch s {
	case "dec", "hex", "str", "sep", "flags", "uuid":
		return true
	}
	return false
}

// Text is the line about an object. What is not there leaves nothing.
func (p *Parser) Text(t *Template, o *Object) string {
	var b strings.Builder
	for _, part := range t.parts {
		if part.of == nil {
			b.WriteString(part.text)
			continue
		}
		if v, err := p.Eval(&Expr{part.of}, o); err == nil {
			b.WriteString(p.show(v, part.as, 0))
		}
	}
	return b.String()
}

// show is a value in a line of text.
func (p *Parser) show(v Value, as string, depth int) string {
	switch {
	case v.Kind == Null:
		return ""
	case v.Kind == List && depth < 2:
		texts := []string{}
		for i, e := range v.Array().Elems {
			if i == 16 {
				texts = append(texts, "…")
				break
			}
			texts = append(texts, p.show(e, as, depth+1))
		}
		return strings.Join(texts, ", ")
	case v.Kind == Struct && v.Object().Type.represent != nil && depth < 4:
		return p.nested(v.Object(), depth)
	case as == "hex" && v.isInteger():
		return "0x" + hexDigits(v.Uint64())
	case as == "str" && v.Kind == Bytes:
		return decode(v.Raw(), "UTF-8")
	case as == "dec" && v.Kind == Enum:
		return v.Label().num.String()
	}
	return v.String()
}

func (p *Parser) nested(o *Object, depth int) string {
	var b strings.Builder
	for _, part := range o.Type.represent.parts {
		if part.of == nil {
			b.WriteString(part.text)
		} else if v, err := p.Eval(&Expr{part.of}, o); err == nil {
			b.WriteString(p.show(v, part.as, depth+1))
		}
	}
	return b.String()
}

func hexDigits(n uint64) string {
	const digits = "0123456789abcdef"
	out := ""
	for {
		out = digits[n&15:n&15+1] + out
		if n >>= 4; n == 0 {
			return out
		}
	}
}
