package lua

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// A class is one kind of objects of the API: its functions are those of a global table, and each object has the class's
// metatable.
type class struct {
	name    string
	methods *lua.LTable
	meta    *lua.LTable
	get     map[string]func(l *lua.LState, v any) lua.LValue
	set     map[string]func(l *lua.LState, v any, to lua.LValue)
}

type classes struct {
	class map[string]*class

	tvb, rng, item, pinfo, addr, bytes, nstime, i64, u64, field, finfo, proto, pfield, expert, column, columns, tap,
	dissector, table, pref, prefs, private, dir *class
}

type functions = map[string]lua.LGFunction

// newClass makes a class. Functions whose names begin with two underscores belong to its objects' metatable.
func (m *machine) newClass(name string, fns functions) *class {
	l := m.l
	c := &class{name: name, methods: l.NewTable(), meta: l.NewTable(),
		get: map[string]func(*lua.LState, any) lua.LValue{}, set: map[string]func(*lua.LState, any, lua.LValue){}}
	static := l.NewTable()
	for _, k := range slices.Sorted(maps.Keys(fns)) {
		fn := l.NewFunction(fns[k])
		if len(k) > 2 && k[:2] == "__" && k != "__new" {
			c.meta.RawSetString(k, fn)
			if k != "__len" && (k != "__call" || fns["new"] == nil) {
				static.RawSetString(k, fn)
			}
		} else if k != "__new" {
			c.methods.RawSetString(k, fn)
		}
	}
	for _, t := range []*lua.LTable{c.meta, static} {
		t.RawSetString("__typeof", lua.LString(name))
		t.RawSetString("__methods", c.methods)
	}
	c.methods.RawSetString("__typeof", lua.LString(name))
	c.meta.RawSetString("__index", l.NewFunction(c.index))
	c.meta.RawSetString("__newindex", l.NewFunction(c.newindex))
	c.meta.RawSetString("__metatable", lua.LNil)
	static.RawSetString("__index", l.NewFunction(func(l *lua.LState) int {
		if key := l.Get(2).String(); c.get[key] != nil || c.set[key] != nil {
			l.RaiseError("'%s' belongs to objects of class '%s'", key, name)
		}
		l.RaiseError("No such '%s' method/field for object type '%s'", l.Get(2).String(), name)
		return 0
	}))
	static.RawSetString("__tostring", l.NewFunction(func(l *lua.LState) int {
		l.Push(lua.LString("table: class " + name))
		return 1
	}))
	static.RawSetString("__newindex", l.NewFunction(func(l *lua.LState) int {
		l.RaiseError("No such '%s' setter for class '%s'", l.Get(2).String(), name)
		return 0
	}))
	if made := fns["new"]; made != nil { // the class is called as its maker
		static.RawSetString("__call", l.NewFunction(func(l *lua.LState) int {
			l.Remove(1)
			return made(l)
		}))
	}
	if call := fns["__new"]; call != nil {
		static.RawSetString("__call", l.NewFunction(func(l *lua.LState) int {
			l.Remove(1)
			return call(l)
		}))
	}
	if c.meta.RawGetString("__tostring") == lua.LNil {
		c.meta.RawSetString("__tostring", l.NewFunction(func(l *lua.LState) int {
			l.Push(lua.LString(name))
			return 1
		}))
	}
	c.methods.Metatable = static
	if m.class == nil {
		m.class = map[string]*class{}
	}
	m.class[name] = c
	l.SetGlobal(name, c.methods)
	return c
}

// listAttributes has the tables of classes say which attributes their objects have, as Wireshark's do.
func (m *machine) listAttributes() {
	for _, c := range m.class {
		static, ok := c.methods.Metatable.(*lua.LTable)
		if !ok {
			continue
		}
		for name, all := range map[string][]string{"__getters": slices.Collect(maps.Keys(c.get)),
			"__setters": slices.Collect(maps.Keys(c.set))} {
			t := m.l.NewTable()
			t.RawSetString("__typeof", lua.LString(strings.TrimSuffix(name[2:], "s")))
			for _, attribute := range all {
				t.RawSetString(attribute, m.l.NewFunction(c.index))
			}
			static.RawSetString(name, t)
		}
	}
}

// plain has the class without attributes find its methods without a call.
func (c *class) plain() *class {
	c.meta.RawSetString("__index", c.methods)
	return c
}

func (c *class) index(l *lua.LState) int {
	ud, key := l.CheckUserData(1), l.Get(2)
	if name, ok := key.(lua.LString); ok {
		if get := c.get[string(name)]; get != nil {
			l.Push(get(l, ud.Value))
			return 1
		}
		if v := c.methods.RawGetString(string(name)); v != lua.LNil {
			l.Push(v)
			return 1
		}
		if c.set[string(name)] == nil && c.name != "Pinfo" {
			l.RaiseError("No such '%s' method/field for object type '%s'", string(name), c.name)
		} else if c.set[string(name)] != nil {
			l.RaiseError("'%s' of object type '%s' can only be set", string(name), c.name)
		}
	}
	l.Push(lua.LNil)
	return 1
}

func (c *class) newindex(l *lua.LState) int {
	ud, name := l.CheckUserData(1), l.CheckString(2)
	set := c.set[name]
	if set == nil {
		if c.name == "Pinfo" {
			return 0 // as in Wireshark
		}
		l.RaiseError("No such '%s' setter for object type '%s'", name, c.name)
	}
	set(l, ud.Value, l.Get(3))
	return 0
}

// object makes an object of the class.
func (c *class) object(v any) *lua.LUserData { return &lua.LUserData{Value: v, Metatable: c.meta} }

// is is the value of an argument if it is of a type, and tells whether.
func is[T any](v lua.LValue) (t T, ok bool) {
	if ud, isUD := v.(*lua.LUserData); isUD {
		t, ok = ud.Value.(T)
	}
	return t, ok
}

// arg is an argument that must be of a type.
func arg[T any](l *lua.LState, n int, name string) T {
	t, ok := is[T](l.Get(n))
	if !ok {
		l.ArgError(n, fmt.Sprintf("%s expected, got %s", name, typeName(l.Get(n))))
	}
	return t
}

func typeName(v lua.LValue) string {
	if _, ok := v.(long); ok {
		return "number"
	}
	if ud, ok := v.(*lua.LUserData); ok {
		if t, ok := ud.Metatable.(*lua.LTable); ok {
			if name, ok := t.RawGetString("__typeof").(lua.LString); ok {
				return string(name)
			}
		}
	}
	return v.Type().String()
}

// attr declares attributes of a class that are read.
func attr[T any](c *class, name string, get func(t T) lua.LValue) {
	c.get[name] = func(l *lua.LState, v any) lua.LValue {
		t, ok := v.(T)
		if !ok {
			l.RaiseError("%s is no object", c.name)
		}
		return get(t)
	}
}

func number[T int | int64 | uint64 | uint32 | uint16 | uint8 | int32 | float64](n T) lua.LValue {
	return lua.LNumber(n)
}
func str(s string) lua.LValue   { return lua.LString(s) }
func boolean(b bool) lua.LValue { return lua.LBool(b) }
