package scripts

import (
	"strings"

	"remora/dissect"
	"remora/owndissect"
	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// A Window shows the text of a script's window, or what the script printed, as it changes.
type Window struct {
	follower
	window *owndissect.Window // nil: what the script printed
	script *owndissect.Script
	state  owndissect.WindowState
	lines  []string
	table  widget.Table
	button int
	atEnd  bool // it shows the end of what grows
	places []int
}

func newWindow(c view.Context, x *owndissect.Screen, w *owndissect.Window) *Window {
	return &Window{follower: follower{c: c, x: x}, window: w, script: w.Script()}
}

// refresh asks what the text is now.
func (v *Window) refresh() {
	v.begin()
	v.attend()
	was := v.state.Text
	if v.window != nil {
		v.state = v.window.State()
	} else {
		st := v.script.State()
		v.state = owndissect.WindowState{Title: st.Name, Text: st.Printed}
	}
	if v.lines == nil || was != v.state.Text {
		v.lines = strings.Split(strings.TrimSuffix(v.state.Text, "\n"), "\n")
		if v.atEnd {
			v.table.Cur = len(v.lines) - 1
		}
	}
	v.button = min(v.button, max(0, len(v.state.Buttons)-1))
}

// Close ends what the listeners do.
func (v *Window) Close() { v.end() }

// Renew lists the scripts of another session of the packets: their windows are others.
func (v *Window) Renew() view.View { return New(v.c, v.x) }

// FindLine goes to the next line that holds a text, or to the one before.
func (v *Window) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Update handles the keys that move in the text, press buttons and close the window.
func (v *Window) Update(a act.Action, n int) bool {
	v.refresh()
	buttons := v.state.Buttons
	switch {
	case v.table.Update(a, n, len(v.lines), v.height()):
		v.atEnd = v.window == nil && v.table.Cur == len(v.lines)-1
	case (a == act.NextPane || a == act.PrevPane) && len(buttons) > 0:
		step := 1
		if a == act.PrevPane {
			step = len(buttons) - 1
		}
		v.button = (v.button + step) % len(buttons)
	case a == act.Open && len(buttons) > 0:
		v.run(v.script, buttons[v.button].Press)
	case a == act.Comment && v.state.Editable:
		v.edit()
	case a == act.CopyRow || a == act.CopyLine || a == act.CopyValue:
		v.c.Copy(v.state.Text, "the text")
	case a == act.Hide && v.window != nil:
		v.shut(v.window)
		v.c.Open(New(v.c, v.x))
	case a == act.Escape && v.halt():
	case a == act.Quit || a == act.Escape:
		v.c.Open(New(v.c, v.x))
	default:
		return false
	}
	return true
}

// edit changes the line under the cursor.
func (v *Window) edit() {
	at := v.table.Cur
	v.c.Prompt(view.Prompt{Label: " text: ", Text: v.lines[at], Forget: true, Accept: func(text string) {
		if at < len(v.lines) {
			v.lines[at] = text
			v.window.Set(strings.Join(v.lines, "\n"))
		}
	}})
}

// height is how many lines of the text are seen.
func (v *Window) height() int { return view.Height(v.c) - 1 - min(1, len(v.state.Buttons)) }

// Click selects a line, or presses a button.
func (v *Window) Click(x, y int) {
	if y <= v.height() {
		v.table.Click(y-1, len(v.lines))
		return
	}
	for i, to := range v.places {
		if x < to {
			v.button = i
			v.run(v.script, v.state.Buttons[i].Press)
			return
		}
	}
}

// Wheel moves by n lines.
func (v *Window) Wheel(n int) { v.Update(act.Down, n) }

// Keys are the keys that matter here, each with what it does.
func (v *Window) Keys() [][2]string {
	var out [][2]string
	if len(v.state.Buttons) > 0 {
		out = append(out, [2]string{"Enter", "press"}, [2]string{"Tab", "next button"})
	}
	if v.state.Editable {
		out = append(out, [2]string{";", "change the line"})
	}
	if v.window != nil {
		out = append(out, [2]string{"x", "close it"})
	}
	return append(out, [2]string{"yy", "copy"}, [2]string{"e", "export"}, [2]string{"q", "scripts"})
}

// Status says what goes on.
func (v *Window) Status() string {
	if text := v.progress(); text != "" {
		return text
	}
	return humanize.Of(len(v.lines), "line") + " of " + dissect.Escape(v.script.State().Name)
}

// Busy tells whether scripts are at work.
func (v *Window) Busy() bool { return v.busy() }

// Sheet is what e saves: a row for each line.
func (v *Window) Sheet() export.Sheet {
	lines := v.lines
	return export.New("script", []string{"text"}, func() (out [][]any) {
		for _, l := range lines {
			out = append(out, []any{l})
		}
		return out
	})
}

// Draw draws the text, and the buttons below it.
func (v *Window) Draw(w, h int) []string {
	v.refresh()
	title := dissect.Escape(v.state.Title)
	if v.state.Closed {
		title += " (closed by the script)"
	}
	style := v.c.Style()
	out := []string{style.Rule(w, style.Plain(title), "")}
	room := h - 1 - min(1, len(v.state.Buttons))
	out = append(out, v.table.Draw(w, room, len(v.lines), func(i int, selected bool) string {
		var l paint.Line
		if selected {
			l.Base = style.Pens.Selected
		}
		l.Put(paint.Pen{}, paint.Fit("  "+style.Plain(dissect.Escape(tabbed(v.lines[i]))), w))
		return paint.Clip(l.End(w), w)
	})...)
	if len(v.state.Buttons) > 0 {
		out = append(out, v.drawButtons(w))
	}
	return out
}

// tabbed puts blanks in the place of tabs.
func tabbed(text string) string {
	for {
		before, after, found := strings.Cut(text, "\t")
		if !found {
			return text
		}
		text = before + strings.Repeat(" ", 8-paint.Width(before)%8) + after
	}
}

func (v *Window) drawButtons(w int) string {
	var l paint.Line
	v.places = v.places[:0]
	for i, b := range v.state.Buttons {
		pen := paint.Pen{}
		if i == v.button {
			pen = v.c.Style().Pens.Selected
		}
		l.Put(paint.Pen{}, " ")
		l.Put(pen, "[ "+v.c.Style().Plain(dissect.Escape(b.Label))+" ]")
		v.places = append(v.places, l.Width)
	}
	return paint.Clip(l.End(w), w)
}
