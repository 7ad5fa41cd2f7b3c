package filter

import (
	"sync"
	"sync/atomic"

	"remora/dissect"
)

// A shared test asks only for what all packets of a conversation have in common, such as addresses and ports. It is
// answered once for each direction of a conversation, and its packets are not read for it.
type shared struct {
	test
	id     int // among those of the filter
	fields []*dissect.Field
	ends   bool // it asks what ends are called, which may change
	tags   bool // it asks for the tags of virtual LANs
}

// share makes the tests of a filter that can be shared so.
func (f *Filter) share(x test) test {
	switch x := x.(type) {
	case constantTest:
		return x
	case conjunction:
		return conjunction(f.shareAll(x))
	case disjunction:
		return disjunction(f.shareAll(x))
	case negation:
		return negation{f.share(x.of)}
	case exclusiveOr:
		return exclusiveOr{f.share(x.a), f.share(x.b)}
	}
	sh := &shared{test: x, id: f.shares}
	x.needs(func(field *dissect.Field) { sh.fields = append(sh.fields, field) })
	if !f.sharable(x, sh.fields) {
		return x
	}
	for _, field := range sh.fields {
		sh.ends = sh.ends || !dissect.Indexed(field.Protocol())
		sh.tags = sh.tags || f.reg.Tagged(field)
	}
	f.shares++
	f.asksEnds = f.asksEnds || sh.ends
	return sh
}

// sharable tells whether the test needs what conversations know, and nothing else.
func (f *Filter) sharable(x test, fields []*dissect.Field) bool {
	switch x := x.(type) {
	case occurrence, presenceTest:
		return f.reg.Known(fields...)
	case valueTest:
		if ofConversation(x.of) {
			return true
		}
	case exists:
		if ofConversation(x.of) {
			return true
		}
	}
	return !f.indexed && len(fields) > 0 && f.reg.Known(fields...)
}

// ofConversation tells whether a term is what the index has of a frame's conversation.
func ofConversation(x source) bool {
	switch x.(type) {
	case direction, conversationNumbers:
		return true
	}
	return false
}

func (f *Filter) shareAll(parts []test) []test {
	out := make([]test, len(parts))
	for i, p := range parts {
		out[i] = f.share(p)
	}
	return out
}

func (x *shared) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	left := x.test.reduce(s, sh)
	if _, known := left.(constantTest); known || !s.Knowable(sh, x.fields...) {
		return left
	}
	return x
}

// hasShared tells whether a part of a test is shared.
func hasShared(x test) bool {
	switch x := x.(type) {
	case *shared:
		return true
	case negation:
		return hasShared(x.of)
	case exclusiveOr:
		return hasShared(x.a) || hasShared(x.b)
	case conjunction:
		return anyShared(x)
	case disjunction:
		return anyShared(x)
	}
	return false
}

func anyShared(parts []test) bool {
	for _, p := range parts {
		if hasShared(p) {
			return true
		}
	}
	return false
}

// A verdict is what is known of a test without reading the packet.
type verdict uint8

const (
	open   verdict = iota // the packet has to be asked
	refuse                // it does not match
	accept                // it matches
)

func verdictOf(ok bool) verdict {
	if ok {
		return accept
	}
	return refuse
}

func (v verdict) not() verdict {
	if v == open {
		return open
	}
	return accept + refuse - v
}

// An asker asks conversations on behalf of one packet.
type asker struct {
	f     *Filter
	plans *plans
	l     *dissect.Dissector
	rec   dissect.Record
	n     dissect.FrameNum
}

// verdict is what the packet's conversation says of a test.
func (a *asker) verdict(x test) verdict {
	switch x := x.(type) {
	case constantTest:
		return verdictOf(bool(x))
	case *shared:
		return a.shared(x)
	case negation:
		return a.verdict(x.of).not()
	case exclusiveOr:
		v, w := a.verdict(x.a), a.verdict(x.b)
		if v == open || w == open {
			return open
		}
		return verdictOf(v != w)
	case conjunction:
		return a.joined(x, refuse)
	case disjunction:
		return a.joined(x, accept)
	}
	return open
}

// joined is the verdict on tests that one answer decides; without it all have to be known.
func (a *asker) joined(parts []test, decides verdict) verdict {
	all := decides.not()
	for _, p := range parts {
		switch a.verdict(p) {
		case decides:
			return decides
		case open:
			all = open
		}
	}
	return all
}

func (a *asker) shared(x *shared) verdict {
	ref, known, tagged := a.rec.Known()
	if !known || x.tags && !tagged {
		return open
	}
	told, changes := a.plans.told[x.id], uint64(0)
	if x.ends {
		changes = a.plans.session.EndChanges()
		told.renew(changes)
	}
	was := told.get(ref)
	if was == answer(refuse) || was == answer(accept) {
		return verdict(was)
	}
	v, keep := a.ask(x)
	if was == toldNothing {
		told.put(ref, keep, changes)
	}
	return v
}

// ask answers a test from what the packet's conversation knows; keep is what holds for all its packets.
func (a *asker) ask(x *shared) (v verdict, keep answer) {
	t, scope := a.l.Known(a.n, x.fields...)
	if scope == dissect.ForNone {
		return open, toldEach
	}
	e := a.f.scratch.Get().(*eval)
	e.reset()
	v = verdictOf(x.match(e, t))
	a.f.scratch.Put(e)
	if scope == dissect.ForConversation {
		return v, answer(v)
	}
	return v, toldEach
}

// An answer is what answers keep of a conversation: nothing yet, a verdict, or that each packet has to be asked.
type answer uint32

const (
	toldNothing answer = 0
	toldEach    answer = 3
)

// answers keep what conversations said to one test, two bits each, in chunks. Anybody reads and writes.
type answers struct {
	chunks  atomic.Pointer[[]*answerChunk]
	changes atomic.Uint64 // the names of ends that they are of
	mu      sync.Mutex
}

const (
	answersOfWord = 16
	chunkShift    = 16
	answersShift  = 4
)

type answerChunk [1 << chunkShift / answersOfWord]atomic.Uint32

func (a *answers) get(ref uint32) answer {
	chunks := a.chunks.Load()
	if chunks == nil || int(ref>>chunkShift) >= len(*chunks) {
		return toldNothing
	}
	chunk := (*chunks)[ref>>chunkShift]
	if chunk == nil {
		return toldNothing
	}
	at := ref & (1<<chunkShift - 1)
	return answer(chunk[at>>answersShift].Load() >> (2 * (at % answersOfWord)) & 3)
}

// put keeps an answer that was given when ends had changed so many times.
func (a *answers) put(ref uint32, v answer, changes uint64) {
	at, i := ref&(1<<chunkShift-1), int(ref>>chunkShift)
	var chunk *answerChunk
	if chunks := a.chunks.Load(); chunks != nil && i < len(*chunks) && a.changes.Load() == changes {
		chunk = (*chunks)[i]
	}
	if chunk == nil {
		chunk = a.chunk(i, changes)
	}
	if chunk != nil {
		chunk[at>>answersShift].Or(uint32(v) << (2 * (at % answersOfWord)))
	}
}

// chunk is the chunk with a number, or nil where ends have changed meanwhile.
func (a *answers) chunk(i int, changes uint64) *answerChunk {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changes.Load() != changes {
		return nil
	}
	var chunks []*answerChunk
	if old := a.chunks.Load(); old != nil {
		chunks = *old
	}
	if i < len(chunks) && chunks[i] != nil {
		return chunks[i]
	}
	next := make([]*answerChunk, max(i+1, len(chunks)))
	copy(next, chunks)
	next[i] = new(answerChunk)
	a.chunks.Store(&next)
	return next[i]
}

// renew forgets the answers where ends were called otherwise.
func (a *answers) renew(changes uint64) {
	if a.changes.Load() == changes {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changes.Load() < changes {
		a.chunks.Store(nil)
		a.changes.Store(changes)
	}
}
