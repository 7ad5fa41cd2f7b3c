package kaillera

import "remora/dissect"

// A world is everything remembered of a capture's Kaillera traffic. All of it is bounded: maps evict what was put in
// first, rings and windows their oldest entries. At most 1024 sessions are remembered with about 28 KiB each, and 64
// servers with 1024 users and 256 games of 64 members each; names are cut at 128 bytes. None of it takes more than a
// small multiple of the bytes that it was read from.
type world struct {
	links     dissect.BoundedMap[uint32, link] // by conversation
	servers   dissect.BoundedMap[dissect.Endpoint, server]
	ports     dissect.BoundedMap[dissect.Endpoint, *server] // session ports that HELLOD00D named
	announces dissect.BoundedMap[announceKey, announce]
	peers     dissect.BoundedMap[dissect.Addr, peers] // of those whose role nothing told
	out       outcome                                 // of the datagram under way
}

// The stores: one state for the capture, and notes by what they are about.
type none struct{}

var (
	worlds       = dissect.NewStore[world, none]()
	bundleNotes  = dissect.NewStore[none, bundleNote]()
	manyNotes    = dissect.NewStore[none, manyNote]()
	dataNotes    = dissect.NewStore[none, dataNote]()
	talkNotes    = dissect.NewStore[none, talkNote]()
	rosterNotes  = dissect.NewStore[none, rosterNote]()
	stallNotes   = dissect.NewStore[none, stallNote]()
	connectNotes = dissect.NewStore[none, connectNote]()
	desyncNotes  = dissect.NewStore[none, dissect.FrameNum]()
)

// The bounds of what is remembered.
const (
	maxLinks   = 1024
	maxServers = 64
	maxPorts   = 4096
	maxUsers   = 1024
	maxRooms   = 256
	maxMembers = 64
	maxSeats   = 16
	maxName    = 128 // bytes of a name
)

// A ref names bytes of a frame in eight bytes: what names and cache entries are kept as. The zero ref names nothing.
type ref struct {
	frame dissect.FrameNum
	off   uint16
	n     uint16 // and inFragments, where off counts in the datagram that the frame completes
}

const inFragments = 1 << 15

// refAt is the ref of n bytes at an offset of the current source, zero where there can be none: in bytes that tunnels
// or other layers made, and for sizes that no input has.
func refAt(d *dissect.D, off, n int) ref {
	r, ok := d.Stream().RefAt(off, n)
	if !ok || off > 0xffff || n >= inFragments {
		return ref{}
	}
	if r.Off != uint32(off) {
		return ref{r.Frame, uint16(off), uint16(n) | inFragments}
	}
	return ref{r.Frame, uint16(off), uint16(n)}
}

// bytes reads what the ref names, as far as it is known.
func (r ref) bytes(d *dissect.D) (b []byte, known bool) {
	if r.frame == 0 {
		return nil, true
	}
	at := dissect.Ref{Frame: r.frame, Off: uint32(r.off), Len: uint32(r.n &^ inFragments)}
	if r.n&inFragments != 0 {
		at = at.InDatagram()
	}
	return d.Stream().Recall(at)
}

// A named is a name and where it was read.
type named struct {
	text string
	ref  ref
}

func (n *named) set(d *dissect.D, at int, s span) {
	if len(s.text) == 0 || n.text == string(s.text) {
		return
	}
	n.text, n.ref = string(s.text[:min(len(s.text), maxName)]), refAt(d, at+s.off, min(len(s.text), maxName))
}

// A server is one Kaillera server with what was said of its users and games, to whichever client.
type server struct {
	control dissect.Endpoint
	users   dissect.BoundedMap[uint16, user]
	rooms   dissect.BoundedMap[uint32, room]
	charset guess
	netsync uint8 // the game status that means synchronizing on this server, 0 while unknown
	lone    []*room
}

type user struct {
	id         uint16
	name       named
	connection uint8
	quitting   bool // its client asked to leave the game
}

// serverAt is the server behind a session endpoint. Where no HELLOD00D told which it is, an address has one server.
func (w *world) serverAt(d *dissect.D, e dissect.Endpoint) *server {
	if s := w.ports.Find(e); s != nil {
		return *s
	}
	return w.server(d, dissect.Endpoint{Addr: e.Addr})
}

// server is the server at an end; a new one gets the character set that a person chose.
func (w *world) server(d *dissect.D, e dissect.Endpoint) *server {
	s := w.servers.Find(e)
	if s == nil {
		s = w.servers.Get(e, maxServers)
		s.charset.choose(d)
	}
	return s
}

type announceKey struct {
	port   dissect.Endpoint
	client dissect.Addr
}

type announce struct{ frame dissect.FrameNum }

// announce takes a HELLOD00D. A server that was met without one before is the same, unless its address has another.
func (w *world) announce(d *dissect.D, port uint16) {
	w.answered(d)
	e := dissect.Endpoint{Addr: d.Src.Addr, Port: port}
	s := w.servers.Find(d.Src)
	if s == nil {
		unnamed := w.server(d, dissect.Endpoint{Addr: d.Src.Addr})
		if s = unnamed; unnamed.control != (dissect.Endpoint{}) && unnamed.control != d.Src {
			s = w.server(d, d.Src)
		}
		s.control = d.Src
	}
	*w.ports.Get(e, maxPorts) = s
	w.announces.Get(announceKey{e, d.Dst.Addr}, maxPorts).frame = d.Frame
	d.Ends().Role(d.Src, "server")
	d.Ends().Role(e, "server")
}

// A connectNote is what a HELLO leaves behind.
type connectNote struct {
	try   uint16
	first dissect.FrameNum
}

func (w *world) hello(d *dissect.D) connectNote {
	l := w.link(d)
	if l.tries == 0 {
		l.firstHello = d.Frame
	}
	l.tries = min(l.tries+1, 65535)
	return connectNote{uint16(l.tries), l.firstHello}
}

func (w *world) answered(d *dissect.D) { w.link(d).tries = 0 }

func (w *world) link(d *dissect.D) *link {
	var id uint32
	if c := d.Conversation(); c != nil {
		id = c.ID
	}
	return w.links.Get(id, maxLinks)
}
