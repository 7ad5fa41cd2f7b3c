// Package properties shows what is known of a capture as a whole.
package properties

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/print"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View shows the file, times, rates and interfaces. Packets are counted and the file's hash sums worked out beside
// the screen.
type View struct {
	c      view.Context
	table  widget.Table
	counts *stats.Properties
	stop   [2]func()
	file   fileFacts
}

// fileFacts are what is found out of the file.
type fileFacts struct {
	hashed atomic.Int64 // bytes done
	mu     sync.Mutex
	info   *pcapfile.Info // nil: no file, or not known yet
	sums   *pcapfile.Hashes
	done   bool
}

// New is the properties of the capture that is open.
func New(c view.Context) *View {
	s := c.Scope()
	v := &View{c: c, counts: stats.NewProperties(s.Session)}
	s.Filtered, s.Ignored = nil, nil
	v.stop[0] = c.Go("counting", func(ctx context.Context) {
		s.Each(ctx, func(frames []dissect.FrameNum, _ dissect.FrameNum) {
			if k := len(frames); k > 0 {
				v.counts.Range(frames[0], frames[k-1])
			}
		})
	})
	v.stop[1] = c.Go("hashing the file", func(ctx context.Context) { v.file.find(ctx, s.Session.Store()) })
	return v
}

// find describes the file and hashes it. A live capture has none that is whole.
func (f *fileFacts) find(ctx context.Context, store *capture.Store) {
	defer func() {
		f.mu.Lock()
		f.done = true
		f.mu.Unlock()
	}()
	st := store.Status()
	if st.PerInterface != nil {
		return
	}
	info, err := pcapfile.Describe(st.Name)
	if err != nil {
		return
	}
	f.mu.Lock()
	f.info = &info
	f.mu.Unlock()
	sums, err := pcapfile.Hash(ctx, st.Name, f.hashed.Store)
	if err != nil {
		return
	}
	f.mu.Lock()
	f.sums = &sums
	f.mu.Unlock()
}

func (f *fileFacts) now() (info *pcapfile.Info, sums *pcapfile.Hashes, done bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.info, f.sums, f.done
}

// lines are the properties, one a line; a part's title has no value.
func (v *View) lines() [][2]string {
	info, sums, _ := v.file.now()
	var out [][2]string
	for _, p := range print.Properties(v.c.Scope().Session, v.counts.Sums(), info, sums) {
		if p.Title != "" {
			out = append(out, [2]string{}, [2]string{p.Title})
		}
		for _, row := range p.Rows {
			name := row[0]
			for _, part := range widget.BreakText(widget.GroupNumbers(row[1]), max(20, view.Width(v.c)-propertyNames-4)) {
				out = append(out, [2]string{name, part})
				name = " "
			}
		}
	}
	return out
}

// propertyNames is the room for the names.
const propertyNames = 20

// Close ends the counting.
func (v *View) Close() {
	v.stop[0]()
	v.stop[1]()
}

// Update handles the keys that move in the lines.
func (v *View) Update(a act.Action, n int) bool {
	switch {
	case v.table.Update(a, n, len(v.lines()), view.Height(v.c)-1):
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// FindLine goes to the next line that holds a text, or to the one before.
func (v *View) FindLine(text string, step int) bool {
	v.Draw(view.Width(v.c), view.Height(v.c)) // of what was read since the last picture, too
	return v.table.Find(text, step)
}

// Click selects a line.
func (v *View) Click(_, y int) { v.table.Click(y-1, len(v.lines())) }

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"j k", "move"}, {"Ctrl-F", "search"}, {"q", "back"}}
}

// Status says how far packets are counted and the file is hashed.
func (v *View) Status() string {
	info, sums, done := v.file.now()
	switch {
	case int(v.counts.UpTo()) < v.c.Scope().Session.Passed():
		return "counted up to packet " + humanize.Group(int(v.counts.UpTo()))
	case !done && info != nil && sums == nil:
		return "hashing the file, " + strconv.Itoa(int(v.file.hashed.Load()*100/max(1, info.Size))) + " %"
	}
	return humanize.Group(int(v.counts.Sums().Packets)) + " packets counted"
}

// Busy reports whether packets are still counted or the file is hashed.
func (v *View) Busy() bool {
	_, _, done := v.file.now()
	return !done || int(v.counts.UpTo()) < v.c.Scope().Session.Passed()
}

// Draw draws the file, its interfaces and its packets.
func (v *View) Draw(w, h int) []string {
	lines := v.lines()
	out := []string{v.c.Style().Rule(w, "Properties", "")}
	return append(out, v.table.Draw(w, h-1, len(lines), func(i int, selected bool) string {
		var l paint.Line
		if selected {
			l.Base = v.c.Style().Pens.Selected
		}
		if lines[i][1] == "" && lines[i][0] != "" {
			l.Put(v.c.Style().Pens.Bold, "  "+lines[i][0])
		} else {
			l.Put(v.c.Style().Pens.Dim, "  "+paint.Fit(lines[i][0], propertyNames)+" ")
			l.Put(paint.Pen{}, lines[i][1])
		}
		return paint.Clip(l.End(w), w)
	})...)
}
