package quic

import (
	"maps"
	"slices"

	"remora/dissect"
)

// A world is what the first pass knows of all connections.
type world struct {
	ids    map[id]end
	pairs  map[uint32]end // by conversations: the link, and the side that its direction 0 comes from
	tokens map[[16]byte]bool
	live   int    // connections met since the last time that some were forgotten, and those that stayed then
	sizes  uint32 // a bit for each length that an ID has
	count  uint32
}

// An end is a side of a connection.
type end struct {
	link *link
	side int
}

// A note is what a packet leaves for re-dissections.
type note struct {
	Packet uint32 // in the list of packets, 0 where nothing opens it
	Link   uint32 // the number of its connection, 0 where that is not known
	IDSize uint8  // of the ID in a short header
	Server bool   // it comes from the server
	State  uint8
}

// What else there is to say of a packet.
const (
	stateGenuine  = iota + 1 // the tag of a Retry is right
	stateForged              // it is not
	stateUnproved            // it has none
	stateReset               // the server forgot the connection
	stateFailed              // there is a key, and it does not open the packet
	stateCut                 // what tells its connection may be among what the capture cut off
)

var worlds = dissect.NewStore[world, note]()

// Limits of what is known at once.
const (
	maxLinks  = 1 << 14
	maxIDs    = 1 << 19
	maxTokens = 1 << 18
)

// A head is what a packet's header says before its protection is taken off.
type head struct {
	kind       uint64
	version    uint32
	dcid, scid []byte
	start, at  int // of the packet, and of its number, in the source
	size       int // of the packet
}

// pass moves the world on by one packet. It returns the packet's payload, where that could be opened.
func (w *world) pass(d *dissect.D, h *head, packet []byte) (n note, l *link, from int, payload []byte) {
	w.forget()
	l, from = w.find(d, h, packet)
	if l != nil {
		l.latest = d.Frame
	}
	if l == nil {
		if h.kind == typeShort && w.reset(packet) {
			n.State = stateReset
		} else if d.Stream().Cut() || d.CutShort() {
			n.State = stateCut
		}
		return n, nil, 0, nil
	}
	if h.kind == typeShort {
		n.IDSize = uint8(len(h.dcid))
	} else {
		w.meet(h, l, from)
	}
	n.Link, n.Server = l.number, from == server
	switch h.kind {
	case typeRetry:
		n.State = w.retry(h, l, packet)
		return n, l, from, nil
	case typeNegotiation:
		return n, l, from, nil
	}
	ref, ok := d.Stream().RefAt(h.start, h.size)
	if !ok {
		return n, l, from, nil
	}
	r := recipe{Ref: ref, At: uint32(h.at - h.start)}
	if h.kind == typeShort {
		r.At = uint32(1 + len(h.dcid))
	}
	if payload = l.open(d, h, from, &r, packet); payload != nil {
		n.Packet = packets.Put(d, r)
		return n, l, from, payload
	}
	if r.Size > 0 && !d.CutShort() {
		n.State = stateFailed
	}
	if h.kind == typeShort && w.reset(packet) {
		n.State = stateReset
	}
	return n, l, from, nil
}

// find looks for the connection of a packet, and the side that sent it. For short headers it finds out how long the ID
// is.
func (w *world) find(d *dissect.D, h *head, packet []byte) (*link, int) {
	if h.kind == typeShort {
		return w.findShort(d, h, packet)
	}
	if e, ok := w.ids[idOf(h.dcid)]; ok && len(h.dcid) > 0 {
		w.pair(d, e.link, 1-e.side)
		return e.link, 1 - e.side
	}
	if e, ok := w.pairs[d.Conversation().ID]; ok {
		from := e.side ^ d.Dir&1
		if known, ok := w.ids[idOf(h.scid)]; len(h.dcid) == 0 ||
			ok && len(h.scid) > 0 && known.link == e.link && known.side == from {
			return e.link, from
		}
	}
	if h.kind != typeInitial && h.kind != typeEarly || len(h.dcid) == 0 {
		return nil, 0
	}
	w.count++
	w.live++
	l := &link{number: w.count, version: h.version, began: idOf(h.dcid)}
	w.add(h.dcid, end{l, server})
	w.pair(d, l, client)
	return l, client
}

func (w *world) findShort(d *dissect.D, h *head, packet []byte) (*link, int) {
	for n := maxID; n > 0; n-- {
		if w.sizes&(1<<n) == 0 || 1+n > len(packet) {
			continue
		}
		if e, ok := w.ids[idOf(packet[1:1+n])]; ok {
			h.dcid = packet[1 : 1+n]
			w.pair(d, e.link, 1-e.side)
			return e.link, 1 - e.side
		}
	}
	e, ok := w.pairs[d.Conversation().ID]
	if !ok {
		return nil, 0
	}
	from := e.side ^ d.Dir&1
	n := int(e.link.sides[1-from].idSize)
	if 1+n > len(packet) {
		return nil, 0
	}
	h.dcid = packet[1 : 1+n]
	return e.link, from
}

// forget gives up the connections that were silent the longest where there are too many.
func (w *world) forget() {
	if len(w.tokens) >= maxTokens {
		clear(w.tokens)
	}
	if w.live < maxLinks && len(w.ids) < maxIDs && len(w.pairs) < maxIDs {
		return
	}
	latest := map[*link]dissect.FrameNum{}
	for _, e := range w.ids {
		latest[e.link] = e.link.latest
	}
	for _, e := range w.pairs {
		latest[e.link] = e.link.latest
	}
	ages := slices.Sorted(maps.Values(latest))
	middle := ages[len(ages)/2]
	old := func(e end) bool { return e.link.latest < middle }
	ids, pairs := map[id]end{}, map[uint32]end{}
	for k, e := range w.ids {
		if !old(e) {
			ids[k] = e
		}
	}
	for k, e := range w.pairs {
		if !old(e) {
			pairs[k] = e
		}
	}
	if len(ids) >= maxIDs || len(pairs) >= maxIDs { // of few connections
		clear(ids)
		clear(pairs)
	}
	w.ids, w.pairs, w.live = ids, pairs, 0
	for l := range latest {
		if l.latest >= middle {
			w.live++
		}
	}
}

// pair remembers which connection the conversation carries.
func (w *world) pair(d *dissect.D, l *link, from int) {
	if w.pairs == nil {
		w.pairs = map[uint32]end{}
	}
	w.pairs[d.Conversation().ID] = end{l, from ^ d.Dir&1}
}

// add remembers whose a connection ID is.
func (w *world) add(b []byte, e end) {
	if len(b) == 0 || len(b) > maxID || len(w.ids) >= maxIDs {
		return
	}
	if w.ids == nil {
		w.ids = map[id]end{}
	}
	w.ids[idOf(b)] = e
	w.sizes |= 1 << len(b)
}

// meet takes in what a long header tells.
func (w *world) meet(h *head, l *link, from int) {
	if h.kind == typeNegotiation || len(h.scid) > maxID {
		return
	}
	w.add(h.scid, end{l, from})
	l.sides[from].idSize = uint8(len(h.scid))
	if h.kind != typeInitial {
		return
	}
	began := l.began
	if e, ok := w.ids[idOf(h.dcid)]; from == client && (!ok || e.link != l || e.side != server) && len(h.dcid) > 0 {
		began = idOf(h.dcid) // the client begins anew
		w.add(h.dcid, end{l, server})
	}
	l.restart(h.version, began)
}

// retry takes in that the server wants the client to begin once more, with an ID that the server chose (RFC 9000
// section
// 17.2.5), and tells whether the packet is genuine.
func (w *world) retry(h *head, l *link, packet []byte) uint8 {
	if d := dialectOf(h.version); d != nil && !d.tagged() {
		l.restart(h.version, idOf(h.scid)) // nothing proves it
		return stateUnproved
	}
	if !genuine(h.version, l.began.bytes[:l.began.size], packet) {
		return stateForged
	}
	l.restart(h.version, idOf(h.scid))
	return stateGenuine
}

// token remembers what tells that an end forgot a connection.
func (w *world) token(t [16]byte) {
	if len(w.tokens) >= maxTokens {
		return
	}
	if w.tokens == nil {
		w.tokens = map[[16]byte]bool{}
	}
	w.tokens[t] = true
}

// minReset is how long a stateless reset is at least (RFC 9000 section 10.3).
const minReset = 21

func (w *world) reset(packet []byte) bool {
	return len(packet) >= minReset && w.tokens[[16]byte(packet[len(packet)-16:])]
}
