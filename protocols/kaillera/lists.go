package kaillera

import "remora/dissect"

var (
	fUsers = proto.Uint32("status.users", "Users listed", "User entries that follow; a login may bring several lists.")
	fGames = proto.Uint32("status.games", "Games listed", "Game entries that follow behind the users.")
	fUser  = proto.Group("user", "User entry",
		"A user in a list. SERVER_STATUS has ping, status, id, connection; PLAYER_INFORMATION ping, id, connection.").
		Summary("User[ {user.name}][, {user.status:name}][, ping {user.ping}][, id {user.id:raw}][, {user.connection:name}]")
	fGame = proto.Group("game", "Game entry", "A game in a SERVER_STATUS.").
		Summary("Game[ {game.name}][, {game.status:name}][, {game.seats}][, of {game.owner}][, id {game.id:raw}]")
	fOwner   = proto.String("game.owner", "Owner", "Name of the user who made the game.")
	fSeats   = proto.String("game.seats", "Players", "Players and the most there can be, as text.")
	fPlayerN = proto.Uint32("list.players", "Players listed",
		"Player entries that follow: those who were in the game before the receiver.")
)

// lists shows the lists of users, games and players, which servers send to who comes in.
func (v *view) lists(d *dissect.D, i int) {
	p := &v.pieces[i]
	var n talkNote
	if v.isNew(i) {
		n = talkNotes.FirstPassIn(d, func(*none) talkNote { return v.out.talk[i] })
	}
	v.name(d, fUserName)
	if p.typ == playerInfo {
		count := d.Uint(fPlayerN)
		for k, more := uint64(0), d.Elements(); k < count && more.Next(); k++ {
			d.In(fUser, func() { v.entry(d, false) })
		}
		if d.Info().Wanted() {
			v.addInfo(d, i, "%s in the game already", plural(count, "player"))
		}
	} else {
		users, games := d.Uint(fUsers), d.Uint(fGames)
		for k, more := uint64(0), d.Elements(); k < users && more.Next(); k++ {
			d.In(fUser, func() { v.entry(d, true) })
		}
		for k, more := uint64(0), d.Elements(); k < games && more.Next(); k++ {
			d.In(fGame, func() { v.game(d) })
		}
		if d.Info().Wanted() {
			v.addInfo(d, i, "%s, %s", plural(users, "user"), plural(games, "game"))
		}
	}
	v.links(d, i, &n)
}

func (v *view) entry(d *dissect.D, status bool) {
	v.str(d, fUserName)
	d.Uint(fPing)
	if status {
		d.Uint(fUserStat)
	}
	d.Uint(fUserID)
	d.Uint(fConnect)
}

func (v *view) game(d *dissect.D) {
	v.str(d, fGameName)
	d.Uint(fGameID)
	v.str(d, fEmulator)
	v.str(d, fOwner)
	v.str(d, fSeats)
	d.Uint(fStatus)
}
