// Package facets is the panel of protocols and packet types with their counts and rates.
package facets

import (
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/filtered"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/ticks"
	"remora/ui/typetree"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the panel may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() view.Scope
	// Style is how the screen draws.
	Style() *widget.Style
	// Focused tells whether the keys go to the panel, Height is how many lines it has.
	Focused() bool
	Height() int
	// Filter applies a display filter; "" shows all packets.
	Filter(text string)
	// Prompt asks for a line of text.
	Prompt(p view.Prompt)
	// Notify says something in the line above the keys.
	Notify(text string)
	// Write writes to files beside the screen, one thing after the other.
	Write(do func())
}

// A List is lines that are kept between runs.
type List interface {
	Lines() []string
	Add(line string) error
	Remove(line string) error
}

// A Pane is the panel of protocols and packet types with their counts and rates. Its ticks and the filter say the same:
// the filter is made of the ticks, and the ticks are read from it. The counts are those of what a filter shows that was
// not ticked here. Once something is ticked, what the filter asks beside the ticks narrows them, so that a count is
// what a tick would bring.
type Pane struct {
	typetree.Lines
	Open bool // it is shown

	c       Context
	packets *listed.Packets
	kept    List // what was ticked of protocols

	top     int
	ticks   ticks.Set
	rest    string // what the filter asks beside the ticks
	own     bool   // the filter was made of the ticks
	edited  bool   // it was, and its text was changed since
	typed   bool   // nothing was ticked since the filter was applied: what it shows is counted
	sort    int
	touched bool // the lines stay in their places

	counts map[string]stats.Group // without the ticks, by line
	tally  *stats.Tally           // that counted them
	late   lateRates
	other  *filtered.Packets // the filter without the ticks, where nothing else counts that

	upTo [2]dissect.FrameNum
	of   *filtered.Packets
	next time.Time
}

// New is the panel, closed, for the packets that are listed.
func New(c Context, packets *listed.Packets, kept List) *Pane {
	return &Pane{c: c, packets: packets, kept: kept, ticks: ticks.New(true)}
}

// Update handles what a key does in the panel.
func (p *Pane) Update(a act.Action, n int) bool {
	p.refresh()
	switch a {
	case act.Sort:
		p.sortNext()
		return true
	case act.Escape:
		return p.endFind()
	}
	was := p.touched
	p.touched = true // before the filter changes: that counts anew
	switch a {
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		p.Cur += widget.Step(a, max(1, n), max(1, p.c.Height()-1))
	case act.First:
		p.Cur = 0
	case act.Last:
		p.Cur = len(p.Rows) - 1
	case act.Right, act.Left, act.Open:
		p.Fold(a)
	case act.Select:
		p.tick()
	case act.Only:
		p.only()
	case act.Hide:
		p.hideLine()
	case act.FacetsAll:
		p.tickAll()
	case act.Find:
		p.askFind()
	default:
		p.touched = was
		return false
	}
	p.Cur = widget.Clamp(p.Cur, 0, max(0, len(p.Rows)-1))
	return true
}

// askFind asks what the lines are to be narrowed to, as it is typed.
func (p *Pane) askFind() {
	p.c.Prompt(view.Prompt{
		Label: " find in the facets: ", Text: p.Find, Forget: true, Accept: func(string) {}, Cancel: func() { p.Search("") },
		Check: func(text string, _ int) ([]complete.Offer, string) {
			p.Search(text)
			return nil, ""
		},
		Says: func(view.Typed) (string, paint.Pen) {
			s := p.c.Style()
			return s.Key(act.LineAccept) + " keeps them, " + s.Key(act.LineCancel) + " shows all", s.Pens.Dim
		},
	})
}

// endFind shows all lines again; it tells whether some were missing.
func (p *Pane) endFind() bool {
	if p.Find == "" {
		return false
	}
	p.Search("")
	return true
}

// Search narrows the lines to those that hold a text.
func (p *Pane) Search(text string) {
	p.Find = text
	p.Lay()
	for i, x := range p.Rows { // to the first that was meant, not what holds it
		if text != "" &&
			(p.Finds(x.Word()) && x.Kind != nil || x.Kind == nil && p.Finds(x.Proto.Protocol.Title(), x.Proto.Protocol.Name())) {
			p.Cur = i
			return
		}
	}
}

// Toggle opens the panel, in order, or closes it.
func (p *Pane) Toggle() {
	if p.Open = !p.Open; p.Open {
		p.touched, p.Find, p.Ranks, p.upTo = false, "", nil, [2]dissect.FrameNum{}
	}
}

// Click ticks a line where its box is, and folds it elsewhere.
func (p *Pane) Click(x, y int) {
	i, ok := p.rowAt(y)
	if !ok {
		return
	}
	p.Cur, p.touched = i, true
	at := x - 2*typetree.Depth(p.Rows[i]) - 2
	if at >= 0 && at < 4 {
		p.tick()
	} else {
		p.Fold(act.Open)
	}
}

// Point puts the cursor on a line, and gives the filter for it; it tells whether there is one.
func (p *Pane) Point(y int) (text string, ok bool) {
	i, ok := p.rowAt(y)
	if !ok {
		return "", false
	}
	p.Cur, p.touched = i, true
	return p.c.Scope().Term(p.Rows[i]), true
}

// Wheel scrolls by n lines.
func (p *Pane) Wheel(n int) { p.top = widget.Clamp(p.top+n, 0, max(0, len(p.lines())-1)) }

// Recount has everything counted anew: other packets are counted.
func (p *Pane) Recount() { p.upTo = [2]dissect.FrameNum{} }
