package ui

import (
	"context"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/term"
	"remora/ui/usual"
)

// compareView lays two packets side by side, field by field, with what is usual in this capture.
type compareView struct {
	a, b  *dissect.Tree
	all   bool // also the fields that are the same
	lines []compared
	table table

	usual      *usual.Habits // of the second packet's type, once it is known
	cancel     context.CancelFunc
	neighbours bool // no packet of the type lies between
	noBytes    bool
}

// A compared line is a field of one or both packets: node numbers, or -1.
type compared struct {
	a, b  int
	depth int
	same  bool
}

// compare opens the comparison of two packets: those picked, the one picked and the selected one, or the selected one and the
// last of its type.
func (m *model) compare() {
	if m.tree == nil {
		return
	}
	a, b := m.before.frame, m.cur
	if picked := m.pickedFrames(); len(picked) >= 2 {
		a, b = picked[0], picked[1]
	} else if len(picked) == 1 && picked[0] != m.cur {
		a = picked[0]
	}
	if a == 0 {
		a = m.sameBefore(m.cur)
	}
	if a == 0 || b == 0 {
		m.notice = "pick two packets with Space, or select one whose type came before"
		return
	}
	m.openCompare(min(a, b), max(a, b))
}

// openCompare lays two packets side by side, and has found out what is usual in the type of the second.
func (m *model) openCompare(a, b dissect.FrameNum) {
	v := &compareView{a: m.s.Tree(a), b: m.s.Tree(b), neighbours: m.sameBefore(b) == a}
	if old, ok := m.over.(*compareView); ok {
		v.all, v.noBytes = old.all, old.noBytes
		old.stop()
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

func (v *compareView) close(m *model) {
	v.stop()
	m.over = nil
}

// lay pairs the nodes of both packets: the first of a field with the first, the second with the second, in the order of the
// second packet; what only the first has comes where it would be.
func (v *compareView) lay() {
	v.lines = v.lines[:0]
	later := map[dissect.FieldID][]int{}
	for i := range v.b.Nodes {
		later[v.b.Nodes[i].Field] = append(later[v.b.Nodes[i].Field], i)
	}
	at := 0
	put := func(i, j int) {
		t, k := v.b, j
		if j < 0 {
			t, k = v.a, i
		}
		c := compared{a: i, b: j, depth: int(t.Nodes[k].Depth)}
		c.same = i >= 0 && j >= 0 && sameNode(v.b, j, v.a, i)
		if !t.Field(k).IsHidden() && (v.all || !c.same) && t.Field(k).Type() != dissect.TypeProtocol {
			v.lines = append(v.lines, c)
		} else if t.Field(k).Type() == dissect.TypeProtocol {
			v.lines = append(v.lines, c)
		}
	}
	for i := range v.a.Nodes {
		id := v.a.Nodes[i].Field
		if len(later[id]) == 0 {
			put(i, -1)
			continue
		}
		j := later[id][0]
		later[id] = later[id][1:]
		for ; at < j; at++ { // only in the second packet
			if list := later[v.b.Nodes[at].Field]; len(list) > 0 && list[0] == at {
				later[v.b.Nodes[at].Field] = list[1:]
				put(-1, at)
			}
		}
		at = max(at, j+1)
		put(i, j)
	}
	for ; at < len(v.b.Nodes); at++ {
		if list := later[v.b.Nodes[at].Field]; len(list) > 0 && list[0] == at {
			put(-1, at)
		}
	}
	v.dropEmpty()
}

// dropEmpty leaves out protocols below which nothing differs.
func (v *compareView) dropEmpty() {
	var out []compared
	for i, c := range v.lines {
		if v.isProtocol(c) && (i+1 == len(v.lines) || v.isProtocol(v.lines[i+1]) && v.lines[i+1].depth <= c.depth) && !v.all {
			continue
		}
		out = append(out, c)
	}
	v.lines = out
}

func (v *compareView) isProtocol(c compared) bool {
	return v.field(c).Type() == dissect.TypeProtocol
}

func (v *compareView) field(c compared) *dissect.Field {
	if c.b >= 0 {
		return v.b.Field(c.b)
	}
	return v.a.Field(c.a)
}

func (v *compareView) act(m *model, a act.Action, n int) bool {
	h := m.body().h
	switch {
	case v.table.act(a, n, len(v.lines), h-3-v.bytesHeight(m.w, h)):
	case a == act.Reading || a == act.Select:
		v.all = !v.all
		v.lay()
	case a == act.Measure:
		v.noBytes = !v.noBytes
	case a == act.Hide:
		v.a, v.b = v.b, v.a
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
	case a == act.Open:
		v.close(m)
		m.jumpTo(v.b.Frame)
	case a == act.Left:
		v.close(m)
		m.jumpTo(v.a.Frame)
	case a == act.Quit || a == act.ClearFilter:
		v.close(m)
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
func (v *compareView) use(m *model, c compared) {
	t, i := v.b, c.b
	if i < 0 {
		t, i = v.a, c.a
	}
	if text := term.Value(t, i); text != "" {
		v.close(m)
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
	return [][2]string{{"Space", "equal fields"}, {"b", "bytes"}, {"x", "swap"}, {"*", "next of the type"}, {"=", "filter by the value"}, {"h", "to the first"}, {"Enter", "to the second"}, {"e", "export"}, {"q", "back"}}
}

func (v *compareView) status(*model) string {
	differ := 0
	for _, c := range v.lines {
		if !c.same && !v.isProtocol(c) {
			differ++
		}
	}
	text := amount.Of(differ, "field") + " differ; "
	if differ == 1 {
		text = "1 field differs; "
	}
	return text + milliseconds(v.b.Time()-v.a.Time()) + " ms lie between the packets"
}

// compareColumns are the widths of a field's name, of each of both values, of the change and of what is usual.
func compareColumns(w int) (name, value, change, habit int) {
	name, change = clamp(w*3/10, 18, 40), clamp(w/10, 10, 14)
	value = max(10, (w-name-change-2)*3/10)
	return name, value, change, max(6, w-2-name-change-2*value)
}

func (v *compareView) draw(m *model, r rect) []string {
	name, value, change, habit := compareColumns(r.w)
	var head paint.Line
	head.Put(m.pens.Bold, paint.Fit("  Compare", name+2))
	for _, t := range []*dissect.Tree{v.a, v.b} {
		title := amount.Group(int(t.Frame)) + " " + t.ProtocolText() + " " + dissect.Escape(t.Kind())
		if paint.Width(title) >= value && t.Kind() != "" { // the type tells more than the protocol
			title = amount.Group(int(t.Frame)) + " " + dissect.Escape(t.Kind())
		}
		head.Put(paint.Pen{}, paint.Fit(title, value-1)+" ")
	}
	head.Put(m.pens.Dim, paint.Fit("change", change-1)+" "+paint.Fit("usual in this type", habit))
	out := []string{paint.Clip(head.End(r.w), r.w), m.pens.Dim.Open + strings.Repeat(m.glyph("─", "-"), r.w) + m.pens.Dim.Close}
	below := v.bytesHeight(r.w, r.h)
	out = append(out, v.table.draw(rect{r.x, r.y + 2, r.w, r.h - 2 - below}, len(v.lines), func(i int, sel bool) string { return v.row(m, v.lines[i], sel, r.w) })...)
	return append(out, v.drawBytes(m, r.w, below)...)
}

func (v *compareView) row(m *model, c compared, selected bool, w int) string {
	name, value, change, habit := compareColumns(w)
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	f := v.field(c)
	sign, p := "  ", m.pens.Dim
	if !c.same {
		sign, p = m.glyph("≠ ", "# "), paint.Pen{}
	}
	if v.isProtocol(c) {
		l.Put(m.pens.Hues[f.Protocol().Hue()], paint.Fit("  "+strings.Repeat("  ", c.depth)+dissect.Escape(f.Label()), w))
		return paint.Clip(l.End(w), w)
	}
	l.Put(m.pens.Warn, sign)
	l.Put(p, paint.Fit(strings.Repeat("  ", c.depth)+dissect.Escape(f.Label()), name-1)+" ")
	was, is := v.values(m, c)
	l.Put(p, paint.Fit(was, value-1)+" "+paint.Fit(is, value-1)+" ")
	by, _ := v.change(c)
	l.Put(p, paint.Fit(by, change-1)+" ")
	if v.usual != nil {
		text, look := v.habitText(m, f), m.pens.Dim
		if v.unusual(c) {
			text, look = "! "+text, m.pens.Warn
		}
		l.Put(look, paint.Fit(text, habit))
	}
	return paint.Clip(l.End(w), w)
}

// values are what a line's field says in both packets; a dash stands for a packet without it.
func (v *compareView) values(m *model, c compared) (a, b string) {
	text := func(t *dissect.Tree, i int) string {
		if i < 0 {
			return m.glyph("–", "-")
		}
		if s := t.Value(i); s != "" {
			return s
		}
		return dissect.Escape(t.Label(i))
	}
	return text(v.a, c.a), text(v.b, c.b)
}
