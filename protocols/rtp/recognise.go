package rtp

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
)

// A row is the last packet of one direction that may be RTP, and how many in front of it go on from each other.
type row struct {
	any    bool
	first  [2]byte // without the marker
	seq    uint16
	stamp  uint32
	source uint32
	length int
}

// rows are what guesses keep of conversations that nobody knows.
var rows = dissect.NewStore[[2]row, bool]()

// inARow is how many packets of one source tell that they are RTP when no description did.
const inARow = 5

// recognise says that a packet may be one, which counts at ends that a description named. Packets of one source and one
// type of payload whose sequence numbers follow each other are, wherever they come.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 12 || b[0]>>6 != 2 {
		return dissect.No
	}
	kind := b[1] & 0x7f
	if d.Ends().Transport() != dissect.TableUDP || kind >= 64 && kind < 96 { // where RTCP would be (RFC 5761 section 4)
		return dissect.Weak
	}
	r := row{true, [2]byte{b[0] &^ 0x30, kind}, binary.BigEndian.Uint16(b[2:]), binary.BigEndian.Uint32(b[4:]),
		binary.BigEndian.Uint32(b[8:]), 1}
	sure := rows.FirstPass(d, func(s *[2]row) bool {
		if was := &s[d.Dir]; was.any && was.first == r.first && was.source == r.source && r.source != 0 &&
			r.seq == was.seq+1 && r.stamp-was.stamp < 1<<24 {
			r.length = was.length + 1
		}
		s[d.Dir] = r
		return r.length >= inARow
	})
	if sure {
		return dissect.Strong
	}
	return dissect.Weak
}

// unannounced tells whether the packets alone told that they are media.
func unannounced(d *dissect.D) bool {
	return d.Ends().Reason() == dissect.ByGuess || d.Ends().Reason() == dissect.ByRepetition
}

func evidence(d *dissect.D) string {
	if !unannounced(d) {
		return ""
	}
	return fmt.Sprintf("%d packets of one source with sequence numbers that follow each other", inARow)
}

// recogniseControl says that a packet may be one, which counts at ends that a description named, or that it is likely:
// packets of RTCP that fill the datagram to its last byte.
func recogniseControl(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 4 || b[0]>>6 != 2 || b[1] < 192 || b[1] > 223 {
		return dissect.No
	}
	if d.CutShort() || d.Ends().Transport() != dissect.TableUDP || len(b) < 8 {
		return dissect.Weak
	}
	for steps := (dissect.Progress{}); len(b) > 0 && steps.Down(len(b)); {
		if len(b) < 4 || b[0]>>6 != 2 || b[1] < 200 || b[1] > 207 {
			return dissect.Weak
		}
		n := 4 + 4*int(binary.BigEndian.Uint16(b[2:]))
		if n > len(b) || b[0]&0x20 != 0 && n < len(b) { // the last alone may be padded
			return dissect.Weak
		}
		b = b[n:]
	}
	return dissect.Likely
}

func controlEvidence(d *dissect.D) string {
	if !unannounced(d) {
		return ""
	}
	return "packets that fill the datagram exactly"
}
