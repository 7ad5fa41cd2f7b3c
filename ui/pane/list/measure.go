package list

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/ui/columns"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// Columns are as wide as the rows in view need. They grow at once, and shrink late: what was needed is forgotten only
// when many more rows have come into view without needing it, so that nothing moves to and fro while the list is
// scrolled or grows.

// forgetAfter is after how many screens of other rows a width is forgotten that none of them needed.
const forgetAfter = 64

// seen is what the rows need that were in view of late.
type seen struct {
	need     columns.Needs // of the last rows and those before them
	now, was extent
	rows     int // that came into view since it was the turn of the last ones
	top, h   int // of the view
	filled   bool
}

// An extent is what some rows need.
type extent struct {
	need  columns.Needs
	texts []string // of the first row, by column
	ports [2]uint16
	hosts [2]string
	types map[string]*dissect.Protocol // of packet types
	any   bool
}

// needs is what the rows in view need.
func (p *Pane) needs() *columns.Needs {
	if !p.seen.filled || len(p.seen.need.Cells) != len(p.Columns) {
		p.measure(p.height() - 1)
	}
	return &p.seen.need
}

// measure takes in the rows in view, of which there are h at most.
func (p *Pane) measure(h int) {
	s, end := &p.seen, min(p.top+h, p.packets.Rows())
	if len(s.need.Cells) != len(p.Columns) {
		*s = seen{}
	}
	s.rows += min(h, max(0, p.top-s.top)+max(0, s.top-p.top)+max(0, h-s.h))
	s.top, s.h = p.top, h
	if s.rows > forgetAfter*max(1, h) {
		s.rows, s.was, s.now = 0, s.now, extent{}
	}
	for at := max(0, p.top); at < end; at++ {
		if n := p.packets.Frame(at); n > 0 {
			s.now.take(p.rowOf(n), p.Columns)
		}
	}
	s.filled = end > p.top
	s.join(len(p.Columns))
	p.measureTimes(end)
}

// join puts together what the last rows need and those before them.
func (s *seen) join(cols int) {
	all := s.now.need
	all.Cells, all.Same = make([]int, cols), make([]bool, cols)
	copy(all.Cells, s.now.need.Cells)
	copy(all.Same, s.now.need.Same)
	if was := &s.was; was.any && s.now.any && len(was.need.Cells) == cols {
		for i := range all.Cells {
			all.Cells[i] = max(all.Cells[i], was.need.Cells[i])
			all.Same[i] = all.Same[i] && was.need.Same[i] && s.now.texts[i] == was.texts[i]
		}
		for end := range all.Ends {
			for f := range all.Ends[end] {
				all.Ends[end][f] = max(all.Ends[end][f], was.need.Ends[end][f])
			}
			all.Usual[end] = max(all.Usual[end], was.need.Usual[end])
			all.SamePort[end] = all.SamePort[end] && was.need.SamePort[end] && s.now.ports[end] == was.ports[end]
		}
		all.Word = max(all.Word, was.need.Word)
		all.Implied = all.Implied && was.need.Implied
		all.OneHost = all.OneHost && was.need.OneHost && s.now.hosts == was.hosts
	}
	s.need = all
}

// take takes in a row.
func (e *extent) take(r row, cols []columns.Column) {
	need := &e.need
	if !e.any || len(need.Cells) != len(cols) {
		*e = extent{any: true, texts: r.cells, ports: r.ports, types: map[string]*dissect.Protocol{}}
		need.Cells, need.Same = make([]int, len(cols)), slices.Repeat([]bool{true}, len(cols))
		need.Implied, need.SamePort, need.OneHost = true, [2]bool{true, true}, true
		e.hosts = [2]string{r.ends[0][columns.HostOnly], r.ends[1][columns.HostOnly]}
	}
	for i, c := range cols {
		text := r.cells[i]
		if c.Kind == columns.Info {
			text = r.line
		}
		need.Cells[i] = max(need.Cells[i], paint.Width(text))
		need.Same[i] = need.Same[i] && r.cells[i] == e.texts[i]
	}
	if r.ignored {
		return
	}
	for end, forms := range r.ends {
		for f, text := range forms {
			need.Ends[end][f] = max(need.Ends[end][f], paint.Width(text))
		}
		if whole := paint.Width(forms[columns.Whole]); whole <= columns.UsualEnd {
			need.Usual[end] = max(need.Usual[end], whole)
		}
		need.SamePort[end] = need.SamePort[end] && r.ports[end] == e.ports[end]
		need.OneHost = need.OneHost && r.ports[end] != 0 && forms[columns.HostOnly] == e.hosts[0] && e.hosts[0] == e.hosts[1]
	}
	was, known := e.types[r.kind]
	if known && was != r.protocol || r.kind == "" {
		need.Implied = false
	}
	for word := range strings.SplitSeq(r.kind, " ") {
		if known {
			break
		}
		need.Word = max(need.Word, paint.Width(word))
	}
	if len(e.types) < maxTypes {
		e.types[r.kind] = r.protocol
	}
}

// liveNo is the width of numbers that a live capture has at first, so that its list does not move soon.
const liveNo = 6

// maxTypes bounds the packet types that are remembered; more are on no screen.
const maxTypes = 256

// deltaWidth is the width of most times between packets.
const deltaWidth = 8

// measureTimes takes in how wide times are: those of the last rows in view and of the capture's last packet, which is
// the widest of most formats.
func (p *Pane) measureTimes(end int) {
	need := &p.seen.need
	nanos := p.packets.Nanos()
	last := func(n dissect.FrameNum) {
		if n == 0 {
			return
		}
		for i := range need.Times {
			if i < 2 || nanos {
				need.Times[i] = max(need.Times[i], paint.Width(p.timeDigits(n, 3*i+3)))
			}
		}
	}
	for at := max(0, p.top); at < end; at++ {
		last(p.packets.Frame(at))
	}
	last(dissect.FrameNum(p.packets.Session.Passed()))
	p.seen.now.need.Times = maxTimes(p.seen.now.need.Times, need.Times)
	need.Times = maxTimes(p.seen.now.need.Times, p.seen.was.need.Times)
	for i, c := range p.Columns {
		switch c.Kind {
		case columns.Delta:
			need.Cells[i] = deltaWidth
		case columns.No:
			need.Cells[i] = paint.Width(humanize.Group(p.packets.Store.Len()))
			if p.packets.Store.Status().Live {
				need.Cells[i] = max(liveNo, need.Cells[i])
			}
		}
	}
}

func maxTimes(a, b [3]int) (out [3]int) {
	for i := range out {
		out[i] = max(a[i], b[i])
	}
	return out
}

// scrolled are the columns and how wide they all are: as many cells as the list has, or, once it is scrolled, all that
// the rows need.
func (p *Pane) scrolled(w int) (cols []columns.Placed, full int) {
	if p.shift == 0 {
		return p.Place(w), w
	}
	cols, full = columns.Natural(p.Columns, w, Margin, p.needs())
	p.shift = widget.Clamp(p.shift, 0, max(0, full-w))
	if p.shift == 0 {
		return p.Place(w), w
	}
	return cols, full
}

// scroll is the part of a drawn line that is in view, with its margin.
func (p *Pane) scroll(line string, w int) string {
	if p.shift == 0 {
		return line
	}
	return paint.Clip(paint.Pad(ansi.Truncate(line, Margin, "")+ansi.TruncateLeft(line, Margin+p.shift, ""), w), w)
}

// unscrolled is where a cell of the picture would be if the list were not scrolled.
func (p *Pane) unscrolled(x int) int {
	if x < Margin {
		return x
	}
	return x + p.shift
}

// scrollStep is how many cells a key scrolls to the side.
const scrollStep = 16

// Scroll scrolls the list to the side.
func (p *Pane) Scroll(by int) {
	p.shift = max(0, p.shift+by*scrollStep)
	p.scrolled(p.width())
}

func (p *Pane) width() int {
	w, _ := p.c.Size()
	return w
}
