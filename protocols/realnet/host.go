package realnet

import (
	"fmt"

	"remora/dissect"
)

// ends are the endpoints of server and client.
func (l *link) ends(d *dissect.D) (server, client dissect.Endpoint) {
	if l.server == uint8(1+d.Dir) {
		return d.Src, d.Dst
	}
	return d.Dst, d.Src
}

// A host is a server with its clients: a session in people's eyes.
type host struct {
	game    uint32
	links   int   // conversations whose server had to be guessed
	clients int   // that ever connected
	open    int   // that are connected
	sentOff int64 // when the last client was sent away
	peer    dissect.FrameNum
	peers   uint16
}

var hosts = dissect.NewStore[host, none]()

// join makes a client part of its server's session.
func (l *link) join(d *dissect.D) {
	server, client := l.ends(d)
	hosts.FirstPassAt(d, server, func(h *host) none {
		if h.open == 0 {
			h.game = d.Session().NewGame("real-net server " + server.String())
			d.Ends().Role(server, "server")
			d.Session().InGame(h.game, func(g *dissect.Game) {
				g.Join(server, "server", "", d.Frame)
				g.Casts(server, dissect.Serves)
			})
		}
		h.clients++
		h.open++
		l.number = h.clients
		role := fmt.Sprintf("client %d", h.clients)
		d.Ends().Role(client, role)
		d.Session().InGame(h.game, func(g *dissect.Game) {
			g.Join(client, role, "", d.Frame)
			g.Enter("connecting", d.Frame)
		})
		return none{}
	})
}

// enter sets the phase of one of the session's clients.
func (l *link) enter(d *dissect.D, what string) {
	server, _ := l.ends(d)
	if l.number == 0 {
		return
	}
	hosts.FirstPassAt(d, server, func(h *host) none {
		d.Session().InGame(h.game, func(g *dissect.Game) { g.Enter(fmt.Sprintf("client %d %s", l.number, what), d.Frame) })
		return none{}
	})
}

// leave takes the client out of its server's session, which is over when nobody is left.
func (l *link) leave(d *dissect.D) {
	if l.number == 0 || l.phase == phaseClosed || l.phase == phaseRefused {
		return
	}
	l.enter(d, "left")
	server, _ := l.ends(d)
	hosts.FirstPassAt(d, server, func(h *host) none {
		if h.open--; h.open <= 0 {
			h.open = 0
			d.Session().InGame(h.game, func(g *dissect.Game) { g.Over = true })
		}
		return none{}
	})
}

// sendOff counts clients that the server sends away at once: it does that when it closes.
func (l *link) sendOff(d *dissect.D, v *view) {
	hosts.FirstPassAt(d, d.Src, func(h *host) none {
		if h.peer != 0 && d.Time()-h.sentOff <= togetherTime {
			h.peers++
			v.rare.peers, v.rare.peer = h.peers, h.peer
			d.Link(h.peer, fPeerNext, nil)
		} else {
			h.peers = 1
		}
		h.sentOff, h.peer = d.Time(), d.Frame
		return none{}
	})
}

// togetherTime is how far apart Disconnections may be that a closing server sends to all its clients.
const togetherTime = 100e6
