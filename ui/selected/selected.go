// Package selected is the packet that the cursor of the list is on: its tree, what in it is selected, which packets it
// belongs to and which one it is compared with.
package selected

import (
	"context"
	"time"

	"remora/dissect"
	"remora/ui/compare"
	"remora/ui/listed"
)

// Later does work beside the screen, and then what it returns; stop ends ctx.
type Later func(what string, work func(ctx context.Context) (then func())) (stop func())

// Packet is the selected packet.
type Packet struct {
	Frame dissect.FrameNum // 0: none yet
	Tree  *dissect.Tree    // nil: none yet
	Conv  uint32           // its conversation, or 0

	Node   int   // the selected node of the tree, or -1
	Source uint8 // the data source whose bytes are shown
	Byte   int   // the byte under the cursor

	Linked []dissect.FrameNum // packets that it has links to

	// What changed since the last packet of the same type, from the same end in the same conversation, is bright; what is
	// as it was is dim. Only the packet's own protocol is compared: the layers below always differ.
	Before    dissect.FrameNum // the packet that it is compared with, or 0
	same      []bool           // by node: as it was
	SameBytes []bool           // by byte of the first source: as it was
	Alone     bool             // nothing is compared

	list  *listed.Packets
	later Later
	built builtAt
	end   conversationEnd
}

// New is no packet yet, of those that are listed.
func New(list *listed.Packets, later Later) *Packet {
	return &Packet{Node: -1, list: list, later: later}
}

// Select makes a packet the selected one; it tells whether that was another one.
func (p *Packet) Select(n dissect.FrameNum) bool {
	if n == 0 || n == p.Frame && p.Tree != nil { // 0: it left while its row was looked up
		return false
	}
	p.Frame, p.built = n, builtAt{n, p.list.Session.Passed(), time.Now()}
	p.Tree = p.list.Dissector.Tree(n).Clone()
	p.Conv = p.list.Session.ConversationOf(n)
	p.findLinks()
	p.findEnd()
	p.Compare()
	return true
}

// Forget leaves nothing selected: another capture is shown.
func (p *Packet) Forget() { p.Frame, p.Tree, p.Node = 0, nil, -1 }

// Ignored tells whether the packet is ignored: nothing of it is shown.
func (p *Packet) Ignored() bool { return p.list.Ignored[p.Frame] }

// Refresh reads the packet again: names in it have changed. It tells whether it is still there.
func (p *Packet) Refresh() bool {
	if p.Tree == nil || int(p.Tree.Frame) <= p.list.Store.First() {
		return false
	}
	p.Tree = p.list.Dissector.Tree(p.Tree.Frame).Clone()
	return true
}

// Compare compares the packet with the last one of its type.
func (p *Packet) Compare() {
	p.Before, p.same, p.SameBytes = 0, nil, nil
	if p.Tree == nil || p.Alone {
		return
	}
	n := compare.SameBefore(p.list.Session, p.Frame)
	if n == 0 {
		return
	}
	was := p.list.Dissector.Tree(n)
	p.same, p.SameBytes = compare.Since(p.Tree, was)
	p.Before = was.Frame
}

// Unchanged tells whether a node of the packet's own protocol is as it was.
func (p *Packet) Unchanged(i int) bool {
	f := p.Tree.Field(i)
	return i < len(p.same) && p.same[i] && f.Protocol() == p.Tree.Protocol() && f.Type() != dissect.TypeProtocol
}

// Repeated tells whether a node is a message that came before.
func (p *Packet) Repeated(i int) bool {
	for k := range p.Tree.Messages {
		if msg := &p.Tree.Messages[k]; msg.Node == i && msg.RepeatOf != 0 {
			return true
		}
	}
	return false
}

// findLinks notes the packets that the packet has links to.
func (p *Packet) findLinks() {
	p.Linked = p.Linked[:0]
	for i := range p.Tree.Nodes {
		if n := dissect.FrameNum(p.Tree.Nodes[i].Val); p.Tree.Field(i).Type() == dissect.TypeFrame && n != p.Frame &&
			len(p.Linked) < 64 {
			p.Linked = append(p.Linked, n)
		}
	}
}

// Partner is the packet that the first link to another one leads to, or 0.
func (p *Packet) Partner() dissect.FrameNum {
	for i := range p.Tree.Nodes {
		if n := dissect.FrameNum(p.Tree.Nodes[i].Val); p.Tree.Field(i).Type() == dissect.TypeFrame && n != p.Frame {
			return n
		}
	}
	return 0
}
