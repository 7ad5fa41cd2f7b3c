package kaillera

import "remora/dissect"

// A talkNote is what a new message that is no game data leaves behind.
type talkNote struct {
	request dissect.FrameNum // the packet that it answers
	hello   dissect.FrameNum // of a login: the HELLOD00D that named the port
	user    ref              // name of the user whose id it has
	game    ref              // name of the game whose id it has
	meaning uint8            // of a game status
	flags   uint8
	ahead   uint16 // of a start: how many frames the client may run ahead
	played  uint32 // of the end of a game: ms since all were ready
}

const (
	talkRefused   = 1 << iota // the server refuses what was asked
	talkKicked                // somebody was kicked
	talkSelf                  // it is about the client itself
	talkUnstarted             // the server answered the request before with a notice alone
	talkUnasked               // an ACK that no ACK of the server asked for
	talkMixed                 // a start of players with different connection types
)

// message feeds one new message to the state. base is where the datagram begins in the frame.
func (w *world) message(d *dissect.D, l *link, role int, p *piece, base, i int, o *outcome) {
	if p.typ >= typeCount || grammars[p.typ] == "" {
		return
	}
	check := scan{b: p.body}
	if !check.walk(grammars[p.typ]) {
		return
	}
	switch p.typ {
	case gameData, gameCache:
		o.contradict(w.data(d, l, role, p, base, &o.data[i]))
		return
	case ready, startGame:
		if p.typ == startGame && p.side() == fromClient {
			if l.notice != 0 && l.asked[startGame] != 0 {
				o.talk[i] = talkNote{request: l.notice, flags: talkUnstarted}
			}
			if l.room != nil && l.room.mixed(l.server) {
				o.talk[i].flags |= talkMixed
			}
			l.asked[startGame], l.notice = d.Frame, 0
			return
		}
	}
	s, at, n := &scan{b: p.body}, base+p.off+5, &o.talk[i]
	if role == fromClient {
		w.asks(d, l, p, s, at, n)
	} else {
		l.fromServer(d, p, s, at, n)
	}
}

// asks takes what a client sends.
func (w *world) asks(d *dissect.D, l *link, p *piece, s *scan, at int, n *talkNote) {
	l.asked[p.typ] = d.Frame
	s.str()
	switch p.typ {
	case userLogin:
		s.at = 0
		l.name.set(d, at, s.str())
		s.str()
		l.connection = s.u8()
		if a := w.announces.Find(announceKey{d.Dst, d.Src.Addr}); a != nil {
			n.hello = a.frame
		}
		d.Ends().Name(d.Src, l.named())
		d.Ends().Role(d.Src, "client")
		d.Ends().Role(d.Dst, "server")
	case clientAck:
		if l.pinged > 0 {
			n.request = l.pings[0]
			copy(l.pings[:], l.pings[1:])
			l.pinged--
		} else if l.name.text != "" && l.directions[l.serverDir].any && !d.Stream().Cut() {
			n.flags |= talkUnasked
		}
	case joinGame:
		l.wanted = s.u32()
		n.game = l.gameName(l.wanted)
	case kick:
		l.kicks = s.u16()
		if u := l.server.users.Find(l.kicks); u != nil {
			n.user = u.name.ref
		}
		if r := l.room; r != nil && len(r.members) > 0 && r.named(l.kicks) == "" {
			l.asked[kick] = 0 // that user has left already
		}
	case ready:
		l.begins(d.Dir)
	case dropGame:
		l.drops(d, l.seat)
	case quitGame:
		l.drops(d, l.seat)
		l.quitting()
	case userQuit:
		l.quitting()
	}
}

// quitting takes that the client goes of its own accord, whatever others ask for meanwhile.
func (l *link) quitting() {
	if u := l.server.users.Find(l.id); u != nil && l.idKnown {
		u.quitting = true
	}
}

func (l *link) gameName(id uint32) ref {
	if r := l.server.rooms.Find(id); r != nil {
		return r.name.ref
	}
	return ref{}
}

// clear empties the caches and counts of both directions: a game begins.
func (l *link) clear() {
	l.directions[0].clear()
	l.directions[1].clear()
	l.width, l.stalledAt, l.echo, l.agree = 0, 0, echoes{}, agree{shift: -1}
}

func (y *direction) clear() {
	if y.cache != nil {
		y.cache.clear()
	} else {
		y.cache = new(window)
		y.cache.whole = true
	}
	y.frames, y.messages, y.hits, y.dataAt, y.started, y.head, y.tail = 0, 0, 0, 0, true, 0, 0
}

// announced takes the server's START_GAME. One that comes behind the client's READY, because its datagram was lost and
// a later one brought it, may come behind the client's first data, too, and leaves them.
func (l *link) announced(dir int) {
	late := l.begun == 1<<(1-dir) && !l.started
	if l.started = true; late {
		l.directions[dir].clear()
		return
	}
	l.begun = 0
	l.clear()
}

// begins takes a READY. The first of a game empties both directions; one that comes late does that for its own alone,
// as data may have gone the other way by then.
func (l *link) begins(dir int) {
	if l.begun>>dir&1 != 0 { // another game, whose START_GAME is not in the capture
		l.begun, l.started = 0, false
	}
	if l.begun == 0 {
		l.clear()
	} else {
		l.directions[dir].clear()
	}
	l.begun |= 1 << dir
}

// drops marks a player of the client's room as one whose input nobody waits for any more.
func (l *link) drops(d *dissect.D, player int) {
	if r := l.room; r != nil && player >= 1 && player <= maxSeats {
		s := &r.seats[player-1]
		if !s.dropped && r.outAt > 0 && s.frames <= r.lowest() {
			s.late, s.lateAt = d.Time()-r.outAt, d.Time()
		}
		s.dropped = true
	}
}

// answer joins a server's message with what the client asked.
func (l *link) answer(n *talkNote, typ uint8) {
	n.request = l.asked[typ]
	l.asked[typ] = 0
}

// fromServer takes what a server sends.
func (l *link) fromServer(d *dissect.D, p *piece, s *scan, at int, n *talkNote) {
	sv := l.server
	name := s.str()
	own := len(name.text) > 0 && string(name.text) == l.name.text
	switch p.typ {
	case serverAck:
		if l.pinged == len(l.pings) {
			copy(l.pings[:], l.pings[1:])
			l.pinged--
		}
		l.pings[l.pinged] = d.Frame
		l.pinged++
	case serverStatus:
		l.answer(n, userLogin)
		sv.list(d, s, at)
	case userJoined:
		u := sv.user(d, s.u16(), at, name)
		s.u32()
		u.connection = s.u8()
		if own {
			l.id, l.idKnown = u.id, true
		}
	case rejected:
		l.answer(n, userLogin)
		n.flags |= talkRefused
	case globalChat:
		if own {
			l.answer(n, p.typ)
		}
	case gameChat:
		if own {
			l.answer(n, p.typ)
		} else if who := string(name.text); l.asked[startGame] != 0 && who == "Error" {
			l.answer(n, startGame)
			n.flags |= talkRefused
		} else if l.asked[startGame] != 0 && who == "Server" {
			l.notice = d.Frame // a refusal, or an announcement in front of START_GAME
		}
	case userQuit:
		l.quits(d, s.u16(), own, n)
	case serverInfo:
	default:
		l.gameTells(d, p, s, at, name, own, n)
	}
}

// quits takes that a user left the server.
func (l *link) quits(d *dissect.D, id uint16, own bool, n *talkNote) {
	if own {
		l.answer(n, userQuit)
		n.flags |= talkSelf
		l.leave(d)
	}
	if r := l.room; r != nil {
		r.remove(id)
	}
	l.server.users.Drop(id)
}

func (sv *server) user(d *dissect.D, id uint16, at int, name span) *user {
	u := sv.users.Get(id, maxUsers)
	u.id = id
	u.name.set(d, at, name)
	return u
}

// list takes the users and games of a SERVER_STATUS.
func (sv *server) list(d *dissect.D, s *scan, at int) {
	users, games := s.u32(), s.u32()
	for ; users > 0 && !s.bad; users-- {
		name := s.str()
		s.u32()
		s.u8()
		u := sv.user(d, s.u16(), at, name)
		u.connection = s.u8()
	}
	for ; games > 0 && !s.bad; games-- {
		name := s.str()
		r := sv.room(s.u32())
		r.name.set(d, at, name)
		r.emulator = short(s.str())
		s.str()
		s.str()
		r.status = s.u8()
	}
}

// named is the client's name as text.
func (l *link) named() string { return l.server.charset.best.decode([]byte(l.name.text)) }

func short(s span) string { return string(s.text[:min(len(s.text), maxName)]) }
