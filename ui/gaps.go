package ui

import (
	"context"

	"remora/dissect"
	"remora/ui/compare"
	"remora/ui/widget"
)

// Gaps are the times since a packet before: the one shown before, the last one of the conversation, the last one of the type.

// A likeness is what packets of one type have in common: a conversation, a direction in it, a protocol and a packet type.
type likeness struct {
	conv uint32
	dir  int
	top  *dissect.Protocol
	kind string
}

func likenessOf(s *dissect.Session, n dissect.FrameNum) likeness {
	conv, dir := s.DirectionOf(n)
	sh := s.LayerStackOf(n)
	return likeness{conv, dir, s.StackTop(sh), s.KindText(sh)}
}

// deltaText is the time since the packet shown before, in milliseconds.
func (m *model) deltaText(n dissect.FrameNum) string { return m.sinceText(n, m.shownBefore(n)) }

// sinceText is the time from one packet to another; nothing without the first one.
func (m *model) sinceText(n, before dissect.FrameNum) string {
	if before == 0 {
		return ""
	}
	return widget.Milliseconds(m.store.Time(int(n)-1) - m.store.Time(int(before)-1))
}

// gapCell is the time since the last packet of the conversation, or of the type in it. A row is made once, so that it may
// look back some way.
func (m *model) gapCell(kind columnKind, n dissect.FrameNum) string {
	if kind == colDeltaType {
		return m.sinceText(n, compare.SameBefore(m.s, n))
	}
	return m.sinceText(n, m.talkBefore(n))
}

// talkBefore is the last packet of the same conversation, or 0 where there is none within reach.
func (m *model) talkBefore(n dissect.FrameNum) dissect.FrameNum {
	conv := m.s.ConversationOf(n)
	if conv == 0 {
		return 0
	}
	first := m.s.Conversation(conv).First
	for at, end := n-1, n-min(n, compare.LookBack); at > end && at >= first; at-- {
		if m.s.ConversationOf(at) == conv {
			return at
		}
	}
	return 0
}

// byGap sorts by the time since the last packet of the conversation, or of the type in it: one walk through all packets.
func (s *sorter) byGap(ctx context.Context, keys []sortKey) bool {
	store, last := s.s.Store(), map[likeness]int64{}
	next := 0
	for n := dissect.FrameNum(1); next < len(keys); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return false
		}
		like := likeness{conv: s.s.ConversationOf(n)}
		if s.by.kind == colDeltaType {
			like = likenessOf(s.s, n)
		}
		at := store.Time(int(n) - 1)
		if s.frame(next) == n {
			was, ok := last[like]
			keys[next].number, keys[next].none = signed(at-was), !ok || like.conv == 0
			next++
			s.job.done.Add(1)
		}
		last[like] = at
	}
	return true
}
