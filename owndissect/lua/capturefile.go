package lua

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// A Frame is a packet that a script reads from a file of its own format, or writes into one.
type Frame struct {
	Time     int64 // nanoseconds since 1970-01-01 UTC
	Len      int
	Link     int // the link type, as capture files number it; -1 has none
	Snap     int // the longest packet that the file keeps; 0: no limit
	Data     []byte
	Comments []string
}

// A Format is a format of capture files that a script reads or writes: a FileHandler that it has registered.
type Format struct {
	m                     *machine
	name, title, internal string
	kind                  string // letters: r reads, w writes, m knows a magic number, s knows it surely
	number                int
	fn                    map[string]*lua.LFunction
	extensions            string
	seeks, names          bool
	comments              int
	registered            bool
}

// handlerFunctions are what scripts set in a FileHandler.
var handlerFunctions = []string{"read_open", "read", "seek_read", "read_close", "seq_read_close", "can_write_encap",
	"write_open", "write", "write_close"}

// Name is what -F calls the format.
func (f *Format) Name() string { return f.name }

// Reads tells whether files are read by it.
func (f *Format) Reads() bool { return f.registered && strings.Contains(f.kind, "r") }

// Writes tells whether files are written by it.
func (f *Format) Writes() bool { return f.registered && strings.Contains(f.kind, "w") }

// First tells whether it is asked before the formats that are built in.
func (f *Format) First() bool { return strings.Contains(f.kind, "m") && strings.Contains(f.kind, "s") }

func (f *Format) complete() bool {
	have := func(names ...string) bool {
		for _, n := range names {
			if f.fn[n] == nil {
				return false
			}
		}
		return true
	}
	reads, writes := strings.Contains(f.kind, "r"), strings.Contains(f.kind, "w")
	return (reads || writes) && (!reads || have("read_open", "read")) &&
		(!writes || have("can_write_encap", "write_open", "write"))
}

// A captureFile is the file that a FileHandler's functions get: bytes that are read, or a file that is written.
type captureFile struct {
	b       []byte
	at      int
	packed  bool
	out     *os.File
	err     error
	expired bool
}

// A captureInfo is what is known of a whole file.
type captureInfo struct {
	encap, precision, snap, kind int
	texts                        map[string]string
	hosts, private               lua.LValue
	writes                       bool
}

// A frameInfo is a packet that is being read or written.
type frameInfo struct {
	Frame
	kind, flags, encap int
	captured           int // as the script says; -1: as many as there are
	writes             bool
}

// linkOf is the link type of an encapsulation, or -1.
func linkOf(encap int) int {
	if link, ok := encapLinks()[encap]; ok {
		return link
	}
	return -1
}

// encapOf is the encapsulation of a link type.
func encapOf(link int) int {
	switch link { // those that several encapsulations share
	case 187:
		return encapsulations["BLUETOOTH_H4"].number
	case 12, 14:
		link = 101
	}
	for number, l := range encapLinks() {
		if l == link {
			return number
		}
	}
	return 0
}

var encapLinks = sync.OnceValue(func() map[int]int {
	out := map[int]int{}
	for _, e := range encapsulations {
		if e.link >= 0 {
			out[e.number] = e.link
		}
	}
	return out
})

// callFormat calls one of the format's functions, and gives its result.
func (f *Format) call(name string, args ...lua.LValue) (lua.LValue, error) {
	m := f.m
	m.steps.grant(loadSteps)
	top := m.l.GetTop()
	err := m.l.CallByParam(lua.P{Fn: f.fn[name], NRet: 1, Protect: true}, args...)
	if err != nil {
		m.l.SetTop(top)
		return lua.LNil, m.told(err)
	}
	v := m.l.Get(-1)
	m.l.SetTop(top)
	return v, nil
}

// isYes is how a function of a FileHandler says yes: with true, or a number that is not zero.
func isYes(v lua.LValue) bool {
	n, isNumber := v.(lua.LNumber)
	return v == lua.LTrue || isNumber && n != 0
}

// Read reads a whole file. It tells whether the file is of this format; an error in the midst of it leaves the packets
// in front.
func (f *Format) Read(b []byte, packed bool, each func(Frame)) (ok bool, err error) {
	m := f.m
	m.mu.Lock()
	defer m.mu.Unlock()
	file := &captureFile{b: b, packed: packed}
	info := &captureInfo{texts: map[string]string{}, private: lua.LNil, hosts: lua.LNil}
	fileObject, infoObject := m.class["File"].object(file), m.class["CaptureInfo"].object(info)
	v, err := f.call("read_open", fileObject, infoObject)
	if err != nil || !isYes(v) {
		return false, err
	}
	defer func() {
		for _, name := range []string{"seq_read_close", "read_close"} {
			if f.fn[name] != nil {
				_, failed := f.call(name, fileObject, infoObject)
				err = errors.Join(err, failed)
			}
		}
		file.expired = true
	}()
	for {
		at := file.at
		fr := &frameInfo{encap: info.encap, captured: -1}
		v, err := f.call("read", fileObject, infoObject, m.class["FrameInfo"].object(fr))
		if err != nil {
			return true, err
		}
		if _, isNumber := v.(lua.LNumber); !isNumber && !isYes(v) {
			return true, nil
		}
		if file.at == at && len(fr.Data) == 0 { // it would go on for ever
			return true, fmt.Errorf("%s: read does not go on in the file", f.name)
		}
		out := fr.frame()
		out.Snap = info.snap
		each(out)
	}
}

// frame is the packet that the script described.
func (fr *frameInfo) frame() Frame {
	out := fr.Frame
	if fr.captured >= 0 && fr.captured < len(out.Data) {
		out.Data = out.Data[:fr.captured]
	}
	out.Len = max(out.Len, len(out.Data))
	out.Link = linkOf(fr.encap)
	return out
}

// A FormatWriter writes a file in the format of a script.
type FormatWriter struct {
	f          *Format
	file, info lua.LValue
	to         *captureFile
}

// Create begins a file of packets with a link type.
func (f *Format) Create(to *os.File, link, snap int) (*FormatWriter, error) {
	m := f.m
	m.mu.Lock()
	defer m.mu.Unlock()
	encap := encapOf(link)
	if v, err := f.call("can_write_encap", number(encap)); err != nil || !isYes(v) {
		return nil, errors.Join(err, fmt.Errorf("the format %s has no packets of link type %d", f.name, link))
	}
	w := &FormatWriter{f: f, to: &captureFile{out: to}}
	w.file = m.class["File"].object(w.to)
	w.info = m.class["CaptureInfoConst"].object(&captureInfo{encap: encap, snap: snap, kind: f.number, writes: true,
		texts: map[string]string{}, private: lua.LNil, hosts: m.l.NewTable()})
	if v, err := f.call("write_open", w.file, w.info); err != nil || !isYes(v) {
		return nil, errors.Join(err, w.to.err, fmt.Errorf("the format %s did not begin the file", f.name))
	}
	return w, nil
}

// Write writes a packet.
func (w *FormatWriter) Write(fr Frame) error {
	m := w.f.m
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := w.f.call("write", w.file, w.info, m.class["FrameInfoConst"].object(&frameInfo{Frame: fr, flags: 3,
		encap: encapOf(fr.Link), captured: len(fr.Data), writes: true}))
	if err == nil && !isYes(v) {
		err = fmt.Errorf("the format %s refused a packet", w.f.name)
	}
	return errors.Join(err, w.to.err)
}

// Close ends the file.
func (w *FormatWriter) Close() (err error) {
	m := w.f.m
	m.mu.Lock()
	defer m.mu.Unlock()
	if w.f.fn["write_close"] != nil {
		_, err = w.f.call("write_close", w.file, w.info)
	}
	w.to.expired = true
	return errors.Join(err, w.to.err)
}

// openFormats opens what scripts read and write capture files with.
func (m *machine) openFormats() {
	c := m.newClass("FileHandler", functions{"new": m.newFormat, "__tostring": func(l *lua.LState) int {
		f := arg[*Format](l, 1, "FileHandler")
		l.Push(str(fmt.Sprintf("FileHandler(%s): description=%s, internal_description=%s, read_open=%t, read=%t, write=%t",
			f.name, f.title, f.internal, f.fn["read_open"] != nil, f.fn["read"] != nil, f.fn["write"] != nil)))
		return 1
	}})
	for _, name := range handlerFunctions {
		c.set[name] = func(l *lua.LState, v any, to lua.LValue) {
			fn, ok := to.(*lua.LFunction)
			if !ok {
				l.RaiseError("FileHandler's attribute '%s' must be a function", name)
			}
			v.(*Format).fn[name] = fn
		}
	}
	attr(c, "type", func(f *Format) lua.LValue { return number(f.number) })
	attr(c, "extensions", func(f *Format) lua.LValue { return str(f.extensions) })
	attr(c, "writing_must_seek", func(f *Format) lua.LValue { return boolean(f.seeks) })
	attr(c, "writes_name_resolution", func(f *Format) lua.LValue { return boolean(f.names) })
	attr(c, "supported_comment_types", func(f *Format) lua.LValue { return number(f.comments) })
	c.set["extensions"] = func(_ *lua.LState, v any, to lua.LValue) { v.(*Format).extensions = lua.LVAsString(to) }
	c.set["writing_must_seek"] = func(_ *lua.LState, v any, to lua.LValue) { v.(*Format).seeks = lua.LVAsBool(to) }
	c.set["writes_name_resolution"] = func(_ *lua.LState, v any, to lua.LValue) { v.(*Format).names = lua.LVAsBool(to) }
	c.set["supported_comment_types"] = func(_ *lua.LState, v any, to lua.LValue) {
		v.(*Format).comments = int(lua.LVAsNumber(to))
	}
	m.l.SetGlobal("register_filehandler", m.l.NewFunction(func(l *lua.LState) int {
		f := arg[*Format](l, 1, "FileHandler")
		switch {
		case !m.loading:
			l.RaiseError("a FileHandler must be registered while the script is loaded")
		case f.registered:
			l.RaiseError("this FileHandler is already registered")
		case !f.complete():
			l.RaiseError("this FileHandler is not complete enough to register")
		}
		f.registered, f.number = true, firstOwnType+len(m.formats)
		m.formats = append(m.formats, f)
		l.Push(number(f.number))
		return 1
	}))
	m.l.SetGlobal("deregister_filehandler", m.l.NewFunction(func(l *lua.LState) int {
		arg[*Format](l, 1, "FileHandler").registered = false
		l.Push(lua.LTrue)
		return 1
	}))
	m.openCaptureFile()
	m.openCaptureInfo()
	m.openFrameInfo()
}

// firstOwnType is the number of the first type of files that scripts register, as in Wireshark 4.0.
const firstOwnType = 92

func (m *machine) newFormat(l *lua.LState) int {
	f := &Format{m: m, title: l.CheckString(1), name: l.CheckString(2), internal: l.CheckString(3), kind: l.CheckString(4),
		fn: map[string]*lua.LFunction{}, comments: 0}
	for _, g := range m.formats {
		if g.name == f.name {
			l.ArgError(2, "there cannot be two file handlers with the same name")
		}
	}
	if !strings.ContainsAny(f.kind, "rw") {
		l.ArgError(4, "the type must have r for reading, w for writing, or both")
	}
	l.Push(m.class["FileHandler"].object(f))
	return 1
}

func (m *machine) openCaptureFile() {
	self := func(l *lua.LState, writes bool) *captureFile {
		f := arg[*captureFile](l, 1, "File")
		switch {
		case f.expired:
			l.RaiseError("the File has expired")
		case writes && f.out == nil:
			l.RaiseError("this File is for reading only")
		case !writes && f.out != nil:
			l.RaiseError("this File is for writing only")
		}
		return f
	}
	c := m.newClass("File", functions{
		"read": func(l *lua.LState) int {
			f := self(l, false)
			if l.GetTop() == 1 {
				l.Push(f.line())
				return 1
			}
			n, top := 0, l.GetTop()
			for i := 2; i <= top; i++ {
				v := f.read(l, i)
				l.Push(v)
				if n++; v == lua.LNil {
					break
				}
			}
			return n
		},
		"lines": func(l *lua.LState) int {
			f := self(l, false)
			l.Push(l.NewFunction(func(l *lua.LState) int { l.Push(f.line()); return 1 }))
			return 1
		},
		"seek": func(l *lua.LState) int {
			l.Push(arg[*captureFile](l, 1, "File").seek(l, l.OptString(2, "cur"), l.OptInt64(3, 0)))
			return 1
		},
		"write": func(l *lua.LState) int {
			f := self(l, true)
			for i := 2; i <= l.GetTop(); i++ {
				if _, err := f.out.WriteString(l.CheckString(i)); err != nil {
					f.err = err
					l.Push(lua.LNil)
					l.Push(str("File write error: " + err.Error()))
					return 2
				}
			}
			l.Push(l.Get(1))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			f, kind := arg[*captureFile](l, 1, "File"), "reader"
			if f.out != nil {
				kind = "writer"
			}
			l.Push(str(fmt.Sprintf("File expired=%t, handle=<ptr>, is %s", f.expired, kind)))
			return 1
		},
	})
	attr(c, "compressed", func(f *captureFile) lua.LValue { return boolean(f.packed) })
}

// line is the next line without its end, or nil.
func (f *captureFile) line() lua.LValue {
	rest := f.b[f.at:]
	if len(rest) == 0 {
		return lua.LNil
	}
	line, _, ended := bytes.Cut(rest, []byte{'\n'})
	f.at += len(line)
	if ended {
		f.at++
		line = bytes.TrimSuffix(line, []byte{'\r'})
	}
	return str(string(line))
}

// read is what one argument of File.read asks for.
func (f *captureFile) read(l *lua.LState, i int) lua.LValue {
	rest := f.b[f.at:]
	if n, ok := l.Get(i).(lua.LNumber); ok {
		if len(rest) == 0 {
			return lua.LNil
		}
		rest = rest[:max(0, min(int(n), len(rest)))]
		f.at += len(rest)
		return str(string(rest))
	}
	switch word := l.CheckString(i); {
	case strings.HasPrefix(word, "*l"):
		return f.line()
	case strings.HasPrefix(word, "*a"):
		f.at = len(f.b)
		return str(string(rest))
	case strings.HasPrefix(word, "*n"):
		n := 0
		for n < len(rest) &&
			(strings.IndexByte("0123456789.", rest[n]) >= 0 || n == 0 && (rest[0] == '-' || rest[0] == '+')) {
			n++
		}
		v, err := strconv.ParseFloat(string(rest[:n]), 64)
		if err != nil {
			return lua.LNil
		}
		f.at += n
		return lua.LNumber(v)
	}
	l.ArgError(i, "invalid option")
	return lua.LNil
}

func (f *captureFile) seek(l *lua.LState, from string, off int64) lua.LValue {
	whence, known := map[string]int{"set": io.SeekStart, "cur": io.SeekCurrent, "end": io.SeekEnd}[from]
	if !known {
		l.ArgError(2, "invalid option '"+from+"'")
	}
	if f.out != nil {
		at, err := f.out.Seek(off, whence)
		if err != nil {
			return lua.LNil
		}
		return number(at)
	}
	at := off + []int64{0, int64(f.at), int64(len(f.b))}[whence]
	if at < 0 {
		return lua.LNil
	}
	f.at = int(min(at, int64(len(f.b))))
	return number(f.at)
}
