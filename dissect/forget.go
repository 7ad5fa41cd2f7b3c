package dissect

import (
	"slices"
	"unsafe"

	"remora/internal/column"
)

// A capture that keeps a part only has its oldest packets leave (capture.Options.Keep, Retention). What the session
// holds frame by frame then goes as well: records, notes, marks, recipes of messages.

// forgetEvery is how many frames must have left before they are forgotten: chunks of columns are given up whole.
const forgetEvery = 1 << 14

// A forgetter gives up what it holds of frames below one.
type forgetter interface{ forget(below FrameNum) }

// forgetOld forgets frames that have left. The goroutine of the first pass calls it.
func (s *Session) forgetOld() {
	n := min(s.store.First(), s.Passed())
	if n < s.forgotten+forgetEvery {
		return
	}
	s.forgotten = n
	below := FrameNum(n + 1)
	s.records.Forget(n)
	s.experts.Forget(firstFrom(&s.experts.Rows, below))
	s.exchanges.Forget(firstFrom(&s.exchanges.Rows, below))
	s.moreConvs.rows.Forget(firstFrom(&s.moreConvs.rows.Rows, below))
	s.pdus.forget(below)
	s.datagrams.forget(below)
	s.decrypted.Forget(firstFrom(&s.decrypted.Rows, below))
	s.forward.forget(below)
	s.givenUp.forget(below)
	for _, st := range s.stores {
		if f, ok := st.(forgetter); ok {
			f.forget(below)
		}
	}
}

// rest gives up what only further frames would have asked for: after the last one nothing changes a state any more, and
// re-dissections have what the changes returned.
func (s *Session) rest() {
	if s.facts.on.Load() { // who reads behind the first pass still asks what facts were
		s.conversations.each((*Conversation).forget)
	} else {
		s.conversations.pack()
	}
	s.retention.states, s.retention.streams = 0, 0
	s.byKey, s.last = newConversationMap(), nil
	for _, st := range s.stores {
		if r, ok := st.(interface{ rest() }); ok {
			r.rest()
		}
	}
	s.forward.rest()
	for _, rows := range s.columns() {
		rows.Pack()
	}
}

// columns are all columns with rows of frames.
func (s *Session) columns() []*column.Rows {
	all := []*column.Rows{&s.records.Rows, &s.experts.Rows, &s.exchanges.Rows, &s.moreConvs.rows.Rows, &s.pdus.rows.Rows,
		&s.pdus.refs.Rows, &s.datagrams.rows.Rows, &s.datagrams.refs.Rows, &s.decrypted.Rows,
		&s.made.Rows}
	for _, st := range s.stores {
		if n, ok := st.(interface{ rows() *column.Rows }); ok {
			all = append(all, n.rows())
		}
	}
	return all
}

func (data *storeData[S, N]) rows() *column.Rows { return &data.notes.Rows }

func (data *storeData[S, N]) rest() { data.endpoints.of, data.capture = nil, nil }

// forget gives up notes. Those that are known by numbers stay: any later frame may ask for them.
func (data *storeData[S, N]) forget(below FrameNum) {
	if !data.numbered {
		data.notes.Forget(firstFrom(&data.notes.Rows, below))
	}
}

func (l *pduList) forget(below FrameNum) {
	k := l.of(below)
	for i := k; i < l.rows.Len(); i++ {
		if p := l.rows.At(i); p.refs > 0 {
			l.refs.Forget(int(p.firstRef))
			break
		}
	}
	l.rows.Forget(k)
}

func (b *forwardTable) forget(below FrameNum) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = below
	for len(b.ranges) > 0 && b.first < below>>forwardShift {
		if r := b.ranges[0]; r != nil {
			b.n.Add(-int64(r.taken))
		}
		b.ranges = b.ranges[1:]
		b.first++
	}
	b.first = max(b.first, below>>forwardShift)
	left := func(i int) bool { return b.sorted[i].from.frame>>forwardShift >= below>>forwardShift }
	at := searchRows(len(b.sorted), left)
	b.n.Add(-int64(at))
	b.sorted = slices.Clone(b.sorted[at:])
}

func (l *pduList) bytes() int64 { return l.rows.Bytes() + l.refs.Bytes() }

func (data *storeData[S, N]) bytes() int64 {
	var state struct {
		endpointState
		of S
	}
	return data.notes.Bytes() + int64(len(data.endpoints.of))*(int64(unsafe.Sizeof(state))+endpointBytes)
}

func (data *endpoints) evict(below FrameNum) int {
	old := 0
	for _, s := range data.of {
		if s.latest < below {
			old++
		}
	}
	if old == 0 {
		return 0
	}
	left := make(map[Endpoint]*endpointState, len(data.of)-old) // a map from which much is deleted stays as large
	for e, s := range data.of {
		if s.latest >= below {
			left[e] = s
		}
	}
	data.of = left
	return old
}

// shrink gives up numbered notes. A frame that is kept may have the number of a note that was renewAfter notes old when
// the frame passed, but of none older (see Store.Renewed).
func (data *storeData[S, N]) shrink(limit int64, below FrameNum) {
	if !data.numbered {
		return
	}
	first, end := firstFrom(&data.notes.Rows, 1), firstFrom(&data.notes.Rows, below)-renewAfter
	for first += markEvery; first <= end && data.notes.Bytes() > limit; first += markEvery {
		data.notes.Forget(first)
	}
}
