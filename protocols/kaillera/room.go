package kaillera

import (
	"fmt"

	"remora/dissect"
)

// A room is one game on a server, from its making until it is closed; it may be played several times.
type room struct {
	id       uint32
	name     named
	emulator string
	game     uint32 // the engine's number of it, once a client that was captured took part
	status   uint8
	members  []member
	players  int // of the game that was started, 0 before
	seats    [maxSeats]seat
	width    int // bytes of input per player and frame, 0 while unknown
	playing  bool
	closed   bool
	started  int64
	round    uint32 // counts the starts
	ranAt    int64  // when all players of the last start were ready
	outAt    int64  // when new combined data came to any of its players
	changed  bool
	written  dissect.FrameNum // where its rosterNote is
}

type member struct {
	id   uint16
	name named
}

// A seat is a player's place in a game that was started.
type seat struct {
	link    *link
	name    named
	frames  uint32 // newest frame that the player sent
	at      int64  // when
	late    int64  // by how much the last input that all waited for was late
	lateAt  int64  // when that came
	dropped bool
}

// A rosterNote is who plays what: the frames of a game refer to it by the frame in which it was written.
type rosterNote struct {
	game    ref
	names   [maxSeats]ref
	id      uint32
	players uint8
	known   bool
}

func (r *room) note() rosterNote {
	n := rosterNote{game: r.name.ref, id: r.id, players: uint8(r.players), known: true}
	for i := range r.seats {
		n.names[i] = r.seats[i].name.ref
	}
	return n
}

func (s *server) room(id uint32) *room {
	r := s.rooms.Get(id, maxRooms)
	r.id = id
	return r
}

// join makes a room the client's, and a game of the session list.
func (l *link) join(d *dissect.D, r *room) {
	if r == nil || l.room == r {
		return
	}
	l.leave(d)
	l.room = r
	r.changed = true
	if r.game == 0 {
		r.game = d.Session().NewGame(l.server.charset.best.decode([]byte(r.title())))
		d.Session().InGame(r.game, func(g *dissect.Game) { g.Enter("lobby", d.Frame) })
	}
	r.seatPlayer(d, l, "")
}

func (r *room) title() string {
	if r.name.text == "" {
		return "Kaillera game"
	}
	return r.name.text
}

// seatPlayer tells the session list of a client that was captured.
func (r *room) seatPlayer(d *dissect.D, l *link, role string) {
	client := l.client(d)
	d.Session().InGame(r.game, func(g *dissect.Game) {
		g.Title = l.server.charset.best.decode([]byte(r.title()))
		g.Join(client, role, l.named(), d.Frame)
	})
	if role != "" {
		d.Ends().Role(client, role)
	}
}

// rename tells the client's name and that of its game again where the server's strings turn out to be in another
// character set.
func (l *link) rename(d *dissect.D) {
	best := l.server.charset.best
	if best == l.told || l.name.text == "" {
		return
	}
	l.told = best
	d.Ends().Respell(l.client(d), l.named())
	if l.room != nil {
		l.room.seatPlayer(d, l, "")
	}
}

// client is the client's end of the datagram under way.
func (l *link) client(d *dissect.D) dissect.Endpoint {
	if d.Dir == l.serverDir {
		return d.Dst
	}
	return d.Src
}

// leave takes the client out of its room.
func (l *link) leave(d *dissect.D) {
	r := l.room
	if r == nil {
		return
	}
	if l.seat > 0 && l.seat <= maxSeats && r.seats[l.seat-1].link == l {
		r.seats[l.seat-1].dropped = true
	}
	d.Ends().Role(l.client(d), "client")
	l.room, l.seat, l.playing = nil, 0, false
}

func (r *room) add(id uint16, name named) {
	for i := range r.members {
		if m := &r.members[i]; m.id == id {
			m.name = name
			return
		}
	}
	if len(r.members) < maxMembers {
		r.members = append(r.members, member{id, name})
	}
}

func (r *room) remove(id uint16) {
	for i := range r.members {
		if r.members[i].id == id {
			r.members = append(r.members[:i], r.members[i+1:]...)
			return
		}
	}
}

// begin takes the server's START_GAME: the player numbers and a fresh start of all counts.
func (r *room) begin(d *dissect.D, l *link, player, players int) {
	if d.Time()-r.started > startWindow || r.players != players {
		r.seats, r.players, r.started, r.playing = [maxSeats]seat{}, players, d.Time(), false
		r.width, r.outAt = 0, 0
		r.round++
		if r.status != 0 && l.server.netsync == 0 {
			l.server.netsync = r.status
		}
		d.Session().InGame(r.game, func(g *dissect.Game) { g.Enter("synchronizing", d.Frame) })
	}
	l.seat, l.playing = 0, false
	if player >= 1 && player <= min(players, maxSeats) {
		l.seat = player
		r.seats[player-1] = seat{link: l, name: l.name}
		r.seatPlayer(d, l, fmt.Sprintf("P%d", player))
	}
	r.guessNames(l)
	r.changed = true
}

// startWindow is how far apart the START_GAMEs of one start may be.
const startWindow = 3e9

// guessNames names the players that were not captured: servers number players in the order in which they joined. The
// client that was captured must stand where this puts it.
func (r *room) guessNames(l *link) {
	if len(r.members) != r.players || l.seat == 0 || l.seat > len(r.members) ||
		r.members[l.seat-1].name.text != l.name.text {
		return
	}
	for i := range min(r.players, maxSeats) {
		if s := &r.seats[i]; s.link == nil {
			s.name = r.members[i].name
		}
	}
}

// loneRoom finds a game whose making was not captured: one that started just now and has the place free, or a new one.
func (s *server) loneRoom(d *dissect.D, player, players int) *room {
	for _, r := range s.lone {
		if r.players == players && d.Time()-r.started <= startWindow && player >= 1 && player <= maxSeats &&
			r.seats[player-1].link == nil {
			return r
		}
	}
	r := new(room)
	if len(s.lone) >= 16 {
		s.lone = append(s.lone[:0], s.lone[1:]...)
	}
	s.lone = append(s.lone, r)
	return r
}

// meaning is what a game status means on this server, as far as it told.
func (s *server) meaning(status uint8) uint8 {
	switch {
	case status == 0:
		return meansWaiting
	case status > 2:
		return 0
	case s.netsync == 0:
		return meansProgress
	case status == s.netsync:
		return meansSynchronizing
	}
	return meansPlaying
}

// setStatus takes a GAME_STATUS. Servers swap the meanings of 1 and 2: what a game has when it starts, before everybody
// is ready, is this server's word for synchronizing. Most announce it in front of START_GAME; then another value behind
// it announces that everybody is ready.
func (r *room) setStatus(d *dissect.D, s *server, status uint8) (played uint32) {
	was := r.status
	r.status = status
	switch {
	case status == 0 && was != 0 && r.players > 0:
		played = r.ends(d)
		d.Session().InGame(r.game, func(g *dissect.Game) { g.Enter("waiting", d.Frame) })
	case s.netsync != 0 || status == 0 || status > 2:
	case r.players > 0 && !r.playing && d.Time()-r.started < 60e9 && was == 0:
		s.netsync = status
	}
	return played
}

// ends takes the end of a game, and tells for how many ms it was played; 0 where it was not.
func (r *room) ends(d *dissect.D) (played uint32) {
	if r.playing {
		played = uint32(min((d.Time()-r.ranAt)/1e6, 1<<32-1))
	}
	r.playing = false
	return played
}

// mixed reports whether members have different connection types, as far as they are known.
func (r *room) mixed(s *server) bool {
	first := uint8(0)
	for _, m := range r.members {
		u := s.users.Find(m.id)
		if u == nil || u.connection == 0 {
			continue
		}
		if first != 0 && u.connection != first {
			return true
		}
		first = u.connection
	}
	return false
}
