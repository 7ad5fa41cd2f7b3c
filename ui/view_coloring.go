package ui

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/rules"
	"remora/ui/view"
	"remora/ui/widget"
)

// coloringView lists the coloring rules in the order in which they are asked, beside the packets that they colour. What
// is changed shows there at once; it is written to the settings by w, or on the way out.
type coloringView struct {
	m      *model
	table  widget.Table
	undo   [][]Rule
	at     int           // the rule whose line is edited; -1: a new one
	before []Rule        // the rules while a colour is tried
	seen   *rules.Counts // the last that were drawn, while new ones are on their way
}

func (m *model) openColoring() {
	if _, open := m.views.Over().(*coloringView); !open {
		m.views.Open(&coloringView{m: m})
	}
}

func (v *coloringView) Update(a act.Action, n int) bool {
	m := v.m
	all := m.coloring.list()
	at := widget.Clamp(v.table.Cur, 0, max(0, len(all)-1))
	some := at < len(all)
	switch {
	case v.table.Update(a, n, len(all), len(all)):
	case a == act.Filter:
		v.begin("")
	case a == act.Undo:
		v.back()
	case a == act.Save:
		m.keepRules()
	case a == act.Quit || a == act.ClearFilter:
		m.leaveColoring()
	case !some && (a == act.Open || a == act.Select || a == act.Hide || a == act.Only):
	case !some:
		return false
	case a == act.Open:
		v.at = at
		m.startEdit(editRule, all[at].Filter)
	case a == act.Select:
		all[at].Off = !all[at].Off
		v.change(all)
	case a == act.Names:
		v.at = at
		m.startEdit(editRuleName, all[at].Name)
	case a == act.Facets:
		v.tryColours(editInk, at)
	case a == act.Measure:
		v.tryColours(editGround, at)
	case a == act.Bigger:
		v.move(at, 1)
	case a == act.Smaller:
		v.move(at, -1)
	case a == act.Hide:
		v.change(slices.Delete(slices.Clone(all), at, at+1))
		m.notice = all[at].Title() + " is deleted; " + m.style.Key(act.Undo) + " brings it back"
	case a == act.Only:
		m.applyFilter(all[at].Filter)
	default:
		return false
	}
	return true
}

// change takes other rules, and remembers those before.
func (v *coloringView) change(list []Rule) {
	m := v.m
	v.undo = append(v.undo, m.coloring.list())
	m.setRules(list)
}

// back takes the last change back.
func (v *coloringView) back() {
	m := v.m
	k := len(v.undo)
	if k == 0 {
		m.notice = "there is nothing to undo: this is how the rules were"
		return
	}
	m.setRules(v.undo[k-1])
	v.undo = v.undo[:k-1]
}

// move takes a rule one place on. Those of a profile stand before everybody's: the step over the border changes whose
// it is.
func (v *coloringView) move(at, by int) {
	m := v.m
	list := m.coloring.list()
	to := at + by
	switch {
	case list[at].Profile != "" && by > 0 && (to == len(list) || list[to].Profile == ""):
		m.notice = list[at].Title() + " is kept for all profiles now"
		list[at].Profile = ""
	case list[at].Profile == "" && m.cfg.Profile != "" && by < 0 && (to < 0 || list[to].Profile != ""):
		m.notice = list[at].Title() + " is kept in the profile " + m.cfg.Profile + " now"
		list[at].Profile = m.cfg.Profile
	case to < 0 || to == len(list):
		return
	default:
		list[at], list[to] = list[to], list[at]
		v.table.Cur = to
	}
	v.change(list)
}

// begin asks for the filter of a new rule.
func (v *coloringView) begin(text string) {
	m := v.m
	v.at = -1
	m.startEdit(editRule, text)
}

// colourBy begins a rule for what is selected.
func (m *model) colourBy() {
	text := m.fieldFilter()
	if cell := m.keying.TakePointed(); cell != "" { // of the cell that was clicked
		text = cell
	}
	if text == "" {
		return
	}
	m.openColoring()
	if v, ok := m.views.Over().(*coloringView); ok {
		v.table.Cur = 0
		v.begin(text)
	}
}

// commitFilter takes the filter that was typed. A new rule comes before the one with the cursor, and its colour is
// chosen next.
func (v *coloringView) commitFilter(text string) {
	m := v.m
	list := m.coloring.list()
	switch {
	case text == "":
	case v.at >= 0 && v.at < len(list):
		list[v.at].Filter = text
		v.change(list)
	default:
		at := widget.Clamp(v.table.Cur, 0, len(list))
		if m.cfg.Profile != "" {
			at = min(at, slices.IndexFunc(append(slices.Clone(list), Rule{}), func(r Rule) bool { return r.Profile == "" }))
		}
		v.change(slices.Insert(list, at, Rule{Filter: text, Foreground: "accent", Profile: m.cfg.Profile}))
		v.table.Cur = at
		v.tryColours(editInk, at)
	}
}

func (v *coloringView) commitName(text string) {
	m := v.m
	if list := m.coloring.list(); v.at >= 0 && v.at < len(list) {
		list[v.at].Name = columns.OwnTitle(text)
		v.change(list)
	}
}

// leaveColoring closes the rules. What was changed is kept for the next time, or counts for this run alone.
func (m *model) leaveColoring() {
	if !m.rulesChanged() || m.cfg.Source.KeepColoring == nil {
		m.views.Close()
		return
	}
	where := "the settings"
	if m.cfg.Profile != "" {
		where = "the settings and the profile " + m.cfg.Profile
	}
	m.ask("Keep the rules?", "The coloring rules are other than those in "+where+".",
		view.Answer{Act: act.AnswerKeep, Label: "keep them", Do: func() { m.keepRules(); m.views.Close() }},
		view.Answer{Act: act.AnswerRun, Label: "for this run alone", Do: m.views.Close})
}

// rulesKept is the end of writing rules into the settings.
type rulesKept struct {
	list []Rule
	file string
	err  error
}

// keepRules writes the rules into the settings.
func (m *model) keepRules() {
	keep, profile, was, now := m.cfg.Source.KeepColoring, m.cfg.Profile, m.cfg.Coloring, m.coloring.list()
	switch {
	case keep == nil:
		m.notice = "there is no file of settings to keep them in"
	case slices.Equal(was, now):
		m.notice = "the rules are in the settings as they are here"
	default:
		m.pending = append(m.pending, func() any {
			file, err := keep(profile, was, now)
			return rulesKept{now, file, err}
		})
	}
}

func (m *model) onRulesKept(k rulesKept) {
	if k.err != nil {
		m.notice = "not kept: " + k.err.Error()
		return
	}
	m.cfg.Coloring = k.list
	m.notice = "kept in " + k.file
}

func (v *coloringView) Click(x, y int) {
	m := v.m
	b := v.box(rect{0, 0, m.room.w, m.room.h - 4})
	if !b.has(x, y) {
		m.leaveColoring()
		return
	}
	if i := v.table.Top + y - b.y - 1; y > b.y && y < b.y+b.h-1 && i < len(m.coloring.rules) {
		v.table.Cur = i
		if x < b.x+4 {
			v.Update(act.Select, 1)
		}
	}
}

func (v *coloringView) Wheel(n int) { v.table.Cur = max(0, v.table.Cur+n) }
func (v *coloringView) Busy() bool {
	m := v.m
	return m.coloring.counter != nil && m.coloring.counter.Busy()
}

func (v *coloringView) Keys() [][2]string {
	return [][2]string{{"Enter", "filter"}, {"/", "new"}, {"f b", "text, background"}, {"Space", "on, off"},
		{"+ -", "order"}, {"x", "delete"}, {"u", "undo"}, {"w", "keep"}, {"r", "rename"}, {"o", "only these"}, {"q", "back"}}
}

func (v *coloringView) Status() string {
	m := v.m
	text := "the first rule that matches a packet counts"
	if c := m.coloring.counter; c != nil && c.Now().Err != nil {
		text = c.Now().Err.Error()
	}
	if at := v.table.Cur; at < len(m.coloring.rules) {
		if err := m.coloring.rules[at].Compiled.Stopped(); err != nil && !m.coloring.rules[at].Off {
			text = "this rule colours nothing any more: " + err.Error()
		}
	}
	if m.coloring.off {
		text = "all rules are off; " + m.style.Key(act.Coloring) + " switches them on"
	}
	if m.rulesChanged() {
		text += m.style.Glyph(" · ", "; ") + "changed, " + m.style.Key(act.Save) + " keeps them"
	}
	return text
}

// The room of the rules: half of what is below the header, so that the packets they colour are seen.
const rulesWidth = 118

func (v *coloringView) box(r rect) rect {
	m := v.m
	h := widget.Clamp(len(m.coloring.rules)+2, 3, max(6, r.h/2))
	w := min(rulesWidth, r.w-2)
	return rect{r.x + r.w - w, r.y + r.h - h, w, h}
}

func (v *coloringView) Draw(w, h int) []string {
	m := v.m
	lines := m.drawPackets()
	r := rect{0, 0, w, h}
	b := v.box(r)
	if c := m.coloring.counter; c != nil {
		v.seen = c.Now()
	}
	body := []string{"   no rules; " + m.style.Key(act.Filter) + " makes one"}
	if list := m.coloring.rules; len(list) > 0 {
		body = v.table.Draw(b.w-2, b.h-2, len(list), func(i int, selected bool) string { return v.row(i, selected, b.w-2) })
	}
	paint.Over(lines, m.style.Box("coloring rules", body, b.w, v.progress()), b.x, b.y-r.y)
	return lines
}

// progress says how far the packets are counted, while that is not all.
func (v *coloringView) progress() string {
	if v.lags() {
		return "packets that each takes so far, of " + humanize.Packets(v.seen.UpTo)
	}
	return "packets that each takes"
}

// lags tells whether the counts are of a part of the packets. Live, a few are always on their way.
func (v *coloringView) lags() bool {
	m := v.m
	if v.seen == nil {
		return false
	}
	lag, of := m.packets.Session.Passed()-v.seen.UpTo, m.packets.Store.Len()
	return lag > 0 && (m.packets.Store.Status().Done || lag > max(1000, of/50))
}

func (v *coloringView) row(i int, selected bool, w int) string {
	m := v.m
	r := &m.coloring.rules[i]
	var l paint.Line
	if selected {
		l.Base = m.style.Pens.Selected
	}
	sign, pen := m.style.Glyph(" ✓ ", " x "), r.Pen
	of := m.style.Pens.Good
	switch {
	case r.Off:
		sign, pen = "   ", m.style.Pens.Dim
	case r.Compiled.Stopped() != nil:
		sign, of = " ! ", m.style.Pens.Warn
	}
	l.Put(of, sign)
	name, style, count, whose := ruleWidths(w)
	title := dissect.Escape(r.Title())
	title = paint.Fit(title, min(name, paint.Width(title)))
	l.PutOwn(pen, title)
	l.Put(paint.Pen{}, strings.Repeat(" ", name-paint.Width(title)+1))
	if style > 0 {
		l.Put(m.style.Pens.Dim, paint.Fit(dissect.Escape(r.Style()), style)+" ")
	}
	if m.cfg.Profile != "" {
		l.Put(m.style.Pens.Dim, paint.Fit(dissect.Escape(r.Profile), whose-1)+" ")
	}
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(r.Filter), max(0, w-l.Width-count-2))+" ")
	l.Put(paint.Pen{}, paint.FitRight(v.countText(i, count), count))
	return paint.Clip(l.End(w), w)
}

// ruleWidths are the widths of the columns on a line of w cells; the filter has the rest.
func ruleWidths(w int) (name, style, count, whose int) {
	switch {
	case w >= 100:
		return 24, 20, 18, 11
	case w >= 74:
		return 18, 13, 10, 9
	}
	return 15, 0, 9, 8
}

// countText is how many packets a rule takes, and how many of them rules before it have where there are such.
func (v *coloringView) countText(i, w int) string {
	m := v.m
	r := &m.coloring.rules[i]
	if r.Off {
		return "off"
	}
	if r.Compiled.Stopped() != nil {
		return "given up"
	}
	if v.seen == nil {
		return ""
	}
	takes, matches, ok := v.seen.Of(i, r.Filter)
	if !ok {
		return m.style.Glyph("…", "...")
	}
	text := humanize.Group(takes)
	if v.lags() {
		if long := text + " so far"; len(long) <= w {
			return long
		}
		return m.style.Glyph("≥ ", ">=") + text
	}
	if long := text + " of " + humanize.Group(matches); matches > takes && paint.Width(long) <= w {
		return strings.TrimSpace(long)
	}
	return text
}

// Close does nothing: nothing goes on beside the screen for it.
func (v *coloringView) Close() {}
