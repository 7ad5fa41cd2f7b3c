// Package follow puts together what was said in one conversation: the bytes of a TCP stream in their order, the
// datagrams of UDP, and for every packet its type and Info line, so that a conversation can be read as text, as bytes
// or as messages.
package follow

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"remora/dissect"
	"remora/internal/sorting"
)

// Bounds of what is kept of one conversation. What is beyond them is left out and said.
const (
	MaxUnits = 1 << 20
	MaxBytes = 64 << 20
)

// Transport is the mode in which the bytes are followed that the transport carries. All others are the protocols' own.
const Transport = ""

// A Unit is what one packet contributes, or one of its pieces in a mode of a protocol.
type Unit struct {
	Frame   dissect.FrameNum
	Time    int64 // nanoseconds since 1970
	Conv    uint32
	Dir     int // 0 from A to B, 1 back
	Kind    string
	Info    string
	Repeat  bool // every message in it came before
	Tick    bool // it belongs to a game's rhythm: a message in it is of a frame or a turn
	Worst   dissect.Severity
	Data    []byte // new bytes of the stream, or the datagram's payload
	Empty   bool   // something was said in no bytes
	Missing int    // bytes of the stream that were never captured, in front of Data
	Sent    Sent   // of the one message in it, when there are not several
	Parts   []Part // the messages, when there are several
}

// Sent says which message it is, so that its copies are found.
type Sent struct {
	ID    uint64 // the protocol's own number, when Known
	Known bool
	First dissect.FrameNum // where the message was new, when this is a copy; else 0
	Off   int32            // where it lies in the unit's Data
	Len   int32            // 0 when it does not lie there
}

// A Part is one of several messages of a packet.
type Part struct {
	Kind, Text string
	Repeat     bool
	Sent       Sent
}

// A Stream is a conversation as it is put together, or all those of a game. One goroutine collects; anybody reads.
type Stream struct {
	s     *dissect.Session
	convs map[uint32]*dissect.Conversation
	conv  *dissect.Conversation
	game  uint32
	mode  string               // the mode's name, or Transport
	modes []dissect.FollowMode // those of that name
	sub   *uint64              // the stream within the conversation that is followed alone, or nil
	first dissect.FrameNum
	last  dissect.FrameNum // 0: no end is known

	mu    sync.RWMutex
	units []Unit
	bytes [2]int
	full  bool
	upTo  dissect.FrameNum
	done  bool

	streams map[uint32]*[2]tcpStream
}

// New is the conversation with an ID of the session, of which nothing has been collected yet.
func New(s *dissect.Session, conv uint32) *Stream { return NewOf(s, conv, Transport) }

// NewOf follows what the conversation carries: the transport's bytes, or what protocols read in the mode of a name.
func NewOf(s *dissect.Session, conv uint32, what string) *Stream {
	c := s.Conversation(conv)
	return &Stream{s: s, conv: c, convs: map[uint32]*dissect.Conversation{conv: c}, mode: what, modes: modesOf(s, what),
		first: c.First, streams: map[uint32]*[2]tcpStream{}}
}

// NewSub is NewOf for one of the streams within the conversation.
func NewSub(s *dissect.Session, conv uint32, what string, sub uint64) *Stream {
	t := NewOf(s, conv, what)
	t.sub = &sub
	return t
}

// NewGame follows all conversations of a game, or is nil when there is no such game.
func NewGame(s *dissect.Session, id uint32) *Stream {
	for _, g := range s.Games() {
		if g.ID == id && len(g.Convs) > 0 {
			t := NewOf(s, g.Convs[0], Transport)
			t.game, t.first = id, g.First
			t.addConversations()
			return t
		}
	}
	return nil
}

// addConversations takes in what a game has won since.
func (t *Stream) addConversations() {
	if t.game == 0 {
		return
	}
	for _, g := range t.s.Games() {
		if g.ID != t.game {
			continue
		}
		t.mu.Lock()
		for _, id := range g.Convs {
			t.convs[id] = t.s.Conversation(id)
		}
		t.mu.Unlock()
		if g.Over {
			t.last = g.Last
		}
	}
}

// Conversation is what is followed; of a game it is the first of its conversations.
func (t *Stream) Conversation() *dissect.Conversation { return t.conv }

// Game is the number of the game that is followed, or 0.
func (t *Stream) Game() uint32 { return t.game }

// Mode is which part of the conversation is followed, by the name that its protocol declares.
func (t *Stream) Mode() string { return t.mode }

// Session is whose packets are followed.
func (t *Stream) Session() *dissect.Session { return t.s }

// Conversations are all that is followed, in the order of their numbers.
func (t *Stream) Conversations() []*dissect.Conversation {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var out []*dissect.Conversation
	for _, c := range t.convs {
		out = append(out, c)
	}
	sorting.Func(out, func(a, b *dissect.Conversation) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// Modes are the names of what protocols read of conversations: what is decrypted first.
func Modes(reg *dissect.Registry) (names []string) {
	for _, m := range reg.FollowModes() {
		if !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

func modesOf(s *dissect.Session, name string) (out []dissect.FollowMode) {
	for _, m := range s.Registry().FollowModes() {
		if m.Name == name {
			out = append(out, m)
		}
	}
	return out
}

// Decrypts tells whether there is nothing to read without keys.
func (t *Stream) Decrypts() bool {
	return slices.ContainsFunc(t.modes, func(m dissect.FollowMode) bool { return m.Decrypts })
}

// Carries tells whether a conversation's packets have something to read in a mode, as far as its first ones say.
func Carries(s *dissect.Session, conv uint32, what string) bool {
	return slices.ContainsFunc(modesOf(s, what), func(m dissect.FollowMode) bool { return carries(s, conv, &m) })
}

// PreferredMode is the mode in which a conversation is best followed.
func PreferredMode(s *dissect.Session, conv uint32) string {
	modes := s.Registry().FollowModes()
	for _, m := range modes {
		if m.Opens == dissect.OpensCarried && carries(s, conv, &m) {
			return m.Name
		}
	}
	for _, m := range modes {
		if m.Opens == dissect.OpensRead && opened(s, conv, &m) {
			return m.Name
		}
	}
	return Transport
}

// opened tells whether something of a mode could be read in a conversation, as far as its first packets say.
func opened(s *dissect.Session, conv uint32, m *dissect.FollowMode) bool {
	if !carries(s, conv, m) {
		return false
	}
	l, tried, looks := s.GuardedDissector(), 0, 0
	for n := s.Conversation(conv).First; int(n) <= s.Passed() && tried < carriesPackets && looks < openedPackets; n++ {
		tried++
		if id, _ := s.DirectionOf(n); id != conv || !s.StackHas(s.LayerStackOf(n), m.Protocol()) {
			continue
		}
		looks++
		any := false
		m.Read(l.Tree(n), func(dissect.FollowPiece) { any = true })
		if any {
			return true
		}
	}
	return false
}

// openedPackets bounds the packets that opened dissects: the handshake, and what comes right behind it.
const openedPackets = 48

func carries(s *dissect.Session, conv uint32, m *dissect.FollowMode) bool {
	if m.Transport != "" && s.Conversation(conv).Transport != m.Transport {
		return false
	}
	tried := 0
	for n := s.Conversation(conv).First; int(n) <= s.Passed() && tried < carriesPackets; n++ {
		tried++
		if id, _ := s.DirectionOf(n); id == conv && s.StackHas(s.LayerStackOf(n), m.Protocol()) {
			return true
		}
	}
	return false
}

// carriesPackets bounds the packets that Carries looks at: it answers a key.
const carriesPackets = 100_000

// Collect goes through the packets of the conversation until the capture ends or ctx does.
func (t *Stream) Collect(ctx context.Context) { t.collect(ctx, false) }

// CollectPassed goes through the packets that have passed so far, and ends there.
func (t *Stream) CollectPassed() { t.collect(context.Background(), true) }

func (t *Stream) collect(ctx context.Context, passed bool) {
	l := t.s.GuardedDissector()
	wake, cancel := t.s.Store().Subscribe()
	defer cancel()
	n := t.first
	for ctx.Err() == nil {
		end := dissect.FrameNum(t.s.Passed())
		t.addConversations()
		for ; n <= end; n++ {
			if n%4096 == 0 && ctx.Err() != nil {
				return
			}
			if conv, dir, inner := t.belongs(n); conv != 0 && !t.add(l.Tree(n), conv, dir, inner) {
				break
			}
		}
		t.progress(end)
		if t.full || passed || t.s.Store().Status().Done && int(end) == t.s.Store().Len() {
			t.finish()
			return
		}
		t.s.Wait(ctx, wake)
	}
}

// belongs tells which of the conversations a frame is of, and in which direction. An inner one is carried by another.
func (t *Stream) belongs(n dissect.FrameNum) (conv uint32, way int, inner bool) {
	if t.last != 0 && n > t.last {
		return 0, 0, false
	}
	id, dir := t.s.DirectionOf(n)
	if t.convs[id] != nil {
		return id, dir, false
	}
	t.s.InnerConversations(n, func(id uint32, dir int) {
		if conv == 0 && t.convs[id] != nil {
			conv, way, inner = id, dir, true
		}
	})
	return conv, way, inner
}

func (t *Stream) progress(upTo dissect.FrameNum) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.upTo = upTo
}

func (t *Stream) finish() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, st := range t.streams {
		t.flush(id, &st[0], 0)
		t.flush(id, &st[1], 1)
	}
	t.done = true
}

// add puts a packet in. It tells whether there is room for more.
func (t *Stream) add(tree *dissect.Tree, conv uint32, dir int, inner bool) bool {
	u := Unit{Frame: tree.Frame, Time: tree.Time(), Conv: conv, Dir: dir, Kind: tree.Kind(), Info: tree.Info(),
		Repeat: repeats(tree), Tick: ticks(tree), Worst: tree.Severity}
	var units []Unit
	if t.mode == Transport {
		at := t.carried(tree, &u, inner)
		u.Parts = parts(tree, at)
		if len(tree.Messages) == 1 {
			u.Sent = sent(&tree.Messages[0], at)
		}
		units = []Unit{u}
	}
	for _, m := range t.modes {
		piece := func(p dissect.FollowPiece) { units = append(units, u.with(p)) }
		switch {
		case t.sub == nil:
			m.Read(tree, piece)
		case m.ReadSub != nil:
			m.ReadSub(tree, *t.sub, piece)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, u := range units {
		t.keep(u)
	}
	return !t.full
}

// with is the packet's unit with a piece of it.
func (u Unit) with(p dissect.FollowPiece) Unit {
	u.Data = append([]byte(nil), p.Data...)
	u.Empty = p.Empty
	if p.Info != "" {
		u.Info = p.Info
		if !p.Typed {
			u.Kind = ""
		}
	}
	return u
}

// carried takes the bytes that the transport carries in the packet, and says where a datagram's lie.
func (t *Stream) carried(tree *dissect.Tree, u *Unit, inner bool) (at place) {
	transport := t.convs[u.Conv].Transport
	at.off = -1
	if declared := t.s.Registry().Transport(transport); declared != nil {
		payload := declared.Payload
		u.Empty = len(declared.Numbers) == 0 // a datagram, unless it carries something
		for i := range tree.Nodes {
			if tree.Field(i) == payload && !tree.IsQuoted(i) {
				u.Data = append([]byte(nil), tree.Bytes(i)...)
				at = place{tree.Nodes[i].Src, int(tree.Nodes[i].Off), len(u.Data)}
				if !inner {
					break
				}
			}
		}
	}
	if transport == dissect.TableTCP {
		st := t.streams[u.Conv]
		if st == nil {
			st = &[2]tcpStream{}
			t.streams[u.Conv] = st
		}
		t.order(tree, &st[u.Dir&1], u)
		at.off = -1 // what a segment adds to the stream is not what it carries
	}
	return at
}

// keep appends a unit and what it set free. The lock is held.
func (t *Stream) keep(u Unit) {
	if len(t.units) >= MaxUnits || t.bytes[0]+t.bytes[1]+len(u.Data) > MaxBytes {
		t.full = true
		return
	}
	t.bytes[u.Dir] += len(u.Data)
	t.units = append(t.units, u)
}

// ticks tells whether a message is of a game's frame or turn.
func ticks(tree *dissect.Tree) bool {
	return slices.ContainsFunc(tree.Messages, func(m dissect.Message) bool { return m.HasTick })
}

func repeats(tree *dissect.Tree) bool {
	for _, m := range tree.Messages {
		if m.RepeatOf == 0 {
			return false
		}
	}
	return len(tree.Messages) > 0
}

// Len is how many units there are so far.
func (t *Stream) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.units)
}

// Unit is unit i, from 0 on, whose contents never change.
func (t *Stream) Unit(i int) Unit {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.units[i]
}

// State is how far the collecting has come: the last packet looked at, whether it has ended, whether something was left
// out, and the bytes in each direction.
func (t *Stream) State() (upTo dissect.FrameNum, done, full bool, bytes [2]int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.upTo, t.done, t.full, t.bytes
}
