package lua

import (
	"context"
	"strings"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
	"remora/owndissect"
)

// tapped is how far the listeners have looked at packets on the screen.
type tapped struct {
	session *dissect.Session
	upTo    dissect.FrameNum
	seen    atomic.Int64                    // the same, for those who do not wait
	asked   atomic.Pointer[dissect.Session] // the one that a person looks at
	any     atomic.Bool                     // whether there are listeners
	stale   bool                            // they have seen packets since they last said what they found
}

// hooks are what the screen may ask of the script.
func (m *machine) hooks() owndissect.Hooks {
	return owndissect.Hooks{Follow: m.follow, Listeners: m.tapped.any.Load, Eval: m.eval,
		Seen: func(*dissect.Session) int { return int(m.tapped.seen.Load()) }}
}

// follow has the listeners look at the packets that have passed, in order, and say what they found.
func (m *machine) follow(ctx context.Context, s *dissect.Session) {
	m.tapping.Lock()
	defer m.tapping.Unlock()
	t := &m.tapped
	t.asked.Store(s)
	if t.session != s {
		m.retapped(s)
	}
	d := s.Dissector()
	t.upTo = max(t.upTo, dissect.FrameNum(s.Store().First()))
	for int(t.upTo) < s.Passed() && ctx.Err() == nil {
		t.upTo++
		d.After(t.upTo, m.passed)
		t.stale = true
		t.seen.Store(int64(t.upTo))
	}
	if t.stale && ctx.Err() == nil {
		t.stale = false
		m.mu.Lock()
		defer m.mu.Unlock()
		m.shown.Drawing(true)
		m.drawTaps()
		m.shown.Drawing(false)
	}
}

// retapped has the listeners begin with a session's first packet.
func (m *machine) retapped(s *dissect.Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps.grant(loadSteps)
	for _, t := range m.taps {
		if t.seen = 0; t.reset != nil {
			m.plainCall(t.reset)
		}
	}
	m.tapped.session, m.tapped.upTo, m.tapped.stale = s, 0, true
	m.tapped.seen.Store(0)
}

// retap is the script's retap_packets: while it waits, packets may be dissected.
func (m *machine) retap(*lua.LState) int {
	s := m.tapped.asked.Load()
	if s == nil || m.run != nil {
		return 0
	}
	m.mu.Unlock()
	m.tapping.Lock()
	m.retapped(s)
	m.tapping.Unlock()
	m.follow(context.Background(), s)
	m.mu.Lock()
	m.steps.grant(loadSteps)
	return 0
}

// ask runs something for a person who looks at a session.
func (m *machine) ask(s *dissect.Session, fn *lua.LFunction, args ...lua.LValue) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s != nil {
		m.tapped.asked.Store(s)
	}
	m.steps.grant(loadSteps)
	m.plainCall(fn, args...)
}

// eval runs a line, and prints its values.
func (m *machine) eval(line string) {
	m.shown.Print("> " + line + "\n")
	fn, err := m.compile("=line", []byte("return "+line))
	if err != nil {
		fn, err = m.compile("=line", []byte(line))
	}
	if err != nil {
		m.shown.Print(err.Error() + "\n")
		return
	}
	show := m.l.NewFunction(func(l *lua.LState) int {
		l.Push(fn)
		l.Call(0, lua.MultRet)
		var out []string
		for i := 1; i <= l.GetTop(); i++ {
			out = append(out, shownValue(l, l.Get(i)))
		}
		if len(out) > 0 {
			m.shown.Print(strings.Join(out, "\t") + "\n")
		}
		return 0
	})
	m.ask(nil, show)
}

// openScreen opens what scripts show: on the screen windows, in print what is written into them.
func (m *machine) openScreen() {
	fns := functions{
		"gui_enabled":            func(l *lua.LState) int { l.Push(boolean(m.shown != nil)); return 1 },
		"retap_packets":          m.retap,
		"open_capture_file":      m.noWindows("open_capture_file"),
		"browser_open_url":       m.noWindows("browser_open_url"),
		"browser_open_data_file": m.noWindows("browser_open_data_file"),
	}
	if m.shown != nil {
		m.addShown(fns)
	} else {
		nothing := func(*lua.LState) int { return 0 }
		for _, name := range []string{"register_menu", "register_packet_menu", "retap_packets", "set_filter",
			"apply_filter"} {
			fns[name] = nothing
		}
		fns["get_filter"] = func(l *lua.LState) int { l.Push(str("")); return 1 }
		fns["new_dialog"], fns["copy_to_clipboard"] = m.noWindows("new_dialog"), m.noWindows("copy_to_clipboard")
	}
	for name, fn := range fns {
		m.l.SetGlobal(name, m.l.NewFunction(fn))
	}
	m.l.SetGlobal("GUI_ENABLED", boolean(m.shown != nil))
	m.openProgress()
	m.openTextWindow()
}

// noWindows says that a function needs what a terminal has not.
func (m *machine) noWindows(name string) lua.LGFunction {
	return func(l *lua.LState) int {
		l.RaiseError("%s: there is no graphical interface", name)
		return 0
	}
}

// addShown adds the functions that the screen has.
func (m *machine) addShown(fns functions) {
	wish := func(kind owndissect.WishKind) lua.LGFunction {
		return func(l *lua.LState) int {
			m.o.Screen.Wish(kind, l.CheckString(1))
			return 0
		}
	}
	filter := ""
	fns["set_filter"] = func(l *lua.LState) int { filter = l.CheckString(1); return 0 }
	fns["get_filter"] = func(l *lua.LState) int { l.Push(str(orText(filter, m.o.Screen.Filter()))); return 1 }
	fns["apply_filter"] = func(*lua.LState) int {
		m.o.Screen.Wish(owndissect.WantsFilter, filter)
		return 0
	}
	fns["copy_to_clipboard"] = wish(owndissect.WantsCopy)
	fns["report_failure"] = func(l *lua.LState) int { m.say(l.CheckString(1)); return 0 }
	fns["register_menu"] = func(l *lua.LState) int {
		fn := l.CheckFunction(2)
		m.shown.AddMenu(owndissect.Menu{Name: l.CheckString(1),
			Run: func(s *dissect.Session, _ dissect.FrameNum) { m.ask(s, fn) }})
		return 0
	}
	fns["register_packet_menu"] = func(l *lua.LState) int {
		fn, needs := l.CheckFunction(2),
			strings.FieldsFunc(l.OptString(3, ""), func(r rune) bool { return r == ',' || r == ' ' })
		m.shown.AddMenu(owndissect.Menu{Name: l.CheckString(1), OfPacket: true,
			Run: func(s *dissect.Session, n dissect.FrameNum) { m.askOf(s, n, fn, needs) }})
		return 0
	}
	fns["new_dialog"] = m.newDialog
}

// askOf runs something with the fields of a packet, if it has all those that are needed.
func (m *machine) askOf(s *dissect.Session, n dissect.FrameNum, fn *lua.LFunction, needs []string) {
	s.Dissector().After(n, func(d *dissect.D) {
		unlock := m.enter(d)
		defer unlock()
		r := m.begun(d, nil)
		defer r.end()
		r.tap = true
		var args []lua.LValue
		has := map[string]bool{}
		for _, f := range m.find(nil) {
			has[f.name()] = true
			args = append(args, m.finfo.object(f))
		}
		for _, name := range needs {
			if !has[name] {
				m.say("the packet has no field " + name)
				return
			}
		}
		m.steps.grant(loadSteps)
		m.plainCall(fn, args...)
	})
}

// newDialog asks for some lines, and calls a function with them.
func (m *machine) newDialog(l *lua.LState) int {
	q := &owndissect.Question{Title: l.CheckString(1)}
	fn := l.CheckFunction(2)
	for i := 3; i <= l.GetTop(); i++ {
		if t, ok := l.Get(i).(*lua.LTable); ok {
			q.Labels = append(q.Labels,
				[2]string{lua.LVAsString(t.RawGetString("name")), lua.LVAsString(t.RawGetString("value"))})
		} else {
			q.Labels = append(q.Labels, [2]string{l.CheckString(i), ""})
		}
	}
	q.Answer = func(answers []string) {
		args := make([]lua.LValue, len(answers))
		for i, a := range answers {
			args[i] = str(a)
		}
		m.ask(nil, fn, args...)
	}
	m.shown.Ask(q)
	return 0
}

// openProgress opens the class of what says how far something is.
func (m *machine) openProgress() {
	type dialog struct {
		p       owndissect.Progress
		stopped bool
	}
	show := func(d *dialog) {
		if m.shown != nil {
			d.stopped = m.shown.Progressed(d.p)
		}
	}
	self := func(l *lua.LState) *dialog { return arg[*dialog](l, 1, "ProgDlg") }
	m.newClass("ProgDlg", functions{
		"new": func(l *lua.LState) int {
			d := &dialog{p: owndissect.Progress{Title: l.OptString(1, "Progress"), Task: l.OptString(2, ""), Shown: true}}
			show(d)
			l.Push(m.class["ProgDlg"].object(d))
			return 1
		},
		"update": func(l *lua.LState) int {
			d := self(l)
			d.p.Part, d.p.Task = float64(l.CheckNumber(2)), l.OptString(3, d.p.Task)
			if d.p.Part < 0 || d.p.Part > 1 {
				l.ArgError(2, "Progress value out of range (must be between 0.0 and 1.0)")
			}
			show(d)
			return 0
		},
		"stopped": func(l *lua.LState) int {
			d := self(l)
			show(d)
			l.Push(boolean(d.stopped))
			return 1
		},
		"close": func(l *lua.LState) int {
			self(l).p.Shown = false
			show(self(l))
			return 0
		},
	}).plain()
}

// A textWindow is one of the screen, or what stands for it in print: what is put into it is written.
type textWindow struct {
	*owndissect.Window
	m    *machine
	text string
}

func (w *textWindow) change(onScreen func(text string), text, printed string) {
	if w.Window != nil {
		onScreen(text)
		return
	}
	w.text = printed
	w.m.write(text)
}

func (m *machine) openTextWindow() {
	self := func(l *lua.LState) *textWindow { return arg[*textWindow](l, 1, "TextWindow") }
	change := func(do func(l *lua.LState, w *textWindow)) lua.LGFunction {
		return func(l *lua.LState) int {
			do(l, self(l))
			l.SetTop(1)
			return 1
		}
	}
	m.newClass("TextWindow", functions{
		"new": func(l *lua.LState) int {
			w := &textWindow{m: m}
			if m.shown != nil {
				w.Window = m.shown.AddWindow(l.OptString(1, "Untitled Window"))
			}
			l.Push(m.class["TextWindow"].object(w))
			return 1
		},
		"set": change(func(l *lua.LState, w *textWindow) { w.change(w.Set, l.CheckString(2), l.CheckString(2)) }),
		"append": change(func(l *lua.LState, w *textWindow) {
			w.change(w.Append, l.CheckString(2), w.text+l.CheckString(2))
		}),
		"prepend": change(func(l *lua.LState, w *textWindow) {
			w.change(w.Prepend, l.CheckString(2), l.CheckString(2)+w.text)
		}),
		"clear": change(func(_ *lua.LState, w *textWindow) { w.change(w.Set, "", "") }),
		"set_editable": change(func(l *lua.LState, w *textWindow) {
			if w.Window != nil {
				w.SetEditable(l.GetTop() < 2 || l.ToBool(2))
			}
		}),
		"close": change(func(_ *lua.LState, w *textWindow) {
			if w.Window != nil {
				w.Close()
			}
		}),
		"set_atclose": change(func(l *lua.LState, w *textWindow) {
			if fn := l.CheckFunction(2); w.Window != nil {
				w.AtClose(func() { m.ask(nil, fn) })
			}
		}),
		"add_button": change(func(l *lua.LState, w *textWindow) {
			label, fn, at := l.CheckString(2), l.CheckFunction(3), l.Get(1)
			if w.Window != nil {
				w.AddButton(owndissect.Button{Label: label, Press: func() { m.ask(nil, fn, at) }})
			}
		}),
		"get_text": func(l *lua.LState) int {
			if w := self(l); w.Window != nil {
				l.Push(str(w.State().Text))
			} else {
				l.Push(str(w.text))
			}
			return 1
		},
	}).plain()
}
