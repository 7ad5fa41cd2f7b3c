package stats

import (
	"cmp"
	"slices"
	"sync"

	"remora/dissect"
	"remora/internal/sorting"
)

// A PlayerTypes is what one player of a game sent, or with the zero Player what came from ends that are none: by packet
// type, most first.
type PlayerTypes struct {
	Game   *dissect.Game
	Player dissect.Player
	Group  // without rates over time
	Types  []PlayerType
}

// A PlayerType is one packet type of a player.
type PlayerType struct {
	Name  string // "" for packets without a type
	Value uint64 // of a type without a name
	Field *dissect.Field
	Group // without rates over time
}

// Of what is kept: maxPlayerKeys bounds the directions of conversations with the layer stacks of their packets,
// maxPlayerCells those of them whose gaps and lengths are measured.
const (
	maxPlayerKeys  = 1 << 16
	maxPlayerCells = 1 << 12
)

// Players counts what each player of each game sends. One goroutine counts while others may ask.
type Players struct {
	s    *dissect.Session
	mu   sync.Mutex
	sent map[sentKey]*sentCount
	keys []sentKey
}

type sentKey struct {
	conv  uint32
	dir   int
	shape uint32
}

type sentCount struct {
	Count
	first, last int64
	cell        *cell // nil beyond maxPlayerCells
}

// NewPlayers is a count of nothing yet.
func NewPlayers(s *dissect.Session) *Players {
	return &Players{s: s, sent: map[sentKey]*sentCount{}}
}

// Frames counts frames.
func (p *Players) Frames(frames []dissect.FrameNum) {
	for _, n := range frames {
		p.Frame(n)
	}
}

// Frame counts a frame.
func (p *Players) Frame(n dissect.FrameNum) {
	p.mu.Lock()
	defer p.mu.Unlock()
	conv, dir := p.s.DirectionOf(n)
	if conv == 0 {
		return
	}
	sh := p.s.LayerStackOf(n)
	if p.s.StackTop(sh).KindField() == nil {
		return // no game is without packet types
	}
	k := sentKey{conv, dir, sh.ID}
	m := p.s.Store().Meta(int(n) - 1)
	c := p.sent[k]
	if c == nil {
		if len(p.sent) >= maxPlayerKeys {
			return
		}
		c = &sentCount{first: m.Time}
		if len(p.sent) < maxPlayerCells {
			c.cell = &cell{sample: n}
		}
		p.sent[k], p.keys = c, append(p.keys, k)
	}
	if c.cell != nil {
		c.cell.sizes.add(m.Len)
		c.cell.gaps.add(m.Time, conv)
	}
	c.add(Count{1, uint64(m.Len)})
	c.last = m.Time
}

// All is what the players of each game sent, in the order of the games and of their players, others last.
func (p *Players) All() []PlayerTypes {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []PlayerTypes
	games := p.s.Games()
	for i := range games {
		g := &games[i]
		rows := make([]PlayerTypes, len(g.Players)+1)
		for k := range rows {
			rows[k].Game = g
			if k < len(g.Players) {
				rows[k].Player = g.Players[k]
			}
		}
		for _, k := range p.keys {
			if slices.Contains(g.Convs, k.conv) && p.s.StackTop(p.s.LayerStack(k.shape)) == g.Protocol {
				rows[senderOf(g, p.s.Conversation(k.conv), k.dir)].take(p.s.LayerStack(k.shape), p.sent[k])
			}
		}
		for k := range rows {
			if r := &rows[k]; r.Packets > 0 {
				r.measure()
				for i := range r.Types {
					r.Types[i].measure()
				}
				sorting.Stable(r.Types, func(a, b PlayerType) int { return cmp.Compare(b.Packets, a.Packets) })
				out = append(out, *r)
			}
		}
	}
	return out
}

// senderOf is which player sends in a direction of a conversation: the number of players for nobody of them.
func senderOf(g *dissect.Game, c *dissect.Conversation, dir int) int {
	end := c.A
	if dir == 1 {
		end = c.B
	}
	if i := slices.IndexFunc(g.Players, func(p dissect.Player) bool { return p.Endpoint == end }); i >= 0 {
		return i
	}
	return len(g.Players)
}

// take adds the packets of a layer stack: once in all, and for each of their types.
func (r *PlayerTypes) take(sh *dissect.LayerStack, c *sentCount) {
	r.takeSent(c)
	f := r.Game.Protocol.KindField()
	typed := false
	for _, k := range sh.Kinds {
		if k.Field == f.ID() {
			r.takeType(PlayerType{Name: f.ValueName(k.Value), Value: k.Value, Field: f}, c)
			typed = true
		}
	}
	if !typed {
		r.takeType(PlayerType{}, c)
	}
}

func (r *PlayerTypes) takeType(t PlayerType, c *sentCount) {
	i := slices.IndexFunc(r.Types, func(o PlayerType) bool {
		return o.Field == t.Field && o.Name == t.Name && (t.Name != "" || o.Value == t.Value)
	})
	if i < 0 {
		i = len(r.Types)
		r.Types = append(r.Types, t)
	}
	r.Types[i].takeSent(c)
}

// takeSent adds what was counted of one layer stack, conversation and direction.
func (g *Group) takeSent(c *sentCount) {
	if g.Packets == 0 {
		g.First, g.Last = c.first, c.last
	}
	g.Count.add(c.Count)
	g.First, g.Last = min(g.First, c.first), max(g.Last, c.last)
	if c.cell != nil && !slices.Contains(g.cells, c.cell) {
		g.cells = append(g.cells, c.cell)
	}
}

// measure works out gaps and lengths of what was taken; the cells are let go, as their counting goes on.
func (g *Group) measure() {
	m := sum(g.cells)
	g.Gap, g.Jitter, g.Gaps, g.Sizes, g.OtherSizes, g.cells = m.Gap, m.Jitter, m.Gaps, m.Sizes, m.OtherSizes, nil
}
