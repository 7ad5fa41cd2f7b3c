package selected

import (
	"context"
	"time"

	"remora/dissect"
)

// What later packets tell of the selected one, as where its answer is, is not known when it is first looked at: it is
// looked at again while packets come, and once more when all have passed.

// builtAt is when the selected packet was looked at last.
type builtAt struct {
	frame  dissect.FrameNum
	passed int
	when   time.Time
}

// rebuildEvery is how often a packet is looked at again while others come.
const rebuildEvery = 500 * time.Millisecond

// Outdated tells whether packets passed since the selected one was looked at, of a capture that has ended.
func (p *Packet) Outdated() bool {
	return p.Tree != nil && p.built.frame == p.Frame && p.built.passed != p.list.Session.Passed() && p.list.Settled()
}

// Rebuild looks at the packet again. It tells whether there is more to see in it: only then the tree is another one.
func (p *Packet) Rebuild(now time.Time) bool {
	passed := p.list.Session.Passed()
	if p.Tree == nil || p.Tree.Frame != p.Frame || p.built.frame == p.Frame && p.built.passed == passed {
		return false
	}
	if p.built.frame == p.Frame && now.Sub(p.built.when) < rebuildEvery && !p.list.Settled() {
		return false
	}
	p.built = builtAt{p.Frame, passed, now}
	if int(p.Frame) <= p.list.Store.First() {
		return false
	}
	tree := p.list.Dissector.Tree(p.Frame)
	if len(tree.Nodes) == len(p.Tree.Nodes) {
		return false
	}
	p.Tree = tree.Clone()
	p.findLinks()
	return true
}

// A conversationEnd is the last packet of a conversation.
type conversationEnd struct {
	s    *dissect.Session
	of   uint32
	last dissect.FrameNum

	cancel func()
}

// IsEnd tells whether a packet is known to be the last one of the selected conversation.
func (p *Packet) IsEnd(n dissect.FrameNum) bool { return p.end.of == p.Conv && p.end.last == n }

// findEnd looks, beside everything else, for the last packet of the selected conversation. While packets come, no one
// knows it.
func (p *Packet) findEnd() {
	s := p.list.Session
	if p.end.of == p.Conv && p.end.s == s || p.Conv == 0 || !p.list.Store.Status().Done ||
		s.Passed() < p.list.Store.Len() {
		return
	}
	if p.end.cancel != nil {
		p.end.cancel()
	}
	of := p.Conv
	p.end = conversationEnd{s: s, of: of}
	p.end.cancel = p.later("looking for the end of a conversation", func(ctx context.Context) func() {
		for n := dissect.FrameNum(s.Passed()); n > 0 && (n%4096 != 0 || ctx.Err() == nil); n-- {
			if s.ConversationOf(n) == of {
				return func() { p.foundEnd(s, of, n) }
			}
		}
		return nil
	})
}

func (p *Packet) foundEnd(s *dissect.Session, of uint32, last dissect.FrameNum) {
	if s == p.end.s && of == p.end.of {
		p.end.last = last
	}
}
