package soaprun

import (
	"fmt"

	"remora/dissect"
)

// A server is what is remembered of one game server: where it was named, its game, and who plays there.
type server struct {
	named   dissect.FrameNum // the dispatch's reply
	game    uint32
	players []dissect.Endpoint
	open    int // connections
	strokes [32]stroke
	painted int
}

// A serverNote is the dispatch's reply that named a server.
type serverNote struct{ named dissect.FrameNum }

const maxPlayers = 64

// join takes a connection into the server's game.
func (s *server) join(d *dissect.D, c *connection, at, player dissect.Endpoint) {
	if s.game == 0 {
		s.game = d.Session().NewGame("Soaprun at " + at.String())
	}
	c.game, c.at = s.game, at
	s.open++
	role := fmt.Sprintf("client %d", len(s.players)+1)
	if len(s.players) < maxPlayers {
		s.players = append(s.players, player)
		d.Ends().Role(player, role)
	}
	d.Ends().Role(at, "server")
	d.Session().InGame(s.game, func(g *dissect.Game) {
		g.Over = false
		g.Join(at, "server", "", d.Frame)
		g.Casts(at, dissect.Serves)
		g.Join(player, role, "", d.Frame)
	})
}

// leave takes a connection out of the server's game, which is over when nobody is left.
func (c *connection) leave(d *dissect.D) {
	if c.game == 0 || c.left {
		return
	}
	c.left = true
	servers.FirstPassAt(d, c.at, func(s *server) none {
		if s.open--; s.open <= 0 {
			d.Session().InGame(s.game, func(g *dissect.Game) { g.Over = true })
		}
		return none{}
	})
}

// showNamed links the first message of a server to the reply of the dispatch that named it.
func showNamed(d *dissect.D) {
	n := serverNotes.FirstPassIn(d, func(*none) (n serverNote) {
		servers.FirstPassAt(d, d.Src, func(s *server) none { n.named = s.named; return none{} })
		return n
	})
	d.Link(n.named, fUsed, fAnnounced)
}
