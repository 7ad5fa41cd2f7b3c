// Package settings lists what can be set while remora runs: settings of the screen, and preferences of protocols with
// their keys and ports. Each takes hold at once.
package settings

import (
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/set"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lists settings.
type View struct {
	c     view.Context
	all   func() set.Settings
	stay  func(v *View)
	table widget.Table
	find  string // only those with this in their names or explanations are listed
	shown set.Settings
}

// New lists settings, as they are whenever they are asked for; find narrows them down. What is open closes when packets
// are dissected anew: stay shows the view again.
func New(c view.Context, all func() set.Settings, stay func(v *View), find string) *View {
	return &View{c: c, all: all, stay: stay, find: find}
}

// take lists the settings that are looked for.
func (v *View) take() {
	v.shown = v.shown[:0]
	word := strings.ToLower(v.find)
	for _, s := range v.all() {
		if strings.Contains(strings.ToLower(s.Name+" "+s.Title), word) {
			v.shown = append(v.shown, s)
		}
	}
	v.table.Cur = widget.Clamp(v.table.Cur, 0, max(0, len(v.shown)-1))
}

// Update does what a key stands for.
func (v *View) Update(a act.Action, n int) bool {
	v.take()
	known := v.table.Cur < len(v.shown)
	switch {
	case v.table.Update(a, n, len(v.shown), view.Height(v.c)-3):
	case a == act.Open && known:
		v.change(v.shown[v.table.Cur])
	case a == act.Filter:
		v.c.Prompt(view.Prompt{Label: " settings with: ", Text: v.find, Forget: true,
			Accept: func(text string) { v.find, v.table = strings.TrimSpace(text), widget.Table{} }})
	case a == act.CopyRow && known:
		s := v.shown[v.table.Cur]
		v.c.Copy(s.Name+":"+s.Now(), "the setting as -o takes it")
	case a == act.Escape && v.find != "":
		v.find = ""
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// change turns a setting over that has two words, and asks for another one.
func (v *View) change(s set.Setting) {
	if words := s.Choices(); s.Free == "" && len(words) == 2 {
		next := words[0]
		if s.Now() == next {
			next = words[1]
		}
		v.command(s, next)
		return
	}
	v.c.Prompt(view.Prompt{Label: " " + s.Name + " (" + strings.Join(s.Choices(), ", ") + ") = ", Text: s.Now(),
		Forget: true, Accept: func(text string) { v.command(s, text) }})
}

func (v *View) command(s set.Setting, word string) {
	says := set.Settings{s}.Command(s.Name + "=" + word)
	v.stay(v)
	v.c.Notify(dissect.Escape(says))
}

// nameWidth is the room of the names; explanations stand behind the values where a screen is explainedFrom cells wide.
const (
	nameWidth     = 38
	valueWidth    = 24
	explainedFrom = 96
)

// Draw draws the settings, those that are not as usual in another colour, and what the one under the cursor is.
func (v *View) Draw(w, h int) []string {
	v.take()
	s := v.c.Style()
	note := humanize.Of(len(v.shown), "setting")
	if v.find != "" {
		note += " with " + dissect.Escape(v.find)
	}
	out := []string{s.Rule(w, "Settings and preferences", note)}
	if len(v.shown) == 0 {
		return append(out, append([]string{paint.Fit("  No matches", w)}, widget.Blank(w, h-2)...)...)
	}
	out = append(out, v.table.Draw(w, max(1, h-len(out)-2), len(v.shown), func(i int, selected bool) string {
		return v.row(v.shown[i], selected, w)
	})...)
	at := v.shown[v.table.Cur]
	below := []string{paint.Fit("  "+at.Title, w), paint.Fit("  it takes "+strings.Join(at.Choices(), ", "), w)}
	for _, line := range below {
		if len(out) < h {
			out = append(out, s.Dim(line, w))
		}
	}
	return out
}

func (v *View) row(s set.Setting, selected bool, w int) string {
	var l paint.Line
	style := v.c.Style()
	if selected {
		l.Base = style.Pens.Selected
	}
	pen := paint.Pen{}
	if s.Usual != nil && s.Now() != *s.Usual {
		pen = style.Pens.Accent
	}
	value := dissect.Escape(s.Now())
	l.Put(paint.Pen{}, "  "+paint.Fit(s.Name, nameWidth))
	width := w - nameWidth - 3
	if w >= explainedFrom {
		width = valueWidth
	}
	l.Put(pen, " "+paint.Fit(value, width))
	if w >= explainedFrom {
		l.Put(style.Pens.Dim, " "+paint.Fit(s.Title, w-l.Width-1))
	}
	return paint.Clip(l.End(w), w)
}

// Click puts the cursor on a line.
func (v *View) Click(_, y int) { v.table.Click(y-1, len(v.shown)) }

// Wheel moves the cursor.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// FindLine puts the cursor on the next line with a text.
func (v *View) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Keys are the keys that matter here.
func (v *View) Keys() [][2]string {
	return [][2]string{{"Enter", "change"}, {"/", "look for"}, {"yy", "copy for -o"}, {"q", "back"}}
}

// Status has nothing to say.
func (v *View) Status() string { return "" }

// Busy tells that nothing goes on beside the screen.
func (v *View) Busy() bool { return false }

// Close has nothing to end.
func (v *View) Close() {}
