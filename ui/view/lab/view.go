// Package lab is the lab on the screen: messages of a protocol that nobody knows, one below the other, with what their
// bytes seem to be. Fields are named there, and a description of the format is written.
package lab

import (
	"context"
	"fmt"

	"remora/dissect"
	"remora/internal/lab"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/view"
	"remora/ui/widget"
)

// Keep writes a description into the folder of dissectors, and names its file. Where there is one already, the error is
// fs.ErrExist unless it may be replaced.
type Keep func(name, text string, replace bool) (file string, err error)

// Traffic gathers the messages in packets.
type Traffic interface {
	// Add adds what a packet carries.
	Add(s *dissect.Session, tree *dissect.Tree)
	// Messages is how many there are.
	Messages() int
	// Report looks at them; nil: there are none. Where is what finds them again in a description.
	Report() *lab.Report
	Where(r *lab.Report) string
}

// Tools are what the lab needs beside the screen.
type Tools struct {
	Keep    Keep // nil: there is no folder
	Traffic func() Traffic
}

// What stands below the messages.
const (
	readings = iota // the bytes read as anything
	differences
	plotted
	heat // bytes as shades, one cell each
	modes
)

// A View shows the messages of a filter, in groups that are alike.
type View struct {
	c      view.Context
	tools  Tools
	filter string
	stop   func()

	report *lab.Report // nil: not there yet
	where  string
	none   string // why there is none

	group, row, top int
	col, left, from int // the column under the cursor, the first in view, and where selected ones begin, or -1
	mode, as        int
	ranges          [][2]byte // of the bytes of each column of a group
	rangesOf        *lab.Group
	description     description
}

// New looks at the messages in packets that a filter leaves of those shown; "" are all of these.
func New(c view.Context, filter string, tools Tools) *View {
	return &View{c: c, tools: tools, filter: filter, from: -1}
}

// Open begins to look.
func (v *View) Open() {
	if v.report != nil || v.stop != nil {
		return
	}
	if v.tools.Traffic == nil {
		v.none = "the lab is not a part of this program"
		return
	}
	scope := v.c.Scope()
	f, err := scope.Compile(v.filter)
	if v.filter == "" {
		f, err = nil, nil
	}
	if err != nil {
		v.none = err.Error()
		return
	}
	v.stop = v.c.Later("looking at messages", func(ctx context.Context) func() {
		t, l := v.tools.Traffic(), scope.Session.Dissector()
		for n := dissect.FrameNum(scope.Session.Store().First() + 1); int(n) <= scope.Passed() && ctx.Err() == nil &&
			t.Messages() < mostMessages; n++ {
			if scope.Shows(n) && !scope.Ignored[n] && (f == nil || f.Match(l, n)) {
				t.Add(scope.Session, l.Tree(n))
			}
		}
		r := t.Report()
		return func() {
			v.stop, v.report = nil, r
			if r == nil || len(r.Groups) == 0 {
				v.report, v.none = nil, "there are no datagrams or streams to look at"
				return
			}
			v.where = t.Where(r)
		}
	})
}

// mostMessages is how many messages are looked at.
const mostMessages = 20000

// Close ends the work.
func (v *View) Close() {
	if v.stop != nil {
		v.stop()
		v.stop = nil
	}
}

// Stays says that the view needs no packets any more: others may be shown behind it.
func (v *View) Stays() {}

// Busy tells whether messages are looked at.
func (v *View) Busy() bool { return v.stop != nil }

// current is the group that is shown.
func (v *View) current() *lab.Group { return v.report.Groups[v.group] }

// picked are the columns that are selected, or those of the field under the cursor.
func (v *View) picked() (lo, hi int) {
	if v.from >= 0 {
		return min(v.from, v.col), max(v.from, v.col) + 1
	}
	g := v.current()
	if f, ok := g.At(v.col); ok && f.Kind != lab.Unknown && f.Size > 0 || f.Name != "" {
		return f.Off, f.Off + f.Size
	}
	return v.col, v.col + 1
}

// Update handles the keys that move, select, name and write.
func (v *View) Update(a act.Action, n int) bool {
	if v.report == nil {
		return false
	}
	g := v.current()
	switch {
	case v.moves(a, max(1, n)), v.copies(a):
	case a == act.NextPane, a == act.PrevPane:
		step := 1
		if a == act.PrevPane {
			step = len(v.report.Groups) - 1
		}
		v.group = (v.group + step) % len(v.report.Groups)
		v.row, v.top, v.col, v.left, v.from = 0, 0, 0, 0, -1
	case a == act.Select && v.from < 0:
		v.from = v.col
	case a == act.Select, a == act.Escape && v.from >= 0:
		v.from = -1
	case a == act.Reading:
		v.mode = (v.mode + 1) % modes
	case a == act.Time:
		v.as = (v.as + 1) % len(types)
	case a == act.Open && g.Messages[v.row].Frame > 0:
		v.c.Close()
		v.c.GoTo(dissect.FrameNum(g.Messages[v.row].Frame))
	case a == act.FindPrev:
		v.askName()
	case a == act.Save:
		v.save()
	case a == act.Undo:
		v.undo()
	default:
		return false
	}
	return true
}

func (v *View) moves(a act.Action, n int) bool {
	g := v.current()
	switch a {
	case act.Left:
		v.col -= n
	case act.Right:
		v.col += n
	case act.First:
		v.row = 0
	case act.Last:
		v.row = len(g.Messages) - 1
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		v.row += widget.Step(a, n, v.rows(view.Height(v.c)))
	default:
		return false
	}
	v.row = widget.Clamp(v.row, 0, len(g.Messages)-1)
	v.col = widget.Clamp(v.col, 0, max(0, g.Max-1))
	return true
}

// Click moves the cursor to a byte.
func (v *View) Click(x, y int) {
	if v.report == nil || y < head || y-head >= v.rows(view.Height(v.c)) || x < lead {
		return
	}
	g := v.current()
	v.row = widget.Clamp(v.top+y-head, 0, len(g.Messages)-1)
	v.col = widget.Clamp(v.left+(x-lead)/v.cell(), 0, max(0, g.Max-1))
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) {
	if v.report != nil {
		v.row = widget.Clamp(v.row+n, 0, len(v.current().Messages)-1)
	}
}

// Keys are the keys that matter here.
func (v *View) Keys() [][2]string {
	key := v.c.Style().Key
	return [][2]string{{"Tab", "group"}, {"Space", "select bytes"}, {key(act.FindPrev), "name them"},
		{key(act.Save), "write .ksy"}, {key(act.Undo), "undo"}, {key(act.Reading), "read, compare, plot, heat"},
		{key(act.Time), "as another type"}, {"yh", "copy"}, {"Enter", "packet"}, {"q", "back"}}
}

// Status says what is shown.
func (v *View) Status() string {
	if v.report != nil && v.description.file == "" {
		if text := v.report.Answers(v.current()); text != "" {
			return text
		}
	}
	switch {
	case v.Busy():
		return "looking at messages"
	case v.report == nil:
		return v.none
	case v.description.file != "":
		return "written to " + v.description.file
	}
	return fmt.Sprintf("%s in %s; what is proposed may be wrong", humanize.Of(v.report.Messages, "message"),
		humanize.Of(len(v.report.Groups), "group"))
}
