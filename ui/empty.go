package ui

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

// lessOne is a filter without the last of the terms that are joined by "and", and that term; ok tells whether there are several.
func lessOne(text string) (less, term string, ok bool) {
	e, err := filter.Parse(text)
	if err != nil || e == nil || e.Op != "&&" || e.Quant != "" || len(e.Args) < 2 {
		return "", "", false
	}
	n := len(e.Args)
	less = strings.TrimSpace(text[:e.Args[n-2].End])
	if rest := text[e.Args[n-2].End:]; strings.HasPrefix(strings.TrimSpace(rest), ")") { // brackets around it are no part of a term
		return "", "", false
	}
	return less, text[e.Args[n-1].Pos:e.Args[n-1].End], true
}

// unexplained tells whether the list is empty because of a filter that nothing was said of yet.
func (m *model) unexplained() bool {
	return m.packets.Filtered != nil && m.fewer.of != m.packets.Filtered && m.packets.Rows() == 0 && m.packets.Settled()
}

// countFewer counts what an empty filter would show without its last term.
func (m *model) countFewer() {
	if !m.unexplained() {
		return
	}
	m.endFewer()
	m.fewer.of = m.packets.Filtered
	less, term, ok := lessOne(m.packets.FilterText())
	if !ok {
		return
	}
	if f, err := m.compile(less); err == nil {
		m.fewer.term, m.fewer.less = term, filtered.Start(m.packets.Session, f, m.packets.Ignored)
	}
}

// endFewer ends that count.
func (m *model) endFewer() {
	if m.fewer.less != nil {
		m.fewer.less.Cancel()
	}
	m.fewer = fewer{}
}

// fewerBusy tells whether the count goes on.
func (m *model) fewerBusy() bool {
	l := m.fewer.less
	return m.unexplained() || l != nil && l.Failed.Load() == nil && int(l.Decided.Load()) < m.packets.Session.Passed()
}

// explainEmpty explains an empty list, in a line or a few.
func (m *model) explainEmpty(w int) []string {
	var lines []string
	switch {
	case m.packets.Filtered != nil && m.packets.Filtered.Failed.Load() != nil:
		lines = []string{(*m.packets.Filtered.Failed.Load()).Error()}
	case m.packets.Filtered != nil && (m.packets.Settled() || m.packets.Store.Status().Live):
		text := "no packet matches"
		if !m.packets.Settled() || !m.packets.Store.Status().Done {
			text += " so far"
		}
		lines = append(lines, text)
		if l := m.fewer.less; l != nil {
			count := humanize.Group(l.Matches.Len())
			if m.fewerBusy() {
				count += " so far"
			}
			lines = append(lines, count+" without the last term, "+dissect.Escape(m.fewer.term))
		}
		lines = append(lines, m.style.Key(act.Undo)+" goes back to the filter before, "+m.style.Key(act.ClearFilter)+" shows all "+humanize.Group(m.packets.Session.Passed()))
	case m.packets.Filtered != nil:
		lines = []string{"no packet matches so far"}
	case m.packets.Store.Status().Done:
		lines = []string{"the capture holds no packets"}
	default:
		lines = []string{"waiting for packets"}
	}
	for i, text := range lines {
		lines[i] = paint.Fit("   "+text, w)
		if i > 0 {
			lines[i] = m.style.Pens.Dim.Open + lines[i] + m.style.Pens.Dim.Close
		}
	}
	return lines
}
