package kaillera

import "remora/dissect"

// A link is one client's session: what is known of a conversation.
type link struct {
	tries      int // HELLOs without an answer
	firstHello dissect.FrameNum

	known      bool // who is the server
	serverDir  int
	server     *server
	name       named
	id         uint16
	idKnown    bool
	connection uint8 // 0 while unknown
	room       *room
	wanted     uint32 // the game that the client asked to join
	seat       int    // player number, 0 for none
	width      int    // bytes of input per player and frame, 0 while unknown
	playing    bool   // since the server's READY
	started    bool   // the START_GAME of the game under way was seen
	begun      uint8  // bits of the directions in which its READY was
	asked      [typeCount]dissect.FrameNum
	kicks      uint16           // the user that the client wants out
	notice     dissect.FrameNum // what the server said in the game since the client asked to start it
	told       charset          // in which its name was told
	pings      [8]dissect.FrameNum
	pinged     int
	directions [2]direction
	echo       echoes
	agree      agree
	stalledAt  int64 // when the last stall was reported
}

// A way is one direction of a link: the numbers of its messages, and its game data.
type direction struct {
	any    bool
	last   uint16
	lastAt int64 // when a datagram came, new or not
	ring   [ringSize]seen
	strays int // datagrams in a row with nothing but late messages
	cache  *window

	frames   uint32 // game frames carried since the game began
	messages uint32 // of game data since then
	hits     uint32 // of them from the cache
	dataAt   int64  // when new game data came
	started  bool   // the counters began with the game
	times    [rateRing]int64
	head     int
	tail     int
}

const (
	ringSize = 64
	rateRing = 128
)

// A seen is a message that was seen: repeats find their first appearance in it.
type seen struct {
	number uint16
	sum    uint32
	frame  dissect.FrameNum
}

// What a bundle's flags say. The lowest two bits are the sender's role.
const (
	flagFirst   = 4 << iota // nothing came this way before
	flagResend              // nothing is new, and the newest message is the newest there was
	flagLate                // nothing is new, and newer messages came before
	flagMany                // there is a manyNote
	flagFatal               // so far ahead that n02 clients take no more
	flagSilence             // the client was silent for longer than servers wait
	flagStalled             // there is a stallNote
	flagDesync              // there is a desyncNote

	charsetShift = 12 // the bits that hold the character set of the server's strings, as far as it is known by then
)

// factCharset is the fact of a conversation that says in which character set the server's strings turned out to be.
const factCharset = 0

// A bundleNote is what every bundle leaves behind.
type bundleNote struct {
	fresh  uint32              // bits of the messages that are new, the newest is the lowest
	firsts [4]dissect.FrameNum // of the second to fifth message: where it was first seen
	roster dissect.FrameNum    // the frame whose rosterNote holds
	gap    uint16              // messages that were lost in front of the new ones
	flags  uint16
}

// A manyNote is what rare bundles leave behind besides.
type manyNote struct {
	conflicts uint32 // bits of the messages that were seen before with other contents
	outdated  uint32 // bits of the messages that came too late to be taken
	firsts    [maxPieces]dissect.FrameNum
}

// An outcome is what the state adds to the current datagram.
type outcome struct {
	bundle bundleNote
	many   manyNote
	rare   bool // there is something in many
	data   [maxPieces]dataNote
	talk   [maxPieces]talkNote
	roster rosterNote
	stall  stallNote
	other  dissect.FrameNum // the packet that contradicts the game data
}

// longSilence is after which time without a word from a client servers give it up.
const longSilence = 190e9

// take feeds a bundle to the state: the messages that are new, the oldest first.
func (w *world) take(d *dissect.D, u *bundle) *outcome {
	o := &w.out
	o.bundle, o.many, o.rare, o.roster, o.stall, o.other = bundleNote{}, manyNote{}, false, rosterNote{}, stallNote{}, 0
	l := w.link(d)
	role := w.roleOf(d, l, u)
	if role == fromClient && l.again(d, u) {
		l.restart()
	}
	l.known = l.known || role != fromUnknown
	if role == fromUnknown {
		role = w.guessRole(d) // which does not settle it
	}
	if role == fromServer {
		l.serverDir, l.server = d.Dir, w.serverAt(d, d.Src)
	} else if role == fromClient {
		l.serverDir, l.server = 1-d.Dir, w.serverAt(d, d.Dst)
	}
	if l.server == nil {
		l.server = w.serverAt(d, dissect.Endpoint{})
	}
	y := &l.directions[d.Dir]
	o.bundle.flags |= uint16(role)
	if role == fromClient && y.any && d.Time()-y.lastAt > longSilence {
		o.bundle.flags |= flagSilence
	}
	y.sort(d, u, o)
	l.agree.lost = l.agree.lost || o.bundle.gap > 0 || o.bundle.flags&flagFirst != 0
	base := d.Pos()
	for i := u.count - 1; i >= 0; i-- {
		if o.bundle.fresh>>i&1 == 0 {
			continue
		}
		o.data[i], o.talk[i] = dataNote{}, talkNote{}
		switch p := &u.pieces[i]; {
		case p.whole():
			l.server.charset.read(p)
			w.message(d, l, role, p, base, i, o)
		case !d.CutShort():
		case p.typ == gameData && p.length >= dataHead:
			o.contradict(w.data(d, l, role, p, base, &o.data[i]))
		case y.cache != nil:
			y.cache.lost()
		}
	}
	if best := l.server.charset.best; best != charsetUnknown && d.Ends().Transport() == dissect.TableUDP {
		o.bundle.flags |= uint16(best) << charsetShift
		d.Ends().SetFact(factCharset, int64(best))
	}
	l.rename(d)
	w.watch(d, l, role, o)
	y.lastAt = d.Time()
	if r := l.room; r != nil {
		d.Session().InGame(r.game, nil)
		if r.changed {
			r.changed, r.written = false, d.Frame
			o.roster = r.note()
		}
		o.bundle.roster = r.written
	}
	if o.rare {
		o.bundle.flags |= flagMany
	}
	return o
}

// again reports whether the client logs in anew from the port of an earlier session.
func (l *link) again(d *dissect.D, u *bundle) bool {
	y := &l.directions[d.Dir]
	if u.count == 0 || !y.any {
		return false
	}
	p := &u.pieces[u.count-1]
	if p.typ != userLogin || p.number != 0 {
		return false
	}
	s := &y.ring[0]
	return s.frame == 0 || s.number != 0 || s.sum != 0 && p.whole() && s.sum != sum(p.typ, p.body)
}

// restart forgets a session.
func (l *link) restart() { *l = link{known: l.known, serverDir: l.serverDir, server: l.server} }

// roleOf tells who sent a bundle: by what is known, the port that a HELLOD00D named, the messages, the control port.
func (w *world) roleOf(d *dissect.D, l *link, u *bundle) int {
	if l.known {
		return sideOf(d.Dir == l.serverDir)
	}
	if src, dst := w.ports.Find(d.Src) != nil, w.ports.Find(d.Dst) != nil; src != dst {
		return sideOf(src)
	}
	for i := range u.count {
		if p := &u.pieces[i]; p.whole() {
			if side := p.side(); side != fromUnknown {
				return side
			}
		}
	}
	if src, dst := d.Src.Port == controlPort, d.Dst.Port == controlPort; src != dst {
		return sideOf(src)
	}
	return fromUnknown
}

// guessRole takes for the server who talks with several: in a capture that begins in the middle of a game nothing else
// tells.
func (w *world) guessRole(d *dissect.D) int {
	src, dst := w.popular(d.Src.Addr, d.Dst.Addr), w.popular(d.Dst.Addr, d.Src.Addr)
	if src == dst {
		return fromUnknown
	}
	return sideOf(src)
}

// popular reports whether an address talks with a second one besides that which it was first met with.
func (w *world) popular(a, with dissect.Addr) bool {
	p := w.peers.Get(a, maxPorts)
	if p.first == (dissect.Addr{}) {
		p.first = with
	}
	p.several = p.several || p.first != with
	return p.several
}

// peers are the addresses that an address exchanges datagrams with.
type peers struct {
	first   dissect.Addr
	several bool
}

func sideOf(server bool) int {
	if server {
		return fromServer
	}
	return fromClient
}

// side tells by a message alone who sends it: some types go one way only, others have an empty name or fillers when
// they come from a client.
func (p *piece) side() int {
	s := scan{b: p.body}
	if p.typ >= typeCount || grammars[p.typ] == "" || !s.walk(grammars[p.typ]) {
		return fromUnknown
	}
	b := p.body
	switch p.typ {
	case userLogin, clientAck, keepAlive, kick:
		return fromClient
	case userJoined, serverStatus, serverAck, playerInfo, gameStatus, closeGame, rejected, serverInfo:
		return fromServer
	case userQuit, globalChat, gameChat, createGame, quitGame, dropGame:
		return sideOf(b[0] != 0)
	case startGame:
		return sideOf(!(b[1] == 0xff && b[2] == 0xff && b[3] == 0xff && b[4] == 0xff))
	case joinGame:
		return sideOf(b[5] != 0)
	}
	return fromUnknown
}
