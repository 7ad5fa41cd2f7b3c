package touhou

import (
	"fmt"

	"remora/dissect"
)

// A play is one session of a host and a client, with the spectators below them: several matches.
type play struct {
	game                 uint32
	host, client         dissect.Endpoint // zero where only spectators were captured
	hostName, clientName string
	over                 bool
	scene                uint8
	matches              uint8
	next, current        *match // as the players settled them; nil where that was not captured
	pending              string // what the next match will be
	spectators           int
	record               record
}

// of reports whether the two endpoints are its players.
func (p *play) of(a, b dissect.Endpoint) bool {
	return p.host == a && p.client == b || p.host == b && p.client == a
}

// players is the play of the packet's link, which players alone use: the sender is the host if fromHost.
func (w *world) players(d *dissect.D, fromHost bool) *play {
	l := w.link(d)
	host, client := d.Src, d.Dst
	if !fromHost {
		host, client = client, host
	}
	if p := l.play; p != nil && !p.over && p.of(host, client) {
		d.Session().InGame(p.game, nil)
		return p
	}
	p := w.peer(client).play
	if p == nil || p.over || p.host != (dissect.Endpoint{}) { // else spectators were captured before their players
		p = &play{game: d.Session().NewGame("Hisoutensoku match")}
	}
	p.host, p.client = host, client
	l.play = p
	l.tracks, l.settings, l.desynced, l.giuroll = [2]*track{}, settings{}, false, [2]*giurollSide{}
	h, c := w.peer(host), w.peer(client)
	h.play, c.play = p, p
	w.role(d, host, "host")
	w.role(d, client, "client")
	w.adopt(d, host, client)
	d.Session().InGame(p.game, func(g *dissect.Game) {
		g.Join(host, "host", h.name, d.Frame)
		g.Join(client, "client", c.name, d.Frame)
		g.Enter("connecting", d.Frame)
	})
	return p
}

// watch is the play that a spectator below parent sees. Where no player was captured, it is one of its own.
func (w *world) watch(d *dissect.D, parent, child dissect.Endpoint) *play {
	l, up, c := w.link(d), w.peer(parent), w.peer(child)
	p := up.play
	if p == nil {
		p = &play{game: d.Session().NewGame("Hisoutensoku match, watched")}
		up.play = p
	}
	if c.play != p {
		c.play = p
		p.spectators++
		w.role(d, child, fmt.Sprintf("spectator %d", p.spectators))
	}
	l.play = p
	d.Session().InGame(p.game, func(g *dissect.Game) {
		g.Join(child, c.role, c.name, d.Frame)
		g.Casts(child, dissect.Watches)
	})
	return p
}

// spectates notes that the sender asks for replays: it is a spectator below the receiver.
func (w *world) spectates(d *dissect.D) {
	w.adopt(d, d.Dst, d.Src)
	w.watch(d, d.Dst, d.Src)
}

// names keeps the names that an INIT_SUCCESS carries.
func (p *play) names(w *world, d *dissect.D, host, client string) {
	if host == "" && client == "" {
		return
	}
	p.hostName, p.clientName = host, client
	if p.host != (dissect.Endpoint{}) {
		w.name(d, p.host, host)
		w.name(d, p.client, client)
	}
	d.Session().InGame(p.game, func(g *dissect.Game) {
		g.Title = host + " vs " + client
		if p.host != (dissect.Endpoint{}) {
			g.Join(p.host, "host", host, d.Frame)
			g.Join(p.client, "client", client, d.Frame)
		}
	})
}

// scene takes the packets that announce scenes and matches; a scene begins when its LOADED is acknowledged.
func (w *world) scene(d *dissect.D, kind uint64, scene uint8) (n linkNote) {
	p := w.players(d, kind>>8 == hostGame)
	if kind&0xff == subLoadedAck && (scene == sceneSelect || scene == sceneBattle) {
		w.enter(d, p, scene)
	}
	l := w.link(d)
	switch key := kind<<8 | uint64(scene); kind & 0xff {
	case subLoaded, subMatchRequest:
		if s := &l.announced[d.Dir]; s.key == key {
			n.frame = s.first
		} else {
			*s = announcement{key, d.Frame}
		}
	case subLoadedAck, subMatchAck:
		l.announced[1-d.Dir] = announcement{}
	}
	return n
}

// enter begins a scene of a play, unless it is in it already.
func (w *world) enter(d *dissect.D, p *play, scene uint8) {
	if p.scene == scene {
		return
	}
	p.scene = scene
	l := w.link(d)
	l.tracks[trackOf(scene)] = nil
	if scene == sceneSelect {
		d.Session().InGame(p.game, func(g *dissect.Game) { g.Enter("character select", d.Frame) })
		return
	}
	p.matches++
	p.current, p.next = p.next, nil
	w.startRecord(p)
	l.states, l.desynced, l.giuroll = [2]*[stateRing]stateSeen{}, false, [2]*giurollSide{}
	p.phase(d, p.matches)
}

func (p *play) phase(d *dissect.D, number uint8) {
	name := fmt.Sprintf("match %d", number)
	if p.pending != "" {
		name += ": " + p.pending
	}
	d.Session().InGame(p.game, func(g *dissect.Game) { g.Enter(name, d.Frame) })
}

// match takes what GAME_MATCH says of the next match, and counts it.
func (w *world) match(d *dissect.D, m *match) (n linkNote) {
	if !m.toSpectator {
		p := w.players(d, true)
		p.next, p.pending = m, m.title()
		n.count = uint32(p.matches) + 1
		return n
	}
	p := w.watch(d, d.Src, d.Dst)
	n.count = uint32(m.id)
	switch {
	case m.cut:
		p.pending = m.title()
	case p.scene == 0: // the players themselves were not captured
		p.pending = m.title()
		p.matches = max(m.id, 1) - 1 // a battle that is seen later counts it
		p.phase(d, m.id)
	case p.scene != sceneBattle && p.next != nil && p.next.same(m): // the battle is about to begin, and counts it
		p.matches = max(p.matches, max(m.id, 1)-1)
	case p.matches < m.id: // the capture began after the first match
		p.matches = m.id
	}
	if p.scene == sceneBattle && p.matches == m.id && p.current != nil && !p.current.same(m) {
		n.flags |= flagOtherMatch
	}
	return n
}
