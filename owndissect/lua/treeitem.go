package lua

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

func (m *machine) openItem() {
	self := func(l *lua.LState) *item {
		it := arg[*item](l, 1, "TreeItem")
		if it.run == nil || m.run == nil || it.run.top() != m.run.top() {
			l.RaiseError("expired tree")
		}
		return it
	}
	text := func(change func(it *item, s string)) lua.LGFunction {
		return func(l *lua.LState) int {
			change(self(l), shownValue(l, l.Get(2)))
			l.SetTop(1)
			return 1
		}
	}
	set := func(change func(it *item, on bool)) lua.LGFunction {
		return func(l *lua.LState) int {
			change(self(l), l.GetTop() < 2 || l.ToBool(2))
			l.SetTop(1)
			return 1
		}
	}
	add := func(little bool) lua.LGFunction {
		return func(l *lua.LState) int {
			l.Push(m.item.object(m.addItem(l, self(l), little)))
			return 1
		}
	}
	m.item = m.newClass("TreeItem", functions{
		"add":                   add(false),
		"add_le":                add(true),
		"add_packet_field":      func(l *lua.LState) int { return m.addPacketField(l, self(l)) },
		"set_text":              text(func(it *item, s string) { it.label, it.front, it.behind = s, "", "" }),
		"append_text":           text(func(it *item, s string) { it.behind += s }),
		"prepend_text":          text(func(it *item, s string) { it.front = s + it.front }),
		"set_generated":         set(func(it *item, on bool) { it.generated = on }),
		"set_hidden":            set(func(it *item, on bool) { it.hidden = on }),
		"add_expert_info":       func(l *lua.LState) int { return m.addExpert(l, self(l)) },
		"add_proto_expert_info": func(l *lua.LState) int { return m.addProtoExpert(l, self(l), nil, 2) },
		"add_tvb_expert_info": func(l *lua.LState) int {
			it := self(l)
			r, ok := is[*tvbRange](l.Get(3))
			if t, isTvb := is[*tvb](l.Get(3)); !ok && isTvb {
				r = &tvbRange{t, 0, len(t.b)}
			} else if !ok {
				r = arg[*tvbRange](l, 3, "TvbRange")
			}
			l.Remove(3)
			return m.addProtoExpert(l, it, r, 2)
		},
		"set_len": func(l *lua.LState) int {
			it := self(l)
			it.n = max(0, intArg(l, 2))
			l.SetTop(1)
			return 1
		},
		"referenced": func(l *lua.LState) int {
			self(l)
			name := ""
			if f, ok := is[*pfield](l.Get(2)); ok {
				name = f.abbr
			} else if p, ok := is[*proto](l.Get(2)); ok {
				name = p.name
			}
			l.Push(boolean(!m.o.NoTrees || m.o.Referenced != nil && m.o.Referenced(name)))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			it := arg[*item](l, 1, "TreeItem")
			l.Push(str("TreeItem: " + it.text()))
			return 1
		},
	})
	attr(m.item, "text", func(it *item) lua.LValue { return str(it.text()) })
	attr(m.item, "visible", func(*item) lua.LValue { return boolean(!m.o.NoTrees) })
	attr(m.item, "generated", func(it *item) lua.LValue { return boolean(it.generated) })
	attr(m.item, "hidden", func(it *item) lua.LValue { return boolean(it.hidden) })
	attr(m.item, "len", func(it *item) lua.LValue { return number(it.n) })
	setter := func(name string, put func(it *item, v lua.LValue)) {
		m.item.set[name] = func(_ *lua.LState, v any, to lua.LValue) { put(v.(*item), to) }
	}
	setter("text", func(it *item, v lua.LValue) { it.label, it.front, it.behind = v.String(), "", "" })
	setter("generated", func(it *item, v lua.LValue) { it.generated = lua.LVAsBool(v) })
	setter("hidden", func(it *item, v lua.LValue) { it.hidden = lua.LVAsBool(v) })
	setter("len", func(it *item, v lua.LValue) { it.n = int(lua.LVAsNumber(v)) })
}

func (r *run) top() *run {
	for r.outer != nil {
		r = r.outer
	}
	return r
}

// extent is where an item lies by a range or tvb among the arguments.
func (it *item) extent(l *lua.LState, n int) (r *tvbRange, next int) {
	if r, ok := is[*tvbRange](l.Get(n)); ok {
		it.src, it.off, it.n = r.t.src, r.t.off+r.off, r.n
		return r, n + 1
	}
	if t, ok := is[*tvb](l.Get(n)); ok {
		it.src, it.off, it.n = t.src, t.off, len(t.b)
		return &tvbRange{t, 0, len(t.b)}, n + 1
	}
	it.outside = true
	return nil, n
}

// addItem is what add and add_le do: a field, protocol or text; where it lies; its value; its text.
func (m *machine) addItem(l *lua.LState, parent *item, little bool) *item {
	it := &item{little: little}
	n := 2
	if f, ok := is[*pfield](l.Get(2)); ok {
		it.field, n = f, 3
	} else if p, ok := is[*proto](l.Get(2)); ok {
		it.proto, n = p, 3
	} else if p := arg2proto(l.Get(2)); p != nil {
		it.proto, n = p, 3
	}
	r, next := it.extent(l, n)
	n = next
	if it.field != nil {
		if v := l.Get(n); n <= l.GetTop() && v != lua.LNil {
			it.field.set(l, it, v, n)
			n++
		} else {
			if n <= l.GetTop() {
				n++
			}
			if r != nil {
				it.field.read(l, it, r)
			} else if it.field.ft != ftNone && it.field.ft != ftProtocol {
				l.RaiseError("TreeItem.add: a value or a range is wanted for %s", it.field.abbr)
			}
		}
		if n <= l.GetTop() {
			it.label = shownValue(l, l.Get(n))
			n++
		}
	} else if it.proto == nil || n <= l.GetTop() {
		if n <= l.GetTop() {
			it.label = shownValue(l, l.Get(n))
			n++
		}
	}
	for ; n <= l.GetTop(); n++ {
		it.behind += " " + shownValue(l, l.Get(n))
	}
	return parent.run.add(parent, it)
}

func arg2proto(v lua.LValue) *proto {
	if d, ok := is[*dissector](v); ok {
		return d.proto
	}
	return nil
}

// masked is a number as the field has it.
func (f *pfield) masked(v uint64) uint64 {
	if f.mask != 0 {
		return v & f.mask >> trailing(f.mask)
	}
	return v
}

// read takes the value from bytes.
func (f *pfield) read(l *lua.LState, it *item, r *tvbRange) {
	b := r.bytes()
	load := beUint
	if it.little {
		load = leUint
	}
	num := func(most int) uint64 {
		if len(b) > most {
			b, it.n = b[:most], most
		}
		return load(b)
	}
	switch {
	case f.ft == ftBoolean || f.ft >= ftChar && f.ft <= ftUint64 || f.ft == ftFrameNum || f.ft == ftIPX:
		v := f.masked(num(8))
		if f.ft == ftBoolean && v != 0 {
			v = 1
		}
		it.value.n = v
	case f.ft >= ftInt8 && f.ft <= ftInt64:
		v := num(8)
		if f.mask != 0 {
			it.value.n = f.masked(v)
		} else {
			it.value.n = uint64(extend(v, max(1, len(b))))
		}
	case f.ft == ftFloat || f.ft == ftDouble:
		if len(b) != 4 && len(b) != 8 {
			l.RaiseError("a float has 4 or 8 bytes")
		}
		it.value.n = math.Float64bits(floatOf(load(b), len(b)))
	case f.ft == ftAbsolute || f.ft == ftRelative:
		t := nstime{}
		switch {
		case len(b) >= 8:
			t = nstime{int64(load(b[:4])), int64(int32(load(b[4:8])))}
		case len(b) == 4:
			t.secs = int64(load(b))
		}
		it.value.n = uint64(t.ns())
	case f.ft == ftIPv4:
		it.value.n = num(4)
	case f.ft == ftEther:
		it.value.n = beUint(b[:min(6, len(b))])
	case f.ft == ftUintBytes || f.ft == ftUintString:
		n := int(load(b))
		rest := r.t.b[r.off+r.n:]
		rest = rest[:min(n, len(rest))]
		it.n += len(rest)
		it.value.text = rest
	case f.ft == ftString:
		it.value.text = []byte(strings.TrimRight(decoded(untilZero(b), encUTF8), "\x00"))
	case f.ft == ftStringZ:
		if z := zeroIn(b); it.n > 0 && z <= len(b) {
			b = b[:z]
			it.n = z
		}
		it.value.text = []byte(decoded(untilZero(b), encUTF8))
	case f.ft == ftGUID && it.little && len(b) >= 16:
		f.setBytes(it, []byte{b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
			b[15]})
	default:
		f.setBytes(it, b)
	}
}

func untilZero(b []byte) []byte {
	for i, c := range b {
		if c == 0 {
			return b[:i]
		}
	}
	return b
}

// setBytes gives a field of bytes its value: as text where that is how it is written.
func (f *pfield) setBytes(it *item, b []byte) {
	it.raw = append([]byte{}, b...)
	switch f.ft {
	case ftOID, ftRelOID:
		it.value.text = []byte(oidText(b, f.ft == ftOID))
	case ftSystemID, ftEUI64:
		it.value.text = []byte(hexOf(b, true, ":"))
	default:
		it.value.text = it.raw
	}
}

func oidText(b []byte, absolute bool) string {
	var parts []string
	v := uint64(0)
	for _, c := range b {
		v = v<<7 | uint64(c&0x7f)
		if c&0x80 != 0 {
			continue
		}
		if absolute && len(parts) == 0 {
			parts = append(parts, strconv.FormatUint(min(v/40, 2), 10))
			v -= 40 * min(v/40, 2)
		}
		parts = append(parts, strconv.FormatUint(v, 10))
		v = 0
	}
	return strings.Join(parts, ".")
}

// set takes the value from an argument.
func (f *pfield) set(l *lua.LState, it *item, v lua.LValue, n int) {
	switch {
	case f.ft == ftBoolean:
		if lua.LVAsBool(v) && v != lua.LNumber(0) {
			it.value.n = 1
		}
	case f.ft == ftFloat || f.ft == ftDouble:
		it.value.n = math.Float64bits(float64(l.CheckNumber(n)))
	case f.ft >= ftChar && f.ft <= ftInt64 || f.ft == ftFrameNum || f.ft == ftIPX:
		if s, ok := v.(lua.LString); ok {
			if _, err := strconv.ParseFloat(string(s), 64); err != nil {
				l.ArgError(n, "number expected, got string")
			}
		}
		it.value.n = f.masked(wideArg(l, n))
	case f.ft == ftAbsolute || f.ft == ftRelative:
		if s, ok := v.(lua.LNumber); ok {
			it.value.n = uint64(int64(float64(s) * 1e9))
			return
		}
		it.value.n = uint64(timeArg(l, n).ns())
	case f.ft == ftIPv4 || f.ft == ftEther || f.ft == ftIPv6:
		b := arg[address](l, n, "Address").bytes()
		if f.ft == ftIPv6 {
			it.value.text = b
		} else {
			it.value.n = beUint(b)
		}
	default:
		switch t := v.(type) {
		case *lua.LUserData:
			switch w := t.Value.(type) {
			case *byteArray:
				f.setBytes(it, w.b)
				return
			case *tvbRange:
				f.setBytes(it, w.bytes())
				return
			case *tvb:
				f.setBytes(it, w.b)
				return
			}
		}
		s := shownValue(l, v)
		if f.ft == ftBytes || f.ft == ftUintBytes {
			it.value.text = []byte(s)
			return
		}
		it.value.text = untilZero([]byte(s))
	}
}

// line is what stands in the tree.
func (f *pfield) line(v value) string {
	if f.ft == ftNone || f.ft == ftProtocol {
		return f.label
	}
	return f.label + ": " + f.shown(v)
}

// shown is the value as people read it.
func (f *pfield) shown(v value) string {
	switch {
	case f.ft == ftBoolean:
		words := f.words
		if words == [2]string{} {
			words = [2]string{"False", "True"}
		}
		return words[min(1, v.n)]
	case f.ft >= ftChar && f.ft <= ftInt64:
		return f.number(v.n)
	case f.ft == ftFrameNum || f.ft == ftIPX:
		return strconv.FormatUint(v.n, 10)
	case f.ft == ftFloat:
		return strconv.FormatFloat(math.Float64frombits(v.n), 'g', 6, 64)
	case f.ft == ftDouble:
		return strconv.FormatFloat(math.Float64frombits(v.n), 'g', 15, 64)
	case f.ft == ftAbsolute && f.base&0xff == baseDayOfYear:
		return time.Unix(0, int64(v.n)).UTC().Format("2006/002:15:04:05.000000000 UTC")
	case f.ft == ftAbsolute:
		return dissect.TimeText(int64(v.n), time.UTC)
	case f.ft == ftRelative:
		return dissect.SpanText(int64(v.n)) + " seconds"
	case f.ft == ftIPv4:
		return address{kind: '4', b: [16]byte{byte(v.n >> 24), byte(v.n >> 16), byte(v.n >> 8), byte(v.n)}}.String()
	case f.ft == ftEther:
		var a address
		a.kind = 'e'
		for i := range 6 {
			a.b[i] = byte(v.n >> (40 - 8*i))
		}
		return a.String()
	case f.ft == ftIPv6 && len(v.text) == 16:
		return ipv6Address(v.text).String()
	case f.isText() || f.ft == ftOID || f.ft == ftRelOID || f.ft == ftSystemID || f.ft == ftEUI64:
		return string(v.text)
	case f.ft == ftGUID && len(v.text) == 16:
		t := v.text
		return fmt.Sprintf("%x-%x-%x-%x-%x", t[:4], t[4:6], t[6:8], t[8:10], t[10:])
	}
	return f.bytesShown(v.text)
}

// bytesShown are bytes as the tree has them: the first 36, or the first 24 with something between them.
func (f *pfield) bytesShown(b []byte) string {
	sep, most := "", 36
	if s := separators[f.base&0xff]; s != "" && f.isBytes() {
		sep, most = s, 24
	}
	text := hexOf(b[:min(len(b), most)], true, sep)
	if len(b) > most {
		text += "…"
	}
	return text
}

func (f *pfield) isBytes() bool { return f.ft == ftBytes || f.ft == ftUintBytes }

// separators stand between bytes in some bases.
var separators = map[int]string{baseDot: ".", baseDash: "-", baseColon: ":", baseSpace: " "}

// addPacketField adds a field whose value is in the packet, in an encoding, and gives the value and the bytes it took.
func (m *machine) addPacketField(l *lua.LState, parent *item) int {
	f := arg[*pfield](l, 2, "ProtoField")
	it := &item{field: f}
	r, n := it.extent(l, 3)
	if r == nil {
		l.ArgError(3, "TvbRange expected, got "+typeName(l.Get(3)))
	}
	enc := intArg(l, n)
	n++
	it.little = enc&encLittle != 0
	used := r.n
	isTime := f.ft == ftAbsolute || f.ft == ftRelative
	isBytes := f.ft == ftBytes || f.ft == ftUintBytes || f.ft == ftOID || f.ft == ftRelOID || f.ft == ftSystemID
	ok := true
	switch {
	case isTime && enc&encTimes == 0 && enc&encTimeForm != 0:
		var t nstime
		if t, ok = encodedTime(r.bytes(), enc); ok {
			it.value.n = uint64(t.ns())
		}
	case isTime && enc&encTimes != 0:
		var t nstime
		if t, used, ok = timeText(r.bytes(), enc); ok {
			it.value.n = uint64(t.ns())
		}
	case isBytes && enc&encStrHex != 0:
		var b []byte
		if b, used, ok = hexText(r.bytes(), enc); ok {
			f.setBytes(it, b)
		}
	case f.isText() && f.ft != ftUintString:
		b := r.bytes()
		if f.ft == ftStringZ {
			used = zeroIn(b)
			b = b[:used]
			it.n = used
		}
		it.value.text = []byte(strings.TrimRight(decoded(b, enc), "\x00"))
	case f.isNumber() && enc&encStrNum != 0:
		v, err := strconv.ParseInt(strings.TrimSpace(string(untilZero(r.bytes()))), 0, 64)
		ok, it.value.n = err == nil, uint64(v)
	default:
		f.read(l, it, r)
		used = it.n
	}
	if n <= l.GetTop() {
		it.label = shownValue(l, l.Get(n))
	}
	for n++; n <= l.GetTop(); n++ {
		it.behind += " " + shownValue(l, l.Get(n))
	}
	l.Push(m.item.object(parent.run.add(parent, it)))
	if !ok {
		l.Push(lua.LNil)
		return 2
	}
	l.Push(m.itemValue(it))
	l.Push(number(used))
	return 3
}

// itemValue is the value of an item for the script.
func (m *machine) itemValue(it *item) lua.LValue {
	f, v := it.field, it.value
	switch {
	case f == nil:
		return lua.LNil
	case f.ft == ftBoolean:
		return boolean(v.n != 0)
	case f.ft == ftUint64 || f.ft == ftUint56 || f.ft == ftUint48 || f.ft == ftUint40:
		return m.u64.object(v.n)
	case f.ft == ftInt64 || f.ft == ftInt56 || f.ft == ftInt48 || f.ft == ftInt40:
		return m.i64.object(int64(v.n))
	case f.ft >= ftInt8 && f.ft <= ftInt32:
		return number(int64(v.n))
	case f.ft >= ftChar && f.ft <= ftUint32 || f.ft == ftFrameNum || f.ft == ftIPX:
		return number(v.n)
	case f.ft == ftFloat || f.ft == ftDouble:
		return lua.LNumber(math.Float64frombits(v.n))
	case f.ft == ftAbsolute || f.ft == ftRelative:
		t := timeOf(int64(v.n))
		return m.nstime.object(&t)
	case f.ft == ftIPv4:
		return m.addr.object(ipv4Address([]byte{byte(v.n >> 24), byte(v.n >> 16), byte(v.n >> 8), byte(v.n)}))
	case f.ft == ftIPv6 && len(v.text) == 16:
		return m.addr.object(ipv6Address(v.text))
	case f.ft == ftEther:
		var b [6]byte
		for i := range 6 {
			b[i] = byte(v.n >> (40 - 8*i))
		}
		return m.addr.object(etherAddress(b[:]))
	case f.isText():
		return str(string(v.text))
	case f.ft == ftNone || f.ft == ftProtocol:
		return lua.LNil
	case it.raw != nil:
		return m.bytes.object(&byteArray{it.raw})
	}
	return m.bytes.object(&byteArray{v.text})
}

func (m *machine) addExpert(l *lua.LState, parent *item) int {
	group, severity := optInt(l, 2, 0), optInt(l, 3, piNote)
	text := l.OptString(4, "Protocol "+severityNames[severity])
	p := m.runProto(parent)
	it := &item{group: group, severity: severity, expert: p.general[severities[severity]], label: text, src: parent.src,
		off: parent.off, n: parent.n}
	if it.expert == nil {
		l.ArgError(3, "no such severity")
	}
	parent.run.expert(parent, it)
	l.SetTop(1)
	return 1
}

func (m *machine) runProto(it *item) *proto {
	if it.run.proto != nil && it.run.proto.general != nil {
		return it.run.proto
	}
	return m.protos[0]
}

func (r *run) expert(parent, it *item) {
	r.add(parent, it)
	group, severity := groupNames[it.group>>24%len(groupNames)], severityNames[it.severity]
	for _, line := range []string{it.label, "Severity level: " + severity, "Group: " + group} {
		r.add(it, &item{label: line, src: it.src, off: it.off, generated: true})
	}
	it.label = "Expert Info (" + severity + "/" + group + "): " + it.label
	if !r.trial {
		r.d.Recorder().Raise(it.expert)
	}
}

func (m *machine) addProtoExpert(l *lua.LState, parent *item, at *tvbRange, n int) int {
	e := arg[*pexpert](l, n, "ProtoExpert")
	if e.f == nil {
		l.RaiseError("ProtoExpert %s is not registered with its protocol", e.abbr)
	}
	it := &item{group: e.group, severity: e.severity, expert: e.f, label: e.text, src: parent.src, off: parent.off,
		n: parent.n}
	if n+1 <= l.GetTop() {
		it.label = shownValue(l, l.Get(n+1))
	}
	if at != nil { // it has a line of its own
		it.src, it.off, it.n = at.t.src, at.t.off+at.off, at.n
		parent = parent.run.add(parent, &item{label: it.label, src: it.src, off: it.off, n: it.n})
	}
	parent.run.expert(parent, it)
	l.SetTop(1)
	return 1
}

// groupNames and severityNames are how expert infos are called in trees.
var (
	groupNames = []string{"", "Checksum", "Sequence", "Response", "Request", "Undecoded", "Reassemble", "Malformed",
		"Debug",
		"Protocol", "Security", "Comment", "Decryption", "Assumption", "Deprecated"}
	severityNames = map[int]string{piComment: "Comment", piChat: "Chat", piNote: "Note", piWarn: "Warning",
		piError: "Error"}
)
