package ui

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
)

// notesView lists the expert notes: which there are and how often, and below the packets of the one under the cursor.
type notesView struct {
	kinds  table
	frames table
	below  bool // the cursor is in the lower part

	counts *stats.Notes
	notes  []stats.NoteKind // worst first
	of     *dissect.Session

	written  [2]int           // packets passed and comments changed when the comments were taken
	comments []stats.NoteKind // none or one
}

// keptFrames bounds the packets listed of one note; the filter shows the rest.
const keptFrames = 100_000

// counted bounds the marks counted at once, so that a key waits for no more.
const countedAtOnce = 10_000

func (v *notesView) refresh(m *model) {
	if v.of != m.s {
		*v = notesView{of: m.s, counts: stats.NewNotes(m.s, keptFrames)}
		skip := m.ignored
		v.counts.Skip = func(n dissect.FrameNum) bool { return skip[n] }
	}
	fresh := v.takeComments(m)
	if v.counts.Seen() == m.s.Marks() && !fresh {
		return
	}
	at := *v.at()
	v.counts.All(countedAtOnce)
	v.notes = append(v.counts.WorstFirst(), v.comments...)
	for i, k := range v.notes {
		if k.Field == at.Field && k.Severity == at.Severity {
			v.kinds.cur = i
		}
	}
}

// takeComments makes the packets' comments a kind of note. It tells whether there may be others than before.
func (v *notesView) takeComments(m *model) bool {
	f, written := m.reg.Field(commentField), [2]int{m.s.Passed(), m.commentEdits}
	if f == nil || written == v.written {
		return false
	}
	v.written, v.comments = written, nil
	if frames := m.commentedFrames(); len(frames) > 0 {
		v.comments = []stats.NoteKind{{Field: f, Severity: dissect.Comment, Count: len(frames), Packets: len(frames), Frames: frames[:min(len(frames), keptFrames)]}}
	}
	return true
}

func (v *notesView) at() *stats.NoteKind {
	if v.kinds.cur < len(v.notes) {
		return &v.notes[v.kinds.cur]
	}
	return &stats.NoteKind{}
}

func (v *notesView) act(m *model, a act.Action, n int) bool {
	v.refresh(m)
	k := v.at()
	t, rows := &v.kinds, len(v.notes)
	if v.below {
		t, rows = &v.frames, len(k.Frames)
	}
	switch {
	case t.act(a, n, rows, m.body().h/2):
		if !v.below {
			v.frames = table{}
		}
	case a == act.NextPane || a == act.PrevPane:
		v.below = !v.below && len(k.Frames) > 0
	case k.Field == nil:
		return false
	case a == act.Open && v.below:
		m.closeView()
		m.jumpTo(k.Frames[v.frames.cur])
	case a == act.Open:
		m.closeView()
		m.narrow(k.Field.Name())
	case a == act.Only:
		m.applyFilter(k.Field.Name())
	case a == act.Hide:
		m.narrow("!" + k.Field.Name())
	default:
		return false
	}
	return true
}

func (v *notesView) click(m *model, r rect, x, y int) {
	top := v.upper(r)
	if y > r.y && y < r.y+1+top {
		v.below = false
		v.kinds.cur = v.kinds.top + y - r.y - 1
	} else if y > r.y+1+top {
		v.below = true
		v.frames.cur = v.frames.top + y - r.y - top - 2
	}
}

func (v *notesView) wheel(_ *model, n int) {
	t := &v.kinds
	if v.below {
		t = &v.frames
	}
	t.cur = max(0, t.cur+n)
}

func (v *notesView) hints() [][2]string {
	return [][2]string{{"Enter", "these packets"}, {"Tab", "packets below"}, {"o", "only these"}, {"x", "hide them"}, {"q", "back"}}
}

func (v *notesView) status(m *model) string {
	return amount.Of(m.s.Marks(), "note") + " of " + amount.Of(len(v.notes), "kind")
}

// upper is how many lines the kinds of notes get.
func (v *notesView) upper(r rect) int { return clamp(len(v.notes), 3, max(3, r.h/2)) }

func (v *notesView) draw(m *model, r rect) []string {
	v.refresh(m)
	out := []string{m.pens.Dim.Open + paint.Fit(paint.Fit("  Severity", 12)+paint.FitRight("packets", 10)+"  "+paint.Fit("Note", v.noteWidth(r.w)+1)+"Filter", r.w) + m.pens.Dim.Close}
	top := v.upper(r)
	if len(v.notes) == 0 {
		out = append(out, paint.Fit("  no dissector has found anything to remark on", r.w))
		return append(out, m.blankLines(r.w, r.h-2)...)
	}
	out = append(out, v.kinds.draw(rect{r.x, r.y + 1, r.w, top}, len(v.notes), func(i int, sel bool) string {
		return v.kind(m, &v.notes[i], sel && !v.below, sel, r.w)
	})...)
	k := v.at()
	right := amount.Packets(k.Packets)
	if k.Count > k.Packets {
		right = amount.Of(k.Count, "note") + " in " + right
	}
	if len(k.Frames) < k.Packets {
		right += ", the first " + amount.Group(len(k.Frames)) + " below"
	}
	out = append(out, m.rule(r.w, dissect.Escape(k.Field.Label()), right))
	cols := m.placeColumns(r.w)
	return append(out, v.frames.draw(rect{r.x, r.y + top + 2, r.w, r.h - top - 2}, len(k.Frames), func(i int, sel bool) string {
		return v.frame(m, k.Frames[i], sel && v.below, cols, r.w)
	})...)
}

// noteWidth is the room for what the notes say: what their filters leave, which take a third of the line at most.
func (v *notesView) noteWidth(w int) int {
	names := len("Filter")
	for i := range v.notes {
		names = max(names, paint.Width(v.notes[i].Field.Name()))
	}
	return max(10, w-24-1-min(names, w/3))
}

func (v *notesView) kind(m *model, k *stats.NoteKind, selected, current bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	name, p, sign := severityText(m, k.Severity)
	if current && !selected {
		sign = m.glyph("▸", ">")
	}
	l.Put(p, sign+" "+paint.Fit(name, 10))
	l.Put(paint.Pen{}, paint.FitRight(amount.Group(k.Packets), 10)+"  ")
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(k.Field.Label()), v.noteWidth(w))+" ")
	l.Put(m.pens.Dim, paint.Fit(k.Field.Name(), max(0, w-l.Width)))
	return paint.Clip(l.End(w), w)
}

func severityText(m *model, s dissect.Severity) (string, paint.Pen, string) {
	switch s {
	case dissect.Error:
		return "error", m.pens.Bad, m.glyph("✗", "x")
	case dissect.Warn:
		return "warning", m.pens.Warn, "!"
	case dissect.Hint:
		return "note", paint.Pen{}, m.glyph("·", ".")
	case dissect.Comment:
		return "comment", m.pens.Accent, string(commentSign)
	}
	return "chat", m.pens.Dim, m.glyph("·", ".")
}

// frame draws a packet as in the list, without its margin's line.
func (v *notesView) frame(m *model, n dissect.FrameNum, selected bool, cols []placedColumn, w int) string {
	r := m.cached(n)
	if v.at().Severity == dissect.Comment { // what is written matters more than what the packet says
		r.cells = slices.Clone(r.cells)
		for i, c := range m.columns {
			if c.kind == colInfo {
				r.cells[i] = dissect.Escape(strings.Join(m.store.Comments(int(n)-1), m.glyph(" · ", "; ")))
			}
		}
	}
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	l.Put(paint.Pen{}, strings.Repeat(" ", 3))
	m.drawCells(&l, r, cols, n)
	return paint.Clip(l.End(w), w)
}

func (v *notesView) busy(m *model) bool { return v.of != m.s || v.counts.Seen() < m.s.Marks() }
