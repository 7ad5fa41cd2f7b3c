// Package expert lists the expert info of a capture: errors, warnings, notes and chats, and the packets that have them.
package expert

import (
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lists the expert notes: which there are and how often, and below the packets of the one under the cursor.
type View struct {
	c      view.Context
	kinds  widget.Table
	frames widget.Table
	below  bool // the cursor is in the lower part

	counts *stats.ExpertInfo
	notes  []stats.ExpertKind // worst first
	of     view.Scope

	written  [2]int             // packets passed and comments changed when the comments were taken
	comments []stats.ExpertKind // none or one
}

// keptFrames bounds the packets listed of one note; the filter shows the rest.
const keptFrames = 100_000

// counted bounds the marks counted at once, so that a key waits for no more.
const countedAtOnce = 10_000

// New is the expert info of the capture that is open.
func New(c view.Context) *View { return &View{c: c} }

func (v *View) refresh() {
	if s := v.c.Scope(); v.stale() {
		*v = View{c: v.c, of: s, counts: stats.NewExpertInfo(s.Session, keptFrames)}
		v.counts.Skip = func(n dissect.FrameNum) bool { return s.Ignored[n] }
	}
	fresh := v.takeComments()
	if v.counts.Seen() == v.c.Scope().Session.ExpertInfos() && !fresh {
		return
	}
	at := *v.at()
	v.counts.All(countedAtOnce)
	v.notes = append(v.counts.WorstFirst(), v.comments...)
	for i, k := range v.notes {
		if k.Field == at.Field && k.Severity == at.Severity {
			v.kinds.Cur = i
		}
	}
}

// takeComments makes the packets' comments a kind of note. It tells whether there may be others than before.
func (v *View) takeComments() bool {
	s := v.c.Scope()
	f, written := s.Session.Registry().Field(view.CommentField), [2]int{s.Passed(), s.CommentEdits}
	if f == nil || written == v.written {
		return false
	}
	v.written, v.comments = written, nil
	if frames := view.Commented(s.Session.Store()); len(frames) > 0 {
		v.comments = []stats.ExpertKind{{Field: f, Severity: dissect.Comment, Count: len(frames), Packets: len(frames),
			Frames: frames[:min(len(frames), keptFrames)]}}
	}
	return true
}

func (v *View) at() *stats.ExpertKind {
	if v.kinds.Cur < len(v.notes) {
		return &v.notes[v.kinds.Cur]
	}
	return &stats.ExpertKind{}
}

// FindLine goes to the next kind of notes that holds a text, or to the next of the packets below them, or to the one
// before.
func (v *View) FindLine(text string, step int) bool {
	if v.below {
		return v.frames.Find(text, step)
	}
	return v.kinds.Find(text, step)
}

// Update handles the keys that move in the kinds above and the packets below, filter by them and go to one.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	k := v.at()
	t, rows := &v.kinds, len(v.notes)
	if v.below {
		t, rows = &v.frames, len(k.Frames)
	}
	switch {
	case t.Update(a, n, rows, view.Height(v.c)/2):
		if !v.below {
			v.frames = widget.Table{}
		}
	case a == act.NextPane || a == act.PrevPane:
		v.below = !v.below && len(k.Frames) > 0
	case k.Field == nil:
		return false
	case a == act.Open && v.below:
		v.c.Close()
		v.c.GoTo(k.Frames[v.frames.Cur])
	case a == act.Open:
		v.c.Close()
		view.Narrow(v.c, k.Field.Name())
	case a == act.Only:
		v.c.Filter(k.Field.Name())
	case a == act.Hide:
		view.Narrow(v.c, "!"+k.Field.Name())
	default:
		return false
	}
	return true
}

// Click selects a kind or a packet.
func (v *View) Click(_, y int) {
	h := view.Height(v.c)
	top := v.upper(h)
	if v.below = y > 1+top; v.below {
		v.frames.Click(y-top-2-v.headed(h-top-2), len(v.at().Frames))
	} else if y > 0 && y <= top {
		v.kinds.Click(y-1, len(v.notes))
	}
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) {
	if v.below {
		v.frames.Wheel(n)
	} else {
		v.kinds.Wheel(n)
	}
}

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"Enter", "these packets"}, {"Tab", "packets below"}, {"o", "only these"}, {"x", "hide them"},
		{"q", "back"}}
}

// Status says how many expert infos there are, and of how many kinds.
func (v *View) Status() string {
	return humanize.Of(v.c.Scope().Session.ExpertInfos(), "expert info") + " of " + humanize.Of(len(v.notes), "kind")
}

// upper is how many lines the kinds of notes get.
func (v *View) upper(h int) int { return widget.Clamp(len(v.notes), 3, max(3, h/2)) }

// Draw draws the kinds of expert info above and the packets of the selected one below.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	out := []string{v.c.Style().Dim(paint.Fit("  Severity", 12)+paint.FitRight("packets", 10)+"  "+
		paint.Fit("Summary", v.noteWidth(w)+1)+v.filterHead(w), w)}
	top := v.upper(h)
	if len(v.notes) == 0 {
		out = append(out, paint.Fit("  no expert info", w))
		return append(out, widget.Blank(w, h-2)...)
	}
	out = append(out, v.kinds.Draw(w, top, len(v.notes), func(i int, sel bool) string {
		return v.kind(&v.notes[i], sel && !v.below, sel, w)
	})...)
	k := v.at()
	right := humanize.Packets(k.Packets)
	if k.Count > k.Packets {
		right = humanize.Of(k.Count, "time") + " in " + right
	}
	if len(k.Frames) < k.Packets {
		right += ", the first " + humanize.Group(len(k.Frames)) + " below"
	}
	if v.filterHead(w) == "" {
		right = k.Field.Name() + "  " + right
	}
	out = append(out, v.c.Style().Rule(w, dissect.Escape(k.Field.Label()), right))
	return append(out, v.packets(k, w, h-len(out))...)
}

// packets are h lines: the packets of a kind below their columns' titles.
func (v *View) packets(k *stats.ExpertKind, w, h int) (out []string) {
	head := v.headed(h)
	rows := func() []string {
		return v.frames.Draw(w, h-head, len(k.Frames), func(i int, sel bool) string {
			return v.frame(k.Frames[i], sel && v.below, w)
		})
	}
	rows() // so that what is in view is known, and what its columns need
	in := k.Frames[v.frames.Top:min(v.frames.Top+h-head, len(k.Frames))]
	if title := v.c.List().Heading(k.Field.Name(), in, w); head > 0 {
		out = append(out, title)
	}
	return append(out, rows()...)
}

// headed is how many lines the titles above so many lines of packets take: one, unless there are but a few.
func (v *View) headed(h int) int {
	if h < 4 {
		return 0
	}
	return 1
}

// noteWidth is the room for what the notes say: all that they need, unless less than a few letters of their filters are
// left.
func (v *View) noteWidth(w int) int {
	notes, names, room := len("Summary"), len("Filter"), w-24-1
	for i := range v.notes {
		notes = max(notes, paint.Width(dissect.Escape(v.notes[i].Field.Label())))
		names = max(names, paint.Width(v.notes[i].Field.Name()))
	}
	if room-notes < min(names, leastFilter) {
		return max(10, min(notes, room))
	}
	return min(notes+2, max(notes, room-names))
}

// leastFilter is how much of a filter says something.
const leastFilter = 14

// filterHead stands over the filters, where there is room for any.
func (v *View) filterHead(w int) string {
	if w-24-1-v.noteWidth(w) < len("Filter") {
		return ""
	}
	return "Filter"
}

func (v *View) kind(k *stats.ExpertKind, selected, current bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	name, p, sign := severityText(v.c.Style(), k.Severity)
	if current && !selected {
		sign = v.c.Style().Glyph("▸", ">")
	}
	l.Put(p, sign+" "+paint.Fit(name, 10))
	l.Put(paint.Pen{}, paint.FitRight(humanize.Group(k.Packets), 10)+"  ")
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(k.Field.Label()), v.noteWidth(w))+" ")
	if v.filterHead(w) != "" {
		l.Put(v.c.Style().Pens.Dim, paint.Fit(k.Field.Name(), max(0, w-l.Width)))
	}
	return paint.Clip(l.End(w), w)
}

func severityText(style *widget.Style, s dissect.Severity) (string, paint.Pen, string) {
	switch s {
	case dissect.Error:
		return "error", style.Pens.Bad, style.Glyph("✗", "x")
	case dissect.Warn:
		return "warning", style.Pens.Warn, "!"
	case dissect.Hint:
		return "note", paint.Pen{}, style.Glyph("·", ".")
	case dissect.Comment:
		return "comment", style.Pens.Accent, string(view.CommentSign)
	}
	return "chat", style.Pens.Dim, style.Glyph("·", ".")
}

// frame draws a packet as in the list; of one with a comment that matters more than what the packet says.
func (v *View) frame(n dissect.FrameNum, selected bool, w int) string {
	info := ""
	if v.at().Severity == dissect.Comment {
		info = dissect.Escape(strings.Join(v.c.Scope().Session.Store().Comments(int(n)-1), v.c.Style().Glyph(" · ", "; ")))
	}
	return v.c.List().Row(n, selected, info, w)
}

// stale tells whether another capture is open, or other packets are ignored, than those that were counted.
func (v *View) stale() bool {
	now := v.c.Scope()
	return v.of.Session != now.Session || v.of.All != now.All
}

// Close does nothing: nothing is counted beside the screen.
func (v *View) Close() {}

// Busy reports whether expert info is still counted.
func (v *View) Busy() bool { return v.stale() || v.counts.Seen() < v.c.Scope().Session.ExpertInfos() }
