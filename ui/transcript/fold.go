package transcript

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
)

// Sizes of runs. A run begins where runFrom packets in a row are of one shape, or of a few shapes by turns; what was
// once a run is the conversation's rhythm, and of that far fewer are enough.
const (
	runFrom     = 12
	rhythmFrom  = 3
	maxPatterns = 4 // shapes that take turns in a game
	turnsMost   = 2 // of them where they are no game's ticks
	turnsLeast  = 4 // how often each of those is among the first of a run
	sizesMost   = 2 // sizes of such a shape
)

// A pattern is what makes packets alike: their type, and unless they are of a game's rhythm what they say but for its
// numbers.
type pattern struct{ kind, says string }

// patternUnit is the shape of a unit, kept because packets are looked at several times.
type patternUnit struct {
	unit    int // plus one
	pattern pattern
}

// patternsKept is how many are kept.
const patternsKept = 64

// pattern is the shape of a packet.
func (s *Script) pattern(u *follow.Unit, i int) pattern {
	kept := &s.patterns[i%patternsKept]
	if kept.unit != i+1 {
		*kept = patternUnit{i + 1, patternOf(u)}
	}
	return kept.pattern
}

func patternOf(u *follow.Unit) pattern {
	if len(u.Parts) == 0 {
		if u.Tick {
			return pattern{kind: u.Kind}
		}
		return pattern{u.Kind, numberless(u.Info)}
	}
	var kinds, says []string
	for _, p := range u.Parts {
		if !p.Repeat && !slices.Contains(kinds, p.Kind) {
			kinds, says = append(kinds, p.Kind), append(says, numberless(p.Text))
		}
	}
	if len(kinds) == 0 {
		kinds = append(kinds, u.Parts[0].Kind)
	}
	out := pattern{kind: strings.Join(kinds, " + ")}
	if !u.Tick {
		out.says = strings.Join(says, "\n")
	}
	return out
}

// numberless is a text with every word that has a digit in it made the same.
func numberless(text string) string {
	var b strings.Builder
	word, digit := 0, false
	end := func(i int) {
		if digit {
			b.WriteByte('0')
		} else {
			b.WriteString(text[word:i])
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
		// within a number, or in front of it
		case (c == '.' || c == '-') && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
		default:
			end(i)
			b.WriteByte(c)
			word, digit = i+1, false
		}
	}
	end(len(text))
	return b.String()
}

// standsOut tells whether a packet is never within a run: it has a warning, or one came here from it.
func (s *Script) standsOut(u *follow.Unit, i int) bool {
	return u.Worst >= dissect.Warn || u.Frame == s.Here && s.Here != 0 || s.unfoldedRun(i) >= 0
}

// layPacket puts the messages of a packet on lines, or takes it into a run.
func (s *Script) layPacket(src Source, u *follow.Unit, n int, done bool) {
	kind := s.pattern(u, s.next)
	if s.open && s.goesOn(u, kind) {
		return
	}
	s.open = false
	kinds, sure := s.begins(src, u, kind, n, done)
	if !sure && s.stable == nil {
		s.stable = &snapshot{len(s.Lines), s.next, s.Sums}
	}
	if len(kinds) > 0 {
		r := &Run{}
		for _, k := range kinds {
			r.Kinds = append(r.Kinds, Kind{k.kind, 0, k})
			s.steady[k] = true
		}
		s.runs[s.next], s.open = r, true
		s.Lines = append(s.Lines, Line{Unit: s.next, Last: s.next})
		s.goesOn(u, kind)
		return
	}
	s.Sums.add(u)
	from := len(s.Lines)
	s.layParts(u)
	s.join(src, u, from)
	s.next++
}

// joinsMost bounds the packets that are told on one line as the same message sent several times.
const joinsMost = 99

// join takes the line of a packet into the one above, when it says the very same: what is sent to everybody, or over
// and over.
func (s *Script) join(src Source, u *follow.Unit, from int) {
	if from == 0 || len(s.Lines) != from+1 || s.Copies || s.Whole || s.standsOut(u, s.next) ||
		s.stable != nil && from <= s.stable.lines {
		return
	}
	above, line := &s.Lines[from-1], s.Lines[from]
	if above.Folded() || above.Times >= joinsMost {
		return
	}
	w := src.Unit(above.Unit)
	if s.standsOut(&w, above.Unit) || !s.sameSpeaker(&w, u) || from > 1 && s.Lines[from-2].Unit == above.Unit {
		return
	}
	a, b := Said(&w, *above), Said(u, line)
	if a.Kind == "" || a.Kind != b.Kind || a.Repeat != b.Repeat || unnumbered(a.Text) != unnumbered(b.Text) ||
		len(w.Data) == 0 {
		return
	}
	above.Times = max(1, above.Times) + 1
	above.Until = s.next
	s.Lines = s.Lines[:from]
}

// sameSpeaker tells whether two packets are of one sender; where arrows are drawn, also to one receiver.
func (s *Script) sameSpeaker(a, b *follow.Unit) bool {
	if s.Stream == nil {
		return a.Conv == b.Conv && a.Dir == b.Dir
	}
	x, to := s.Stream(a)
	y, other := s.Stream(b)
	return x == y && (s.Reading != Ladder || to == other)
}

// unnumbered is what a message says without the number that it begins with.
func unnumbered(text string) string {
	if rest, ok := strings.CutPrefix(text, "#"); ok {
		return strings.TrimLeft(rest, "0123456789")
	}
	return text
}

// goesOn takes a packet into the run that is open, if it is of it.
func (s *Script) goesOn(u *follow.Unit, is pattern) bool {
	l := &s.Lines[len(s.Lines)-1]
	r := s.runs[l.Unit]
	i := slices.IndexFunc(r.Kinds, func(k Kind) bool { return k.pattern == is })
	if i < 0 && !s.steady[is] || s.standsOut(u, s.next) {
		return false
	}
	if i < 0 {
		i = len(r.Kinds)
		r.Kinds = append(r.Kinds, Kind{is.kind, 0, is})
	}
	if r.Kinds[i].N++; s.last != i || r.Runs == 0 {
		r.Runs++
	}
	s.last, l.Last = i, s.next
	s.Sums.add(u)
	s.next++
	return true
}

// begins says which shapes a run has that begins with a packet; none when it begins no run. sure tells whether packets
// to come could not change that.
func (s *Script) begins(src Source, u *follow.Unit, kind pattern, n int, done bool) (kinds []pattern, sure bool) {
	if s.Whole || kind.kind == "" || s.standsOut(u, s.next) {
		return nil, true
	}
	var w window
	w.take(u, kind)
	ended, rhythm := false, s.steady[kind]
	steady := 1
	for i := s.next + 1; !ended && i < n && w.n < runFrom; i++ {
		v := src.Unit(i)
		if s.skips(&v) {
			continue
		}
		k := s.pattern(&v, i)
		if k.kind == "" || s.standsOut(&v, i) {
			ended = true
			break
		}
		if rhythm = rhythm && s.steady[k]; rhythm {
			steady++
		}
		ended = !w.take(&v, k)
	}
	switch {
	case rhythmFrom <= steady && s.steady[kind]:
		return []pattern{kind}, true
	case w.n >= runFrom && w.alike():
		return w.names(), true
	}
	return nil, done || ended || w.n >= runFrom
}

// A window is the packets in front of which it is decided whether a run begins.
type window struct {
	n        int
	patterns []seen
}

type seen struct {
	kind  pattern
	n     int
	tick  bool
	sizes []int
}

// take looks at one packet more, and tells whether there may be another.
func (w *window) take(u *follow.Unit, kind pattern) bool {
	i := slices.IndexFunc(w.patterns, func(s seen) bool { return s.kind == kind })
	if i < 0 {
		if len(w.patterns) == maxPatterns {
			return false
		}
		i = len(w.patterns)
		w.patterns = append(w.patterns, seen{kind: kind})
	}
	s := &w.patterns[i]
	s.n++
	s.tick = s.tick || u.Tick
	if size := len(u.Data); !slices.Contains(s.sizes, size) {
		s.sizes = append(s.sizes, size)
	}
	w.n++
	return true
}

// alike tells whether the packets are of one shape, all of a game's rhythm, or of shapes that take turns and are each
// steady.
func (w *window) alike() bool {
	ticks := !slices.ContainsFunc(w.patterns, func(s seen) bool { return !s.tick })
	return len(w.patterns) == 1 || ticks ||
		len(w.patterns) <= turnsMost && !slices.ContainsFunc(w.patterns, func(s seen) bool {
			return s.n < turnsLeast || !s.tick && len(s.sizes) > sizesMost
		})
}

func (w *window) names() []pattern {
	out := make([]pattern, len(w.patterns))
	for i := range w.patterns {
		out[i] = w.patterns[i].kind
	}
	return out
}

// layParts puts the messages of a packet on lines of their own. Copies stand at the end of the last new one, or, in a
// packet of nothing else, on one line together.
func (s *Script) layParts(u *follow.Unit) {
	line := Line{Unit: s.next, Last: s.next}
	if len(u.Parts) == 0 {
		s.Lines = append(s.Lines, line)
		return
	}
	from, again := len(s.Lines), 0
	for k, p := range u.Parts {
		if line.Part = k; p.Repeat && !s.Copies {
			again++
			if k+1 < len(u.Parts) || len(s.Lines) > from {
				continue
			}
			line.Part, again = 0, again-1
		}
		s.Lines = append(s.Lines, line)
	}
	s.Lines[len(s.Lines)-1].Again = again
}

// unfoldedRun is the number of the unfolded run that a unit is of, or -1.
func (s *Script) unfoldedRun(unit int) int {
	return slices.IndexFunc(s.unfolded, func(r [2]int) bool { return unit >= r[0] && unit <= r[1] })
}

// Unfold shows the packets of the run on a line one by one, or folds those again that a line is of. It says which unit
// the cursor belongs to then; -1 when the line is of no run. Relay and Lay follow.
func (s *Script) Unfold(line int) int {
	if line < 0 || line >= len(s.Lines) || !s.Reading.ShowsMessages() {
		return -1
	}
	l := s.Lines[line]
	if i := s.unfoldedRun(l.Unit); i >= 0 {
		first := s.unfolded[i][0]
		s.unfolded = slices.Delete(slices.Clone(s.unfolded), i, i+1)
		return first
	}
	if !l.Folded() {
		return -1
	}
	s.unfolded = append(s.unfolded, [2]int{l.Unit, l.Last})
	return l.Unit
}
