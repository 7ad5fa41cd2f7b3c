package soaprun

import "remora/dissect"

// A connection is what is remembered of one TCP connection to a game server.
type connection struct {
	server           int8 // the direction in which the server sends, and one; 0 while unknown
	open             []question
	asked            uint32 // questions so far
	askedAt          int64  // when the last one came
	tests            uint8
	lookups, replies uint32 // of a dispatch: requests, and replies to them
	admin            bool   // the last request brought settings
	begun            bool   // the server's first message was seen
	game             uint32

	frame   dissect.FrameNum // of the last message
	inFrame uint8            // messages in it before this one

	own        self
	seen       bool             // a Flds was
	fieldFrame dissect.FrameNum // of the last Flds
	fields     int              // in that frame
	rain       uint8
	units      [2][64]unit      // players, entities
	partial    bool             // the capture cut off some of them
	at         dissect.Endpoint // the server's
	left       bool             // it has ended
	met        int64            // when its first message came

	attrs     dissect.FrameNum // the mAtt answer
	rooms     map[roomAt]*room
	roomOrder []roomAt
	speed     [4]uint32 // µs of the four tests
}

// A question is a request of the client that is not answered yet.
type question struct {
	turn  uint32
	kind  uint32
	frame dissect.FrameNum
	x, y  int8 // of Room
}

const maxOpen = 64

// A self is the player of the connection.
type self struct {
	known         bool // where it is
	x, y          int16
	state, colour uint8
	items         uint8
	moved         uint32 // tiles so far
}

// The stores: the state, and notes by what leaves them.
type none struct{}

var (
	connections    = dissect.NewStore[connection, none]()
	servers        = dissect.NewStore[server, none]()
	serverNotes    = dissect.NewStore[none, serverNote]()
	messageNotes   = dissect.NewStore[none, messageNote]()
	moveNotes      = dissect.NewStore[none, moveNote]()
	eventNotes     = dissect.NewStore[none, eventNote]()
	sinceNotes     = dissect.NewStore[none, sinceNote]()
	fieldNotes     = dissect.NewStore[none, fieldNote]()
	snapshots      = dissect.NewStore[none, snapshot]()
	attributeNotes = dissect.NewStore[none, attributeNote]()
	unitNotes      = dissect.NewStore[none, unitNote]()
	speedNotes     = dissect.NewStore[none, speedNote]()
	endNotes       = dissect.NewStore[none, endNote]()
	restNotes      = dissect.NewStore[none, restNote]()
	lookNotes      = dissect.NewStore[none, lookNote]()
	paintNotes     = dissect.NewStore[none, paintNote]()
	playNotes      = dissect.NewStore[none, playNote]()
)

// remember runs change on the state of the connection when the frame first passes, and keeps its note in st for later
// looks.
func remember[N comparable](d *dissect.D, st *dissect.Store[none, N], change func(*connection) N) N {
	return st.FirstPassIn(d, func(*none) (n N) {
		connections.FirstPass(d, func(c *connection) none { n = change(c); return none{} })
		return n
	})
}

// A messageNote is a message's sender and the request or response that belongs to it.
type messageNote struct {
	turn     uint32 // of the question and its answer; 0 for neither
	question uint32 // of an answer: the type of its question
	x, y     int8   // of an answer to Room: what was asked for
	flags    uint8
	ordinal  uint8 // messages in front of it in the same frame
	test     uint8 // which test it is
}

const (
	server1 = 1 << iota // the server sends it
	wrongWay
	unasked
	otherAnswer
	eager
	otherRoom
)

func (m messageNote) from() int {
	if m.flags&server1 != 0 {
		return fromServer
	}
	return fromClient
}

// message takes a message into account: who sends it, and which question it asks or answers.
func (c *connection) message(d *dissect.D, kind uint32, body []byte) (m messageNote) {
	if c.frame == d.Frame {
		c.inFrame = min(c.inFrame+1, 255)
	} else {
		c.frame, c.inFrame = d.Frame, 0
	}
	m.ordinal = c.inFrame
	from := c.side(d, kind, body)
	if from == fromServer {
		m.flags |= server1
		c.answer(d, kind, body, &m)
	} else {
		c.question(d, kind, body, &m)
	}
	if c.server != 0 && from != c.sideOf(d.Dir) {
		m.flags |= wrongWay
	}
	if c.server == 0 {
		c.meet(d, from)
	}
	return m
}

// side tells who sends a message: most types and sizes go one way only. The others go by what is known of the
// connection, or by the port.
func (c *connection) side(d *dissect.D, kind uint32, body []byte) int {
	if c.server != 0 && d.CutShort() { // sizes tell nothing
		return c.sideOf(d.Dir)
	}
	switch kind {
	case tWelcome, tOver, tVoid, tField:
		return fromServer
	case tProtocol, tAttrs, tRoom:
		question, answer := sizes(kind)
		if len(body) <= question {
			return fromClient
		}
		if len(body) >= answer {
			return fromServer
		}
	case tMove, tColour, tDraw, tHit, tHeaven, tCorpse, tLog, tBye:
		return fromClient
	}
	if c.server != 0 {
		return c.sideOf(d.Dir)
	}
	if d.Src.Port == livePort || d.Src.Port == defaultPort ||
		d.Src.Port < d.Dst.Port && d.Dst.Port != livePort && d.Dst.Port != defaultPort {
		return fromServer
	}
	return fromClient
}

// sizes are the sizes of a question's and an answer's body, for the types that both sides send.
func sizes(kind uint32) (question, answer int) {
	switch kind {
	case tProtocol:
		return gameBody, infoBody
	case tRoom:
		return 2, roomBody
	}
	return 0, 4
}

func (c *connection) sideOf(dir int) int {
	if dir == int(c.server)-1 {
		return fromServer
	}
	return fromClient
}

// meet learns which end is the server.
func (c *connection) meet(d *dissect.D, from int) {
	e, player := d.Src, d.Dst
	c.server, c.met = int8(d.Dir)+1, d.Time()
	if from == fromClient {
		e, player = player, e
		c.server = int8(1-d.Dir) + 1
	}
	servers.FirstPassAt(d, e, func(s *server) none { s.join(d, c, e, player); return none{} })
}

// question keeps an open question.
func (c *connection) question(d *dissect.D, kind uint32, body []byte, m *messageNote) {
	if !knownType(kind) {
		return
	}
	if len(c.open) > 0 {
		m.flags |= eager
	}
	if len(c.open) >= maxOpen {
		c.open = append(c.open[:0], c.open[1:]...)
	}
	c.asked, c.askedAt = c.asked+1, d.Time()
	q := question{turn: c.asked, kind: kind, frame: d.Frame}
	if kind == tRoom && len(body) >= 2 {
		q.x, q.y = int8(body[0]), int8(body[1])
	}
	if kind == tTest {
		c.tests = min(c.tests+1, 254)
		m.test = c.tests
	}
	c.open = append(c.open, q)
	m.turn = q.turn
}

// answers reports whether a message of the server is what a question of the client asks for.
func (q *question) answers(kind uint32) bool {
	switch q.kind {
	case tLog, tCorpse, tBye:
		return kind == tVoid
	case tMove, tColour, tDraw, tHit, tHeaven:
		return kind == tField
	}
	return kind == q.kind
}

// questionOf is the open question that a message answers, or -1: the oldest that asks for this, for a room the one that
// asks for it. Where a part of the server's stream is missing, answers are, too; since clients wait for each, it is
// then the newest of those in front of the message.
func (c *connection) questionOf(d *dissect.D, kind uint32, body []byte) int {
	found, began := -1, d.Stream().BehindGap()
	for i := range c.open {
		q := &c.open[i]
		switch {
		case !q.answers(kind):
		case kind == tRoom && len(body) >= 2 && q.x == int8(body[0]) && q.y == int8(body[1]):
			return i
		case found < 0 || q.frame < began:
			found = i
		}
	}
	return found
}

// answer finds the question. Those in front of it lost their answers.
func (c *connection) answer(d *dissect.D, kind uint32, body []byte, m *messageNote) {
	first := !c.begun
	c.begun = true
	if kind == tWelcome || kind == tOver {
		if !first {
			m.flags |= unasked
		}
		return
	}
	if !knownType(kind) {
		return
	}
	if i := c.questionOf(d, kind, body); i >= 0 {
		q := &c.open[i]
		if i > 0 {
			m.flags |= otherAnswer
		}
		m.turn, m.question, m.x, m.y = q.turn, q.kind, q.x, q.y
		if kind == tRoom && len(body) >= 2 && (int8(body[0]) != q.x || int8(body[1]) != q.y) {
			m.flags |= otherRoom
		}
		if kind == tTest {
			m.test = c.tests
			asked, known := d.Packet().TimeOf(q.frame)
			if n := int(c.tests) - 1; known && n >= 0 && n < len(c.speed) {
				c.speed[n] = uint32(min((d.Time()-asked)/1000, 1<<31))
			}
		}
		c.open = append(c.open[:0], c.open[i+1:]...)
		return
	}
	if !first && !d.Stream().Cut() { // the question of the first answer may lie before the capture
		m.flags |= unasked
	}
}
