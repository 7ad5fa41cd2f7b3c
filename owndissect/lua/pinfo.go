package lua

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

// pinfo is what a script is told of the packet.
type pinfo struct {
	r                            *run
	src, dst                     address
	dlSrc, dlDst, netSrc, netDst address
	srcPort, dstPort             int
	known                        bool // the addresses of other layers are looked up
	canDesegment                 int
	desegmentLen                 int
	desegmentOffset              int
	cols                         map[string]string // that the script has set, but protocol and info
	protocol                     string
	info                         string
	infoKnown                    bool
}

func addressOf(a dissect.Addr) address {
	b := a.AppendBytes(nil)
	switch a.Kind() {
	case dissect.AddrIPv4:
		return ipv4Address(b)
	case dissect.AddrIPv6:
		return ipv6Address(b)
	case dissect.AddrEther:
		return etherAddress(b)
	}
	return address{}
}

func (m *machine) packetInfo(r *run) *pinfo {
	d := r.d
	return &pinfo{r: r, src: addressOf(d.Src.Addr), dst: addressOf(d.Dst.Addr), srcPort: int(d.Src.Port),
		dstPort: int(d.Dst.Port)}
}

// look finds the addresses of other layers.
func (p *pinfo) look() {
	if p.known {
		return
	}
	p.known = true
	b := p.r.d.Recorder().Tree().Source(0)
	if p.r.d.Packet().LinkType() == 1 && len(b) >= 12 {
		p.dlDst, p.dlSrc = etherAddress(b[:6]), etherAddress(b[6:12])
	}
	p.netSrc, p.netDst = p.src, p.dst
}

// portTypes are the numbers of Wireshark's kinds of ports.
var portTypes = map[dissect.Table]int{dissect.TableTCP: 2, dissect.TableUDP: 3, "sctp.port": 1}

var transportNumbers = map[dissect.Table]int{dissect.TableTCP: 6, dissect.TableUDP: 17}

func (m *machine) openPinfo() {
	m.pinfo = m.newClass("Pinfo", functions{"__tostring": func(l *lua.LState) int {
		l.Push(str("a Pinfo"))
		return 1
	}})
	get := func(name string, f func(p *pinfo) lua.LValue) { attr(m.pinfo, name, f) }
	get("number", func(p *pinfo) lua.LValue { return number(int(p.r.d.Frame)) })
	get("len", func(p *pinfo) lua.LValue { return number(p.r.d.Packet().Len()) })
	get("caplen", func(p *pinfo) lua.LValue { return number(p.r.d.Packet().CapLen()) })
	get("visited", func(p *pinfo) lua.LValue { return boolean(p.r.visited || p.r.tap) })
	get("abs_ts", func(p *pinfo) lua.LValue { return seconds(p.r.d.Time()) })
	get("rel_ts", func(p *pinfo) lua.LValue { return p.since(1) })
	get("delta_ts", func(p *pinfo) lua.LValue { return p.since(p.r.d.Frame - 1) })
	get("delta_dis_ts", func(p *pinfo) lua.LValue { return p.since(p.r.d.Frame - 1) })
	get("port_type", func(p *pinfo) lua.LValue { return number(portTypes[p.r.d.Ends().Transport()]) })
	get("ipproto", func(p *pinfo) lua.LValue {
		return number(transportNumbers[p.r.d.Ends().Transport()])
	})
	key := func(p *pinfo) lua.LValue {
		if p.r.tap {
			return number(0)
		}
		if p.r.guess { // nothing was found under a number since the transport's
			return number(transportNumbers[p.r.d.Ends().Transport()])
		}
		return number(p.r.d.Inner().Key())
	}
	get("match", key)
	get("match_uint", key)
	get("match_string", func(*pinfo) lua.LValue { return lua.LNil })
	get("curr_proto", func(p *pinfo) lua.LValue {
		if p.r.tap || p.r.proto == nil {
			return str("<Missing Protocol Name>")
		}
		return str(strings.ToUpper(p.r.proto.name))
	})
	get("columns", func(p *pinfo) lua.LValue { return m.columns.object(p) })
	get("cols", func(p *pinfo) lua.LValue { return m.columns.object(p) })
	get("private", func(p *pinfo) lua.LValue { return m.private.object(p) })
	get("fragmented", func(*pinfo) lua.LValue { return lua.LFalse })
	get("in_error_pkt", func(p *pinfo) lua.LValue { return boolean(p.r.d.Quoted()) })
	get("p2p_dir", func(*pinfo) lua.LValue { return lua.LNumber(-1) })
	get("conversation", func(p *pinfo) lua.LValue { return m.conversationData(p) })
	m.pinfo.set["conversation"] = func(l *lua.LState, v any, to lua.LValue) {
		p := v.(*pinfo)
		if q, ok := is[*proto](to); ok {
			p.r.d.Session().Claim(q.name)
		}
	}
	m.pinfoAddresses()
	m.pinfoNumbers()
	m.openColumns()
}

func seconds(ns int64) lua.LValue { return lua.LNumber(math.Round(float64(ns)) / 1e9) }

func (p *pinfo) since(n dissect.FrameNum) lua.LValue {
	if n < 1 {
		return number(0)
	}
	at, known := p.r.d.Packet().TimeOf(n)
	if !known {
		return number(0)
	}
	return seconds(p.r.d.Time() - at)
}

func (m *machine) pinfoAddresses() {
	for name, at := range map[string]func(p *pinfo) *address{
		"src": func(p *pinfo) *address { return &p.src }, "dst": func(p *pinfo) *address { return &p.dst },
		"dl_src": func(p *pinfo) *address { return &p.dlSrc }, "dl_dst": func(p *pinfo) *address { return &p.dlDst },
		"net_src": func(p *pinfo) *address { return &p.netSrc }, "net_dst": func(p *pinfo) *address { return &p.netDst },
	} {
		attr(m.pinfo, name, func(p *pinfo) lua.LValue {
			p.look()
			return m.addr.object(*at(p))
		})
		m.pinfo.set[name] = func(l *lua.LState, v any, to lua.LValue) {
			a, ok := is[address](to)
			if !ok {
				l.RaiseError("an Address is wanted")
			}
			p := v.(*pinfo)
			p.look()
			*at(p) = a
		}
	}
	attr(m.pinfo, "lo", func(p *pinfo) lua.LValue { return m.addr.object(p.ends(false)) })
	attr(m.pinfo, "hi", func(p *pinfo) lua.LValue { return m.addr.object(p.ends(true)) })
}

func (p *pinfo) ends(high bool) address {
	if (p.src.compare(p.dst) < 0) == high {
		return p.dst
	}
	return p.src
}

func (m *machine) pinfoNumbers() {
	for name, at := range map[string]func(p *pinfo) *int{
		"src_port": func(p *pinfo) *int { return &p.srcPort }, "dst_port": func(p *pinfo) *int { return &p.dstPort },
		"can_desegment":    func(p *pinfo) *int { return &p.canDesegment },
		"desegment_len":    func(p *pinfo) *int { return &p.desegmentLen },
		"desegment_offset": func(p *pinfo) *int { return &p.desegmentOffset },
	} {
		attr(m.pinfo, name, func(p *pinfo) lua.LValue { return number(*at(p)) })
		m.pinfo.set[name] = func(l *lua.LState, v any, to lua.LValue) {
			n, ok := to.(lua.LNumber)
			if !ok {
				l.RaiseError("a number is wanted")
			}
			*at(v.(*pinfo)) = int(n)
		}
	}
}

// A convKey is whose data a script keeps for a conversation.
type convKey struct {
	session *dissect.Session
	conv    uint32
	proto   *proto
}

// conversationData is a table that a script keeps for the packet's conversation and its protocol.
func (m *machine) conversationData(p *pinfo) lua.LValue {
	c := p.r.d.Conversation()
	key := convKey{session: p.r.d.Recorder().Tree().Session(), proto: p.r.proto}
	if c != nil {
		key.conv = c.ID
	}
	t := m.conv[key]
	if t == nil {
		t = m.l.NewTable()
		m.conv[key] = t
	}
	return t
}

// A column is one of the packet's columns.
type column struct {
	p    *pinfo
	name string
}

func (m *machine) openColumns() {
	m.columns = m.newClass("Columns", functions{
		"__tostring": func(l *lua.LState) int {
			l.Push(str("Columns"))
			return 1
		},
	})
	m.columns.meta.RawSetString("__index", m.l.NewFunction(func(l *lua.LState) int {
		p, name := arg[*pinfo](l, 1, "Columns"), strings.ToLower(l.CheckString(2))
		l.Push(m.column.object(&column{p, name}))
		return 1
	}))
	m.columns.meta.RawSetString("__newindex", m.l.NewFunction(func(l *lua.LState) int {
		p, name := arg[*pinfo](l, 1, "Columns"), strings.ToLower(l.CheckString(2))
		(&column{p, name}).change(stepInfo, shownValue(l, l.Get(3)))
		return 0
	}))
	change := func(kind byte) lua.LGFunction {
		return func(l *lua.LState) int {
			text := ""
			if l.GetTop() >= 2 {
				text = shownValue(l, l.Get(2))
			}
			arg[*column](l, 1, "Column").change(kind, text)
			return 0
		}
	}
	m.column = m.newClass("Column", functions{
		"clear": change(stepClear), "set": change(stepInfo), "append": change(stepAppend),
		"prepend": change(stepPrepend), "preppend": change(stepPrepend), "fence": change(stepFence),
		"clear_fence": change(stepUnfence),
		"__tostring": func(l *lua.LState) int {
			l.Push(str(arg[*column](l, 1, "Column").text()))
			return 1
		},
		"__concat": concat,
		"__eq": func(l *lua.LState) int {
			l.Push(boolean(arg[*column](l, 1, "Column").text() == arg[*column](l, 2, "Column").text()))
			return 1
		},
	}).plain()
	m.openPrivate()
}

// text is what the column says.
func (c *column) text() string {
	d := c.p.r.d
	switch c.name {
	case "protocol":
		if c.p.r.trial || !m0(d) {
			if c.p.protocol != "" {
				return c.p.protocol
			}
		}
		if c.p.r.tap && !c.p.r.m.o.Printing {
			return "(protocol)"
		}
		return d.Info().ProtocolText()
	case "info":
		if c.p.infoKnown && c.p.r.trial {
			return c.p.info
		}
		return d.Info().Text()
	}
	if text, ok := c.p.cols[c.name]; ok {
		return text
	}
	return "(" + c.name + ")"
}

// m0 tells whether the engine keeps what the Protocol column says in this look.
func m0(d *dissect.D) bool { return d.Info().Wanted() }

// change does what the script asks for.
func (c *column) change(kind byte, text string) {
	p := c.p
	old := ""
	switch c.name {
	case "protocol":
		old = p.protocol
		if kind == stepAppend || kind == stepPrepend {
			old = c.text()
		}
	case "info":
		old = p.info
	default:
		old = p.cols[c.name]
	}
	now := text
	switch kind {
	case stepAppend:
		now = old + text
	case stepPrepend:
		now = text + old
	case stepFence, stepUnfence:
		now = old
	}
	switch c.name {
	case "protocol":
		p.protocol = now
		if kind != stepFence && kind != stepUnfence && kind != stepClear {
			p.r.take(step{kind: stepProtocol, text: now})
		}
	case "info":
		p.info, p.infoKnown = now, true
		p.r.take(step{kind: kind, text: text})
	default:
		if p.cols == nil {
			p.cols = map[string]string{}
		}
		p.cols[c.name] = now
	}
}

// openPrivate opens pinfo.private, which dissectors tell each other with.
func (m *machine) openPrivate() {
	m.private = m.newClass("PrivateTable", functions{"__tostring": func(l *lua.LState) int {
		l.Push(str("PrivateTable"))
		return 1
	}})
	m.private.meta.RawSetString("__index", m.l.NewFunction(func(l *lua.LState) int {
		if v, ok := m.privates[l.CheckString(2)]; ok {
			l.Push(str(v))
		} else {
			l.Push(lua.LNil)
		}
		return 1
	}))
	m.private.meta.RawSetString("__newindex", m.l.NewFunction(func(l *lua.LState) int {
		if v := l.Get(3); v == lua.LNil {
			delete(m.privates, l.CheckString(2))
		} else {
			m.privates[l.CheckString(2)] = shownValue(l, v)
		}
		return 0
	}))
}
