package lua

import (
	"path/filepath"

	lua "github.com/yuin/gopher-lua"
)

// openLeft opens what Wireshark's own start leaves in the global table.
func (m *machine) openLeft() {
	l := m.l
	for name, words := range map[string][]string{
		"h225_msg_type": {"H225_RAS", "H225_CS", "H225_OTHERS"},
		"h225_cs_type": {"H225_SETUP", "H225_CALL_PROCEDING", "H225_CONNECT", "H225_ALERTING", //nolint:misspell // so it is called
			"H225_INFORMATION", "H225_RELEASE_COMPLET", "H225_FACILITY", "H225_PROGRESS", "H225_EMPTY", "H225_STATUS",
			"H225_STATUS_INQUIRY", "H225_SETUP_ACK", "H225_NOTIFY", "H225_OTHER"},
		"init_routines": nil, "prefs_changed": nil,
	} {
		t := l.NewTable()
		for i, w := range words {
			t.RawSetInt(i, str(w))
		}
		l.SetGlobal(name, t)
	}
	pack := l.GetGlobal("package").(*lua.LTable)
	pack.RawSetString("prepend_path", l.NewFunction(func(l *lua.LState) int {
		name, old := l.CheckString(1), lua.LVAsString(pack.RawGetString("path"))
		pack.RawSetString("path", str(filepath.Join(m.folder(), name)+"/?.lua;"+name+"/?.lua;"+old))
		return 0
	}))
	find := l.NewFunction(func(l *lua.LState) int { // of C, and of all in one: there is none
		l.Push(str("\n\tno C libraries"))
		return 1
	})
	for _, name := range []string{"loaders", "searchers"} {
		t, ok := pack.RawGetString("loaders").(*lua.LTable)
		if !ok {
			t = l.NewTable()
		}
		for t.Len() < 4 {
			t.Append(find)
		}
		pack.RawSetString(name, t)
	}
}
