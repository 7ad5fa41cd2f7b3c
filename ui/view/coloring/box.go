package coloring

import (
	"slices"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/rules"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lists the coloring rules in the order in which they are asked, beside the packets that they colour. What is
// changed shows there at once; it is written to the settings by w, or on the way out.
type View struct {
	r       *Rules
	table   widget.Table
	box     widget.Corner
	undo    [][]rules.Rule
	counter *rules.Counter // how many packets each rule takes
	seen    *rules.Counts  // the last that were drawn, while new ones are on their way
}

// Open begins to count what the rules take.
func (v *View) Open() {
	scope := v.r.c.Scope()
	skip := scope.Ignored
	v.counter = rules.NewCounter(scope.Session, func(n dissect.FrameNum) bool { return skip[n] })
	v.counter.Use(v.r.ready)
	v.r.box = v
}

// Close ends the counting.
func (v *View) Close() {
	v.counter.Stop()
	v.r.box = nil
}

// Update does what a key stands for here.
func (v *View) Update(a act.Action, n int) bool {
	r := v.r
	all := len(r.ready)
	at := widget.Clamp(v.table.Cur, 0, max(0, all-1))
	switch {
	case v.table.Update(a, n, all, all):
	case a == act.Column:
		v.begin("")
	case a == act.Undo:
		v.back()
	case a == act.Save:
		r.save()
	case a == act.Quit || a == act.Escape:
		r.leave()
	case at < all:
		return v.updateRule(a, at)
	default:
		return a == act.Open || a == act.Select || a == act.Hide || a == act.Only
	}
	return true
}

// updateRule does what a key stands for with the rule under the cursor.
func (v *View) updateRule(a act.Action, at int) bool {
	all := v.r.List()
	switch a {
	case act.Open:
		v.ask(all[at].Filter, func(text string) { v.setFilter(at, text) })
	case act.Select:
		all[at].Off = !all[at].Off
		v.change(all)
	case act.Names:
		v.r.c.Prompt(view.Prompt{
			Label: " name of the rule: ", Text: all[at].Name, Accept: func(text string) { v.rename(at, text) },
		})
	case act.Facets:
		v.try(at, false)
	case act.Measure:
		v.try(at, true)
	case act.Bigger:
		v.move(at, 1)
	case act.Smaller:
		v.move(at, -1)
	case act.Hide:
		v.change(slices.Delete(slices.Clone(all), at, at+1))
		v.r.c.Notify(all[at].Title() + " is deleted; " + v.r.c.Style().Key(act.Undo) + " brings it back")
	case act.Only:
		v.r.c.Filter(all[at].Filter)
	default:
		return false
	}
	return true
}

// change takes other rules, and remembers those before.
func (v *View) change(list []rules.Rule) {
	v.undo = append(v.undo, v.r.List())
	v.r.set(list)
}

// back takes the last change back.
func (v *View) back() {
	k := len(v.undo)
	if k == 0 {
		v.r.c.Notify("there is nothing to undo: this is how the rules were")
		return
	}
	v.r.set(v.undo[k-1])
	v.undo = v.undo[:k-1]
}

// move takes a rule one place on. Those of a profile stand before everybody's: the step over the border changes whose
// it is.
func (v *View) move(at, by int) {
	list, profile := v.r.List(), v.r.c.Profile()
	to := at + by
	switch {
	case list[at].Profile != "" && by > 0 && (to == len(list) || list[to].Profile == ""):
		v.r.c.Notify(list[at].Title() + " is kept for all profiles now")
		list[at].Profile = ""
	case list[at].Profile == "" && profile != "" && by < 0 && (to < 0 || list[to].Profile != ""):
		v.r.c.Notify(list[at].Title() + " is kept in the profile " + profile + " now")
		list[at].Profile = profile
	case to < 0 || to == len(list):
		return
	default:
		list[at], list[to] = list[to], list[at]
		v.table.Cur = to
	}
	v.change(list)
}

// ask asks for the filter of a rule.
func (v *View) ask(text string, accept func(text string)) {
	v.r.c.Prompt(view.Prompt{
		Label: " colour the packets: ", Text: text, Filter: true, Wrong: "no such rule yet", Accept: accept,
		Fault: func(f *filter.Filter, text string) *filter.Error { return fault(f, text) },
	})
}

// begin asks for the filter of a new rule.
func (v *View) begin(text string) { v.ask(text, v.insert) }

// insert makes a rule in front of the one with the cursor. Its colour is chosen next.
func (v *View) insert(text string) {
	if text == "" {
		return
	}
	list, profile := v.r.List(), v.r.c.Profile()
	at := widget.Clamp(v.table.Cur, 0, len(list))
	if first := slices.IndexFunc(list, func(r rules.Rule) bool { return r.Profile == "" }); profile != "" && first >= 0 {
		at = min(at, first)
	}
	v.change(slices.Insert(list, at, rules.Rule{Filter: text, Foreground: "accent", Profile: profile}))
	v.table.Cur = at
	v.try(at, false)
}

// setFilter gives a rule another filter.
func (v *View) setFilter(at int, text string) {
	if list := v.r.List(); text != "" && at < len(list) {
		list[at].Filter = text
		v.change(list)
	}
}

// rename gives a rule another name, or none.
func (v *View) rename(at int, text string) {
	if list := v.r.List(); at < len(list) {
		list[at].Name = columns.OwnTitle(text)
		v.change(list)
	}
}

// Click goes to a rule, or switches it; beside the box it closes the rules.
func (v *View) Click(x, y int) {
	line, inside := v.box.Line(x, y)
	if !inside {
		v.r.leave()
		return
	}
	if i := v.table.Top + line; line >= 0 && i < len(v.r.ready) {
		v.table.Cur = i
		if v.box.OnSign(x) {
			v.Update(act.Select, 1)
		}
	}
}

// Wheel moves the cursor.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Busy tells whether packets are being counted.
func (v *View) Busy() bool { return v.counter.Busy() }

// Keys are the keys of the rules.
func (v *View) Keys() [][2]string {
	return [][2]string{
		{"Enter", "filter"}, {"C", "new"}, {"f b", "text, background"}, {"Space", "on, off"}, {"+ -", "order"},
		{"x", "delete"},
		{"u", "undo"}, {"w", "keep"}, {"r", "rename"}, {"o", "only these"}, {"q", "back"},
	}
}

// Status says what counts, and whether the rules are kept.
func (v *View) Status() string {
	r, style := v.r, v.r.c.Style()
	text := "the first rule that matches a packet counts"
	if err := v.counter.Now().Err; err != nil {
		text = err.Error()
	}
	if at := v.table.Cur; at < len(r.ready) {
		if err := r.ready[at].Compiled.Stopped(); err != nil && !r.ready[at].Off {
			text = "this rule colours nothing any more: " + err.Error()
		}
	}
	if r.Off {
		text = "all rules are off; " + style.Key(act.Coloring) + " switches them on"
	}
	if r.changed() {
		text += style.Glyph(" · ", "; ") + "changed, " + style.Key(act.Save) + " keeps them"
	}
	return text
}
