package ui

import (
	"context"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/compare"
	"remora/ui/paint"
	"remora/ui/term"
	"remora/ui/usual"
)

// compareView lays two packets side by side, field by field, with what is usual in this capture.
type compareView struct {
	a, b  *dissect.Tree
	all   bool // also the fields that are the same
	lines []compare.Row
	names int // cells that the longest name of a field wants
	sums  compare.Sums
	table table

	usual      *usual.Habits // of the second packet's type, once it is known
	cancel     context.CancelFunc
	why        [2]string // how both were chosen
	neighbours bool      // no packet of the type lies between
	noBytes    bool
}

// compare opens the comparison of two packets: those picked, the one picked and the selected one, the last mark on one of its
// type and the selected one, or the selected one and the last of its type.
func (m *model) compare() {
	if m.tree == nil {
		return
	}
	a, b := m.before.frame, m.cur
	if a == 0 {
		a = m.sameBefore(m.cur)
	}
	why := [2]string{"is the one before of its type", "the selected packet"}
	picked := m.pickedFrames()
	switch letter, at := m.markToCompare(); {
	case len(picked) >= 2:
		a, b, why = picked[0], picked[1], [2]string{"picked", "picked"}
	case len(picked) == 1 && picked[0] != m.cur:
		a, why[0] = picked[0], "picked"
	case at != 0:
		a, why[0] = at, "is mark "+string(letter)
	}
	if a == 0 || b == 0 {
		m.notice = "pick two packets with Space, or select one whose type came before"
		return
	}
	if a > b {
		a, b, why[0], why[1] = b, a, why[1], why[0]
	}
	m.openCompare(a, b)
	if v, ok := m.over.(*compareView); ok {
		v.why = why
	}
}

// markToCompare is the mark set last, where it is on another packet of the selected one's type.
func (m *model) markToCompare() (rune, dissect.FrameNum) {
	letter := m.marks.last
	at := m.marks.byLetter[letter]
	if at == 0 || at == m.cur || int(at) > m.s.Passed() {
		return 0, 0
	}
	x, y := m.s.ShapeOf(at), m.s.ShapeOf(m.cur)
	if m.s.ShapeTop(x) != m.s.ShapeTop(y) || m.s.KindText(x) != m.s.KindText(y) {
		return 0, 0
	}
	return letter, at
}

// openCompare lays two packets side by side, and has found out what is usual in the type of the second.
func (m *model) openCompare(a, b dissect.FrameNum) {
	v := &compareView{a: m.s.Tree(a), b: m.s.Tree(b), neighbours: m.sameBefore(b) == a}
	if old, ok := m.over.(*compareView); ok {
		v.all, v.noBytes = old.all, old.noBytes
		v.why = [2]string{old.why[0], "the next of this type"}
	}
	v.lay()
	var ctx context.Context
	ctx, v.cancel = context.WithCancel(m.ctx)
	s := m.s
	m.pending = append(m.pending, func() any { return usual.Take(ctx, s, b) })
	m.openOver(v)
}

// onUsuals takes what was found out.
func (m *model) onUsuals(u *usual.Habits) {
	if v, ok := m.over.(*compareView); ok && v.b.Frame == u.Of {
		v.usual = u
	}
}

func (v *compareView) stop() {
	if v.cancel != nil {
		v.cancel()
	}
}

func (v *compareView) lay() {
	v.lines, v.sums = compare.Lay(v.a, v.b, v.all)
	v.names = 0
	for _, c := range v.lines {
		if !c.Head {
			v.names = max(v.names, 2*c.Depth+paint.Width(dissect.Escape(v.field(c).Label()))+3)
		}
	}
}

func (v *compareView) field(c compare.Row) *dissect.Field {
	if c.B >= 0 {
		return v.b.Field(c.B)
	}
	return v.a.Field(c.A)
}

func (v *compareView) act(m *model, a act.Action, n int) bool {
	h := m.body().h
	switch {
	case v.table.act(a, n, len(v.lines), h-3-v.restHeight()-v.bytesHeight(m.w, h)):
	case a == act.Reading || a == act.Select:
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
		if next := m.sameAfter(max(v.a.Frame, v.b.Frame)); next > 0 {
			m.openCompare(min(v.a.Frame, v.b.Frame), next)
		} else {
			m.notice = "no later packet is of this type"
		}
	case a == act.UseField || a == act.Only:
		if v.table.cur < len(v.lines) {
			v.use(m, v.lines[v.table.cur])
		}
	case a == act.CopyRow || a == act.CopyTree:
		m.clip(v.text(m), "the comparison")
	case a == act.Open:
		m.leaveOver(nil)
		m.jumpTo(v.b.Frame)
	case a == act.Left:
		m.leaveOver(nil)
		m.jumpTo(v.a.Frame)
	case a == act.Quit || a == act.ClearFilter:
		m.leaveOver(nil)
	default:
		return false
	}
	return true
}

func (v *compareView) click(_ *model, r rect, _, y int) {
	if i := v.table.top + y - r.y - 2; y > r.y+1 && i < len(v.lines) {
		v.table.cur = i
	}
}

func (v *compareView) wheel(_ *model, n int) { v.table.cur = max(0, v.table.cur+n) }
func (v *compareView) busy(*model) bool      { return v.usual == nil }

// use filters by what the second packet says in a line, or the first one if the second has no such field.
func (v *compareView) use(m *model, c compare.Row) {
	t, i := v.b, c.B
	if i < 0 {
		t, i = v.a, c.A
	}
	if text := term.Value(t, i); text != "" {
		m.leaveOver(nil)
		m.applyFilter(t.Field(i).Name() + " == " + text)
	}
}

// sameAfter is the next packet of the same protocol and type, from the same end, or 0.
func (m *model) sameAfter(n dissect.FrameNum) dissect.FrameNum {
	conv, dir := m.s.TalkOf(n)
	sh := m.s.ShapeOf(n)
	top, kind := m.s.ShapeTop(sh), m.s.KindText(sh)
	for at, end := n+1, dissect.FrameNum(min(m.s.Passed(), int(n)+lookBack)); conv != 0 && at <= end; at++ {
		if c, d := m.s.TalkOf(at); c != conv || d != dir {
			continue
		}
		if o := m.s.ShapeOf(at); o == sh || m.s.ShapeTop(o) == top && m.s.KindText(o) == kind {
			return at
		}
	}
	return 0
}

func (v *compareView) hints() [][2]string {
	return [][2]string{{"Space", "equal fields"}, {"b", "bytes"}, {"x", "swap"}, {"*", "next B"}, {"yy", "copy as text"}, {"=", "filter by the value"}, {"h", "to A"}, {"Enter", "to B"}, {"e", "export"}, {"q", "back"}}
}

// status says what both packets are, and how far they lie apart.
func (v *compareView) status(*model) string {
	text := "A " + v.why[0] + ", B " + v.why[1]
	if v.why[0] == v.why[1] {
		text = "A and B " + v.why[0]
	}
	apart := v.b.Time() - v.a.Time()
	if apart < 0 {
		return text + ", " + spanText(-apart) + " earlier"
	}
	return text + ", " + spanText(apart) + " later"
}

// differText counts the fields that differ.
func (v *compareView) differText() string {
	text := amount.Group(v.sums.Differ) + " of " + amount.Of(v.sums.Fields, "field") + " differ"
	if v.sums.Differ == 1 {
		text += "s"
	}
	if v.a.Protocol() == v.b.Protocol() && v.a.Kind() == v.b.Kind() {
		return "same type, " + text
	}
	return text
}

// columns are the widths of a field's name, of each of both values, of the change and of what is usual. What the names do not
// need is for the values.
func (v *compareView) columns(w int) (name, value, change, habit int) {
	name, change = min(clamp(w*3/10, 18, 40), max(18, v.names)), clamp(w/10, 10, 14)
	value = max(10, (w-name-change-2)*32/100)
	return name, value, change, max(6, w-2-name-change-2*value)
}

func (v *compareView) draw(m *model, r rect) []string {
	name, value, change, habit := v.columns(r.w)
	usual := "usual in this type"
	if paint.Width(usual) > habit {
		usual = "usual"
	}
	cols := "  " + paint.Fit("field", name) + paint.Fit("A", value) + paint.Fit("B", value) + paint.Fit("change", change-1) + " " + paint.Fit(usual, habit)
	out := []string{v.head(m, r.w), m.pens.Dim.Open + paint.Fit(cols, r.w) + m.pens.Dim.Close}
	rest, below := v.restHeight(), v.bytesHeight(r.w, r.h)
	out = append(out, v.table.draw(rect{r.x, r.y + 2, r.w, r.h - 2 - rest - below}, len(v.lines), func(i int, sel bool) string { return v.row(m, v.lines[i], sel, r.w) })...)
	if len(v.lines) == 0 {
		out[2] = m.pens.Dim.Open + paint.Fit("  nothing differs", r.w) + m.pens.Dim.Close
	}
	if rest > 0 {
		out = append(out, v.restLine(m, r.w))
	}
	return append(out, v.drawBytes(m, r.w, below)...)
}

// head names both packets: A and B, their numbers, who sent them, their types.
func (v *compareView) head(m *model, w int) string {
	var l paint.Line
	l.Put(m.pens.Bold, " Compare")
	right := v.differText() + " "
	if w < 100 {
		right = amount.Group(v.sums.Differ) + " of " + amount.Group(v.sums.Fields) + " differ "
	}
	for ends := 1; ends >= 0; ends-- { // without the ends where there is little room
		var titles [2]string
		width := l.Width + paint.Width(right) + 2
		for k, t := range []*dissect.Tree{v.a, v.b} {
			titles[k] = v.title(m, t, ends == 1)
			width += paint.Width(titles[k]) + 6
		}
		if width > w && ends > 0 {
			continue
		}
		for k, title := range titles {
			l.Put(m.pens.Accent, "   "+string(rune('A'+k))+"  ")
			l.Put(paint.Pen{}, title)
		}
		break
	}
	if room := w - l.Width - paint.Width(right); room >= 2 {
		l.Put(m.pens.Dim, strings.Repeat(" ", room)+right)
	}
	return paint.Clip(l.End(w), w)
}

func (v *compareView) title(m *model, t *dissect.Tree, ends bool) string {
	text := amount.Group(int(t.Frame))
	if ends {
		from, short := m.endText(t, t.Src)
		if short != "" {
			from = short
		}
		to, short := m.endText(t, t.Dst)
		if short != "" {
			to = short
		}
		text += "  " + from + m.glyph(" → ", " > ") + to + " "
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
func (v *compareView) restHeight() int {
	if v.all {
		return 0
	}
	return 1
}

// restLine says what is left out.
func (v *compareView) restLine(m *model, w int) string {
	text := "  " + amount.Of(v.sums.Equal(), "equal field")
	if n := v.sums.Below; n > 0 {
		text += ", " + amount.Group(n) + " different below " + v.b.ProtocolText()
	}
	switch n := v.sums.Copies; {
	case n > 0 && w < 100:
		text += ", " + amount.Group(n) + " copies"
	case n == 1:
		text += ", 1 copy of an earlier message"
	case n > 1:
		text += ", " + amount.Group(n) + " copies of earlier messages"
	}
	text += " hidden"
	for _, right := range [2]string{"Space shows them ", "Space "} {
		if room := w - paint.Width(text) - paint.Width(right); room >= 2 {
			text += strings.Repeat(" ", room) + right
			break
		}
	}
	return m.pens.Dim.Open + paint.Fit(text, w) + m.pens.Dim.Close
}

func (v *compareView) row(m *model, c compare.Row, selected bool, w int) string {
	name, value, change, habit := v.columns(w)
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	f := v.field(c)
	sign, p := "  ", m.pens.Dim
	if !c.Same {
		sign, p = m.glyph("≠ ", "# "), paint.Pen{}
	}
	if c.Head {
		look, text := m.pens.Dim, dissect.Escape(f.Label())
		switch {
		case f.Type() == dissect.TypeProtocol:
			look = m.pens.Hues[f.Protocol().Hue()]
		case c.B >= 0:
			text = v.b.Label(c.B)
		default:
			text = v.a.Label(c.A)
		}
		l.Put(look, paint.Fit("  "+strings.Repeat("  ", c.Depth)+text, w))
		return paint.Clip(l.End(w), w)
	}
	l.Put(m.pens.Warn, sign)
	l.Put(p, paint.Fit(strings.Repeat("  ", c.Depth)+dissect.Escape(f.Label()), name-1)+" ")
	was, is := v.values(m, c)
	l.Put(p, paint.Fit(was, value-1)+" "+paint.Fit(is, value-1)+" ")
	by, _ := v.change(c)
	l.Put(p, paint.Fit(by, change-1)+" ")
	if v.usual != nil {
		text, look := v.habitText(m, f), m.pens.Dim
		if why := v.unusual(c); why != "" {
			text, look = "! "+text+", "+why, m.pens.Warn
		}
		l.Put(look, paint.Fit(text, habit))
	}
	return paint.Clip(l.End(w), w)
}

// text is the comparison as lines of text.
func (v *compareView) text(m *model) string {
	var b strings.Builder
	b.WriteString("A " + v.title(m, v.a, true) + "\nB " + v.title(m, v.b, true) + "\n" + v.differText() + "\n\n")
	for _, c := range v.lines {
		f := v.field(c)
		b.WriteString(strings.Repeat("  ", c.Depth) + dissect.Escape(f.Label()))
		if !c.Head {
			was, is := v.values(m, c)
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
func (v *compareView) values(m *model, c compare.Row) (a, b string) {
	text := func(t *dissect.Tree, i int) string {
		if i < 0 {
			return m.glyph("–", "-")
		}
		if s := t.Value(i); s != "" {
			return s
		}
		return dissect.Escape(t.Label(i))
	}
	return text(v.a, c.A), text(v.b, c.B)
}
