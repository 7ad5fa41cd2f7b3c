package lua

import (
	lua "github.com/yuin/gopher-lua"
)

// An error in gopher-lua parts the local variables of all functions that are running from the closures that share them.
// So what is called in protected mode runs on a thread of its own, and only its functions are concerned.

// protect calls a function on a thread of its own, and pushes what it returns, or gives its error.
func (m *machine) protect(l *lua.LState, fn lua.LValue, args []lua.LValue) (pushed int, err error) {
	var t *lua.LState
	if n := len(m.threads); n > 0 {
		t, m.threads = m.threads[n-1], m.threads[:n-1]
	} else {
		t, _ = l.NewThread()
		t.SetContext(m.steps)
	}
	if m.deep++; m.deep > maxDeep {
		m.deep--
		l.RaiseError("stack overflow: too many protected calls within each other")
	}
	t.Push(fn)
	for _, a := range args {
		t.Push(a)
	}
	err = t.PCall(len(args), lua.MultRet, nil)
	m.deep--
	if err == nil {
		pushed = t.GetTop()
		for i := 1; i <= pushed; i++ {
			l.Push(t.Get(i))
		}
	}
	t.SetTop(0)
	m.threads = append(m.threads, t)
	return pushed, err
}

const maxDeep = 150

// errorObject is what an error hands to whoever caught it.
func errorObject(err error) lua.LValue {
	if api, ok := err.(*lua.ApiError); ok && api.Object != nil { //nolint:errorlint // the library gives no other
		return api.Object
	}
	return lua.LString(err.Error())
}

func rest(l *lua.LState, from int) []lua.LValue {
	var out []lua.LValue
	for i := from; i <= l.GetTop(); i++ {
		out = append(out, l.Get(i))
	}
	return out
}

// openProtected replaces the functions that call others in protected mode, and what makes coroutines: they count steps,
// too.
func (m *machine) openProtected() {
	l := m.l
	l.SetGlobal("pcall", l.NewFunction(func(l *lua.LState) int {
		l.CheckAny(1)
		l.Push(lua.LTrue)
		at := l.GetTop()
		n, err := m.protect(l, l.Get(1), rest(l, 2)[:at-2])
		if m.steps.err != nil { // nobody catches that
			l.RaiseError("%s", m.steps.err.Error())
		}
		if err != nil {
			m.steps.spend(errorSteps)
			l.SetTop(at - 1)
			l.Push(lua.LFalse)
			l.Push(errorObject(err))
			return 2
		}
		return n + 1
	}))
	l.SetGlobal("xpcall", l.NewFunction(func(l *lua.LState) int {
		handler := l.CheckFunction(2)
		l.Push(lua.LTrue)
		at := l.GetTop()
		n, err := m.protect(l, l.Get(1), rest(l, 3)[:at-3])
		if m.steps.err != nil {
			l.RaiseError("%s", m.steps.err.Error())
		}
		if err != nil {
			m.steps.spend(errorSteps)
			l.SetTop(at - 1)
			l.Push(lua.LFalse)
			l.Push(handler)
			l.Push(errorObject(err))
			l.Call(1, 1)
			return 2
		}
		return n + 1
	}))
	debug := l.GetGlobal("debug").(*lua.LTable)
	info := debug.RawGetString("getinfo")
	debug.RawSetString("getinfo", l.NewFunction(func(l *lua.LState) int { // a file's name stands behind an @
		if n, ok := l.Get(1).(lua.LNumber); ok {
			l.Replace(1, n+1)
		}
		n := l.GetTop()
		l.Insert(info, 1)
		l.Call(n, 1)
		if t, ok := l.Get(-1).(*lua.LTable); ok {
			if source, ok := t.RawGetString("source").(lua.LString); ok {
				t.RawSetString("source", "@"+source)
			}
		}
		return 1
	}))
	co := l.GetGlobal("coroutine").(*lua.LTable)
	m.create = co.RawGetString("create")
	co.RawSetString("create", l.NewFunction(func(l *lua.LState) int {
		l.Push(m.thread(l, l.CheckFunction(1)))
		return 1
	}))
	resume := co.RawGetString("resume")
	co.RawSetString("wrap", l.NewFunction(func(l *lua.LState) int {
		t := m.thread(l, l.CheckFunction(1))
		l.Push(l.NewFunction(func(l *lua.LState) int {
			n := l.GetTop()
			l.Insert(resume, 1)
			l.Insert(t, 2)
			l.Call(n+1, lua.MultRet)
			if !lua.LVAsBool(l.Get(1)) {
				l.Error(l.Get(2), 0)
			}
			return l.GetTop() - 1
		}))
		return 1
	}))
}

// thread makes a coroutine.
func (m *machine) thread(l *lua.LState, fn *lua.LFunction) *lua.LState {
	m.steps.spend(threadSteps)
	create := m.create
	l.Push(create)
	l.Push(fn)
	l.Call(1, 1)
	t := l.Get(-1).(*lua.LState)
	l.Pop(1)
	t.SetContext(m.steps)
	return t
}
