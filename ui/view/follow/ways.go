package follow

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/drilldown"
	"remora/ui/view"
)

// Here is what the selected packet is best read as: the game that it is of, what could be decrypted of it, else what
// its transport carries. It is nil where the packet belongs to no conversation.
func Here(c view.Context) *follow.Stream {
	s, n := c.Scope().Session, c.List().Current()
	if n == 0 || s.ConversationOf(n) == 0 {
		return nil
	}
	if g := view.GameOf(s, n); g != 0 {
		if t := follow.NewGame(s, g); t != nil {
			return t
		}
	}
	conv := s.ConversationOf(n)
	return follow.NewOf(s, conv, follow.PreferredMode(s, conv))
}

// Renew is a view of the same conversation, or game, in another session of the packets, with the cursor where it is;
// nil where the session has none there.
func (v *View) Renew() view.View {
	s, at := v.c.Scope().Session, v.Here
	if u, ok := v.unit(); ok {
		at = u.Frame
	}
	if at == 0 {
		at = v.stream.Conversation().First
	}
	var t *follow.Stream
	if v.stream.Game() != 0 {
		if g := view.GameOf(s, at); g != 0 {
			t = follow.NewGame(s, g)
		}
	}
	if id := s.ConversationOf(at); t == nil && id != 0 {
		t = follow.NewOf(s, id, v.stream.Mode())
	}
	if t == nil {
		return nil
	}
	n := New(v.c, t, at)
	n.Reading, n.Direction, n.Copies = v.Reading, v.Direction, v.Copies
	return n
}

// An endRole is somebody who may have several ports.
type endRole struct {
	addr  dissect.Addr
	label string
}

// oneEnd is one end for all ports that a server speaks from: those of one address that protocols call the same.
func (v *View) oneEnd(e dissect.Endpoint) dissect.Endpoint {
	if e.Port == 0 {
		return e
	}
	end := v.c.Scope().Session.End(e, dissect.FrameNum(v.c.Scope().Session.Passed()))
	if end.Role != "server" { // two players may well sit at one machine
		return e
	}
	key := endRole{e.Addr, end.Label()}
	if one, ok := v.ones[key]; ok {
		return one
	}
	if v.ones == nil {
		v.ones = map[endRole]dissect.Endpoint{}
	}
	v.ones[key] = e
	return e
}

// directions are what can be followed here: the transport, what TLS or HTTP carries, the game that the conversation is
// part of; and which of them is followed.
func (v *View) directions() (ways []*follow.Stream, at int) {
	c := v.stream.Conversation()
	if u, ok := v.unit(); ok { // of a game, the conversation under the cursor
		c = v.c.Scope().Session.Conversation(u.Conv)
	}
	add := func(t *follow.Stream) {
		if t != nil {
			if t.Mode() == v.stream.Mode() && t.Game() == v.stream.Game() {
				at = len(ways)
			}
			ways = append(ways, t)
		}
	}
	add(follow.New(v.c.Scope().Session, c.ID))
	for _, what := range follow.Modes(v.c.Scope().Session.Registry()) {
		if follow.Carries(v.c.Scope().Session, c.ID, what) {
			add(follow.NewOf(v.c.Scope().Session, c.ID, what))
		}
	}
	for _, g := range v.c.Scope().Session.Games() {
		if slices.Contains(g.Convs, c.ID) {
			add(follow.NewGame(v.c.Scope().Session, g.ID))
		}
	}
	return ways, at
}

// directionName is what a way of following is called.
func directionName(t *follow.Stream) string {
	switch {
	case t.Game() != 0:
		return "game " + strconv.Itoa(int(t.Game()))
	case t.Mode() != follow.Transport:
		return strings.ToUpper(t.Mode())
	}
	return drilldown.TransportName(t.Conversation().Transport)
}

// followOther goes on to what else can be followed here.
func (v *View) followOther() {
	ways, at := v.directions()
	if len(ways) == 1 {
		v.c.Notify("this conversation carries nothing else that can be followed")
		return
	}
	frame := v.c.List().Current()
	if u, ok := v.unit(); ok {
		frame = u.Frame
	}
	v.c.Follow(ways[(at+1)%len(ways)], frame)
}
