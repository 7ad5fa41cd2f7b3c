package ui

import (
	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/paint"
)

// ticksOfTime are what stands out on the ribbon, by span of time.
type ticksOfTime struct {
	at, lo, hi  int // the span of the packet under the cursor, and those that are dragged over
	marks       map[int]rune
	hits, wrong []float64
}

// ribbonTicks are the ticks for w spans of time from one to another.
func (m *model) ribbonTicks(from, to int64, w int) (t ticksOfTime) {
	t.marks = map[int]rune{}
	span := func(n dissect.FrameNum) int {
		return int(float64(m.packets.Store.Time(int(n)-1)-from) / float64(to-from) * float64(w))
	}
	for n := range m.marks.picked {
		t.marks[span(n)] = pickedSign
	}
	for letter, n := range m.marks.byLetter {
		if i := span(n); t.marks[i] == 0 || t.marks[i] == pickedSign || letter < t.marks[i] {
			t.marks[i] = letter
		}
	}
	if m.finding.hits != nil {
		t.hits = m.finding.hits.Spread(from, to, w)
	}
	m.faults.count(m.packets.Session)
	if m.faults.any {
		t.wrong = m.faults.line.Spread(from, to, w)
	}
	return t
}

// tick is what stands on the ribbon at a span, which has a bar of its own. Where there is no colour, what was found is
// underlined.
func (t *ticksOfTime) tick(m *model, i int, bar rune, p paint.Pen) (rune, paint.Pen) {
	if letter := t.marks[i]; letter != 0 {
		bar, p = letter, m.style.Pens.Warn
	} else if t.hits != nil && t.hits[i] > 0.001 {
		if p = m.style.Pens.Found; bar == ' ' {
			bar = m.style.Levels()[0]
		}
	} else if t.wrong != nil && t.wrong[i] > 0.001 {
		p = m.style.Pens.Bad
	}
	if i == t.at || i >= t.lo && i <= t.hi && t.hi > t.lo {
		p = m.style.Pens.Selected
	}
	return bar, p
}

// faults are the times of packets with errors, counted as they are met.
type faults struct {
	s    *dissect.Session
	upTo int // marks that are counted
	any  bool
	line stats.Timeline
}

// faultsAtOnce bounds the marks that are counted for one picture.
const faultsAtOnce = 20_000

func (f *faults) count(s *dissect.Session) {
	if f.s != s {
		*f = faults{s: s}
		if s.Store().Len() > 0 {
			f.line.Add(s.Store().Time(0), 0)
		}
	}
	for end := min(s.ExpertInfos(), f.upTo+faultsAtOnce); f.upTo < end; f.upTo++ {
		if k := s.ExpertInfo(f.upTo); k.Severity >= dissect.Error && k.Frame > 0 {
			f.any = true
			f.line.Add(s.Store().Time(int(k.Frame)-1), 1)
		}
	}
}
