// Package compare lays two packets side by side, field by field.
package compare

import (
	"context"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/compare"
	"remora/ui/fieldstats"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/term"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lays two packets side by side, field by field, with what is usual in this capture.
type View struct {
	c     view.Context
	a, b  *dissect.Tree
	all   bool // also the fields that are the same
	lines []compare.Row
	names int // cells that the longest name of a field wants
	sums  compare.Sums
	table widget.Table

	usual      *fieldstats.TypeStats // of the second packet's type, once it is known
	stop       func()
	why        [2]string // how both were chosen
	neighbours bool      // no packet of the type lies between
	noBytes    bool
}

// New lays two packets side by side; why says of each how it was chosen. What is usual in the type of the second is
// found out beside the screen.
func New(c view.Context, a, b dissect.FrameNum, why [2]string) *View {
	s := c.Scope().Session
	v := &View{c: c, why: why, a: s.Tree(a), b: s.Tree(b), neighbours: compare.SameBefore(s, b) == a}
	v.lay()
	v.stop = c.Later("comparing", func(ctx context.Context) func() {
		habits := fieldstats.OfType(ctx, s, b)
		return func() { v.usual = habits }
	})
	return v
}

// Renew compares the same packets in another session of them.
func (v *View) Renew() view.View {
	n := New(v.c, v.a.Frame, v.b.Frame, v.why)
	n.all, n.noBytes, n.table = v.all, v.noBytes, v.table
	n.lay()
	return n
}

// Close ends the search for what is usual.
func (v *View) Close() {
	v.stop()
}

func (v *View) lay() {
	v.lines, v.sums = compare.Lay(v.a, v.b, v.all)
	v.names = 0
	for _, c := range v.lines {
		if !c.Head {
			v.names = max(v.names, 2*c.Depth+paint.Width(dissect.Escape(v.field(c).Label()))+3)
		}
	}
}

func (v *View) field(c compare.Row) *dissect.Field {
	if c.B >= 0 {
		return v.b.Field(c.B)
	}
	return v.a.Field(c.A)
}

// Update handles the keys that move between the fields, filter by one, swap the packets and go to one of them.
func (v *View) Update(a act.Action, n int) bool {
	h := view.Height(v.c)
	switch {
	case v.table.Update(a, n, len(v.lines), h-3-v.restHeight()-v.bytesHeight(view.Width(v.c), h)):
	case a == act.Reading:
		v.all = !v.all
		v.lay()
	case a == act.Measure:
		v.noBytes = !v.noBytes
	case a == act.Hide:
		v.a, v.b = v.b, v.a
		v.why[0], v.why[1] = v.why[1], v.why[0]
		v.neighbours = false
		v.lay()
	case a == act.SameNext:
		v.next()
	case a == act.Only:
		if v.table.Cur < len(v.lines) {
			v.use(v.lines[v.table.Cur])
		}
	case a == act.CopyRow || a == act.CopyTree:
		v.c.Copy(v.text(), "the comparison")
	case a == act.Open:
		v.c.Close()
		v.c.GoTo(v.b.Frame)
	case a == act.Left:
		v.c.Close()
		v.c.GoTo(v.a.Frame)
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// Click selects a field.
func (v *View) Click(_, y int) {
	v.table.Click(y-2, len(v.lines))
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Busy reports whether the usual values of the fields are still counted.
func (v *View) Busy() bool { return v.usual == nil }

// use filters by what the second packet says in a line, or the first one if the second has no such field.
func (v *View) use(c compare.Row) {
	t, i := v.b, c.B
	if i < 0 {
		t, i = v.a, c.A
	}
	if text := term.Value(t, i); text != "" {
		v.c.Close()
		v.c.Filter(t.Field(i).Name() + " == " + text)
	}
}

// next lays the first packet beside the next one of the type.
func (v *View) next() {
	next := compare.SameAfter(v.c.Scope().Session, max(v.a.Frame, v.b.Frame))
	if next == 0 {
		v.c.Notify("no later packet is of this type")
		return
	}
	o := New(v.c, min(v.a.Frame, v.b.Frame), next, [2]string{v.why[0], "the next of this type"})
	o.all, o.noBytes = v.all, v.noBytes
	o.lay()
	v.c.Open(o)
}

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"v", "equal fields"}, {"b", "bytes"}, {"x", "swap"}, {"*", "next B"}, {"yy", "copy as text"},
		{"=", "filter by the value"}, {"h", "to A"}, {"Enter", "to B"}, {"e", "export"}, {"q", "back"}}
}

// Status says both packets and the time between them.
func (v *View) Status() string {
	text := "A " + v.why[0] + ", B " + v.why[1]
	if v.why[0] == v.why[1] {
		text = "A and B " + v.why[0]
	}
	apart := v.b.Time() - v.a.Time()
	if apart < 0 {
		return text + ", " + widget.Span(-apart) + " earlier" + v.bytesText()
	}
	return text + ", " + widget.Span(apart) + " later" + v.bytesText()
}

// differText counts the fields that differ.
func (v *View) differText() string {
	text := humanize.Group(v.sums.Differ) + " of " + humanize.Of(v.sums.Fields, "field") + " differ"
	if v.sums.Differ == 1 {
		text += "s"
	}
	if v.a.Protocol() == v.b.Protocol() && v.a.Kind() == v.b.Kind() {
		return "same type, " + text
	}
	return text
}

// columns are the widths of a field's name, of each of both values, of the change and of what is usual. What the names
// do not need is for the values.
func (v *View) columns(w int) (name, value, change, habit int) {
	name, change = min(widget.Clamp(w*3/10, 18, 40), max(18, v.names)), widget.Clamp(w/10, 10, 14)
	value = max(10, (w-name-change-2)*32/100)
	return name, value, change, max(6, w-2-name-change-2*value)
}

// Draw draws the fields of both packets side by side, and their bytes below.
func (v *View) Draw(w, h int) []string {
	name, value, change, habit := v.columns(w)
	usual := "usual in this type"
	if paint.Width(usual) > habit {
		usual = "usual"
	}
	cols := "  " + paint.Fit("field", name) + paint.Fit("A", value) + paint.Fit("B", value) +
		paint.Fit("change", change-1) + " " + paint.Fit(usual, habit)
	out := []string{v.head(w), v.c.Style().Pens.Dim.Open + paint.Fit(cols, w) + v.c.Style().Pens.Dim.Close}
	rest, below := v.restHeight(), v.bytesHeight(w, h)
	out = append(out,
		v.table.Draw(w, h-2-rest-below, len(v.lines), func(i int, sel bool) string { return v.row(v.lines[i], sel, w) })...)
	if len(v.lines) == 0 {
		out[2] = v.c.Style().Pens.Dim.Open + paint.Fit("  No differences", w) + v.c.Style().Pens.Dim.Close
	}
	if rest > 0 {
		out = append(out, v.restLine(w))
	}
	return append(out, v.drawBytes(w, below)...)
}

// head names both packets: A and B, their numbers, who sent them, their types.
func (v *View) head(w int) string {
	var l paint.Line
	l.Put(v.c.Style().Pens.Bold, " Compare")
	right := v.differText() + " "
	switch {
	case w < 80:
		right = humanize.Group(v.sums.Differ) + " differ "
	case w < 100:
		right = humanize.Group(v.sums.Differ) + " of " + humanize.Group(v.sums.Fields) + " differ "
	}
	for much := whole; ; much-- { // without the ends where there is little room, and then without the types
		var titles [2]string
		width := l.Width + paint.Width(right) + 2
		for k, t := range []*dissect.Tree{v.a, v.b} {
			titles[k] = v.title(t, much)
			width += paint.Width(titles[k]) + 6
		}
		if width > w && much > number {
			continue
		}
		for k, title := range titles {
			l.Put(v.c.Style().Pens.Accent, "   "+string(rune('A'+k))+"  ")
			l.Put(paint.Pen{}, title)
		}
		break
	}
	if room := w - l.Width - paint.Width(right); room >= 2 {
		l.Put(v.c.Style().Pens.Dim, strings.Repeat(" ", room)+right)
	}
	return paint.Clip(l.End(w), w)
}

// How much the head says of a packet.
const (
	number = iota
	typed
	whole // with its ends
)

func (v *View) title(t *dissect.Tree, much int) string {
	text := humanize.Group(int(t.Frame))
	if much == number {
		return text
	}
	if much == whole {
		from, short := v.c.Scope().EndText(t, t.Src)
		if short != "" {
			from = short
		}
		to, short := v.c.Scope().EndText(t, t.Dst)
		if short != "" {
			to = short
		}
		text += "  " + from + v.c.Style().Glyph(" → ", " > ") + to + " "
	}
	if t.Kind() == "" || v.a.Protocol() != v.b.Protocol() {
		text += " " + t.ProtocolText()
	}
	if t.Kind() != "" {
		text += " " + dissect.Escape(t.Kind())
	}
	return text
}

// restHeight is the room for what is left out.
func (v *View) restHeight() int {
	if v.all {
		return 0
	}
	return 1
}

// restLine says what is left out.
func (v *View) restLine(w int) string {
	text := "  " + humanize.Of(v.sums.Equal(), "equal field")
	if n := v.sums.Below; n > 0 {
		text += ", " + humanize.Group(n) + " different below " + v.b.ProtocolText()
	}
	switch n := v.sums.Copies; {
	case n > 0 && w < 100:
		text += ", " + humanize.Group(n) + " copies"
	case n == 1:
		text += ", 1 copy of an earlier message"
	case n > 1:
		text += ", " + humanize.Group(n) + " copies of earlier messages"
	}
	text += " hidden"
	for _, right := range [2]string{v.c.Style().Key(act.Reading) + " shows them ", v.c.Style().Key(act.Reading) + " "} {
		if room := w - paint.Width(text) - paint.Width(right); room >= 2 {
			text += strings.Repeat(" ", room) + right
			break
		}
	}
	return v.c.Style().Pens.Dim.Open + paint.Fit(text, w) + v.c.Style().Pens.Dim.Close
}

func (v *View) row(c compare.Row, selected bool, w int) string {
	name, value, change, habit := v.columns(w)
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	f := v.field(c)
	sign, p := "  ", v.c.Style().Pens.Dim
	if !c.Same {
		sign, p = v.c.Style().Glyph("≠ ", "# "), paint.Pen{}
	}
	if c.Head {
		look, text := v.c.Style().Pens.Dim, dissect.Escape(f.Label())
		switch {
		case f.Type() == dissect.TypeProtocol:
			look = v.c.Style().Pens.Hues[f.Protocol().Hue()]
		case c.B >= 0:
			text = v.b.Label(c.B)
		default:
			text = v.a.Label(c.A)
		}
		l.Put(look, paint.Fit("  "+strings.Repeat("  ", c.Depth)+text, w))
		return paint.Clip(l.End(w), w)
	}
	l.Put(v.c.Style().Pens.Warn, sign)
	l.Put(p, paint.Fit(strings.Repeat("  ", c.Depth)+dissect.Escape(f.Label()), name-1)+" ")
	was, is := v.values(c)
	l.Put(p, paint.Fit(was, value-1)+" "+paint.Fit(is, value-1)+" ")
	by, _ := v.change(c)
	l.Put(p, paint.Fit(by, change-1)+" ")
	if v.usual != nil {
		text, look := v.usualText(f), v.c.Style().Pens.Dim
		if why := v.unusual(c); why != "" {
			text, look = "! "+text+", "+why, v.c.Style().Pens.Warn
		}
		l.Put(look, paint.Fit(text, habit))
	}
	return paint.Clip(l.End(w), w)
}

// text is the comparison as lines of text.
func (v *View) text() string {
	var b strings.Builder
	b.WriteString("A " + v.title(v.a, whole) + "\nB " + v.title(v.b, whole) + "\n" + v.differText() + "\n\n")
	for _, c := range v.lines {
		f := v.field(c)
		b.WriteString(strings.Repeat("  ", c.Depth) + dissect.Escape(f.Label()))
		if !c.Head {
			was, is := v.values(c)
			b.WriteString(" (" + f.Name() + "): " + was + " | " + is)
			if by, _ := v.change(c); by != "" {
				b.WriteString(" | " + by)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// values are what a line's field says in both packets; a dash stands for a packet without it.
func (v *View) values(c compare.Row) (a, b string) {
	text := func(t *dissect.Tree, i int) string {
		if i < 0 {
			return v.c.Style().Glyph("–", "-")
		}
		if s := t.Value(i); s != "" {
			return s
		}
		return dissect.Escape(t.Label(i))
	}
	return text(v.a, c.A), text(v.b, c.B)
}
