package lua

import (
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

// A dissector is one that scripts call: of a protocol of theirs, or of any other.
type dissector struct {
	name  string
	proto *proto // nil: not the script's
}

// A tableInfo is a dissector table that scripts ask for.
type tableInfo struct {
	name  dissect.Table
	title string
	words bool // its keys are text
	own   bool
}

func (m *machine) openDissectors() {
	m.dissector = m.newClass("Dissector", functions{
		"get": func(l *lua.LState) int {
			name := strings.ToLower(l.CheckString(1))
			if d := m.findDissector(name); d != nil {
				l.Push(m.dissector.object(d))
			} else {
				l.Push(lua.LNil)
			}
			return 1
		},
		"list": func(l *lua.LState) int {
			t := l.NewTable()
			for _, p := range m.reg.Protocols() {
				t.Append(str(p.Name()))
			}
			for _, p := range m.protos {
				t.Append(str(p.name))
			}
			l.Push(t)
			return 1
		},
		"call":   m.callDissector,
		"__call": m.callDissector,
		"__tostring": func(l *lua.LState) int {
			d := arg[*dissector](l, 1, "Dissector")
			name := strings.ToUpper(d.name)
			if p := m.reg.Protocol(d.name); p != nil {
				name = p.Title()
			}
			l.Push(str(name))
			return 1
		},
	}).plain()
	m.openTables()
	m.l.SetGlobal("dissect_tcp_pdus", m.l.NewFunction(m.tcpPDUs))
	m.l.SetGlobal("register_postdissector", m.l.NewFunction(func(l *lua.LState) int {
		p := arg[*proto](l, 1, "Proto")
		if !m.loading || m.posts[p] {
			l.RaiseError("the protocol is a postdissector already, or the script is loaded")
		}
		m.posts[p] = true
		return 0
	}))
}

func (m *machine) findDissector(name string) *dissector {
	if p := m.byName[name]; p != nil {
		return &dissector{name, p}
	}
	if alias := otherNames[name]; alias != "" {
		return &dissector{name: alias}
	}
	if m.reg.Protocol(name) != nil {
		return &dissector{name: name}
	}
	return nil
}

// otherNames are dissectors that Wireshark has by names that are no protocols of remora.
var otherNames = map[string]string{"eth_withoutfcs": "eth", "eth_withfcs": "eth", "eth_maybefcs": "eth",
	"data-text-lines": "data", "http-over-tcp": "http"}

// callDissector calls a dissector on a tvb: dissector:call(tvb, pinfo, tree).
func (m *machine) callDissector(l *lua.LState) int {
	d := arg[*dissector](l, 1, "Dissector")
	if d.proto != nil {
		return m.callProto(l, d.proto, 2)
	}
	t := arg[*tvb](l, 2, "Tvb")
	r := m.mustRun(l)
	name := dataName(d.name)
	if what := m.privates["pb_msg_type"]; name == "protobuf" && what != "" {
		name += toldBy + what
	}
	r.takeIn(l, 4, step{kind: stepCall, text: name, src: t.src, off: t.off, n: len(t.b)})
	l.Push(number(len(t.b)))
	return 1
}

// toldBy parts the name of a protocol that is called from what it is told of the bytes.
const toldBy = "\x00"

// dataName is "" for the dissector that shows plain data.
func dataName(name string) string {
	if name == "data" {
		return ""
	}
	return name
}

func (m *machine) mustRun(l *lua.LState) *run {
	if m.run == nil {
		l.RaiseError("it can only be called while a packet is dissected")
	}
	return m.run
}

// callProto calls a script's own protocol: its items go below the item that it is given.
func (m *machine) callProto(l *lua.LState, p *proto, n int) int {
	r := m.mustRun(l)
	if p.dissector == nil {
		l.RaiseError("Proto %s has no dissector", p.name)
	}
	was := r.proto
	if r.proto.p == nil {
		r.proto = p
	}
	l.Push(p.dissector)
	for i := n; i < n+3; i++ {
		l.Push(l.Get(i))
	}
	l.Call(3, 1)
	r.proto = was
	if _, ok := l.Get(-1).(lua.LNumber); !ok {
		if t, ok := is[*tvb](l.Get(n)); ok {
			l.Push(number(len(t.b)))
		}
	}
	return 1
}

func (m *machine) openTables() {
	self := func(l *lua.LState) *tableInfo { return arg[*tableInfo](l, 1, "DissectorTable") }
	m.table = m.newClass("DissectorTable", functions{
		"new": func(l *lua.LState) int {
			t := &tableInfo{name: dissect.Table(l.CheckString(1)), title: l.OptString(2, l.CheckString(1)), own: true}
			if kind := optInt(l, 3, ftUint32); kind == ftString {
				t.words = true
			}
			m.tables[string(t.name)] = t
			m.reg.AddTable(t.name)
			l.Push(m.table.object(t))
			return 1
		},
		"get": func(l *lua.LState) int {
			if t := m.findTable(l.CheckString(1)); t != nil {
				l.Push(m.table.object(t))
				return 1
			}
			l.Push(lua.LNil)
			return 1
		},
		"list":              m.listTables,
		"heuristic_list":    m.listHeuristics,
		"add":               func(l *lua.LState) int { return m.attach(l, self(l), true) },
		"set":               func(l *lua.LState) int { return m.attach(l, self(l), true) },
		"add_for_decode_as": func(l *lua.LState) int { return 0 },
		"remove":            func(l *lua.LState) int { return m.attach(l, self(l), false) },
		"remove_all": func(l *lua.LState) int {
			t, p := self(l), m.dissectorArg(l, 2)
			if q := m.byName[p]; q != nil {
				q.attached = slices.DeleteFunc(q.attached, func(k dissect.Key) bool { return k.Table == t.name })
			}
			return 0
		},
		"try": func(l *lua.LState) int {
			t, r := self(l), m.mustRun(l)
			tv := arg[*tvb](l, 3, "Tvb")
			key, ok := t.key(l.Get(2))
			took := ok && r.takeIn(l, 5,
				step{kind: stepTable, text: string(t.name), key: key, src: tv.src, off: tv.off, n: len(tv.b)})
			if took {
				l.Push(number(len(tv.b)))
			} else {
				l.Push(number(0))
			}
			return 1
		},
		"try_heuristics": func(l *lua.LState) int {
			t, known := heuristicTables[l.CheckString(1)]
			tv, r := arg[*tvb](l, 2, "Tvb"), m.mustRun(l)
			if !known {
				l.ArgError(1, "no such heuristic list")
			}
			l.Push(boolean(r.takeIn(l, 4, step{kind: stepGuess, text: string(t), src: tv.src, off: tv.off, n: len(tv.b)})))
			return 1
		},
		"get_dissector": func(l *lua.LState) int {
			t := self(l)
			if key, ok := t.key(l.Get(2)); ok {
				if name := m.attachedTo(t, key); name != "" {
					l.Push(m.dissector.object(&dissector{name: name, proto: m.byName[name]}))
					return 1
				}
			}
			l.Push(lua.LNil)
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			l.Push(str("DissectorTable " + string(self(l).name)))
			return 1
		},
	}).plain()
}

func (m *machine) findTable(name string) *tableInfo {
	if t := m.tables[name]; t != nil {
		return t
	}
	if slices.Contains(m.reg.Tables(), dissect.Table(name)) {
		return &tableInfo{name: dissect.Table(name), title: name, words: otherTables[name]}
	}
	if _, known := otherTables[name]; known {
		return &tableInfo{name: dissect.Table(name), title: name, words: otherTables[name]}
	}
	return nil
}

// otherTables are tables of Wireshark that no protocol of remora has; true are those whose keys are text.
var otherTables = map[string]bool{"media_type": true, "sctp.port": false, "dccp.port": false, "tls.port": false,
	"wtap_encap": false, "usb.bulk": false, "usb.control": false, "usb.interrupt": false, "tls.alpn": true,
	"dtls.port": false, "sctp.ppi": false, "protobuf_field": true, "protobuf_udp_message": true, "ws.protocol": true,
	"ws.port": false, "grpc_message_type": true, "bluetooth.uuid": true, "btl2cap.psm": false, "btl2cap.cid": false,
	"gsm_sms_ud.udh.port": false, "isup.bicc": false, "ethertype": false, "ip.proto": false}

// key is a key of the table as the engine has it.
func (t *tableInfo) key(v lua.LValue) (uint32, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return uint32(v), true
	case lua.LString:
		if n, err := strconv.ParseUint(string(v), 0, 32); err == nil && !t.words {
			return uint32(n), true
		}
		return dissect.Word(string(v)), true
	}
	return 0, false
}

func (m *machine) attachedTo(t *tableInfo, key uint32) string {
	for _, p := range m.protos {
		if slices.Contains(p.attached, dissect.Key{Table: t.name, Value: key}) {
			return p.name
		}
	}
	return m.reg.AttachedTo(dissect.Key{Table: t.name, Value: key})
}

// dissectorArg is the name of the protocol that an argument means.
func (m *machine) dissectorArg(l *lua.LState, n int) string {
	if p, ok := is[*proto](l.Get(n)); ok {
		return p.name
	}
	return arg[*dissector](l, n, "Proto or Dissector").name
}

// keys are the keys that an argument names: a number, text, or ranges as text.
func (t *tableInfo) keys(l *lua.LState, n int) []uint32 {
	s, ok := l.Get(n).(lua.LString)
	if !ok || t.words {
		key, ok := t.key(l.Get(n))
		if !ok {
			l.ArgError(n, "a number or text is wanted")
		}
		return []uint32{key}
	}
	var out []uint32
	for part := range strings.SplitSeq(string(s), ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.ParseUint(low, 0, 32)
		to := from
		if isRange && err == nil {
			to, err = strconv.ParseUint(high, 0, 32)
		}
		if err != nil || to < from || to-from > 1<<16 {
			l.ArgError(n, "invalid range: "+string(s))
		}
		for v := from; v <= to; v++ {
			out = append(out, uint32(v))
		}
	}
	return out
}

// attach attaches a protocol to a key, or takes it away.
func (m *machine) attach(l *lua.LState, t *tableInfo, on bool) int {
	name := m.dissectorArg(l, 3)
	for _, key := range t.keys(l, 2) {
		k := dissect.Key{Table: t.name, Value: key}
		p := m.byName[name]
		switch {
		case m.loading && p != nil && on:
			if !slices.Contains(p.attached, k) {
				p.attached = append(p.attached, k)
			}
		case m.loading && p != nil:
			p.attached = slices.DeleteFunc(p.attached, func(q dissect.Key) bool { return q == k })
		case m.loading && on:
			if err := m.reg.Prefer(k, name); err != nil {
				l.RaiseError("%s", err.Error())
			}
		case m.loading:
			m.reg.Detach(k, name)
		case on && m.run != nil:
			m.run.d.Session().Attach(k, name)
		}
	}
	return 0
}

func (m *machine) listTables(l *lua.LState) int {
	t := l.NewTable()
	for _, name := range m.reg.Tables() {
		t.Append(str(string(name)))
	}
	l.Push(t)
	return 1
}

func (m *machine) listHeuristics(l *lua.LState) int {
	t := l.NewTable()
	t.Append(str("tcp"))
	t.Append(str("udp"))
	l.Push(t)
	return 1
}

// tcpPDUs has a function dissect each of the messages that another one tells the length of.
func (m *machine) tcpPDUs(l *lua.LState) int {
	t, head := arg[*tvb](l, 1, "Tvb"), intArg(l, 3)
	length, dissect := l.CheckFunction(4), l.CheckFunction(5)
	desegment := l.GetTop() < 6 || l.ToBool(6)
	r := m.mustRun(l)
	pi := r.pi
	for off := 0; off < len(t.b); {
		lack := func(n int) int {
			r.pinfo.desegmentOffset, r.pinfo.desegmentLen = off, n
			return 0
		}
		if len(t.b)-off < head {
			if r.pinfo.canDesegment > 0 && desegment {
				return lack(oneMoreSegment)
			}
		}
		rest := &tvb{b: t.b[off:], src: t.src, off: t.off + off, reported: len(t.b) - off}
		l.Push(length)
		l.Push(m.tvb.object(t))
		l.Push(pi)
		l.Push(number(off))
		l.Call(3, 1)
		n := int(lua.LVAsNumber(l.Get(-1)))
		l.Pop(1)
		if n == 0 { // it takes more bytes to tell
			return lack(oneMoreSegment)
		}
		if n < head {
			l.RaiseError("the length of a message is shorter than its header: %d", n)
		}
		if n > len(rest.b) && r.pinfo.canDesegment > 0 && desegment {
			return lack(n - len(rest.b))
		}
		part := &tvb{b: rest.b[:min(n, len(rest.b))], src: rest.src, off: rest.off, reported: n}
		l.Push(dissect)
		l.Push(m.tvb.object(part))
		l.Push(pi)
		l.Push(l.Get(2))
		l.Call(3, 1)
		l.Pop(1)
		off += n
	}
	return 0
}
