package compare

import (
	"cmp"

	"remora/dissect"
)

// LookBack bounds how far away the packet before or behind is searched, so that a key waits for no more.
const LookBack = 20_000

// SameBefore is the last packet of the same protocol and type before one, from the same end, or 0.
func SameBefore(s *dissect.Session, n dissect.FrameNum) dissect.FrameNum {
	same := sameAs(s, n)
	for at, end := n-1, n-min(n, LookBack); same != nil && at > end; at-- {
		if same(at) {
			return at
		}
	}
	return 0
}

// SameAfter is the next one behind a packet, or 0.
func SameAfter(s *dissect.Session, n dissect.FrameNum) dissect.FrameNum {
	same := sameAs(s, n)
	for at, end := n+1, dissect.FrameNum(min(s.Passed(), int(n)+LookBack)); same != nil && at <= end; at++ {
		if same(at) {
			return at
		}
	}
	return 0
}

// A Likeness is what packets of one type have in common: a conversation, a direction in it, a protocol and a packet
// type.
type Likeness struct {
	Conv uint32
	Dir  int
	top  *dissect.Protocol
	kind string
}

// LikenessOf is that of a packet.
func LikenessOf(s *dissect.Session, n dissect.FrameNum) Likeness {
	conv, dir := s.DirectionOf(n)
	sh := s.LayerStackOf(n)
	return Likeness{conv, dir, s.StackTop(sh), s.KindText(sh)}
}

// sameAs tells of packets whether they are of the type of one and from the same end; it is nil for one without a
// conversation.
func sameAs(s *dissect.Session, n dissect.FrameNum) func(at dissect.FrameNum) bool {
	conv, dir := s.DirectionOf(n)
	if conv == 0 {
		return nil
	}
	sh := s.LayerStackOf(n)
	top, kind := s.StackTop(sh), s.KindText(sh)
	return func(at dissect.FrameNum) bool {
		if c, d := s.DirectionOf(at); c != conv || d != dir {
			return false
		}
		o := s.LayerStackOf(at)
		return o == sh || s.StackTop(o) == top && s.KindText(o) == kind
	}
}

// Ends compares addresses by kind and number, then ports.
func Ends(a, b dissect.Endpoint) int {
	return cmp.Or(cmp.Compare(a.Addr.Kind(), b.Addr.Kind()), a.Addr.Netip().Compare(b.Addr.Netip()),
		cmp.Compare(a.Addr.Uint64(), b.Addr.Uint64()), cmp.Compare(a.Port, b.Port))
}
