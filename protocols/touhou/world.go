package touhou

import "remora/dissect"

// A world is everything remembered of a capture's Touhou traffic. All of it is bounded: books forget their oldest
// entries, rings their oldest frames.
type world struct {
	peers   book[dissect.Endpoint, peer]
	links   book[uint32, link] // by conversation
	changed int64              // when the spectator tree last changed
	records []*play            // those whose battle is recorded, oldest first
}

// The stores: one state for the capture, and notes by the kind of packet.
type none struct{}

var (
	worlds      dissect.Store[world, none]
	helloNotes  dissect.Store[none, helloNote]
	linkNotes   dissect.Store[none, linkNote]
	chainNotes  dissect.Store[none, chainNote]
	inputNotes  dissect.Store[none, usualInput]
	rareNotes   dissect.Store[none, rareInput]
	replayNotes dissect.Store[none, replayNote]
	sokuNotes   dissect.Store[none, sokuNote]
)

// remember runs change on the world when the frame first passes, and keeps its note in st for later looks. All kinds of
// notes work on one state, because spectators and players of one match talk on different conversations.
func remember[N comparable](d *dissect.D, st *dissect.Store[none, N], change func(*world) N) N {
	return st.OnceIn(d, func(*none) (n N) {
		worlds.OnceIn(d, func(w *world) none { n = change(w); return none{} })
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

// A book is a map that forgets what was put in first.
type book[K comparable, V any] struct {
	all   map[K]*V
	order []K
}

func (b *book[K, V]) find(k K) *V { return b.all[k] }

func (b *book[K, V]) get(k K, limit int) *V {
	if v := b.all[k]; v != nil {
		return v
	}
	if b.all == nil {
		b.all = map[K]*V{}
	}
	for len(b.order) >= limit {
		delete(b.all, b.order[0])
		b.order = b.order[1:]
	}
	v := new(V)
	b.all[k] = v
	b.order = append(b.order, k)
	return v
}

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
	punchedIn  dissect.FrameNum // a PUNCH named this address
}

// A punchRequest is a HELLO that asks its receiver to let target open its NAT.
type punchRequest struct {
	target, from dissect.Endpoint // from has the predicted port
	frame        dissect.FrameNum
}

// A link is what is known of one conversation. Sides are numbered by d.Dir.
type link struct {
	hellos   [2]helloSide
	asks     [2]askSide
	opened   [2]bool  // this side sent an OLLEH
	chains   [2]int64 // when this side's last CHAIN came
	sokuroll bool
	play     *play
	tracks   [2]*track // character select, battle
	settings settings
	states   [2]*[stateRing]stateSeen
	desynced bool
	replay   replaySeen
}

type helloSide struct {
	index    uint32    // HELLOs so far
	rounds   [4]uint32 // by purpose
	purpose  int
	start    uint32 // index of the round's first
	answered uint32 // index of the last that an OLLEH answered
	since    int64  // when the round began
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
}

// A linkNote is what packets about connections and matches leave behind.
type linkNote struct {
	frame           dissect.FrameNum // the earlier packet that this one belongs to
	count           uint32
	parent          dissect.Endpoint
	children, depth uint8
	flags           uint8
}

const (
	flagIgnored = 1 << iota
	flagNamesKnown
)

type chainNote struct {
	silence           uint32 // ms
	known             uint8
	inTree, disagrees bool
}

func (w *world) peer(e dissect.Endpoint) *peer { return w.peers.get(e, maxPeers) }

func (w *world) link(d *dissect.D) *link {
	var id uint32
	if c := d.Conv(); c != nil {
		id = c.ID
	}
	return w.links.get(id, maxLinks)
}

// roundGap tells rounds of HELLOs apart: a round is sent at once, the next about 129 ms later.
const roundGap = 60e6

func (w *world) hello(d *dissect.D, purpose int, target dissect.Endpoint, predicted uint16) helloNote {
	l := w.link(d)
	h := &l.hellos[d.Dir]
	h.index++
	if h.index == 1 || h.purpose != purpose || d.Time()-h.since > roundGap {
		h.start, h.since, h.purpose = h.index, d.Time(), purpose
		h.rounds[purpose]++
	}
	from := dissect.Endpoint{Addr: d.Src.Addr, Port: predicted}
	if purpose == purposePunch && predicted != 0 {
		p := w.peer(d.Dst)
		p.punches[p.punchCount%len(p.punches)] = punchRequest{target, from, d.Frame}
		p.punchCount++
	}
	if predicted >= 11000 && predicted <= 11999 && d.Src.Port != predicted {
		w.peer(from).main, w.peer(d.Src).second = d.Src, from
	}
	return helloNote{h.index, h.rounds[purpose], w.peer(d.Src).main}
}

// punch finds the request behind a PUNCH: same target, same predicted port. The receiver is a child of the sender.
func (w *world) punch(d *dissect.D, address dissect.Endpoint) (n linkNote) {
	p := w.peer(d.Src)
	for i := range p.punches {
		r := &p.punches[i]
		if r.frame != 0 && r.from == address && r.target == d.Dst {
			n.frame, r.frame = r.frame, 0
			break
		}
	}
	w.peer(address).punchedIn = d.Frame
	w.adopt(d, d.Src, d.Dst)
	w.place(&n, d.Src, d.Dst)
	return n
}

// olleh finds the HELLO that an OLLEH answers, the oldest open one of the latest round, and the PUNCH behind it.
func (w *world) olleh(d *dissect.D) (n linkNote) {
	l := w.link(d)
	l.opened[d.Dir] = true
	h := &l.hellos[1-d.Dir]
	if next := max(h.answered+1, h.start); next <= h.index {
		h.answered, n.count = next, next
	}
	if p := w.peers.find(d.Dst); p != nil {
		n.frame, p.punchedIn = p.punchedIn, 0
	}
	return n
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
	if id[0] == 0x64 && id[1:] == gameTail {
		l.sokuroll = true
	}
	if name != "" {
		w.name(d, d.Src, name)
	}
	return n
}

func (w *world) answered(d *dissect.D) { w.link(d).asks[1-d.Dir].done = true }

// accept takes an INIT_SUCCESS: the receiver is the client, or a spectator below the sender.
func (w *world) accept(d *dissect.D, info uint32, host, client string) (n linkNote) {
	w.answered(d)
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
		d.InGame(p.game, func(g *dissect.Game) { g.Over = true })
	}
	return n
}
