package protofile

import (
	"strconv"
	"strings"

	"github.com/emicklei/proto"
)

// An extension is fields that are added to a message of another file.
type extension struct {
	of, scope string
	fields    []*Field
}

// A call is a method whose types are not looked for yet.
type call struct {
	method         *Method
	in, out, scope string
}

// take keeps what a file declares, and gives the names of those that it imports.
func (p *Pool) take(file *proto.Proto) (imports []string) {
	scope := ""
	for _, e := range file.Elements {
		if pack, ok := e.(*proto.Package); ok {
			scope = pack.Name
		}
	}
	for _, e := range file.Elements {
		switch e := e.(type) {
		case *proto.Import:
			imports = append(imports, e.Filename)
		case *proto.Service:
			p.service(scope, e)
		default:
			p.declaration(scope, e)
		}
	}
	return imports
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}

func (p *Pool) service(scope string, s *proto.Service) {
	for _, e := range s.Elements {
		if c, ok := e.(*proto.RPC); ok {
			m := &Method{}
			p.methods[join(join(scope, s.Name), c.Name)] = m
			p.calls = append(p.calls, call{m, c.RequestType, c.ReturnsType, scope})
		}
	}
}

// declaration keeps a message, an enum or an extension.
func (p *Pool) declaration(scope string, e proto.Visitee) {
	switch e := e.(type) {
	case *proto.Enum:
		p.enum(scope, e)
	case *proto.Message:
		if e.IsExtend {
			x := extension{of: e.Name, scope: scope}
			x.fields = p.fields(nil, scope, e.Elements)
			p.extends = append(p.extends, x)
			return
		}
		p.message(scope, e.Name, e.Elements)
	}
}

func (p *Pool) message(scope, name string, elements []proto.Visitee) *Message {
	m := &Message{Name: name, Full: join(scope, name), byNumber: map[int]*Field{}}
	if p.messages[m.Full] == nil {
		p.messages[m.Full] = m
		p.list = append(p.list, m)
	}
	for _, f := range p.fields(nil, m.Full, elements) {
		m.add(f)
	}
	return m
}

func (m *Message) add(f *Field) {
	if m.byNumber[f.Number] == nil {
		m.byNumber[f.Number] = f
		m.Fields = append(m.Fields, f)
	}
}

func (p *Pool) enum(scope string, e *proto.Enum) {
	out := &Enum{Full: join(scope, e.Name)}
	for _, v := range e.Elements {
		if f, ok := v.(*proto.EnumField); ok {
			out.Values = append(out.Values, EnumValue{f.Name, int32(f.Integer)})
		}
	}
	p.enums[out.Full] = out
}

// fields adds the fields among what a message declares, and keeps the other declarations.
func (p *Pool) fields(list []*Field, scope string, elements []proto.Visitee) []*Field {
	for _, e := range elements {
		switch e := e.(type) {
		case *proto.NormalField:
			f := p.field(scope, e.Field)
			f.Repeated, f.Required = e.Repeated, e.Required
			list = append(list, f)
		case *proto.OneOfField:
			list = append(list, p.field(scope, e.Field))
		case *proto.Oneof:
			list = p.fields(list, scope, e.Elements)
		case *proto.MapField:
			list = append(list, p.mapField(scope, e))
		case *proto.Group:
			f := &Field{Name: strings.ToLower(e.Name), Number: e.Sequence, Type: Group, Repeated: e.Repeated,
				Required: e.Required}
			f.Full, f.Message = join(scope, f.Name), p.message(scope, e.Name, e.Elements)
			list = append(list, f)
		default:
			p.declaration(scope, e)
		}
	}
	return list
}

// mapField is a repeated field of messages with a key and a value, which Wireshark names so.
func (p *Pool) mapField(scope string, e *proto.MapField) *Field {
	f := p.field(scope, e.Field)
	f.Type, f.Repeated, f.typeName = MessageType, true, ""
	f.Message = p.message(scope, e.Name+"MapEntry", nil)
	for i, name := range []string{"key", "value"} {
		part := &Field{Name: name, Full: join(f.Message.Full, name), Number: i + 1, typeName: e.KeyType, scope: scope}
		if i == 1 {
			part.typeName = e.Type
		}
		p.all = append(p.all, part)
		f.Message.add(part)
	}
	return f
}

func (p *Pool) field(scope string, e *proto.Field) *Field {
	f := &Field{Name: e.Name, Full: join(scope, e.Name), Number: e.Sequence, typeName: e.Type, scope: scope}
	for _, o := range e.Options {
		if o.Name == "default" {
			f.HasDefault, f.Default = true, o.Constant.Source
			if o.Constant.IsString {
				f.Default = unescape(f.Default)
			}
		}
	}
	p.all = append(p.all, f)
	return f
}

// resolve finds the types that are named.
func (p *Pool) resolve() {
	for _, f := range p.all {
		p.typeOf(f)
	}
	for _, x := range p.extends {
		if m := find(p.messages, x.scope, x.of); m != nil {
			for _, f := range x.fields {
				m.add(f)
			}
		}
	}
	for _, c := range p.calls {
		c.method.In, c.method.Out = find(p.messages, c.scope, c.in), find(p.messages, c.scope, c.out)
	}
}

func (p *Pool) typeOf(f *Field) {
	if f.typeName == "" {
		return
	}
	for t, name := range typeNames {
		if name == f.typeName && Type(t) != Group && Type(t) != MessageType && Type(t) != EnumType {
			f.Type = Type(t)
			return
		}
	}
	for scope, ok := f.scope, true; ok; scope, ok = around(scope) {
		name := join(scope, f.typeName)
		if f.typeName[0] == '.' {
			name = f.typeName[1:]
		}
		if f.Message = p.messages[name]; f.Message != nil {
			f.Type = MessageType
			return
		}
		if f.Enum = p.enums[name]; f.Enum != nil {
			f.Type = EnumType
			return
		}
	}
}

// around is the scope around one; false tells that there is none.
func around(scope string) (string, bool) {
	if scope == "" {
		return "", false
	}
	return scope[:max(0, strings.LastIndexByte(scope, '.'))], true
}

// find looks for a name in a scope and those around it.
func find(messages map[string]*Message, scope, name string) *Message {
	if strings.HasPrefix(name, ".") {
		return messages[name[1:]]
	}
	for ok := true; ok; scope, ok = around(scope) {
		if m := messages[join(scope, name)]; m != nil {
			return m
		}
	}
	return nil
}

// unescape undoes the escapes of texts, which may be of one digit.
func unescape(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		if at := strings.IndexByte(`abfnrtv`, s[i]); at >= 0 {
			b = append(b, "\a\b\f\n\r\t\v"[at])
			continue
		}
		base, from, most := 8, i, 3
		if s[i] == 'x' || s[i] == 'X' {
			base, from, most = 16, i+1, 2
		}
		end := from
		for end < len(s) && end < from+most && isDigit(s[end], base) {
			end++
		}
		v, err := strconv.ParseUint(s[from:end], base, 16)
		if err != nil {
			b = append(b, s[i])
			continue
		}
		b, i = append(b, byte(v)), end-1
	}
	return string(b)
}

func isDigit(c byte, base int) bool {
	return c >= '0' && c <= '7' || base == 16 && strings.IndexByte("89abcdefABCDEF", c) >= 0
}
