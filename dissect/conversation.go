package dissect

import (
	"sync/atomic"
	"unsafe"

	"remora/internal/column"
)

// A Conversation is what goes back and forth between two endpoints over one transport. What every packet asks for
// stands together, so that it comes from memory together.
type Conversation struct {
	settled

	// The first pass alone reads and writes these, but for the facts and the transport.
	latest   FrameNum // the newest frame of it
	last     FrameNum // the newest frame in which the transport called Previous
	waited   uint32   // bytes of memory that its streams take
	ways     uint8    // in which directions there were frames: bits 1 and 2
	owned    bool     // no need to look up its endpoints again: a protocol owns one, or none ever will
	trial    uint8    // how many more datagrams must fit before the protocol of its port is believed
	misfits  uint8    // datagrams on trial that had not its form
	more     atomic.Pointer[connected]
	states   *stateNode // the states of stores for it, a linked list
	asked    uint32     // Session.claimed when no protocol owned its endpoints
	likely   uint16     // the plugin that said Likely of the packet before
	numbered bool       // its ports were looked up, and no protocol is attached to them
	looked   bool       // the datagrams behind its first one were looked at
	replaced bool       // there is a newer one of its ends

	Transport Table

	fact     atomic.Uint32 // fact 0 while there is no more to say of the conversation
	held     uint32        // bytes that stores hold for it
	doubted  uint16        // as refused, of datagrams that were cut off: a further one must say more than that it may be
	pending  uint16        // 1 + the protocol of its port that it is if the next datagram fits, too
	foretold step          // what the datagrams behind its first one tell, or no plugin
}

// settled is what is known of a conversation by itself, without pointers.
type settled struct {
	A, B Endpoint // A sent the first packet
	ID   uint32   // counted from 1 over all transports

	plugin  uint16
	reason  Reason
	cut     bool // the capture cut off bytes of it
	tags    tags // around First
	First   FrameNum
	Stream  uint32        // counted from 0 within the transport, as Wireshark's tcp.stream
	former  InnerProtocol // the protocol that handed the stream over
	refused uint16        // 1 + the protocol of its port that it is not
	unlike  bool          // it was said that it is not the protocol of its port
	began   int64         // when First was captured
}

// connected is the state of a conversation with streams or facts. Most conversations are a datagram or two and go
// without it.
type connected struct {
	facts   [2]atomic.Int64
	streams [2]*stream
	changed uint64 // the number of the newest change of its facts, see factLog
	acks    [2]acknowledged
}

// acknowledged is what the receiver of a stream has said that it has.
type acknowledged struct {
	any bool   // it has acknowledged something
	gap bool   // segments of the stream are parked
	to  uint32 // up to where
	at  uint32 // the first of those that are parked
}

// forget frees what the first pass holds for the conversation. Its endpoints and facts stay.
func (c *Conversation) forget() {
	c.states, c.held, c.waited = nil, 0, 0
	if m := c.more.Load(); m != nil {
		m.streams, m.acks = [2]*stream{}, [2]acknowledged{}
	}
}

// count counts the memory that a stream of the conversation takes, with the incomplete message that it holds.
func (s *Session) count(c *Conversation, st *stream) {
	n := uint32(min(1<<30, unsafe.Sizeof(connected{})/2+unsafe.Sizeof(*st)+
		uintptr(cap(st.parked))*unsafe.Sizeof(parkedSegment{})+uintptr(cap(st.tail.held))+
		uintptr(cap(st.tail.refs)+cap(st.tail.taken)+cap(st.early))*unsafe.Sizeof(Ref{})))
	if n != st.counted {
		s.retention.streams += int64(n) - int64(st.counted)
		c.waited += n - st.counted
		st.counted = n
	}
}

// connected returns that state and makes it where there is none. Only the first pass calls it.
func (c *Conversation) connected() *connected {
	m := c.more.Load()
	if m == nil {
		m = new(connected)
		m.facts[0].Store(int64(c.fact.Load()))
		c.more.Store(m)
	}
	return m
}

// FactRoundTrip is the fact that says how many nanoseconds a round trip takes, for every transport.
const FactRoundTrip = 1

// Fact is what Ends.SetFact set last, or 0. It may change while a capture grows, as links to later frames do.
func (c *Conversation) Fact(i int) int64 {
	if m := c.more.Load(); m != nil {
		return m.facts[i].Load()
	}
	if i == 0 {
		return int64(c.fact.Load())
	}
	return 0
}

// joins reports whether the conversation is between two endpoints, in either direction.
func (c *Conversation) joins(t Table, a, b *Endpoint) bool {
	return (c.A.is(a) && c.B.is(b) || c.A.is(b) && c.B.is(a)) && c.Transport == t
}

// Set sets the source and destination addresses of the frame. Of several layers that do, the innermost counts.
func (hd *Ends) Set(src, dst Addr) {
	d := (*D)(hd)
	d.Src, d.Dst = Endpoint{Addr: src}, Endpoint{Addr: dst}
	d.apart = d.apart || d.conv != nil // they are not the conversation's
}

// Reroute is Set for addresses of which one is not in its usual field, as behind a source route.
func (hd *Ends) Reroute(src, dst Addr) {
	d := (*D)(hd)
	d.Ends().Set(src, dst)
	d.apart = true
}

// Converse finds or makes the conversation of the frame from the addresses and the given ports, and sets d.Conversation
// and d.Dir. Transports call it once their ports are read.
func (hd *Ends) Converse(t Table, srcPort, dstPort uint16) *Conversation {
	d := (*D)(hd)
	d.alive()
	d.Src.Port, d.Dst.Port = srcPort, dstPort
	d.transport = t
	if t == TableTCP || t == TableUDP {
		d.carrier, d.carrierLayer = d.plugin, d.layer
	}
	if d.quoted {
		d.conv = nil
		return nil
	}
	turn := d.converses
	d.converses++
	d.apart = d.apart || turn > 0
	if d.first {
		if d.flow != nil && turn == 0 {
			d.conv = d.flow.conv
		} else {
			d.conv = d.s.conversation(t, &d.Src, &d.Dst, d.Frame)
		}
		d.setDir()
		d.convIDs = append(d.convIDs, conversationRef(d.conv.ID, d.Dir))
		d.settle()
	} else {
		d.conv, d.Dir = d.recallConversation(d.Frame, turn)
	}
	return d.conv
}

// quotedStore keeps 1 + the stream number of the quoted packet's conversation; 0: none.
var quotedStore = NewStore[struct{}, uint32]()

// Quoted is the stream number of the conversation of a packet that is quoted in another one, as ICMP errors quote the
// packet that caused them. known is false when that conversation was not seen so far. Call it after Converse.
func (hd *Streams) Quoted() (stream uint32, known bool) {
	d := (*D)(hd)
	if !d.quoted {
		return 0, false
	}
	d.quoted = false // stores do nothing in quoted packets
	note := quotedStore.FirstPassIn(d, func(*struct{}) uint32 {
		if at := d.s.byKey.place(d.s, d.transport, &d.Src, &d.Dst); d.s.byKey.slots[at] != 0 {
			return 1 + d.s.conversations.At(int(uint32(d.s.byKey.slots[at]))-1).Stream
		}
		return 0
	})
	d.quoted = true
	return note - 1, note != 0
}

// Renew starts a new conversation between the same endpoints, when a port is used again.
func (hd *Ends) Renew() {
	d := (*D)(hd)
	d.alive()
	if !d.first || d.conv == nil {
		return
	}
	d.conv = d.s.newConversation(d.conv.Transport, &d.Src, &d.Dst, d.Frame)
	d.setDir()
	d.convIDs[len(d.convIDs)-1] = conversationRef(d.conv.ID, d.Dir)
	d.settle()
}

func (d *D) setDir() {
	d.Dir = 0
	if !d.Src.is(&d.conv.A) {
		d.Dir = 1
	}
	d.conv.latest = d.Frame
	d.arrival.again = d.conv.ways>>d.Dir&1 != 0
	d.conv.ways |= 1 << d.Dir
}

// near is how many frames a re-dissection searches backward for the previous frame of a conversation, which takes less
// time than the dissection of the frame. For one that is further away the first pass keeps its number.
const near = 256

var previousStore = NewStore[struct{}, FrameNum]()

// Previous is the previous frame of the conversation, or 0 in its first frame. A re-dissection gives 0 where it does
// not want the field. Transports call it in every frame, after Converse and Renew.
func (hd *Ends) Previous(f *Field) FrameNum {
	d := (*D)(hd)
	d.alive()
	c := d.conv
	if c == nil {
		return 0
	}
	if !d.first && !d.Wanted(f) { // counted all the same: another layer of the frame may want its own
		d.turn(previousStore.id)
		d.step(1)
		return 0
	}
	far := FrameNum(0)
	if d.first && !d.quoted {
		far, c.last = c.last, d.Frame
		if far != 0 && far < d.Frame && far+near >= d.Frame && d.s.ConversationOf(far) == c.ID {
			far = 0 // a re-dissection finds it
		}
	}
	far = previousStore.Note(d, far)
	if far != 0 || d.first && !d.Wanted(f) {
		return far
	}
	for n := d.Frame - 1; n >= c.First && n+near >= d.Frame; n-- {
		if d.s.ConversationOf(n) == c.ID {
			return n
		}
	}
	return 0
}

// conversationRef is a conversation's ID with the direction of a frame in the lowest bit. The index has one for each
// frame, so that a re-dissection knows the direction without the conversation.
func conversationRef(id uint32, dir int) uint32 { return id<<1 | uint32(dir) }

func splitRef(ref uint32) (id uint32, dir int) { return ref >> 1, int(ref & 1) }

func (s *Session) conversation(t Table, src, dst *Endpoint, n FrameNum) *Conversation {
	if s.last != nil && s.last.joins(t, src, dst) { // packets come in runs
		return s.last
	}
	if c := s.byKey.find(s, t, src, dst); c != nil {
		s.last = c
		return c
	}
	return s.newConversation(t, src, dst, n)
}

func (s *Session) newConversation(t Table, src, dst *Endpoint, n FrameNum) *Conversation {
	c := &Conversation{settled: settled{A: *src, B: *dst, ID: uint32(s.conversations.Len() + 1), plugin: noPlugin,
		tags: s.pass.d.tags, First: n, Stream: s.streamCount[t], began: s.pass.d.meta.Time}, Transport: t, latest: n,
		likely: noPlugin, foretold: step{noPlugin, ByTable}}
	s.streamCount[t]++
	s.conversations.Append(c)
	s.byKey.put(s, c)
	s.last = c
	return c
}

// recallConversation is the conversation that the frame's turn-th call of Converse led to, and the frame's direction in
// it. The first is in the frame's record; a frame with several (tunnels) left the others in a list of their own.
func (d *D) recallConversation(n FrameNum, turn int) (*Conversation, int) {
	s := d.s
	ref := column.Seen(&d.records, &s.records, int(n)-1).conv
	if turn > 0 {
		ref = s.moreConvs.find(n, turn-1)
	}
	id, dir := splitRef(ref)
	if id == 0 {
		return nil, 0
	}
	return s.conversations.At(int(id) - 1), dir
}
