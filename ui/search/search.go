// Package search goes from packet to packet: to what is searched, to the next one of a kind, and back again.
package search

import (
	"context"

	"remora/dissect"
	"remora/ui/complete"
	"remora/ui/find"
	"remora/ui/listed"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/widget"
)

// What the keys go to.
const (
	InList = iota
	InTree
	InBytes
)

// Context is what a search may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() view.Scope
	// Place is what the keys go to: InList, InTree or InBytes.
	Place() int
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Prompt asks for a line of text.
	Prompt(p view.Prompt)
	// Complete is what may stand at a place of a display filter.
	Complete(text string, at int) []complete.Offer
	// Notify says something in the line above the keys; "" takes it away.
	Notify(text string)
	// GoTo selects a packet and remembers for the way back where the cursor was.
	GoTo(n dissect.FrameNum)
	// SelectNode selects a node of the tree, MoveByte puts the cursor on a byte.
	SelectNode(node int)
	MoveByte(off int)
	// Go does work beside the screen; Later does it, and then what it returns. stop ends ctx.
	Go(what string, work func(ctx context.Context)) (stop func())
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// A Search is what is searched, and the way that led here.
type Search struct {
	Text string // what is searched; "": nothing yet
	Mode find.Mode

	c       Context
	packets *listed.Packets
	packet  *selected.Packet

	seeking *seeking // under way
	hits    *find.Hits
	stop    func() // ends the look for hits

	back  []dissect.FrameNum // where jumps began
	ahead []dissect.FrameNum // where going back left from
}

// New is a search for nothing yet.
func New(c Context, packets *listed.Packets, packet *selected.Packet) *Search {
	return &Search{c: c, packets: packets, packet: packet}
}

// Seeking tells whether a search goes on.
func (s *Search) Seeking() bool { return s.seeking != nil }

// Progress says how far the search has come; "" while none goes on.
func (s *Search) Progress() string { return s.seeking.progress() }

// Marked tells whether what was found is marked.
func (s *Search) Marked() bool { return s.hits != nil }

// Busy tells whether something is still being looked for.
func (s *Search) Busy() bool {
	return s.seeking != nil || s.hits != nil && (!s.hits.Full() || s.hits.Of != s.packets.Filtered)
}

// Spread is how many packets with what is searched were found in each of w spans of time; nil while nothing is
// searched.
func (s *Search) Spread(from, to int64, w int) []float64 {
	if s.hits == nil {
		return nil
	}
	return s.hits.Spread(from, to, w)
}

// Back goes to where the last jump began.
func (s *Search) Back() { s.retrace(&s.back, &s.ahead) }

// Forward goes to where going back left from.
func (s *Search) Forward() { s.retrace(&s.ahead, &s.back) }

// Partner goes along the packet's first link.
func (s *Search) Partner() {
	if s.packet.Tree == nil {
		return
	}
	if n := s.packet.Partner(); n > 0 {
		s.c.GoTo(n)
		return
	}
	s.c.Notify("this packet has no link to another")
}

// NextNote goes on by some packets with expert information worth a look.
func (s *Search) NextNote(by int) {
	session := s.packets.Session
	s.Seek(by, func(n dissect.FrameNum) bool { return session.SeverityOf(n) > dissect.Chat })
}

// retrace goes to where the last jump of a history began, and puts the place it leaves on the other one.
func (s *Search) retrace(from, to *[]dissect.FrameNum) {
	k := len(*from)
	if k == 0 {
		s.c.Notify("no jump leads further")
		return
	}
	n, rest, other := (*from)[k-1], (*from)[:k-1], append(*to, s.packet.Frame)
	s.c.GoTo(n)
	*from, *to = rest, other // this is no jump of its own
}

// Leave remembers where a jump begins. What was gone back from before is forgotten.
func (s *Search) Leave() { s.back, s.ahead = append(s.back, s.packet.Frame), nil }

// SameType goes on by some packets of the same protocol and packet type.
func (s *Search) SameType(by int) {
	if s.packet.Tree == nil {
		return
	}
	p, kind := s.packet.Tree.Protocol(), s.packet.Tree.Kind()
	session, seen := s.packets.Session, map[*dissect.LayerStack]bool{}
	s.Seek(by, func(n dissect.FrameNum) bool {
		sh := session.LayerStackOf(n)
		same, known := seen[sh]
		if !known {
			same = session.StackTop(sh) == p && session.KindText(sh) == kind
			seen[sh] = same
		}
		return same
	})
}

// SameConversation goes on by some packets of the same conversation.
func (s *Search) SameConversation(by int) {
	if conv := s.packet.Conv; conv != 0 {
		session := s.packets.Session
		s.Seek(by, func(n dissect.FrameNum) bool { return session.ConversationOf(n) == conv })
	}
}
