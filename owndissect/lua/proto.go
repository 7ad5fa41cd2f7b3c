package lua

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

// A proto is a protocol that a script declares.
type proto struct {
	m           *machine
	name, title string // for filters, in full
	fields      *lua.LTable
	experts     *lua.LTable
	prefs       *prefsTable
	dissector   *lua.LFunction
	changed     *lua.LFunction // prefs_changed
	init        *lua.LFunction
	p           *dissect.Protocol
	known       []*pfield
	heuristics  map[dissect.Table]*lua.LFunction
	text        *dissect.Field // of items that are only text
	called      *dissect.Field // stands where the script was called
	failed      *dissect.Field
	general     map[dissect.Severity]*dissect.Field
	set         bool // a preference was given on the command line
	attached    []dissect.Key
}

// A pexpert is an expert info that a script declares.
type pexpert struct {
	abbr, text      string
	group, severity int
	f               *dissect.Field
}

func (m *machine) openProto() {
	m.proto = m.newClass("Proto", functions{
		"new": func(l *lua.LState) int {
			l.Push(m.proto.object(m.newProto(l, l.CheckString(1), l.CheckString(2))))
			return 1
		},
		"register_heuristic": func(l *lua.LState) int {
			p, table, fn := arg[*proto](l, 1, "Proto"), l.CheckString(2), l.Get(3)
			f, ok := fn.(*lua.LFunction)
			if d, isDissector := is[*dissector](fn); isDissector && d.proto != nil {
				f, ok = d.proto.dissector, d.proto.dissector != nil
			}
			if !ok {
				l.ArgError(3, "function expected")
			}
			if !m.loading {
				l.RaiseError("register_heuristic must be called while the script is loaded")
			}
			if p.heuristics == nil {
				p.heuristics = map[dissect.Table]*lua.LFunction{}
			}
			t, known := heuristicTables[table]
			if !known {
				l.ArgError(2, "no such heuristic list: "+table)
			}
			p.heuristics[t] = f
			return 0
		},
		"__call": func(l *lua.LState) int { // dissects
			p := arg[*proto](l, 1, "Proto")
			return m.callProto(l, p, 2)
		},
		"__tostring": func(l *lua.LState) int {
			p := arg[*proto](l, 1, "Proto")
			l.Push(str("Proto: " + strings.ToUpper(p.name)))
			return 1
		},
	})
	c := m.proto
	attr(c, "dissector", func(p *proto) lua.LValue {
		if p.dissector == nil {
			m.l.RaiseError("Proto %s has no dissector yet", p.name)
		}
		return m.dissector.object(&dissector{proto: p, name: p.name})
	})
	attr(c, "name", func(p *proto) lua.LValue { return str(strings.ToUpper(p.name)) })
	attr(c, "description", func(p *proto) lua.LValue { return str(p.title) })
	attr(c, "fields", func(p *proto) lua.LValue { return p.fields })
	attr(c, "experts", func(p *proto) lua.LValue { return p.experts })
	attr(c, "prefs", func(p *proto) lua.LValue { return m.prefs2(p) })
	fn := func(put func(p *proto, f *lua.LFunction)) func(l *lua.LState, v any, to lua.LValue) {
		return func(l *lua.LState, v any, to lua.LValue) {
			f, ok := to.(*lua.LFunction)
			if !ok {
				l.RaiseError("a function is wanted")
			}
			put(v.(*proto), f)
		}
	}
	c.set["dissector"] = func(l *lua.LState, v any, to lua.LValue) {
		switch f := to.(type) {
		case *lua.LFunction:
			v.(*proto).dissector = f
		default:
			if d, ok := is[*dissector](to); ok && d.proto != nil {
				v.(*proto).dissector = d.proto.dissector
				return
			}
			l.RaiseError("The dissector of a protocol must be a function")
		}
	}
	c.set["init"] = fn(func(p *proto, f *lua.LFunction) { p.init = f })
	c.set["prefs_changed"] = fn(func(p *proto, f *lua.LFunction) { p.changed = f })
	c.set["fields"] = func(l *lua.LState, v any, to lua.LValue) { v.(*proto).setFields(l, to) }
	c.set["experts"] = func(l *lua.LState, v any, to lua.LValue) {
		p := v.(*proto)
		switch t := to.(type) {
		case *lua.LTable:
			t.ForEach(func(k, e lua.LValue) { p.experts.Append(e) })
		default:
			p.experts.Append(to)
		}
	}
	m.expert = m.newClass("ProtoExpert", functions{"new": m.newExpert,
		"__tostring": func(l *lua.LState) int {
			e := arg[*pexpert](l, 1, "ProtoExpert")
			l.Push(str("ProtoExpert(" + e.abbr + ")"))
			return 1
		}})
}

var heuristicTables = map[string]dissect.Table{"udp": dissect.TableUDP, "tcp": dissect.TableTCP}

func (m *machine) newProto(l *lua.LState, name, title string) *proto {
	switch {
	case !m.loading:
		l.RaiseError("a Proto must be made while the script is loaded")
	case title == "":
		l.ArgError(2, "Proto description must not be empty")
	case name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "":
		l.ArgError(1, "Proto name must only contain letters, digits, underscores, dots and dashes")
	}
	name = strings.ToLower(name)
	if m.byName[name] != nil {
		l.RaiseError("there cannot be two protocols with the same name")
	}
	for _, p := range m.protos {
		if p.title == title {
			l.RaiseError("there cannot be two protocols with the same description")
		}
	}
	m.reg.Remove(name) // a script is preferred to what is built in
	p := &proto{m: m, name: name, title: title, fields: m.l.NewTable(), experts: m.l.NewTable()}
	m.protos, m.byName[name] = append(m.protos, p), p
	return p
}

func (p *proto) setFields(l *lua.LState, v lua.LValue) {
	if t, ok := v.(*lua.LTable); ok {
		if t.Len() == 0 {
			old := p.fields
			p.fields = t
			old.ForEach(func(k, f lua.LValue) {
				if t.RawGet(k) == lua.LNil {
					t.RawSet(k, f)
				}
			})
			return
		}
		t.ForEach(func(k, f lua.LValue) {
			if _, isField := is[*pfield](f); !isField {
				l.RaiseError("fields must be ProtoFields")
			}
			p.fields.Append(f)
		})
		return
	}
	if _, ok := is[*pfield](v); !ok {
		l.RaiseError("fields must be ProtoFields")
	}
	p.fields.Append(v)
}

// all are the fields so far.
func (p *proto) all() []*pfield {
	var out []*pfield
	p.fields.ForEach(func(_, v lua.LValue) {
		if f, ok := is[*pfield](v); ok && !slices.Contains(out, f) {
			out = append(out, f)
		}
	})
	return out
}

func (m *machine) newExpert(l *lua.LState) int {
	e := &pexpert{abbr: l.CheckString(1), text: l.CheckString(2), group: intArg(l, 3), severity: intArg(l, 4)}
	if _, ok := severities[e.severity]; !ok {
		l.ArgError(4, "Severity must be one of expert.severity.*")
	}
	l.Push(m.expert.object(e))
	return 1
}

var severities = map[int]dissect.Severity{piComment: dissect.Comment, piChat: dissect.Chat, piNote: dissect.Hint,
	piWarn: dissect.Warn, piError: dissect.Error}

// declare adds what the script made to the registry.
func (m *machine) declare() error {
	for _, p := range m.protos {
		p.declare()
		plugin := dissect.Plugin{Protocol: p.p, Dissect: p.dissect, OwnNode: true, Stateful: true, Cut: p.cut,
			Heuristics: map[dissect.Table]func(d *dissect.D) bool{}, Post: m.posts[p]}
		for t, fn := range p.heuristics {
			plugin.Heuristics[t] = func(d *dissect.D) bool { return p.fits(d, fn) }
		}
		if err := m.reg.Add(plugin); err != nil {
			return err
		}
	}
	for _, p := range m.protos {
		for _, k := range p.attached {
			if err := m.reg.Prefer(k, p.name); err != nil {
				return err
			}
		}
	}
	m.readyTaps()
	for _, f := range m.formats {
		if m.o.Formats != nil && f.registered {
			m.o.Formats(f)
		}
	}
	var extracted []*dissect.Field
	for _, x := range m.extract {
		extracted = append(extracted, x.fields()...)
	}
	if m.whole {
		m.reg.ExtractAll()
	} else {
		m.reg.Extract(extracted...)
	}
	m.reg.Begins(m.begin)
	if m.shown == nil && (len(m.taps) > 0 || m.whole) { // on the screen they look at packets beside the first pass
		m.reg.Passed(m.passed)
	}
	return nil
}

func (p *proto) declare() {
	p.p = dissect.NewRuntimeProtocol(p.name, strings.ToUpper(p.name), p.title).Summary(escaped(p.title)).Unnamed()
	if p.m.posts[p] {
		p.p.Quiet()
	}
	p.known = p.all()
	for _, f := range p.known {
		f.proto = p
		f.declare(p)
	}
	p.declarePrefs()
	p.experts.ForEach(func(_, v lua.LValue) {
		if e, ok := is[*pexpert](v); ok && e.f == nil {
			e.f = p.p.Expert("expert", severities[e.severity], e.text).OtherName(e.abbr)
		}
	})
	p.text = p.p.Label("text", "Text", "A line of the tree that is only text.").OtherName("_ws.lua.text")
	p.called = p.p.Label("called", "Wireshark Lua fake item", "Stands where a script was called, as in Wireshark.").
		OtherName("_ws.lua.fake")
	p.failed = p.p.Expert("error", dissect.Error, "Lua Error").OtherName("_ws.lua.error")
	p.general = map[dissect.Severity]*dissect.Field{}
	for _, s := range []dissect.Severity{dissect.Comment, dissect.Chat, dissect.Hint, dissect.Warn, dissect.Error} {
		p.general[s] = p.p.Expert("expert", s, "Expert Info").OtherName("_ws.lua.proto." + strings.ToLower(s.String()))
	}
}

// escaped is text as a template that says just that.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, "{", `\{`, "[", `\[`, "}", `\}`, "]", `\]`).Replace(text)
}

// A pfield is a field that a script declares.
type pfield struct {
	label, abbr, doc string
	ft, base         int
	values           dissect.Values
	ranges           []rangeName
	units            []string
	words            [2]string // for a boolean: false and true
	mask             uint64
	f                *dissect.Field
	proto            *proto
}

type rangeName struct {
	from, to uint64
	text     string
}

var fieldMakers = map[string]int{"char": ftChar, "uint8": ftUint8, "uint16": ftUint16, "uint24": ftUint24,
	"uint32": ftUint32, "uint64": ftUint64, "int8": ftInt8, "int16": ftInt16, "int24": ftInt24, "int32": ftInt32,
	"int64": ftInt64, "framenum": ftFrameNum, "bool": ftBoolean, "absolute_time": ftAbsolute,
	"relative_time": ftRelative, "float": ftFloat, "double": ftDouble, "string": ftString, "stringz": ftStringZ,
	"bytes": ftBytes, "ubytes": ftUintBytes, "none": ftNone, "ipv4": ftIPv4, "ipv6": ftIPv6, "ipx": ftIPX,
	"ether": ftEther, "guid": ftGUID, "oid": ftOID, "protocol": ftProtocol, "rel_oid": ftRelOID,
	"systemid": ftSystemID, "eui64": ftEUI64}

func (m *machine) openField() {
	fns := functions{"new": m.newField, "__tostring": func(l *lua.LState) int {
		f := arg[*pfield](l, 1, "ProtoField")
		l.Push(str(fmt.Sprintf("ProtoField(%d): %s %s", 0, f.label, f.abbr)))
		return 1
	}}
	for name, ft := range fieldMakers {
		fns[name] = func(l *lua.LState) int {
			f := &pfield{ft: ft, abbr: l.CheckString(1), label: l.OptString(2, l.CheckString(1))}
			switch {
			case ft >= ftChar && ft <= ftInt64 || ft == ftBoolean || ft == ftFrameNum:
				f.setBase(l, 3)
				f.setValues(l, 4)
				f.setMask(l, 5)
				f.doc = l.OptString(6, "")
			default:
				for i := 3; i <= l.GetTop(); i++ {
					switch l.Get(i).(type) {
					case lua.LNumber:
						f.setBase(l, i)
					case lua.LString:
						f.doc = l.CheckString(i)
					case *lua.LTable:
						f.setValues(l, i)
					}
				}
			}
			l.Push(m.pfield.object(m.checked(l, f)))
			return 1
		}
	}
	m.pfield = m.newClass("ProtoField", fns)
	attr(m.pfield, "name", func(f *pfield) lua.LValue { return str(f.label) })
	attr(m.pfield, "abbr", func(f *pfield) lua.LValue { return str(f.abbr) })
	attr(m.pfield, "type", func(f *pfield) lua.LValue { return number(f.ft) })
	attr(m.pfield, "base", func(f *pfield) lua.LValue { return number(f.base) })
	attr(m.pfield, "mask", func(f *pfield) lua.LValue { return number(f.mask) })
	attr(m.pfield, "description", func(f *pfield) lua.LValue { return str(f.doc) })
}

func (m *machine) newField(l *lua.LState) int {
	f := &pfield{label: l.CheckString(1), abbr: l.CheckString(2), ft: intArg(l, 3)}
	if f.ft < 0 || f.ft > ftStringZTrunc {
		l.ArgError(3, "no such type of field")
	}
	if t := l.Get(4).Type(); t != lua.LTTable && t != lua.LTNil && t != lua.LTNumber {
		l.ArgError(4, "the names of values must be a table")
	}
	f.setBase(l, 5)
	f.setValues(l, 4)
	f.setMask(l, 6)
	f.doc = l.OptString(7, "")
	l.Push(m.pfield.object(m.checked(l, f)))
	return 1
}

func (f *pfield) setBase(l *lua.LState, n int) {
	switch v := l.Get(n).(type) {
	case lua.LNumber:
		f.base = int(v)
		return
	case *lua.LNilType:
	case lua.LString: // as scripts once wrote it
		base, ok := l.GetGlobal("base").(*lua.LTable)
		if !ok || !strings.HasPrefix(string(v), "base.") {
			l.ArgError(n, "base expected")
		}
		f.base = int(lua.LVAsNumber(base.RawGetString(strings.TrimPrefix(string(v), "base."))))
		return
	default:
		l.ArgError(n, "base expected, got "+typeName(l.Get(n)))
	}
	f.base = -1
}

func (f *pfield) setMask(l *lua.LState, n int) {
	switch v := l.Get(n).(type) {
	case lua.LNumber:
		f.mask = uint64(v)
	case lua.LString:
		f.mask, _ = strconv.ParseUint(string(v), 0, 64)
	case *lua.LUserData:
		f.mask = wideArg(l, n)
	}
}

func (f *pfield) setValues(l *lua.LState, n int) {
	t, ok := l.Get(n).(*lua.LTable)
	if !ok {
		if f.base >= 0 && f.base&baseUnit != 0 {
			l.ArgError(n, "a table with the unit is expected")
		}
		return
	}
	switch {
	case f.ft == ftBoolean:
		f.words[1], f.words[0] = textAt(t, 1), textAt(t, 2)
		return
	case f.base >= 0 && f.base&baseUnit != 0:
		if t.Len() < 1 || t.Len() > 2 {
			l.ArgError(n, "the unit is a table of one or two texts")
		}
		for i := 1; i <= t.Len(); i++ {
			s, ok := t.RawGetInt(i).(lua.LString)
			if !ok {
				l.ArgError(n, "the unit must be text")
			}
			f.units = append(f.units, string(s))
		}
		return
	}
	f.values = dissect.Values{}
	t.ForEach(func(k, v lua.LValue) {
		if r, ok := v.(*lua.LTable); ok {
			lo, _ := r.RawGetInt(1).(lua.LNumber)
			hi, _ := r.RawGetInt(2).(lua.LNumber)
			f.ranges = append(f.ranges, rangeName{uint64(int64(lo)), uint64(int64(hi)), textAt(r, 3)})
			return
		}
		var key uint64
		switch k := k.(type) {
		case lua.LNumber:
			key = uint64(int64(k))
		case *lua.LUserData:
			if u, ok := k.Value.(uint64); ok {
				key = u
			} else if i, ok := k.Value.(int64); ok {
				key = uint64(i)
			}
		}
		if s, ok := v.(lua.LString); ok {
			f.values[key] = string(s)
		}
	})
	sort.SliceStable(f.ranges, func(i, j int) bool { return f.ranges[i].from < f.ranges[j].from })
}

func textAt(t *lua.LTable, i int) string {
	s, _ := t.RawGetInt(i).(lua.LString)
	return string(s)
}

// checked refuses what Wireshark refuses, too.
func (m *machine) checked(l *lua.LState, f *pfield) *pfield {
	switch {
	case f.abbr == "":
		l.RaiseError("Missing abbrev")
	case f.label == "":
		l.RaiseError("Missing name")
	case strings.Trim(strings.ToLower(f.abbr), "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "":
		l.RaiseError("Invalid char in abbrev: %s", f.abbr)
	}
	signed := f.ft >= ftInt8 && f.ft <= ftInt64
	named := len(f.values)+len(f.ranges) > 0
	base := f.base & 0xff
	switch {
	case f.base == -1:
		f.base = 0
		if f.ft >= ftUint8 && f.ft <= ftInt64 {
			f.base = baseDec
		} else if f.ft == ftChar {
			f.base = baseOct
		}
	case f.ft == ftChar && (base == baseDec || f.base&baseUnit != 0):
		l.RaiseError("Base must be either base.NONE, base.HEX or base.OCT")
	case f.ft == ftChar && f.base == 0 && !named:
		l.RaiseError("Base base.NONE must be used with a valuestring")
	case signed && f.base&baseUnit == 0 && base != baseDec && f.base&baseRange == 0:
		l.RaiseError("Base must be base.DEC for signed numbers")
	}
	if g := m.reg.Field(f.abbr); g != nil && m.byName[g.Protocol().Name()] == nil && !compatible(g.Type(), f) {
		l.RaiseError("%s exists already, and has another type", f.abbr)
	}
	return f
}

// compatible tells whether fields of the two types may share a name.
func compatible(t dissect.Type, f *pfield) bool {
	switch {
	case f.ft == ftBoolean:
		return t == dissect.TypeBool
	case f.ft >= ftChar && f.ft <= ftUint64 || f.ft == ftFrameNum:
		return t == dissect.TypeUint || t == dissect.TypeFrame
	case f.ft >= ftInt8 && f.ft <= ftInt64:
		return t == dissect.TypeInt
	}
	return t != dissect.TypeUint && t != dissect.TypeInt && t != dissect.TypeBool
}

// declare declares the field for the engine.
func (f *pfield) declare(p *proto) {
	name := strings.TrimPrefix(f.abbr, p.name+".")
	q := p.p
	var g *dissect.Field
	switch {
	case f.ft == ftBoolean:
		g = q.Bool(name, f.label, f.doc)
		if f.words != [2]string{} {
			g.TrueFalse(f.words[1], f.words[0])
		} else {
			g.TrueFalse("True", "False")
		}
	case f.ft >= ftChar && f.ft <= ftUint64 || f.ft == ftIPX:
		g = q.Uint64(name, f.label, f.doc).Wide(max(1, sizes[f.ft]))
	case f.ft >= ftInt8 && f.ft <= ftInt64:
		g = q.Int64(name, f.label, f.doc).Wide(sizes[f.ft])
	case f.ft == ftFloat:
		g = q.Float32(name, f.label, f.doc).Format(func(v uint64) string { return f.shown(value{n: v}) })
	case f.ft == ftDouble:
		g = q.Float64(name, f.label, f.doc).Format(func(v uint64) string { return f.shown(value{n: v}) })
	case f.ft == ftAbsolute:
		g = q.Time(name, f.label, f.doc)
		if f.isUTC() {
			g.Format(func(v uint64) string { return f.shown(value{n: v}) })
		}
	case f.ft == ftRelative:
		g = q.Span(name, f.label, f.doc)
	case f.ft == ftIPv4:
		g = q.IPv4(name, f.label, f.doc)
	case f.ft == ftIPv6:
		g = q.IPv6(name, f.label, f.doc)
	case f.ft == ftEther:
		g = q.Ether(name, f.label, f.doc)
	case f.ft == ftGUID:
		g = q.GUID(name, f.label, f.doc)
	case f.ft == ftFrameNum:
		g = q.FrameRef(name, f.label, f.doc).Underived()
	case f.ft == ftNone || f.ft == ftProtocol:
		g = q.Label(name, f.label, f.doc)
	case f.isText() || f.ft == ftOID || f.ft == ftRelOID || f.ft == ftSystemID || f.ft == ftEUI64:
		g = q.String(name, f.label, f.doc)
	default:
		g = q.Bytes(name, f.label, f.doc)
	}
	if f.mask != 0 {
		g.Masked(f.mask)
	}
	if f.ft == ftBoolean {
		if bits := f.base; bits >= 8 && bits <= 64 {
			g.Wide((bits + 7) / 8)
		}
	}
	switch f.base & 0xff {
	case baseHex:
		g.Hex()
	case baseOct:
		g.Oct()
	case baseDecHex:
		g.HexDec()
	case baseHexDec:
		g.HexFirst()
	}
	if f.isNumber() {
		if len(f.values) > 0 {
			g.Named(f.values)
		}
		if len(f.values)+len(f.ranges)+len(f.units) > 0 || f.ft == ftChar {
			g.Format(f.number)
		}
	}
	f.f = g.OtherName(f.abbr)
}

// isUTC tells of a time that it is shown as that of UTC everywhere.
func (f *pfield) isUTC() bool { return f.base&0xff == baseUTC || f.base&0xff == baseDayOfYear }

func (f *pfield) isNumber() bool { return f.ft >= ftChar && f.ft <= ftInt64 }
func (f *pfield) isText() bool {
	return f.ft == ftString || f.ft == ftStringZ || f.ft == ftUintString || f.ft == ftStringZPad || f.ft == ftStringZTrunc
}

// digits is a number in the field's base.
func (f *pfield) digits(v uint64) string {
	if f.ft >= ftInt8 && f.ft <= ftInt64 {
		return strconv.FormatInt(int64(v), 10)
	}
	width := 2 * sizes[f.ft]
	if f.mask != 0 {
		for width = 0; f.mask>>trailing(f.mask)>>(4*width) != 0; width++ {
		}
	}
	hex := fmt.Sprintf("0x%0*x", width, v)
	switch f.base & 0xff {
	case baseHex:
		return hex
	case baseOct:
		return fmt.Sprintf("0%o", v)
	case baseDecHex:
		return fmt.Sprintf("%d (%s)", v, hex)
	case baseHexDec:
		return fmt.Sprintf("%s (%d)", hex, v)
	}
	return strconv.FormatUint(v, 10)
}

func trailing(mask uint64) (n int) {
	for mask != 0 && mask>>n&1 == 0 {
		n++
	}
	return n
}

// number writes a number as Wireshark does: with its name, range or unit.
func (f *pfield) number(v uint64) string {
	digits := f.digits(v)
	switch {
	case len(f.units) > 0:
		unit := f.units[0]
		if len(f.units) > 1 && v != 1 {
			unit = f.units[1]
		}
		return digits + unit
	case f.ft == ftChar && len(f.values)+len(f.ranges) == 0:
		return f.character(byte(v))
	case len(f.values)+len(f.ranges) > 0:
		if f.ft == ftChar {
			digits = f.character(byte(v))
		}
		name, ok := f.values[v]
		for _, r := range f.ranges {
			if !ok && v >= r.from && v <= r.to {
				name, ok = r.text, true
			}
		}
		if !ok {
			name = "Unknown"
		}
		if f.base&0xff == 0 && len(f.ranges) == 0 {
			return name
		}
		switch f.base & 0xff { // beside a name, one of two bases is enough
		case baseDecHex:
			digits = strconv.FormatUint(v, 10)
		case baseHexDec:
			digits, _, _ = strings.Cut(digits, " ")
		}
		return name + " (" + digits + ")"
	}
	return digits
}

// character is a byte as C writes it.
func (f *pfield) character(c byte) string {
	switch at := strings.IndexByte("\x00\a\b\f\n\r\t\v\\'\"", c); {
	case at >= 0:
		return "'\\" + `0abfnrtv\'"`[at:at+1] + "'"
	case c >= 0x20 && c < 0x7f:
		return "'" + string(rune(c)) + "'"
	case f.base&0xff == baseOct:
		return fmt.Sprintf("'\\%03o'", c)
	}
	return fmt.Sprintf("'\\x%02x'", c)
}

// declarePrefs declares the preferences, so that -o knows them.
func (p *proto) declarePrefs() {
	if p.prefs == nil {
		return
	}
	for _, name := range p.prefs.names {
		f := p.prefs.all[name]
		switch f.kind {
		case "bool":
			p.p.Switch(name, f.label, f.doc, f.first == lua.LTrue)
		case "uint":
			p.p.Amount(name, f.label, f.doc, uint64(lua.LVAsNumber(f.first)))
		case "string", "range", "enum":
			p.p.Text(name, f.label, f.doc)
		}
	}
	if p.set && p.changed != nil {
		p.m.plainCall(p.changed)
	}
}
