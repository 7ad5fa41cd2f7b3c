package stats

import (
	"cmp"
	"slices"
	"sync/atomic"

	"remora/dissect"
	"remora/internal/sorting"
)

// A Layer is where conversations and endpoints are told apart.
type Layer struct {
	Name  string // as tshark names it, "" for every transport
	Title string
	Ports bool // its ends have ports

	of dissect.EndLayer
}

// everyTransport counts the conversations of every transport.
var everyTransport = Layer{Title: "All", Ports: true}

// Layers are those that a Table can count and that many captures have.
func Layers(reg *dissect.Registry) []Layer {
	out := []Layer{everyTransport}
	for _, l := range reg.EndLayers() {
		if !l.Rare {
			out = append(out, layerOf(l))
		}
	}
	return out
}

func layerOf(l dissect.NamedEndLayer) Layer {
	return Layer{Name: l.Protocol.Name(), Title: l.Title, Ports: l.Ports != "", of: *l.EndLayer}
}

// find is the layer of a name.
func find(reg *dissect.Registry, name string) (Layer, bool) {
	if name == everyTransport.Name {
		return everyTransport, true
	}
	for _, l := range reg.EndLayers() {
		if l.Protocol.Name() == name {
			return layerOf(l), true
		}
	}
	return Layer{}, false
}

// A Conversation is what was counted of one conversation. A sent the first packet that was counted; ways are from A to
// B and back.
type Conversation struct {
	A, B        dissect.Endpoint
	Directions  [2]Count
	First, Last int64 // nanoseconds since 1970

	// Conv is the session's own conversation, nil at layers of addresses. Its A may be this one's B, when the packets
	// counted begin in its middle.
	Conv *dissect.Conversation

	row int // of the table
}

// Both is the sum of the two ways.
func (t *Conversation) Both() Count {
	c := t.Directions[0]
	c.add(t.Directions[1])
	return c
}

// Rate is how many bits a second went one way while the conversation lasted; 0 when it lasted no time.
func (t *Conversation) Rate(dir int) float64 {
	if t.Last <= t.First {
		return 0
	}
	return float64(t.Directions[dir].Bytes) * 8e9 / float64(t.Last-t.First)
}

// A Table counts by conversation at one layer: those of transports from the index alone, those of addresses by looking
// at every packet's addresses. A packet in a tunnel counts for the ends outside and inside; what an ICMP error quotes
// did not pass and counts for nobody. One goroutine counts; anybody asks.
type Table struct {
	s     *dissect.Session
	layer Layer
	wants *dissect.Wants
	roles map[dissect.FieldID]int // 0 source, 1 destination, 2 and 3 those in their place

	yieldingMutex
	rows    []Conversation
	lines   []*line                 // of each row, nil as long as it has few packets
	convs   map[uint32]convRow      // of transports
	pairs   map[[2]dissect.Addr]int // of addresses, both ways round
	limit   int                     // of rows
	evicted evictedRows
	upTo    atomic.Uint32
}

// convRow is where a conversation is counted, and whether its ends are the other way round there.
type convRow struct {
	at      int
	flipped bool
}

// NewTable is a table of nothing yet, or nil when there is no such layer.
func NewTable(s *dissect.Session, layer string) *Table {
	at, ok := find(s.Registry(), layer)
	if !ok {
		return nil
	}
	t := &Table{s: s, layer: at, convs: map[uint32]convRow{}, pairs: map[[2]dissect.Addr]int{},
		roles: map[dissect.FieldID]int{}}
	var fields []*dissect.Field
	for role, declared := range []*dissect.Field{at.of.Source, at.of.Dest, at.of.Sender, at.of.Taker} {
		if declared == nil {
			continue
		}
		for _, f := range s.Registry().FieldsNamed(declared.Name()) {
			fields = append(fields, f)
			t.roles[f.ID()] = role
		}
	}
	t.limit = maxConversations
	if limit := s.Retention().Memory / 8 / conversationBytes; limit > 0 {
		t.limit = int(min(max(limit, 1<<12), maxConversations))
	}
	if at.of.Source != nil {
		t.wants = s.Registry().Wants(fields...)
	}
	return t
}

// Layer is what the table counts.
func (t *Table) Layer() Layer { return t.layer }

// Session is the one whose packets are counted.
func (t *Table) Session() *dissect.Session { return t.s }

// Frames counts frames, which come in rising order; upTo is the last one that has been decided, counted or not. The
// Dissector's tree is used.
func (t *Table) Frames(l *dissect.Dissector, frames []dissect.FrameNum, upTo dissect.FrameNum) {
	defer t.yieldToReaders()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, n := range frames {
		t.count(l, n)
	}
	t.upTo.Store(max(t.upTo.Load(), uint32(upTo)))
}

func (t *Table) count(l *dissect.Dissector, n dissect.FrameNum) {
	m := t.s.Store().Meta(int(n) - 1)
	if t.wants == nil {
		conv, dir := t.s.DirectionOf(n)
		t.conversation(conv, dir, m.Time, m.Len)
		t.s.InnerConversations(n, func(conv uint32, dir int) { t.conversation(conv, dir, m.Time, m.Len) })
		return
	}
	tree := l.Redissect(n, t.wants)
	var ends [4]dissect.Addr
	var seen [4]bool
	counted := false
	pair := func(role int) {
		if seen[role] && seen[role+1] {
			t.pair([2]dissect.Addr{ends[role], ends[role+1]}, m.Time, m.Len)
			seen, counted = [4]bool{}, true
		}
	}
	for i := range tree.Nodes {
		role, ok := t.roles[tree.Nodes[i].Field]
		switch {
		case !ok:
			continue
		case tree.IsQuoted(i):
			return
		}
		ends[role], seen[role] = tree.Address(i), true
		pair(0)
	}
	if !counted {
		pair(2)
	}
}

// conversation counts a packet of a transport's conversation.
func (t *Table) conversation(id uint32, dir int, at int64, length uint32) {
	if id == 0 {
		return
	}
	row, known := t.convs[id]
	if !known {
		c := t.s.Conversation(id)
		if c.Evicted() || t.layer.of.Ports != "" && c.Transport != t.layer.of.Ports {
			return
		}
		t.evict()
		row = convRow{len(t.rows), dir == 1}
		conv := Conversation{A: c.A, B: c.B, Conv: c, row: len(t.rows)}
		if row.flipped {
			conv.A, conv.B = c.B, c.A
		}
		t.convs[id], t.rows = row, append(t.rows, conv)
	}
	if row.flipped {
		dir = 1 - dir
	}
	t.addToLine(row.at, at)
	t.rows[row.at].add(dir, at, length)
}

// pair counts a packet between two addresses.
func (t *Table) pair(ends [2]dissect.Addr, at int64, length uint32) {
	i, known := t.pairs[ends]
	if !known {
		t.evict()
		i = len(t.rows)
		t.rows = append(t.rows, Conversation{A: dissect.Endpoint{Addr: ends[0]}, B: dissect.Endpoint{Addr: ends[1]}, row: i})
		t.pairs[ends], t.pairs[[2]dissect.Addr{ends[1], ends[0]}] = i, i
	}
	dir := 0
	if t.rows[i].A.Addr != ends[0] {
		dir = 1
	}
	t.addToLine(i, at)
	t.rows[i].add(dir, at, length)
}

func (t *Conversation) add(dir int, at int64, length uint32) {
	if t.Directions[0].Packets+t.Directions[1].Packets == 0 || at < t.First {
		t.First = at
	}
	t.Last = max(t.Last, at)
	t.Directions[dir].add(Count{1, uint64(length)})
}

// UpTo is the last frame that has been decided. It waits for nobody.
func (t *Table) UpTo() dissect.FrameNum { return dissect.FrameNum(t.upTo.Load()) }

// Conversations are the conversations so far, most packets first, those of as many in the order in which they began.
func (t *Table) Conversations() []Conversation {
	t.lockToRead()
	out := slices.Clone(t.rows)
	t.mu.Unlock()
	sorting.Stable(out, func(a, b Conversation) int { return cmp.Compare(b.Both().Packets, a.Both().Packets) })
	return out
}

// An EndpointCount is what one endpoint sent and received.
type EndpointCount struct {
	End            dissect.Endpoint
	Transport      dissect.Table // "" at layers of addresses
	Sent, Received Count
	First, Last    int64 // nanoseconds since 1970
}

// Both is the sum of what was sent and received.
func (e *EndpointCount) Both() Count {
	c := e.Sent
	c.add(e.Received)
	return c
}

// Endpoints are the endpoints so far, most packets first, those of as many in the order in which they appeared.
func (t *Table) Endpoints() []EndpointCount {
	t.lockToRead()
	rows := slices.Clone(t.rows)
	at := map[endpointKey]int{}
	var out []EndpointCount
	for k, e := range t.evicted.ends {
		at[k] = len(out)
		out = append(out, *e)
	}
	t.mu.Unlock()
	sorting.Func(out, func(a, b EndpointCount) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.End.Port, b.End.Port), cmp.Compare(a.Last, b.Last))
	})
	for i := range out {
		at[endpointKey{out[i].End, out[i].Transport}] = i
	}
	end := func(e dissect.Endpoint, conv *Conversation, sent, received Count) {
		k := endpointKey{end: e}
		if conv.Conv != nil {
			k.transport = conv.Conv.Transport
		}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k], out = i, append(out, EndpointCount{End: e, Transport: k.transport, First: conv.First})
		}
		out[i].Sent.add(sent)
		out[i].Received.add(received)
		out[i].First, out[i].Last = min(out[i].First, conv.First), max(out[i].Last, conv.Last)
	}
	for i := range rows {
		conv := &rows[i]
		end(conv.A, conv, conv.Directions[0], conv.Directions[1])
		end(conv.B, conv, conv.Directions[1], conv.Directions[0])
	}
	sorting.Stable(out, func(a, b EndpointCount) int { return cmp.Compare(b.Both().Packets, a.Both().Packets) })
	return out
}
