package lua

import (
	"os"
	"path/filepath"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// A folder is one whose names are gone through.
type folder struct {
	path  string
	names []string
	at    int
}

// openFiles opens Dir and io.
func (m *machine) openFiles() {
	m.openIO()
	status := func(l *lua.LState, err error) int {
		l.Push(boolean(err == nil))
		return 1
	}
	where := func(dir string) lua.LGFunction {
		return func(l *lua.LState) int {
			l.Push(str(filepath.Join(dir, l.OptString(1, ""))))
			return 1
		}
	}
	m.dir = m.newClass("Dir", functions{
		"make": func(l *lua.LState) int {
			m.check(l, l.CheckString(1))
			if info, err := os.Stat(l.CheckString(1)); err == nil && info.IsDir() {
				l.Push(lua.LFalse)
				return 1
			}
			return status(l, os.Mkdir(l.CheckString(1), 0o755))
		},
		"exists": func(l *lua.LState) int {
			m.check(l, l.CheckString(1))
			info, err := os.Stat(l.CheckString(1))
			switch {
			case err != nil:
				l.Push(lua.LNil)
			default:
				l.Push(boolean(info.IsDir()))
			}
			return 1
		},
		"remove": func(l *lua.LState) int {
			m.check(l, l.CheckString(1))
			if info, err := os.Stat(l.CheckString(1)); err != nil || !info.IsDir() {
				l.Push(lua.LFalse)
				return 1
			}
			if os.Remove(l.CheckString(1)) != nil { // it is not empty
				l.Push(lua.LNil)
			} else {
				l.Push(lua.LTrue)
			}
			return 1
		},
		"remove_all": func(l *lua.LState) int {
			m.check(l, l.CheckString(1))
			if info, err := os.Stat(l.CheckString(1)); err != nil || !info.IsDir() {
				l.Push(lua.LFalse)
				return 1
			}
			return status(l, os.RemoveAll(l.CheckString(1)))
		},
		"open": func(l *lua.LState) int {
			m.check(l, l.CheckString(1))
			entries, err := os.ReadDir(l.CheckString(1))
			if err != nil {
				l.RaiseError("could not open directory: %s", err.Error())
			}
			d := &folder{path: l.CheckString(1)}
			for _, e := range entries {
				if ext := l.OptString(2, ""); ext == "" || strings.HasSuffix(e.Name(), ext) {
					d.names = append(d.names, e.Name())
				}
			}
			sort.Strings(d.names)
			l.Push(m.dir.object(d))
			return 1
		},
		"__call": func(l *lua.LState) int {
			d := arg[*folder](l, 1, "Dir")
			if _, err := os.Stat(d.path); err != nil && d.at == 0 || d.at >= len(d.names) {
				return 0
			}
			l.Push(str(d.names[d.at]))
			d.at++
			return 1
		},
		"close": func(l *lua.LState) int {
			d := arg[*folder](l, 1, "Dir")
			d.at = len(d.names)
			return 0
		},
		"personal_config_path":  where(m.o.Folders[0]),
		"personal_plugins_path": where(m.o.Folders[1]),
		"global_config_path":    where(m.folder()),
		"global_plugins_path":   where(m.folder()),
	}).plain()
}

// openIO opens what there is of io: files that the script may reach, and standard output.
func (m *machine) openIO() {
	l := m.l
	l.Push(l.NewFunction(lua.OpenIo))
	l.Push(lua.LString(lua.IoLibName))
	l.Call(1, 0)
	lib := l.GetGlobal("io").(*lua.LTable)
	for _, name := range []string{"open", "lines", "input", "output"} {
		was := lib.RawGetString(name)
		lib.RawSetString(name, l.NewFunction(func(l *lua.LState) int {
			if path, ok := l.Get(1).(lua.LString); ok {
				if name == "open" && !m.mayRead(string(path)) {
					l.Push(lua.LNil)
					l.Push(str(string(path) +
						" is outside of the script's folder: scripts are confined, unless --lua-unsafe is given"))
					return 2
				}
				m.check(l, string(path))
			}
			n := l.GetTop()
			l.Insert(was, 1)
			l.Call(n, lua.MultRet)
			return l.GetTop()
		}))
	}
	if !m.file.Unsafe {
		lib.RawSetString("popen", l.NewFunction(func(l *lua.LState) int {
			l.RaiseError("io.popen is not allowed: scripts are confined, unless --lua-unsafe is given")
			return 0
		}))
	}
	if m.o.Print != nil {
		out, methods, meta := l.NewUserData(), l.NewTable(), l.NewTable()
		meta.RawSetString("__index", methods)
		out.Metatable = meta
		write := l.NewFunction(func(l *lua.LState) int {
			from := 1
			if l.Get(1) == out {
				from = 2
			}
			for i := from; i <= l.GetTop(); i++ {
				m.write(l.CheckString(i))
			}
			l.Push(out)
			return 1
		})
		methods.RawSetString("write", write)
		for _, name := range []string{"flush", "close", "setvbuf"} {
			methods.RawSetString(name, l.NewFunction(func(*lua.LState) int { return 0 }))
		}
		lib.RawSetString("stdout", out)
		lib.RawSetString("write", write)
	}
}
