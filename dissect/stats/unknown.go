package stats

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"

	"remora/dissect"
	"remora/internal/sorting"
)

// An Undissected groups the packets that no protocol takes, which end as data: by what carries them and by the port
// that the conversations have in common. One goroutine counts; anybody asks.
type Undissected struct {
	s     *dissect.Session
	data  *dissect.Field // the bytes that nobody takes; nil: there are none in this registry
	wants *dissect.Wants

	yieldingMutex
	groups map[undissectedKey]*undissectedCounts
	highs  map[undissectedKey]bool // the other ports of the conversations
	order  []undissectedKey
	over   Count // of groups beyond those that are kept
	upTo   atomic.Uint32
}

type undissectedKey struct {
	carrier *dissect.Protocol
	port    uint16
}

// maxUndissected bounds the groups, and maxFlows the conversations told apart in each.
const (
	maxUndissected = 4096
	maxFlows       = 1 << 16
)

// An UndissectedGroup is one group.
type UndissectedGroup struct {
	Count
	Carrier     *dissect.Protocol // what the data lies in
	Port        uint16            // 0 without ports
	Flows       int               // conversations; no more than are told apart
	Directions  [2]uint64         // packets to the port and from it
	First, Last int64             // nanoseconds since 1970
	Gap, Jitter float64           // as a Group's, in seconds
	Sizes       []Size            // of the data itself
	OtherSizes  uint64
	Sample      dissect.FrameNum // one of the packets
	Content     Content
	Mixed       bool // other groups' conversations have the port, too, as their other one
}

type undissectedCounts struct {
	UndissectedGroup
	gaps    [2]gaps
	sizes   sizes
	flows   map[uint32]bool
	header  uint32 // how many bytes lie in front of the data
	content contentCount
}

// NewUndissected is a count of nothing yet.
func NewUndissected(s *dissect.Session) *Undissected {
	u := &Undissected{s: s, groups: map[undissectedKey]*undissectedCounts{}, highs: map[undissectedKey]bool{}}
	if u.data = s.Registry().Field("data.data"); u.data != nil {
		u.wants = s.Registry().Wants(u.data)
	}
	return u
}

// Session is the one whose packets are counted.
func (u *Undissected) Session() *dissect.Session { return u.s }

// UpTo is the last frame that was decided, counted or not.
func (u *Undissected) UpTo() dissect.FrameNum { return dissect.FrameNum(u.upTo.Load()) }

// Frames counts frames, which come in rising order; upTo is the last one that has been decided, counted or not. The
// Dissector's tree is used.
func (u *Undissected) Frames(l *dissect.Dissector, frames []dissect.FrameNum, upTo dissect.FrameNum) {
	defer u.yieldToReaders()
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, n := range frames {
		u.count(l, n)
	}
	u.upTo.Store(max(u.upTo.Load(), uint32(upTo)))
}

// carrier is the protocol right below the data of a layer stack, or nil when the layer stack does not end as data that
// nobody knows: data in a ping is the ping's.
func (u *Undissected) carrier(sh *dissect.LayerStack) *dissect.Protocol {
	path := u.s.StackProtocols(sh)
	if slices.ContainsFunc(path, func(p *dissect.Protocol) bool { return p.Has(dissect.Quotes) }) {
		return nil // an error quotes it, or it is a ping's
	}
	for k := len(path); k >= 2 && path[k-1] == path[k-2]; k-- { // several pieces of data
		path = path[:k-1]
	}
	if k := len(path); k >= 2 && u.data != nil && path[k-1] == u.data.Protocol() && path[k-2].Has(dissect.HandsOn) {
		return path[k-2]
	}
	return nil
}

func (u *Undissected) count(l *dissect.Dissector, n dissect.FrameNum) {
	carrier := u.carrier(u.s.LayerStackOf(n))
	if carrier == nil {
		return
	}
	conv, dir := u.s.DirectionOf(n)
	key, toPort := undissectedKey{carrier: carrier}, dir
	if conv != 0 {
		c := u.s.Conversation(conv)
		key.port, toPort = commonPort(c, dir)
		u.highs[undissectedKey{carrier, max(c.A.Port, c.B.Port)}] = true
	}
	m := u.s.Store().Meta(int(n) - 1)
	g := u.groups[key]
	if g == nil {
		if len(u.groups) >= maxUndissected {
			u.over.add(Count{1, uint64(m.Len)})
			return
		}
		g = &undissectedCounts{UndissectedGroup: UndissectedGroup{Carrier: carrier, Port: key.port, First: m.Time, Sample: n},
			flows: map[uint32]bool{}}
		u.groups[key], u.order = g, append(u.order, key)
	}
	g.Count.add(Count{1, uint64(m.Len)})
	g.Directions[toPort&1]++
	g.First, g.Last = min(g.First, m.Time), max(g.Last, m.Time)
	if len(g.flows) < maxFlows {
		g.flows[conv] = true
	}
	g.gaps[dir&1].add(m.Time, conv)
	if g.content.wants(g.Packets) {
		t := l.Redissect(n, u.wants)
		if i := t.Find(u.data); i >= 0 {
			g.header = t.Nodes[i].Off
			g.content.add(t.Bytes(i))
		}
	}
	g.sizes.add(m.Len - min(m.Len, g.header))
}

// commonPort is the port that a service of the conversation would have, the lower one, and whether a packet goes to it
// (0) or comes from it (1).
func commonPort(c *dissect.Conversation, dir int) (uint16, int) {
	if c.A.Port != 0 && c.A.Port < c.B.Port {
		return c.A.Port, 1 - dir
	}
	return c.B.Port, dir
}

// Groups are what was found so far, most packets first.
func (u *Undissected) Groups() []UndissectedGroup {
	u.lockToRead()
	defer u.mu.Unlock()
	out := make([]UndissectedGroup, 0, len(u.order))
	for _, key := range u.order {
		g := u.groups[key]
		x := g.UndissectedGroup
		x.Flows, x.Sizes, x.OtherSizes, x.Content = len(g.flows), g.sizes.list(), g.sizes.others, g.content.sum()
		x.Mixed = u.highs[key] || key.port == 0
		x.Gap, x.Jitter = meanGaps(&g.gaps[0], &g.gaps[1])
		out = append(out, x)
	}
	sorting.Stable(out, func(a, b UndissectedGroup) int { return cmp.Compare(b.Packets, a.Packets) })
	return out
}

func meanGaps(list ...*gaps) (gap, jitter float64) {
	var n, jn uint64
	for _, g := range list {
		n, jn, gap, jitter = n+g.n, jn+g.jn, gap+g.sum, jitter+g.jitter
	}
	return gap / float64(max(1, n)), jitter / float64(max(1, jn))
}

// Bounds of what is called steady, a game's pace, and short.
const (
	guessFrom   = 20  // packets, before anything is said of their pace
	steadyShare = 0.5 // of the gap that jitter may be
	slowestGame = 10  // packets a second one way
	fastestGame = 130
	shortData   = 256 // bytes
)

// Guess says in words what the traffic may be, what is surest first.
func (u *UndissectedGroup) Guess() string {
	var out []string
	steady := u.Packets >= guessFrom && u.Gap > 0 && u.Jitter < steadyShare*u.Gap
	rate, size := 0.0, u.meanSize()
	if u.Gap > 0 {
		rate = 1 / u.Gap
	}
	switch {
	case steady && rate >= slowestGame && rate <= fastestGame && size <= shortData:
		out = append(out, "like input at "+itoa(uint64(rate+0.5))+" Hz")
	case u.Directions[0] > 1 && u.Directions[0] == u.Directions[1]:
		out = append(out, "question and answer")
	case steady && rate >= 0.95:
		out = append(out, "steady, "+itoa(uint64(rate+0.5))+" a second")
	case steady:
		out = append(out, "every "+itoa(uint64(u.Gap+0.5))+" s, perhaps to keep alive")
	case u.Packets >= guessFrom && size > 1000:
		out = append(out, "a transfer")
	}
	out = append(out, u.sizeText())
	if text := u.Content.String(); text != "" {
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func (u *UndissectedGroup) meanSize() float64 {
	sum, n := 0.0, uint64(0)
	for _, z := range u.Sizes {
		sum += float64(z.Length) * float64(z.Packets)
		n += z.Packets
	}
	return sum / float64(max(1, n))
}

func (u *UndissectedGroup) sizeText() string {
	k := len(u.Sizes)
	if k == 0 {
		return "no bytes"
	}
	if l, ok := ExplainSizes(u.Sizes, 0); ok && u.OtherSizes == 0 {
		return itoa(uint64(l.Base)) + " + n·" + itoa(uint64(l.Step)) + " bytes"
	}
	low, high := u.Sizes[0].Length, u.Sizes[k-1].Length
	if low == high && u.OtherSizes == 0 {
		return itoa(uint64(low)) + " bytes"
	}
	return itoa(uint64(low)) + " to " + itoa(uint64(high)) + " bytes"
}
