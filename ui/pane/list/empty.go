package list

import (
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/filtered"
	"remora/ui/humanize"
	"remora/ui/paint"
)

// An empty list explains itself: how many packets there would be without the last term of the filter, and the ways out.

// fewer is a filter without its last term, counted beside the screen while the list is empty.
type fewer struct {
	of   *filtered.Packets // the filter that shows nothing
	term string            // its last term
	less *filtered.Packets // without that; nil where there is only one term
}

// lessOne is a filter without the last of the terms that are joined by "and", and that term; ok tells whether there are
// several.
func lessOne(text string) (less, term string, ok bool) {
	e, err := filter.Parse(text)
	if err != nil || e == nil || e.Op != "&&" || e.Quant != "" || len(e.Args) < 2 {
		return "", "", false
	}
	n := len(e.Args)
	less = strings.TrimSpace(text[:e.Args[n-2].End])
	// brackets around it are no part of a term
	if rest := text[e.Args[n-2].End:]; strings.HasPrefix(strings.TrimSpace(rest), ")") {
		return "", "", false
	}
	return less, text[e.Args[n-1].Pos:e.Args[n-1].End], true
}

// unexplained tells whether the list is empty because of a filter that nothing was said of yet.
func (p *Pane) unexplained() bool {
	return p.packets.Filtered != nil && p.fewer.of != p.packets.Filtered && p.packets.Rows() == 0 && p.packets.Settled()
}

// CountFewer counts what an empty filter would show without its last term.
func (p *Pane) CountFewer() {
	if !p.unexplained() {
		return
	}
	p.EndFewer()
	p.fewer.of = p.packets.Filtered
	less, term, ok := lessOne(p.packets.FilterText())
	if !ok {
		return
	}
	if f, err := p.c.Scope().Compile(less); err == nil {
		p.fewer.term, p.fewer.less = term, filtered.Start(p.packets.Session, f, p.packets.Ignored)
	}
}

// EndFewer ends that count.
func (p *Pane) EndFewer() {
	if p.fewer.less != nil {
		p.fewer.less.Cancel()
	}
	p.fewer = fewer{}
}

// FewerBusy tells whether the count goes on.
func (p *Pane) FewerBusy() bool {
	l := p.fewer.less
	return p.unexplained() || l != nil && l.Failed.Load() == nil && int(l.Decided.Load()) < p.packets.Session.Passed()
}

// explainEmpty explains an empty list, in a line or a few.
func (p *Pane) explainEmpty(w int) []string {
	var lines []string
	switch {
	case p.packets.Filtered != nil && p.packets.Filtered.Failed.Load() != nil:
		lines = []string{(*p.packets.Filtered.Failed.Load()).Error()}
	case p.packets.Filtered != nil && (p.packets.Settled() || p.packets.Store.Status().Live):
		text := "no packet matches"
		if !p.packets.Settled() || !p.packets.Store.Status().Done {
			text += " so far"
		}
		lines = append(lines, text)
		if l := p.fewer.less; l != nil {
			count := humanize.Group(l.Matches.Len())
			if p.FewerBusy() {
				count += " so far"
			}
			lines = append(lines, count+" without the last term, "+dissect.Escape(p.fewer.term))
		}
		lines = append(lines,
			p.c.Style().Key(act.Undo)+" goes back to the filter before, "+p.c.Style().
				Key(act.ClearFilter)+" shows all "+humanize.Group(p.packets.Session.Passed()))
	case p.packets.Filtered != nil:
		lines = []string{"no packet matches so far"}
	case p.packets.Store.Status().Done:
		lines = []string{"the capture holds no packets"}
	default:
		lines = []string{"waiting for packets"}
	}
	for i, text := range lines {
		lines[i] = paint.Fit("   "+text, w)
		if i > 0 {
			lines[i] = p.c.Style().Pens.Dim.Open + lines[i] + p.c.Style().Pens.Dim.Close
		}
	}
	return lines
}
