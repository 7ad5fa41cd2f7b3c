package comments

import (
	"testing"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/listed"
	"remora/ui/selected"
	"remora/ui/view/viewtest"
)

// screen shows a sample whose packets are commented.
type screen struct {
	*viewtest.Screen
	inTree bool
	undo   []func()
}

func (x *screen) InTree() bool             { return x.inTree }
func (x *screen) Changed(dissect.FrameNum) {}
func (x *screen) Refilter()                {}
func (x *screen) UndoKey() string          { return "u" }
func (x *screen) Did(restore func())       { x.undo = append(x.undo, restore) }

func TestACommentIsTyped(t *testing.T) {
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), 80, 24)}
	s := x.Scope().Session
	packets := &listed.Packets{Session: s, Store: s.Store(), Dissector: s.Dissector()}
	packet := selected.New(packets, x.Later)
	c := New(x, packets, packet)
	packet.Select(3)
	c.Add("one")
	c.Add(`C:\new`)
	c.Edit()
	if x.Asked.Text != "one" {
		t.Errorf("it begins with %q", x.Asked.Text)
	}
	x.Type(`two\nlines`)
	if got := packets.Store.Comments(2); len(got) != 2 || got[0] != "two\nlines" {
		t.Errorf("comments are %q", got)
	}
	c.Edit()
	x.Type("")
	if c.Edit(); x.Asked.Text != `C:\\new` {
		t.Errorf("it begins with %q", x.Asked.Text)
	}
	x.Type("")
	if got := c.Frames(); len(got) != 0 || x.Notice != "packet 3 has no comment any more" {
		t.Errorf("%v have comments: %s", got, x.Notice)
	}
	x.inTree = true
	if c.Edit(); x.Asked.Text != "" {
		t.Errorf("it begins with %q", x.Asked.Text)
	}
	for i := len(x.undo) - 1; i >= 1; i-- {
		x.undo[i]()
	}
	if got := packets.Store.Comments(2); len(got) != 1 || got[0] != "one" {
		t.Errorf("undone, the comments are %q", got)
	}
	packet.Forget()
	x.Asked = nil
	if c.Edit(); x.Asked != nil {
		t.Error("a comment on no packet is asked for")
	}
}
