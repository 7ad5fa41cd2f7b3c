package dissect

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"remora/internal/sorting"
)

// An End is the name ("mario") and the role ("P1", "host") of an endpoint. Either may be empty.
type End struct{ Name, Role string }

// Label is what people see instead of the address: role and name, whichever are known, or "".
func (e End) Label() string {
	switch {
	case e.Role == "":
		return e.Name
	case e.Name == "":
		return e.Role
	}
	return e.Role + " " + e.Name
}

// endAt is the name and role of an endpoint from a frame on.
type endAt struct {
	since FrameNum
	end   End
	spelt []spelling // how later frames spell the name, in their order
}

// A spelling is how the bytes of a name read once a frame told their character set.
type spelling struct {
	since FrameNum
	name  string
}

// read is the end with its name as it was spelt when a frame had passed.
func (h *endAt) read(upTo FrameNum) End {
	end := h.end
	for i := len(h.spelt) - 1; i >= 0; i-- {
		if h.spelt[i].since <= upTo {
			end.Name = h.spelt[i].name
			break
		}
	}
	return end
}

// never is a frame behind all: what is known now.
const never = FrameNum(math.MaxUint32)

// endTable keeps the history of names and roles, so that the re-dissection of an early frame does not show what only
// later frames said.
type endTable struct {
	mu      sync.RWMutex
	all     map[Endpoint][]endAt
	changes atomic.Uint64
}

func (b *endTable) change(e Endpoint, n FrameNum, edit func(*End)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.all[e]
	var end End
	if len(h) > 0 {
		end = h[len(h)-1].read(never)
	}
	was := end
	edit(&end)
	if end == was {
		return
	}
	b.changes.Add(1)
	if len(h) > 0 && h[len(h)-1].since == n {
		h[len(h)-1] = endAt{since: n, end: end}
		return
	}
	if len(h) < 64 { // an end that changes its name all the time is hostile or broken
		b.all[e] = append(h, endAt{since: n, end: end})
	}
}

// respell spells the name that an end has in another way, from the frame on that gave it.
func (b *endTable) respell(e Endpoint, n FrameNum, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.all[e]
	if len(h) == 0 || len(h[len(h)-1].spelt) >= 64 || h[len(h)-1].read(never).Name == name {
		return
	}
	b.changes.Add(1)
	for i, was := len(h)-1, h[len(h)-1].end.Name; i >= 0 && h[i].end.Name == was; i-- {
		h[i].spelt = append(h[i].spelt, spelling{n, name})
	}
}

// trim forgets the endpoints that changed the longest time ago where there are too many, and tells how many.
func (b *endTable) trim(limit int) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes.Add(1)
	b.all, n = trim(b.all, limit, func(h []endAt) FrameNum { return h[len(h)-1].since })
	return n
}

// at is what an end is called at a frame, as it was spelt when another one had passed.
func (b *endTable) at(e Endpoint, n, upTo FrameNum) End {
	end, _ := b.within(e, n, upTo)
	return end
}

// within is what at is, and where the last change of it stands.
func (b *endTable) within(e Endpoint, n, upTo FrameNum) (end End, last FrameNum) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	h := b.all[e]
	if len(h) == 0 {
		return end, 0
	}
	last = h[len(h)-1].since
	if spelt := h[len(h)-1].spelt; len(spelt) > 0 {
		last = spelt[len(spelt)-1].since
	}
	if i := sort.Search(len(h), func(i int) bool { return h[i].since > n }); i > 0 {
		end = h[i-1].read(upTo)
	}
	return end, last
}

// Name says what an endpoint is called from this frame on. It has an effect in the first pass only; re-dissections
// find what that wrote down.
func (hd *Ends) Name(e Endpoint, name string) {
	d := (*D)(hd)
	d.alive()
	if d.first && !d.quoted {
		d.again = d.again || d.endsRead
		d.s.ends.change(e, d.Frame, func(end *End) { end.Name = name })
	}
}

// Respell says how the name that an endpoint has is spelt, as its character set is known now; the packets in front of
// this one show it, too.
func (hd *Ends) Respell(e Endpoint, name string) {
	d := (*D)(hd)
	d.alive()
	if d.first && !d.quoted {
		d.again = d.again || d.endsRead
		d.s.ends.respell(e, d.Frame, name)
	}
}

// Role says what an endpoint is, such as "server", from this frame on. It has an effect in the first pass only.
func (hd *Ends) Role(e Endpoint, role string) {
	d := (*D)(hd)
	d.alive()
	if d.first && !d.quoted {
		d.again = d.again || d.endsRead
		d.s.ends.change(e, d.Frame, func(end *End) { end.Role = role })
	}
}

// Of is what was known of an end at this frame.
func (hd *Ends) Of(e Endpoint) End {
	d := (*D)(hd)
	d.endsRead = true
	return d.s.ends.at(e, d.Frame, d.spelt())
}

// spelt is the frame up to which it counts how names are spelt.
func (d *D) spelt() FrameNum {
	if d.past {
		return d.Frame
	}
	return never
}

// End is what was known of an end at a frame.
func (s *Session) End(e Endpoint, n FrameNum) End { return s.ends.at(e, n, never) }

// EndOf is what was known of an end at the tree's frame. Who prints as packets pass is told how its name was spelt
// then.
func (t *Tree) EndOf(e Endpoint) End {
	upTo := never
	if t.by != nil && t.by.past {
		upTo = t.Frame
	}
	return t.session.ends.at(e, t.Frame, upTo)
}

// Ends are all endpoints with a name or a role, as last known.
func (s *Session) Ends() map[Endpoint]End {
	s.ends.mu.RLock()
	defer s.ends.mu.RUnlock()
	out := make(map[Endpoint]End, len(s.ends.all))
	for e, h := range s.ends.all {
		out[e] = h[len(h)-1].read(never)
	}
	return out
}

// putEnds records the roles and names of the frame's ends, its direction, and the protocol that tops it.
func (d *D) putEnds() {
	if d.Wanted(fDir) && d.conv != nil {
		d.Set(fDir, uint64(d.Dir))
	}
	if d.Wanted(fTop) && !d.want.all { // whole trees show both already
		d.SetText(fTop, d.s.StackTop(d.t.LayerStack).Name())
	}
	if d.Wanted(fPath) && !d.want.all {
		d.SetText(fPath, d.s.StackPath(d.t.LayerStack))
	}
	if d.Wanted(fConversation) && !d.want.all && d.conv != nil {
		d.Set(fConversation, uint64(d.conv.ID))
		d.s.InnerConversations(d.Frame, func(conv uint32, _ int) { d.Set(fConversation, uint64(conv)) })
	}
	if d.Wanted(fType) && !d.want.all {
		for _, name := range d.s.TypeNames(d.t.LayerStack) {
			d.SetText(fType, name)
		}
	}
	if d.Wanted(fColProtocol) {
		d.SetText(fColProtocol, d.s.StackTop(d.t.LayerStack).Title())
	}
	if !d.Wanted(fRoleSrc) && !d.Wanted(fRoleDst) && !d.Wanted(fNameSrc) && !d.Wanted(fNameDst) {
		return
	}
	src, dst := d.Ends().Of(d.Src), d.Ends().Of(d.Dst)
	for _, v := range [...]struct {
		f    *Field
		text string
	}{{fRoleSrc, src.Role}, {fRoleDst, dst.Role}, {fNameSrc, src.Name}, {fNameDst, dst.Name}} {
		if v.text != "" {
			d.SetText(v.f, v.text)
		}
	}
}

// A Game is one session of a protocol in the sense of its users: a match, a call, a stream. It groups conversations
// and has players and phases.
type Game struct {
	ID       uint32
	Protocol *Protocol
	Title    string
	First    FrameNum
	Last     FrameNum
	Over     bool
	Players  []Player
	Phases   []Phase
	Convs    []uint32 // conversation IDs
}

// A Player takes part in a game.
type Player struct {
	Endpoint Endpoint
	Role     string
	Name     string
	Since    FrameNum
	Part     Part
}

// A Part is how somebody takes part in a game.
type Part uint8

// The parts.
const (
	Plays Part = iota
	Watches
	Serves // the players meet there
)

// Label is role and name of the player, whichever are known, or "".
func (p Player) Label() string { return End{Name: p.Name, Role: p.Role}.Label() }

// A Phase is a part of a game: character select, match 2.
type Phase struct {
	Name  string
	Since FrameNum
}

type gameTable struct {
	mu   sync.RWMutex
	list []*Game
	gone uint32 // games before it are forgotten
}

// trim forgets the oldest games where there are too many, and tells how many.
func (b *gameTable) trim(limit int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	if limit = min(max(limit, 64), maxGames-1); len(b.list) > limit {
		n = len(b.list) - limit*3/4
		b.list, b.gone = slices.Clone(b.list[n:]), b.gone+uint32(n)
	}
	return n
}

// maxGames bounds what a hostile capture can make us keep.
const maxGames = 10_000

// NewGame starts a game. It returns 0 in re-dissections: keep the number in the state of a Store, and use it only
// inside the closures of one.
func (hd *SessionState) NewGame(title string) uint32 {
	d := (*D)(hd)
	d.alive()
	if !d.first || d.quoted {
		return 0
	}
	b := &d.s.games
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.list) >= maxGames {
		return 0
	}
	g := &Game{ID: b.gone + uint32(len(b.list)) + 1, Protocol: d.proto, Title: title, First: d.Frame, Last: d.Frame}
	b.list = append(b.list, g)
	return g.ID
}

// InGame changes a game in the first pass: the frame and its conversation become part of it.
func (hd *SessionState) InGame(id uint32, change func(g *Game)) {
	d := (*D)(hd)
	d.alive()
	if !d.first || d.quoted || id == 0 {
		return
	}
	b := &d.s.games
	if id <= b.gone {
		return // evicted by the retention limit
	}
	at := b.list[id-1-b.gone]
	g := &d.game // a copy: others may look at the game meanwhile, also where change never comes back
	*g = *at
	g.Last = d.Frame
	if d.conv != nil && !slices.Contains(g.Convs, d.conv.ID) && len(g.Convs) < 256 {
		g.Convs = append(g.Convs, d.conv.ID)
	}
	if change != nil {
		d.settle()
		change(g)
		d.alive()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	*at = *g
}

// Join adds a player or changes what is known of one. Since is filled in by the caller's frame.
func (g *Game) Join(e Endpoint, role, name string, since FrameNum) {
	for i, p := range g.Players {
		if p.Endpoint == e {
			p.Role, p.Name = cmp.Or(role, p.Role), cmp.Or(name, p.Name)
			if p != g.Players[i] {
				g.Players = slices.Clone(g.Players) // InGame has others look at the old ones meanwhile
				g.Players[i] = p
			}
			return
		}
	}
	if len(g.Players) < 256 {
		g.Players = append(g.Players, Player{Endpoint: e, Role: role, Name: name, Since: since})
	}
}

// Casts says how a player who has joined takes part.
func (g *Game) Casts(e Endpoint, part Part) {
	for i, p := range g.Players {
		if p.Endpoint == e && p.Part != part {
			g.Players = slices.Clone(g.Players) // as in Join
			g.Players[i].Part = part
		}
	}
}

// Enter starts a phase, unless the game is in it already.
func (g *Game) Enter(phase string, since FrameNum) {
	if n := len(g.Phases); n > 0 && g.Phases[n-1].Name == phase || n >= 1024 {
		return
	}
	g.Phases = append(g.Phases, Phase{phase, since})
}

// HasGames tells whether any game was seen so far.
func (s *Session) HasGames() bool {
	s.games.mu.RLock()
	defer s.games.mu.RUnlock()
	return len(s.games.list) > 0
}

// place orders the players of a game: those whose role has a number, as P2 or "P1, host", by it, others behind them as
// they came.
func (p Player) place() int {
	digits, ok := strings.CutPrefix(p.Role, "P")
	if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		digits = digits[:end]
	}
	if n, err := strconv.Atoi(digits); ok && err == nil {
		return n
	}
	return math.MaxInt
}

// Subtitle is the game's title without the name of its protocol, where it begins with that: for a line that has it
// already.
func (g *Game) Subtitle() string {
	if rest, ok := strings.CutPrefix(g.Title, g.Protocol.Title()+" "); ok {
		return rest
	}
	return g.Title
}

// Games are copies of all games seen so far, in the order in which they began; their players in the order of their
// numbers.
func (s *Session) Games() []Game {
	s.games.mu.RLock()
	defer s.games.mu.RUnlock()
	out := make([]Game, len(s.games.list))
	for i, g := range s.games.list {
		out[i] = *g
		out[i].Players, out[i].Phases, out[i].Convs = slices.Clone(g.Players), slices.Clone(g.Phases), slices.Clone(g.Convs)
		sorting.Stable(out[i].Players, func(a, b Player) int { return cmp.Compare(a.place(), b.place()) })
	}
	return out
}
