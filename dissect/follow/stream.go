package follow

import "remora/dissect"

// maxHeld bounds the segments that wait for one that is missing. When there are more, the gap is taken for a loss.
const maxHeld = 512

// tcpStream is one direction of a TCP stream: which byte comes next, and what came too early.
type tcpStream struct {
	next    uint32
	started bool
	held    []segment
}

type segment struct {
	seq   uint32
	data  []byte
	frame dissect.FrameNum
	time  int64
}

// order turns a segment's payload into the bytes that are new, in order. What comes too early waits; what never comes
// is counted as missing.
func (t *Stream) order(tree *dissect.Tree, st *tcpStream, u *Unit) {
	data := u.Data
	u.Data = nil
	seq, ok := t.sequence(tree)
	if !ok {
		return
	}
	if t.isSyn(tree) {
		st.next, st.started = seq+1, true
		return
	}
	if len(data) == 0 {
		return
	}
	if !st.started {
		st.next, st.started = seq, true
	}
	if ahead := int32(seq - st.next); ahead > 0 {
		st.hold(segment{seq, data, u.Frame, u.Time})
		if len(st.held) <= maxHeld {
			return
		}
		u.Missing = int(st.held[0].seq - st.next)
		st.next = st.held[0].seq
	} else {
		u.Data = st.take(segment{seq, data, u.Frame, u.Time}, u.Data)
	}
	u.Data = st.release(u.Data)
}

// take appends what is new in a segment that begins no later than it should.
func (st *tcpStream) take(s segment, to []byte) []byte {
	old := int(int32(st.next - s.seq))
	if old >= len(s.data) {
		return to
	}
	st.next = s.seq + uint32(len(s.data))
	return append(to, s.data[old:]...)
}

// hold keeps a segment that came too early, in order.
func (st *tcpStream) hold(s segment) {
	at := len(st.held)
	for at > 0 && int32(st.held[at-1].seq-s.seq) > 0 {
		at--
	}
	st.held = append(st.held, segment{})
	copy(st.held[at+1:], st.held[at:])
	st.held[at] = s
}

// release appends the segments whose turn has come.
func (st *tcpStream) release(to []byte) []byte {
	for len(st.held) > 0 && int32(st.held[0].seq-st.next) <= 0 {
		to = st.take(st.held[0], to)
		st.held = st.held[1:]
	}
	return to
}

// flush gives out what still waits when the capture has ended, with what is missing in front of it.
func (t *Stream) flush(conv uint32, st *tcpStream, dir int) {
	for len(st.held) > 0 {
		s := st.held[0]
		u := Unit{Frame: s.frame, Time: s.time, Conv: conv, Dir: dir, Missing: int(max(0, int32(s.seq-st.next)))}
		if u.Missing > 0 {
			st.next = s.seq
		}
		u.Data = st.release(nil)
		t.keep(u)
	}
}

func (t *Stream) sequence(tree *dissect.Tree) (uint32, bool) {
	if declared := t.s.Registry().Transport(dissect.TableTCP); declared != nil {
		for _, f := range declared.Numbers {
			if i := tree.Find(f); i >= 0 {
				return uint32(tree.Nodes[i].Val), true
			}
		}
	}
	return 0, false
}

func (t *Stream) isSyn(tree *dissect.Tree) bool {
	declared := t.s.Registry().Transport(dissect.TableTCP)
	if declared == nil {
		return false
	}
	i := tree.Find(declared.Opens)
	return i >= 0 && tree.Nodes[i].Val != 0
}
