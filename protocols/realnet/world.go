package realnet

import "remora/dissect"

// A link is what is remembered of one connection: one conversation, until an Init begins the next in it.
type link struct {
	layout  uint8
	server  uint8 // 1 and the server's direction; 0 while unknown
	guessed bool
	phase   uint8
	number  int     // of the client at its server, from 1
	heard   [2]bool // whether anything of a side was captured: of one that was not, nothing is missing

	begun  int64 // when the Init was sent
	since  int64 // when the client connected
	last   int64 // when the last packet was
	closed closing
	stray  exchange            // the last packet that was sent without a connection
	open   []dissect.FrameNum  // packets that fit both layouts, before one was decided
	steps  [stepCount]exchange // the last packets of each step of handshake and linking
	sides  [2]side
	clock  clock
	table  table
	values values
}

type closing struct {
	time int64
	dir  int
}

// An exchange is a packet that another one answers.
type exchange struct {
	frame dissect.FrameNum
	time  int64
}

// The steps that others answer.
const (
	stepInit = iota
	stepAccept
	stepLinkInit
	stepTable
	stepCount
)

// A packetNote is what every packet leaves behind.
type packetNote struct {
	first   dissect.FrameNum // of a repeat: the packet that was sent first
	prev    dissect.FrameNum // the packet that this one answers or acknowledges
	flags   uint32
	delay   int32  // µs on the way, with noteDelay
	missing uint16 // numbers below this ordered packet that did not come yet
	lack    uint16 // the first of them
	copies  uint16 // how often the packet was sent so far; of an Ack: how often what it acknowledges was
	layout  uint8
	how     uint8
	from    uint8
	phase   uint8
}

const (
	noteGuessed   = 1 << iota // the server is a guess
	noteLayout                // another layout than the conversation's
	noteResend                // a repeat by the sender
	noteDuplicate             // a repeat that nobody can have meant
	noteConflict              // the number was used for something else
	noteLate                  // the number is below the newest one
	noteWaiting               // ordered, and numbers below are missing
	noteAckAgain              // acknowledged before
	noteAckNone               // acknowledges a packet that asked for no acknowledgement
	noteAckLost               // acknowledges a number that was not seen
	noteStranger              // sent without a connection
	noteSender                // only the other side sends this
	noteDelay                 // delay is known
	noteStale                 // replication that is older than what came before
	noteNotLinked             // replication before the client accepted a table
	noteAnswers               // prev is what the packet answers
	noteNotice                // a server's answer to a packet of somebody without a connection
	noteUnheard               // nothing of the other side was captured
)

// A rareNote is what hardly any packet leaves behind.
type rareNote struct {
	silence  uint32           // ms that nothing was sent before this packet
	decides  dissect.FrameNum // an earlier packet whose layout this one decides
	releases dissect.FrameNum // the first ordered packet that waited for this one
	released uint16           // how many did
	open     uint16           // reliable packets of both sides that nobody acknowledged when the connection ended
	peers    uint16           // clients that the server sent away together with this one
	peer     dissect.FrameNum // the Disconnection to the one before
}

var (
	links       = dissect.NewStore[link, none]()
	packetNotes = dissect.NewStore[none, packetNote]()
	rareNotes   = dissect.NewStore[none, rareNote]()
	timeNotes   = dissect.NewStore[none, timeNote]()
)

const (
	maxOpen     = 8
	silenceTime = 30e9 // after it a connection counts as lost
	flyingTime  = 1e9  // what was sent before its sender can have heard of the end
	sameInit    = 2e9  // an Init within this time is a copy of the one that began the connection
)

// take notes a packet: which connection it belongs to, who sent it, and how it stands to those before.
func (l *link) take(d *dissect.D, v *view) (n packetNote) {
	now := d.Time()
	if v.kind == kindInit && v.hasSeq &&
		(l.phase == phaseRefused || l.phase == phaseClosed || l.phase >= phaseConnected && now-l.begun > sameInit) {
		l.leave(d)
		*l = link{}
	}
	l.heard[d.Dir] = true
	if !l.heard[1-d.Dir] {
		n.flags |= noteUnheard
	}
	l.settle(d, v)
	if silence := now - l.last; l.last != 0 && silence > silenceTime && l.phase != phaseClosed && l.phase != phaseRefused {
		v.rare.silence = uint32(min(silence/1e6, 1<<32-1))
	}
	l.last = now
	l.whoIsWho(d, v, &n)
	if v.hasSeq {
		l.sides[d.Dir].sent(d, v, &n)
	}
	l.without(d, v, &n)
	l.step(d, v, &n)
	if v.kind == kindAck && len(v.whole) >= 3 {
		l.acked(d, v, &n)
	}
	l.timing(d, v, &n)
	n.phase = l.phase
	return n
}

// settle keeps the layout once a packet decides it.
func (l *link) settle(d *dissect.D, v *view) {
	if v.kind == kindInit && guessInit(v.whole) != 0 {
		l.layout = guessInit(v.whole)
	}
	if l.layout == 0 {
		if l.layout = decide(v.whole); l.layout == 0 {
			if ambiguous(v.whole) && len(l.open) < maxOpen {
				l.open = append(l.open, d.Frame)
			}
			return
		}
	}
	for _, f := range l.open {
		d.Link(f, fDecided, nil)
		v.rare.decides = f
	}
	l.open = nil
}

// whoIsWho finds which side is the server: by what only one of them sends, else by a guess.
func (l *link) whoIsWho(d *dissect.D, v *view, n *packetNote) {
	server := uint8(0)
	switch v.sentBy() {
	case fromServer:
		server = uint8(1 + d.Dir)
	case fromClient:
		server = uint8(2 - d.Dir)
	}
	switch {
	case server != 0 && (l.server == 0 || l.guessed):
		l.server, l.guessed = server, false
	case server != 0 && l.server != server:
		n.flags |= noteSender
	case l.server == 0:
		l.guess(d)
	}
	if l.server == 0 {
		return
	}
	n.from = fromClient
	if l.server == uint8(1+d.Dir) {
		n.from = fromServer
	}
	if l.guessed {
		n.flags |= noteGuessed
	}
}

// guess takes for the server the end that has more connections, or else the lower port.
func (l *link) guess(d *dissect.D) {
	var links [2]int
	for i, e := range [...]dissect.Endpoint{d.Src, d.Dst} {
		hosts.FirstPassAt(d, e, func(h *host) none {
			h.links++
			links[i] = h.links + 2*h.clients
			return none{}
		})
	}
	switch {
	case links[0] > links[1], links[0] == links[1] && d.Src.Port < d.Dst.Port:
		l.server = uint8(1 + d.Dir)
	case links[0] < links[1], d.Dst.Port < d.Src.Port:
		l.server = uint8(2 - d.Dir)
	}
	l.guessed = l.server != 0
}

// sentBy is who alone sends the packet's type, or fromUnknown.
func (v *view) sentBy() uint8 {
	built := v.layout == layoutBuilt
	switch v.kind {
	case kindInit, kindLinkInit, kindLinkAccept, kindLinkReject:
		return fromClient
	case kindAccept:
		if built && v.seq != 0 {
			return fromClient
		}
		return fromServer
	case kindReject:
		if built && len(v.whole) == 4 {
			return fromClient
		}
		return fromServer
	case kindDisconnection:
		if built && len(v.whole) == 3 {
			return fromClient
		} else if built {
			return fromServer
		}
	case kindSyncInit, kindLinkTable, kindReplication:
		return fromServer
	}
	return fromUnknown
}

// without notes packets that are sent where no connection is: before the server accepted, after a refusal or the end.
func (l *link) without(d *dissect.D, v *view, n *packetNote) {
	switch v.kind & 0xff {
	case typeSync, typeLinking, typeReplication, typeMessage:
	default:
		return
	}
	switch l.phase {
	case phaseHandshaking, phaseRefused:
		n.flags |= noteStranger
	case phaseClosed:
		if n.first == 0 && (d.Dir == l.closed.dir || d.Time()-l.closed.time > flyingTime) {
			n.flags |= noteStranger
		}
	}
	if n.flags&noteStranger != 0 || l.phase == phaseUnknown && n.from == fromClient {
		l.stray = exchange{d.Frame, d.Time()}
	} else if n.from == fromServer {
		l.stray = exchange{}
	}
}
