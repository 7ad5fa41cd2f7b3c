package lua

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// openCaptureInfo opens CaptureInfo, of files that are read, and CaptureInfoConst, of those that are written.
func (m *machine) openCaptureInfo() {
	for _, name := range []string{"CaptureInfo", "CaptureInfoConst"} {
		c := m.newClass(name, functions{"__tostring": func(l *lua.LState) int {
			i := arg[*captureInfo](l, 1, name)
			l.Push(str(fmt.Sprintf("%s: file_type_subtype=%d, snaplen=%d, pkt_encap=%d, file_tsprec='%d'", name, i.kind,
				i.snap, i.encap, i.precision)))
			return 1
		}})
		m.l.SetGlobal(name, lua.LNil) // only their objects are seen
		written := name == "CaptureInfoConst"
		num := func(attribute string, at func(i *captureInfo) *int) {
			attr(c, attribute, func(i *captureInfo) lua.LValue { return number(*at(i)) })
			if !written {
				c.set[attribute] = func(l *lua.LState, v any, to lua.LValue) {
					*at(v.(*captureInfo)) = int(numberOr(l, to))
				}
			}
		}
		num("encap", func(i *captureInfo) *int { return &i.encap })
		num("snapshot_length", func(i *captureInfo) *int { return &i.snap })
		if written {
			num("type", func(i *captureInfo) *int { return &i.kind })
			attr(c, "hosts", func(i *captureInfo) lua.LValue { return i.hosts })
		} else {
			num("time_precision", func(i *captureInfo) *int { return &i.precision })
			c.set["hosts"] = func(_ *lua.LState, v any, to lua.LValue) { v.(*captureInfo).hosts = to }
		}
		for _, text := range []string{"comment", "hardware", "os", "user_app"} {
			attr(c, text, func(i *captureInfo) lua.LValue {
				if s, ok := i.texts[text]; ok {
					return str(s)
				}
				return lua.LNil
			})
			if !written {
				c.set[text] = func(_ *lua.LState, v any, to lua.LValue) { v.(*captureInfo).texts[text] = to.String() }
			}
		}
		attr(c, "private_table", func(i *captureInfo) lua.LValue { return i.private })
		c.set["private_table"] = func(_ *lua.LState, v any, to lua.LValue) { v.(*captureInfo).private = to }
	}
}

func numberOr(l *lua.LState, v lua.LValue) lua.LNumber {
	n, ok := v.(lua.LNumber)
	if !ok {
		l.RaiseError("a number is wanted")
	}
	return n
}

// openFrameInfo opens FrameInfo, of packets that are read, and FrameInfoConst, of those that are written.
func (m *machine) openFrameInfo() {
	file := func(l *lua.LState) *captureFile { return arg[*captureFile](l, 2, "File") }
	read := m.newClass("FrameInfo", functions{"read_data": func(l *lua.LState) int {
		fr, f, n := arg[*frameInfo](l, 1, "FrameInfo"), file(l), intArg(l, 3)
		if f.out != nil || n < 0 || n > len(f.b)-f.at {
			l.Push(lua.LFalse)
			l.Push(str("less data was read than was expected"))
			l.Push(number(-12))
			return 3
		}
		fr.Data = f.b[f.at : f.at+n : f.at+n]
		f.at += n
		l.Push(lua.LTrue)
		return 1
	}, "__tostring": frameText})
	written := m.newClass("FrameInfoConst", functions{"write_data": func(l *lua.LState) int {
		fr, f := arg[*frameInfo](l, 1, "FrameInfoConst"), file(l)
		n := min(max(optInt(l, 3, len(fr.Data)), 0), len(fr.Data))
		if f.out == nil {
			l.RaiseError("FrameInfoConst write_data() got null buffer or file pointer internally")
		}
		if _, err := f.out.Write(fr.Data[:n]); err != nil {
			f.err = err
			l.Push(lua.LFalse)
			l.Push(str("FrameInfoConst write_data() error: " + err.Error()))
			return 2
		}
		l.Push(lua.LTrue)
		return 1
	}, "__tostring": frameText})
	m.frameNumbers(read, written)
	for _, c := range []*class{read, written} {
		attr(c, "time", func(fr *frameInfo) lua.LValue {
			t := timeOf(fr.Time)
			return m.nstime.object(&t)
		})
		attr(c, "data", func(fr *frameInfo) lua.LValue { return str(string(fr.Data)) })
		attr(c, "comment", func(fr *frameInfo) lua.LValue {
			t := m.l.NewTable()
			for _, s := range fr.Comments {
				t.Append(str(s))
			}
			return t
		})
	}
	read.set["time"] = func(l *lua.LState, v any, to lua.LValue) {
		t, ok := is[*nstime](to)
		if !ok {
			l.RaiseError("an NSTime is wanted")
		}
		v.(*frameInfo).Time = t.ns()
	}
	read.set["data"] = func(l *lua.LState, v any, to lua.LValue) {
		s, ok := to.(lua.LString)
		if !ok {
			l.RaiseError("FrameInfo's attribute 'data' must be a Lua string")
		}
		fr := v.(*frameInfo)
		fr.Data, fr.captured, fr.Len = []byte(s), len(s), len(s)
	}
	read.set["comment"] = func(_ *lua.LState, v any, to lua.LValue) {
		fr := v.(*frameInfo)
		fr.Comments = nil
		if t, ok := to.(*lua.LTable); ok {
			t.ForEach(func(_, s lua.LValue) { fr.Comments = append(fr.Comments, s.String()) })
			return
		}
		fr.Comments = []string{to.String()}
	}
}

func frameText(l *lua.LState) int {
	fr := arg[*frameInfo](l, 1, "FrameInfo")
	l.Push(str(fmt.Sprintf("FrameInfo: rec_type=%d, presence_flags=%d, caplen=%d, len=%d, pkt_encap=%d", fr.kind, fr.flags,
		max(fr.captured, 0), fr.Len, fr.encap)))
	return 1
}

func (m *machine) frameNumbers(read, written *class) {
	for name, at := range map[string]func(fr *frameInfo) *int{
		"rec_type": func(fr *frameInfo) *int { return &fr.kind }, "flags": func(fr *frameInfo) *int { return &fr.flags },
		"encap":           func(fr *frameInfo) *int { return &fr.encap },
		"captured_length": func(fr *frameInfo) *int { return &fr.captured },
		"original_length": func(fr *frameInfo) *int { return &fr.Len },
	} {
		for _, c := range []*class{read, written} {
			attr(c, name, func(fr *frameInfo) lua.LValue { return number(max(0, *at(fr))) })
		}
		read.set[name] = func(l *lua.LState, v any, to lua.LValue) { *at(v.(*frameInfo)) = int(numberOr(l, to)) }
	}
}
