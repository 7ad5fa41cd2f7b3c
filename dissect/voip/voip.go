// Package voip finds calls and streams of media: the legs of a call that SIP sets up, the streams of RTP that belong to
// them, with what was lost of each and how evenly it came, and what is to be heard in it.
package voip

import (
	"math"
	"slices"
	"sync"

	"remora/dissect"
)

// Limits of what is kept of a capture; packets beyond them are only counted.
const (
	maxCalls   = 10_000
	maxStreams = 10_000
	maxFrames  = 1 << 20 // of all streams and calls together
)

// A Leg is one dialog of SIP: what one Call-ID names.
type Leg struct {
	ID, From, To string
	Other        string             // the Call-ID that it says it carries on, as X-Call-ID has it
	Frames       []dissect.FrameNum // its messages
	First, Last  int64              // nanoseconds since 1970
	Src, Dst     dissect.Addr       // who began it, and whom it asked
	State        State
	Answered     int64 // when it was taken; 0: it was not
}

// A State is how far a call is.
type State string

// The states, in the words of who draws them.
const (
	Setup     State = "call setup"
	Ringing   State = "ringing"
	InCall    State = "in call"
	Completed State = "completed"
	Cancelled State = "cancelled"
	Rejected  State = "rejected"
)

// A Stream is one of RTP: what one sender numbers, between two ends.
type Stream struct {
	Src, Dst    dissect.Endpoint
	SSRC        uint32
	Payload     uint8
	Form        string // what its description calls what it carries; "" where none does
	Packets     int
	First, Last int64              // nanoseconds since 1970
	Setup       dissect.FrameNum   // where it was described, or 0
	Frames      []dissect.FrameNum // of its packets, as far as they are kept

	Late, Twice          int     // out of order, and repeated
	MaxDelta             float64 // milliseconds
	MaxJitter, SumJitter float64 // milliseconds (RFC 3550 section 6.4.1)

	low, high uint32 // sequence numbers, extended
	stamp     uint32
	jitter    float64
	jitters   int
}

// Lost is how many packets did not come, and of how many that is the share in percent.
func (s *Stream) Lost() (n int, share float64) {
	should := int(s.high-s.low) + 1
	n = max(0, should-(s.Packets-s.Twice))
	return n, 100 * float64(n) / float64(max(1, should))
}

// MeanJitter is the mean of the interarrival jitter, in milliseconds.
func (s *Stream) MeanJitter() float64 { return s.SumJitter / float64(max(1, s.jitters)) }

// A Call is what belongs together: the legs, the caller's first, and the streams that they set up.
type Call struct {
	Legs    []Leg
	Streams []Stream
}

type streamKey struct {
	src, dst dissect.Endpoint
	ssrc     uint32
}

// A Finder finds calls and streams. One goroutine gives it packets, anybody asks.
type Finder struct {
	s      *dissect.Session
	fields map[*dissect.Field]int
	first  []*dissect.Field // what calls and streams cannot be without
	wants  *dissect.Wants

	mu      sync.Mutex
	legs    map[string]*Leg
	inOrder []*Leg
	byFrame map[dissect.FrameNum]string // which call a frame is of
	streams map[streamKey]*Stream
	listed  []*Stream
	kept    int
	upTo    dissect.FrameNum
}

// What is read of packets.
const (
	callID = iota
	method
	status
	from
	to
	of
	other
	ssrc
	seq
	stamp
	payload
	setup
)

// New is a finder that has seen no packet.
func New(s *dissect.Session) *Finder {
	f := &Finder{s: s, fields: map[*dissect.Field]int{}, legs: map[string]*Leg{}, streams: map[streamKey]*Stream{},
		byFrame: map[dissect.FrameNum]string{}}
	var wanted []*dissect.Field
	add := func(from int, fields ...*dissect.Field) {
		for i, field := range fields {
			f.fields[field] = from + i
		}
		wanted = append(wanted, fields...)
		f.first = append(f.first, fields[0])
	}
	if c := s.Registry().CallFields(); c != nil {
		add(callID, c.ID, c.Method, c.Status, c.From, c.To, c.Of)
		if c.Other != nil {
			f.fields[c.Other] = other
			wanted = append(wanted, c.Other)
		}
	}
	if m := s.Registry().MediaFields(); m != nil {
		add(ssrc, m.Source, m.Sequence, m.Timestamp, m.Type, m.Setup)
	}
	f.wants = s.Registry().Wants(wanted...)
	return f
}

// Packet takes what a packet has of calls and streams.
func (f *Finder) Packet(l *dissect.Dissector, n dissect.FrameNum) {
	stack := f.s.LayerStackOf(n)
	if !slices.ContainsFunc(f.first, func(field *dissect.Field) bool { return f.s.MayHave(stack, field) }) {
		return
	}
	t := l.Redissect(n, f.wants)
	var v [setup + 1]int
	for i := range v {
		v[i] = -1
	}
	for i := range t.Nodes {
		if at, ok := f.fields[t.Field(i)]; ok && v[at] < 0 {
			v[at] = i
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	text := func(at int) string {
		if v[at] < 0 {
			return ""
		}
		return t.Text(v[at])
	}
	number := func(at int) uint64 {
		if v[at] < 0 {
			return 0
		}
		return t.Nodes[v[at]].Val
	}
	if v[callID] >= 0 {
		f.message(t, n, text, int(number(status)))
	}
	if v[ssrc] >= 0 && v[seq] >= 0 {
		f.media(l, t, n, number)
	}
}

// message takes a message of SIP.
func (f *Finder) message(t *dissect.Tree, n dissect.FrameNum, text func(int) string, code int) {
	id := text(callID)
	leg := f.legs[id]
	if leg == nil {
		if text(method) != "INVITE" || len(f.legs) >= maxCalls {
			return // registrations and the like are no calls
		}
		leg = &Leg{ID: id, From: text(from), To: text(to), First: t.Time(), Src: t.Src.Addr, Dst: t.Dst.Addr, State: Setup}
		f.legs[id], f.inOrder = leg, append(f.inOrder, leg)
	}
	leg.Last = t.Time()
	if leg.Other == "" {
		leg.Other = text(other)
	}
	if f.kept < maxFrames {
		f.kept++
		leg.Frames = append(leg.Frames, n)
		f.byFrame[n] = id
	}
	switch m, asked := text(method), text(of); {
	case m == "CANCEL" && leg.Answered == 0:
		leg.State = Cancelled
	case m == "BYE":
		leg.State = Completed
	case code == 180 && leg.State == Setup:
		leg.State = Ringing
	case code/100 == 2 && asked == "INVITE" && leg.Answered == 0:
		leg.State, leg.Answered = InCall, t.Time()
	case code >= 300 && code != 401 && code != 407 && asked == "INVITE" && leg.State != Cancelled:
		leg.State = Rejected
	case m == "INVITE" && leg.State == Rejected: // asked once more
		leg.State = Setup
	}
}

// firstFree is the first payload type that only descriptions give a meaning.
const firstFree = 96

// media takes a packet of RTP.
func (f *Finder) media(l *dissect.Dissector, t *dissect.Tree, n dissect.FrameNum, number func(int) uint64) {
	k := streamKey{t.Src, t.Dst, uint32(number(ssrc))}
	st := f.streams[k]
	if st == nil {
		if len(f.streams) >= maxStreams {
			return
		}
		st = &Stream{Src: t.Src, Dst: t.Dst, SSRC: k.ssrc, Payload: uint8(number(payload)), First: t.Time(),
			Setup: dissect.FrameNum(number(setup)), low: uint32(number(seq)), high: uint32(number(seq)) - 1}
		if form := f.s.Registry().MediaFields().Form; form != nil && st.Payload >= firstFree {
			st.Form = form(l.Tree(n))
		}
		f.streams[k], f.listed = st, append(f.listed, st)
	}
	st.packet(t.Time(), uint16(number(seq)), uint32(number(stamp)))
	if f.kept < maxFrames {
		f.kept++
		st.Frames = append(st.Frames, n)
	}
}

func (s *Stream) packet(at int64, seq uint16, stamp uint32) {
	if s.Packets > 0 {
		gap := float64(at-s.Last) / 1e6
		s.MaxDelta = max(s.MaxDelta, gap)
		if rate := s.codec().clock; rate > 0 {
			should := float64(int32(stamp-s.stamp)) / float64(rate) * 1000
			s.jitter = (15*s.jitter + math.Abs(gap-should)) / 16
			s.MaxJitter, s.SumJitter, s.jitters = max(s.MaxJitter, s.jitter), s.SumJitter+s.jitter, s.jitters+1
		}
	}
	switch step := int16(seq - uint16(s.high)); {
	case step > 0:
		s.high += uint32(step)
	case step == 0:
		s.Twice++
	default:
		s.Late++
	}
	s.Packets, s.Last, s.stamp = s.Packets+1, at, stamp
}

// Read says that all packets up to one were given.
func (f *Finder) Read(upTo dissect.FrameNum) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.upTo = upTo
}

// UpTo is the packet up to which all were given.
func (f *Finder) UpTo() dissect.FrameNum {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.upTo
}

// Streams are those found so far, in the order in which they began.
func (f *Finder) Streams() (out []Stream) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.listed {
		one := *s
		one.Frames = slices.Clip(s.Frames)
		out = append(out, one)
	}
	return out
}

// Calls are those found so far, in the order in which they began. Legs are of one call when
// the host that was asked passes the call on to the same user while it is set up, or where one names the other.
func (f *Finder) Calls() (out []Call) {
	streams := f.Streams()
	f.mu.Lock()
	defer f.mu.Unlock()
	call := map[string]int{} // that a leg is of
	for _, l := range f.inOrder {
		leg := *l
		leg.Frames = slices.Clip(l.Frames)
		i, known := 0, false
		for j := len(out) - 1; j >= 0 && !known; j-- {
			if slices.ContainsFunc(out[j].Legs, leg.names) || slices.ContainsFunc(out[j].Legs, leg.passedOnBy) {
				i, known = j, true
			}
		}
		if !known {
			i = len(out)
			out = append(out, Call{})
		}
		out[i].Legs = append(out[i].Legs, leg)
		call[leg.ID] = i
	}
	for i := range streams {
		if at, ok := call[f.byFrame[streams[i].Setup]]; ok {
			out[at].Streams = append(out[at].Streams, streams[i])
		}
	}
	return out
}

// setupTime bounds how long the host between two legs takes to pass a call on.
const setupTime = int64(5e9)

// names tells whether one of two legs names the other, or both the same one.
func (l *Leg) names(o Leg) bool {
	return l.Other != "" && (l.Other == o.ID || l.Other == o.Other) || o.Other != "" && o.Other == l.ID
}

// passedOnBy tells whether another leg is what this one carries on.
func (l *Leg) passedOnBy(o Leg) bool {
	return o.Dst == l.Src && l.First >= o.First && l.First-o.First < setupTime &&
		(o.Answered == 0 || o.Answered >= l.First) &&
		(user(o.To) == user(l.To) || user(o.From) == user(l.From))
}

// Frames are all packets of a call, in order: the messages of its legs, and each stream's first packet.
func (c *Call) Frames() (out []dissect.FrameNum) {
	for i := range c.Legs {
		out = append(out, c.Legs[i].Frames...)
	}
	for i := range c.Streams {
		out = append(out, c.Streams[i].Frames[:min(1, len(c.Streams[i].Frames))]...)
	}
	slices.Sort(out)
	return out
}
