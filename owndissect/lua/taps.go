package lua

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

// A listener is what a script has called for each packet that a filter lets through, when all is known of it.
type listener struct {
	m           *machine
	tap, filter string
	packet      *lua.LFunction
	draw, reset *lua.LFunction
	removed     bool
	seen        dissect.FrameNum // that it was called for last
	match       Match
	fields      []*dissect.Field
}

// A Match tells whether a packet that is dissected passes a filter.
type Match func(t *dissect.Tree) bool

// Taps are the listeners of a script, for whoever draws what they found.
type Taps struct{ m *machine }

// Draw has the listeners say what they found.
func (t *Taps) Draw() {
	m := t.m
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drawn()
}

func (m *machine) drawn() {
	m.drawTaps()
	for _, tap := range slices.Clone(m.taps) {
		if tap.reset != nil && !tap.removed && !m.o.Printing {
			m.plainCall(tap.reset)
		}
	}
	for _, p := range m.protos {
		if p.init != nil {
			m.plainCall(p.init)
		}
	}
	for _, d := range m.dumps {
		if d.to != nil {
			if err := d.to.Flush(); err != nil {
				m.say(err.Error())
			}
		}
	}
}

// drawTaps has the listeners say what they found; as Wireshark does, the last one first.
func (m *machine) drawTaps() {
	m.steps.grant(loadSteps)
	for _, tap := range slices.Backward(slices.Clone(m.taps)) {
		if tap.draw != nil && !tap.removed {
			m.plainCall(tap.draw)
		}
	}
}

// plainCall calls a function without a packet.
func (m *machine) plainCall(fn *lua.LFunction, args ...lua.LValue) {
	top := m.l.GetTop()
	if err := m.l.CallByParam(lua.P{Fn: fn, Protect: true}, args...); err != nil {
		m.l.SetTop(top)
		m.say(m.told(err).Error())
	}
}

// tapNames are taps that tell a table of what they are about.
var tapNames = map[string]bool{"": false, "frame": false, "eth": true, "ip": true, "ipv6": true, "tcp": true,
	"udp":  true,
	"http": true, "dns": true, "dhcp": false, "icmp": true, "icmpv6": true, "wlan": true, "actrace": true, "ansi_a": true,
	"ansi_map": true, "h225": true, "h245": true, "isup": true, "ldap": true, "mac-lte": true, "rtp": true, "sip": true,
	"smb": true, "smb2": true, "tls": false, "sctp": true, "rtcp": true, "arp": false, "http2": true, "gtp": true}

func (m *machine) openTaps() {
	m.tap = m.newClass("Listener", functions{
		"new": func(l *lua.LState) int {
			t := &listener{m: m, tap: l.OptString(1, "frame"), filter: l.OptString(2, "")}
			if l.Get(1) == lua.LNil {
				t.tap = "frame"
			}
			if _, known := tapNames[t.tap]; !known {
				if m.reg.Protocol(t.tap) == nil && m.byName[t.tap] == nil {
					l.ArgError(1, "tap not found: "+t.tap)
				}
			}
			m.readyTap(l, t)
			m.taps = append(m.taps, t)
			m.tapped.any.Store(true)
			l.Push(m.tap.object(t))
			return 1
		},
		"list": func(l *lua.LState) int {
			out := l.NewTable()
			for name := range tapNames {
				out.Append(str(name))
			}
			l.Push(out)
			return 1
		},
		"remove": func(l *lua.LState) int {
			t := arg[*listener](l, 1, "Listener")
			t.removed = true
			m.taps = slices.DeleteFunc(m.taps, func(u *listener) bool { return u == t })
			m.tapped.any.Store(len(m.taps) > 0)
			return 0
		},
		"__tostring": func(l *lua.LState) int {
			t := arg[*listener](l, 1, "Listener")
			l.Push(str("Listener(" + t.tap + ") filter: " + t.filter))
			return 1
		},
	})
	put := func(name string, at func(t *listener) **lua.LFunction) {
		m.tap.set[name] = func(l *lua.LState, v any, to lua.LValue) {
			f, ok := to.(*lua.LFunction)
			if !ok && to != lua.LNil {
				l.RaiseError("a function is wanted")
			}
			*at(v.(*listener)) = f
		}
	}
	put("packet", func(t *listener) **lua.LFunction { return &t.packet })
	put("draw", func(t *listener) **lua.LFunction { return &t.draw })
	put("reset", func(t *listener) **lua.LFunction { return &t.reset })
}

// readyTap compiles a listener's filter. What is declared while the script is loaded waits until all fields are known.
func (m *machine) readyTap(l *lua.LState, t *listener) {
	if t.filter == "" || m.o.Filter == nil {
		return
	}
	match, fields, err := m.o.Filter(m.reg, t.filter)
	switch {
	case err == nil:
		t.match, t.fields = match, fields
	case m.loading && len(m.protos) > 0: // it may name fields of the script itself
	default:
		l.ArgError(2, "filter expression: "+err.Error())
	}
}

// readyTaps compiles the filters that name fields of the script.
func (m *machine) readyTaps() {
	for _, t := range m.taps {
		if t.filter != "" && t.match == nil && m.o.Filter != nil {
			match, fields, err := m.o.Filter(m.reg, t.filter)
			if err != nil {
				m.say(m.file.Path + ": the filter of a Listener: " + err.Error())
				match = func(*dissect.Tree) bool { return false }
			}
			t.match, t.fields = match, fields
		}
	}
	if m.o.Taps != nil {
		m.o.Taps(&Taps{m})
	}
}

// passed has the listeners look at a packet.
func (m *machine) passed(d *dissect.D) {
	if len(m.taps) == 0 {
		return
	}
	unlock := m.enter(d)
	defer unlock()
	r := m.begun(d, nil)
	defer r.end()
	if len(m.protos) > 0 {
		r.proto = m.protos[0]
	}
	r.tap = true
	r.pi = m.pinfo.object(r.pinfo)
	whole := d.Recorder().Tree().Source(0)
	tv := m.tvb.object(&tvb{b: whole, src: foreignSource, reported: len(whole)})
	for i := 0; i < len(m.taps); i++ { // they may make others, and remove some
		t := m.taps[i]
		if t.seen == d.Frame || t.packet == nil || t.removed || !t.concerns(d) {
			continue
		}
		t.seen = d.Frame
		m.steps.grant(packetSteps)
		var info lua.LValue = lua.LNil
		if tapNames[t.tap] {
			info = m.tapInfo(t.tap, d)
		}
		m.plainCall(t.packet, r.pi, tv, info)
		if i >= len(m.taps) || m.taps[i] != t {
			i = -1
		}
	}
}

// concerns tells whether the packet has the tap's protocol, and passes the filter.
func (t *listener) concerns(d *dissect.D) bool {
	tree := d.Recorder().Tree()
	if t.tap != "frame" && t.tap != "" {
		p := t.m.reg.Protocol(t.tap)
		if p == nil || !slices.Contains(d.Packet().Layers(), p) {
			return false
		}
	}
	return t.match == nil || t.match(tree)
}

// tapInfo is what a tap tells: the fields of its protocol by the last parts of their names.
func (m *machine) tapInfo(tap string, d *dissect.D) *lua.LTable {
	out, t := m.l.NewTable(), d.Recorder().Tree()
	r := m.run
	for i := range t.Nodes {
		f := t.Field(i)
		name, ok := cutPrefix(f.Name(), tap+".")
		if !ok {
			continue
		}
		info := &fieldInfo{m: m, r: r, node: t.Nodes[i], index: i, field: f, raw: t.Raw(i)}
		if alias := tapFields[tap+"."+name]; alias != "" {
			out.RawSetString(alias, info.value())
		}
		if out.RawGetString(name) == lua.LNil {
			out.RawSetString(name, info.value())
		}
	}
	return out
}

// tapFields are what taps call fields, where that is no field's name.
var tapFields = map[string]string{"ip.src": "ip_src", "ip.dst": "ip_dst", "ip.proto": "ip_proto", "ip.ttl": "ip_ttl",
	"ip.len": "ip_len", "ip.id": "ip_id", "tcp.srcport": "th_sport", "tcp.dstport": "th_dport", "tcp.seq": "th_seq",
	"tcp.ack": "th_ack", "tcp.window_size": "th_win", "tcp.flags": "th_flags", "tcp.len": "th_seglen",
	"udp.srcport": "uh_sport", "udp.dstport": "uh_dport", "udp.length": "uh_ulen", "udp.stream": "uh_stream",
	"tcp.stream": "th_stream", "eth.type": "type", "http.request.method": "request_method",
	"http.response.code": "response_code", "http.host": "http_host", "http.request.uri": "request_uri",
	"ip.version": "ip_v"}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) > len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):], true
	}
	return "", false
}

// begin has the protocols begin a capture.
func (m *machine) begin(s *dissect.Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.conv = map[convKey]lua.LValue{}
	m.steps.grant(loadSteps)
	for _, p := range m.protos {
		if p.init != nil {
			m.plainCall(p.init)
		}
	}
}
