package lua

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// A FrameFile is a capture file that a script writes.
type FrameFile interface {
	Write(fr Frame) error
	Flush() error
	Close() error
}

// A dumper writes packets into a capture file.
type dumper struct {
	to   FrameFile // nil: it is closed
	link int
}

// openDumper opens Dumper and PseudoHeader.
func (m *machine) openDumper() {
	self := func(l *lua.LState) *dumper {
		d := arg[*dumper](l, 1, "Dumper")
		if d.to == nil {
			l.RaiseError("Cannot operate on a closed dumper")
		}
		return d
	}
	failed := func(l *lua.LState, err error) int {
		if err != nil {
			l.RaiseError("error while dumping: %s", err.Error())
		}
		return 0
	}
	m.newClass("Dumper", functions{
		"new": func(l *lua.LState) int {
			link := linkOf(optInt(l, 3, 1))
			if link < 0 {
				l.RaiseError("Files of that type don't support encapsulation %d", optInt(l, 3, 1))
			}
			return m.newDumper(l, 1, link)
		},
		"new_for_current": func(l *lua.LState) int {
			if m.run == nil {
				l.RaiseError("Cannot be used outside a tap or a dissector")
			}
			return m.newDumper(l, 1, m.run.d.Packet().LinkType())
		},
		"dump": func(l *lua.LState) int {
			d, at, b := self(l), float64(l.CheckNumber(2)), arg[*byteArray](l, 4, "ByteArray")
			arg[*pseudoHeader](l, 3, "PseudoHeader")
			secs := math.Floor(at)
			return failed(l, d.to.Write(Frame{Time: int64(secs)*1e9 + int64((at-secs)*1e9), Len: len(b.b), Link: d.link,
				Data: b.b}))
		},
		"dump_current": func(l *lua.LState) int {
			d := self(l)
			if m.run == nil {
				l.RaiseError("Cannot be used outside a tap or a dissector")
			}
			p := m.run.d
			return failed(l, d.to.Write(Frame{Time: p.Time(), Len: p.Packet().Len(), Link: p.Packet().LinkType(),
				Data: p.Recorder().Tree().Source(0)}))
		},
		"flush": func(l *lua.LState) int { return failed(l, self(l).to.Flush()) },
		"close": func(l *lua.LState) int {
			d := self(l)
			err := d.to.Close()
			d.to = nil
			return failed(l, err)
		},
	}).plain()
	fns := functions{}
	for _, kind := range []string{"none", "eth", "atm", "mtp2"} {
		fns[kind] = func(l *lua.LState) int {
			l.Push(m.class["PseudoHeader"].object(&pseudoHeader{kind}))
			return 1
		}
	}
	m.newClass("PseudoHeader", fns).plain()
}

// A pseudoHeader is what a script says of a packet beside its bytes. The files that are written have no place for it.
type pseudoHeader struct{ kind string }

func (m *machine) newDumper(l *lua.LState, n, link int) int {
	path, kind := l.CheckString(n), optInt(l, n+1, fileTypes["PCAP"])
	m.check(l, path)
	if m.o.Create == nil || kind != fileTypes["PCAP"] && kind != fileTypes["PCAPNG"] && kind != fileTypes["PCAP_NSEC"] {
		l.RaiseError("Files of that type cannot be written")
	}
	to, err := m.o.Create(path, kind == fileTypes["PCAPNG"], link)
	if err != nil {
		l.RaiseError("error while opening \"%s\": %s", path, err.Error())
	}
	d := &dumper{to, link}
	m.dumps = append(m.dumps, d)
	l.Push(m.class["Dumper"].object(d))
	return 1
}
