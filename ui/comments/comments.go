// Package comments changes the comments of packets. Packets may have several each, as pcapng files keep them; they are
// written when packets are saved.
package comments

import (
	"slices"
	"strings"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/listed"
	"remora/ui/selected"
	"remora/ui/view"
)

// Context is what comments may ask of the screen.
type Context interface {
	// InTree tells whether the keys go to the tree.
	InTree() bool
	// Prompt asks for a line of text.
	Prompt(p view.Prompt)
	// Ask puts a question.
	Ask(title, text string, answers ...view.Answer)
	// Notify says something in the line above the keys.
	Notify(text string)
	// Changed has a packet drawn anew; Refilter decides again what is shown.
	Changed(n dissect.FrameNum)
	Refilter()
	// Did remembers how what was done is undone, and UndoKey is the key for that.
	Did(restore func())
	UndoKey() string
}

// Comments are those of the capture that is open.
type Comments struct {
	Edits int // how often they were changed here

	c       Context
	packets *listed.Packets
	packet  *selected.Packet
}

// New are the comments of the packets that are listed.
func New(c Context, packets *listed.Packets, packet *selected.Packet) *Comments {
	return &Comments{c: c, packets: packets, packet: packet}
}

// of are the comments of a packet.
func (c *Comments) of(n dissect.FrameNum) []string { return c.packets.Store.Comments(int(n) - 1) }

// meant is the number of the selected packet's comment that is meant: the one selected in the tree, else the first.
func (c *Comments) meant() int {
	i, tree := c.packet.Node, c.packet.Tree
	if !c.c.InTree() || i < 0 || tree.Field(i).Name() != view.CommentField {
		return 0
	}
	at := 0
	for j := range i {
		if tree.Field(j).Name() == view.CommentField {
			at++
		}
	}
	return at
}

// In the line that is typed \n is a line break.
var (
	escape   = strings.NewReplacer(`\`, `\\`, "\r\n", `\n`, "\n", `\n`)
	unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

// Edit asks for a comment on the selected packet.
func (c *Comments) Edit() {
	n := c.packet.Frame
	if n == 0 {
		return
	}
	list, at, text := c.of(n), c.meant(), ""
	if at < len(list) {
		text = list[at]
	}
	c.c.Prompt(view.Prompt{Label: " comment: ", Text: escape.Replace(text), Forget: true, Accept: func(text string) {
		c.accept(n, at, unescape.Replace(text))
	}})
}

// accept puts what was typed in the place of a packet's comment; nothing takes the comment away.
func (c *Comments) accept(n dissect.FrameNum, at int, text string) {
	list := c.of(n)
	switch {
	case at >= len(list) && text == "":
		return
	case at >= len(list):
		list = append(list, text)
	case text == list[at]:
		return
	case text == "":
		list = slices.Delete(list, at, at+1)
	default:
		list[at] = text
	}
	c.Set(n, list)
}

// Add adds a comment to the selected packet; without a text it asks for one.
func (c *Comments) Add(text string) {
	n := c.packet.Frame
	switch {
	case n == 0:
	case text == "":
		c.Edit()
	default:
		c.Set(n, append(c.of(n), text))
	}
}

// Set changes a packet's comments, and says so.
func (c *Comments) Set(n dissect.FrameNum, list []string) {
	c.change(map[dissect.FrameNum][]string{n: list})
	says := " has a comment; :w saves it"
	if len(list) == 0 {
		says = " has no comment any more"
	}
	c.c.Notify("packet " + humanize.Group(int(n)) + says)
}

// change changes the comments of packets, and what is seen of them, so that it can be undone.
func (c *Comments) change(to map[dissect.FrameNum][]string) {
	before := map[dissect.FrameNum][]string{}
	for n := range to {
		before[n] = c.of(n)
	}
	c.put(to)
	c.c.Did(func() {
		c.put(before)
		c.c.Notify("the comments of " + humanize.Packets(len(before)) + " are as before")
	})
}

func (c *Comments) put(lists map[dissect.FrameNum][]string) {
	for n, list := range lists {
		c.packets.Store.SetComments(int(n)-1, list)
		c.c.Changed(n)
	}
	c.Edits++
	c.refilter()
}

// DeleteAll deletes the comments of all packets, after asking.
func (c *Comments) DeleteAll() {
	all := c.Frames()
	if len(all) == 0 {
		c.c.Notify("no packet has a comment")
		return
	}
	c.c.Ask("Delete all comments?",
		"The comments of "+humanize.Packets(len(all))+" are deleted. "+c.c.UndoKey()+" brings them back.",
		view.Answer{Act: act.AnswerYes, Label: "delete them", Do: func() {
			none := map[dissect.FrameNum][]string{}
			for _, n := range all {
				none[n] = nil
			}
			c.change(none)
			c.c.Notify("the comments of " + humanize.Packets(len(all)) + " are deleted; :w saves the packets without")
		}})
}

// refilter decides again what is shown where the filter asks for comments.
func (c *Comments) refilter() {
	if strings.Contains(c.packets.FilterText(), "comment") {
		c.c.Refilter()
	}
}

// Frames are the packets with comments, in order.
func (c *Comments) Frames() []dissect.FrameNum {
	var out []dissect.FrameNum
	for _, i := range c.packets.Store.Commented() {
		out = append(out, dissect.FrameNum(i+1))
	}
	return out
}

// Lost is how many of the packets to be saved under a name would lose their comments: pcap files hold none. A nil which
// is all packets.
func (c *Comments) Lost(path string, which func(i int) bool) int {
	if f, _ := pcapfile.FormatOf(path); f != pcapfile.Pcap {
		return 0
	}
	lost := 0
	for _, i := range c.packets.Store.Commented() {
		if which == nil || which(i) {
			lost++
		}
	}
	return lost
}
