package dissect

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"remora/internal/sorting"
)

// A Subject is what the sides of a game tell each other of every tick, so that one can be held against the other: a
// player's input, a checksum of the world. Declare it as a package variable. Text writes a value in the few words of a
// line; form is what the TickValue had.
type Subject struct {
	Title string
	Tick  string // what ticks are called: "frame", "turn"
	Text  func(value uint64, form uint16) string
}

// A TickValue is one value that one side of a game said, or was told, of one tick.
type TickValue struct {
	Game  uint32 // as NewGame gave it
	Round uint32 // where ticks are counted anew: a match, a start. It never falls
	Tick  uint32
	About *Subject
	Of    uint8    // the player whom it is about, 0 for all
	Side  uint32   // who, by the protocol's own count: what one side says twice is no comparison
	Frame FrameNum // where it stands, 0 for the packet under way
	Value uint64
	Form  uint16 // for the Subject's Text
}

// What is remembered: of every subject of a game the newest ticks, of each the first sides that told; and of every game
// the first disagreements.
const (
	tickRing         = 512
	tickSides        = 4
	maxTickTracks    = 512
	maxDisagreements = 1000
	maxReports       = 16 // tellings of one disagreement
)

type tickTable struct {
	mu      sync.RWMutex
	version atomic.Uint64
	games   map[uint32]*tickGame
	tracks  int
}

type tickGame struct {
	tracks []*tickTrack
	list   []Disagreement
	more   int
}

type tickTrack struct {
	Comparison
	ring [tickRing]tickSlot
}

// A tickSlot is one tick. All that is in said have its value; what differs is in a Disagreement.
type tickSlot struct {
	value    uint64
	round    uint32
	tick     uint32
	reports  [tickSides]tickSource
	n        uint8
	compared bool
	differs  bool
	form     uint16
	list     int32 // place among the disagreements and one, 0 for none
}
type tickSource struct {
	side  uint32
	frame FrameNum
}

// A Comparison is what came of one subject of a game.
type Comparison struct {
	About    *Subject
	Of       uint8
	Reported uint64 // ticks of which anybody told
	Compared uint64 // of them those that two sides told, or one in two ways
	Differ   uint64 // of them those told differently
	Sides    int    // that told, as far as counted
	sides    [tickSides]uint32
}

// A Disagreement is one tick of which something was told in two ways. The first two of Said are the first that differ.
type Disagreement struct {
	About   *Subject
	Of      uint8
	Round   uint32
	Tick    uint32
	Reports []TickReport
}

// A TickReport is one telling of a disagreement.
type TickReport struct {
	Frame FrameNum
	Side  uint32
	Value uint64
	Form  uint16
}

// Text is the value in words.
func (s TickReport) Text(about *Subject) string { return about.Text(s.Value, s.Form) }

// An Agreement is what came of all subjects of a game. Disagreements are in the order in which they were found; More is
// how many further ones are not listed.
type Agreement struct {
	Game          uint32
	Subjects      []Comparison
	Disagreements []Disagreement
	More          int
}

// Compare holds what a side says of a tick against what other sides said of it. It counts in the first pass alone, so
// it belongs into the closures of a Store. It returns the packet that said otherwise, 0 when none did.
func (hd *SessionState) Compare(t TickValue) FrameNum {
	d := (*D)(hd)
	d.alive()
	if !d.first || d.quoted || t.Game == 0 {
		return 0
	}
	if t.Frame == 0 {
		t.Frame = d.Frame
	}
	b := &d.s.ticks
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.take(&t)
}

func (b *tickTable) take(t *TickValue) FrameNum {
	g := b.games[t.Game]
	if g == nil {
		if b.games == nil {
			b.games = map[uint32]*tickGame{}
		}
		g = &tickGame{}
		b.games[t.Game] = g
	}
	k := b.track(g, t)
	if k == nil {
		return 0
	}
	e := &k.ring[t.Tick%tickRing]
	if e.n > 0 && (e.round > t.Round || e.round == t.Round && e.tick > t.Tick) {
		return 0 // too long ago
	}
	b.version.Add(1)
	k.side(t.Side)
	if e.n == 0 || e.round != t.Round || e.tick != t.Tick {
		*e = tickSlot{value: t.Value, round: t.Round, tick: t.Tick, n: 1, form: t.Form}
		e.reports[0] = tickSource{t.Side, t.Frame}
		k.Reported++
		return 0
	}
	known := false
	for _, s := range e.reports[:e.n] {
		known = known || s.side == t.Side
	}
	same := e.value == t.Value && e.form == t.Form
	if !e.compared && (!known || !same) {
		e.compared = true
		k.Compared++
	}
	if same {
		if known {
			return 0
		}
		if int(e.n) < tickSides {
			e.reports[e.n] = tickSource{t.Side, t.Frame}
			e.n++
		}
		g.add(e, t)
		return 0
	}
	if !e.differs {
		e.differs = true
		k.Differ++
		g.start(e, t)
	} else {
		g.add(e, t)
	}
	return e.reports[0].frame
}

func (b *tickTable) track(g *tickGame, t *TickValue) *tickTrack {
	for _, k := range g.tracks {
		if k.About == t.About && k.Of == t.Of {
			return k
		}
	}
	if b.tracks >= maxTickTracks {
		b.dropOldest(t.Game)
	}
	if b.tracks >= maxTickTracks {
		return nil
	}
	b.tracks++
	k := &tickTrack{Comparison: Comparison{About: t.About, Of: t.Of}}
	g.tracks = append(g.tracks, k)
	return k
}

// dropOldest forgets the oldest game but this one.
func (b *tickTable) dropOldest(but uint32) {
	oldest := uint32(0)
	for id := range b.games {
		if id != but && (oldest == 0 || id < oldest) {
			oldest = id
		}
	}
	if g := b.games[oldest]; g != nil {
		b.tracks -= len(g.tracks)
		delete(b.games, oldest)
	}
}

func (k *tickTrack) side(side uint32) {
	for _, s := range k.sides[:k.Sides] {
		if s == side {
			return
		}
	}
	if k.Sides < tickSides {
		k.sides[k.Sides] = side
		k.Sides++
	}
}

// start writes a disagreement down: the first two that differ in front, then whoever agreed with the first before.
func (g *tickGame) start(e *tickSlot, t *TickValue) {
	if len(g.list) >= maxDisagreements {
		g.more++
		return
	}
	d := Disagreement{About: t.About, Of: t.Of, Round: t.Round, Tick: t.Tick}
	for i, s := range e.reports[:e.n] {
		d.Reports = append(d.Reports, TickReport{s.frame, s.side, e.value, e.form})
		if i == 0 {
			d.Reports = append(d.Reports, TickReport{t.Frame, t.Side, t.Value, t.Form})
		}
	}
	g.list = append(g.list, d)
	e.list = int32(len(g.list))
}

// add adds a telling to the disagreement of its tick, if there is one.
func (g *tickGame) add(e *tickSlot, t *TickValue) {
	if e.list == 0 {
		return
	}
	d := &g.list[e.list-1]
	for _, s := range d.Reports {
		if s.Side == t.Side && s.Value == t.Value {
			return
		}
	}
	if len(d.Reports) < maxReports {
		d.Reports = append(d.Reports, TickReport{t.Frame, t.Side, t.Value, t.Form})
	}
}

// SyncVersion changes whenever Agreements may have changed.
func (s *Session) SyncVersion() uint64 { return s.ticks.version.Load() }

// Agreements are copies of what came of the games whose protocols compare what the sides were told, by the games'
// number.
func (s *Session) Agreements() []Agreement {
	b := &s.ticks
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := make([]Agreement, 0, len(b.games))
	for id, g := range b.games {
		a := Agreement{Game: id, More: g.more, Disagreements: slices.Clone(g.list)}
		for i := range a.Disagreements {
			a.Disagreements[i].Reports = slices.Clone(a.Disagreements[i].Reports)
		}
		for _, k := range g.tracks {
			a.Subjects = append(a.Subjects, k.Comparison)
		}
		sorting.Stable(a.Subjects, func(a, b Comparison) int { return cmp.Compare(a.Of, b.Of) })
		out = append(out, a)
	}
	sorting.Func(out, func(a, b Agreement) int { return int(a.Game) - int(b.Game) })
	return out
}

// EndsOf are a packet's source and destination in its conversation, as the index has them.
func (s *Session) EndsOf(n FrameNum) (src, dst Endpoint) {
	id, dir := s.DirectionOf(n)
	if id == 0 {
		return src, dst
	}
	c := s.Conversation(id)
	if dir == 1 {
		return c.B, c.A
	}
	return c.A, c.B
}
