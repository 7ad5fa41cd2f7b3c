package ui

import (
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/shown"
	"remora/ui/ticks"
)

// typesBroken are the lines of which a packet shown is malformed. The session's notes are looked at once, some at each drawing.
type typesBroken struct {
	s     *dissect.Session
	of    *shown.Packets
	all   *stats.Tally
	seen  int // notes
	words map[*dissect.Protocol]map[string]bool
}

// brokenAtOnce is how many notes are looked at for one drawing.
const brokenAtOnce = 20_000

// follow looks at the notes that came, of packets of which it is decided whether they are shown.
func (b *typesBroken) follow(m *model) {
	if b.s != m.s || b.of != m.shown || b.all != m.all {
		*b = typesBroken{s: m.s, of: m.shown, all: m.all, words: map[*dissect.Protocol]map[string]bool{}}
	}
	upTo := m.tally().UpTo()
	for end := min(m.s.Marks(), b.seen+brokenAtOnce); b.seen < end; b.seen++ {
		note := m.s.Mark(b.seen)
		if note.Frame > upTo {
			return
		}
		if n := note.Frame; n > 0 && isMalformed(m.s.Registry().FieldByID(note.Field)) && m.shows(n) && !m.ignored[n] {
			b.put(n)
		}
	}
}

// shows tells whether a packet is among those shown.
func (m *model) shows(n dissect.FrameNum) bool {
	row := m.baseRow(n)
	return m.shown == nil || row < m.shown.Matches.Len() && m.baseFrame(row) == n
}

// isMalformed tells whether a note says that a packet lacks the structure of its protocol: the engine's own note or a plugin's.
func isMalformed(f *dissect.Field) bool { return strings.HasSuffix(f.Name(), ".malformed") }

func (b *typesBroken) put(n dissect.FrameNum) {
	sh := b.s.ShapeOf(n)
	top := b.s.ShapeTop(sh)
	if b.words[top] == nil {
		b.words[top] = map[string]bool{}
	}
	names := b.s.TypeNames(sh)
	for _, name := range names {
		b.words[top][name] = true
	}
	if len(names) == 0 {
		b.words[top][""] = true
	}
}

// has tells whether a packet of a line is malformed.
func (b *typesBroken) has(x ticks.Line) bool {
	words := b.words[x.Proto.Protocol]
	if x.Kind == nil {
		return len(words) > 0
	}
	return x.Dir < 0 && words[x.Word()]
}
