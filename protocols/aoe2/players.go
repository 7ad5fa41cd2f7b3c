package aoe2

import (
	"fmt"

	"remora/dissect"
)

var (
	fPlayer = proto.Uint8("player", "Player",
		"Who did this: the player named in the packet, or the sender as far as this capture has told.").Format(playerText).
		Derived()
	fSender = proto.Uint8("sender", "Sender's player id",
		"Player id of the sender, when it is not the player named in the packet: computer players act through their host.").
		Format(playerText).Derived()
	fHost = proto.Bool("host", "Sender is the host", "Whether the sender hosts the lobby.").Derived().
		TrueFalse("yes", "no")
	fJoined = proto.Uint8("joined", "Joined as number",
		"Order of joining, by the spacing of the network ids from the host's: neighbours are 2 apart.").Derived()
	fSlot    = proto.Uint8("slot", "Slot", "The sender's slot in the lobby, from 1.").Derived()
	fCivName = proto.Uint8("civilisation", "Civilisation", "The sender's civilisation by the lobby settings.").
			Named(civilisations).Derived()
	fCopyOf = proto.FrameRef("copy_of", "Same packet as", "The same packet to another player: everybody gets one.")
	fRepeat = proto.FrameRef("repeat", "Repeats", "The same packet to the same player.")

	nElsewhere = proto.Expert("source.elsewhere", dissect.Warn,
		"This network id has another address so far: the packet is perhaps forged")
	nGone = proto.Expert("source.gone", dissect.Hint, "The sender had left the game")
)

// A senderNote is the player who sent a packet.
type senderNote struct {
	number, slot, civ, joined uint8
	flags                     uint8
	id                        uint32
}

const (
	senderHost = 1 << iota
	senderElsewhere
	senderGone
	senderCiv
)

// name is the name of the player who acts: the one given, or else the sender.
func (s senderNote) name(number uint8) string {
	if number == 0 {
		number = s.number
	}
	if number == 0 {
		return fmt.Sprintf("player 0x%08x", s.id)
	}
	return playerText(uint64(number))
}

// meet learns who sends, and to whom.
func meet(d *dissect.D, h *head) senderNote {
	n := senderNotes.of(d, func(w *world) senderNote { return w.meet(d, h) })
	n.id = h.source
	if n.flags&senderElsewhere != 0 {
		d.Expert(nElsewhere)
	}
	if n.flags&senderGone != 0 {
		d.Expert(nGone)
	}
	return n
}

// who shows what is known of the sender, and of who acts.
func who(d *dissect.D, s senderNote, acts uint8) {
	if acts == 0 {
		acts = s.number
	}
	if acts != 0 {
		d.Set(fPlayer, uint64(acts))
	}
	if s.number != 0 && s.number != acts {
		d.Set(fSender, uint64(s.number))
	}
	if s.flags&senderHost != 0 {
		d.Set(fHost, 1)
	}
	if s.joined != 0 {
		d.Set(fJoined, uint64(s.joined))
	}
	if s.slot != 0 {
		d.Set(fSlot, uint64(s.slot))
	}
	if s.flags&senderCiv != 0 {
		d.Set(fCivName, uint64(s.civ))
	}
}

func (w *world) link(d *dissect.D) *link {
	var id uint32
	if c := d.Conversation(); c != nil {
		id = c.ID
	}
	return w.links.Get(id, maxLinks)
}

func (w *world) meet(d *dissect.D, h *head) (n senderNote) {
	if h.source == 0 {
		return n
	}
	l := w.link(d)
	p := l.who[d.Dir]
	if p == nil || p.id != h.source {
		p = w.find(d, l, h)
	}
	if h.destination != 0 && h.destination != h.source && (l.who[1-d.Dir] == nil || l.who[1-d.Dir].id != h.destination) {
		if other := l.game.player(d, h.destination, d.Dst); other != nil && l.who[1-d.Dir] == nil {
			l.who[1-d.Dir] = other
		}
	}
	if p == nil { // more players than a game has
		return n
	}
	p.lastSeen = d.Time()
	if p.end.Addr != d.Src.Addr {
		n.flags |= senderElsewhere
	}
	if p.gone {
		n.flags |= senderGone
	}
	g := l.game
	d.Session().InGame(g.id, nil)
	if g.host == p {
		n.flags |= senderHost
	}
	if p.slot != 0 && g.settingsFrame != 0 {
		n.flags |= senderCiv
	}
	n.number, n.slot, n.civ, n.joined = p.number, p.slot, p.civ, g.joined(p)
	return n
}

// find finds the game and the player behind a network id, or makes them.
func (w *world) find(d *dissect.D, l *link, h *head) *player {
	g := w.game(d, h.source)
	if l.game != g {
		*l = link{game: g}
	}
	p := g.player(d, h.source, d.Src)
	switch {
	case p == nil || p.end.Addr != d.Src.Addr:
		return p
	case p.end != d.Src: // another port of the same machine, as routers give out
		p.end, p.role = d.Src, ""
		g.present(d, p)
	}
	l.who[d.Dir] = p
	return p
}

// near is how far apart the network ids of one game may be; in samples they share their upper three bytes.
const near = 256

func (g *game) has(id uint32) bool {
	for _, p := range g.players {
		if apart := p.id - id; apart < near || -apart < near {
			return true
		}
	}
	return false
}

// recently is for how long a game is looked for by its network ids alone.
const recently = 120e9

// game finds the game of an id: that of one of the ends, or one that was active with neighbouring ids.
func (w *world) game(d *dissect.D, id uint32) *game {
	src, dst := w.ends.Get(d.Src, maxEnds), w.ends.Get(d.Dst, maxEnds)
	var g *game
	switch {
	case src.game != nil && src.game.has(id):
		g = src.game
	case dst.game != nil && dst.game.has(id):
		g = dst.game
	default:
		for _, other := range w.games {
			if other.has(id) && d.Time()-max(other.lastTime, other.lastTurn) < recently {
				g = other
			}
		}
	}
	if g == nil {
		g = &game{id: d.Session().NewGame("Age of Empires II"), lastTime: d.Time()}
		if len(w.games) >= maxGames {
			w.games = append(w.games[:0], w.games[1:]...)
		}
		w.games = append(w.games, g)
	}
	src.game, dst.game = g, g
	return g
}

// player finds a player by the network id, or makes one who lives at e.
func (g *game) player(d *dissect.D, id uint32, e dissect.Endpoint) *player {
	for _, p := range g.players {
		if p.id == id {
			return p
		}
	}
	if len(g.players) >= maxPlayers {
		return nil
	}
	p := &player{id: id, end: e, lastSeen: d.Time()}
	for i := range g.settingsSlots() {
		if g.slotID(i) == id {
			p.slot = uint8(i + 1)
		}
	}
	g.players = append(g.players, p)
	g.present(d, p)
	return p
}

// present sets the name and role of a player's endpoint.
func (g *game) present(d *dissect.D, p *player) {
	role := "player"
	if p.number != 0 {
		role = playerText(uint64(p.number))
	}
	if g.host == p {
		role += ", host"
	}
	if role == p.role {
		return
	}
	p.role = role
	d.Ends().Role(p.end, role)
	d.Session().InGame(g.id, func(e *dissect.Game) { e.Join(p.end, role, "", d.Frame) })
}

// civilise names a player by the civilisation, which is all that the game's packets say.
func (g *game) civilise(d *dissect.D, p *player) {
	name := civilisations[uint64(p.civ)]
	if name == "" || p.civ == 0 || name == "random" {
		return
	}
	d.Ends().Name(p.end, name)
	d.Session().InGame(g.id, func(e *dissect.Game) { e.Join(p.end, "", name, d.Frame) })
}

// learn takes a player id that a player told of itself. What is taken from the slot is only kept until then.
func (g *game) learn(d *dissect.D, p *player, number uint8, told bool) {
	if p == nil || number < 1 || number > 8 || p.end != d.Src || p.sure || p.number != 0 && !told {
		return
	}
	p.number, p.sure = number, told
	g.present(d, p)
}

// joined is the order in which a player joined, by the distance to the host's id: neighbours are 2 apart, up or down.
func (g *game) joined(p *player) uint8 {
	if g.host == nil {
		return 0
	}
	apart := min(p.id-g.host.id, g.host.id-p.id)
	if apart%2 != 0 || apart > 2*(maxPlayers-1) {
		return 0
	}
	return uint8(apart/2 + 1)
}

// sender is the player of a packet that was met.
func (w *world) sender(d *dissect.D, h *head) (*game, *player) {
	l := w.link(d)
	if l.game == nil {
		return nil, nil
	}
	for _, p := range l.game.players {
		if p.id == h.source {
			return l.game, p
		}
	}
	return l.game, nil
}
