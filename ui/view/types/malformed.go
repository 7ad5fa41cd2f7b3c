package types

import (
	"strings"

	"remora/dissect"
	"remora/ui/ticks"
	"remora/ui/view"
)

// malformed are the lines of which a packet shown is malformed. The session's notes are looked at once, some at each
// drawing.
type malformed struct {
	of    view.Scope
	seen  int // notes
	words map[*dissect.Protocol]map[string]bool
}

// brokenAtOnce is how many notes are looked at for one drawing.
const brokenAtOnce = 20_000

// follow looks at the notes that came, of packets of which it is decided whether they are shown.
func (b *malformed) follow(now view.Scope) {
	if b.words == nil || !b.of.Same(now) {
		*b = malformed{of: now, words: map[*dissect.Protocol]map[string]bool{}}
	}
	s, upTo := now.Session, now.Tally().UpTo()
	for end := min(s.ExpertInfos(), b.seen+brokenAtOnce); b.seen < end; b.seen++ {
		note := s.ExpertInfo(b.seen)
		if note.Frame > upTo {
			return
		}
		if n := note.Frame; n > 0 && isMalformed(s.Registry().FieldByID(note.Field)) && now.Shows(n) && !now.Ignored[n] {
			b.put(n)
		}
	}
}

// isMalformed tells whether a note says that a packet lacks the structure of its protocol: the engine's own note or a
// plugin's.
func isMalformed(f *dissect.Field) bool { return strings.HasSuffix(f.Name(), ".malformed") }

func (b *malformed) put(n dissect.FrameNum) {
	sh := b.of.Session.LayerStackOf(n)
	top := b.of.Session.StackTop(sh)
	if b.words[top] == nil {
		b.words[top] = map[string]bool{}
	}
	names := b.of.Session.TypeNames(sh)
	for _, name := range names {
		b.words[top][name] = true
	}
	if len(names) == 0 {
		b.words[top][""] = true
	}
}

// has tells whether a packet of a line is malformed.
func (b *malformed) has(x ticks.Line) bool {
	words := b.words[x.Proto.Protocol]
	if x.Kind == nil {
		return len(words) > 0
	}
	return x.Dir < 0 && words[x.Word()]
}
