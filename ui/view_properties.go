package ui

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/print"
)

// propertiesView shows what is known of the capture as a whole: the file, times, rates, interfaces. Packets are counted and the
// file's hash sums worked out beside the screen.
type propertiesView struct {
	table  table
	counts *stats.Properties
	cancel context.CancelFunc
	file   fileFacts
}

// fileFacts are what is found out of the file.
type fileFacts struct {
	hashed atomic.Int64 // bytes done
	mu     sync.Mutex
	info   *capture.FileInfo // nil: no file, or not known yet
	sums   *capture.Hashes
	done   bool
}

// openProperties opens the view, whose counting ends with it.
func (m *model) openProperties() {
	ctx, cancel := context.WithCancel(m.ctx)
	v := &propertiesView{counts: stats.NewProperties(m.s), cancel: cancel}
	go m.eachShown(ctx, m.s, nil, nil, func(frames []dissect.FrameNum, _ dissect.FrameNum) {
		if k := len(frames); k > 0 {
			v.counts.Range(frames[0], frames[k-1])
		}
	})
	go func() {
		defer m.guard("hashing the file")
		v.file.find(ctx, v.counts.Session().Store())
	}()
	m.openOver(v)
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
	info, err := capture.Describe(st.Name)
	if err != nil {
		return
	}
	f.mu.Lock()
	f.info = &info
	f.mu.Unlock()
	sums, err := capture.HashFile(ctx, st.Name, f.hashed.Store)
	if err != nil {
		return
	}
	f.mu.Lock()
	f.sums = &sums
	f.mu.Unlock()
}

func (f *fileFacts) now() (info *capture.FileInfo, sums *capture.Hashes, done bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.info, f.sums, f.done
}

// lines are the properties, one a line; a part's title has no value.
func (v *propertiesView) lines(m *model) [][2]string {
	info, sums, _ := v.file.now()
	var out [][2]string
	for _, p := range print.Properties(m.s, v.counts.Sums(), info, sums) {
		if p.Title != "" {
			out = append(out, [2]string{}, [2]string{p.Title})
		}
		for _, row := range p.Rows {
			name := row[0]
			for _, part := range breakText(groupNumbers(row[1]), max(20, m.w-propertyNames-4)) {
				out = append(out, [2]string{name, part})
				name = " "
			}
		}
	}
	return out
}

// propertyNames is the room for the names.
const propertyNames = 20

// longNumber is a number of thousands: alone, or in front of a unit. Four digits among others may be a year.
var (
	longNumber = regexp.MustCompile(`(^|[ (])(\d{5,}([ .,)]|$)|\d{4}(\.\d+)? (bytes|packets|bits|values)|\d{4}$)`)
	thousands  = regexp.MustCompile(`\d{4,}`)
)

// groupNumbers puts a space between the thousands of numbers that stand alone.
func groupNumbers(s string) string {
	return longNumber.ReplaceAllStringFunc(s, func(found string) string {
		digits := thousands.FindString(found)
		n, err := strconv.Atoi(digits)
		if err != nil {
			return found
		}
		return strings.Replace(found, digits, amount.Group(n), 1)
	})
}

// breakText breaks a text into lines of at most n cells: between words where it can, a long word anywhere.
func breakText(s string, n int) []string {
	var out []string
	for _, l := range paint.Wrap(s, n) {
		for paint.Width(l) > n {
			head := ansi.Truncate(l, n, "")
			if head == "" { // not even one letter has room
				break
			}
			out, l = append(out, head), l[len(head):]
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		out = []string{""}
	}
	return out
}

// stop ends the counting.
func (v *propertiesView) stop() { v.cancel() }

func (v *propertiesView) act(m *model, a act.Action, n int) bool {
	switch {
	case v.table.act(a, n, len(v.lines(m)), m.body().h-1):
	case a == act.Quit || a == act.ClearFilter:
		m.leaveOver(nil)
	default:
		return false
	}
	return true
}

func (v *propertiesView) click(_ *model, r rect, _, y int) {
	if y > r.y {
		v.table.cur = v.table.top + y - r.y - 1
	}
}

func (v *propertiesView) wheel(_ *model, n int) { v.table.cur = max(0, v.table.cur+n) }

func (v *propertiesView) hints() [][2]string { return [][2]string{{"j k", "move"}, {"q", "back"}} }

func (v *propertiesView) status(m *model) string {
	info, sums, done := v.file.now()
	switch {
	case int(v.counts.UpTo()) < m.s.Passed():
		return "counted up to packet " + amount.Group(int(v.counts.UpTo()))
	case !done && info != nil && sums == nil:
		return "hashing the file, " + strconv.Itoa(int(v.file.hashed.Load()*100/max(1, info.Size))) + " %"
	}
	return amount.Group(int(v.counts.Sums().Packets)) + " packets counted"
}

func (v *propertiesView) busy(m *model) bool {
	_, _, done := v.file.now()
	return !done || int(v.counts.UpTo()) < m.s.Passed()
}

func (v *propertiesView) draw(m *model, r rect) []string {
	lines := v.lines(m)
	out := []string{m.rule(r.w, "Properties", "")}
	return append(out, v.table.draw(rect{r.x, r.y + 1, r.w, r.h - 1}, len(lines), func(i int, selected bool) string {
		var l paint.Line
		if selected {
			l.Base = m.pens.Selected
		}
		if lines[i][1] == "" && lines[i][0] != "" {
			l.Put(m.pens.Bold, "  "+lines[i][0])
		} else {
			l.Put(m.pens.Dim, "  "+paint.Fit(lines[i][0], propertyNames)+" ")
			l.Put(paint.Pen{}, lines[i][1])
		}
		return paint.Clip(paint.Pad(l.Text(), r.w), r.w)
	})...)
}
