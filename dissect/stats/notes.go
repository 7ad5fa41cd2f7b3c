package stats

import (
	"cmp"
	"slices"

	"remora/dissect"
	"remora/internal/sorting"
)

// ExpertInfo counts expert infos by kind. It is used by one goroutine.
type ExpertInfo struct {
	Skip func(f dissect.FrameNum) bool // frames that are not counted; nil: none

	s    *dissect.Session
	keep int
	seen int // marks looked at
	list []ExpertKind
	at   map[expertKey]int
}

// An ExpertKind is one note with one severity, and where it is.
type ExpertKind struct {
	Field    *dissect.Field
	Severity dissect.Severity
	Count    int
	Packets  int                // that have it, once or more often
	Frames   []dissect.FrameNum // the first of these, no more than are kept

	last dissect.FrameNum
}

type expertKey struct {
	field    dissect.FieldID
	severity dissect.Severity
}

// NewExpertInfo is a count of nothing yet. Of each kind it keeps the first frames, as many as it is told.
func NewExpertInfo(s *dissect.Session, keep int) *ExpertInfo {
	return &ExpertInfo{s: s, keep: keep, at: map[expertKey]int{}}
}

// Seen is how many expert infos of the session were looked at.
func (n *ExpertInfo) Seen() int { return n.seen }

// Kinds are the kinds counted, in the order in which they were met.
func (n *ExpertInfo) Kinds() []ExpertKind { return n.list }

// All counts the marks that follow, no more than some at once.
func (n *ExpertInfo) All(atOnce int) {
	for end := min(n.s.ExpertInfos(), n.seen+atOnce); n.seen < end; n.seen++ {
		if m := n.s.ExpertInfo(n.seen); m.Frame > 0 && (n.Skip == nil || !n.Skip(m.Frame)) { // no frame: it has left
			n.add(m)
		}
	}
}

// Frame counts the marks of a frame. Those of earlier frames are passed over.
func (n *ExpertInfo) Frame(f dissect.FrameNum) {
	for ; n.seen < n.s.ExpertInfos(); n.seen++ {
		m := n.s.ExpertInfo(n.seen)
		if m.Frame == 0 {
			continue
		}
		if m.Frame > f {
			return
		}
		if m.Frame == f {
			n.add(m)
		}
	}
}

func (n *ExpertInfo) add(m dissect.ExpertInfo) {
	key := expertKey{m.Field, m.Severity}
	i, ok := n.at[key]
	if !ok {
		i = len(n.list)
		n.at[key] = i
		n.list = append(n.list, ExpertKind{Field: n.s.Registry().FieldByID(m.Field), Severity: m.Severity})
	}
	k := &n.list[i]
	k.Count++
	if m.Frame == k.last {
		return
	}
	k.last = m.Frame
	k.Packets++
	if len(k.Frames) < n.keep {
		k.Frames = append(k.Frames, m.Frame)
	}
}

// WorstFirst are the kinds by severity, then by number.
func (n *ExpertInfo) WorstFirst() []ExpertKind {
	out := slices.Clone(n.list)
	sorting.Stable(out, func(a, b ExpertKind) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Count, a.Count))
	})
	return out
}
