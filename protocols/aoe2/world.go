package aoe2

import "remora/dissect"

// A world is everything remembered of a capture's games. All of it is bounded: maps and rings evict their oldest
// entries.
type world struct {
	games []*game // oldest first
	ends  dissect.BoundedMap[dissect.Endpoint, place]
	links dissect.BoundedMap[uint32, link] // by conversation
}

// The bounds of what is remembered.
const (
	maxGames   = 64
	maxPlayers = 16
	maxEnds    = 1024
	maxLinks   = 1024
	maxChecks  = 32
	maxRecent  = 64
	maxActs    = 128
)

type nothing struct{}

// notes are what packets of one kind leave behind for re-dissections. All kinds work on one state, because the players
// of a game talk on different conversations.
type notes[N comparable] struct{ dissect.Store[nothing, N] }

func newNotes[N comparable]() notes[N] { return notes[N]{dissect.NewStore[nothing, N]()} }

// of runs change on the world when the frame first passes, and keeps its note for re-dissections.
func (st *notes[N]) of(d *dissect.D, change func(*world) N) N {
	return st.FirstPassIn(d, func(*nothing) (n N) {
		worlds.FirstPassIn(d, func(w *world) nothing { n = change(w); return nothing{} })
		return n
	})
}

var (
	worlds        = dissect.NewStore[world, nothing]()
	senderNotes   = newNotes[senderNote]()
	timeNotes     = newNotes[timeNote]()
	counterNotes  = newNotes[counterNote]()
	turnNotes     = newNotes[turnNote]()
	checkNotes    = newNotes[checkNote]()
	dropNotes     = newNotes[dropNote]()
	actionNotes   = newNotes[actionNote]()
	chatNotes     = newNotes[chatNote]()
	readyNotes    = newNotes[readyNote]()
	hostNotes     = newNotes[hostNote]()
	settingsNotes = newNotes[settingsNote]()
	selections    = newNotes[selection]()
	meetings      = dissect.NewStore[meeting, nothing]()
	questions     = dissect.NewStore[question, nothing]()
)

// A place is what is known of an address and port.
type place struct{ game *game }

// A link is what is known of one conversation. Sides are numbered by d.Dir.
type link struct {
	game  *game
	who   [2]*player
	flows [2]flow
}

// A flow is what one player sends to another.
type flow struct {
	counter, turn           uint32
	counterFrame, turnFrame dissect.FrameNum
	turnTime                int64
	ask                     dissect.FrameNum // the last time request
	asked                   uint32
	answered                bool
}

// A game is the players that talk to each other under neighbouring network ids.
type game struct {
	id        uint32 // of the engine
	players   []*player
	host      *player
	started   bool
	lobby     bool // its lobby was seen
	firstTurn uint32
	round     uint32 // counts the games between the same players
	checks    [maxChecks]check
	recent    [maxRecent]sent
	next      int // place in recent
	phase     string

	settings      [settingsSize]byte
	settingsFrame dissect.FrameNum

	lastTime, lastTurn int64 // when a clock and when a turn was last sent by anybody
	began              int64 // when the first turn was sent, later by the pauses since
	pausedAt           int64 // when the last turn before the last pause was sent
	furthest           *player
	reference          *player // whose counter the others' are compared with
}

// A player is one network id.
type player struct {
	id     uint32
	end    dissect.Endpoint
	number uint8 // player id, 0 while unknown
	sure   bool  // it was told by the player, not taken from the slot
	slot   uint8 // from 1
	civ    uint8
	ready  bool
	gone   bool // dropped
	left   bool // resigned or disconnected

	outOfSync bool
	role      string

	lastSeen int64
	turn     uint32  // the furthest
	turns    uint32  // how many so far
	pair     [2]byte // unknown 1 and 2 of the turn syncs
	times    [16]int64
	counter  uint32
	counted  uint32
	clock    uint32 // time passed, in ms, as last said
	clockAt  int64
	clocked  bool

	actions  uint32
	acts     [maxActs]int64
	selected [9]dissect.FrameNum // the last command that named objects, by player id
}

// A sent is a packet that may come again: to the same player, or to the others.
type sent struct {
	hash  uint64
	to    dissect.Endpoint
	first dissect.FrameNum
}
