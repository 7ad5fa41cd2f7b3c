package kaillera

import "remora/dissect"

// An echoes finds a client's own inputs in what the server sends back. What the server sends first is no input, zeros
// or the same again, so its nth message does not have the client's nth input: by how many messages they are apart is
// found by comparing, and held against every message from then on.
type echoes struct {
	sent    [echoRing]echo // by message number since the game began
	count   int            // messages of the client
	back    [echoRun]uint32
	came    int // messages of the server
	shift   int
	settled bool
}

type echo struct {
	sum   uint32
	frame dissect.FrameNum
}

const (
	echoRing = 128
	echoRun  = 8  // so many messages in a row must agree
	maxShift = 60 // the server is at most so many messages behind
)

// send takes the checksum of what the client sent; 0 is for bytes that are not known.
func (e *echoes) send(sum uint32, frame dissect.FrameNum) {
	e.sent[e.count%echoRing] = echo{sum, frame}
	e.count++
}

// receive takes the checksum of the client's part of what the server sent, and returns the frame in which the client
// sent that, 0 while it is not known.
func (e *echoes) receive(sum uint32) dissect.FrameNum {
	e.back[e.came%echoRun] = sum
	e.came++
	if e.settled {
		if x := e.at(e.came - 1 - e.shift); x != nil && x.sum == sum && sum != 0 {
			return x.frame
		}
		e.settled = false
	}
	if e.came < echoRun || sum == 0 || !e.varied() {
		return 0
	}
	found := -1
	for shift := range maxShift + 1 {
		if !e.agree(shift) {
			continue
		}
		if found >= 0 {
			return 0 // several are possible
		}
		found = shift
	}
	if found < 0 {
		return 0
	}
	e.shift, e.settled = found, true
	return e.at(e.came - 1 - found).frame
}

// at is the client's nth message, as far as it is remembered.
func (e *echoes) at(n int) *echo {
	if n < 0 || n >= e.count || n < e.count-echoRing {
		return nil
	}
	return &e.sent[n%echoRing]
}

// varied reports whether the last messages differ enough for a comparison to mean something.
func (e *echoes) varied() bool {
	first, changes := e.back[0], 0
	for _, s := range e.back[1:] {
		if s != first {
			changes++
		}
	}
	return changes > 0
}

func (e *echoes) agree(shift int) bool {
	for k := range echoRun {
		n := e.came - 1 - k
		if x := e.at(n - shift); x == nil || x.sum == 0 || x.sum != e.back[n%echoRun] {
			return false
		}
	}
	return true
}

// ownSum is the checksum of the client's own input in new data, 0 where it is not known which bytes that is.
func (l *link) ownSum(role int, data []byte, n *dataNote) uint32 {
	width, players, seat := int(n.width), int(n.players), int(n.seat)
	if role == fromClient {
		players, seat = 1, 1
	}
	if role == fromUnknown || width == 0 || seat == 0 || seat > players || n.flags&dataSize != 0 {
		return 0
	}
	h := uint32(1)
	for at, p := (seat-1)*width, (dissect.Progress{}); at+width <= len(data) && p.Up(at); at += players * width {
		h = h*0x9e3779b1 ^ sum(0, data[at:at+width])
	}
	return h | 1
}
