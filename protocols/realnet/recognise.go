package realnet

import (
	"encoding/binary"

	"remora/dissect"
)

// A lastInit is the last Init that was seen in a conversation: alone it says nothing, as many protocols send four or
// five zeros, but with its answer it is a handshake.
type lastInit struct {
	frame  dissect.FrameNum
	time   int64
	dir    int
	layout uint8
	answer response // an Accept that came before: datagrams overtake one another
}

// A response is the last Accept that was seen without its Init.
type response struct {
	time   int64
	dir    int
	layout uint8
}

var lastInits = dissect.NewStore[lastInit, none]()

type none struct{}

// initTime is how long an Init waits for its answer.
const initTime = 15e9

// The limits of what a handshake may say.
const (
	longestDay   = 24 * 3600e6 // µs by which a server's Unix time may differ from the capture's
	longestDelay = 10e6        // µs between receiving and answering, as built
	longestWait  = 60e6        // the same, as documented
	minInterval  = 1000        // µs between synchronizations
	maxInterval  = 60e6
)

// recognise says how sure a datagram makes us. The answer to an Init claims at once; Accepts alone need two in a row;
// whatever else has exactly a packet's form counts only with an end that is known already.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 3 || b[0] > typeMessage || d.CutShort() {
		return dissect.No
	}
	if layout := guessInit(b); layout != 0 {
		sure := dissect.Weak
		lastInits.FirstPass(d, func(k *lastInit) none {
			if a := k.answer; a.layout == layout && a.dir != d.Dir && d.Time()-a.time <= initTime {
				sure = dissect.Strong
			}
			*k = lastInit{frame: d.Frame, time: d.Time(), dir: d.Dir, layout: layout}
			return none{}
		})
		return sure
	}
	if layout, sure := guessAnswer(b, d.Time()); layout != 0 {
		if initBefore(d, layout) {
			return dissect.Strong
		}
		if sure {
			lastInits.FirstPass(d, func(k *lastInit) none {
				k.answer = response{d.Time(), d.Dir, layout}
				return none{}
			})
			return dissect.Likely
		}
	}
	if fitsBuilt(b) || fitsDocumented(b) && flagsFit(b) {
		return dissect.Weak
	}
	return dissect.No
}

// initBefore reports whether the other side sent an Init of the layout not long ago. It runs in the first pass alone.
func initBefore(d *dissect.D, layout uint8) (yes bool) {
	lastInits.FirstPass(d, func(k *lastInit) none {
		yes = k.layout == layout && k.dir != d.Dir && d.Time()-k.time <= initTime
		return none{}
	})
	return yes
}

// guessInit tells the layout of an Init: 00 00 00 00 as built, 00 0f 00 00 00 with flags 0 or 1 as documented.
func guessInit(b []byte) uint8 {
	if len(b) != 4 && len(b) != 5 || b[0] != 0 || b[1] > 1 || b[2] != 0 || b[3] != 0 {
		return 0
	}
	switch {
	case len(b) == 4 && b[1] == 0:
		return layoutBuilt
	case len(b) == 5 && b[4] == 0:
		return layoutDocumented
	}
	return 0
}

// guessAnswer tells the layout of what answers an Init: an Accept with times that make sense, or a Reject. Only an
// Accept is sure enough to count without its Init. now is the capture's time in ns.
func guessAnswer(b []byte, now int64) (layout uint8, sure bool) {
	if b[0] != typeConnection {
		return 0, false
	}
	switch {
	case len(b) == 20 && b[1] == 0 && b[2] == 0 && b[3] == connAccept:
		if near(now/1000, binary.LittleEndian.Uint64(b[4:])) && binary.LittleEndian.Uint64(b[12:]) < longestDelay {
			return layoutBuilt, true
		}
	case len(b) == 25 && b[1] == 1 && b[2] == 1 && b[3] == 0 && b[4] == connAccept:
		received, sent, interval := binary.LittleEndian.Uint64(b[5:]), binary.LittleEndian.Uint64(b[13:]),
			binary.LittleEndian.Uint32(b[21:])
		if sent >= received && sent-received < longestWait && interval >= minInterval && interval <= maxInterval {
			return layoutDocumented, true
		}
	case len(b) == 5 && b[1] == 0 && b[2] == 0 && b[3] == connReject && b[4] == 3:
		return layoutBuilt, false
	case len(b) > 6 && b[1] <= 1 && b[4] == connReject && len(b) == 6+int(b[5]) && printable(b[6:]):
		return layoutDocumented, false
	}
	return 0, false
}

// near reports whether two times in µs are less than a day apart.
func near(now int64, stamp uint64) bool {
	at := uint64(now)
	return max(at, stamp)-min(at, stamp) < longestDay
}

// printable reports whether bytes are plain ASCII text.
func printable(b []byte) bool {
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}
