package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/doors"
)

// followHere opens what the selected packet is best read as: the game that it is of, what could be decrypted of it, else what
// its transport carries.
func (m *model) followHere() {
	if m.curConv == 0 {
		m.notice = "this packet belongs to no conversation"
		return
	}
	if g := m.gameHere(); g != 0 {
		if t := follow.NewGame(m.s, g); t != nil {
			m.openFollow(t, m.cur)
			return
		}
	}
	what := follow.Transport
	switch {
	case follow.Multiplexed(m.s, m.curConv):
		what = follow.HTTP
	case follow.Opened(m.s, m.curConv):
		what = follow.TLS
	}
	m.openFollow(follow.NewOf(m.s, m.curConv, what), m.cur)
}

// gameHere is the game that the selected packet is of, or 0.
func (m *model) gameHere() uint32 {
	for _, g := range m.s.Games() {
		if m.curConv != 0 && slices.Contains(g.Convs, m.curConv) && m.cur >= g.First && (!g.Over || m.cur <= g.Last) {
			return g.ID
		}
	}
	return 0
}

// An endRole is somebody who may have several ports.
type endRole struct {
	addr  dissect.Addr
	label string
}

// oneEnd is one end for all ports that a server speaks from: those of one address that protocols call the same.
func (v *followView) oneEnd(m *model, e dissect.Endpoint) dissect.Endpoint {
	if e.Port == 0 {
		return e
	}
	end := m.s.End(e, dissect.FrameNum(m.s.Passed()))
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

// ways are what can be followed here: the transport, what TLS or HTTP carries, the game that the conversation is part of; and
// which of them is followed.
func (v *followView) ways(m *model) (ways []*follow.Talk, at int) {
	c := v.talk.Conversation()
	if u, ok := v.unit(); ok { // of a game, the conversation under the cursor
		c = m.s.Conversation(u.Conv)
	}
	add := func(t *follow.Talk) {
		if t != nil {
			if t.What() == v.talk.What() && t.Game() == v.talk.Game() {
				at = len(ways)
			}
			ways = append(ways, t)
		}
	}
	add(follow.New(m.s, c.ID))
	for _, what := range []string{follow.TLS, follow.QUIC, follow.HTTP} {
		if follow.Carries(m.s, c.ID, what) {
			add(follow.NewOf(m.s, c.ID, what))
		}
	}
	for _, g := range m.s.Games() {
		if slices.Contains(g.Convs, c.ID) {
			add(follow.NewGame(m.s, g.ID))
		}
	}
	return ways, at
}

// wayName is what a way of following is called.
func wayName(t *follow.Talk) string {
	switch {
	case t.Game() != 0:
		return "game " + strconv.Itoa(int(t.Game()))
	case t.What() != follow.Transport:
		return strings.ToUpper(t.What())
	}
	return doors.TransportName(t.Conversation().Transport)
}

// followOther goes on to what else can be followed here.
func (v *followView) followOther(m *model) {
	ways, at := v.ways(m)
	if len(ways) == 1 {
		m.notice = "this conversation carries nothing else that can be followed"
		return
	}
	frame := m.cur
	if u, ok := v.unit(); ok {
		frame = u.Frame
	}
	m.openFollow(ways[(at+1)%len(ways)], frame)
}
