package dissect

import "sync"

// late is what the first pass learnt of conversations of datagrams behind their first one, further on than the
// look-ahead goes ahead: what they are after all, or that they are not what their port says. Another pass knows it from
// the start (see Session.Learn).
type late struct {
	mu      sync.Mutex
	learned map[beginning]step // by this pass
	known   map[beginning]step // before it
}

// A beginning names a conversation whatever number it has: by its ends and its first frame.
type beginning struct {
	a, b  Endpoint
	first FrameNum
}

// maxLate bounds what is learnt of conversations.
const maxLate = 1 << 16

func (c *Conversation) beginning() beginning { return beginning{c.A, c.B, c.First} }

// learn keeps what a datagram behind the first one told: the protocol, or under the reason ByPort one that it is not.
func (s *Session) learn(c *Conversation, st step) {
	if c.Transport != TableUDP || c.First == s.pass.d.Frame {
		return
	}
	l := &s.late
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.learned) >= maxLate || l.known[c.beginning()] == st {
		return
	}
	if l.learned == nil {
		l.learned = map[beginning]step{}
	}
	l.learned[c.beginning()] = st
}

// Late is how many conversations turned out to be something else than their first packets were taken for. A session
// that learns from this one takes them for what they are.
func (s *Session) Late() int {
	s.late.mu.Lock()
	defer s.late.mu.Unlock()
	return len(s.late.learned)
}

// Learn has the first pass know what another session of the same capture has learnt. It is called before the pass.
func (s *Session) Learn(from *Session) {
	from.late.mu.Lock()
	defer from.late.mu.Unlock()
	s.late.known = map[beginning]step{}
	for _, m := range [...]map[beginning]step{from.late.known, from.late.learned} {
		for at, st := range m {
			s.late.known[at] = st
		}
	}
}

// expect is what is known of a conversation that begins: what another pass has learnt, or what is ahead.
func (d *D) expect(c *Conversation) step {
	if st, ok := d.s.late.known[c.beginning()]; ok && st.reason != ByPort {
		return st
	}
	return d.foretell()
}
