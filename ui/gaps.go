package ui

import (
	"context"

	"remora/dissect"
	"remora/ui/compare"
	"remora/ui/widget"
)

// Gaps are the times since a packet before: the one shown before, the last one of the conversation, the last one of the type.

// deltaText is the time since the packet shown before, in milliseconds.
func (m *model) deltaText(n dissect.FrameNum) string { return m.sinceText(n, m.packets.Before(n)) }

// sinceText is the time from one packet to another; nothing without the first one.
func (m *model) sinceText(n, before dissect.FrameNum) string {
	if before == 0 {
		return ""
	}
	return widget.Milliseconds(m.packets.Store.Time(int(n)-1) - m.packets.Store.Time(int(before)-1))
}

// gapCell is the time since the last packet of the conversation, or of the type in it. A row is made once, so that it may
// look back some way.
func (m *model) gapCell(kind columnKind, n dissect.FrameNum) string {
	if kind == colDeltaType {
		return m.sinceText(n, compare.SameBefore(m.packets.Session, n))
	}
	return m.sinceText(n, m.talkBefore(n))
}

// talkBefore is the last packet of the same conversation, or 0 where there is none within reach.
func (m *model) talkBefore(n dissect.FrameNum) dissect.FrameNum {
	conv := m.packets.Session.ConversationOf(n)
	if conv == 0 {
		return 0
	}
	first := m.packets.Session.Conversation(conv).First
	for at, end := n-1, n-min(n, compare.LookBack); at > end && at >= first; at-- {
		if m.packets.Session.ConversationOf(at) == conv {
			return at
		}
	}
	return 0
}

// byGap sorts by the time since the last packet of the conversation, or of the type in it: one walk through all packets.
func (s *sorter) byGap(ctx context.Context, keys []sortKey) bool {
	store, last := s.s.Store(), map[compare.Likeness]int64{}
	next := 0
	for n := dissect.FrameNum(1); next < len(keys); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return false
		}
		like := compare.Likeness{Conv: s.s.ConversationOf(n)}
		if s.by.kind == colDeltaType {
			like = compare.LikenessOf(s.s, n)
		}
		at := store.Time(int(n) - 1)
		if s.frame(next) == n {
			was, ok := last[like]
			keys[next].number, keys[next].none = signed(at-was), !ok || like.Conv == 0
			next++
			s.job.done.Add(1)
		}
		last[like] = at
	}
	return true
}
