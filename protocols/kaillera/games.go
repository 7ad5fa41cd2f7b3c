package kaillera

import (
	"fmt"

	"remora/dissect"
)

// games shows messages about games.
func (v *view) games(d *dissect.D, i int, who string, n *talkNote) {
	wanted := d.Info().Wanted()
	switch v.pieces[i].typ {
	case createGame:
		game := v.str(d, fGameName)
		emulator := v.str(d, fEmulator)
		id := d.Uint(fGameID)
		if wanted && who == "" {
			v.addInfo(d, i, "%s asks to create %s", v.me(d, who), game)
		} else if wanted {
			v.addInfo(d, i, "%s created %s, game %d, with %s", who, game, id, emulator)
		}
	case joinGame:
		v.join(d, i, n)
	case gameStatus:
		v.status(d, i, n)
	case kick:
		d.Uint(fUserID)
		whom := v.userOf(d, n)
		if wanted {
			v.addInfo(d, i, "%s kicks %s", v.me(d, who), whom)
		}
	case closeGame:
		d.Uint(fGameID)
		if game := v.gameOf(d, n); wanted {
			v.addInfo(d, i, "%s is closed", game)
		}
	case startGame:
		v.start(d, i, n)
	case dropGame:
		number := d.Uint(fPlayer)
		if wanted && who == "" && v.role != fromServer {
			v.addInfo(d, i, "%s drops out", v.me(d, who))
		} else if wanted {
			v.addInfo(d, i, "P%d %s dropped out", number, who)
		}
	case ready:
		if wanted && v.role == fromServer {
			v.addInfo(d, i, "everybody is ready")
		} else if wanted {
			v.addInfo(d, i, "%s is ready", v.me(d, who))
		}
	}
}

func (v *view) join(d *dissect.D, i int, n *talkNote) {
	id := d.Uint(fGameID)
	var who string
	request := d.Peek(0) == 0
	who = v.name(d, fUserName)
	ping := d.Uint(fPing)
	d.Uint(fUserID)
	c := d.Uint(fConnect)
	game := v.gameOf(d, n)
	switch {
	case !d.Info().Wanted():
	case request && game == "":
		v.addInfo(d, i, "%s asks to join game %d", v.me(d, who), id)
	case request:
		v.addInfo(d, i, "%s asks to join %s", v.me(d, who), game)
	default:
		v.addInfo(d, i, "%s joins, ping %d ms, %s", who, ping, connections[c])
	}
}

func (v *view) status(d *dissect.D, i int, n *talkNote) {
	id := d.Uint(fGameID)
	status := d.Uint(fStatus)
	if n.meaning != 0 {
		d.Below(func() { d.Set(fMeans, uint64(n.meaning)) })
	}
	players, most := d.Uint(fPlayers), d.Uint(fMaximum)
	game := v.gameOf(d, n)
	if !d.Info().Wanted() {
		return
	}
	what := gameStatuses[status]
	if n.meaning != 0 {
		what = meanings[uint64(n.meaning)]
	}
	if game == "" {
		game = fmt.Sprintf("game %d", id)
	}
	v.addInfo(d, i, "%s: %s, %d of %d players", game, what, players, most)
}

func (v *view) start(d *dissect.D, i int, n *talkNote) {
	delay := d.Uint(fDelay)
	if n.ahead > 0 {
		d.Below(func() { d.Set(fMayLead, uint64(n.ahead)) })
	}
	number, players := d.Uint(fPlayer), d.Uint(fOf)
	switch {
	case !d.Info().Wanted():
	case delay == 0xffff && number == 0xff:
		v.addInfo(d, i, "%s asks to start the game", v.me(d, ""))
	default:
		v.addInfo(d, i, "%s is P%d of %d, frame delay %d", v.me(d, ""), number, players, delay)
	}
}
