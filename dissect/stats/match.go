package stats

import (
	"slices"
	"sync"
	"sync/atomic"

	"remora/dissect"
	"remora/internal/sorting"
)

// A Match is how one game runs, as far as its packets are counted.
type Match struct {
	Game    dissect.Game
	Players []MatchPlayer // in the order of the game's
	Stalls  []Stall       // in the order of their ends
	More    int           // stalls that are not listed
	Stalled int64         // how long the game stood still in all, in nanoseconds
	Last    int64         // when its last packet came
}

// A MatchPlayer is how the game runs for one who takes part.
type MatchPlayer struct {
	dissect.Player
	Count
	Tick                 uint64 // the newest frame or turn; 0: none is told
	TickName             string
	Latency, RoundTrip   Trend
	Lost, Saved, Repeats uint64
}

// A Stall is a time in which a game stood still, up to the packet that ended it, or told of it last.
type Stall struct {
	From, To int64
	Frame    dissect.FrameNum
	For      []string // who was waited for; nobody's input may have been missing
}

// What is kept: games, of each the first players, and stalls; a stall that begins before the last ones end is the same.
const (
	maxMatches      = 256
	maxMatchPlayers = 32
	maxStalls       = 1000
	stallsAtOnce    = 4
)

// A gameRole is what a field says of a game.
type gameRole struct {
	what  gameField
	stall int // of the protocol
	of    *dissect.GameFields
}

type gameField uint8

const (
	tickField gameField = iota
	latencyField
	tripField
	lostField
	savedField
	repeatField
	lengthField
	stallField
	missingField
)

// Matches counts how the games of a session run. One goroutine counts, anybody asks.
type Matches struct {
	s     *dissect.Session
	wants *dissect.Wants
	roles map[*dissect.Field]gameRole
	games []dissect.Game // as of the packets at hand

	mu   sync.Mutex
	all  map[uint32]*matchCount
	seen int // exchanges
	upTo atomic.Uint32
}

type matchCount struct {
	players map[dissect.Endpoint]*MatchPlayer
	stalls  []Stall
	more    int
	last    int64
}

// NewMatches is a count of nothing yet.
func NewMatches(s *dissect.Session) *Matches {
	m := &Matches{s: s, roles: map[*dissect.Field]gameRole{}, all: map[uint32]*matchCount{}}
	var all []*dissect.GameFields
	all, m.wants = s.Registry().GameFields()
	for _, g := range all {
		for what, list := range [...][]*dissect.Field{tickField: g.Tick, latencyField: g.Latency, tripField: g.Trip,
			lostField:  g.Lost,
			savedField: g.Saved, repeatField: g.Repeats} {
			for _, f := range list {
				m.roles[f] = gameRole{gameField(what), 0, g}
			}
		}
		for i, s := range g.Stalls {
			m.roles[s.Length] = gameRole{lengthField, i, g}
			if s.Expert != nil {
				m.roles[s.Expert] = gameRole{stallField, i, g}
			}
			if s.Missing != nil {
				m.roles[s.Missing] = gameRole{missingField, i, g}
			}
		}
	}
	return m
}

// Begin takes the games as they are now, for the packets that are counted next.
func (m *Matches) Begin() { m.games = m.s.Games() }

// Frame counts a packet that has passed.
func (m *Matches) Frame(l *dissect.Dissector, n dissect.FrameNum) {
	g := m.gameOf(n)
	if g == nil {
		return
	}
	var t *dissect.Tree
	if m.s.StackHas(m.s.LayerStackOf(n), g.Protocol) {
		t = l.Redissect(n, m.wants)
	}
	meta := m.s.Store().Meta(int(n) - 1)
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.count(g.ID)
	if c == nil {
		return
	}
	c.last = max(c.last, meta.Time)
	p := c.player(g, m.s, n)
	if p == nil {
		return
	}
	p.add(Count{1, uint64(meta.Len)})
	if t != nil {
		m.read(c, p, t, n, meta.Time)
	}
}

// gameOf is the game that a packet is of, or nil: of several one after the other the latest that has begun.
func (m *Matches) gameOf(n dissect.FrameNum) *dissect.Game {
	conv, _ := m.s.DirectionOf(n)
	if conv == 0 {
		return nil
	}
	for i := len(m.games) - 1; i >= 0; i-- {
		if g := &m.games[i]; n >= g.First && (!g.Over || n <= g.Last) && slices.Contains(g.Convs, conv) {
			return g
		}
	}
	return nil
}

func (m *Matches) count(id uint32) *matchCount {
	c := m.all[id]
	if c == nil {
		if len(m.all) >= maxMatches {
			oldest := id
			for o := range m.all {
				oldest = min(oldest, o)
			}
			if oldest == id {
				return nil
			}
			delete(m.all, oldest)
		}
		c = &matchCount{players: map[dissect.Endpoint]*MatchPlayer{}}
		m.all[id] = c
	}
	return c
}

// player is whom a packet tells of: who watches in front of who plays in front of a server, among equals the sender.
func (c *matchCount) player(g *dissect.Game, s *dissect.Session, n dissect.FrameNum) *MatchPlayer {
	src, dst := s.EndsOf(n)
	var found *dissect.Player
	for _, end := range [...]dissect.Endpoint{src, dst} {
		i := slices.IndexFunc(g.Players, func(p dissect.Player) bool { return p.Endpoint == end })
		if i >= 0 && (found == nil || rank(g.Players[i].Part) < rank(found.Part)) {
			found = &g.Players[i]
		}
	}
	if found == nil {
		return nil
	}
	p := c.players[found.Endpoint]
	if p == nil && len(c.players) < maxMatchPlayers {
		p = &MatchPlayer{}
		c.players[found.Endpoint] = p
	}
	return p
}

func rank(p dissect.Part) int {
	return [...]int{dissect.Watches: 0, dissect.Plays: 1, dissect.Serves: 2}[p]
}

// read takes what the packet's tree tells.
func (m *Matches) read(c *matchCount, p *MatchPlayer, t *dissect.Tree, n dissect.FrameNum, at int64) {
	var of *dissect.GameFields
	var lengths [8]int64
	var told [8]bool
	var missing []string
	for i := range t.Nodes {
		f := t.Field(i)
		r, ok := m.roles[f]
		if !ok {
			continue
		}
		switch v := t.Nodes[i].Val; r.what {
		case tickField:
			p.Tick, p.TickName = v, f.Label()
		case latencyField:
			if x, unit, ok := m.duration(f, v, at); ok {
				p.Latency.add(at, x, n, unit)
			}
		case tripField:
			if x, unit, ok := m.duration(f, v, at); ok {
				p.RoundTrip.add(at, x, n, unit)
			}
		case lostField:
			p.Lost += howMany(f, v)
		case savedField:
			p.Saved += howMany(f, v)
		case repeatField:
			p.Repeats += howMany(f, v)
		case lengthField:
			if x, _, ok := m.duration(f, v, at); ok {
				of, lengths[r.stall&7] = r.of, int64(x)
			}
		case stallField:
			told[r.stall&7] = true
		case missingField:
			if who := t.Text(i); !slices.Contains(missing, who) {
				missing = append(missing, who)
			}
		}
	}
	if of == nil {
		return
	}
	for i, s := range of.Stalls {
		if lengths[i&7] <= 0 || s.Expert != nil && !told[i&7] {
			continue
		}
		who := missing
		if s.Missing == nil {
			who = []string{m.sender(n)}
		}
		c.stall(Stall{From: at - lengths[i&7], To: at, Frame: n, For: who})
	}
}

// sender is who sent a packet, as it is called there.
func (m *Matches) sender(n dissect.FrameNum) string {
	from, _ := SenderReceiver(m.s, n)
	return from
}

// howMany is what a field counts: its number, or one.
func howMany(f *dissect.Field, v uint64) uint64 {
	if f.IsExpert() || f.Type() == dissect.TypeFrame {
		return 1
	}
	return v
}

// duration is a time that a field tells in nanoseconds, or a number with its unit.
func (m *Matches) duration(f *dissect.Field, v uint64, at int64) (x float64, unit string, ok bool) {
	switch {
	case f.Type() == dissect.TypeFrame:
		if v == 0 || int(v) <= m.s.Store().First() || int(v) > m.s.Store().Len() {
			return 0, "", false
		}
		return float64(at - m.s.Store().Time(int(v)-1)), "", true
	case f.Type() == dissect.TypeSpan:
		return Number(f, v), "", true
	case f.Unit() == "ms":
		return Number(f, v) * 1e6, "", true
	}
	return Number(f, v), f.Unit(), true
}

// stall adds a stall, or makes one longer of which others told before.
func (c *matchCount) stall(s Stall) {
	for i := max(0, len(c.stalls)-stallsAtOnce); i < len(c.stalls); i++ {
		o := &c.stalls[i]
		if s.From >= o.To || s.To <= o.From {
			continue
		}
		o.From, o.To, o.Frame = min(o.From, s.From), max(o.To, s.To), max(o.Frame, s.Frame)
		for _, who := range s.For {
			if !slices.Contains(o.For, who) {
				o.For = append(slices.Clone(o.For), who)
			}
		}
		return
	}
	if len(c.stalls) >= maxStalls {
		c.stalls = c.stalls[:copy(c.stalls, c.stalls[1:])]
		c.more++
	}
	c.stalls = append(c.stalls, s)
}

// End says up to which packet all is decided, and takes the round trips up to there.
func (m *Matches) End(upTo dissect.FrameNum) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for ; m.seen < m.s.Exchanges(); m.seen++ {
		e := m.s.Exchange(m.seen)
		if e.Frame > upTo {
			break
		}
		if e.Asked != 0 && int(e.Asked) > m.s.Store().First() {
			m.answered(e)
		}
	}
	m.upTo.Store(max(m.upTo.Load(), uint32(upTo)))
}

func (m *Matches) answered(e dissect.Exchange) {
	g := m.gameOf(e.Frame)
	if g == nil || e.Protocol != g.Protocol {
		return
	}
	c := m.count(g.ID)
	if c == nil {
		return
	}
	if p := c.player(g, m.s, e.Frame); p != nil {
		at := m.s.Store().Time(int(e.Frame) - 1)
		p.RoundTrip.add(at, float64(at-m.s.Store().Time(int(e.Asked)-1)), e.Frame, "")
	}
}

// UpTo is the last packet that has been decided.
func (m *Matches) UpTo() dissect.FrameNum { return dissect.FrameNum(m.upTo.Load()) }

// All are the games as they run, in the order in which they began. Those of which nothing is counted have no numbers.
func (m *Matches) All() []Match {
	games := m.s.Games()
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]Match, len(games))
	for i, g := range games {
		out[i] = Match{Game: g, Players: make([]MatchPlayer, len(g.Players))}
		c := m.all[g.ID]
		for k, p := range g.Players {
			to := &out[i].Players[k]
			if c != nil && c.players[p.Endpoint] != nil {
				from := c.players[p.Endpoint]
				*to = *from
				to.Latency, to.RoundTrip = from.Latency.copied(), from.RoundTrip.copied()
			}
			to.Player = p
		}
		if c != nil {
			out[i].Stalls, out[i].More, out[i].Last = slices.Clone(c.stalls), c.more, c.last
			out[i].Stalled = covered(c.stalls)
		}
	}
	return out
}

// covered is the time that stalls cover together.
func covered(stalls []Stall) (sum int64) {
	end := int64(0)
	sorted := sorting.Sorted(slices.Values(stalls), func(a, b Stall) int { return int(min(max(a.From-b.From, -1), 1)) })
	for _, s := range sorted {
		if s.To > end {
			sum += s.To - max(s.From, end)
			end = s.To
		}
	}
	return sum
}
