// Package scripts shows what scripts show: their menus, their windows, what they print, and what their listeners find.
package scripts

import (
	"context"
	"strings"
	"time"

	"remora/dissect"
	"remora/owndissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// Screen is what scripts show beside the packets.
type Screen = owndissect.Screen

// A follower shows packets to the listeners of all scripts while a view is open.
type follower struct {
	c    view.Context
	x    *owndissect.Screen
	of   *dissect.Session
	stop func()

	attending bool
}

// followTime is how long listeners rest when they have seen all packets.
const followTime = 300 * time.Millisecond

// begin begins to follow the session that is shown, unless that is under way.
func (f *follower) begin() {
	s := f.c.Scope().Session
	if f.of == s {
		return
	}
	f.end()
	f.of = s
	f.stop = f.c.Go("listening", func(ctx context.Context) {
		for ctx.Err() == nil {
			for _, script := range f.x.Scripts(s.Registry()) {
				if script.Behind(s) > 0 {
					script.Follow(ctx, s)
				}
			}
			select {
			case <-ctx.Done():
			case <-time.After(followTime):
			}
		}
	})
}

func (f *follower) end() {
	if f.stop != nil {
		f.stop()
	}
	f.of, f.stop = nil, nil
}

// behind tells whether listeners have not seen all packets.
func (f *follower) behind() (packets int) {
	for _, s := range f.scripts() {
		packets = max(packets, s.Behind(f.c.Scope().Session))
	}
	return packets
}

func (f *follower) scripts() []*owndissect.Script { return f.x.Scripts(f.c.Scope().Session.Registry()) }

// run does what a menu or a button stands for beside the screen, and then what came of it: another window is opened,
// and what is asked is asked.
func (f *follower) run(s *owndissect.Script, do func()) {
	was := s.State().Windows
	f.x.Filtered(f.c.Scope().FilterText())
	f.c.Later(s.State().Name, func(context.Context) func() {
		s.Run(do)
		return func() {
			f.wishes()
			now := s.State().Windows
			if q := s.Question(); q != nil {
				f.ask(s, q, nil)
			} else if len(now) > len(was) {
				f.c.Open(newWindow(f.c, f.x, now[len(now)-1]))
			}
		}
	})
}

// ask asks one line after the other.
func (f *follower) ask(s *owndissect.Script, q *owndissect.Question, answers []string) {
	if len(answers) == len(q.Labels) {
		f.run(s, func() { q.Answer(answers) })
		return
	}
	label := q.Labels[len(answers)]
	f.c.Prompt(view.Prompt{Label: " " + dissect.Escape(q.Title+": "+label[0]) + ": ", Text: label[1], Forget: true,
		Accept: func(text string) { f.ask(s, q, append(answers, text)) }})
}

// attend does what scripts want, and asks what they ask, once the screen is drawn.
func (f *follower) attend() {
	if f.attending || !f.x.Waiting(f.c.Scope().Session.Registry()) {
		return
	}
	f.attending = true
	f.c.Later("attending to scripts", func(context.Context) func() {
		return func() {
			f.attending = false
			f.wishes()
			for _, s := range f.scripts() {
				if q := s.Question(); q != nil {
					f.ask(s, q, nil)
					return
				}
			}
		}
	})
}

// wishes does what scripts want of the screen.
func (f *follower) wishes() {
	for _, w := range f.x.Wishes() {
		switch w.Kind {
		case owndissect.WantsFilter:
			f.c.Filter(w.Text)
		case owndissect.WantsCopy:
			f.c.Copy(w.Text, "the script's text")
		case owndissect.WantsNotice:
			first, _, _ := strings.Cut(w.Text, "\n")
			f.c.Notify(dissect.Escape(first))
		}
	}
}

// progress says how far scripts that are at work are.
func (f *follower) progress() string {
	for _, s := range f.scripts() {
		switch st := s.State(); {
		case st.Running && st.Progress.Shown:
			return dissect.Escape(st.Progress.Title+": "+st.Progress.Task) + ", " +
				humanize.Short(100*st.Progress.Part) + " %; Esc stops it"
		case st.Running:
			return dissect.Escape(st.Name) + " is at work"
		}
	}
	if n := f.behind(); n > 0 {
		return "listeners have " + humanize.Packets(n) + " left to see"
	}
	return ""
}

// halt has scripts that are at work know that they are to stop, and tells whether there are any.
func (f *follower) halt() (any bool) {
	for _, s := range f.scripts() {
		if s.State().Running {
			s.Stop()
			any = true
		}
	}
	return any
}

// busy tells whether scripts are at work.
func (f *follower) busy() bool { return f.attending || f.progress() != "" }

// A line is one of the list: a script, a menu or a window.
type line struct {
	script *owndissect.Script
	menu   *owndissect.Menu
	window *owndissect.Window
	text   string
}

// A View lists the scripts with their menus and windows.
type View struct {
	follower
	table widget.Table
	lines []line
}

// New is the scripts that dissect the packets shown.
func New(c view.Context, x *Screen) *View { return &View{follower: follower{c: c, x: x}} }

// refresh asks what there is now.
func (v *View) refresh() {
	v.begin()
	v.attend()
	v.lines = v.lines[:0]
	for _, s := range v.scripts() {
		st := s.State()
		text := st.Name
		if n := strings.Count(st.Printed, "\n"); n > 0 {
			text += ", printed " + humanize.Of(n, "line")
		}
		if st.Listening {
			text += ", listens"
		}
		v.lines = append(v.lines, line{script: s, text: text})
		for _, m := range st.Menus {
			about := ""
			if m.OfPacket {
				about = " (this packet)"
			}
			v.lines = append(v.lines, line{script: s, menu: &m, text: "  menu    " + m.Name + about})
		}
		for _, w := range st.Windows {
			v.lines = append(v.lines, line{script: s, window: w, text: "  window  " + w.State().Title})
		}
	}
}

// Close ends what the listeners do.
func (v *View) Close() { v.end() }

// Renew lists the scripts of another session of the packets.
func (v *View) Renew() view.View { return New(v.c, v.x) }

// FindLine goes to the next line that holds a text, or to the one before.
func (v *View) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Update handles the keys that move in the lines, and open or run one.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	known := v.table.Cur < len(v.lines)
	switch {
	case v.table.Update(a, n, len(v.lines), view.Height(v.c)-1):
	case a == act.Open && known:
		v.open(v.lines[v.table.Cur])
	case a == act.Hide && known && v.lines[v.table.Cur].window != nil:
		v.shut(v.lines[v.table.Cur].window)
	case a == act.Explain && known:
		v.eval(v.lines[v.table.Cur].script)
	case a == act.Escape && v.halt():
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// open runs a menu, or shows a window or what a script printed.
func (v *View) open(l line) {
	switch {
	case l.menu != nil:
		s, n := v.c.Scope().Session, v.c.List().Current()
		v.run(l.script, func() { l.menu.Run(s, n) })
	case l.window != nil:
		v.c.Open(newWindow(v.c, v.x, l.window))
	default:
		v.c.Open(&Window{follower: follower{c: v.c, x: v.x}, script: l.script, atEnd: true})
	}
}

// shut closes a window for good.
func (f *follower) shut(w *owndissect.Window) {
	if then := w.Close(); then != nil {
		f.run(w.Script(), then)
	}
}

// eval asks for a line of the script's language, and shows what it prints.
func (v *View) eval(s *owndissect.Script) {
	v.c.Prompt(view.Prompt{Label: " " + dissect.Escape(s.State().Name) + " > ", Accept: func(text string) {
		v.c.Later("evaluating", func(context.Context) func() {
			s.Eval(text)
			return func() { v.open(line{script: s}) }
		})
	}})
}

// Click selects a line.
func (v *View) Click(_, y int) { v.table.Click(y-1, len(v.lines)) }

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"Enter", "run, show"}, {"x", "close the window"}, {"K", "evaluate a line"}, {"q", "back"}}
}

// Status says what goes on.
func (v *View) Status() string {
	if text := v.progress(); text != "" {
		return text
	}
	return "what scripts add to the menus, show in windows and print"
}

// Busy tells whether scripts are at work.
func (v *View) Busy() bool { return v.busy() }

// Draw draws a line for each script, menu and window.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	out := []string{v.c.Style().Rule(w, "Scripts", "")}
	if len(v.lines) == 0 {
		out = append(out, paint.Fit("  no script is loaded", w))
		return append(out, widget.Blank(w, h-2)...)
	}
	return append(out, v.table.Draw(w, h-1, len(v.lines), func(i int, selected bool) string {
		var l paint.Line
		if selected {
			l.Base = v.c.Style().Pens.Selected
		}
		l.Put(paint.Pen{}, paint.Fit("  "+v.c.Style().Plain(dissect.Escape(v.lines[i].text)), w))
		return paint.Clip(l.End(w), w)
	})...)
}
