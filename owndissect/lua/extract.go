package lua

import (
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

// An extractor finds the values of a field in the packet at hand.
type extractor struct {
	m    *machine
	name string
	all  []*dissect.Field
}

// fields are what the engine has under the name.
func (x *extractor) fields() []*dissect.Field {
	if x.all == nil {
		x.all = x.m.reg.FieldsNamed(x.name)
	}
	return x.all
}

// own is the script's field of the name, or nil.
func (m *machine) ownField(name string) *pfield {
	for _, p := range m.protos {
		for _, f := range p.all() {
			if f.abbr == name {
				return f
			}
		}
	}
	return nil
}

// A fieldInfo is one occurrence of a field in the packet.
type fieldInfo struct {
	m     *machine
	r     *run
	it    *item // of the script itself
	node  dissect.Node
	index int
	field *dissect.Field
	raw   []byte
}

func (m *machine) openExtract() {
	m.field = m.newClass("Field", functions{
		"new": func(l *lua.LState) int {
			name := l.CheckString(1)
			if !m.loading {
				l.RaiseError("A Field extractor must be defined before Taps or Dissectors get called")
			}
			if m.ownField(name) == nil && m.byName[name] == nil && m.reg.Field(name) == nil {
				// else it may be one of Wireshark's that is not known here
				if !strings.Contains(name, ".") || m.reg.Field(strings.ToLower(name)) != nil {
					l.RaiseError("Field_new: a field with this name must exist: %s", name)
				}
				m.say(m.file.Path + ": no packet has the field " + name + ": it is not known here")
			}
			x := &extractor{m: m, name: name}
			m.extract = append(m.extract, x)
			l.Push(m.field.object(x))
			return 1
		},
		"list": func(l *lua.LState) int {
			t := l.NewTable()
			for _, name := range m.reg.FieldNames() {
				t.Append(str(name))
			}
			l.Push(t)
			return 1
		},
		"__call": func(l *lua.LState) int {
			x := arg[*extractor](l, 1, "Field")
			if m.run == nil {
				l.RaiseError("Fields cannot be used outside dissectors or taps")
			}
			n := 0
			for _, f := range m.find(x) {
				l.Push(m.finfo.object(f))
				n++
			}
			return n
		},
		"__tostring": func(l *lua.LState) int {
			l.Push(str(arg[*extractor](l, 1, "Field").name))
			return 1
		},
	})
	attr(m.field, "name", func(x *extractor) lua.LValue { return str(x.name) })
	attr(m.field, "display", func(x *extractor) lua.LValue {
		if f := m.ownField(x.name); f != nil {
			return str(f.label)
		}
		if fs := x.m.reg.FieldsNamed(x.name); len(fs) > 0 {
			return str(orText(shownLabels[x.name], fs[0].Label()))
		}
		return lua.LNil
	})
	attr(m.field, "type", func(x *extractor) lua.LValue {
		if f := m.ownField(x.name); f != nil {
			return number(f.ft)
		}
		if fs := x.m.reg.FieldsNamed(x.name); len(fs) > 0 {
			return number(typeOf(fs[0]))
		}
		return number(ftNone)
	})
	m.openFieldInfo()
	m.l.SetGlobal("all_field_infos", m.l.NewFunction(func(l *lua.LState) int {
		if m.run == nil {
			l.RaiseError("Cannot be called outside of a dissector or tap")
		}
		all := m.find(nil)
		for _, f := range all {
			l.Push(m.finfo.object(f))
		}
		return len(all)
	}))
}

// shownLabels are the names of fields where Wireshark's are others.
var shownLabels = map[string]string{"eth.src": "Source", "eth.dst": "Destination"}

// typeOf is Wireshark's number of a field's type.
func typeOf(f *dissect.Field) int {
	switch f.Type() {
	case dissect.TypeProtocol:
		return ftProtocol
	case dissect.TypeBool:
		return ftBoolean
	case dissect.TypeUint:
		return []int{ftUint32, ftUint8, ftUint16, ftUint24, ftUint32, ftUint40, ftUint48, ftUint56, ftUint64}[f.Size()]
	case dissect.TypeInt:
		return []int{ftInt32, ftInt8, ftInt16, ftInt24, ftInt32, ftInt40, ftInt48, ftInt56, ftInt64}[f.Size()]
	case dissect.TypeFloat:
		if f.Size() == 4 {
			return ftFloat
		}
		return ftDouble
	case dissect.TypeIPv4:
		return ftIPv4
	case dissect.TypeIPv6:
		return ftIPv6
	case dissect.TypeEther:
		return ftEther
	case dissect.TypeBytes:
		return ftBytes
	case dissect.TypeString:
		return ftString
	case dissect.TypeTime:
		return ftAbsolute
	case dissect.TypeSpan:
		return ftRelative
	case dissect.TypeFrame:
		return ftFrameNum
	case dissect.TypeGUID:
		return ftGUID
	}
	return ftNone
}

// find are the occurrences of a field, or of all: those that other dissectors recorded, and those of this script.
func (m *machine) find(x *extractor) []*fieldInfo {
	var out []*fieldInfo
	r := m.run
	t := r.d.Recorder().Tree()
	var wanted []*dissect.Field
	if x != nil {
		wanted = x.fields()
	}
	for i := range t.Nodes {
		f := t.Field(i)
		if x == nil || slices.Contains(wanted, f) {
			out = append(out, &fieldInfo{m: m, r: r, node: t.Nodes[i], index: i, field: f, raw: t.Raw(i)})
		}
		for _, a := range f.Aliases() { // the same value under another name
			if x == nil || slices.Contains(wanted, a) {
				out = append(out, &fieldInfo{m: m, r: r, node: t.Nodes[i], index: i, field: a, raw: t.Raw(i)})
			}
		}
	}
	for run := r; run != nil; run = run.outer {
		out = m.findItems(run.root, x, out)
	}
	return out
}

func (m *machine) findItems(it *item, x *extractor, out []*fieldInfo) []*fieldInfo {
	for _, c := range it.children {
		if c.field != nil && (x == nil || c.field.abbr == x.name) || c.proto != nil && (x == nil || c.proto.name == x.name) {
			out = append(out, &fieldInfo{m: m, r: it.run, it: c})
		}
		out = m.findItems(c, x, out)
	}
	return out
}

// value is the occurrence's value for the script.
func (f *fieldInfo) value() lua.LValue {
	m := f.m
	if f.it != nil {
		return m.itemValue(f.it)
	}
	t, i := f.r.d.Recorder().Tree(), f.index
	v := f.node.Val
	switch f.field.Type() {
	case dissect.TypeBool:
		return boolean(v != 0)
	case dissect.TypeUint, dissect.TypeFrame:
		if f.field.Size() > 4 {
			return m.u64.object(v)
		}
		return number(v)
	case dissect.TypeInt:
		if f.field.Size() > 4 {
			return m.i64.object(int64(v))
		}
		return number(int64(v))
	case dissect.TypeFloat:
		return lua.LNumber(math.Float64frombits(v))
	case dissect.TypeIPv4:
		return m.addr.object(ipv4Address([]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}))
	case dissect.TypeIPv6:
		if b := t.Bytes(i); len(b) == 16 {
			return m.addr.object(ipv6Address(b))
		}
	case dissect.TypeEther:
		var b [6]byte
		for k := range 6 {
			b[k] = byte(v >> (40 - 8*k))
		}
		return m.addr.object(etherAddress(b[:]))
	case dissect.TypeString:
		return str(t.Text(i))
	case dissect.TypeTime, dissect.TypeSpan:
		at := timeOf(int64(v))
		return m.nstime.object(&at)
	case dissect.TypeBytes, dissect.TypeGUID:
		return m.bytes.object(&byteArray{slices.Clone(t.Bytes(i))})
	}
	if f.node.Len > 0 {
		return m.bytes.object(&byteArray{slices.Clone(f.raw)})
	}
	return lua.LNil
}

// display is the value as text.
func (f *fieldInfo) display() string {
	if f.it != nil {
		if f.it.field != nil {
			return f.it.field.shown(f.it.value)
		}
		return f.it.text()
	}
	return f.r.d.Recorder().Tree().Show(f.index)
}

// rangeOf is where the occurrence stands.
func (f *fieldInfo) rangeOf() *tvbRange {
	if f.it != nil {
		it := f.it
		number, at := f.r.place(it.src, it.off)
		b := f.r.d.Recorder().Tree().Source(uint8(number))
		at = min(at, len(b))
		return &tvbRange{&tvb{b: b, src: foreignSource + number}, at, min(it.n, len(b)-at)}
	}
	b := f.r.d.Recorder().Tree().Source(f.node.Src)
	off := min(int(f.node.Off), len(b))
	return &tvbRange{&tvb{b: b, src: foreignSource + int(f.node.Src)}, off, min(int(f.node.Len), len(b)-off)}
}

func (f *fieldInfo) offset() int {
	if f.it != nil {
		return f.it.off
	}
	return int(f.node.Off)
}

func (f *fieldInfo) len() int {
	if f.it != nil {
		return f.it.n
	}
	return int(f.node.Len)
}

func (m *machine) openFieldInfo() {
	self := func(l *lua.LState, n int) *fieldInfo { return arg[*fieldInfo](l, n, "FieldInfo") }
	m.finfo = m.newClass("FieldInfo", functions{
		"__len": func(l *lua.LState) int {
			l.Push(number(self(l, 1).len()))
			return 1
		},
		"__unm": func(l *lua.LState) int {
			l.Push(number(self(l, 1).offset()))
			return 1
		},
		"__call": func(l *lua.LState) int {
			l.Push(self(l, 1).value())
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			l.Push(str(self(l, 1).display()))
			return 1
		},
		"__concat": concat,
		"__eq": func(l *lua.LState) int {
			a, b := self(l, 1), self(l, 2)
			l.Push(boolean(a.name() == b.name() && a.offset() == b.offset() && a.len() == b.len() ||
				a.it == nil && b.it == nil && a.node == b.node || a.sameValue(b)))
			return 1
		},
		"__le": func(l *lua.LState) int {
			a, b := self(l, 1), self(l, 2)
			l.Push(boolean(a.offset()+a.len() <= b.offset()+b.len()))
			return 1
		},
		"__lt": func(l *lua.LState) int {
			a, b := self(l, 1), self(l, 2)
			l.Push(boolean(a.offset()+a.len() < b.offset()))
			return 1
		},
	})
	get := func(name string, f func(f *fieldInfo) lua.LValue) { attr(m.finfo, name, f) }
	get("len", func(f *fieldInfo) lua.LValue { return number(f.len()) })
	get("offset", func(f *fieldInfo) lua.LValue { return number(f.offset()) })
	get("value", (*fieldInfo).value)
	get("label", func(f *fieldInfo) lua.LValue { return str(f.display()) })
	get("display", func(f *fieldInfo) lua.LValue {
		if f.it != nil {
			if f.it.field != nil && f.it.label == "" {
				return str(f.it.field.shown(f.it.value))
			}
			return str(f.it.text())
		}
		return str(f.r.d.Recorder().Tree().Value(f.index))
	})
	get("type", func(f *fieldInfo) lua.LValue {
		switch {
		case f.it == nil:
			return number(typeOf(f.field))
		case f.it.field != nil:
			return number(f.it.field.ft)
		}
		return number(ftProtocol)
	})
	get("name", func(f *fieldInfo) lua.LValue { return str(f.name()) })
	get("source", func(f *fieldInfo) lua.LValue { return m.tvb.object(f.rangeOf().t) })
	ranged := func(f *fieldInfo) lua.LValue { return m.rng.object(f.rangeOf()) }
	get("range", ranged)
	get("tvb", ranged)
	get("generated", func(f *fieldInfo) lua.LValue {
		if f.it != nil {
			return boolean(f.it.generated)
		}
		return boolean(f.r.d.Recorder().Tree().IsDerived(f.index))
	})
	get("hidden", func(f *fieldInfo) lua.LValue { return boolean(f.it != nil && f.it.hidden) })
	get("is_url", func(*fieldInfo) lua.LValue { return lua.LFalse })
	get("little_endian", func(f *fieldInfo) lua.LValue { return boolean(f.it != nil && f.it.little) })
	get("big_endian", func(f *fieldInfo) lua.LValue { return boolean(f.it == nil || !f.it.little) })
}

func (f *fieldInfo) name() string {
	switch {
	case f.it == nil:
		return f.field.Name()
	case f.it.field != nil:
		return f.it.field.abbr
	}
	return f.it.proto.name
}

// sameValue tells of an alias that it is the field that it stands for.
func (f *fieldInfo) sameValue(g *fieldInfo) bool {
	return f.it == nil && g.it == nil && f.index == g.index && strings.EqualFold(f.display(), g.display())
}
