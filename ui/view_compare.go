package ui

import (
	"strings"

	"remora/dissect"
)

// compareView lays two packets side by side, field by field, with what is usual in this capture.
type compareView struct {
	a, b  *dissect.Tree
	all   bool // also the fields that are the same
	lines []compared
	table table
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
	v := &compareView{a: m.s.Tree(min(a, b)), b: m.s.Tree(max(a, b))}
	v.lay()
	m.takeCensusSoon()
	m.openOver(v)
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

func (v *compareView) act(m *model, a action, n int) bool {
	switch {
	case v.table.act(a, n, len(v.lines), m.body().h-3):
	case a == actReading:
		v.all = !v.all
		v.lay()
	case a == actOpen:
		m.over = nil
		m.jumpTo(v.b.Frame)
	case a == actLeft:
		m.over = nil
		m.jumpTo(v.a.Frame)
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
func (v *compareView) busy(*model) bool      { return false }

func (v *compareView) hints() [][2]string {
	return [][2]string{{"v", "all fields, or what differs"}, {"h", "to the first"}, {"Enter", "to the second"}, {"q", "back"}}
}

func (v *compareView) status(*model) string {
	differ := 0
	for _, c := range v.lines {
		if !c.same && !v.isProtocol(c) {
			differ++
		}
	}
	return group(differ) + " fields differ; " + milliseconds(v.b.Time()-v.a.Time()) + " ms lie between the packets"
}

func (v *compareView) draw(m *model, r rect) []string {
	name := clamp(r.w/3, 20, 44)
	value := max(8, (r.w-name-2)/3)
	var head line
	head.put(m.pens.bold, fit("  Compare", name+2))
	for _, t := range []*dissect.Tree{v.a, v.b} {
		head.put(pen{}, fit(group(int(t.Frame))+" "+t.ProtocolText()+" "+dissect.Escape(t.Kind()), value-1)+" ")
	}
	head.put(m.pens.dim, fit("usual here", value-1))
	out := []string{fitLine(head.end(r.w), r.w), m.pens.dim.open + strings.Repeat(m.glyph("─", "-"), r.w) + m.pens.dim.close}
	return append(out, v.table.draw(rect{r.x, r.y + 2, r.w, r.h - 2}, len(v.lines), func(i int, sel bool) string { return v.row(m, v.lines[i], sel, name, value, r.w) })...)
}

func (v *compareView) row(m *model, c compared, selected bool, name, value, w int) string {
	var l line
	if selected {
		l.base = m.pens.selected
	}
	f := v.field(c)
	sign, p := "  ", m.pens.dim
	if !c.same {
		sign, p = m.glyph("≠ ", "# "), pen{}
	}
	if v.isProtocol(c) {
		l.put(m.pens.hues[f.Protocol().Hue()], fit("  "+strings.Repeat("  ", c.depth)+dissect.Escape(f.Label()), w))
		return fitLine(l.end(w), w)
	}
	l.put(m.pens.warn, sign)
	l.put(p, fit(strings.Repeat("  ", c.depth)+dissect.Escape(f.Label()), name))
	was, is := v.values(m, c)
	l.put(p, fit(was, value-1)+" "+fit(is, value-1)+" ")
	l.put(m.pens.dim, fit(m.usual(f), value-1))
	return fitLine(l.end(w), w)
}

// usual is the value that a field has most often in this capture, as far as it was looked at.
func (m *model) usual(f *dissect.Field) string {
	if m.census == nil || m.census.fields[f.ID()] == nil {
		return ""
	}
	k := m.census.fields[f.ID()]
	best, most := "", 0.0
	for _, v := range k.order {
		if k.values[v] > most {
			best, most = v, k.values[v]
		}
	}
	if most < 2 || len(k.order) > keptValues/2 && most < k.packets/2 {
		return "varies"
	}
	return best + m.glyph("  ≈ ", "  ~") + itoa(int(most*100/max(1, k.packets)+0.5)) + " %"
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
