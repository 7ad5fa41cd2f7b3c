package kaillera

import "remora/dissect"

// gameTells updates the state from a server's message about games.
func (l *link) gameTells(d *dissect.D, p *piece, s *scan, at int, name span, own bool, n *talkNote) {
	sv := l.server
	switch p.typ {
	case createGame:
		game, emulator := s.str(), s.str()
		id := s.u32()
		if r := sv.rooms.Find(id); r != nil && (r.closed || r.name.text != short(game)) {
			sv.rooms.Drop(id)
		}
		r := sv.room(id)
		r.name.set(d, at, game)
		r.emulator = short(emulator)
		if own {
			l.answer(n, p.typ)
			n.flags |= talkSelf
			l.join(d, r)
		}
	case joinGame:
		l.joined(d, s, at, n)
	case playerInfo:
		l.players(d, s, at)
	case quitGame:
		l.left(d, s.u16(), own, n)
	case gameStatus:
		id := s.u32()
		n.game = l.gameName(id)
		status := s.u8()
		n.played = sv.room(id).setStatus(d, sv, status)
		n.meaning = sv.meaning(status)
	case closeGame:
		l.closed(d, s.u32(), n)
	case startGame:
		l.notice = 0
		l.answer(n, p.typ)
		l.start(d, s, n)
	case ready:
		l.answer(n, p.typ)
		l.runs(d)
	case dropGame:
		if own {
			l.answer(n, p.typ)
		}
		player := int(s.u8())
		if r := l.room; r != nil && player >= 1 && player <= maxSeats && r.seats[player-1].name.text == "" {
			r.seats[player-1].name.set(d, at, name)
			r.changed = true
		}
		l.drops(d, player)
	}
}

// joined takes a JOIN_GAME of the server: somebody, or the client itself, is in the client's game.
func (l *link) joined(d *dissect.D, s *scan, at int, n *talkNote) {
	s.u32() // the game's id on some servers only
	name := s.str()
	s.u32()
	u := l.server.user(d, s.u16(), at, name)
	u.connection, u.quitting = s.u8(), false
	if string(name.text) == l.name.text && len(name.text) > 0 {
		l.answer(n, joinGame)
		n.flags |= talkSelf
		l.id, l.idKnown = u.id, true
		if n.request != 0 {
			l.join(d, l.server.rooms.Find(l.wanted))
		}
	}
	if l.room != nil {
		n.game = l.room.name.ref
		l.room.add(u.id, u.name)
	}
}

// players takes a PLAYER_INFORMATION: those who were in the game before the client.
func (l *link) players(d *dissect.D, s *scan, at int) {
	if l.asked[joinGame] != 0 && l.room == nil {
		l.join(d, l.server.rooms.Find(l.wanted))
	}
	r := l.room
	if r != nil {
		r.members = r.members[:0]
	}
	for count := s.u32(); count > 0 && !s.bad; count-- {
		name := s.str()
		s.u32()
		u := l.server.user(d, s.u16(), at, name)
		u.connection = s.u8()
		if r != nil && !s.bad {
			r.add(u.id, u.name)
		}
	}
}

// left takes a QUIT_GAME of the server: a player left, was kicked or was not admitted.
func (l *link) left(d *dissect.D, id uint16, own bool, n *talkNote) {
	u := l.server.users.Find(id)
	if l.asked[kick] != 0 && id == l.kicks {
		if u != nil && u.quitting {
			l.asked[kick] = 0
		} else {
			l.answer(n, kick)
			n.flags |= talkKicked
		}
	}
	if r := l.room; r != nil {
		for i := range r.seats {
			if s := &r.seats[i]; s.name.text != "" && r.named(id) == s.name.text {
				l.drops(d, i+1)
			}
		}
		r.remove(id)
	}
	if !own {
		return
	}
	n.flags |= talkSelf
	switch {
	case l.asked[quitGame] != 0:
		l.answer(n, quitGame)
	case l.asked[joinGame] != 0:
		l.answer(n, joinGame)
		n.flags |= talkRefused
	case l.room != nil:
		n.flags |= talkKicked
	}
	l.leave(d)
}

// named is the name of the member with an id.
func (r *room) named(id uint16) string {
	for i := range r.members {
		if r.members[i].id == id {
			return r.members[i].name.text
		}
	}
	return ""
}

// closed takes a CLOSE_GAME.
func (l *link) closed(d *dissect.D, id uint32, n *talkNote) {
	n.game = l.gameName(id)
	if r := l.server.rooms.Find(id); r != nil {
		d.Session().InGame(r.game, func(g *dissect.Game) { g.Over = true })
		n.played = r.ends(d)
		r.closed = true // its name is still needed: the other clients get the message, too
	}
	if l.room != nil && l.room.id == id {
		l.leave(d)
	}
}

// start takes the server's START_GAME.
func (l *link) start(d *dissect.D, s *scan, n *talkNote) {
	if delay := int(s.u16()); l.connection > 0 {
		n.ahead = uint16(min((delay+1)*int(l.connection)-1, 65535))
	}
	player, players := int(s.u8()), int(s.u8())
	if l.room == nil {
		l.join(d, l.server.loneRoom(d, player, players))
	}
	l.announced(d.Dir)
	l.room.begin(d, l, player, players)
}

// runs takes the server's READY: all players are ready, and the game runs.
func (l *link) runs(d *dissect.D) {
	l.begins(d.Dir)
	l.playing = true
	r := l.room
	if r == nil {
		return
	}
	if !r.playing {
		r.playing = true
		r.outAt, r.ranAt = d.Time(), d.Time()
		d.Session().InGame(r.game, func(g *dissect.Game) { g.Enter("playing", d.Frame) })
	}
}
