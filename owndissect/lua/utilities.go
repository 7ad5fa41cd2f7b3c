package lua

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"remora/internal/textfile"
)

func readFile(path string) ([]byte, error) { return textfile.Read(path, 16<<20) }

// openUtilities opens the functions that belong to no class.
func (m *machine) openUtilities() {
	text := func(s string) lua.LGFunction {
		return func(l *lua.LState) int { l.Push(str(s)); return 1 }
	}
	path := func(dir string) lua.LGFunction {
		return func(l *lua.LState) int { l.Push(str(filepath.Join(dir, l.OptString(1, "")))); return 1 }
	}
	nothing := func(*lua.LState) int { return 0 }
	fns := functions{
		"typeof": func(l *lua.LState) int {
			l.Push(str(typeofValue(l.Get(1))))
			return 1
		},
		"get_version":     text("4.0.17"),
		"set_plugin_info": nothing,
		"format_date": func(l *lua.LState) int {
			ns := int64(float64(l.CheckNumber(1)) * 1e9)
			l.Push(str(time.Unix(0, ns).Format("Jan _2, 2006 15:04:05.000000000 MST")))
			return 1
		},
		"format_time": func(l *lua.LState) int {
			l.Push(str(spanWords(float64(l.CheckNumber(1)))))
			return 1
		},
		"report_failure":    func(l *lua.LState) int { m.say(l.CheckString(1)); return 0 },
		"persconffile_path": path(m.o.Folders[0]),
		"datafile_path":     path(m.folder()),
		"file_exists": func(l *lua.LState) int {
			_, err := os.Stat(l.CheckString(1))
			l.Push(boolean(err == nil && m.mayRead(l.CheckString(1))))
			return 1
		},
		"register_stat_cmd_arg":            nothing,
		"reload_lua_plugins":               nothing,
		"get_preference":                   m.getPreference,
		"set_preference":                   m.setPreference,
		"reset_preference":                 m.resetPreference,
		"apply_preferences":                nothing,
		"set_color_filter_slot":            nothing,
		"get_color_filter_slot":            func(l *lua.LState) int { l.Push(lua.LNil); return 1 },
		"redissect_packets":                nothing,
		"reload_packets":                   nothing,
		"reload":                           nothing,
		"get_wtap_filetypes":               func(l *lua.LState) int { l.Push(l.GetGlobal("wtap_filetypes")); return 1 },
		"wtap_pcap_file_type_subtype":      func(l *lua.LState) int { l.Push(number(1)); return 1 },
		"wtap_pcap_nsec_file_type_subtype": func(l *lua.LState) int { l.Push(number(2)); return 1 },
		"wtap_pcapng_file_type_subtype":    func(l *lua.LState) int { l.Push(number(0)); return 1 },
		"wtap_file_type_subtype_name": func(l *lua.LState) int {
			l.Push(str(map[int]string{0: "pcapng", 1: "pcap", 2: "nsecpcap"}[intArg(l, 1)]))
			return 1
		},
		"wtap_file_type_subtype_description": func(l *lua.LState) int {
			l.Push(str(map[int]string{0: "Wireshark/... - pcapng", 1: "Wireshark/tcpdump/... - pcap"}[intArg(l, 1)]))
			return 1
		},
		"wtap_name_to_file_type_subtype": func(l *lua.LState) int {
			if n, ok := map[string]int{"pcapng": 0, "pcap": 1, "nsecpcap": 2}[l.CheckString(1)]; ok {
				l.Push(number(n))
			} else {
				l.Push(lua.LNil)
			}
			return 1
		},
	}
	for name, fn := range fns {
		m.l.SetGlobal(name, m.l.NewFunction(fn))
	}
	m.l.SetGlobal("DATA_DIR", str(m.folder()+"/"))
	m.l.SetGlobal("USER_DIR", str(m.o.Folders[0]+"/"))
	m.l.SetGlobal("enable_lua", lua.LTrue)
	m.l.SetGlobal("run_user_scripts_when_superuser", lua.LTrue)
	m.l.SetGlobal("running_superuser", boolean(os.Geteuid() == 0))
	m.openScreen()
}

func typeofValue(v lua.LValue) string {
	if t, ok := v.(*lua.LTable); ok {
		if name, ok := t.RawGetString("__typeof").(lua.LString); ok {
			return string(name)
		}
		if meta, ok := t.Metatable.(*lua.LTable); ok {
			if name, ok := meta.RawGetString("__typeof").(lua.LString); ok {
				return string(name)
			}
		}
	}
	return typeName(v)
}

// spanWords writes a span of time as "1 days, 2 hours, 3 minutes, 4.5 seconds".
func spanWords(x float64) string {
	secs := int64(x)
	var parts []string
	add := func(n int64, unit string) {
		if n == 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit))
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %ss", n, unit))
		}
	}
	add(secs/86400, "day")
	add(secs/3600%24, "hour")
	add(secs/60%60, "minute")
	nsecs := int64((x - float64(secs)) * 1e9)
	switch s := secs % 60; {
	case nsecs != 0 || secs == 0:
		parts = append(parts, fmt.Sprintf("%d.%09d seconds", s, max(nsecs, -nsecs)))
	case s == 1:
		parts = append(parts, "1 second")
	case s != 0:
		parts = append(parts, fmt.Sprintf("%d seconds", s))
	}
	return strings.Join(parts, ", ")
}

// A pref is a preference of a protocol.
type pref struct {
	kind, label, doc string
	name             string
	value            lua.LValue
	choices          []choice
	first            lua.LValue
}

type choice struct {
	name, label string
	value       int
}

type prefsTable struct {
	p     *proto
	names []string
	all   map[string]*pref
}

func (m *machine) prefs2(p *proto) lua.LValue {
	if p.prefs == nil {
		p.prefs = &prefsTable{p: p, all: map[string]*pref{}}
	}
	return m.prefs.object(p.prefs)
}

func (m *machine) openPrefs() {
	made := func(kind string) lua.LGFunction {
		return func(l *lua.LState) int {
			f := &pref{kind: kind, label: l.OptString(1, ""), doc: l.OptString(3, ""), value: l.Get(2)}
			switch kind {
			case "bool":
				f.value = boolean(l.ToBool(2))
			case "uint":
				f.value = lua.LNumber(optInt(l, 2, 0))
			case "string":
				f.value = str(l.OptString(2, ""))
			case "range":
				f.value = str(l.OptString(2, ""))
			case "statictext":
				f.doc, f.value = l.OptString(2, ""), lua.LNil
			case "enum":
				f.value = lua.LNumber(optInt(l, 2, 0))
				if t, ok := l.Get(4).(*lua.LTable); ok {
					t.ForEach(func(_, v lua.LValue) {
						if row, ok := v.(*lua.LTable); ok {
							n := int(lua.LVAsNumber(row.RawGetInt(3)))
							f.choices = append(f.choices, choice{lua.LVAsString(row.RawGetInt(1)), textAt(row, 2), n})
						}
					})
				}
			}
			f.first = f.value
			l.Push(m.pref.object(f))
			return 1
		}
	}
	fns := functions{}
	for _, kind := range []string{"bool", "uint", "string", "range", "statictext", "enum"} {
		fns[kind] = made(kind)
	}
	m.pref = m.newClass("Pref", fns)
	m.prefs = m.newClass("Prefs", functions{})
	m.l.SetGlobal("Prefs", lua.LNil)
	m.prefs.meta.RawSetString("__index", m.l.NewFunction(func(l *lua.LState) int {
		t := arg[*prefsTable](l, 1, "Prefs")
		if f := t.all[strings.ToLower(l.CheckString(2))]; f != nil {
			l.Push(f.value)
		} else {
			l.RaiseError("unknown preference: %s", l.CheckString(2))
		}
		return 1
	}))
	m.prefs.meta.RawSetString("__newindex", m.l.NewFunction(func(l *lua.LState) int {
		t, name := arg[*prefsTable](l, 1, "Prefs"), strings.ToLower(l.CheckString(2))
		f, ok := is[*pref](l.Get(3))
		if !ok {
			if old := t.all[name]; old != nil {
				old.value = l.Get(3)
				return 0
			}
			l.ArgError(3, "Pref expected")
		}
		f.name = name
		t.all[name] = f
		t.names = append(t.names, name)
		if given, ok := m.o.Prefs[t.p.name+"."+name]; ok {
			f.given(given)
			t.p.set = true
		}
		return 0
	}))
}

// given takes a value from the command line.
func (f *pref) given(text string) {
	switch f.kind {
	case "bool":
		f.value = boolean(strings.EqualFold(text, "true") || text == "1")
	case "uint":
		if n, err := strconv.ParseUint(text, 0, 32); err == nil {
			f.value = lua.LNumber(n)
		}
	case "enum":
		for _, c := range f.choices {
			if strings.EqualFold(c.name, text) || strings.EqualFold(c.label, text) || strconv.Itoa(c.value) == text {
				f.value = lua.LNumber(c.value)
			}
		}
	default:
		f.value = str(text)
	}
}

// A setting is a preference of the program, which scripts may read and change for themselves: nothing comes of it.
type setting struct {
	first, now lua.LValue
	kind       string
	choices    string
}

var settings = map[string]setting{
	"gui.fileopen.preview":       {first: lua.LNumber(3), kind: "uint"},
	"gui.ask_unsaved":            {first: lua.LTrue, kind: "bool"},
	"gui.interfaces_show_hidden": {first: lua.LFalse, kind: "bool"},
	"gui.console_open":           {first: lua.LString("NEVER"), kind: "enum", choices: "NEVER AUTOMATIC ALWAYS"},
	"gui.window_title":           {first: lua.LString(""), kind: "string"},
	"http.tls.port":              {first: lua.LString("443"), kind: "range"},
}

func (m *machine) setting(name string) *setting {
	if s, ok := m.settings[name]; ok {
		return s
	}
	s, ok := settings[name]
	if !ok {
		if f := m.scriptPref(name); f != nil {
			return &setting{first: f.first, now: f.value, kind: f.kind}
		}
		return nil
	}
	s.now = s.first
	if m.settings == nil {
		m.settings = map[string]*setting{}
	}
	m.settings[name] = &s
	return &s
}

func (m *machine) scriptPref(name string) *pref {
	proto, rest, _ := strings.Cut(name, ".")
	if p := m.byName[proto]; p != nil && p.prefs != nil {
		return p.prefs.all[rest]
	}
	return nil
}

func (m *machine) getPreference(l *lua.LState) int {
	name := l.CheckString(1)
	if name == "user_dlt.encaps_table" {
		l.ArgError(1, "tables cannot be read")
	}
	if s := m.setting(name); s != nil {
		l.Push(s.now)
	} else {
		l.Push(lua.LNil)
	}
	return 1
}

func (m *machine) setPreference(l *lua.LState) int {
	name := l.CheckString(1)
	s := m.setting(name)
	if name == "user_dlt.encaps_table" {
		l.ArgError(1, "tables cannot be set")
	}
	if s == nil {
		l.Push(lua.LNil)
		return 1
	}
	v := l.Get(2)
	switch s.kind {
	case "uint":
		v = l.CheckNumber(2)
	case "bool":
		v = lua.LBool(l.CheckBool(2))
	case "enum":
		v = lua.LString(l.CheckString(2))
		known := false
		for _, c := range strings.Fields(s.choices) {
			known = known || c == v.String()
		}
		if !known {
			v = s.now
		}
	case "range":
		v = lua.LString(l.CheckString(2))
		for part := range strings.SplitSeq(v.String(), ",") {
			for n := range strings.SplitSeq(part, "-") {
				if _, err := strconv.ParseUint(n, 10, 16); err != nil {
					l.ArgError(2, "invalid range: "+v.String())
				}
			}
		}
	case "string":
		if l.Get(2).Type() != lua.LTString {
			l.TypeError(2, lua.LTString)
		}
	}
	l.Push(boolean(v != s.now))
	s.now = v
	return 1
}

func (m *machine) resetPreference(l *lua.LState) int {
	s := m.setting(l.CheckString(1))
	if s == nil {
		l.Push(lua.LNil)
		return 1
	}
	l.Push(boolean(true))
	s.now = s.first
	return 1
}
