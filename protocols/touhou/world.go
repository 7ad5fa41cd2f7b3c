package touhou

import "remora/dissect"

// A world is everything remembered of a capture's Touhou traffic. All of it is bounded: maps evict their oldest
// entries, rings their oldest frames.
type world struct {
	peers   dissect.BoundedMap[dissect.Endpoint, peer]
	links   dissect.BoundedMap[uint32, link] // by conversation
	changed int64                            // when the spectator tree last changed
	records []*play                          // those whose battle is recorded, oldest first
}

// The stores: one state for the capture, and notes by the kind of packet.
type none struct{}

var (
	worlds      = dissect.NewStore[world, none]()
	helloNotes  = dissect.NewStore[none, helloNote]()
	linkNotes   = dissect.NewStore[none, linkNote]()
	chainNotes  = dissect.NewStore[none, chainNote]()
	inputNotes  = dissect.NewStore[none, commonInput]()
	rareNotes   = dissect.NewStore[none, rareInput]()
	lostNotes   = dissect.NewStore[none, lostNote]()
	replayNotes = dissect.NewStore[none, replayNote]()
	sokuNotes   = dissect.NewStore[none, sokuNote]()
	rollNotes   = dissect.NewStore[none, rollNote]()
)

// remember runs change on the world when the frame first passes, and keeps its note in st for re-dissections. All kinds
// of notes work on one state, because spectators and players of one match talk on different conversations.
func remember[N comparable](d *dissect.D, st *dissect.Store[none, N], change func(*world) N) N {
	return st.FirstPassIn(d, func(*none) (n N) {
		worlds.FirstPassIn(d, func(w *world) none { n = change(w); return none{} })
		return n
	})
}

// The bounds of what is remembered.
const (
	maxPeers    = 4096
	maxLinks    = 1024
	maxChildren = 8
	maxRecords  = 32
)

// A peer is what is known of one endpoint.
type peer struct {
	role, name string
	parent     dissect.Endpoint
	children   []dissect.Endpoint
	play       *play
	main       dissect.Endpoint // of a second socket: the main one
	second     dissect.Endpoint // of a main socket: the second one
	punches    [8]punchRequest  // requests that reached this peer, newest last
	punchCount int
	redirects  uint32
	sentTo     dissect.Endpoint // where the last REDIRECT sent this peer, until it is let in
	sentIn     dissect.FrameNum // that REDIRECT
	punched    [8]punchSeen     // PUNCHes that named this address and no OLLEH answered yet, newest last
	punchedN   int
	lastChain  int64 // when this peer's last CHAIN to its parent came
}

// A link is what is known of one conversation. Sides are numbered by d.Dir.
type link struct {
	hellos    [2]helloSide
	asks      [2]askSide
	opened    [2]bool  // this side sent an OLLEH
	chains    [2]int64 // when this side's last CHAIN came
	sokuroll  bool
	play      *play
	announced [2]announcement
	tracks    [2]*track // character select, battle
	settings  settings
	clocks    [2]clock
	states    [2]*[stateRing]stateSeen
	desynced  bool
	giuroll   [2]*giurollSide
	replay    replaySeen
}

type askSide struct {
	first dissect.FrameNum
	count uint32
	play  bool
	done  bool
}

type helloNote struct {
	index, round uint32
	main         dissect.Endpoint
	redirect     dissect.FrameNum // the REDIRECT that it follows
}

// A linkNote is what packets about connections and matches leave behind.
type linkNote struct {
	frame           dissect.FrameNum // the earlier packet that this one belongs to
	redirect        dissect.FrameNum // the REDIRECT that it follows
	count           uint32
	parent          dissect.Endpoint
	children, depth uint8
	flags, rivals   uint8
}

const (
	flagIgnored = 1 << iota
	flagNamesKnown
	flagUnasked
	flagOtherMatch
	flagCrowded
)

// An announcement is what a side announces until it is acknowledged.
type announcement struct {
	key   uint64
	first dissect.FrameNum
}

type chainNote struct {
	silence           uint32 // ms
	known             uint8
	inTree, disagrees bool
}

func (w *world) peer(e dissect.Endpoint) *peer { return w.peers.Get(e, maxPeers) }

func (w *world) link(d *dissect.D) *link {
	var id uint32
	if c := d.Conversation(); c != nil {
		id = c.ID
	}
	return w.links.Get(id, maxLinks)
}

// manyAsks is after how many unanswered INIT_REQUESTs the game ids are suspected.
const manyAsks = 4

func (w *world) ask(d *dissect.D, id string, play bool, name string) (n linkNote) {
	l := w.link(d)
	a := &l.asks[d.Dir]
	if a.first == 0 || a.play != play || a.done {
		*a = askSide{first: d.Frame, play: play}
	}
	a.count++
	n.count = a.count
	if a.count > 1 {
		n.frame = a.first
	}
	if a.count >= manyAsks && l.opened[1-d.Dir] {
		n.flags |= flagIgnored
	}
	if id[1:] == gameTail {
		l.sokuroll = id[0] == sokurollID
	}
	n.redirect = w.follows(d.Src, d.Dst)
	if name != "" {
		w.name(d, d.Src, name)
	}
	return n
}

func (w *world) answered(d *dissect.D) { w.link(d).asks[1-d.Dir].done = true }

// accept takes an INIT_SUCCESS: the receiver is the client, or a spectator below the sender.
func (w *world) accept(d *dissect.D, info uint32, host, client string) (n linkNote) {
	w.answered(d)
	w.peer(d.Dst).sentTo = dissect.Endpoint{}
	var p *play
	if info == 0x11 {
		w.adopt(d, d.Src, d.Dst)
		p = w.watch(d, d.Src, d.Dst)
	} else {
		p = w.players(d, true)
	}
	p.names(w, d, host, client)
	if p.hostName != "" || p.clientName != "" {
		n.flags |= flagNamesKnown
	}
	w.place(&n, d.Src, d.Dst)
	return n
}

func (w *world) redirect(d *dissect.D, target dissect.Endpoint) (n linkNote) {
	w.answered(d)
	asker := w.peer(d.Dst)
	asker.redirects++
	asker.sentTo, asker.sentIn = target, d.Frame
	n.count = asker.redirects
	w.adopt(d, d.Src, target)
	w.place(&n, d.Src, target)
	return n
}

// quit ends a link: a spectator leaves the tree, a player ends the session.
func (w *world) quit(d *dissect.D) (n linkNote) {
	l := w.link(d)
	src, dst := w.peer(d.Src), w.peer(d.Dst)
	switch {
	case src.parent == d.Dst:
		w.place(&n, d.Dst, d.Src)
		w.detach(d, d.Src)
	case dst.parent == d.Src:
		w.place(&n, d.Src, d.Dst)
		w.detach(d, d.Dst)
	}
	if p := l.play; p != nil && p.of(d.Src, d.Dst) {
		p.over = true
		d.Session().InGame(p.game, func(g *dissect.Game) { g.Over = true })
	}
	return n
}
