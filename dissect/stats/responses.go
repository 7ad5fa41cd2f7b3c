package stats

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"

	"remora/dissect"
	"remora/internal/sorting"
)

// A Response is how one sort of questions was answered: of one protocol, of one packet type or procedure. Times are in
// nanoseconds.
type Response struct {
	Protocol           *dissect.Protocol
	Kind               *dissect.Field // that says what was asked; nil: nothing does
	Value              uint64         // its value where that has no name
	Name               string         // as the field names the value; "" without a name
	Requests, Answered uint64
	Min, Max, Sum      int64
	SlowestRequest     dissect.FrameNum // the question that waited longest, and its answer
	SlowestResponse    dissect.FrameNum
	Frames             []dissect.FrameNum // of the first questions, no more than firstAsked

	times map[uint16]uint32 // how many of each class of times
}

// Unanswered is how many questions have no answer so far.
func (r *Response) Unanswered() uint64 { return r.Requests - min(r.Requests, r.Answered) }

// Mean is the mean time of an answer, 0 without one.
func (r *Response) Mean() int64 {
	if r.Answered == 0 {
		return 0
	}
	return r.Sum / int64(r.Answered)
}

// Within is the time within which a share of the answers came, to a sixteenth of it.
func (r *Response) Within(share float64) int64 {
	classes := make([]uint16, 0, len(r.times))
	for c := range r.times {
		classes = append(classes, c)
	}
	slices.Sort(classes)
	left := share * float64(r.Answered)
	for _, c := range classes {
		if left -= float64(r.times[c]); left <= 0 {
			return min(max(timeOf(c+1)-1, r.Min), r.Max)
		}
	}
	return r.Max
}

// classOf is the class of a time: sixteen to each doubling, so that there are less than a thousand in all.
func classOf(ns int64) uint16 {
	v := uint64(max(0, ns))
	if v < 16 {
		return uint16(v)
	}
	exp := bits.Len64(v) - 5
	return uint16((exp+1)<<4 | int(v>>exp&15))
}

// timeOf is the least time of a class.
func timeOf(c uint16) int64 {
	if c < 16 {
		return int64(c)
	}
	return int64(16|c&15) << (c>>4 - 1)
}

// MaxResponses bounds the sorts of questions that are told apart; those beyond are counted for their protocol alone.
const MaxResponses = 1 << 12

// requestsKept is of how many questions of a sort the packets are kept.
const requestsKept = 64

// Responses counts questions and answers as the engine has joined them, whatever the protocol. A question counts when
// its packet does, an answer when its own does. One goroutine counts; anybody asks.
type Responses struct {
	s *dissect.Session

	yieldingMutex
	seen int // exchanges looked at
	rows map[responseKey]*Response
	upTo atomic.Uint32
}

type responseKey struct {
	protocol *dissect.Protocol
	kind     dissect.FieldID
	name     string
	value    uint64
}

// NewResponses is a count of nothing yet.
func NewResponses(s *dissect.Session) *Responses {
	return &Responses{s: s, rows: map[responseKey]*Response{}}
}

// Session is whose packets are counted.
func (r *Responses) Session() *dissect.Session { return r.s }

// Frames counts frames, which come in rising order; upTo is the last one that has been decided, counted or not.
func (r *Responses) Frames(frames []dissect.FrameNum, upTo dissect.FrameNum) {
	defer r.yieldToReaders()
	r.mu.Lock()
	defer r.mu.Unlock()
	at := 0
	for ; r.seen < r.s.Exchanges(); r.seen++ {
		e := r.s.Exchange(r.seen)
		if e.Frame > upTo {
			break
		}
		for at < len(frames) && frames[at] < e.Frame {
			at++
		}
		if at < len(frames) && frames[at] == e.Frame && e.Frame != 0 {
			r.count(e)
		}
	}
	r.upTo.Store(max(r.upTo.Load(), uint32(upTo)))
}

func (r *Responses) count(e dissect.Exchange) {
	if e.Asked == 0 {
		row := r.row(r.keyOf(e))
		row.Requests++
		if len(row.Frames) < requestsKept {
			row.Frames = append(row.Frames, e.Frame)
		}
		return
	}
	store := r.s.Store()
	if int(e.Asked) <= store.First() || int(e.Frame) <= store.First() {
		return // has left
	}
	row := r.row(r.keyOf(r.request(e)))
	took := store.Meta(int(e.Frame)-1).Time - store.Meta(int(e.Asked)-1).Time
	if row.Answered == 0 || took < row.Min {
		row.Min = took
	}
	if row.Answered == 0 || took > row.Max {
		row.Max, row.SlowestRequest, row.SlowestResponse = took, e.Asked, e.Frame
	}
	row.Answered++
	row.Sum += took
	row.times[classOf(took)]++
}

// request finds what an answer answers, or what there would be of a question in that frame.
func (r *Responses) request(e dissect.Exchange) dissect.Exchange {
	i := sort.Search(r.seen, func(i int) bool { return r.s.Exchange(i).Frame >= e.Asked })
	for ; i < r.seen; i++ {
		q := r.s.Exchange(i)
		if q.Frame != e.Asked {
			break
		}
		if q.Asked == 0 && q.Protocol == e.Protocol {
			return q
		}
	}
	return dissect.Exchange{Frame: e.Asked, Protocol: e.Protocol}
}

// keyOf is the sort of a question: its protocol and what its packet type says, or what it says itself.
func (r *Responses) keyOf(q dissect.Exchange) (responseKey, *dissect.Field) {
	if q.Kind != 0 {
		f := r.s.Registry().FieldByID(q.Kind)
		return keyed(f.Protocol(), f, uint64(q.Value)), f
	}
	f := q.Protocol.KindField()
	if f != nil && int(q.Frame) > r.s.Store().First() {
		for _, k := range r.s.LayerStackOf(q.Frame).Kinds {
			if k.Field == f.ID() {
				return keyed(q.Protocol, f, k.Value), f
			}
		}
	}
	return responseKey{protocol: q.Protocol}, nil
}

func keyed(p *dissect.Protocol, f *dissect.Field, value uint64) responseKey {
	k := responseKey{protocol: p, kind: f.ID(), name: f.ValueName(value)}
	if k.name == "" {
		k.value = value
	}
	return k
}

func (r *Responses) row(k responseKey, kind *dissect.Field) *Response {
	row := r.rows[k]
	if row == nil && len(r.rows) >= MaxResponses {
		k, kind = responseKey{protocol: k.protocol}, nil
		row = r.rows[k]
	}
	if row == nil {
		row = &Response{Protocol: k.protocol, Kind: kind, Value: k.value, Name: k.name, times: map[uint16]uint32{}}
		r.rows[k] = row
	}
	return row
}

// UpTo is the last frame that has been decided. It waits for nobody.
func (r *Responses) UpTo() dissect.FrameNum { return dissect.FrameNum(r.upTo.Load()) }

// All are the sorts of questions so far: those of one protocol together, the most asked first.
func (r *Responses) All() []Response {
	r.lockToRead()
	defer r.mu.Unlock()
	total := map[*dissect.Protocol]uint64{}
	var out []Response
	for _, row := range r.rows {
		copied := *row
		copied.Frames = slices.Clone(row.Frames)
		copied.times = make(map[uint16]uint32, len(row.times))
		for c, n := range row.times {
			copied.times[c] = n
		}
		out = append(out, copied)
		total[row.Protocol] += max(row.Requests, row.Answered)
	}
	sorting.Func(out, func(a, b Response) int {
		return cmp.Or(cmp.Compare(total[b.Protocol], total[a.Protocol]), cmp.Compare(a.Protocol.Name(), b.Protocol.Name()),
			cmp.Compare(max(b.Requests, b.Answered), max(a.Requests, a.Answered)), cmp.Compare(a.Value, b.Value),
			cmp.Compare(a.Name, b.Name))
	})
	return out
}
